//! Catan's exact tensors.

use catan::Catan;
use catan::exact::{self, AUX_LEN};
use kernel::doc::{Faults, Node};
use kernel::{Recorded, json};
use learn::{Encoder, Form, Frame, Sight};
use numpy::{PyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;

use crate::names::{choice, document, seat, wrong};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CATAN_AUX_LEN", AUX_LEN)?;
    module.add_function(wrap_pyfunction!(catan_encode, module)?)?;
    module.add_function(wrap_pyfunction!(catan_decode, module)?)
}

fn form(sight: &str, frame: &str) -> PyResult<Form> {
    Ok(Form {
        sight: choice("sight", sight, Sight::NAMES, Sight::ALL)?,
        frame: choice("frame", frame, Frame::NAMES, Frame::ALL)?,
    })
}

type Encoded<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<u8>>);

/// The observation (float32) and the `aux` bytes (uint8) of a Catan snapshot. Together they
/// determine the position.
#[pyfunction]
#[pyo3(signature = (snapshot, seat_idx=0, sight="honest", frame="given"))]
fn catan_encode<'py>(
    py: Python<'py>,
    snapshot: &str,
    seat_idx: usize,
    sight: &str,
    frame: &str,
) -> PyResult<Encoded<'py>> {
    let form = form(sight, frame)?;
    let json = document(snapshot)?;
    let mut faults = Faults::default();
    let position = Catan::restore(&Node::root(&json), &mut faults);
    let position = faults.into_result(position).map_err(wrong)?;
    let (numbers, aux) = exact::encode(&position, seat(seat_idx, 2)?, form);
    let encoder = Encoder::new::<Catan>(position.setup());
    let mut floats = vec![0.0; encoder.len()];
    encoder.write_floats(&numbers, &mut floats);
    Ok((
        PyArray1::from_vec(py, floats),
        PyArray1::from_slice(py, &aux),
    ))
}

/// Reconstructs the position from an observation (float32 or uint8) and its `aux`. Returns a
/// snapshot without the match's identity, as JSON.
#[pyfunction]
#[pyo3(signature = (observation, aux, sight="honest", frame="given", names=("Blue", "Orange")))]
fn catan_decode(
    observation: &Bound<'_, PyAny>,
    aux: PyReadonlyArrayDyn<'_, u8>,
    sight: &str,
    frame: &str,
    names: (&str, &str),
) -> PyResult<String> {
    let form = form(sight, frame)?;
    let encoder = Encoder::new::<Catan>(&catan::Setup::default());
    let numbers = match observation.extract::<PyReadonlyArrayDyn<'_, u8>>() {
        Ok(bytes) => encoder.from_bytes(bytes.as_slice().map_err(wrong)?),
        Err(_) => {
            let floats: PyReadonlyArrayDyn<'_, f32> = observation.extract()?;
            encoder.from_floats(floats.as_slice().map_err(wrong)?)
        }
    };
    let aux = aux.as_slice().map_err(wrong)?;
    let position = exact::decode(&numbers, aux, form, [names.0, names.1]).map_err(wrong)?;
    let document = json::from_value(&position.snapshot()).map_err(wrong)?;
    Ok(document.to_string())
}
