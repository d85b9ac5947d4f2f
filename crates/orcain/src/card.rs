//! The four cards.

use std::fmt;

use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

/// The damage of an attack to a player who neither defends nor counters.
pub const ATTACK_DAMAGE: u8 = 2;
/// The damage of a counter to the player who attacked into it.
pub const COUNTER_DAMAGE: u8 = 2;
/// The hit points that a heal gives, up to the maximum.
pub const HEAL_POINTS: u8 = 1;

/// A card. On the wire it is its lowercase name.
///
/// "No card" is not a card: an empty slot is an absent card, here and in every view.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "lowercase")]
pub enum Card {
    /// Deals 2 damage to the opponent, unless defended or countered.
    Attack,
    /// Blocks an attack.
    Defense,
    /// Restores 1 hit point, up to the maximum, before any damage of the step.
    Heal,
    /// Turns an attack back on the attacker.
    Counter,
}

impl Card {
    /// The card's letter in notation.
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
