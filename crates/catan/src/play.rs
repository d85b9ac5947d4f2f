//! The rules: the effect of each step.

mod build;
mod robber;

use kernel::doc::{Faults, Node};
use kernel::json::Json;
use kernel::{
    ActionId, Departure, Draw, Game, Mask, Odds, Reason, Recorded, Seat, SeatSet, Sink, Turn,
    Viewer,
};

use crate::action::Plenty;
use crate::entry::Decision;
use crate::snapshot::{Resources, Snapshot};
use crate::state::{Discard, Due, ROADS_MAX, Win};
use crate::trade::{OFFER_CARDS_MAX, Pending, Side};
use crate::{
    Action, Catan, DEV_COST, Dev, Ending, Event, Hand, N_RESOURCES, Phase, Resource, Setup, View,
};

impl Game for Catan {
    const NAME: &'static str = "catan";
    const RULES_VERSION: &'static str = "1.2.0";

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(setup: &Setup) -> Catan {
        Catan::at_start(setup)
    }

    /// A turn has at most one roll, two discards of half a hand, two robber moves with thefts,
    /// three card steps, the offers with their answers, and trades and purchases that each shrink
    /// the hand. An offer is composed card by card, sent and answered, and can grow the hand by
    /// all cards of a side but one.
    fn steps_max(setup: &Setup) -> u64 {
        let per_offer = 3 * u64::from(OFFER_CARDS_MAX) + 1;
        let per_turn = 320 + per_offer * u64::from(setup.offers_max());
        u64::from(setup.max_turns) * per_turn + 20
    }

    fn n_seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn turn_number(&self) -> u32 {
        self.number.into()
    }

    /// All points, including hidden ones.
    #[inline]
    fn progress(&self, seat: Seat) -> Option<u32> {
        Some(self.points(seat).into())
    }

    #[inline]
    fn n_actions(&self) -> usize {
        Action::N
    }

    #[inline]
    fn action_id(&self, action: Action) -> ActionId {
        action.id()
    }

    #[inline]
    fn action(&self, id: ActionId) -> Option<Action> {
        Action::with_id(id)
    }

