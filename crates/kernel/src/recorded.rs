//! Games whose matches can be recorded, stored and resumed.

use serde::Serialize;

use crate::doc::{self, Document, Fault, Faults, Named, Node, Variants, any_of};
use crate::json::{self, Json};
use crate::rng::Generator;
use crate::{Draw, Game};

/// A game whose setups, positions and decisions are documents, so that matches can be snapshotted,
/// recorded, replayed and resumed. A game declares the types; the methods are provided.
pub trait Recorded: Game<Setup: Serialize + Document> {
    /// The version of the snapshot format (semver). An added field needs a new minor version.
    const SNAPSHOT_VERSION: &'static str;
    /// The names of the built-in scenarios: setups that people wrote as documents. A game without
    /// any does not accept scenarios from outside either.
    const SCENARIOS: &'static [&'static str] = &[];

    /// The position as a document: integers, strings, booleans, nulls, lists, objects.
    type Snapshot: SnapshotOf<Self>;

    /// A decision as written in a record.
    type Decision: DecisionOf<Self>;

    /// Reads a setup from outside and reports every fault at once. The document has the form used
    /// in records. Where the game has [scenarios](Recorded::SCENARIOS), it can also be a scenario
    /// in the form its author writes, or a built-in scenario's name as a string.
    fn read_setup(document: &Json) -> Result<Self::Setup, Faults> {
        let Json::Text(name) = document else {
            return doc::parse(document);
        };
        let message = format!(
            "{} has no scenarios, so there is none called {name:?}",
            Self::NAME
        );
        let mut faults = Faults::default();
        faults.push(Fault::new("", "no_scenarios", message));
        Err(faults)
    }

    /// True if the setup leaves something, such as a map, to be drawn before a match begins.
    fn leaves_open(_setup: &Self::Setup) -> bool {
        false
    }

    /// The setup of one match, with everything that `setup` [leaves open](Recorded::leaves_open)
    /// drawn from the generator. The result leaves nothing open and has the same seats, actions and
    /// observations.
    fn draw_setup(setup: &Self::Setup, _rng: &mut Generator) -> Self::Setup {
        setup.clone()
    }

    /// The position as a document.
    fn snapshot(&self) -> Self::Snapshot {
        Self::Snapshot::of(self)
    }

    /// Reads a snapshot, as [`SnapshotOf::restore`] does.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Self> {
        Self::Snapshot::restore(node, faults)
    }

    /// The facts that decided a match that is over, such as the condition that was met and the
    /// scores. The closing line of a record holds them beside the outcome. An object without floats;
    /// `None` if the outcome says everything.
    fn ending_document(&self) -> Option<Json> {
        None
    }

    /// The record's entry for consecutive actions of one seat.
    fn encode(&self, actions: &[Self::Action]) -> Entry {
        Entry::of(&Self::Decision::of(self, actions))
    }

    /// The actions of a record's entry; the inverse of [`encode`](Recorded::encode).
    fn decode(
        &self,
        kind: &str,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Self::Action>> {
        let kinds = Self::Decision::NAMES;
        let Some(idx) = kinds.iter().position(|it| *it == kind) else {
            let message = format!("expected {}, found {kind:?}", any_of(kinds));
            faults.push(Fault::new("/type", "unknown_value", message));
            return None;
        };
        let decision = Self::Decision::read_variant(idx, payload, faults)?;
        decision.actions(self, payload, faults)
    }

    /// A draw as written in a record: the number itself, unless the game has a clearer form (dice
    /// as faces, a card by name).
    fn encode_draw(&self, draw: Draw) -> Json {
        draw.to_json()
    }

    /// The inverse of [`encode_draw`](Recorded::encode_draw).
    fn decode_draw(&self, node: &Node<'_>, faults: &mut Faults) -> Option<Draw> {
        Draw::read(node, faults)
    }
}

/// The document of a position.
pub trait SnapshotOf<G>: Serialize {
    /// The position as a document. It must be an object without any of the keys that a table adds:
    /// [`Table::KEYS`](crate::Table::KEYS).
    fn of(position: &G) -> Self;

    /// Reads a snapshot. The node is the table's entire document; implementations ignore the keys
    /// that the table adds. Every fault is reported, and no input may cause a panic.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<G>;
}

/// A decision in a record: an enum whose variants are the types of entries, each with its fields. A
/// variant without fields is written as an empty object.
pub trait DecisionOf<G: Game>: Serialize + Variants {
    /// The decision made of consecutive actions of one seat. It may ask the position only for what
    /// is constant through a match: a recorder calls it after the actions, while a replay calls
    /// [`actions`](DecisionOf::actions) before them. There is exactly one action unless the
    /// position [keeps a line open](Game::line_open_for).
    fn of(position: &G, actions: &[G::Action]) -> Self;

    /// The actions of a decision that was read at `node`; the inverse of [`of`](DecisionOf::of).
    /// Legality is not checked here.
    fn actions(self, position: &G, node: &Node<'_>, faults: &mut Faults) -> Option<Vec<G::Action>>;
}

/// A decision as written in a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The type, from the game's closed list.
    pub kind: &'static str,
    /// The fields of the decision: an object.
    pub payload: Json,
}

impl Entry {
    fn of<D: Serialize + Variants>(decision: &D) -> Entry {
        let written = json::from_value(decision).expect("a decision holds no floats");
        let payload = written.get(D::CONTENT).cloned();
        Entry {
            kind: decision.name(),
            payload: payload.expect("every variant of a decision has its fields"),
        }
    }
}
