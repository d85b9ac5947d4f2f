//! What each game gives for learning.

use kernel::{Block, Describe, Observe, Perspective, Redraw, Seat};
use orcain::Orcain;
use serde::Serialize;
use stellar::Stellar;

use crate::{Encoder, Form, Frame, Sight};

/// A game to learn.
pub trait Learn: Describe + Observe + Redraw {
    /// The version of the observation (semver). A change of any number is a new major.
    const OBSERVATION_VERSION: &'static str;
    /// The ways to number seats that the game has.
    const FRAMES: &'static [Frame];
    /// What its observations can tell.
    const SIGHTS: &'static [Sight];

    /// How the block's numbers become bytes: one step for all of them, or one for each.
    fn byte_steps(block: &Block) -> Vec<ByteStep> {
        let add = -block.low;
        vec![ByteStep { add, unit: 1 }]
    }

    /// Writes the observation of a seat in a form that the game has: every number of the
    /// buffer.
    fn write_form(&self, seat: Seat, form: Form, out: &mut [i16]);

    /// Writes the same as bytes. `numbers` is room for the observation, to be used or not.
    #[inline]
    fn write_bytes(
        &self,
        seat: Seat,
        form: Form,
        encoder: &Encoder,
        numbers: &mut [i16],
        out: &mut [u8],
    ) {
        self.write_form(seat, form, numbers);
        encoder.write_bytes(numbers, out);
    }

    /// Writes the honest observation of who looks, in a frame that the game has.
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

impl Learn for Orcain {
    const OBSERVATION_VERSION: &'static str = "1.0.0";
    const FRAMES: &'static [Frame] = &[Frame::Given];
    const SIGHTS: &'static [Sight] = &Sight::ALL;

    /// The full form shows the other's slots as they lie.
    fn write_form(&self, seat: Seat, form: Form, out: &mut [i16]) {
        match form.sight {
            Sight::Honest => self.write_observation(seat, out),
            Sight::Full => self.write_full_observation(seat, out),
        }
    }

    #[inline]
    fn write_bytes(
        &self,
        seat: Seat,
        form: Form,
        encoder: &Encoder,
        numbers: &mut [i16],
        out: &mut [u8],
    ) {
        if form.sight == Sight::Honest {
            return self.write_observation_bytes(seat, out);
        }
        self.write_form(seat, form, numbers);
        encoder.write_bytes(numbers, out);
    }
}

impl Learn for Stellar {
    const OBSERVATION_VERSION: &'static str = "1.0.0";
    const FRAMES: &'static [Frame] = &[Frame::Given];
    const SIGHTS: &'static [Sight] = &[Sight::Honest];

    fn write_form(&self, seat: Seat, _: Form, out: &mut [i16]) {
        self.write_observation(seat, out);
    }
}