    #[inline]
    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        self.write_mask(seat, mask);
    }

    fn refuse(&self, seat: Seat, action: Action) -> Option<Reason> {
        (!self.allows(seat, action)).then(|| self.reason(seat, action))
    }

    #[inline]
    fn play_trusted(&mut self, seat: Seat, action: Action, events: &mut impl Sink<Event>) {
        match action {
            Action::RollDice => {
                self.rolled = true;
                self.chance = Some(Due::Dice);
            }
            Action::ForceDice(throw) => {
                self.rolled = true;
                self.dice = throw.faces();
                self.chance = Some(Due::ForcedDice);
            }
            Action::EndTurn => self.end_turn(seat, events),
            Action::Trade(rate, swap) => {
                let (give, get) = (swap.give() as usize, swap.get() as usize);
                let player = &mut self.players[seat.index() & 1];
                player.hand[give] -= rate.price();
                player.hand[get] += 1;
                self.bank[give] += rate.price();
                self.bank[get] -= 1;
                events.push(Event::BankTraded {
                    player_id: seat,
                    give: swap.give(),
                    n_given: rate.price(),
                    receive: swap.get(),
                });
            }
            Action::OfferTrade(swap) => {
                self.add_to_offer(Side::Offer, swap.give());
                self.add_to_offer(Side::Request, swap.get());
                self.send_offer(seat, events);
            }
            Action::GiveCard(resource) => {
                self.add_to_offer(Side::Offer, resource);
                self.phase = Phase::TradeOffer;
            }
            Action::AskCard(resource) => self.add_to_offer(Side::Request, resource),
            Action::SendOffer => self.send_offer(seat, events),
            Action::AcceptTrade | Action::DeclineTrade => {
                self.answer(seat, action == Action::AcceptTrade, events);
            }
            Action::BuildRoad { edge, free } => self.build_road(seat, edge, free, events),
            Action::BuildSettlement(vertex) => self.build_settlement(seat, vertex, events),
            Action::BuildCity(vertex) => self.build_city(seat, vertex, events),
            Action::BuyDevelopment => self.buy_development(seat, events),
            Action::PlayKnight => self.play_knight(seat, events),
            Action::PlayRoadBuilding => {
                self.play_dev(seat, Dev::RoadBuilding, events);
                let n_left = ROADS_MAX - self.player(seat).roads.count_ones();
                self.free_roads = n_left.min(2) as u8;
                self.phase = Phase::RoadBuilding;
            }
            Action::PlayYearOfPlenty(plenty) => self.play_plenty(seat, plenty, events),
            Action::PlayMonopoly(resource) => self.play_monopoly(seat, resource, events),
            Action::MoveRobber(tile) => self.move_robber(seat, tile, events),
            Action::Discard(resource) => self.discard(seat, resource, events),
            Action::SetupSettlement(vertex) => self.setup_settlement(seat, vertex, events),
            Action::SetupRoad(edge) => self.setup_road(seat, edge, events),
        }
    }

    #[inline]
    fn odds(&self) -> Odds {
        self.odds_now()
    }

    #[inline]
    fn resolve_trusted(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        match self.chance {
            Some(Due::Deal) => self.deal(draw, events),
            Some(Due::Theft) => self.theft(draw, events),
            Some(Due::Dice | Due::ForcedDice) | None => self.dice_fall(draw, events),
        }
    }

    /// The player to decide rolls, passes or takes the legal action with the lowest id. A discard
    /// or road building is completed, and an unsent offer is dropped.
    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        let (phase, seat) = (self.phase, self.decider());
        loop {
            let action = match self.phase {
                Phase::Action | Phase::TradeOffer => Action::EndTurn,
                Phase::TradeResponse => Action::DeclineTrade,
                _ => self.lowest_legal(seat).unwrap_or(Action::EndTurn),
            };
            self.play_trusted(seat, action, events);
            let inside = matches!(phase, Phase::Discard | Phase::RoadBuilding);
            if !inside || self.phase != phase || self.decider() != seat {
                return;
            }
        }
    }

    fn is_test(&self) -> bool {
        self.setup.test
    }

    fn forces_chance(&self, action: Action) -> bool {
        matches!(action, Action::ForceDice(_))
    }

    fn leave_trusted(&mut self, seats: SeatSet, cause: Departure, events: &mut impl Sink<Event>) {
        for seat in seats.iter() {
            events.push(Event::PlayerLeft {
                player_id: seat,
                cause,
            });
        }
        let ending = match (cause, seats.sole()) {
            (Departure::Disconnect, Some(seat)) => Ending::Won(Catan::other(seat), Win::Disconnect),
            (Departure::Resign, Some(seat)) => Ending::Won(Catan::other(seat), Win::Resign),
            (Departure::Timeout, Some(seat)) => Ending::Won(Catan::other(seat), Win::Timeout),
            (cause, _) => Ending::Void(cause),
        };
        self.end(ending, events);
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn line_open(&self) -> bool {
        let inside = matches!(self.phase, Phase::RoadBuilding | Phase::TradeOffer);
        self.ending.is_none() && (self.robber_by_knight() || inside)
    }

    /// A discard that has begun keeps its player's line open; a seven does not.
    fn line_open_for(&self, seat: Seat) -> bool {
        let due = self.discards[seat.index() & 1];
        let discards = self.phase == Phase::Discard && 0 < due.left && due.left < due.total;
        discards || (seat == self.mover() && self.line_open())
    }
}

impl Recorded for Catan {
    const SNAPSHOT_VERSION: &'static str = "0.2.0";
    type Snapshot = Snapshot;
    type Decision = Decision;

    fn encode_draw(&self, draw: Draw) -> Json {
        self.draw_to_json(draw)
    }

    fn decode_draw(&self, node: &Node<'_>, faults: &mut Faults) -> Option<Draw> {
        self.read_draw(node, faults)
    }
}

impl Catan {
    fn play_plenty(&mut self, seat: Seat, plenty: Plenty, events: &mut impl Sink<Event>) {
        self.play_dev(seat, Dev::YearOfPlenty, events);
        let mut cards = Hand::default();
        for resource in plenty.cards() {
            cards[resource as usize] += 1;
            self.bank[resource as usize] -= 1;
            self.players[seat.index() & 1].hand[resource as usize] += 1;
        }
        let cards = Resources::of(&cards);
        events.push(Event::ResourcesTaken {
            player_id: seat,
            resources: cards,
        });
    }

