//! What a game needs to be played on the server.

use bots::Roster;
use catalog::{GameName, Orcain};
use kernel::{Event, Game, Seat};
use session::{Live, Policy};

use crate::bot_pool::BotPool;
use crate::config::{Config, Timing};
use crate::server::Server;
use crate::voice::{Native, OldOrcain, Voice};
use wire::native::MatchFound;

/// How a client talks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Speech {
    /// Referee's own protocol.
    Native,
    /// Socket.IO, with the events of Orcain's old clients.
    OldOrcain,
}

/// A game that the server can host.
pub(crate) trait Hosted:
    Live<Ask: Send + Sync>
    + Game<View: Send + Sync, Event: Event<Seen: Send + Sync> + Send + Sync>
    + Roster
{
    /// Which game of the catalog it is.
    const GAME: GameName;

    /// How it deals with time here.
    fn timing(config: &Config) -> Timing;

    /// Where its bots sit.
    fn bots(server: &Server) -> &BotPool<Self>;

    /// The voice for a client who talks like this; none if the game is not played so.
    fn voice(speech: Speech, seat: Seat, found: &MatchFound) -> Option<Box<dyn Voice<Self>>>;

    /// How a match with people in these seats deals with time and absence.
    fn policy(config: &Config, people: kernel::SeatSet) -> Policy {
        let timing = Self::timing(config);
        let mut policy = Self::POLICY.with_people(people);
        policy.pace = session::Pace {
            turn_ms: timing.turn_ms,
            first_step_ms: timing.first_step_ms,
            step_ms: timing.step_ms,
        };
        policy.with_grace(timing.grace_ms, timing.pause_budget_ms)
    }
}

impl Hosted for Orcain {
    const GAME: GameName = GameName::Orcain;

    fn timing(config: &Config) -> Timing {
        config.orcain
    }

    fn bots(server: &Server) -> &BotPool<Orcain> {
        &server.bots.orcain
    }

    fn voice(speech: Speech, seat: Seat, found: &MatchFound) -> Option<Box<dyn Voice<Orcain>>> {
        match speech {
            Speech::Native => Some(Box::new(Native::new(found.match_id))),
            Speech::OldOrcain => Some(Box::new(OldOrcain::new(seat, found))),
        }
    }
}

/// Runs an expression with the type of a hosted game in place of a type name; `else` is for
/// games of the catalog that cannot be played live yet.
macro_rules! with_hosted {
    ($game:expr, $G:ident => $body:expr, else $otherwise:expr) => {
        match $game {
            catalog::GameName::Orcain => {
                type $G = catalog::Orcain;
                $body
            }
            _ => $otherwise,
        }
    };
}
pub(crate) use with_hosted;

/// The games that can be played live.
pub(crate) fn games() -> impl Iterator<Item = GameName> {
    let hosted = |game: &GameName| with_hosted!(*game, G => { let _ = G::GAME; true }, else false);
    GameName::ALL.into_iter().filter(hosted)
}

/// How a game deals with time here.
pub(crate) fn timing_of(game: GameName, config: &Config) -> Timing {
    with_hosted!(game, G => G::timing(config), else config.turns)
}

/// The bots of a game: names and sentences.
pub(crate) fn bots_of(game: GameName) -> &'static [(&'static str, &'static str)] {
    with_hosted!(game, G => <G as Roster>::AGENTS, else &[])
}
