//! Small games with known best decisions, for tests of searches.
#![allow(unreachable_pub, reason = "a module of one test program")]

use std::cell::Cell;
use std::fmt;

use kernel::doc::Named;
use kernel::rng::Generator;
use kernel::{
    ActionId, Departure, Draw, Game, Mask, Odds, Outcome, Redraw, Seat, SeatSet, Sink, Turn,
    Verdict, Viewer, Weights,
};

thread_local! {
    /// The number of redraws on this thread.
    pub static N_REDRAWS: Cell<u32> = const { Cell::new(0) };
    /// The number of decisions played on this thread.
    pub static N_PLAYS: Cell<u32> = const { Cell::new(0) };
}

/// One of the small games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// Two seats take one to three of these stones in turn; the last stone wins.
    #[default]
    Stones,
    /// Rock, paper, scissors, sealed; the reveal waits for the clock.
    Hands,
    /// The first seat names a face of a coin (0 or 1) that lies hidden, or draws (2).
    Coin,
    /// The first seat bets on an outcome with odds 1, 2 and 5.
    Wheel,
    /// The first of three seats names the winner.
    King,
    /// Two seats decide a million times, and then draw.
    Endless,
}

/// A position of any of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Toy {
    pub rules: Rules,
    /// Stones left, or decisions left.
    pub n_left: u32,
    /// The seat to move, where seats take turns.
    pub to_move: usize,
    /// The hidden face of the coin.
    pub coin: u8,
    /// The decision of each seat, where it is kept.
    pub chosen: [Option<u8>; 2],
    pub outcome: Option<Outcome>,
}

impl Toy {
    pub fn new(rules: Rules, n_left: u32) -> Toy {
        Toy {
            rules,
            n_left,
            to_move: 0,
            coin: 0,
            chosen: [None; 2],
            outcome: None,
        }
    }

    fn mover(&self) -> Seat {
        Seat::new(self.to_move).unwrap()
    }

    fn end(&mut self, verdict: Verdict) {
        self.outcome = Some(Outcome::decided(verdict, "toy"));
    }

    fn end_for_first(&mut self, won: bool) {
        let winner = if won { Seat::FIRST } else { Seat::SECOND };
        self.end(Verdict::Winner(winner));
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// No toy reports an event.
#[derive(Clone, PartialEq, Debug)]
pub enum Nothing {}

impl Named for Nothing {
    const NAMES: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        match *self {}
    }
}

impl kernel::Event for Nothing {
    type Seen = ();

    fn seen_by(&self, _: Viewer) -> Option<()> {
        match *self {}
    }
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    const RULES_VERSION: &'static str = "1.0.0";
    type Setup = Rules;
    type Action = u8;
    type Event = Nothing;
    type View = u8;

    fn start(setup: &Rules) -> Toy {
        Toy::new(*setup, 10)
    }

    fn steps_max(_: &Rules) -> u64 {
        1_000_000
    }

    fn n_seats(&self) -> usize {
        if self.rules == Rules::King { 3 } else { 2 }
    }

    fn turn(&self) -> Turn {
        if let Some(outcome) = self.outcome {
            return Turn::Over(outcome);
        }
        match self.rules {
            Rules::Hands => {
                let seats = [Seat::FIRST, Seat::SECOND].into_iter();
                let missing: SeatSet = seats
                    .filter(|seat| self.chosen[seat.index()].is_none())
                    .collect();
                match missing.is_empty() {
                    true => Turn::Clock,
                    false => Turn::Sealed(kernel::Sealed {
                        open: missing,
                        missing,
                    }),
                }
            }
            Rules::Wheel if self.chosen[0].is_some() => Turn::Chance,
            _ => Turn::Seat(self.mover()),
        }
    }

    fn turn_number(&self) -> u32 {
        1
    }

    fn n_actions(&self) -> usize {
        3
    }

    fn action_id(&self, action: u8) -> ActionId {
        ActionId::new(action.into())
    }

    fn action(&self, id: ActionId) -> Option<u8> {
        u8::try_from(id.index()).ok().filter(|id| *id < 3)
    }

    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        if !self.turn().open().contains(seat) {
            return;
        }
        let n_legal = match self.rules {
            Rules::Stones => self.n_left.min(3) as usize,
            _ => 3,
        };
        (0..n_legal).for_each(|id| mask.allow(ActionId::new(id)));
    }

    fn play_trusted(&mut self, seat: Seat, action: u8, _: &mut impl Sink<Nothing>) {
        N_PLAYS.set(N_PLAYS.get() + 1);
        match self.rules {
            Rules::Stones => {
                self.n_left -= u32::from(action) + 1;
                if self.n_left == 0 {
                    self.end(Verdict::Winner(seat));
                }
                self.to_move = 1 - self.to_move;
            }
            Rules::Hands | Rules::Wheel => self.chosen[seat.index()] = Some(action),
            Rules::Coin if action == 2 => self.end(Verdict::Draw),
            Rules::Coin => self.end_for_first(action == self.coin),
            Rules::King => self.end(Verdict::Winner(Seat::new(action.into()).unwrap())),
            Rules::Endless => {
                self.n_left -= 1;
                self.to_move = 1 - self.to_move;
                if self.n_left == 0 {
                    self.end(Verdict::Draw);
                }
            }
        }
    }

    fn odds(&self) -> Odds {
        Odds::Weighted(Weights::new(&[1, 2, 5]).unwrap())
    }

    fn resolve_trusted(&mut self, draw: Draw, _: &mut impl Sink<Nothing>) {
        self.end_for_first(self.chosen[0].map(u64::from) == Some(draw.0));
    }

    /// Reveals both hands.
    fn deadline_trusted(&mut self, _: &mut impl Sink<Nothing>) {
        match self.chosen {
            [Some(one), Some(two)] if one != two => self.end_for_first((two + 1) % 3 == one),
            _ => self.end(Verdict::Draw),
        }
    }

    fn leave_trusted(&mut self, _: SeatSet, _: Departure, _: &mut impl Sink<Nothing>) {
        self.end(Verdict::Void);
    }

    fn view(&self, _: Viewer) -> u8 {
        0
    }
}

impl Redraw for Toy {
    fn redraw(&self, _: Viewer, rng: &mut Generator) -> Toy {
        N_REDRAWS.set(N_REDRAWS.get() + 1);
        Toy {
            coin: rng.below(2) as u8,
            ..*self
        }
    }
}
