//! Snapshots, and faulty ways to read them.

use kernel::doc::{Document, Faults, Node};
use kernel::{Seat, SnapshotOf, Table};
use schemars::JsonSchema;
use serde::Serialize;

use super::fault::is;
use super::{Broken, End, Fault, Marks, N_PICKS, N_ROUNDS, Setup};
use crate::toys::{array, seat};

/// A position as a document.
#[derive(Serialize, JsonSchema)]
pub struct Snapshot {
    end: Option<&'static str>,
    first: Option<Seat>,
    picks: [Option<u8>; 2],
    points: [u8; 2],
    round: u8,
    taint: u32,
}

impl Document for Setup {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        node.only_fields(&[], faults);
        Some(Setup {})
    }
}

impl<const PAD: usize> SnapshotOf<Broken<PAD>> for Snapshot {
    fn of(position: &Broken<PAD>) -> Snapshot {
        let forgets = is(Fault::SnapshotForgets);
        Snapshot {
            end: position.end.map(End::name),
            first: position.first,
            picks: position.picks,
            points: if forgets { [0; 2] } else { position.points },
            round: position.round,
            taint: position.taint,
        }
    }

    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Broken<PAD>> {
        let mut keys = vec!["end", "first", "picks", "points", "round", "taint"];
        keys.extend(Table::<Broken<PAD>>::KEYS);
        if !is(Fault::ReaderPassesOver) {
            node.only_fields(&keys, faults);
        }
        if is(Fault::ReaderNeedsTable) {
            node.field("game_id").present(faults);
        }
        let stops = |faults: &Faults| is(Fault::ReaderStops) && !faults.is_empty();
        let end = node
            .field("end")
            .null_or(faults, |node, faults| node.one_of(&End::NAMES, faults));
        let first = node
            .field("first")
            .null_or(faults, |node, faults| seat(node, 2, faults));
        if stops(faults) {
            return None;
        }
        let picks = array(&node.field("picks"), faults, |pick, faults| {
            pick.null_or(faults, |node, faults| {
                u8::try_from(node.int_in(0..=i64::from(N_PICKS) - 1, faults)?).ok()
            })
        });
        if stops(faults) {
            return None;
        }
        let points = array(&node.field("points"), faults, |node, faults| {
            u8::try_from(node.int_in(0..=i64::from(N_ROUNDS), faults)?).ok()
        });
        if stops(faults) {
            return None;
        }
        let round = read_round(&node.field("round"), faults);
        let taint = node.field("taint").int_in(0..=i64::from(u32::MAX), faults);
        Some(Broken {
            picks: picks?,
            points: points?,
            round: round?,
            end: end?.map(|idx| End::ALL[idx]),
            first: first?,
            taint: u32::try_from(taint?).ok()?,
            marks: Marks::default(),
            pad: [0; PAD],
        })
    }
}

fn read_round(node: &Node<'_>, faults: &mut Faults) -> Option<u8> {
    let found = node.json().and_then(kernel::json::Json::as_int);
    if is(Fault::ReaderPanics) {
        assert!(found.is_some(), "the round is an integer");
    }
    if is(Fault::ReaderGuesses)
        && let Some(round) = found
    {
        return u8::try_from(round.clamp(1, N_ROUNDS.into())).ok();
    }
    u8::try_from(node.int_in(1..=N_ROUNDS.into(), faults)?).ok()
}
