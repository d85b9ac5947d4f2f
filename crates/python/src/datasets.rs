//! Writes matches to files as NumPy arrays.

use std::path::PathBuf;

use bots::Agent;
use catalog::Roster;
use catalog::with_game;
use dataset::{Fault, Manifest, Number, Options, SelfPlay};
use kernel::rng::Seed;
use learn::{Form, Frame, Learn, Sight};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::names::{SetupText, choice, game, setup as read_setup, wrong};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(dataset_of_play, module)?)?;
    module.add_function(wrap_pyfunction!(dataset_of_records, module)?)
}

/// The options of a dataset, by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Shape {
    dtype: String,
    sight: String,
    frame: String,
    shard_rows: usize,
    n_threads: usize,
}

impl Shape {
    fn options(&self) -> PyResult<Options> {
        let form = Form {
            sight: choice("sight", &self.sight, Sight::NAMES, Sight::ALL)?,
            frame: choice("frame", &self.frame, Frame::NAMES, Frame::ALL)?,
        };
        Ok(Options {
            form,
            number: choice("dtype", &self.dtype, Number::NAMES, Number::ALL)?,
            shard_rows: self.shard_rows,
            n_threads: self.n_threads,
        })
    }
}

/// Plays matches between agents, writes them as a dataset, and returns its manifest as JSON. The
/// seed is a decimal number of up to 4096 bits.
#[pyfunction]
#[pyo3(signature = (game_name, out, seats, n_games, seed, shape, setup=None))]
#[expect(clippy::too_many_arguments, reason = "Python names each of them")]
fn dataset_of_play(
    py: Python<'_>,
    game_name: &str,
    out: PathBuf,
    seats: Vec<String>,
    n_games: u32,
    seed: &str,
    shape: Shape,
    setup: Option<SetupText>,
) -> PyResult<String> {
    let options = shape.options()?;
    let seed: Seed = seed.parse().map_err(wrong)?;
    with_game!(game(game_name)?, G => {
        let setup = read_setup::<G>(setup.as_ref())?;
        let agents = seated::<G>(&seats, &setup)?;
        manifest_text(py.detach(|| {
            let play = SelfPlay { setup: &setup, agents: &agents, n_games, seed };
            dataset::self_play(&play, &options, &out, &|_| {})
        }))
    })
}

/// Replays records, writes their matches as a dataset, and returns its manifest as JSON.
#[pyfunction]
#[pyo3(signature = (game_name, out, records, shape))]
fn dataset_of_records(
    py: Python<'_>,
    game_name: &str,
    out: PathBuf,
    records: Vec<PathBuf>,
    shape: Shape,
) -> PyResult<String> {
    let options = shape.options()?;
    with_game!(game(game_name)?, G => manifest_text(py.detach(|| of_records::<G>(&records, &options, &out))))
}

fn of_records<G: Learn>(
    records: &[PathBuf],
    options: &Options,
    out: &std::path::Path,
) -> Result<Manifest, Fault> {
    let files = dataset::record_files(records)?;
    dataset::from_records::<G>(&files, options, out, &|_| {})
}

/// Creates an agent for every seat. A single name plays all seats.
fn seated<G: Roster>(names: &[String], setup: &G::Setup) -> PyResult<Vec<Box<dyn Agent<G>>>> {
    let n_seats = G::start(setup).n_seats();
    if names.len() != 1 && names.len() != n_seats {
        let (game, n_names) = (G::NAME, names.len());
        return Err(wrong(format!(
            "{game} has {n_seats} seats, but {n_names} agents are named: name one for each seat, or one for all"
        )));
    }
    let agent = |name: &String| G::agent(name, setup).map_err(wrong);
    names.iter().cycle().take(n_seats).map(agent).collect()
}

fn manifest_text(made: Result<Manifest, Fault>) -> PyResult<String> {
    match made {
        Ok(manifest) => serde_json::to_string(&manifest).map_err(wrong),
        Err(Fault::Files(message)) => Err(PyOSError::new_err(message)),
        Err(fault) => Err(wrong(fault)),
    }
}
