//! Offers to the opponent that buy something at once.

use catan::{Action, Catan, Hand, N_RESOURCES, Phase, Trade, View};
use kernel::{Discard, Game, Mask, Seat};

use super::lookahead::{Choice, GOODS};
use super::value::Eye;

/// The maximum number of cards to ask for.
const ASKED_MAX: i32 = 2;
/// The maximum number of cards to give.
const GIVEN_MAX: usize = 3;

impl Eye<'_> {
    /// For each purchase that becomes possible after an offer from which the opponent gains: the
    /// next step of that offer, with the value of the purchase. An offer that was begun is
    /// continued. Only one offer is made per turn, since a second answer would be the same.
    pub(super) fn put_offers(&self, position: &Catan, out: &mut Vec<Choice>) {
        let view = self.view(position);
        if view.offers_made > 0 {
            return;
        }
        let begun = view.pending_trade.unwrap_or_default();
        let [me, other] = [self.seat.index() & 1, 1 - (self.seat.index() & 1)];
        let hands = [me, other].map(|idx| view.players[idx].resources);
        for (cost, good) in GOODS {
            let taken = offers_for(&hands[0], &hands[1], &cost)
                .filter(|trade| begins_with(trade, &begun))
                .find(|trade| self.is_taken(&view, trade));
            let Some((trade, next)) = taken.and_then(|it| Some((it, next_step(&it, &begun)?)))
            else {
                continue;
            };
            let Some(traded) = self.traded(position, &trade, &begun) else {
                continue;
            };
            if let Some(value) = self.best_purchase(&traded, good) {
                out.push(Choice {
                    action: next,
                    value,
                });
            }
        }
    }

    /// Every step that continues an offer begun by someone else, by the value of the position if
    /// the opponent accepted the offer right then.
    pub(super) fn put_steps(&self, position: &Catan, mask: &Mask, out: &mut Vec<Choice>) {
        let view = self.view(position);
        let begun = view.pending_trade.unwrap_or_default();
        for action in mask.iter().filter_map(Action::with_id) {
            let mut trade = begun;
            match action {
                Action::GiveCard(resource) => trade.offer[resource as usize] += 1,
                Action::AskCard(resource) => trade.request[resource as usize] += 1,
                _ => {}
            }
            let value = self.value_of(&after(&view, &trade));
            out.push(Choice { action, value });
        }
    }

    /// True if the opponent gains from a trade, as far as this seat knows.
    fn is_taken(&self, view: &View, trade: &Trade) -> bool {
        let other = [Seat::SECOND, Seat::FIRST][self.seat.index() & 1];
        let theirs = Eye {
            seat: other,
            ..*self
        };
        theirs.value_of(&after(view, trade)) > theirs.value_of(view)
    }

    /// The position after the rest of an offer and its acceptance.
    fn traded(&self, position: &Catan, trade: &Trade, begun: &Trade) -> Option<Catan> {
        let mut traded = *position;
        for action in trade.actions().skip(n_cards(begun)) {
            traded.play_trusted(self.seat, action, &mut Discard);
        }
        if traded.phase() != Phase::TradeResponse {
            return None;
        }
        let other = [Seat::SECOND, Seat::FIRST][self.seat.index() & 1];
        traded.play_trusted(other, Action::AcceptTrade, &mut Discard);
        Some(traded)
    }
}

/// Offers of the cards that a hand lacks for a cost, paid from the largest surplus, the smallest
/// first.
fn offers_for(hand: &Hand, theirs: &Hand, cost: &Hand) -> impl Iterator<Item = Trade> + use<> {
    let mut spare: [i32; N_RESOURCES] =
        std::array::from_fn(|kind| i32::from(hand[kind]) - i32::from(cost[kind]));
    let request: Hand = spare.map(|n| (-n).max(0) as u8);
    let n_asked: i32 = request.iter().map(|&n| i32::from(n)).sum();
    let held = request
        .iter()
        .zip(theirs)
        .all(|(asked, held)| asked <= held);
    let sensible = held && (1..=ASKED_MAX).contains(&n_asked);
    let mut offer = Hand::default();
    let offers = std::iter::from_fn(move || {
        let most = (0..N_RESOURCES).rev().max_by_key(|&kind| spare[kind])?;
        if spare[most] <= 0 {
            return None;
        }
        spare[most] -= 1;
        offer[most] += 1;
        Some(Trade { offer, request })
    });
    offers.take(if sensible { GIVEN_MAX } else { 0 })
}

fn after(view: &View, trade: &Trade) -> View {
    let mut after = *view;
    let giver = usize::from(view.current_player & 1);
    for kind in 0..N_RESOURCES {
        let (given, gotten) = (trade.offer[kind], trade.request[kind]);
        let from = &mut after.players[giver].resources[kind];
        *from = (*from + gotten).saturating_sub(given);
        let to = &mut after.players[1 - giver].resources[kind];
        *to = (*to + given).saturating_sub(gotten);
    }
    after
}

fn n_cards(trade: &Trade) -> usize {
    let cards = trade.offer.iter().chain(&trade.request);
    cards.map(|&n| usize::from(n)).sum()
}

/// True if the composition of this trade starts with the steps already taken.
fn begins_with(trade: &Trade, begun: &Trade) -> bool {
    let mut so_far = Trade::default();
    for action in trade.actions().take(n_cards(begun)) {
        match action {
            Action::GiveCard(resource) => so_far.offer[resource as usize] += 1,
            Action::AskCard(resource) => so_far.request[resource as usize] += 1,
            _ => return false,
        }
    }
    so_far == *begun
}

fn next_step(trade: &Trade, begun: &Trade) -> Option<Action> {
    trade.actions().nth(n_cards(begun))
}
