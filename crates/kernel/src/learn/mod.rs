//! A game as something to learn.

mod form;

use serde::Serialize;

use crate::{Block, Describe, Observe, Perspective, Redraw, Seat};

pub use form::{Form, Frame, Sight};

/// A game to learn.
pub trait Learn: Describe + Observe + Redraw {
    /// The version of the observation (semver). A change of any number is a new major.
    const OBSERVATION_VERSION: &'static str;
    /// The ways to number seats that the game has.
    const FRAMES: &'static [Frame];
    /// The sights that its observations come in.
    const SIGHTS: &'static [Sight];

    /// How the block's numbers become bytes: one step for all of them, or one for each.
    fn byte_steps(block: &Block) -> Vec<ByteStep> {
        let add = -block.low;
        vec![ByteStep { add, unit: 1 }]
    }

    /// Writes the observation of a seat in a form that the game has: every number of the
    /// buffer.
    fn write_form(&self, seat: Seat, form: Form, out: &mut [i16]);

    /// Writes the same as bytes, where the game has a faster way than the byte steps of its
    /// numbers. Returns false where it has none; then nothing is written.
    #[inline]
    fn write_bytes(&self, _: Seat, _: Form, _: &mut [u8]) -> bool {
        false
    }

    /// The blocks of bytes that exact inversion needs beside the observation, for games that
    /// have one. They are never shown to a policy.
    fn aux() -> Vec<Block> {
        Vec::new()
    }

    /// Writes the honest observation of a perspective's seat, in a frame that the game has.
    fn write_seen(seen: &Perspective<'_, Self>, _: Frame, out: &mut [i16]) {
        seen.write_observation(out);
    }
}

/// How a number becomes a byte: `(number + add) / unit`, cut off at 0 and 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ByteStep {
    /// Added first.
    pub add: i16,
    /// Then divided by.
    pub unit: i16,
}
