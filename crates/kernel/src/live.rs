//! Games that can be played live, and the policy for their time limits.

use std::fmt;

use schemars::JsonSchema;

use crate::doc::Document;
use crate::{Event, Recorded, Seat, SeatSet};

/// Milliseconds of the host's clock, which never runs backwards while the host runs.
pub type Ms = u64;

/// A game that can be played live.
pub trait Live: Recorded {
    /// A client's request, not yet judged by the rules. It is read from the game's own part of a
    /// message.
    type Ask: Document + JsonSchema + Clone + fmt::Debug + Send + 'static;

    /// The schema of the words that [`Live::legal_words`] lists.
    type Word: JsonSchema;

    /// A description of what `consider` answers in this game, for the protocol's document.
    const CONSIDERED: &'static str;

    /// The codes with which the game refuses or adjusts a request, each with a sentence for people.
    const REFUSALS: &'static [(&'static str, &'static str)];

    /// The standard policy for matches between people.
    const POLICY: Policy;

    /// The way the game's bots decide in matches with people.
    const BOT_MANNER: BotManner;

    /// The nickname shared by all its bots; without one, each bot uses its agent's name.
    const BOT_NICKNAME: Option<&'static str> = None;

    /// True if players win and lose league points in this game.
    const HAS_LEAGUES: bool = false;

    /// The first turn from which a match counts as played. The winner of a match that ends earlier
    /// gains no points and no rating.
    const PLAYED_FROM: u32;

    /// True if people can share a screen, which works where seats decide one after another.
    const AT_ONE_SCREEN: bool = false;

    /// Interprets a request of this seat in the current position.
    fn interpret(&self, seat: Seat, ask: &Self::Ask) -> Reading<Self::Action>;

    /// The words of every action the seat may take now, for games whose pages highlight them: the
    /// same legality that the rules use. Empty for games with too many words to list.
    fn legal_words(&self, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// True if a viewer who sees this event must also receive a standing, because the event says
    /// too little for a client to update its own view.
    fn calls_for_standing(_seen: &<Self::Event as Event>::Seen) -> bool {
        false
    }

    /// An action that only shows that the player is present, for games whose rules count missed
    /// deadlines themselves. The session plays it for people who have not reconnected since a
    /// restart: they have not seen the round that they miss.
    fn excuse(&self, _seat: Seat) -> Option<Self::Action> {
        None
    }

    /// The time that the position waits before its deadline passes.
    fn wait_ms(&self, pace: &Pace) -> Ms {
        pace.turn_ms
    }
}

/// The meaning of a client's request.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading<A> {
    /// Consecutive actions that make one line of the record.
    Play(Vec<A>),
    /// The client's mistake was corrected: this action replaces the request, with the code of the
    /// reason.
    Corrected(A, &'static str),
    /// The request is refused with this code; the action, if any, shows that the player is present.
    Refused(&'static str, Option<A>),
    /// The request came at the wrong time and is ignored.
    Ignored(&'static str),
}

/// The way bots of a game decide in matches with people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotManner {
    /// Immediately. A bot that does not [think](crate::Agent::thinks) is so fast that it needs no
    /// separate thread. People do not watch them decide.
    Hidden,
    /// Immediately, on a separate thread. People do not watch them decide.
    Thinking,
    /// One decision after another with a pause in between, on a separate thread, so that people
    /// can watch.
    Watched,
}

/// The waiting times of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// For seats that must decide.
    pub turn_ms: Ms,
    /// Before the first of several reveals.
    pub first_step_ms: Ms,
    /// Between reveals, and between the last one and the end of the round.
    pub step_ms: Ms,
}

/// The time limit of a turn for people who share one screen.
const ONE_SCREEN_TURN_MS: Ms = 600_000;

/// Time limits and the treatment of absent players. One policy applies to all seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The waiting times of positions.
    pub pace: Pace,
    /// A seat that misses this many deadlines in a row leaves. `None` when the rules of the game
    /// count missed deadlines themselves.
    pub misses_max: Option<u8>,
    /// The longest pause for a seat that lost its connection.
    pub grace_ms: Ms,
    /// The maximum total time of all pauses for one seat.
    pub pause_budget_ms: Ms,
    /// The maximum number of pauses for one seat; each pause is an event.
    pub pauses_max: u16,
    /// The seats with people. With fewer than two accounts among them, a lost connection changes
    /// nothing: only the deadlines count.
    pub people: SeatSet,
    /// The number of events not yet stored at which further inputs are refused as `busy`.
    pub in_flight_max: u64,
}

impl Policy {
    /// The policy of a turn-based game: one minute per turn, a loss after two missed deadlines in a
    /// row, and one minute to reconnect.
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

    /// This policy for people who share one screen: they pass the device around every turn, and no
    /// one elsewhere waits for them.
    #[must_use]
    pub fn at_one_screen(mut self) -> Policy {
        self.pace.turn_ms = self.pace.turn_ms.max(ONE_SCREEN_TURN_MS);
        self
    }

    /// This policy with a grace period for lost connections, and a total of such time for each
    /// seat.
    #[must_use]
    pub fn with_grace(self, grace_ms: Ms, pause_budget_ms: Ms) -> Policy {
        Policy {
            grace_ms,
            pause_budget_ms,
            ..self
        }
    }
}
