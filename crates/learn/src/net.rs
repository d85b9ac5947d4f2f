//! A trained network as a player: read from a file, played without Python.
//!
//! The file is a line that names the format, a line of JSON that describes the network, and the
//! numbers: for each layer its weights, one row for each input, and its biases, as little-endian
//! 32-bit floats. Every layer but the last is followed by `max(0, x)`; the last has an output for
//! each action. The legal action with the greatest output is played, the first among equals.
//!
//! In the first format the inputs are the values of the observation, each divided by its scale. In
//! the second the JSON has `inputs`: consecutive runs over the bytes of the observation, each
//! `{"from": 114, "to": 186, "is": 1}` (1 if the byte equals that, else 0), or with `least` (1 if
//! the byte is at least that) or `per` (the byte divided by that).

mod inputs;

use kernel::doc::{Faults, Node};
use kernel::json;
use kernel::{ActionId, Mask, Perspective};

use self::inputs::{Eye, Inputs};
use crate::{Encoder, Fault, Frame, Learn};

/// The first line of a file in the current format.
pub const FORMAT: &str = "referee-net 2";
/// The first line of a file whose inputs are the scaled values.
const FORMAT_SCALED: &str = "referee-net 1";
/// The maximum number of layers, and the maximum width of one.
const LAYERS_MAX: i64 = 16;
const WIDTH_MAX: i64 = 65_536;

/// A network for one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    inputs: Inputs,
    layers: Vec<Layer>,
    frame: Frame,
}

#[derive(Clone, PartialEq, Debug)]
struct Layer {
    /// One row for each input.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl Net {
    /// Reads a network and checks that it fits this game and this setup.
    pub fn read<G: Learn>(bytes: &[u8], setup: &G::Setup) -> Result<Net, Fault> {
        let wrong = |message: String| Fault::Document(format!("not a network: {message}"));
        let mut parts = bytes.splitn(3, |&byte| byte == b'\n');
        let has_runs = match parts.next().unwrap_or_default() {
            format if format == FORMAT.as_bytes() => true,
            format if format == FORMAT_SCALED.as_bytes() => false,
            _ => {
                let message = format!("the first line is not {FORMAT:?} or {FORMAT_SCALED:?}");
                return Err(wrong(message));
            }
        };
        let header = json::read(parts.next().unwrap_or_default())
            .map_err(|error| wrong(format!("line 2: {error}")))?;
        let n_values = Encoder::new::<G>(setup).len();
        let mut faults = Faults::default();
        let header = Header::read::<G>(&Node::root(&header), has_runs, n_values, &mut faults);
        let header = faults.into_result(header);
        let header = header.map_err(|faults| wrong(faults.one_line()))?;
        let ends = (header.inputs.len(n_values), G::start(setup).n_actions());
        let widths = &header.widths;
        if widths.first().zip(widths.last()) != Some((&ends.0, &ends.1)) {
            return Err(wrong(format!(
                "its layers are {widths:?}; this setup has {} numbers and {} actions",
                ends.0, ends.1
            )));
        }
        if !G::FRAMES.contains(&header.frame) {
            let frame = header.frame;
            return Err(wrong(format!("{} has no {frame:?} frame", G::NAME)));
        }
        let layers = read_layers(widths, parts.next().unwrap_or_default()).map_err(wrong)?;
        Ok(Net {
            inputs: header.inputs,
            layers,
            frame: header.frame,
        })
    }

    /// The outputs for these inputs. Sums are computed in a fixed order.
    pub fn outputs(&self, inputs: &[f32]) -> Vec<f32> {
        let mut values = inputs.to_vec();
        for (idx, layer) in self.layers.iter().enumerate() {
            values = layer.outputs(&values);
            if idx + 1 < self.layers.len() {
                values.iter_mut().for_each(|value| *value = value.max(0.0));
            }
        }
        values
    }
}

impl Layer {
    fn outputs(&self, inputs: &[f32]) -> Vec<f32> {
        let mut sums = self.biases.clone();
        let rows = self.weights.chunks_exact(self.biases.len());
        for (&input, row) in inputs.iter().zip(rows).filter(|(input, _)| **input != 0.0) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += input * weight;
            }
        }
        sums
    }
}

