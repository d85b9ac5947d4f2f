//! Observations, declared and written by the same code.

use std::ops::RangeInclusive;

use crate::Block;

/// An observation that is being declared or written.
///
/// Each method declares a block of numbers and writes it. In all positions of a match, the same
/// blocks follow each other, with the same shapes.
pub struct Numbers<'a> {
    into: Target<'a>,
}

enum Target<'a> {
    Blocks(&'a mut Vec<Block>),
    /// The part of the buffer that was not written yet.
    Buffer(&'a mut [i16]),
}

impl<'a> Numbers<'a> {
    /// Declares blocks and writes no number.
    pub(super) fn declare(blocks: &'a mut Vec<Block>) -> Numbers<'a> {
        Numbers {
            into: Target::Blocks(blocks),
        }
    }

    /// Writes numbers.
    pub(super) fn write(buffer: &'a mut [i16]) -> Numbers<'a> {
        Numbers {
            into: Target::Buffer(buffer),
        }
    }

    /// A block with one axis, whose numbers lie in `range`.
    pub fn block<T: Into<i16>>(
        &mut self,
        name: &'static str,
        about: &'static str,
        range: RangeInclusive<T>,
        numbers: impl IntoIterator<Item = T>,
    ) {
        match &mut self.into {
            Target::Blocks(blocks) => {
                let len = numbers.into_iter().count();
                blocks.push(Block::new(name, [len], widened(range), about));
            }
            Target::Buffer(rest) => write_numbers(rest, numbers),
        }
    }

    /// A block with several axes, whose numbers lie in `range`, row-major.
    pub fn tensor<T: Into<i16>>(
        &mut self,
        name: &'static str,
        about: &'static str,
        shape: impl Into<Vec<usize>>,
        range: RangeInclusive<T>,
        numbers: impl IntoIterator<Item = T>,
    ) {
        match &mut self.into {
            Target::Blocks(blocks) => {
                blocks.push(Block::new(name, shape, widened(range), about));
            }
            Target::Buffer(rest) => write_numbers(rest, numbers),
        }
    }

    /// A block of `n` zeros, with a one at this index if there is one.
    pub fn one_hot(
        &mut self,
        name: &'static str,
        about: &'static str,
        n: usize,
        idx: Option<usize>,
    ) {
        self.block(
            name,
            about,
            0..=1,
            (0..n).map(|it| i16::from(Some(it) == idx)),
        );
    }
}

fn widened<T: Into<i16>>(range: RangeInclusive<T>) -> RangeInclusive<i16> {
    let (start, end) = range.into_inner();
    start.into()..=end.into()
}

/// Writes numbers at the start of the rest, and takes them off. More numbers than the blocks
/// declare are a bug in the game; debug builds panic.
fn write_numbers<T: Into<i16>>(rest: &mut &mut [i16], numbers: impl IntoIterator<Item = T>) {
    for number in numbers {
        let whole = std::mem::take(rest);
        debug_assert!(!whole.is_empty(), "an observation grew during the match");
        if let Some((first, after)) = whole.split_first_mut() {
            *first = number.into();
            *rest = after;
        }
    }
}
