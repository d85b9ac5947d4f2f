//! The orders a fleet may be given, as complete orders: the masks of all composition steps in one
//! list.

use schemars::JsonSchema;
use serde::Serialize;

use crate::action::Action;
use crate::constants::RETREAT_SHARES;
use crate::state::{Fleet, Stellar, Verb};

/// A verb with its legal arguments, or the reason it cannot be ordered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Choice {
    /// The verb's name.
    #[schemars(with = "VerbName")]
    pub verb: &'static str,
    /// The stable code of the reason it cannot be ordered; absent when it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// Systems that may be named, by index in the list of systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<u16>,
    /// Bodies that an army may be taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<u8>,
    /// Fleets that may be merged into, by rank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub into: Vec<u16>,
    /// Retreat thresholds that may be set, in percent.
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
    /// Every verb for a fleet, judged by the same rules as the mask.
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