    fn play_monopoly(&mut self, seat: Seat, resource: Resource, events: &mut impl Sink<Event>) {
        self.play_dev(seat, Dev::Monopoly, events);
        let kind = resource as usize;
        let n_cards = std::mem::take(&mut self.players[Catan::other(seat).index()].hand[kind]);
        self.players[seat.index() & 1].hand[kind] += n_cards;
        events.push(Event::ResourcesMonopolized {
            player_id: seat,
            resource,
            n_cards,
        });
    }

    fn play_dev(&mut self, seat: Seat, dev: Dev, events: &mut impl Sink<Event>) {
        let player = &mut self.players[seat.index() & 1];
        player.devs[dev as usize] -= 1;
        player.played[dev as usize] += 1;
        self.dev_played = true;
        events.push(Event::DevelopmentPlayed {
            player_id: seat,
            card: dev,
        });
    }

    fn buy_development(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        self.pay(seat, &DEV_COST);
        self.n_deck -= 1;
        let kind = std::mem::take(&mut self.deck[usize::from(self.n_deck)]);
        let dev = Dev::ALL[usize::from(kind) % Dev::ALL.len()];
        self.players[seat.index() & 1].new_devs[dev as usize] += 1;
        events.push(Event::DevelopmentBought {
            player_id: seat,
            card: Some(dev),
        });
        self.check_win(seat, events);
    }

    fn answer(&mut self, seat: Seat, accepted: bool, events: &mut impl Sink<Event>) {
        let proposer = Catan::other(seat);
        if accepted {
            let trade = self.trade();
            let [from, to] = [proposer, seat].map(Seat::index);
            for kind in 0..N_RESOURCES {
                let (given, gotten) = (trade.offer[kind], trade.request[kind]);
                self.players[from].hand[kind] -= given;
                self.players[to].hand[kind] += given;
                self.players[to].hand[kind] -= gotten;
                self.players[from].hand[kind] += gotten;
            }
            events.push(Event::TradeAccepted { player_id: seat });
        } else {
            events.push(Event::TradeDeclined { player_id: seat });
        }
        self.pending = Pending::default();
        self.phase = Phase::Action;
    }

    fn add_to_offer(&mut self, side: Side, resource: Resource) {
        self.pending = self.trade().with(side, resource).into();
    }

    fn send_offer(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        self.n_offers += 1;
        self.phase = Phase::TradeResponse;
        let trade = self.trade();
        events.push(Event::TradeOffered {
            player_id: seat,
            offer: Resources::of(&trade.offer),
            request: Resources::of(&trade.request),
        });
    }

    #[inline]
    fn end_turn(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        let player = &mut self.players[seat.index() & 1];
        for (old, new) in player.devs.iter_mut().zip(&mut player.new_devs) {
            *old += std::mem::take(new);
        }
        events.push(Event::TurnEnded { player_id: seat });
        if self.number == self.setup.max_turns {
            return self.end(Ending::TurnCap, events);
        }
        self.number += 1;
        self.current = 1 - self.current;
        self.rolled = false;
        self.dev_played = false;
        self.n_offers = 0;
        self.pending = Pending::default();
        self.phase = Phase::Roll;
    }

    /// Checks for a win, after every action of the player whose turn it is.
    #[inline]
    fn check_win(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        if self.points(seat) >= self.setup.vp_to_win {
            self.end(Ending::Won(seat, Win::Points), events);
        }
    }

    /// Ends the match and clears any pending step. A match ends nowhere else.
    fn end(&mut self, ending: Ending, events: &mut impl Sink<Event>) {
        self.ending = Some(ending);
        self.phase = Phase::GameOver;
        self.free_roads = 0;
        self.pending = Pending::default();
        self.robber_triggered = false;
        self.discards = [Discard::default(); 2];
        events.push(match ending {
            Ending::TurnCap => Event::GameTruncated,
            outcome => Event::GameEnded { outcome },
        });
    }
}
