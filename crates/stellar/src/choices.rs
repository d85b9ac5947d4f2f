//! What a fleet may be ordered, as whole orders: the mask of every step of composing, told at once.

use schemars::JsonSchema;
use serde::Serialize;

use crate::action::Action;
use crate::constants::RETREAT_SHARES;
use crate::state::{Fleet, Stellar, Verb};

/// A verb with what may belong to it, or why it cannot be ordered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Choice {
    /// The verb.
    #[schemars(with = "VerbName")]
    pub verb: &'static str,
    /// Why not, as a stable code; nothing when it may be ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// Systems that may be named, by their place in the list of systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<u16>,
    /// Bodies that an army may be taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<u8>,
    /// Fleets that may be joined, by rank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub into: Vec<u16>,
    /// Shares that may be set, in hundredths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<u8>,
}

#[derive(JsonSchema)]
#[schemars(rename = "Verb", rename_all = "snake_case")]
#[expect(dead_code, reason = "for the schema alone")]
enum VerbName {
    Move,
    Invade,
    Load,
    Unload,
    Transfer,
    Split,
    Merge,
    Retreat,
}

impl Stellar {
    /// Every verb for a fleet, by the same judgement as the mask.
    pub(crate) fn choices(&self, fleet: &Fleet) -> Vec<Choice> {
        let choice = |verb: Verb| {
            let mut choice = Choice {
                verb: verb.name(),
                why: None,
                systems: Vec::new(),
                bodies: Vec::new(),
                into: Vec::new(),
                below: Vec::new(),
            };
            if !self.can(fleet, verb) {
                choice.why = Some(self.cannot(fleet, verb));
                return choice;
            }
            self.fill_objects(fleet, verb, &mut |action| match action {
                Action::System(system) => choice.systems.push(system.0),
                Action::Body(body) => choice.bodies.push(body),
                Action::Into(rank) => choice.into.push(rank),
                Action::Share(idx) => choice.below.push(RETREAT_SHARES[usize::from(idx)]),
                // Any ship may leave as long as one stays.
                _ => {}
            });
            choice.systems.sort_unstable();
            choice.systems.dedup();
            choice
        };
        Verb::ALL.map(choice).to_vec()
    }
}
