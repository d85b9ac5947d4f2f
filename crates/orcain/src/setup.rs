//! What a match starts from.

use kernel::doc::{Document, Fault, Faults, Node};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Card, STEPS_MAX};

/// How many cards a hand has.
pub const HAND_CARDS: usize = 4;

/// The constants of a match, validated. Everybody may know them, both hands included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Setup {
    pub(crate) drafts_max: u8,
    pub(crate) hands: [Hand; 2],
    pub(crate) max_hp: u8,
    pub(crate) round_cap: u8,
    pub(crate) round_limit: u8,
    pub(crate) start_hp: u8,
    pub(crate) steps: u8,
}

/// A setup as it is written down, with nothing checked. Fields left out of a document
/// take the standard values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "Orcain setup", deny_unknown_fields)]
pub struct RawSetup {
    /// Drafts that count per player and round; later ones are refused, so that every
    /// match is finite.
    #[schemars(range(min = 1, max = 250))]
    pub drafts_max: i64,
    /// The four cards of each player, the same in every round.
    pub hands: [[Card; HAND_CARDS]; 2],
    /// Hit points never rise above this.
    #[schemars(range(min = 1, max = 100))]
    pub max_hp: i64,
    /// The last round: equal hit points after it are a draw.
    #[schemars(range(min = 1, max = 250))]
    pub round_cap: i64,
    /// From this round on, different hit points decide; equal ones go on in sudden death.
    #[schemars(range(min = 1, max = 250))]
    pub round_limit: i64,
    /// Hit points at the start.
    #[schemars(range(min = 1, max = 100))]
    pub start_hp: i64,
    /// Cards turned over per round.
    #[schemars(range(min = 1, max = 4))]
    pub steps: i64,
}

impl Default for RawSetup {
    fn default() -> RawSetup {
        RawSetup {
            drafts_max: 240,
            hands: [Card::ALL; 2],
            max_hp: 10,
            round_cap: 30,
            round_limit: 3,
            start_hp: 10,
            steps: 3,
        }
    }
}

impl Default for Setup {
    /// The standard match: 10 hit points, three rounds of three steps, one of each card.
    fn default() -> Setup {
        Setup::try_from(RawSetup::default()).expect("the standard setup is valid")
    }
}

impl Setup {
    /// The most hit points.
    pub fn max_hp(&self) -> u8 {
        self.max_hp
    }

    /// Hit points at the start.
    pub fn start_hp(&self) -> u8 {
        self.start_hp
    }

    /// From this round on, different hit points decide.
    pub fn round_limit(&self) -> u8 {
        self.round_limit
    }

    /// The last round.
    pub fn round_cap(&self) -> u8 {
        self.round_cap
    }

    /// Cards turned over per round.
    pub fn steps(&self) -> usize {
        self.steps.into()
    }

    /// Drafts that count per player and round.
    pub fn drafts_max(&self) -> u8 {
        self.drafts_max
    }

    /// The hands, by seat.
    pub fn hands(&self) -> &[Hand; 2] {
        &self.hands
    }
}

impl TryFrom<RawSetup> for Setup {
    type Error = Faults;

    /// Lists every fault, with the name of the field as its pointer.
    fn try_from(raw: RawSetup) -> Result<Setup, Faults> {
        let mut faults = Faults::default();
        let mut within = |name: &'static str, value: i64, max: i64| {
            if !(1..=max).contains(&value) {
                let message = format!("expected an integer from 1 to {max}, found {value}");
                faults.push(Fault::new(format!("/{name}"), "out_of_range", message));
            }
            value.clamp(1, max) as u8
        };
        let setup = Setup {
            drafts_max: within("drafts_max", raw.drafts_max, 250),
            hands: raw.hands.map(Hand::new),
            max_hp: within("max_hp", raw.max_hp, 100),
            round_cap: within("round_cap", raw.round_cap, 250),
            round_limit: within("round_limit", raw.round_limit, 250),
            start_hp: within("start_hp", raw.start_hp, 100),
            steps: within("steps", raw.steps, STEPS_MAX as i64),
        };
        if faults.is_empty() {
            check_order(&setup, &mut faults);
        }
        faults.into_result(Some(setup))
    }
}

