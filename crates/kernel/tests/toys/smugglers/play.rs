//! The rules.

use kernel::doc::{Faults, Node};
use kernel::json::Json;
use kernel::{
    ActionId, Departure, Draw, Game, Mask, Odds, Recorded, Seat, SeatSet, Sink, Turn, Viewer,
    Weights,
};

use super::action::faces_of;
use super::{Action, By, Decision, Due, End, Event, N_KINDS, Phase, Setup, Smugglers, View, count};

impl Game for Smugglers {
    const NAME: &'static str = "smugglers";
    const RULES_VERSION: &'static str = "1.0.0";

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(setup: &Setup) -> Smugglers {
        Smugglers {
            bag: [setup.n_each; N_KINDS],
            due: None,
            end: None,
            hands: [[0; N_KINDS]; 2],
            phase: Phase::Roll,
            points: [0; 2],
            setup: *setup,
            turn: 1,
        }
    }

    fn steps_max(setup: &Setup) -> u64 {
        let discards = u64::from(setup.n_each) * N_KINDS as u64;
        let sales = 2 * u64::from(setup.points_to_win);
        u64::from(setup.max_turns) * (5 + discards) + sales + 1
    }

    fn n_seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match (self.end, self.phase, self.due) {
            (Some(end), ..) => Turn::Over(end.outcome()),
            (None, Phase::Dice | Phase::Draw | Phase::Steal, _) => Turn::Chance,
            (None, Phase::Discard, Some(due)) => Turn::Seat(due.seat),
            (None, Phase::Roll | Phase::Trade | Phase::Discard, _) => Turn::Seat(self.roller()),
        }
    }

    fn turn_number(&self) -> u32 {
        self.turn.into()
    }

    fn n_actions(&self) -> usize {
        Action::N
    }

    fn action_id(&self, action: Action) -> ActionId {
        action.id()
    }

    fn action(&self, id: ActionId) -> Option<Action> {
        Action::with_id(id)
    }

    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        if self.turn() != Turn::Seat(seat) {
            return;
        }
        let held = |n: u8| (0..N_KINDS).filter(move |&kind| self.hand(seat)[kind] >= n);
        match self.phase {
            Phase::Roll => mask.allow(Action::Roll.id()),
            Phase::Discard => held(1).for_each(|kind| mask.allow(Action::Discard(kind).id())),
            _ => {
                held(self.setup.set_size).for_each(|kind| mask.allow(Action::Sell(kind).id()));
                mask.allow(Action::EndTurn.id());
            }
        }
    }

    fn play_trusted(&mut self, seat: Seat, action: Action, events: &mut impl Sink<Event>) {
        match action {
            Action::Roll => self.phase = Phase::Dice,
            Action::Discard(kind) => self.discard(seat, kind, events),
            Action::Sell(kind) => self.sell(seat, kind, events),
            Action::EndTurn => self.end_turn(seat, events),
        }
    }

    fn odds(&self) -> Odds {
        let goods = match self.phase {
            Phase::Draw => self.bag,
            Phase::Steal => self.hand(Smugglers::other(self.roller())),
            _ => {
                return Odds::Dice {
                    sides: 6,
                    n_dice: 2,
                };
            }
        };
        let weights = Weights::new(&goods.map(u32::from));
        weights.map_or(Odds::uniform(1), Odds::Weighted)
    }

    fn resolve_trusted(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        let roller = self.roller();
        let kind = draw.0 as usize;
        match self.phase {
            Phase::Draw => {
                self.bag[kind] -= 1;
                self.hands[roller.index()][kind] += 1;
                events.push(Event::Drew(roller, kind));
                self.phase = Phase::Trade;
            }
            Phase::Steal => {
                self.hands[Smugglers::other(roller).index()][kind] -= 1;
                self.hands[roller.index()][kind] += 1;
                events.push(Event::Stole(roller, kind));
                self.phase = Phase::Trade;
            }
            _ => self.dice_fall(faces_of(draw), events),
        }
    }

    /// Plays the first legal action of the seat to move.
    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        let seat = self.due.map_or(self.roller(), |due| due.seat);
        let held = |n: u8| (0..N_KINDS).find(|&kind| self.hand(seat)[kind] >= n);
        let action = match self.phase {
            Phase::Roll => Some(Action::Roll),
            Phase::Discard => held(1).map(Action::Discard),
            _ => held(self.setup.set_size).map(Action::Sell),
        };
        self.play_trusted(seat, action.unwrap_or(Action::EndTurn), events);
    }

    fn leave_trusted(&mut self, seats: SeatSet, _: Departure, events: &mut impl Sink<Event>) {
        for seat in seats.iter() {
            events.push(Event::Left(seat));
        }
        let winner = seats.sole().map(Smugglers::other);
        let by = if winner.is_some() { By::Left } else { By::Void };
        self.end(by, winner, events);
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn line_open(&self) -> bool {
        self.end.is_none() && self.due.is_some_and(|due| due.begun)
    }
}

