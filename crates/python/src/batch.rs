//! Many environments over NumPy buffers.

use bots::Agent;
use catalog::Roster;
use catalog::with_game;
use kernel::Viewer;
use kernel::json::Json;
use learn::{
    Autoreset, Buffers, Form, Frame, Illegal, Learn, Plan, Room, Rows, Seeding, Sight, Values,
};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;

use crate::names::{SetupText, choice, document, game, setup as read_setup, text_of, wrong};
use crate::position::viewer;

/// Many environments of one game, stepped together over NumPy arrays that the caller owns.
#[pyclass(module = "referee._native")]
pub(crate) struct Batch {
    inner: Box<dyn AnyBatch>,
}

trait AnyBatch: Send + Sync {
    fn room(&self) -> Room;
    fn sizes(&self) -> (usize, usize, usize);
    fn learners(&self) -> Vec<usize>;
    fn reset(&mut self, seeding: Seeding<'_>, which: Option<&[bool]>) -> Result<(), String>;
    fn observe(&self, out: Buffers<'_>) -> Result<(), String>;
    fn step(&mut self, actions: &[i32], out: Buffers<'_>) -> Result<(), String>;
    fn sample(&mut self, actions: &mut [i32]) -> Result<(), String>;
    fn snapshot(&self, env: usize) -> Option<Vec<u8>>;
    fn hash(&self, env: usize) -> Option<String>;
    fn text(&self, env: usize, viewer: Viewer) -> Option<String>;
    fn document(&self, env: usize) -> Option<Json>;
    fn restore(&mut self, env: usize, document: &Json) -> Result<(), String>;
}

impl<G: Learn> AnyBatch for learn::Batch<G> {
    fn room(&self) -> Room {
        learn::Batch::room(self)
    }

    fn sizes(&self) -> (usize, usize, usize) {
        (self.n_values(), self.n_actions(), self.n_seats())
    }

    fn learners(&self) -> Vec<usize> {
        let seats = learn::Batch::learners(self);
        seats.iter().map(kernel::Seat::index).collect()
    }

    fn reset(&mut self, seeding: Seeding<'_>, which: Option<&[bool]>) -> Result<(), String> {
        learn::Batch::reset(self, seeding, which).map_err(|fault| fault.to_string())
    }

    fn observe(&self, out: Buffers<'_>) -> Result<(), String> {
        learn::Batch::observe(self, out).map_err(|fault| fault.to_string())
    }

    fn step(&mut self, actions: &[i32], out: Buffers<'_>) -> Result<(), String> {
        learn::Batch::step(self, actions, out).map_err(|fault| fault.to_string())
    }

    fn sample(&mut self, actions: &mut [i32]) -> Result<(), String> {
        learn::Batch::sample(self, actions).map_err(|fault| fault.to_string())
    }

    fn snapshot(&self, env: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.table(env)?.write_snapshot(&mut bytes);
        Some(bytes)
    }

    fn hash(&self, env: usize) -> Option<String> {
        Some(self.table(env)?.state_hash().to_string())
    }

    fn text(&self, env: usize, viewer: Viewer) -> Option<String> {
        Some(self.table(env)?.position().view(viewer).to_string())
    }

    fn document(&self, env: usize) -> Option<Json> {
        learn::Batch::document(self, env)
    }

    fn restore(&mut self, env: usize, document: &Json) -> Result<(), String> {
        learn::Batch::restore(self, env, document).map_err(|fault| fault.to_string())
    }
}

/// The caller's arrays, borrowed for one call.
#[derive(FromPyObject)]
struct Arrays<'py> {
    observation: Option<Numbers<'py>>,
    mask: PyReadwriteArrayDyn<'py, u8>,
    reward: PyReadwriteArrayDyn<'py, f32>,
    terminated: PyReadwriteArrayDyn<'py, bool>,
    truncated: PyReadwriteArrayDyn<'py, bool>,
    to_play: PyReadwriteArrayDyn<'py, i8>,
    last: Option<Numbers<'py>>,
}

#[derive(FromPyObject)]
enum Numbers<'py> {
    Bytes(Bound<'py, PyArrayDyn<u8>>),
    Floats(Bound<'py, PyArrayDyn<f32>>),
}

/// A [`Numbers`] borrowed for writing.
enum Borrowed<'py> {
    Nothing,
    Bytes(PyReadwriteArrayDyn<'py, u8>),
    Floats(PyReadwriteArrayDyn<'py, f32>),
}

impl<'py> Borrowed<'py> {
    fn of(numbers: Option<Numbers<'py>>) -> PyResult<Borrowed<'py>> {
        Ok(match numbers {
            None => Borrowed::Nothing,
            Some(Numbers::Bytes(array)) => Borrowed::Bytes(array.try_readwrite().map_err(wrong)?),
            Some(Numbers::Floats(array)) => Borrowed::Floats(array.try_readwrite().map_err(wrong)?),
        })
    }

    fn values(&mut self) -> PyResult<Values<'_>> {
        Ok(match self {
            Borrowed::Nothing => Values::Nothing,
            Borrowed::Bytes(array) => Values::U8(array.as_slice_mut().map_err(wrong)?),
            Borrowed::Floats(array) => Values::F32(array.as_slice_mut().map_err(wrong)?),
        })
    }
}

/// Runs a function with the arrays as buffers, with Python's lock released.
fn with_buffers<T: Send>(
    py: Python<'_>,
    arrays: Arrays<'_>,
    run: impl FnOnce(Buffers<'_>) -> Result<T, String> + Send,
) -> PyResult<T> {
    let Arrays {
        mut mask,
        mut reward,
        mut terminated,
        mut truncated,
        mut to_play,
        ..
    } = arrays;
    let mut observation = Borrowed::of(arrays.observation)?;
    let mut last = Borrowed::of(arrays.last)?;
    let buffers = Buffers {
        observation: observation.values()?,
        mask: mask.as_slice_mut().map_err(wrong)?,
        reward: reward.as_slice_mut().map_err(wrong)?,
        terminated: terminated.as_slice_mut().map_err(wrong)?,
        truncated: truncated.as_slice_mut().map_err(wrong)?,
        to_play: to_play.as_slice_mut().map_err(wrong)?,
        last: last.values()?,
    };
    py.detach(|| run(buffers)).map_err(wrong)
}

#[pymethods]
impl Batch {
    /// Creates `n_envs` environments. `opponents` has, for each seat, the name of an agent, or None
    /// if the seat learns. Without it, all seats learn.
    ///
    /// With `rows="turn"` there is one row per environment, for the seat to play. With
    /// `rows="joint"` there is one row per seat, and seats that decide at the same time act in the
    /// same step.
    #[new]
    #[pyo3(signature = (game_name, setup=None, n_envs=1, rows="turn", autoreset="next_step",
        illegal="forfeit", sight="honest", frame="given", n_threads=1, opponents=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names each of them")]
    fn new(
        game_name: &str,
        setup: Option<SetupText>,
        n_envs: usize,
        rows: &str,
        autoreset: &str,
        illegal: &str,
        sight: &str,
        frame: &str,
        n_threads: usize,
        opponents: Option<Vec<Option<String>>>,
    ) -> PyResult<Batch> {
        let rows = choice("rows", rows, ["turn", "joint"], [Rows::Turn, Rows::Joint])?;
        let modes = [
            Autoreset::NextStep,
            Autoreset::SameStep,
            Autoreset::Disabled,
        ];
        let names = ["next_step", "same_step", "disabled"];
        let autoreset = choice("autoreset", autoreset, names, modes)?;
        let ways = [Illegal::Forfeit, Illegal::Replace, Illegal::Refuse];
        let names = ["forfeit", "replace", "refuse"];
        let illegal = choice("illegal", illegal, names, ways)?;
        let form = Form {
            sight: choice("sight", sight, Sight::NAMES, Sight::ALL)?,
            frame: choice("frame", frame, Frame::NAMES, Frame::ALL)?,
        };
        with_game!(game(game_name)?, G => {
            let setup = read_setup::<G>(setup.as_ref())?;
            let opponents = seated::<G>(opponents.unwrap_or_default(), &setup)?;
            let plan = Plan { setup, n_envs, rows, autoreset, illegal, form, n_threads, opponents };
            let inner = learn::Batch::<G>::new(&plan).map_err(wrong)?;
            Ok(Batch { inner: Box::new(inner) })
        })
    }

    /// The sizes of one observation, one mask and one reward: values, actions, seats.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        self.inner.sizes()
    }

    /// The number of environments, and of rows in the arrays.
    #[getter]
    fn counts(&self) -> (usize, usize) {
        let room = self.inner.room();
        (room.envs, room.rows)
    }

    /// The seats that learn.
    #[getter]
    fn learners(&self) -> Vec<usize> {
        self.inner.learners()
    }

    /// Begins new matches in all environments, or in those where `which` (bool, one per
    /// environment) is true. `seed` is the seed of environment 0, and `seeds` has one for each.
    /// Without either, the random streams continue.
    #[pyo3(signature = (seed=None, seeds=None, which=None))]
    fn reset(
        &mut self,
        seed: Option<u64>,
        seeds: Option<Vec<u64>>,
        which: Option<PyReadonlyArrayDyn<'_, bool>>,
    ) -> PyResult<()> {
        let which = match &which {
            Some(which) => Some(which.as_slice().map_err(wrong)?),
            None => None,
        };
        let seeding = match (seed, &seeds) {
            (Some(_), Some(_)) => return Err(wrong("pass seed or seeds, not both")),
            (Some(seed), None) => Seeding::From(seed),
            (None, Some(seeds)) => Seeding::Each(seeds),
            (None, None) => Seeding::Continue,
        };
        self.inner.reset(seeding, which).map_err(wrong)
    }

    /// Writes the current observations, masks and seats to play into the arrays.
    fn observe(&self, py: Python<'_>, arrays: Arrays<'_>) -> PyResult<()> {
        with_buffers(py, arrays, |buffers| self.inner.observe(buffers))
    }

    /// Plays one action (int32) per row in all environments and writes all arrays. Raises
    /// ValueError if an array has the wrong size or, with `illegal="refuse"`, if an action is
    /// illegal; then nothing changes.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArrayDyn<'_, i32>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice().map_err(wrong)?;
        with_buffers(py, arrays, |buffers| self.inner.step(actions, buffers))
    }

    /// Plays `n_steps` random legal steps without returning to Python: for warming up, and to
    /// measure Python's overhead.
    fn run_random(&mut self, py: Python<'_>, n_steps: usize, arrays: Arrays<'_>) -> PyResult<()> {
        let mut actions = vec![0; self.inner.room().rows];
        with_buffers(py, arrays, |mut buffers| {
            for _ in 0..n_steps {
                self.inner.sample(&mut actions)?;
                self.inner.step(&actions, buffers.again())?;
            }
            Ok(())
        })
    }

    /// Writes a uniformly drawn legal action for each row into `actions`.
    fn sample(&mut self, mut actions: PyReadwriteArrayDyn<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice_mut().map_err(wrong)?;
        self.inner.sample(actions).map_err(wrong)
    }

    /// The snapshot of an environment's match as canonical JSON.
    #[pyo3(signature = (env=0))]
    fn snapshot(&self, env: usize) -> PyResult<String> {
        let bytes = self.inner.snapshot(env);
        Ok(text_of(&bytes.ok_or_else(|| self.no_env(env))?))
    }

    /// The hash of the snapshot of an environment's match.
    #[pyo3(signature = (env=0))]
    fn state_hash(&self, env: usize) -> PyResult<String> {
        self.inner.hash(env).ok_or_else(|| self.no_env(env))
    }

    /// The view of a seat, or the public view without one, as text for a terminal.
    #[pyo3(signature = (env=0, seat_idx=None))]
    fn text(&self, env: usize, seat_idx: Option<usize>) -> PyResult<String> {
        let viewer = viewer(seat_idx, self.inner.sizes().2)?;
        let text = self.inner.text(env, viewer);
        text.ok_or_else(|| self.no_env(env))
    }

    /// The state of an environment as JSON for `restore`, without its opponents' internal state.
    #[pyo3(signature = (env=0))]
    fn document(&self, env: usize) -> PyResult<String> {
        let document = self.inner.document(env);
        Ok(document.ok_or_else(|| self.no_env(env))?.to_string())
    }

    /// Restores the state of an environment from the text of `document`.
    #[pyo3(signature = (text, env=0))]
    fn restore(&mut self, text: &str, env: usize) -> PyResult<()> {
        let document = document(text)?;
        self.inner.restore(env, &document).map_err(wrong)
    }
}

impl Batch {
    fn no_env(&self, env: usize) -> PyErr {
        let n_envs = self.inner.room().envs;
        wrong(format!("there is no environment {env}: there are {n_envs}"))
    }
}

fn seated<G: Roster>(
    names: Vec<Option<String>>,
    setup: &G::Setup,
) -> PyResult<Vec<Option<Box<dyn Agent<G>>>>> {
    let seat = |name: Option<String>| {
        let Some(name) = name else { return Ok(None) };
        G::agent(&name, setup).map(Some).map_err(wrong)
    };
    names.into_iter().map(seat).collect()
}
