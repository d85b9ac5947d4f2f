//! The value of decisions within the player's own turn.

use catan::{
    Action, CITY_COST, Catan, DEV_COST, Hand, N_RESOURCES, Phase, ROAD_COST, Rate, Resource,
    SETTLEMENT_COST, Swap,
};
use kernel::{Discard, Draw, Game, GameExt, Mask, Turn};

use super::features::price;
use super::ground::{ANY_PORT, bits};
use super::value::{Eye, Value};

/// A decision with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) action: Action,
    pub(super) value: Value,
}

/// Everything that can be bought, with its price.
pub(super) const GOODS: [(Hand, Good); 4] = [
    (CITY_COST, Good::City),
    (SETTLEMENT_COST, Good::Settlement),
    (DEV_COST, Good::Card),
    (ROAD_COST, Good::Road),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    City,
    Settlement,
    Card,
    Road,
}

/// The maximum number of trades for one purchase.
const TRADES_MAX: usize = 4;

impl Eye<'_> {
    /// Lists every sensible decision that the mask allows, with its value.
    pub(super) fn weigh(&self, position: &Catan, mask: &Mask, out: &mut Vec<Choice>) {
        out.clear();
        for id in mask.iter() {
            let Some(action) = Action::with_id(id) else {
                continue;
            };
            if let Some(value) = self.worth_of(position, action) {
                out.push(Choice { action, value });
            }
        }
        if position.phase() == Phase::Action {
            self.put_trades(position, out);
        }
        if matches!(position.phase(), Phase::Action | Phase::TradeOffer) {
            self.put_offers(position, out);
        }
        if out.is_empty() {
            self.put_steps(position, mask, out);
        }
    }

    /// The value of an action; `None` if it is not considered.
    fn worth_of(&self, position: &Catan, action: Action) -> Option<Value> {
        match action {
            // Offers are valued as a whole elsewhere, and this bot never forces the dice of a test
            // match.
            Action::OfferTrade(_)
            | Action::GiveCard(_)
            | Action::AskCard(_)
            | Action::SendOffer
            | Action::ForceDice(_) => None,
            // Ending the turn is worth the current position: every other action is compared with
            // it before the turn ends.
            Action::EndTurn => Some(self.value(position)),
            Action::BuyDevelopment => Some(self.value_of_card(position)),
            Action::PlayYearOfPlenty(_) | Action::PlayMonopoly(_) => {
                let after = self.after(position, action);
                Some(self.with_purchase(&after))
            }
            _ => Some(self.settled(&self.after(position, action))),
        }
    }

    fn after(&self, position: &Catan, action: Action) -> Catan {
        let mut after = *position;
        after.play_trusted(self.seat, action, &mut Discard);
        after
    }

    /// The value of a position once the current step is complete: chance by its mean, the robber
    /// and free roads by the best choice.
    fn settled(&self, position: &Catan) -> Value {
        match (position.turn(), position.phase()) {
            (Turn::Chance, _) => self.mean(position),
            (Turn::Seat(seat), Phase::MoveRobber | Phase::RoadBuilding) if seat == self.seat => {
                self.best_of_all(position)
            }
            _ => self.value(position),
        }
    }

    fn best_of_all(&self, position: &Catan) -> Value {
        let mask = position.legal(self.seat);
        let actions = mask.iter().filter_map(Action::with_id);
        let worths = actions.map(|action| self.settled(&self.after(position, action)));
        worths.max().unwrap_or_else(|| self.value(position))
    }

    /// The mean over chance: a theft or a roll of the dice.
    fn mean(&self, position: &Catan) -> Value {
        let odds = position.odds();
        let (mut sum, mut total) = (0, 0);
        for outcome in 0..odds.n_outcomes().unwrap_or(0) {
            let draw = Draw(outcome);
            let Some((weight @ 1.., _)) = odds.probability(draw) else {
                continue;
            };
            // Dice: the same faces in the other order are the same roll.
            let (first, second) = (outcome / 6, outcome % 6);
            let is_dice = odds.n_outcomes() == Some(36);
            let weight = match (is_dice, first.cmp(&second)) {
                (true, std::cmp::Ordering::Greater) if odds_are_even(&odds) => continue,
                (true, std::cmp::Ordering::Less) if odds_are_even(&odds) => 2,
                _ => weight as Value,
            };
            let mut after = *position;
            after.resolve_trusted(draw, &mut Discard);
            sum += weight * self.value(&after);
            total += weight;
        }
        match total {
            0 => self.value(position),
            _ => sum / total,
        }
    }

    /// The value of a position from which something can be bought at once.
    fn with_purchase(&self, position: &Catan) -> Value {
        let stand = self.value(position);
        if position.phase() != Phase::Action {
            return stand;
        }
        let mask = position.legal(self.seat);
        let actions = mask.iter().filter_map(Action::with_id);
        let worths = actions.filter_map(|action| match action {
            Action::BuildCity(_) | Action::BuildSettlement(_) => {
                Some(self.value(&self.after(position, action)))
            }
            Action::BuyDevelopment => Some(self.value_of_card(position)),
            _ => None,
        });
        worths.fold(stand, Value::max)
    }

    /// For each purchase that becomes possible after trades with the bank: the first trade, with
    /// the value of the purchase.
    fn put_trades(&self, position: &Catan, out: &mut Vec<Choice>) {
        let view = self.view(position);
        let me = &view.players[self.seat.index() & 1];
        let ports = bits(u128::from(me.settlements | me.cities))
            .fold(0, |set, vertex| set | self.ground.ports[vertex]);
        for (cost, good) in GOODS {
            let Some(trades) = trades_for(&me.resources, &view.bank, ports, &cost) else {
                continue;
            };
            let mut traded = *position;
            for action in trades.iter().flatten() {
                traded.play_trusted(self.seat, *action, &mut Discard);
            }
            let (Some(first), Some(value)) = (trades[0], self.best_purchase(&traded, good)) else {
                continue;
            };
            out.push(Choice {
                action: first,
                value,
            });
        }
    }

    pub(super) fn best_purchase(&self, position: &Catan, good: Good) -> Option<Value> {
        let mask = position.legal(self.seat);
        let actions = mask.iter().filter_map(Action::with_id);
        let worths = actions.filter_map(|action| match (action, good) {
            (Action::BuildCity(_), Good::City)
            | (Action::BuildSettlement(_), Good::Settlement)
            | (Action::BuildRoad { .. }, Good::Road) => {
                Some(self.value(&self.after(position, action)))
            }
            (Action::BuyDevelopment, Good::Card) => Some(self.value_of_card(position)),
            _ => None,
        });
        worths.max()
    }
}

