//! The list of all games: the one place that names them.
//!
//! Code at the edges holds a [`GameName`]; [`with_game!`] turns it into the game's type, so that
//! everything inside is generic and runs at full speed.
//!
//! ```
//! use catalog::{GameName, with_game};
//! use kernel::{Describe, Game};
//!
//! let name: GameName = "orcain".parse()?;
//! let rules = with_game!(name, G => format!("{} {}: {}", G::NAME, G::RULES_VERSION, G::SUMMARY));
//! assert!(rules.starts_with("orcain 1.1.0"));
//! # Ok::<(), catalog::UnknownGame>(())
//! ```
//!
//! A match between two agents, recorded and verified:
//!
//! ```
//! use bots::play_recorded;
//! use bots::simulate::Streams;
//! use catalog::{Orcain, Roster};
//! use kernel::record::verify;
//! use kernel::rng::SeedSequence;
//!
//! let setup = catalog::orcain::Setup::default();
//! let mut agents = [Orcain::agent("random", &setup)?, Orcain::agent("random", &setup)?];
//! let mut streams = Streams::new(&SeedSequence::new(&"4".parse()?, &[]), 0);
//! let (played, record, hash) = play_recorded::<Orcain>(&setup, &mut agents, &mut streams)?;
//! let report = verify::<Orcain>(&record)?;
//! assert_eq!(report.state_hash, hash);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use bots::client::Client;
use bots::{Agent, Bots, NoAgent};
use kernel::Game;
use kernel::doc::{Document, Names};
use kernel::learn::Learn;
use session::sim;

/// The bots, the load-test client or the simulation of a game: from the crate of its bots, or the
/// generic one.
macro_rules! part {
    (Bots, $Game:ident, $bots:ident) => { $bots::Bots };
    (Bots, $Game:ident) => { bots::NoBots };
    (Client, $Game:ident, $bots:ident) => { $bots::Client };
    (Client, $Game:ident) => { bots::client::Generic::<$Game>::NEW };
    (Simulation, $Game:ident, $bots:ident) => { $bots::Simulation };
    (Simulation, $Game:ident) => { sim::Generic<$Game> };
}

/// Lists the games in alphabetical order: `Name: crate, crate of its bots, "summary";`, without
/// the crate of its bots if the game has none. A new game adds one line here and changes no other
/// generic code. The dollar sign is passed to [`with_game!`], a macro with its own variables.
macro_rules! games {
    (($d:tt) $($Game:ident: $game:ident, $($bots:ident,)? $about:literal;)+) => {
        $(
            pub use $game::{self, $Game};

            impl Roster for $Game {
                type Bots = part!(Bots, $Game $(, $bots)?);

                const AGENTS: &'static [(&'static str, &'static str)] = {
                    const OWN: &[(&str, &str)] =
                        <part!(Bots, $Game $(, $bots)?) as Bots<$Game>>::AGENTS;
                    &bots::roster::<{ bots::GENERIC.len() + OWN.len() }>(OWN)
                };
            }
        )+

        /// A game of the catalog.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Document, Names)]
        #[serde(rename_all = "snake_case")]
        pub enum GameName {
            $(#[doc = $about] $Game,)+
        }

        impl GameName {
            /// The name used in documents, on the command line and on the wire.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(GameName::$Game => <$Game as Game>::NAME,)+
                }
            }

            /// The load-test client of the game.
            pub fn client(self) -> &'static dyn Client {
                match self {
                    $(GameName::$Game => &part!(Client, $Game $(, $bots)?),)+
                }
            }

            /// The simulation of the game.
            pub fn simulation(self) -> sim::Simulation {
                match self {
                    $(GameName::$Game => sim::play::<part!(Simulation, $Game $(, $bots)?)>,)+
                }
            }
        }

        /// Runs an expression with the game's type in place of a type name:
        /// `with_game!(name, G => describe::<G>())`.
        #[macro_export]
        macro_rules! with_game {
            ($d name:expr, $d G:ident => $d body:expr) => {
                match $d name {
                    $($d crate::GameName::$Game => {
                        type $d G = $d crate::$Game;
                        $d body
                    })+
                }
            };
        }
    };
}

games! { ($)
    Catan: catan, catan_bots, "Catan for two.";
    LiarsDice: liars_dice, "Bids on hidden dice.";
    Orcain: orcain, orcain_bots, "The simultaneous-reveal card duel.";
    Stellar: stellar, stellar_bots, "Fleets and armies in a galaxy.";
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A game with its agents: its own, and those that play any game.
pub trait Roster: Learn {
    /// The game's own agents.
    type Bots: Bots<Self>;

    /// The names of the agents that play any game, then of the game's own, weakest first, each
    /// with a one-sentence description.
    const AGENTS: &'static [(&'static str, &'static str)];

    /// The agent with this name, ready for matches with this setup.
    fn agent(name: &str, setup: &Self::Setup) -> Result<Box<dyn Agent<Self>>, NoAgent> {
        bots::agent::<Self, Self::Bots>(name, setup)
    }
}

/// No game has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownGame(String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = GameName::ALL.into_iter().map(GameName::as_str).collect();
        write!(
            f,
            "there is no game {:?}; the games are: {}",
            self.0,
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownGame {}

impl FromStr for GameName {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<GameName, UnknownGame> {
        let named = |game: &GameName| game.as_str() == text;
        let game = GameName::ALL.into_iter().find(named);
        game.ok_or_else(|| UnknownGame(text.to_owned()))
    }
}
