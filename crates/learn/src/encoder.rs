//! Conversion of observation values to bytes and floats, and back.

use kernel::{Block, Layout};

use crate::{ByteStep, Learn};

/// Converts the integers of an observation into the form a caller wants.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// Adjacent values with the same scale and step.
    runs: Vec<Run>,
    /// Adjacent values that convert to bytes in the same way.
    byte_runs: Vec<ByteRun>,
    /// The divisor of each value. Stored per value, because blocks are short and one loop over all
    /// values is faster.
    scales: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    end: usize,
    scale: i16,
    step: ByteStep,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct ByteRun {
    start: usize,
    end: usize,
    way: Way,
}

/// The conversion of values to bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    /// Every value in the game's range fits.
    Add(i16),
    /// Some values may have to be clamped.
    Cut(i16),
    /// Divided too, by multiplication with a 32-bit fraction, which is exact for 16 bits.
    Divide { add: i16, fraction: u64 },
}

impl Encoder {
    /// The encoder of a game's observation with this setup.
    pub fn new<G: Learn>(setup: &G::Setup) -> Encoder {
        let layout: Layout = G::observation(setup);
        let (mut runs, mut byte_runs) = (Vec::new(), Vec::<ByteRun>::new());
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
                let way = Way::of(step, block);
                match byte_runs.last_mut() {
                    Some(last) if last.way == way => last.end = end,
                    _ => byte_runs.push(ByteRun { start, end, way }),
                }
                start = end;
            }
        }
        let scales = runs.iter().flat_map(|run: &Run| {
            let scale = f32::from(run.scale);
            std::iter::repeat_n(scale, run.end - run.start)
        });
        Encoder {
            scales: scales.collect(),
            runs,
            byte_runs,
        }
    }

    /// The number of values in an observation.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// True if an observation has no values.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Writes bytes. Both slices must have the observation's length.
    #[inline]
    pub fn write_bytes(&self, numbers: &[i16], out: &mut [u8]) {
        for run in &self.byte_runs {
            let own = numbers[run.start..run.end].iter();
            let out = out[run.start..run.end].iter_mut();
            match run.way {
                Way::Add(0) => out.zip(own).for_each(|(out, &number)| *out = number as u8),
                Way::Add(add) => {
                    let byte = |number: i16| number.wrapping_add(add) as u8;
                    out.zip(own).for_each(|(out, &number)| *out = byte(number));
                }
                Way::Cut(add) => {
                    let byte = |number: i16| number.saturating_add(add).clamp(0, 255) as u8;
                    out.zip(own).for_each(|(out, &number)| *out = byte(number));
                }
                Way::Divide { add, fraction } => {
                    let byte = |number: i16| {
                        let sum = number.saturating_add(add).max(0) as u64;
                        ((sum * fraction) >> 32).min(255) as u8
                    };
                    out.zip(own).for_each(|(out, &number)| *out = byte(number));
                }
            }
        }
    }

    /// Writes floats: each value divided by its scale.
    #[inline]
    pub fn write_floats(&self, numbers: &[i16], out: &mut [f32]) {
        for ((out, &number), scale) in out.iter_mut().zip(numbers).zip(&self.scales) {
            *out = f32::from(number) / scale;
        }
    }

    /// Recovers the values from their bytes. A clamped value becomes the greatest, and a divided
    /// value the least, of the values with the same byte.
    pub fn from_bytes(&self, bytes: &[u8]) -> Vec<i16> {
        let number = |run: &Run, byte: u8| {
            let ByteStep { add, unit } = run.step;
            (i16::from(byte).saturating_mul(unit)).saturating_sub(add)
        };
        self.spread(bytes, number)
    }

    /// Recovers the values from their floats.
    pub fn from_floats(&self, floats: &[f32]) -> Vec<i16> {
        // The cast saturates beyond the range of values.
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

impl Way {
    fn of(step: ByteStep, block: &Block) -> Way {
        let ByteStep { add, unit } = step;
        let fits = |number: i16| (0..=255).contains(&(i32::from(number) + i32::from(add)));
        match unit {
            1 if fits(block.low) && fits(block.high) => Way::Add(add),
            1 => Way::Cut(add),
            _ => Way::Divide {
                add,
                fraction: (1 << 32) / unit as u64 + 1,
            },
        }
    }
}