/// True if all rolls are equally likely, so that the two faces may be exchanged.
fn odds_are_even(odds: &kernel::Odds) -> bool {
    matches!(odds, kernel::Odds::Dice { .. })
}

/// The trades with the bank that make a hand cover a cost, from the largest surplus first; `None`
/// if no trade is needed or the surplus is too small.
fn trades_for(
    hand: &Hand,
    bank: &Hand,
    ports: u8,
    cost: &Hand,
) -> Option<[Option<Action>; TRADES_MAX]> {
    let mut trades = [None; TRADES_MAX];
    let mut n_trades = 0;
    let mut spare: [i32; N_RESOURCES] =
        std::array::from_fn(|kind| i32::from(hand[kind]) - i32::from(cost[kind]));
    while let Some(wanted) = (0..N_RESOURCES).find(|&kind| spare[kind] < 0) {
        let payable = (0..N_RESOURCES).filter(|&kind| spare[kind] >= price(ports, kind));
        let given = payable.max_by_key(|&kind| spare[kind] - price(ports, kind))?;
        let rate = match (ports & (1 << given) != 0, ports & (1 << ANY_PORT) != 0) {
            (true, _) => Rate::OwnPort,
            (false, true) => Rate::AnyPort,
            (false, false) => Rate::Bank,
        };
        if i32::from(bank[wanted]) < -spare[wanted] || n_trades == TRADES_MAX {
            return None;
        }
        let swap = Swap::new(Resource::ALL[given], Resource::ALL[wanted])?;
        trades[n_trades] = Some(Action::Trade(rate, swap));
        n_trades += 1;
        spare[given] -= price(ports, given);
        spare[wanted] += 1;
    }
    (n_trades > 0).then_some(trades)
}
