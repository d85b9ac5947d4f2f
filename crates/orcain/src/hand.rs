//! Hands of cards.

use kernel::doc::Document;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Card;

/// The number of cards in a hand.
pub const HAND_CARDS: usize = 4;

type Cards = [Card; HAND_CARDS];

/// Four cards, in the order in which they are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(from = "Cards", into = "Cards")]
#[schemars(inline)]
pub struct Hand {
    cards: Cards,
    /// The number of times each card is in the hand, by card id.
    counts: [u8; 4],
    /// The index of the hand among the [multisets](Hand::N_KEYS) of four cards. Hands with the
    /// same key have the same legal layouts.
    key: u8,
}

impl Hand {
    /// The number of different hands, ignoring order.
    pub const N_KEYS: usize = 35;

    /// The hand with these cards.
    pub fn new(cards: [Card; HAND_CARDS]) -> Hand {
        let counts = counts(&cards);
        let key = all_counts().position(|other| other == counts);
        Hand {
            cards,
            counts,
            key: key.map_or(0, |key| key as u8),
        }
    }

    /// The cards in the order in which they are shown.
    pub fn cards(&self) -> [Card; HAND_CARDS] {
        self.cards
    }

    /// The number of times each card is in the hand, by card id.
    #[inline]
    pub fn counts(&self) -> [u8; 4] {
        self.counts
    }

    #[inline]
    pub(crate) fn key(&self) -> usize {
        self.key.into()
    }
}

impl From<Cards> for Hand {
    fn from(cards: Cards) -> Hand {
        Hand::new(cards)
    }
}

impl From<Hand> for Cards {
    fn from(hand: Hand) -> Cards {
        hand.cards
    }
}

/// The counts as the bytes of one number.
fn counts(cards: &Cards) -> [u8; 4] {
    let each = cards.iter().map(|&card| 1u32 << (8 * (card as u32)));
    each.sum::<u32>().to_le_bytes()
}

/// The card counts of all hands, in the order of their keys.
pub(crate) fn all_counts() -> impl Iterator<Item = [u8; 4]> {
    let n = HAND_CARDS as u8;
    (0..=n).flat_map(move |a| {
        (0..=n - a).flat_map(move |d| (0..=n - a - d).map(move |h| [a, d, h, n - a - d - h]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hand_has_a_key() {
        assert_eq!(all_counts().count(), Hand::N_KEYS);
        let keys: std::collections::BTreeSet<usize> = (0..256)
            .map(|code: usize| {
                Hand::new([0, 1, 2, 3].map(|idx| Card::ALL[code >> (2 * idx) & 3])).key()
            })
            .collect();
        assert_eq!(keys.len(), Hand::N_KEYS);
    }
}
