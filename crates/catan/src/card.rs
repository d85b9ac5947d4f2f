//! Resources and development cards.

use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Catan;

/// The number of resource kinds.
pub const N_RESOURCES: usize = 5;
/// The number of development card kinds.
pub const N_DEVS: usize = 5;
/// The number of cards of each resource in the game.
pub const RESOURCE_CARDS: u8 = 19;
/// The number of development cards in the game.
pub const DEV_CARDS: usize = 25;
/// The number of development cards of each kind in a full deck.
pub const DECK: [u8; N_DEVS] = [14, 2, 2, 2, 5];

/// A count of cards for each resource.
pub type Hand = [u8; N_RESOURCES];
/// A count of development cards for each kind.
pub type Devs = [u8; N_DEVS];

/// A resource, in the order of the action table.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Resource {
    /// From hills.
    Brick,
    /// From forests.
    Lumber,
    /// From pastures.
    Wool,
    /// From fields.
    Grain,
    /// From mountains.
    Ore,
}

/// A development card, in the order of documents.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Dev {
    /// Moves the robber and counts for the largest army.
    Knight,
    /// Builds up to two free roads.
    RoadBuilding,
    /// Takes two cards from the bank.
    YearOfPlenty,
    /// Takes all cards of one resource from the opponent.
    Monopoly,
    /// One victory point, kept hidden.
    VictoryPoint,
}

/// The price of a road.
pub const ROAD_COST: Hand = [1, 1, 0, 0, 0];
/// The price of a settlement.
pub const SETTLEMENT_COST: Hand = [1, 1, 1, 1, 0];
/// The price of a city, on top of the settlement it replaces.
pub const CITY_COST: Hand = [0, 0, 0, 2, 3];
/// The price of a development card.
pub const DEV_COST: Hand = [0, 0, 1, 1, 1];

/// A one in each of the five bytes of a packed hand.
const EACH: u64 = 0x01_0101_0101;
/// The top bit of each of the five bytes.
const TOPS: u64 = 0x80 * EACH;

/// A hand packed into one word, a byte for each resource. Counts stay below 96, so the top bits
/// are free to hold the results of all five comparisons at once.
#[inline]
pub(crate) const fn packed(cards: &Hand) -> u64 {
    let [brick, lumber, wool, grain, ore] = *cards;
    u64::from_le_bytes([brick, lumber, wool, grain, ore, 0, 0, 0])
}

/// True if a hand holds all cards of a cost.
#[inline]
pub(crate) const fn covers(hand: &Hand, cost: &Hand) -> bool {
    ((packed(hand) | TOPS) - packed(cost)) & TOPS == TOPS
}

/// The total number of cards.
#[inline]
pub(crate) fn count(cards: &[u8]) -> u8 {
    cards.iter().sum()
}

/// The set of kinds of which a packed hand has at least `n`.
#[inline]
pub(crate) const fn at_least(cards: u64, n: u8) -> u8 {
    /// Moves bit 8k to bit 28 + k for each k below 5, with nothing else in between.
    const GATHER: u64 = 1 << 28 | 1 << 21 | 1 << 14 | 1 << 7 | 1;
    let enough = (cards + (0x80 - n as u64) * EACH) & TOPS;
    ((enough >> 7).wrapping_mul(GATHER) >> 28) as u8 & 31
}

impl Catan {
    /// The deck in draw order.
    pub(crate) fn deck_cards(&self) -> Vec<Dev> {
        let cards = self.deck[..self.n_deck.into()].iter().rev();
        cards
            .map(|&kind| Dev::ALL[usize::from(kind) % Dev::ALL.len()])
            .collect()
    }

    /// Replaces the deck with these cards, in draw order.
    pub(crate) fn put_deck(&mut self, cards: &[Dev]) {
        self.deck = [0; DEV_CARDS];
        self.n_deck = cards.len() as u8;
        for (place, card) in self.deck.iter_mut().zip(cards.iter().rev()) {
            *place = *card as u8;
        }
    }

    /// The cards that were played, sorted by kind.
    pub(crate) fn pile_cards(&self) -> Vec<Dev> {
        let mut cards = Vec::new();
        for (kind, &dev) in Dev::ALL.iter().enumerate() {
            let n = self.players[0].played[kind] + self.players[1].played[kind];
            cards.extend((0..n).map(|_| dev));
        }
        cards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_hands_compare_as_their_cards_do() {
        let mut rng = crate::board::expand(5);
        for _ in 0..20_000 {
            let hand: Hand = std::array::from_fn(|_| rng.below(20) as u8);
            let cost: Hand = std::array::from_fn(|_| rng.below(5) as u8);
            let holds = hand.iter().zip(&cost).all(|(have, need)| have >= need);
            assert_eq!(covers(&hand, &cost), holds, "{hand:?} {cost:?}");
            for n in 1..=5 {
                let kinds = (0..N_RESOURCES).filter(|&kind| hand[kind] >= n);
                let set = kinds.fold(0, |set, kind| set | 1 << kind);
                assert_eq!(at_least(packed(&hand), n), set, "{hand:?} {n}");
            }
        }
    }
}
