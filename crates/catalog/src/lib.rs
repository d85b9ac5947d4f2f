//! The closed list of games: the one place that names them all.
//!
//! Code at the edges holds a [`GameName`]; [`with_game!`] turns it into the game's type,
//! so that everything inside is generic and runs at full speed.
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

use std::fmt;
use std::str::FromStr;

use kernel::Game;

pub use catan::{self, Catan};
pub use orcain::{self, Orcain};
pub use stellar::{self, Stellar};

/// A game of the catalog.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameName {
    /// Catan for two.
    Catan,
    /// The simultaneous-reveal card duel.
    Orcain,
    /// Fleets and armies in a galaxy.
    Stellar,
}

impl GameName {
    /// Every game.
    pub const ALL: [GameName; 3] = [GameName::Catan, GameName::Orcain, GameName::Stellar];

    /// The name everywhere.
    pub fn as_str(self) -> &'static str {
        with_game!(self, G => <G as Game>::NAME)
    }
}

/// Runs an expression with the game's type in place of a type name:
/// `with_game!(name, G => describe::<G>())`.
#[macro_export]
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            $crate::GameName::Catan => {
                type $G = $crate::Catan;
                $body
            }
            $crate::GameName::Orcain => {
                type $G = $crate::Orcain;
                $body
            }
            $crate::GameName::Stellar => {
                type $G = $crate::Stellar;
                $body
            }
        }
    };
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// There is no game of this name.
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
