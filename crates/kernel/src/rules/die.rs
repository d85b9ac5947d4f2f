//! Six-sided dice.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Document;
use crate::picture::Card;
use crate::{Draw, Odds};

/// A six-sided die. It is blank before it is rolled, and in views that must not show it; documents
/// write a blank die as 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema, Document)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Die(#[schemars(range(max = 6))] u8);

impl Die {
    /// A die that shows no face.
    pub const BLANK: Die = Die(0);
    /// The odds of a roll.
    pub const ODDS: Odds = Odds::uniform(Die::N_FACES as u32);
    /// The number of faces.
    pub const N_FACES: u8 = 6;

    /// The die that shows this face, from 1 to 6. Any other number is a blank die.
    pub const fn showing(face: u8) -> Die {
        Die(if face <= Die::N_FACES { face } else { 0 })
    }

    /// The die that chance with [`Die::ODDS`] rolled.
    pub const fn rolled(draw: Draw) -> Die {
        Die((draw.0 % Die::N_FACES as u64) as u8 + 1)
    }

    /// The face, from 1 to 6; `None` if the die is blank.
    pub const fn face(self) -> Option<u8> {
        match self.0 {
            0 => None,
            face => Some(face),
        }
    }

    /// True if the die shows no face.
    pub const fn is_blank(self) -> bool {
        self.0 == 0
    }
}

/// The symbol of the face, or `?`.
impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["?", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"][usize::from(self.0)])
    }
}

/// A blank die lies face down.
impl From<Die> for Card {
    fn from(die: Die) -> Card {
        match die.face() {
            None => Card::down(),
            Some(_) => Card::up(die.to_string()),
        }
    }
}

impl From<&Die> for Card {
    fn from(die: &Die) -> Card {
        Card::from(*die)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_draw_rolls_its_face() {
        let faces = (0..6).map(|idx| Die::rolled(Draw(idx)).to_string());
        assert_eq!(faces.collect::<String>(), "⚀⚁⚂⚃⚄⚅");
        assert_eq!(Die::rolled(Draw(5)), Die::showing(6));
        assert_eq!(Die::ODDS.n_outcomes(), Some(6));
    }

    #[test]
    fn a_blank_die_lies_face_down() {
        assert_eq!(Die::showing(7), Die::BLANK);
        assert_eq!(Card::from(Die::BLANK), Card::down());
        assert_eq!(Card::from(Die::showing(2)), Card::up("⚁"));
    }
}
