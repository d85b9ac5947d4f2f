//! Games that policies can learn.

mod form;

use serde::Serialize;

use crate::{Block, Describe, Observe, Perspective, Redraw, Seat};

pub use form::{Form, Frame, Sight};

/// A game that policies can learn.
pub trait Learn: Describe + Observe + Redraw {
    /// The version of the observation (semver). A change of any number needs a new major version.
    const OBSERVATION_VERSION: &'static str;
    /// The seat numberings that the game supports.
    const FRAMES: &'static [Frame];
    /// The sights that the game's observations support.
    const SIGHTS: &'static [Sight];

    /// The conversion of the block's numbers to bytes: one step for all of them, or one for each.
    fn byte_steps(block: &Block) -> Vec<ByteStep> {
        let add = -block.low;
        vec![ByteStep { add, unit: 1 }]
    }

    /// Writes a seat's observation in a form that the game supports. Overwrites the entire buffer.
    fn write_form(&self, seat: Seat, form: Form, out: &mut [i16]);

    /// Writes the same observation as bytes, if the game has a faster way than applying the byte
    /// steps to its numbers. Otherwise writes nothing and returns false.
    #[inline]
    fn write_bytes(&self, _: Seat, _: Form, _: &mut [u8]) -> bool {
        false
    }

    /// The blocks of bytes that exact inversion needs in addition to the observation, for games
    /// that support it. They are never shown to a policy.
    fn aux() -> Vec<Block> {
        Vec::new()
    }

    /// Writes the honest observation of a perspective's seat, in a frame that the game supports.
    fn write_seen(seen: &Perspective<'_, Self>, _: Frame, out: &mut [i16]) {
        seen.write_observation(out);
    }
}

/// The conversion of a number to a byte: `(number + add) / unit`, clamped to 0 and 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ByteStep {
    /// The number added first.
    pub add: i16,
    /// The divisor applied after that.
    pub unit: i16,
}
