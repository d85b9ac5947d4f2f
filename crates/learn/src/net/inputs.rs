//! Inputs of a network, made from an observation.

use kernel::doc::{Faults, Node};

use crate::{Encoder, Learn};

/// The maximum number of runs in a file, and of inputs of a network.
const RUNS_MAX: usize = 4096;
const INPUTS_MAX: usize = 65_536;

/// The conversion of observations to inputs.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Inputs {
    /// Each value divided by its scale, as in the first format.
    Scaled,
    /// Consecutive runs of inputs over the bytes of the observation.
    Runs(Vec<Run>),
}

/// Inputs for the bytes from `start` up to `end`, exclusive, one for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    start: usize,
    end: usize,
    way: Way,
}

/// The conversion of a byte to an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// 1 if it equals this, else 0.
    Is(u8),
    /// 1 if it is at least this, else 0.
    Least(u8),
    /// The byte divided by this.
    Per(u8),
}

impl Inputs {
    /// Reads the runs over an observation of `n_values` values. Reports every fault.
    pub(super) fn read(node: &Node<'_>, n_values: usize, faults: &mut Faults) -> Option<Inputs> {
        let runs = node.list(faults)?;
        if !(1..=RUNS_MAX).contains(&runs.len()) {
            return node.refuse("wrong_length", "1 to 4096 runs", faults);
        }
        let runs: Vec<_> = runs
            .iter()
            .map(|run| Run::read(run, n_values, faults))
            .collect();
        let runs: Vec<Run> = runs.into_iter().collect::<Option<_>>()?;
        let inputs = Inputs::Runs(runs);
        match inputs.len(n_values) {
            0..=INPUTS_MAX => Some(inputs),
            _ => node.refuse("out_of_range", "runs with at most 65536 inputs", faults),
        }
    }

    /// The number of inputs for an observation of `n_values` values.
    pub(super) fn len(&self, n_values: usize) -> usize {
        match self {
            Inputs::Scaled => n_values,
            Inputs::Runs(runs) => runs.iter().map(|run| run.end - run.start).sum(),
        }
    }
}

impl Run {
    fn read(node: &Node<'_>, n_values: usize, faults: &mut Faults) -> Option<Run> {
        node.only_fields(&["from", "is", "least", "per", "to"], faults);
        let n_all = n_values as i64;
        let start = node.field("from").int_in(0..=n_all - 1, faults);
        let end = node.field("to").int_in(1..=n_all, faults);
        let way = Way::read(node, faults);
        let (start, end) = (start? as usize, end? as usize);
        if start >= end {
            return node.refuse("wrong_order", "\"from\" before \"to\"", faults);
        }
        way.map(|way| Run { start, end, way })
    }
}

impl Way {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Way> {
        let ways = ["is", "least", "per"];
        let mut named = ways.iter().filter(|way| node.field(way).exists());
        let (Some(&name), None) = (named.next(), named.next()) else {
            let expected = "one of \"is\", \"least\" and \"per\"";
            return node.refuse("wrong_way", expected, faults);
        };
        let least = i64::from(name == "per");
        let value = node.field(name).int_in(least..=255, faults)? as u8;
        Some(match name {
            "is" => Way::Is(value),
            "least" => Way::Least(value),
            _ => Way::Per(value),
        })
    }

    fn input(self, byte: u8) -> f32 {
        match self {
            Way::Is(value) => f32::from(u8::from(byte == value)),
            Way::Least(value) => f32::from(u8::from(byte >= value)),
            Way::Per(value) => f32::from(byte) / f32::from(value),
        }
    }
}

/// Makes inputs, with its own buffers.
#[derive(Clone, Debug)]
pub(super) struct Eye {
    encoder: Encoder,
    bytes: Vec<u8>,
    inputs: Vec<f32>,
}

impl Eye {
    pub(super) fn new<G: Learn>(setup: &G::Setup) -> Eye {
        let encoder = Encoder::new::<G>(setup);
        Eye {
            bytes: vec![0; encoder.len()],
            inputs: Vec::new(),
            encoder,
        }
    }

    /// The inputs for the values of an observation.
    pub(super) fn look(&mut self, inputs: &Inputs, numbers: &[i16]) -> &[f32] {
        self.inputs.clear();
        match inputs {
            Inputs::Scaled => {
                self.inputs.resize(numbers.len(), 0.0);
                self.encoder.write_floats(numbers, &mut self.inputs);
            }
            Inputs::Runs(runs) => {
                self.encoder.write_bytes(numbers, &mut self.bytes);
                for run in runs {
                    let bytes = &self.bytes[run.start..run.end];
                    self.inputs
                        .extend(bytes.iter().map(|&byte| run.way.input(byte)));
                }
            }
        }
        &self.inputs
    }
}
