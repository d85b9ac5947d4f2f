//! The orders a fleet may be given, as complete orders: the masks of all composition steps in one
//! list.

use std::sync::Arc;

use kernel::SeatSet;
use schemars::JsonSchema;
use serde::Serialize;

use crate::View;
use crate::action::Action;
use crate::constants::{FACTIONS_MAX, RETREAT_SHARES};
use crate::state::{Draft, Fleet, Stellar, Verb};

/// A verb with its legal arguments, or the reason it cannot be ordered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Choice {
    /// The verb's name.
    pub verb: Verb,
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

impl Stellar {
    /// Every verb for a fleet, judged by the same rules as the mask.
    pub(crate) fn choices(&self, fleet: &Fleet) -> Vec<Choice> {
        let choice = |verb: Verb| {
            let mut choice = Choice {
                verb,
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

impl View {
    /// A position that holds only what the viewer knows of its own forces. Legality depends on
    /// nothing else, so this position and the real one allow the same orders.
    pub(crate) fn known(&self) -> Option<Stellar> {
        let seat = self.seat?;
        let own = self.armies.iter().filter(|it| it.owner == seat);
        let known = Stellar {
            world: Arc::clone(&self.world),
            turn: self.turn,
            owners: self.owners.clone(),
            fleets: self.fleets.clone(),
            armies: own.copied().collect(),
            holds: self.holds.clone(),
            present: self.present,
            alive: self.alive,
            done: match self.done {
                true => SeatSet::only(seat),
                false => SeatSet::EMPTY,
            },
            drafts: [Draft::Idle; FACTIONS_MAX],
            battles: Vec::new(),
            fought: Vec::new(),
            end: self.ending.clone(),
        };
        known.is_open(seat).then_some(known)
    }
}
