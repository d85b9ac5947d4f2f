//! Observations: the position as numbers for a policy.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Game, Seat};

/// A game that writes observations for learning.
///
/// Values are small integers with a stated range and scale, so that the rules stay free
/// of floats, a batch stays compact, and dividing by the scale gives the floats that a
/// network wants. An observation holds nothing that the seat's view does not.
pub trait Observe: Game {
    /// The layout of the observation; constant through a match.
    fn observation(setup: &Self::Setup) -> Layout;

    /// Writes the seat's observation. Overwrites the entire buffer, whose length is
    /// [`Layout::len`].
    fn write_observation(&self, seat: Seat, out: &mut [i16]);
}

/// The blocks of an observation, one after another in the buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Layout {
    /// In the order in which they are written.
    pub blocks: Vec<Block>,
}

/// A named tensor within an observation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Block {
    /// The name in Python and in the docs.
    pub name: &'static str,
    /// The lengths of its axes, row-major.
    pub shape: Vec<usize>,
    /// The smallest possible value.
    pub low: i16,
    /// The largest possible value.
    pub high: i16,
    /// Divide by this for the float form.
    pub scale: i16,
    /// The meaning of the numbers.
    pub about: &'static str,
}

impl Layout {
    /// The number of values in an observation.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// True if the observation has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first value that is out of its block's range, with the block's name.
    pub fn first_out_of_range(&self, observation: &[i16]) -> Option<(&'static str, i16)> {
        let mut rest = observation;
        for block in &self.blocks {
            let (own, after) = rest.split_at_checked(block.len())?;
            let fits = |value: &&i16| **value < block.low || **value > block.high;
            if let Some(&value) = own.iter().find(fits) {
                return Some((block.name, value));
            }
            rest = after;
        }
        None
    }
}

impl Block {
    /// A block whose numbers lie in `range`; the scale makes them at most 1.
    pub fn new(
        name: &'static str,
        shape: impl Into<Vec<usize>>,
        range: RangeInclusive<i16>,
        about: &'static str,
    ) -> Block {
        let (low, high) = range.into_inner();
        Block {
            name,
            shape: shape.into(),
            low,
            high,
            scale: low.saturating_abs().max(high.saturating_abs()).max(1),
            about,
        }
    }

    /// The number of values in the block.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// True if the block has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
