//! Names and documents that Python hands in.

use std::fmt::Display;
use std::str::FromStr;

use catalog::GameName;
use kernel::json::{self, Json};
use kernel::{Game, Seat, doc};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A `ValueError` that says what is wrong.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn game(name: &str) -> PyResult<GameName> {
    GameName::from_str(name).map_err(wrong)
}

/// One of several, by name.
pub(crate) fn choice<T: Copy, const N: usize>(
    what: &str,
    name: &str,
    names: [&str; N],
    all: [T; N],
) -> PyResult<T> {
    let idx = names.iter().position(|known| *known == name);
    let found = idx.map(|idx| all[idx]);
    found.ok_or_else(|| {
        let known = names.join(", ");
        wrong(format!("{what} is one of {known}, not {name:?}"))
    })
}

pub(crate) fn document(text: &str) -> PyResult<Json> {
    json::read(text.as_bytes()).map_err(wrong)
}

/// The setup in a document, or the standard one.
pub(crate) fn setup<G: Game>(text: Option<&str>) -> PyResult<G::Setup> {
    let Some(text) = text else {
        return Ok(G::Setup::default());
    };
    doc::parse::<G::Setup>(&document(text)?)
        .map_err(|faults| wrong(format!("not a setup of {}:\n{faults}", G::NAME)))
}

pub(crate) fn seat(idx: usize, n_seats: usize) -> PyResult<Seat> {
    let seat = Seat::new(idx).filter(|_| idx < n_seats);
    seat.ok_or_else(|| wrong(format!("there is no seat {idx}: there are {n_seats}")))
}

pub(crate) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
