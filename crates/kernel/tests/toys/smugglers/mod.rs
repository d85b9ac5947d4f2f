//! Smugglers: two seats, dice, hidden hands, a composite discard and a theft.
//!
//! A turn: roll two dice. Any sum but 7 draws a good from a common bag. On a 7, each hand above the
//! limit returns half of it, in seat order, and then the roller steals one good from the opponent.
//! After that the roller may sell sets of equal goods for a point each, and ends the turn. The game
//! has the shape of Catan, without the board.

mod action;
mod describe;
mod event;
mod play;
mod redraw;
mod setup;
mod snapshot;
mod view;

pub use action::{Action, Decision};
pub use event::Event;
pub use setup::Setup;
pub use view::View;

use kernel::{Outcome, Seat, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// The number of kinds of goods.
pub const N_KINDS: usize = 4;
/// The kinds of goods by number.
pub const KINDS: [&str; N_KINDS] = ["rum", "salt", "silk", "tea"];

/// The number of goods of each kind.
pub type Goods = [u8; N_KINDS];

/// A position, which is also its own snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Smugglers {
    bag: Goods,
    /// The pending discard, in the discard phase.
    due: Option<Due>,
    end: Option<End>,
    hands: [Goods; 2],
    phase: Phase,
    points: [u8; 2],
    setup: Setup,
    turn: u16,
}

/// The phase of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Phase {
    Roll,
    Dice,
    Draw,
    Discard,
    Steal,
    Trade,
}

impl Phase {
    const ALL: [Phase; 6] = [
        Phase::Roll,
        Phase::Dice,
        Phase::Draw,
        Phase::Discard,
        Phase::Steal,
        Phase::Trade,
    ];
    const NAMES: [&str; 6] = ["roll", "dice", "draw", "discard", "steal", "trade"];
}

/// The goods that a seat must still discard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
struct Due {
    /// True once the first good is returned, so that a record's line is open.
    begun: bool,
    n_left: u8,
    seat: Seat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct End {
    by: By,
    winner: Option<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum By {
    Points,
    Left,
    TurnCap,
    Void,
}

impl By {
    const ALL: [By; 4] = [By::Points, By::Left, By::TurnCap, By::Void];
    const NAMES: [&str; 4] = ["points", "left", "turn_cap", "void"];
}

impl End {
    fn outcome(self) -> Outcome {
        let reason = By::NAMES[self.by as usize];
        let verdict = match (self.by, self.winner) {
            (By::Void, _) => Verdict::Void,
            (_, Some(seat)) => Verdict::Winner(seat),
            (_, None) => Verdict::Draw,
        };
        match self.by {
            By::TurnCap => Outcome::truncated(verdict, reason),
            By::Points | By::Left | By::Void => Outcome::decided(verdict, reason),
        }
    }
}

impl Smugglers {
    const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    /// The seat whose turn it is.
    fn roller(&self) -> Seat {
        Smugglers::SEATS[usize::from((self.turn + 1) % 2)]
    }

    fn other(seat: Seat) -> Seat {
        Smugglers::SEATS[1 - seat.index()]
    }

    pub fn hand(&self, seat: Seat) -> Goods {
        self.hands[seat.index()]
    }

    fn n_hand(&self, seat: Seat) -> u8 {
        count(self.hand(seat))
    }
}

/// The total number of goods.
pub fn count(goods: Goods) -> u8 {
    goods.iter().sum()
}