/// The second line of a file.
struct Header {
    frame: Frame,
    inputs: Inputs,
    widths: Vec<usize>,
}

impl Header {
    fn read<G: Learn>(
        node: &Node<'_>,
        has_runs: bool,
        n_values: usize,
        faults: &mut Faults,
    ) -> Option<Header> {
        let fields = ["frame", "game", "layers", "observation_version", "inputs"];
        let n_fields = if has_runs { 5 } else { 4 };
        node.only_fields(&fields[..n_fields], faults);
        node.field("game").one_of(&[G::NAME], faults);
        node.field("observation_version")
            .one_of(&[G::OBSERVATION_VERSION], faults);
        let frame = node.field("frame").one_of(&Frame::NAMES, faults);
        let widths = read_widths(&node.field("layers"), faults);
        let inputs = match has_runs {
            true => Inputs::read(&node.field("inputs"), n_values, faults),
            false => Some(Inputs::Scaled),
        };
        Some(Header {
            frame: Frame::ALL[frame?],
            inputs: inputs?,
            widths: widths?,
        })
    }
}

fn read_widths(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<usize>> {
    let widths = node.list(faults)?;
    if !(2..=LAYERS_MAX as usize + 1).contains(&widths.len()) {
        return node.refuse("wrong_length", "2 to 17 widths", faults);
    }
    let width = |it: &Node<'_>| it.int_in(1..=WIDTH_MAX, faults).map(|it| it as usize);
    widths.iter().map(width).collect()
}

fn read_layers(widths: &[usize], bytes: &[u8]) -> Result<Vec<Layer>, String> {
    let n_numbers: usize = widths.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum();
    if bytes.len() != 4 * n_numbers {
        let n_found = bytes.len();
        return Err(format!(
            "expected {} bytes of numbers, found {n_found}",
            4 * n_numbers
        ));
    }
    let (fours, _) = bytes.as_chunks::<4>();
    let mut numbers = fours.iter().map(|four| f32::from_le_bytes(*four));
    let mut layers = Vec::new();
    for pair in widths.windows(2) {
        let weights = numbers.by_ref().take(pair[0] * pair[1]).collect();
        let biases = numbers.by_ref().take(pair[1]).collect();
        layers.push(Layer { weights, biases });
    }
    let all = |layer: &Layer| {
        layer
            .weights
            .iter()
            .chain(&layer.biases)
            .all(|it| it.is_finite())
    };
    match layers.iter().all(all) {
        true => Ok(layers),
        false => Err("a number is not finite".to_owned()),
    }
}

/// A network that plays a seat.
#[derive(Clone)]
pub struct NetPlayer {
    net: std::sync::Arc<Net>,
    eye: Eye,
    mask: Mask,
    numbers: Vec<i16>,
}

impl NetPlayer {
    /// A player for matches with this setup, from the bytes of a network file.
    pub fn new<G: Learn>(bytes: &[u8], setup: &G::Setup) -> Result<NetPlayer, Fault> {
        Ok(NetPlayer {
            net: Net::read::<G>(bytes, setup)?.into(),
            eye: Eye::new::<G>(setup),
            mask: Mask::default(),
            numbers: vec![0; Encoder::new::<G>(setup).len()],
        })
    }

    /// The network's action; `None` if no action is legal.
    pub fn decide<G: Learn>(&mut self, seen: &Perspective<'_, G>) -> Option<G::Action> {
        seen.fill_legal(&mut self.mask);
        G::write_seen(seen, self.net.frame, &mut self.numbers);
        let inputs = self.eye.look(&self.net.inputs, &self.numbers);
        let outputs = self.net.outputs(inputs);
        let mut best: Option<(ActionId, f32)> = None;
        for id in self.mask.iter() {
            let output = outputs[id.index()];
            if best.is_none_or(|(_, most)| output > most) {
                best = Some((id, output));
            }
        }
        seen.action(best?.0)
    }
}
