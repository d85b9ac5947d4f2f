//! What a policy sees, as numbers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Game, Seat};

/// A game that writes observations for learning.
///
/// Values are small integers with a stated range and scale, so that the rules stay free
/// of floats, a batch stays compact, and dividing by the scale gives the floats that a
/// network wants. An observation holds nothing that the seat's view does not.
pub trait Observe: Game {
    /// What the numbers mean; the same through a match.
    fn observation(setup: &Self::Setup) -> Layout;

    /// Writes the seat's observation: every value of the buffer, whose length is
    /// [`Layout::len`].
    fn write_observation(&self, seat: Seat, out: &mut [i16]);
}

/// The blocks of an observation, one after the other.
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
    /// The least value.
    pub low: i16,
    /// The greatest value.
    pub high: i16,
    /// Divide by this for the float form.
    pub scale: i16,
    /// What the numbers say.
    pub about: &'static str,
}

impl Layout {
    /// How many numbers an observation has.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Whether there are no numbers at all.
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
    /// How many numbers the block has.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the block has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
