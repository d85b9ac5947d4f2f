//! A position as a document. Systems are given by index in the galaxy's list, which is sorted by id
//! and follows from the setup.

use std::sync::Arc;

use kernel::doc::{Document, Faults, Named, Node, Object, name};
use kernel::{Seat, SeatSet, SnapshotOf, Table, documents, json, schema};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check;
use crate::constants::LANDABLE_MAX;
use crate::galaxy::SystemIdx;
use crate::setup::{Setup, SetupDocument};
use crate::space::Point;
use crate::state::{Army, Cause, Draft, Ending, Fleet, Fought, Hold, Place, Post, Score, Stellar};

documents! {
    [#[derive(Serialize, JsonSchema, Document)]];

    /// A position as a document.
    pub struct Snapshot of(at: &Stellar) put(at: &mut Stellar) {
        alive: SeatSet => at.alive,
        armies: Vec<Army> => at.armies,
        battles: Vec<SystemIdx> => at.battles,
        done: SeatSet => at.done,
        /// By seat: the order that is being composed, as words.
        drafts: Vec<Draft> = at.drafts[..at.world.n_seats()].to_vec(),
        end: Option<EndSnapshot> = at.end.as_ref().map(EndSnapshot::of),
        fleets: Vec<Fleet> => at.fleets,
        fought: Vec<Fought> => at.fought,
        #[document(default)]
        holds: Vec<Option<Hold>> = at.holds.clone(),
        owners: Vec<Option<Seat>> => at.owners,
        present: SeatSet => at.present,
        #[schemars(with = "SetupDocument<'_>")]
        #[document(read_with = Document::read)]
        setup: Setup = Setup::of(Arc::clone(&at.world)),
        #[schemars(range(min = 1, max = i32::MAX))]
        turn: u32 => at.turn,
    }

    struct EndSnapshot of(end: &Ending) {
        /// The cause of the ending. The cause `condition` comes with an index.
        #[schemars(schema_with = "schema::names::<Cause>")]
        #[document(read_with = name::<Cause>)]
        cause: &'static str = end.cause.name(),
        #[schemars(range(max = 15))]
        condition: Option<u8> = end.cause.condition(),
        scores: Vec<ScoreSnapshot> = end.scores.iter().map(ScoreSnapshot::of).collect(),
        turn: u32 = end.turn,
        winner: Option<Seat> = end.winner,
    }

    struct ScoreSnapshot of(score: &Score) put(score: &mut Score) {
        power: u64 => score.power,
        systems: u32 => score.n_systems,
    }
}

/// The place of a fleet.
#[derive(Serialize, JsonSchema, Document)]
pub(crate) struct PlaceSnapshot {
    /// The position in deep space, in thousandths of a light-year; null in orbit.
    #[schemars(with = "Option<[Coordinate; 3]>")]
    at: Option<[i32; 3]>,
    /// The system that it orbits or is heading for.
    system: SystemIdx,
}

/// A coordinate of a fleet, bounded by what scenarios allow.
#[derive(Clone, Copy, Serialize, JsonSchema, Document)]
#[serde(transparent)]
#[schemars(inline)]
struct Coordinate(#[schemars(range(min = -200_000_000, max = 200_000_000))] i32);

/// The place of an army.
#[derive(Serialize, JsonSchema, Document)]
pub(crate) struct PostSnapshot {
    #[schemars(range(max = LANDABLE_MAX - 1))]
    body: Option<u8>,
    /// The system it is in; null for an army aboard a transport.
    system: Option<SystemIdx>,
}

impl SnapshotOf<Stellar> for Snapshot {
    fn of(position: &Stellar) -> Snapshot {
        Snapshot::of(position)
    }

    /// Reads a position. Refuses one that play could not have produced.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Stellar> {
        let n_faults = faults.len();
        let read = Snapshot::read_beside(node, &Table::<Stellar>::KEYS, faults)?;
        let mut at = Stellar::first(&read.setup);
        node.field("drafts")
            .list_of_len(at.world.n_seats(), faults)?;
        at.drafts[..read.drafts.len()].copy_from_slice(&read.drafts);
        read.put(&mut at);
        let holds = node.field("holds");
        if holds.exists() {
            at.holds = read.holds;
        } else {
            let message = "this snapshot has no hill counts: they start at 0";
            faults.warn(&holds, "counts_start_at_zero", message);
        }
        at.end = read.end.as_ref().map(EndSnapshot::ending);
        if faults.len() == n_faults {
            // The setup's own reader accepts only the canonical form.
            let others = [&Table::<Stellar>::KEYS[..], &["setup"]].concat();
            let written = json::from_value(&Snapshot::of(&at)).expect("a snapshot holds no floats");
            node.must_repeat(&written, &others, faults);
            check::check(&at, node, faults);
        }
        (faults.len() == n_faults).then_some(at)
    }
}

impl From<Place> for PlaceSnapshot {
    fn from(place: Place) -> PlaceSnapshot {
        let (system, at) = match place {
            Place::Orbit(system) => (system, None),
            Place::Moving { at, to } => (to, Some([at.x, at.y, at.z])),
        };
        PlaceSnapshot { at, system }
    }
}

impl From<PlaceSnapshot> for Place {
    fn from(PlaceSnapshot { at, system: to }: PlaceSnapshot) -> Place {
        match at.map(|[x, y, z]| Point { x, y, z }) {
            Some(at) => Place::Moving { at, to },
            None => Place::Orbit(to),
        }
    }
}

impl From<Post> for PostSnapshot {
    fn from(post: Post) -> PostSnapshot {
        let (system, body) = match post {
            Post::Ground(system, body) => (Some(system), Some(body)),
            Post::Aboard => (None, None),
        };
        PostSnapshot { body, system }
    }
}

impl From<PostSnapshot> for Post {
    fn from(post: PostSnapshot) -> Post {
        let ground = post.system.zip(post.body);
        ground.map_or(Post::Aboard, |(system, body)| Post::Ground(system, body))
    }
}

impl EndSnapshot {
    fn ending(&self) -> Ending {
        let score = |it: &ScoreSnapshot| {
            let mut score = Score::default();
            it.put(&mut score);
            score
        };
        Ending {
            winner: self.winner,
            cause: Cause::named(self.cause, self.condition),
            turn: self.turn,
            scores: self.scores.iter().map(score).collect(),
        }
    }
}
