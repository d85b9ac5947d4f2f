//! The requirements for a game to be played on the server.

use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::doc::{Fault, Faults};
use kernel::live::BotManner;
use kernel::{Event, Game, SeatSet};
use serde::Serialize;
use session::{Live, Ms, Policy};
use utoipa::ToSchema;

use crate::config::Config;

/// A game that the server can host: any game that is played live and has bots.
pub(crate) trait Hosted:
    Live<Ask: Send + Sync>
    + Game<View: Send + Sync, Event: Event<Seen: Send + Sync> + Send + Sync>
    + Roster
{
    /// The rules on time and absence for a match with people in these seats.
    fn policy(config: &Config, people: SeatSet) -> Policy;
}

impl<G> Hosted for G
where
    G: Live<Ask: Send + Sync>
        + Game<View: Send + Sync, Event: Event<Seen: Send + Sync> + Send + Sync>
        + Roster,
{
    fn policy(config: &Config, people: SeatSet) -> Policy {
        config.timings.policy::<G>().with_people(people)
    }
}

/// A fault in a document sent by a client, or a warning for its author.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct SetupFinding {
    /// `error` or `warning`.
    pub(crate) severity: &'static str,
    /// A stable code.
    pub(crate) code: &'static str,
    /// A JSON Pointer into the document.
    pub(crate) pointer: String,
    /// One sentence for people.
    pub(crate) message: String,
}

impl SetupFinding {
    /// Lists all faults of a document, then all warnings.
    pub(crate) fn list(faults: &Faults) -> Vec<SetupFinding> {
        let finding = |severity| {
            move |fault: &Fault| SetupFinding {
                severity,
                code: fault.code,
                pointer: fault.pointer.clone(),
                message: fault.message.clone(),
            }
        };
        let errors = faults.iter().map(finding("error"));
        let warnings = faults.warnings().iter().map(finding("warning"));
        errors.chain(warnings).collect()
    }
}

/// The games that can be played live.
pub(crate) fn games() -> impl Iterator<Item = GameName> {
    GameName::ALL.into_iter()
}

/// True if people can share a screen in this game.
pub(crate) fn is_played_at_one_screen(game: GameName) -> bool {
    with_game!(game, G => <G as Live>::AT_ONE_SCREEN)
}

/// Time a game's bots wait before each decision in a match with people.
pub(crate) fn bot_beat_ms<G: Hosted>(config: &Config) -> Ms {
    match G::BOT_MANNER {
        BotManner::Watched => config.bot_beat_ms,
        BotManner::Hidden | BotManner::Thinking => 0,
    }
}

/// The bots of a game: names and descriptions.
pub(crate) fn bots_of(game: GameName) -> &'static [(&'static str, &'static str)] {
    with_game!(game, G => <G as Roster>::AGENTS)
}
