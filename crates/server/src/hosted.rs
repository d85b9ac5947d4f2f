//! What a game needs to be played on the server.

use bots::Roster;
use catalog::{Catan, GameName, Orcain, Stellar, stellar, with_game};
use kernel::doc::{self, Faults};
use kernel::json::Json;
use kernel::{Event, Game, Seat};
use serde::Serialize;
use session::{Live, Ms, Policy};
use utoipa::ToSchema;

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

/// How bots of a game decide beside people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BotManner {
    /// At once and in the room's own task: what they do is hidden and soon thought of.
    Hidden,
    /// At once, on a thread for thinking: what they do is hidden.
    Thinking,
    /// One decision after the other with a pause between them, on a thread for thinking:
    /// people watch them do it.
    Watched,
}

/// A game that the server can host.
pub(crate) trait Hosted:
    Live<Ask: Send + Sync>
    + Game<View: Send + Sync, Event: Event<Seen: Send + Sync> + Send + Sync>
    + Roster
{
    /// How its bots decide beside people.
    const BOT_MANNER: BotManner;

    /// Whether league points are won and lost in it.
    const HAS_LEAGUES: bool = false;

    /// The round or turn from which on a match counts as played: who wins an earlier one gains
    /// no points and no rating.
    const PLAYED_FROM: u32;

    /// Whether people can share a screen: they can where one seat decides after the other.
    const AT_ONE_SCREEN: bool = false;

    /// How it deals with time here.
    fn timing(config: &Config) -> Timing;

    /// Where its bots sit.
    fn bots(server: &Server) -> &BotPool<Self>;

    /// Whether the game is played by clients who talk like this.
    fn is_played_in(speech: Speech) -> bool {
        speech == Speech::Native
    }

    /// The voice for a client who talks like this; none if the game is not played so.
    fn voice(speech: Speech, _: Seat, found: &MatchFound) -> Option<Box<dyn Voice<Self>>> {
        match speech {
            Speech::Native => Some(Box::new(Native::new(found.match_id))),
            Speech::OldOrcain => None,
        }
    }

    /// Reads a setup that somebody sends, by the game's one validator.
    fn read_setup(document: &Json) -> Result<Self::Setup, Vec<SetupFinding>> {
        doc::parse(document).map_err(|faults| findings(&faults))
    }

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

/// What is wrong with a setup that somebody sends, or what its author should know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct SetupFinding {
    /// `error` or `warning`.
    pub(crate) severity: &'static str,
    /// The stable code.
    pub(crate) code: &'static str,
    /// Where: a JSON Pointer into the setup.
    pub(crate) pointer: String,
    /// One sentence for people.
    pub(crate) message: String,
}

fn findings(faults: &Faults) -> Vec<SetupFinding> {
    let finding = |fault: &doc::Fault| SetupFinding {
        severity: "error",
        code: fault.code,
        pointer: fault.pointer.clone(),
        message: fault.message.clone(),
    };
    faults.iter().map(finding).collect()
}

impl Hosted for Orcain {
    const BOT_MANNER: BotManner = BotManner::Hidden;
    const HAS_LEAGUES: bool = true;
    const PLAYED_FROM: u32 = 3;

    fn timing(config: &Config) -> Timing {
        config.orcain
    }

    fn bots(server: &Server) -> &BotPool<Orcain> {
        &server.bots.orcain
    }

    fn is_played_in(_: Speech) -> bool {
        true
    }

    fn voice(speech: Speech, seat: Seat, found: &MatchFound) -> Option<Box<dyn Voice<Orcain>>> {
        match speech {
            Speech::Native => Some(Box::new(Native::new(found.match_id))),
            Speech::OldOrcain => Some(Box::new(OldOrcain::new(seat, found))),
        }
    }
}

impl Hosted for Catan {
    const BOT_MANNER: BotManner = BotManner::Watched;
    const PLAYED_FROM: u32 = 10;
    const AT_ONE_SCREEN: bool = true;

    fn timing(config: &Config) -> Timing {
        config.catan
    }

    fn bots(server: &Server) -> &BotPool<Catan> {
        &server.bots.catan
    }
}

impl Hosted for Stellar {
    const BOT_MANNER: BotManner = BotManner::Thinking;
    const PLAYED_FROM: u32 = 3;

    fn timing(config: &Config) -> Timing {
        config.stellar
    }

    fn bots(server: &Server) -> &BotPool<Stellar> {
        &server.bots.stellar
    }

    /// A scenario may come in any shape that its validator upgrades, not only as records
    /// have it.
    fn read_setup(document: &Json) -> Result<stellar::Setup, Vec<SetupFinding>> {
        let (setup, found) = stellar::Setup::examine(document);
        setup.ok_or_else(|| found.into_iter().map(SetupFinding::from).collect())
    }
}

impl From<stellar::scenario::Finding> for SetupFinding {
    fn from(finding: stellar::scenario::Finding) -> SetupFinding {
        SetupFinding {
            severity: finding.severity.name(),
            code: finding.code,
            pointer: finding.pointer,
            message: finding.message,
        }
    }
}

/// The games that can be played live.
pub(crate) fn games() -> impl Iterator<Item = GameName> {
    GameName::ALL.into_iter()
}

/// How a game deals with time here.
pub(crate) fn timing_of(game: GameName, config: &Config) -> Timing {
    with_game!(game, G => G::timing(config))
}

/// Whether a game is played by clients who talk like this.
pub(crate) fn is_played_in(game: GameName, speech: Speech) -> bool {
    with_game!(game, G => <G as Hosted>::is_played_in(speech))
}

/// Whether people can share a screen in a game.
pub(crate) fn is_played_at_one_screen(game: GameName) -> bool {
    with_game!(game, G => <G as Hosted>::AT_ONE_SCREEN)
}

/// How long bots of a game wait before each decision beside people.
pub(crate) fn bot_beat_ms<G: Hosted>(config: &Config) -> Ms {
    match G::BOT_MANNER {
        BotManner::Watched => config.bot_beat_ms,
        BotManner::Hidden | BotManner::Thinking => 0,
    }
}

/// The bots of a game: names and sentences.
pub(crate) fn bots_of(game: GameName) -> &'static [(&'static str, &'static str)] {
    with_game!(game, G => <G as Roster>::AGENTS)
}