fn check_order(setup: &Setup, faults: &mut Faults) {
    if setup.start_hp > setup.max_hp {
        let (start, max) = (setup.start_hp, setup.max_hp);
        let message = format!("start_hp {start} is above max_hp {max}: lower it or raise max_hp");
        faults.push(Fault::new("/start_hp", "above_maximum", message));
    }
    if setup.round_cap < setup.round_limit {
        let (cap, limit) = (setup.round_cap, setup.round_limit);
        let message =
            format!("round_cap {cap} is below round_limit {limit}: the limit would never come");
        faults.push(Fault::new("/round_cap", "below_limit", message));
    }
}

impl Document for Setup {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        const FIELDS: [&str; 7] = [
            "drafts_max",
            "hands",
            "max_hp",
            "round_cap",
            "round_limit",
            "start_hp",
            "steps",
        ];
        node.only_fields(&FIELDS, faults);
        let standard = RawSetup::default();
        let mut int = |name: &'static str, standard: i64, max: i64| {
            let field = node.field(name);
            if field.exists() {
                field.int_in(1..=max, faults)
            } else {
                Some(standard)
            }
        };
        let drafts_max = int("drafts_max", standard.drafts_max, 250);
        let max_hp = int("max_hp", standard.max_hp, 100);
        let round_cap = int("round_cap", standard.round_cap, 250);
        let round_limit = int("round_limit", standard.round_limit, 250);
        let start_hp = int("start_hp", standard.start_hp, 100);
        let steps = int("steps", standard.steps, STEPS_MAX as i64);
        let hands = read_hands(&node.field("hands"), standard.hands, faults);
        let raw = RawSetup {
            drafts_max: drafts_max?,
            hands: hands?,
            max_hp: max_hp?,
            round_cap: round_cap?,
            round_limit: round_limit?,
            start_hp: start_hp?,
            steps: steps?,
        };
        match Setup::try_from(raw) {
            Ok(setup) => Some(setup),
            Err(found) => {
                faults.extend_below(node, &found);
                None
            }
        }
    }
}

type Cards = [Card; HAND_CARDS];

fn read_hands(node: &Node<'_>, standard: [Cards; 2], faults: &mut Faults) -> Option<[Cards; 2]> {
    if !node.exists() {
        return Some(standard);
    }
    let hands: Vec<Option<Cards>> = node
        .list_of_len(2, faults)?
        .iter()
        .map(|hand| read_hand(hand, faults))
        .collect();
    let hands: Option<Vec<Cards>> = hands.into_iter().collect();
    hands?.try_into().ok()
}

fn read_hand(node: &Node<'_>, faults: &mut Faults) -> Option<Cards> {
    let cards: Vec<Option<usize>> = node
        .list_of_len(HAND_CARDS, faults)?
        .iter()
        .map(|card| card.one_of(&Card::NAMES, faults))
        .collect();
    let cards: Option<Vec<Card>> = cards.into_iter().map(|idx| Some(Card::ALL[idx?])).collect();
    cards?.try_into().ok()
}

/// Four cards, in the order in which they are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hand {
    cards: Cards,
    /// Which of the [multisets](Hand::N_KEYS) of four cards it is: hands with the same
    /// key have the same legal layouts.
    key: u8,
}

impl Hand {
    /// How many different hands there are when order does not count.
    pub(crate) const N_KEYS: usize = 35;

    /// A hand of these cards.
    pub fn new(cards: [Card; HAND_CARDS]) -> Hand {
        let counts = counts(&cards);
        let key = all_counts().position(|other| other == counts);
        Hand {
            cards,
            key: key.map_or(0, |key| key as u8),
        }
    }

    /// The cards.
    pub fn cards(&self) -> [Card; HAND_CARDS] {
        self.cards
    }

    /// How often each card is in the hand, by card id.
    pub fn counts(&self) -> [u8; 4] {
        counts(&self.cards)
    }

    #[inline]
    pub(crate) fn key(&self) -> usize {
        self.key.into()
    }
}

impl Serialize for Hand {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.cards.serialize(serializer)
    }
}

/// The counts as the bytes of one number: observations ask for them at every decision.
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
    use kernel::{doc, json};

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
    fn left_out_fields_are_standard() {
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
                "/max_hp out_of_range",
                "/start_hp wrong_type",
                "/steps out_of_range",
                "/hands/0 wrong_length",
                "/hands/1 wrong_length",
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
            ],
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
