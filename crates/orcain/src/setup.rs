//! The setup of a match.

use kernel::doc::{Document, Faults, Node};
use kernel::validated;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Card, Hand, STEPS_MAX};

validated! {
    /// The constants of a match, validated. They are public, including both hands.
    pub struct Setup(RawSetup)
}

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
