//! A game that is played live, and how its time is dealt out.

use std::fmt;

use schemars::JsonSchema;

use crate::doc::Document;
use crate::{Event, Recorded, Seat, SeatSet};

/// Milliseconds of the host's clock, which never runs back while the host runs.
pub type Ms = u64;

/// A game that can be played live.
pub trait Live: Recorded {
    /// What a client may ask for, before anybody has judged it. It is read from the game's
    /// own words in a message.
    type Ask: Document + JsonSchema + Clone + fmt::Debug + Send + 'static;

    /// The schema of the words that [`Live::legal_words`] lists.
    type Word: JsonSchema;

    /// What `consider` answers in this game, for the protocol's document.
    const CONSIDERED: &'static str;

    /// The codes with which the game refuses or adjusts an ask, each with a sentence for people.
    const REFUSALS: &'static [(&'static str, &'static str)];

    /// The standard policy between people.
    const POLICY: Policy;

    /// How its bots decide beside people.
    const BOT_MANNER: BotManner;

    /// The name that all its bots go by; without one, each goes by the name of its agent.
    const BOT_NICKNAME: Option<&'static str> = None;

    /// Whether league points are won and lost in it.
    const HAS_LEAGUES: bool = false;

    /// The turn from which on a match counts as played. The winner of a match that ends earlier
    /// gains no points and no rating.
    const PLAYED_FROM: u32;

    /// Whether people can share a screen: they can where one seat decides after the other.
    const AT_ONE_SCREEN: bool = false;

    /// What an ask means for this seat now.
    fn hear(&self, seat: Seat, ask: &Self::Ask) -> Heard<Self::Action>;

    /// The words of all that a seat may do now, for games whose pages light it up: the one
    /// legality, as the seat's client sees it. None for games whose words are too many.
    fn legal_words(&self, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// Whether a viewer who sees this event must be told where the match stands: it tells too
    /// little for a client to keep its own view.
    fn calls_for_standing(_seen: &<Self::Event as Event>::Seen) -> bool {
        false
    }

    /// An action that only shows that a seat is there, for games whose rules count missed
    /// deadlines themselves. The session plays it for people who have not returned since a
    /// restart: they have not seen the round that they miss.
    fn excuse(&self, _seat: Seat) -> Option<Self::Action> {
        None
    }

    /// How long the position waits before its deadline falls.
    fn wait_ms(&self, pace: &Pace) -> Ms {
        pace.turn_ms
    }
}

/// What an ask means.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard<A> {
    /// Actions in a row that make one line of the record.
    Play(Vec<A>),
    /// The client's mistake was mended: this action stands in for it, with a note of why.
    Mended(A, &'static str),
    /// It is refused with this code, and this action shows that the player is there.
    Refused(&'static str, Option<A>),
    /// It comes at the wrong time and is passed over.
    Ignored(&'static str),
}

/// How bots of a game decide beside people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotManner {
    /// At once, and so fast that no thread for thinking is needed: their decisions are hidden.
    Hidden,
    /// At once, on a thread for thinking: their decisions are hidden.
    Thinking,
    /// One decision after the other with a pause between them, on a thread for thinking:
    /// people watch them.
    Watched,
}

/// How long a position waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// For seats that decide.
    pub turn_ms: Ms,
    /// Before the first of several reveals.
    pub first_step_ms: Ms,
    /// Between reveals, and between the last one and the end of the round.
    pub step_ms: Ms,
}

/// Time for a turn of people who share one screen.
const ONE_SCREEN_TURN_MS: Ms = 600_000;

/// How a match deals with time and absence. One policy judges all seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// How long positions wait.
    pub pace: Pace,
    /// A seat that misses this many deadlines in a row leaves; none when the rules of the
    /// game count missed deadlines themselves.
    pub misses_max: Option<u8>,
    /// How long the match stands still for a seat whose connection was lost.
    pub grace_ms: Ms,
    /// How long it stands still for one seat in all.
    pub pause_budget_ms: Ms,
    /// How often it stands still for one seat; each time is an event.
    pub pauses_max: u16,
    /// The seats with people. With fewer than two accounts in them, a lost connection changes
    /// nothing: the match waits for its deadlines.
    pub people: SeatSet,
    /// Events on their way to storage at which further inputs are refused as `busy`.
    pub in_flight_max: u64,
}

impl Policy {
    /// The policy of a game played in turns: a minute each, two missed deadlines in a row
    /// lose, and a minute to come back.
    pub const TURNS: Policy = Policy {
        pace: Pace {
            turn_ms: 60_000,
            first_step_ms: 0,
            step_ms: 0,
        },
        misses_max: Some(2),
        grace_ms: 60_000,
        pause_budget_ms: 180_000,
        pauses_max: 20,
        people: SeatSet::EMPTY,
        in_flight_max: 256,
    };

    /// This policy with people in these seats.
    #[must_use]
    pub fn with_people(self, people: SeatSet) -> Policy {
        Policy { people, ..self }
    }

    /// This policy for people who share one screen: they pass it on in every turn, and nobody
    /// elsewhere waits for them.
    #[must_use]
    pub fn at_one_screen(mut self) -> Policy {
        self.pace.turn_ms = self.pace.turn_ms.max(ONE_SCREEN_TURN_MS);
        self
    }

    /// This policy with a grace for lost connections, and a total of it for each seat.
    #[must_use]
    pub fn with_grace(self, grace_ms: Ms, pause_budget_ms: Ms) -> Policy {
        Policy {
            grace_ms,
            pause_budget_ms,
            ..self
        }
    }
}
