//! Catan's observation in both sights and both frames, and its exact inverse.

pub mod exact;

use kernel::learn::{ByteStep, Form, Frame, Learn, Sight};
use kernel::{Block, Observe, Perspective, Seat};

use crate::topology::{N_EDGES, N_TILES, N_VERTICES};
use crate::{Catan, N_DEVS, N_RESOURCES};

/// The offset of each block.
pub(crate) mod at {
    use super::{N_DEVS, N_EDGES, N_RESOURCES, N_TILES, N_VERTICES};

    pub(crate) const ROADS: usize = N_TILES * 6;
    pub(crate) const SITES: usize = ROADS + N_EDGES;
    pub(crate) const HANDS: usize = SITES + N_VERTICES;
    pub(crate) const DEVS: usize = HANDS + 2 * N_RESOURCES;
    pub(crate) const BANK: usize = DEVS + 2 * N_DEVS;
    pub(crate) const METADATA: usize = BANK + N_RESOURCES;
    pub(crate) const END: usize = METADATA + 10;
}

/// The offset of each number in the metadata block.
pub(crate) mod meta {
    pub(crate) const TO_MOVE: usize = 0;
    pub(crate) const POINTS: usize = 1;
    pub(crate) const ROAD_OWNER: usize = 3;
    pub(crate) const ARMY_OWNER: usize = 4;
    pub(crate) const CARDS: usize = 5;
    pub(crate) const TURN: usize = 8;
    pub(crate) const PHASE: usize = 9;
}

/// The integer that stands for one unit, for each number of the metadata block.
pub(crate) const META_UNITS: [i16; 10] = [3000, 150, 150, 3000, 3000, 25, 25, 120, 3, 300];

impl Learn for Catan {
    const OBSERVATION_VERSION: &'static str = "2.0.0";
    const FRAMES: &'static [Frame] = &Frame::ALL;
    const SIGHTS: &'static [Sight] = &Sight::ALL;

    /// Metadata bytes are counts: owners from 1, with 0 for no owner, and the turn number divided
    /// by four.
    fn byte_steps(block: &Block) -> Vec<ByteStep> {
        if block.name != "metadata" {
            let add = -block.low;
            return vec![ByteStep { add, unit: 1 }];
        }
        let step = |(idx, unit): (usize, i16)| match idx {
            meta::ROAD_OWNER | meta::ARMY_OWNER => ByteStep { add: unit, unit },
            meta::TURN => ByteStep {
                add: 0,
                unit: 4 * unit,
            },
            _ => ByteStep { add: 0, unit },
        };
        META_UNITS.into_iter().enumerate().map(step).collect()
    }

    #[inline]
    fn write_form(&self, seat: Seat, form: Form, out: &mut [i16]) {
        self.write_observation(seat, out);
        if form.sight == Sight::Full {
            add_other(self, seat, out);
        }
        if form.frame == Frame::Ego && seat == Seat::SECOND {
            swap_seats(out);
        }
    }

    fn aux() -> Vec<Block> {
        exact::aux_blocks()
    }

    fn write_seen(seen: &Perspective<'_, Catan>, frame: Frame, out: &mut [i16]) {
        seen.write_observation(out);
        if frame == Frame::Ego && seen.seat() == Seat::SECOND {
            swap_seats(out);
        }
    }
}

/// Adds the facts that only the other seat knows.
fn add_other(position: &Catan, seat: Seat, out: &mut [i16]) {
    let other = if seat == Seat::FIRST { 1 } else { 0 };
    let mut theirs = [0; at::END];
    let other_seat = [Seat::FIRST, Seat::SECOND][other];
    position.write_observation(other_seat, &mut theirs);
    let devs = at::DEVS + other * N_DEVS..at::DEVS + (other + 1) * N_DEVS;
    out[devs.clone()].copy_from_slice(&theirs[devs]);
    let points = at::METADATA + meta::POINTS + other;
    out[points] = theirs[points];
}

/// Swaps the numbers of the two seats. Applying it twice changes nothing.
pub(crate) fn swap_seats(out: &mut [i16]) {
    for road in &mut out[at::ROADS..at::SITES] {
        *road = if *road < 0 { *road } else { 1 - *road };
    }
    for site in &mut out[at::SITES..at::HANDS] {
        *site = if *site < 0 { *site } else { *site ^ 1 };
    }
    swap_halves(&mut out[at::HANDS..at::DEVS]);
    swap_halves(&mut out[at::DEVS..at::BANK]);
    let values = &mut out[at::METADATA..at::END];
    values.swap(meta::POINTS, meta::POINTS + 1);
    values.swap(meta::CARDS, meta::CARDS + 1);
    for idx in [meta::TO_MOVE, meta::ROAD_OWNER, meta::ARMY_OWNER] {
        if values[idx] >= 0 {
            values[idx] = META_UNITS[idx] - values[idx];
        }
    }
}

fn swap_halves(both: &mut [i16]) {
    let (first, second) = both.split_at_mut(both.len() / 2);
    first.swap_with_slice(second);
}

#[cfg(test)]
mod tests {
    use kernel::Game;

    use super::*;
    use crate::Setup;

    /// A position in which every number of a seat differs from the other seat's.
    fn uneven() -> Catan {
        let mut at = Catan::start(&Setup::default());
        at.players[0].roads = 1 << 5;
        at.players[0].settlements = 1 << 3;
        at.players[1].cities = 1 << 40;
        at.players[0].hand = [1, 2, 3, 0, 1];
        at.players[1].hand = [0, 0, 1, 1, 0];
        at.players[0].devs[1] = 2;
        at.players[1].devs[0] = 1;
        (at.road_owner, at.army_owner) = (Some(Seat::FIRST), Some(Seat::SECOND));
        at
    }

    fn exchanged(mut at: Catan) -> Catan {
        let other = |seat: Seat| match seat {
            Seat::FIRST => Seat::SECOND,
            _ => Seat::FIRST,
        };
        at.players.swap(0, 1);
        at.current = 1 - at.current;
        at.road_owner = at.road_owner.map(other);
        at.army_owner = at.army_owner.map(other);
        at
    }

    #[test]
    fn a_seat_sees_itself_first_in_its_own_frame() {
        for sight in Sight::ALL {
            let numbers = |at: &Catan, seat: Seat| {
                let frame = Frame::Ego;
                let mut out = [0; at::END];
                at.write_form(seat, Form { sight, frame }, &mut out);
                out
            };
            let at = uneven();
            let first = numbers(&at, Seat::FIRST);
            assert_ne!(first, numbers(&exchanged(at), Seat::FIRST));
            assert_eq!(first, numbers(&exchanged(at), Seat::SECOND));
        }
    }
}
