//! Numbers into bytes and floats, and back.

use kernel::Layout;

use crate::{ByteStep, Learn};

/// Turns the integers of an observation into the form a caller wants.
#[derive(Clone, Debug)]
pub struct Encoder {
    runs: Vec<Run>,
    len: usize,
}

/// Neighbours that are turned in the same way.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    end: usize,
    scale: i16,
    step: ByteStep,
}

impl Encoder {
    /// The encoder of a game's observation with this setup.
    pub fn new<G: Learn>(setup: &G::Setup) -> Encoder {
        let layout: Layout = G::observation(setup);
        let mut runs = Vec::new();
        let mut start = 0;
        for block in &layout.blocks {
            let steps = G::byte_steps(block);
            let n_each = block.len() / steps.len().max(1);
            for step in steps {
                let end = start + n_each;
                let scale = block.scale;
                runs.push(Run {
                    start,
                    end,
                    scale,
                    step,
                });
                start = end;
            }
        }
        Encoder { runs, len: start }
    }

    /// How many numbers an observation has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes bytes. Both slices are of the observation's length.
    #[inline]
    pub fn write_bytes(&self, numbers: &[i16], out: &mut [u8]) {
        for run in &self.runs {
            let ByteStep { add, unit } = run.step;
            let own = numbers[run.start..run.end].iter();
            let out = &mut out[run.start..run.end];
            if unit == 1 {
                for (out, &number) in out.iter_mut().zip(own) {
                    *out = number.saturating_add(add).clamp(0, 255) as u8;
                }
            } else {
                for (out, &number) in out.iter_mut().zip(own) {
                    *out = (number.saturating_add(add) / unit).clamp(0, 255) as u8;
                }
            }
        }
    }

    /// Writes floats: each number divided by its scale.
    #[inline]
    pub fn write_floats(&self, numbers: &[i16], out: &mut [f32]) {
        for run in &self.runs {
            let scale = f32::from(run.scale);
            let own = numbers[run.start..run.end].iter();
            for (out, &number) in out[run.start..run.end].iter_mut().zip(own) {
                *out = f32::from(number) / scale;
            }
        }
    }

    /// The numbers of which these are the bytes. A number that was cut off comes back as the
    /// greatest, and one that was divided as the least, of those with the same byte.
    pub fn from_bytes(&self, bytes: &[u8]) -> Vec<i16> {
        let number = |run: &Run, byte: u8| {
            let ByteStep { add, unit } = run.step;
            (i16::from(byte).saturating_mul(unit)).saturating_sub(add)
        };
        self.spread(bytes, number)
    }

    /// The numbers of which these are the floats.
    pub fn from_floats(&self, floats: &[f32]) -> Vec<i16> {
        // The cast cuts off what no number is.
        self.spread(floats, |run, float| {
            (float * f32::from(run.scale)).round() as i16
        })
    }

    fn spread<T: Copy>(&self, values: &[T], number: impl Fn(&Run, T) -> i16) -> Vec<i16> {
        let mut numbers = Vec::with_capacity(values.len());
        for run in &self.runs {
            let own = values.get(run.start..run.end).unwrap_or_default();
            numbers.extend(own.iter().map(|&value| number(run, value)));
        }
        numbers
    }
}