impl Recorded for Smugglers {
    const SNAPSHOT_VERSION: &'static str = "1.0.0";
    type Snapshot = Smugglers;
    type Decision = Decision;

    fn encode_draw(&self, draw: Draw) -> Json {
        self.draw_to_json(draw)
    }

    fn decode_draw(&self, node: &Node<'_>, faults: &mut Faults) -> Option<Draw> {
        self.read_draw(node, faults)
    }
}

impl Smugglers {
    fn dice_fall(&mut self, faces: [u8; 2], events: &mut impl Sink<Event>) {
        events.push(Event::Rolled(self.roller(), faces));
        if faces[0] + faces[1] == 7 {
            self.ask_discard(0);
        } else if count(self.bag) > 0 {
            self.phase = Phase::Draw;
        } else {
            self.phase = Phase::Trade;
        }
    }

    /// Asks the first seat from `first` on whose hand is too large to discard; after the last one,
    /// the roller steals.
    fn ask_discard(&mut self, first: usize) {
        let too_many = |seat: &Seat| self.n_hand(*seat) > self.setup.hand_limit;
        let seat = Smugglers::SEATS.into_iter().skip(first).find(too_many);
        self.due = seat.map(|seat| Due {
            begun: false,
            n_left: self.n_hand(seat) / 2,
            seat,
        });
        self.phase = match seat {
            Some(_) => Phase::Discard,
            None if self.n_hand(Smugglers::other(self.roller())) > 0 => Phase::Steal,
            None => Phase::Trade,
        };
    }

    fn discard(&mut self, seat: Seat, kind: usize, events: &mut impl Sink<Event>) {
        self.hands[seat.index()][kind] -= 1;
        self.bag[kind] += 1;
        events.push(Event::Discarded(seat, kind));
        let n_left = self.due.map_or(0, |due| due.n_left - 1);
        if n_left == 0 {
            self.ask_discard(seat.index() + 1);
        } else {
            self.due = Some(Due {
                begun: true,
                n_left,
                seat,
            });
        }
    }

    fn sell(&mut self, seat: Seat, kind: usize, events: &mut impl Sink<Event>) {
        self.hands[seat.index()][kind] -= self.setup.set_size;
        self.bag[kind] += self.setup.set_size;
        self.points[seat.index()] += 1;
        events.push(Event::Sold(seat, kind));
        if self.points[seat.index()] == self.setup.points_to_win {
            self.end(By::Points, Some(seat), events);
        }
    }

    fn end_turn(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        events.push(Event::TurnEnded(seat));
        if self.turn == self.setup.max_turns {
            return self.end(By::TurnCap, self.leader(), events);
        }
        self.turn += 1;
        self.phase = Phase::Roll;
    }

    /// The seat with more points.
    pub(super) fn leader(&self) -> Option<Seat> {
        let [first, second] = self.points;
        (first != second).then_some(Smugglers::SEATS[usize::from(first < second)])
    }

    fn end(&mut self, by: By, winner: Option<Seat>, events: &mut impl Sink<Event>) {
        self.end = Some(End { by, winner });
        events.push(Event::Ended);
    }
}
