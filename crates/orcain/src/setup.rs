//! The setup of a match.

use std::ops::Deref;

use kernel::doc::{self, Document, Faults, Node};
use kernel::json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Card, STEPS_MAX};

/// The number of cards in a hand.
pub const HAND_CARDS: usize = 4;

/// The constants of a match, validated. They are public, including both hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema, Document)]
#[serde(transparent)]
pub struct Setup(RawSetup);

/// A setup as written in a document. Omitted fields take the standard values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "Orcain setup")]
#[document(check = RawSetup::check)]
pub struct RawSetup {
    /// The number of drafts accepted per player and round. Later ones are refused, so that every
    /// match is finite.
    #[schemars(range(min = 1, max = 250))]
    pub drafts_max: u8,
    /// The four cards of each player, the same in every round.
    pub hands: [Hand; 2],
    /// The maximum of hit points.
    #[schemars(range(min = 1, max = 100))]
    pub max_hp: u8,
    /// The last round: equal hit points after it are a draw.
    #[schemars(range(min = 1, max = 250))]
    pub round_cap: u8,
    /// From this round on, different hit points decide the match; equal ones lead to sudden death.
    #[schemars(range(min = 1, max = 250))]
    pub round_limit: u8,
    /// Hit points at the start.
    #[schemars(range(min = 1, max = 100))]
    pub start_hp: u8,
    /// The number of steps, and so of revealed cards, per round.
    #[schemars(range(min = 1, max = STEPS_MAX))]
    pub steps: u8,
}

impl Default for RawSetup {
    /// The standard match: 10 hit points, three rounds of three steps, one of each card.
    fn default() -> RawSetup {
        RawSetup {
            drafts_max: 240,
            hands: [Hand::new(Card::ALL); 2],
            max_hp: 10,
            round_cap: 30,
            round_limit: 3,
            start_hp: 10,
            steps: 3,
        }
    }
}

impl Setup {
    /// The number of steps in a round.
    pub fn steps(&self) -> usize {
        self.0.steps.into()
    }
}

impl Deref for Setup {
    type Target = RawSetup;

    fn deref(&self) -> &RawSetup {
        &self.0
    }
}

impl TryFrom<RawSetup> for Setup {
    type Error = Faults;

    /// Lists every fault, with the name of the field as its pointer.
    fn try_from(raw: RawSetup) -> Result<Setup, Faults> {
        doc::parse(&json::from_value(&raw).expect("a setup holds no floats"))
    }
}

impl RawSetup {
    /// Reports bounds that contradict each other.
    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        if self.start_hp > self.max_hp {
            let (start, max) = (self.start_hp, self.max_hp);
            let message =
                format!("start_hp {start} is above max_hp {max}: lower it or raise max_hp");
            faults.at(&node.field("start_hp"), "above_maximum", message);
        }
        if self.round_cap < self.round_limit {
            let (cap, limit) = (self.round_cap, self.round_limit);
            let message =
                format!("round_cap {cap} is below round_limit {limit}: the limit would never come");
            faults.at(&node.field("round_cap"), "below_limit", message);
        }
    }
}

type Cards = [Card; HAND_CARDS];

/// Four cards, in the order in which they are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(from = "Cards", into = "Cards")]
#[schemars(inline)]
pub struct Hand {
    cards: Cards,
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
            key: key.map_or(0, |key| key as u8),
        }
    }

    /// The cards in the order in which they are shown.
    pub fn cards(&self) -> [Card; HAND_CARDS] {
        self.cards
    }

    /// The number of times each card is in the hand, by card id.
    pub fn counts(&self) -> [u8; 4] {
        counts(&self.cards)
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

/// The counts as the bytes of one number, since observations need them at every decision.
#[inline]
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

    fn check(text: &str, expected: &[&str]) {
        let json = json::read(text.as_bytes()).unwrap();
        let found = match doc::parse::<Setup>(&json) {
            Ok(_) => Vec::new(),
            Err(faults) => faults
                .iter()
                .map(|fault| format!("{} {}", fault.pointer, fault.code))
                .collect(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn omitted_fields_are_standard() {
        let json = json::read(b"{}").unwrap();
        assert_eq!(doc::parse::<Setup>(&json).unwrap(), Setup::default());
        check(r#"{"max_hp": 20, "start_hp": 15}"#, &[]);
    }

    #[test]
    fn every_fault_is_listed() {
        check(
            r#"{"max_hp": 0, "start_hp": "ten", "steps": 5, "hands": [["attack"], []], "speed": 1}"#,
            &[
                "/speed unknown_field",
                "/hands/0 wrong_length",
                "/hands/1 wrong_length",
                "/max_hp out_of_range",
                "/start_hp wrong_type",
                "/steps out_of_range",
            ],
        );
        check(
            r#"{"start_hp": 11, "round_cap": 2}"#,
            &["/start_hp above_maximum", "/round_cap below_limit"],
        );
        check("[]", &[" wrong_type"]);
    }

    #[test]
    fn a_raw_setup_lists_every_fault_too() {
        let raw = RawSetup {
            max_hp: 101,
            steps: 0,
            ..RawSetup::default()
        };
        let faults = Setup::try_from(raw).unwrap_err();
        let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/max_hp", "/steps"]);
    }

    #[test]
    fn a_setup_round_trips() {
        let raw = RawSetup {
            hands: [
                [Card::Attack; 4],
                [Card::Heal, Card::Attack, Card::Heal, Card::Counter],
            ]
            .map(Hand::new),
            steps: 4,
            ..RawSetup::default()
        };
        let setup = Setup::try_from(raw).unwrap();
        assert_eq!(
            doc::parse::<Setup>(&json::from_value(&setup).unwrap()).unwrap(),
            setup
        );
    }

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
