//! A position with its generator and its identity.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::ser::SerializeMap;
use uuid::{Uuid, Variant};

use crate::doc::{Document, Fault, Faults, Node};
use crate::fair::{Commitment, Opening};
use crate::json::{self, Hash, Json};
use crate::record::{self, LogEntry};
use crate::rng::Generator;
use crate::version::Version;
use crate::{Draw, GameExt, Recorded, Refusal, Sink, Step, Turn};

/// A match being played: the position, its source of chance, and its id.
#[derive(Clone, PartialEq, Debug)]
pub struct Table<G> {
    game_id: MatchId,
    position: G,
    source: Source,
}

/// The source of a table's chance.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A generator that anyone may know; snapshots hold its state.
    Open(Generator),
    /// A generator that is secret until the match is over; snapshots hold only the commitment. A
    /// replay of the match does not have the generator.
    Committed(Commitment, Option<Generator>),
}

/// The id of a match: a random UUID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct MatchId(Uuid);

impl<G: Recorded> Table<G> {
    /// The keys that a table adds to its position's snapshot.
    pub const KEYS: [&'static str; 4] = ["schema_version", "game_id", "rng_state", "log"];

    /// Starts a new match.
    pub fn open(setup: &G::Setup, game_id: MatchId, source: Source) -> Table<G> {
        Table::at(G::start(setup), game_id, source)
    }

    /// A table at an existing position.
    pub fn at(position: G, game_id: MatchId, source: Source) -> Table<G> {
        Table {
            game_id,
            position,
            source,
        }
    }

    /// The match's id.
    pub fn game_id(&self) -> MatchId {
        self.game_id
    }

    /// The full position: for drivers, never for viewers.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The source of chance.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Applies a step if it is legal; otherwise returns the refusal and changes nothing.
    pub fn apply(
        &mut self,
        step: Step<G::Action>,
        events: &mut impl Sink<G::Event>,
    ) -> Result<(), Refusal> {
        self.position.apply(step, events)
    }

    /// Draws the chance that is due from the generator, without applying it. `None` when no chance
    /// is due or the generator is not known here.
    pub fn draw(&mut self) -> Option<Draw> {
        match (self.position.turn(), self.source.generator_mut()) {
            (Turn::Chance, Some(generator)) => Some(self.position.odds().draw(generator)),
            _ => None,
        }
    }

    /// The table as a document, without history.
    pub fn snapshot(&self) -> TableSnapshot<'_, G::Snapshot> {
        TableSnapshot {
            game_id: self.game_id,
            log: None,
            rng_state: &self.source,
            schema_version: G::SNAPSHOT_VERSION,
            position: self.position.snapshot(),
        }
    }

    /// Appends the canonical bytes of the snapshot to a buffer.
    pub fn write_snapshot(&self, out: &mut Vec<u8>) {
        json::write_canonical(&self.snapshot(), out)
            .expect("a snapshot holds no floats, so it has a canonical form");
    }

    /// The hash of the snapshot: two tables with the same hash are in the same state.
    pub fn state_hash(&self) -> Hash {
        let mut bytes = Vec::new();
        self.write_snapshot(&mut bytes);
        Hash::of_bytes(&bytes)
    }

    /// The table as a document with its history, which is not part of the hash.
    pub fn snapshot_with_log<'a>(&'a self, log: &'a [LogEntry]) -> TableSnapshot<'a, G::Snapshot> {
        TableSnapshot {
            log: Some(log),
            ..self.snapshot()
        }
    }

    /// Reads a snapshot and reports every fault. A `log` is checked and then dropped: it is
    /// history, not state.
    pub fn restore(document: &Json) -> Result<Table<G>, Faults> {
        Table::restore_with_warnings(document).map(|(table, _)| table)
    }

