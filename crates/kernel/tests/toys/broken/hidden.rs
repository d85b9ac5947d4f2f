//! Views, observations and redrawing, and ways to leak.

use std::fmt;

use kernel::json::Json;
use kernel::rng::Generator;
use kernel::{Block, Describe, Layout, Observe, Outcome, Redraw, Seat, Viewer};
use schemars::{Schema, schema_for};
use serde::Serialize;

use super::document::Snapshot;
use super::fault::is;
use super::{Broken, End, Fault, N_PICKS, N_ROUNDS, Setup};
use crate::toys::Writer;

/// The part of a position that a viewer may see: not the opponent's pick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    round: u8,
    points: [u8; 2],
    own: Option<u8>,
    leak: Option<u8>,
    outcome: Option<Outcome>,
    #[serde(skip)]
    shown: Shown,
}

/// A value that only the text shows: it compares equal to any other.
#[derive(Clone, Copy, Debug)]
struct Shown(Option<u8>);

impl PartialEq for Shown {
    fn eq(&self, _: &Shown) -> bool {
        true
    }
}

impl Eq for Shown {}

impl View {
    pub(super) fn of<const PAD: usize>(position: &Broken<PAD>, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => position.picks[seat.index()],
            Viewer::Public => None,
        };
        let others = match viewer {
            Viewer::Seat(seat) => position.picks[1 - seat.index()],
            Viewer::Public => position.picks[0],
        };
        View {
            round: position.round,
            points: position.points,
            own,
            leak: others.filter(|_| is(Fault::ViewLeaks)),
            outcome: position.end.map(End::outcome),
            shown: Shown(others.filter(|_| is(Fault::ViewTextLeaks))),
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(shown) = self.shown;
        write!(f, "round {} {:?} {shown:?}", self.round, self.points)
    }
}

impl<const PAD: usize> Redraw for Broken<PAD> {
    /// Replaces a hidden pick with another one that was legal; a seat without a pick stays without
    /// one.
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Self {
        let mut drawn = self.clone();
        if is(Fault::RedrawLazy) {
            return drawn;
        }
        let n_legal = u64::from(N_PICKS - u8::from(self.round < N_ROUNDS));
        for seat in Self::SEATS.into_iter().filter(|seat| !viewer.is(*seat)) {
            let pick = &mut drawn.picks[seat.index()];
            *pick = pick.map(|_| rng.below(n_legal) as u8);
            if is(Fault::RedrawImpossible) {
                *pick = pick.map(|_| N_PICKS);
            }
        }
        drawn
    }
}

impl<const PAD: usize> Observe for Broken<PAD> {
    fn observation(_: &Setup) -> Layout {
        let block = |name, n, low, high| Block {
            name,
            shape: vec![n],
            low,
            high,
            scale: high,
            about: "as the name says",
        };
        Layout {
            blocks: vec![
                block("pick", 1, -1, N_PICKS.into()),
                block("points", 2, 0, N_ROUNDS.into()),
                block("round", 1, 1, N_ROUNDS.into()),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        let mut pick = self.picks[seat.index()].map_or(-1, i16::from);
        if is(Fault::ObservationLeaks) {
            pick = self.picks[1 - seat.index()].map_or(-1, i16::from);
        }
        let mut writer = Writer::new(out);
        writer.value(pick);
        writer.all(self.points);
        if !is(Fault::ObservationGap) {
            let too_much = is(Fault::ObservationRange);
            writer.all([self.round + u8::from(too_much)]);
        }
    }
}

impl<const PAD: usize> Describe for Broken<PAD> {
    const TITLE: &'static str = "Broken";
    const SUMMARY: &'static str = "Two picks in secret and a coin, twice.";

    fn tables(_: &Setup) -> Json {
        Json::object([])
    }

    fn setup_schema() -> Schema {
        schema_for!(Setup)
    }

    fn snapshot_schema() -> Schema {
        schema_for!(Snapshot)
    }
}
