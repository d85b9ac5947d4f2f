//! The four cards.

use std::fmt;

use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

/// What an attack takes from a player who neither defends nor counters.
pub const ATTACK_DAMAGE: u8 = 2;
/// What a counter takes from the player who attacked into it.
pub const COUNTER_DAMAGE: u8 = 2;
/// What a heal gives, up to the maximum.
pub const HEAL_POINTS: u8 = 1;

/// A card. On the wire it is its lower-case name.
///
/// "No card" is not a card: an empty slot is an absent card, here and in every view.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "lowercase")]
pub enum Card {
    /// Takes 2 from the other player, unless defended or countered.
    Attack,
    /// Blocks an attack.
    Defense,
    /// Gives 1 back, up to the maximum, before any damage of the step.
    Heal,
    /// Turns an attack back on the attacker.
    Counter,
}

impl Card {
    /// The letter in notation.
    pub const fn letter(self) -> char {
        ['A', 'D', 'H', 'C'][self as usize]
    }

    /// The card with this letter.
    pub fn from_letter(letter: char) -> Option<Card> {
        Card::ALL.into_iter().find(|card| card.letter() == letter)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