    /// Like [`restore`](Table::restore), but also returns warnings: something that an older
    /// snapshot lacks, and the default used instead.
    pub fn restore_with_warnings(document: &Json) -> Result<(Table<G>, Vec<Fault>), Faults> {
        let mut faults = Faults::default();
        let node = Node::root(document);
        Version::read_supported(
            &node.field("schema_version"),
            G::SNAPSHOT_VERSION,
            &mut faults,
        );
        let game_id = MatchId::read(&node.field("game_id"), &mut faults);
        let source = Source::read(&node.field("rng_state"), &mut faults);
        let position = G::restore(&node, &mut faults);
        let n_seats = position.as_ref().map(G::n_seats);
        record::check_log::<G>(&node.field("log"), n_seats, &mut faults);
        let table = || {
            Some(Table {
                game_id: game_id?,
                position: position?,
                source: source?,
            })
        };
        let warnings = faults.warnings().to_vec();
        faults.into_result(table().map(|table| (table, warnings)))
    }
}

/// A table as a document: the hashed form.
#[derive(Serialize)]
pub struct TableSnapshot<'a, S> {
    game_id: MatchId,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<&'a [LogEntry]>,
    rng_state: &'a Source,
    schema_version: &'static str,
    #[serde(flatten)]
    position: S,
}

impl Source {
    /// A secret generator, for the holder of the seed.
    pub fn commit(opening: &Opening) -> Source {
        Source::Committed(opening.commitment(), Some(opening.generator()))
    }

    fn generator_mut(&mut self) -> Option<&mut Generator> {
        match self {
            Source::Open(generator) => Some(generator),
            Source::Committed(_, generator) => generator.as_mut(),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Source::Open(generator) => generator.serialize(serializer),
            Source::Committed(commitment, _) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("state", commitment)?;
                map.serialize_entry("type", COMMITMENT)?;
                map.end()
            }
        }
    }
}

/// The `type` of an `rng_state` that is only a commitment.
const COMMITMENT: &str = "commitment";

impl Document for Source {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Source> {
        let kind = node.field("type");
        if kind.json().and_then(Json::as_text) != Some(COMMITMENT) {
            return Generator::read(node, faults).map(Source::Open);
        }
        node.only_fields(&["state", "type"], faults);
        let commitment = Commitment::read(&node.field("state"), faults)?;
        Some(Source::Committed(commitment, None))
    }
}

impl MatchId {
    /// An id from 16 random bytes; the version and variant bits are set.
    pub fn from_random_bytes(bytes: [u8; 16]) -> MatchId {
        MatchId(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }

    /// An id drawn from a generator, so that a simulated match gets the same id every time.
    pub fn draw(rng: &mut Generator) -> MatchId {
        let (high, low) = (rng.bits64(), rng.bits64());
        MatchId::from_random_bytes(((u128::from(high) << 64) | u128::from(low)).to_be_bytes())
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for MatchId {
    type Err = NotAGameId;

    fn from_str(text: &str) -> Result<MatchId, NotAGameId> {
        let uuid = Uuid::parse_str(text).map_err(|_| NotAGameId)?;
        let random = uuid.get_version_num() == 4 && uuid.get_variant() == Variant::RFC4122;
        let canonical = random && uuid.to_string() == text;
        canonical.then_some(MatchId(uuid)).ok_or(NotAGameId)
    }
}

/// The error for a string that is not a game id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAGameId;

impl fmt::Display for NotAGameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a random (version 4) UUID in lowercase with hyphens")
    }
}

impl Document for MatchId {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<MatchId> {
        node.parsed("not_a_game_id", faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_id_is_a_random_uuid_of_the_standard_variant() {
        let id = "7e3a2c2c-9a1f-4c4a-8d8a-1ef6adf1b4c3";
        assert_eq!(id.parse::<MatchId>().unwrap().to_string(), id);
        for bad in [
            "7e3a2c2c-9a1f-4c4a-cd8a-1ef6adf1b4c3", // another variant
            "7e3a2c2c-9a1f-1c4a-8d8a-1ef6adf1b4c3", // another version
            "7E3A2C2C-9A1F-4C4A-8D8A-1EF6ADF1B4C3",
            "7e3a2c2c9a1f4c4a8d8a1ef6adf1b4c3",
        ] {
            assert_eq!(bad.parse::<MatchId>(), Err(NotAGameId), "{bad}");
        }
    }
}
