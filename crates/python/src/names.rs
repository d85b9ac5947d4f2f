//! Parses names and documents passed from Python.

use std::fmt::Display;
use std::path::{MAIN_SEPARATOR, PathBuf};
use std::str::FromStr;

use catalog::GameName;
use kernel::json::{self, Json};
use kernel::{Recorded, Seat};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A Python `ValueError` with this message.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn game(name: &str) -> PyResult<GameName> {
    GameName::from_str(name).map_err(wrong)
}

/// Looks up the value for a name. The error lists all names.
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
        wrong(format!("{what} must be one of {known}, not {name:?}"))
    })
}

pub(crate) fn document(text: &str) -> PyResult<Json> {
    json::read(text.as_bytes()).map_err(wrong)
}

/// A setup argument as JSON text. Python may pass a dict, JSON text, the name of a scenario, or the
/// path of a JSON file.
pub(crate) struct SetupText(String);

impl<'py> FromPyObject<'_, 'py> for SetupText {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<SetupText> {
        let text = given.extract::<String>().ok();
        if let Some(text) = text.as_ref().filter(|text| text.starts_with(['{', '"'])) {
            return Ok(SetupText(text.clone()));
        }
        let is_path = |text: &String| text.contains(['.', '/', MAIN_SEPARATOR]);
        let named = text.as_ref().filter(|text| !is_path(text));
        if let (None, Ok(path)) = (named, given.extract::<PathBuf>()) {
            let file = path.display();
            let read = std::fs::read_to_string(&path);
            return read
                .map(SetupText)
                .map_err(|error| wrong(format!("{file}: {error}")));
        }
        let json = given.py().import("json")?;
        let text = json.call_method1("dumps", (given,))?;
        text.extract().map(SetupText)
    }
}

impl SetupText {
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// Reads the given setup, or returns the game's default.
pub(crate) fn setup<G: Recorded>(given: Option<&SetupText>) -> PyResult<G::Setup> {
    let Some(SetupText(text)) = given else {
        return Ok(G::Setup::default());
    };
    G::read_setup(&document(text)?)
        .map_err(|faults| wrong(format!("not a setup of {}:\n{faults}", G::NAME)))
}

pub(crate) fn seat(idx: usize, n_seats: usize) -> PyResult<Seat> {
    let seat = Seat::new(idx).filter(|_| idx < n_seats);
    seat.ok_or_else(|| wrong(format!("there is no seat {idx}: there are {n_seats}")))
}

pub(crate) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
