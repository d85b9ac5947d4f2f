//! A position for search.

use catalog::with_game;
use kernel::json::{self, Hash, Json};
use kernel::rng::{Generator, Pcg64, Seed};
use kernel::{
    ActionId, Discard, Draw, Game, GameExt, Odds, Outcome, Recorded, Seat, Step, Turn, Viewer, doc,
};
use learn::{Form, Learn};
use pyo3::prelude::*;

use crate::names::{SetupText, document, game, seat, setup as read_setup, wrong};

/// A position without a generator, for search. The caller resolves chance.
#[pyclass(module = "referee._native")]
pub(crate) struct Position {
    inner: Box<dyn AnyPosition>,
}

/// The operations that Python needs on a position of any game.
pub(crate) trait AnyPosition: Send + Sync {
    fn again(&self) -> Box<dyn AnyPosition>;
    fn game(&self) -> &'static str;
    fn n_seats(&self) -> usize;
    fn n_actions(&self) -> usize;
    fn steps_max(&self) -> u64;
    fn turn(&self) -> Turn;
    fn turn_number(&self) -> u32;
    fn odds(&self) -> Odds;
    fn legal(&self, seat: Seat) -> Vec<usize>;
    fn play(&mut self, seat: Seat, action: usize) -> Result<(), String>;
    fn resolve(&mut self, draw: u64) -> Result<(), String>;
    fn deadline(&mut self) -> Result<(), String>;
    fn action_text(&self, action: usize) -> Option<String>;
    fn text(&self, viewer: Viewer) -> String;
    fn view(&self, viewer: Viewer) -> Json;
    fn snapshot(&self) -> Json;
    fn setup(&self) -> Json;
    fn floats(&self, seat: Seat) -> Vec<f32>;
    fn redraw(&self, seat: Seat, seed: u64) -> Box<dyn AnyPosition>;
}

struct Of<G: Learn> {
    position: G,
    setup: G::Setup,
}

impl<G: Learn> AnyPosition for Of<G> {
    fn again(&self) -> Box<dyn AnyPosition> {
        Box::new(Of::<G> {
            position: self.position.clone(),
            setup: self.setup.clone(),
        })
    }

    fn game(&self) -> &'static str {
        G::NAME
    }

    fn n_seats(&self) -> usize {
        self.position.n_seats()
    }

    fn n_actions(&self) -> usize {
        self.position.n_actions()
    }

    fn steps_max(&self) -> u64 {
        G::steps_max(&self.setup)
    }

    fn turn(&self) -> Turn {
        self.position.turn()
    }

    fn turn_number(&self) -> u32 {
        self.position.turn_number()
    }

    fn odds(&self) -> Odds {
        self.position.odds()
    }

    fn legal(&self, seat: Seat) -> Vec<usize> {
        let legal = self.position.legal(seat);
        legal.iter().map(ActionId::index).collect()
    }

    fn play(&mut self, seat: Seat, action: usize) -> Result<(), String> {
        let found = self.position.action(ActionId::new(action));
        let found = found.ok_or_else(|| format!("there is no action {action}"))?;
        let done = self.position.play(seat, found, &mut Discard);
        done.map_err(|refusal| refusal.to_string())
    }

    fn resolve(&mut self, draw: u64) -> Result<(), String> {
        let done = self.position.resolve(Draw(draw), &mut Discard);
        done.map_err(|refusal| refusal.to_string())
    }

    fn deadline(&mut self) -> Result<(), String> {
        let done = self.position.apply(Step::Deadline, &mut Discard);
        done.map_err(|refusal| refusal.to_string())
    }

    fn action_text(&self, action: usize) -> Option<String> {
        let action = self.position.action(ActionId::new(action))?;
        Some(action.to_string())
    }

    fn text(&self, viewer: Viewer) -> String {
        self.position.view(viewer).to_string()
    }

    fn view(&self, viewer: Viewer) -> Json {
        json::from_value(&self.position.view(viewer)).unwrap_or(Json::Null)
    }

    fn snapshot(&self) -> Json {
        json::from_value(&self.position.snapshot()).unwrap_or(Json::Null)
    }

    fn setup(&self) -> Json {
        json::from_value(&self.setup).unwrap_or(Json::Null)
    }

    fn floats(&self, seat: Seat) -> Vec<f32> {
        let encoder = learn::Encoder::new::<G>(&self.setup);
        let mut numbers = vec![0; encoder.len()];
        let mut floats = vec![0.0; encoder.len()];
        self.position
            .write_form(seat, Form::default(), &mut numbers);
        encoder.write_floats(&numbers, &mut floats);
        floats
    }

    fn redraw(&self, seat: Seat, seed: u64) -> Box<dyn AnyPosition> {
        let mut rng = Generator::Pcg64(Pcg64::from_seed(&Seed::from(seed)));
        Box::new(Of::<G> {
            position: self.position.redraw(Viewer::Seat(seat), &mut rng),
            setup: self.setup.clone(),
        })
    }
}

/// The viewer for a seat, or the public viewer for `None`.
pub(crate) fn viewer(of: Option<usize>, n_seats: usize) -> PyResult<Viewer> {
    Ok(match of {
        Some(idx) => Viewer::Seat(seat(idx, n_seats)?),
        None => Viewer::Public,
    })
}

/// An outcome as JSON text.
pub(crate) fn outcome_text(outcome: Option<Outcome>) -> Option<String> {
    let outcome = outcome?;
    json::from_value(&outcome).ok().map(|json| json.to_string())
}

/// The result of `__reduce__`: a callable and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, String, String));

#[pymethods]
impl Position {
    /// The first position of a match.
    #[new]
    #[pyo3(signature = (game_name, setup=None))]
    fn new(game_name: &str, setup: Option<SetupText>) -> PyResult<Position> {
        with_game!(game(game_name)?, G => {
            let setup = read_setup::<G>(setup.as_ref())?;
            let position = G::start(&setup);
            Ok(Position { inner: Box::new(Of::<G> { position, setup }) })
        })
    }

    /// Restores the position from the snapshot of a match with this setup.
    #[staticmethod]
    #[pyo3(signature = (game_name, snapshot, setup=None))]
    fn restore(game_name: &str, snapshot: &str, setup: Option<SetupText>) -> PyResult<Position> {
        with_game!(game(game_name)?, G => {
            let setup = read_setup::<G>(setup.as_ref())?;
            let json = document(snapshot)?;
            let mut faults = doc::Faults::default();
            let position = G::restore(&doc::Node::root(&json), &mut faults);
            let position = faults.into_result(position).map_err(wrong)?;
            Ok(Position { inner: Box::new(Of::<G> { position, setup }) })
        })
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.game()
    }

    /// The number of seats.
    #[getter]
    fn n_seats(&self) -> usize {
        self.inner.n_seats()
    }

    /// The number of action ids.
    #[getter]
    fn n_actions(&self) -> usize {
        self.inner.n_actions()
    }

    /// An upper bound on the steps of any match.
    #[getter]
    fn steps_max(&self) -> u64 {
        self.inner.steps_max()
    }

    /// The number of the turn or round.
    #[getter]
    fn turn_number(&self) -> u32 {
        self.inner.turn_number()
    }

    /// The kind of the next step: "seat", "sealed", "chance", "clock" or "over".
    #[getter]
    fn turn(&self) -> &'static str {
        match self.inner.turn() {
            Turn::Seat(_) => "seat",
            Turn::Sealed(_) => "sealed",
            Turn::Chance => "chance",
            Turn::Clock => "clock",
            Turn::Over(_) => "over",
        }
    }

    /// The seats that must decide, in ascending order.
    #[getter]
    fn missing(&self) -> Vec<usize> {
        self.inner
            .turn()
            .missing()
            .iter()
            .map(Seat::index)
            .collect()
    }

    /// The score of each seat: 1 for a win, -1 for a loss, otherwise 0.
    #[getter]
    fn scores(&self) -> Vec<i8> {
        let outcome = self.inner.turn().outcome();
        let score = |seat| outcome.map_or(0, |outcome| outcome.score(seat));
        Seat::first(self.inner.n_seats()).map(score).collect()
    }

    /// The outcome as JSON, or None while the match continues.
    #[getter]
    fn outcome(&self) -> Option<String> {
        outcome_text(self.inner.turn().outcome())
    }

    /// The ids of the seat's legal actions, in ascending order.
    fn legal(&self, seat_idx: usize) -> PyResult<Vec<usize>> {
        Ok(self.inner.legal(seat(seat_idx, self.inner.n_seats())?))
    }

    /// Plays an action for a seat. Raises ValueError if it is illegal.
    fn play(&mut self, seat_idx: usize, action: usize) -> PyResult<()> {
        let seat = seat(seat_idx, self.inner.n_seats())?;
        self.inner.play(seat, action).map_err(wrong)
    }

    /// The possible outcomes of chance with their probabilities, or None if any 64-bit number is
    /// possible. Raises ValueError if no chance is due.
    fn chance(&self) -> PyResult<Option<Vec<(u64, f64)>>> {
        if self.inner.turn() != Turn::Chance {
            return Err(wrong("no chance is due"));
        }
        let odds = self.inner.odds();
        let Some(n_outcomes) = odds.n_outcomes() else {
            return Ok(None);
        };
        let likely = |outcome: u64| {
            let (weight, total) = odds.probability(Draw(outcome))?;
            (weight > 0).then(|| (outcome, weight as f64 / total as f64))
        };
        Ok(Some((0..n_outcomes).filter_map(likely).collect()))
    }

    /// Resolves chance with this outcome.
    fn resolve(&mut self, outcome: u64) -> PyResult<()> {
        self.inner.resolve(outcome).map_err(wrong)
    }

    /// Lets the deadline pass for all seats that have not decided.
    fn deadline(&mut self) -> PyResult<()> {
        self.inner.deadline().map_err(wrong)
    }

    /// The short text of an action.
    fn action_text(&self, action: usize) -> PyResult<String> {
        let text = self.inner.action_text(action);
        text.ok_or_else(|| wrong(format!("there is no action {action}")))
    }

    /// The view of a seat, or the public view without one, as text for a terminal.
    #[pyo3(signature = (seat_idx=None))]
    fn text(&self, seat_idx: Option<usize>) -> PyResult<String> {
        Ok(self.inner.text(viewer(seat_idx, self.inner.n_seats())?))
    }

    /// The view of a seat, or the public view without one, as JSON.
    #[pyo3(signature = (seat_idx=None))]
    fn view(&self, seat_idx: Option<usize>) -> PyResult<String> {
        let view = self.inner.view(viewer(seat_idx, self.inner.n_seats())?);
        Ok(view.to_string())
    }

    /// The position as JSON.
    fn snapshot(&self) -> String {
        self.inner.snapshot().to_string()
    }

    /// The hash of the position alone, without the match's identity and generator.
    fn position_hash(&self) -> PyResult<String> {
        Ok(Hash::of(&self.inner.snapshot()).map_err(wrong)?.to_string())
    }

    /// The seat's honest observation as floats.
    fn observation(&self, seat_idx: usize) -> PyResult<Vec<f32>> {
        Ok(self.inner.floats(seat(seat_idx, self.inner.n_seats())?))
    }

    /// A position that looks the same to the seat, with everything it cannot know redrawn. A
    /// planner must search only in such positions.
    fn redraw(&self, seat_idx: usize, seed: u64) -> PyResult<Position> {
        let seat = seat(seat_idx, self.inner.n_seats())?;
        Ok(Position {
            inner: self.inner.redraw(seat, seed),
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let restore = py.get_type::<Position>().getattr("restore")?;
        let setup = self.inner.setup().to_string();
        Ok((restore, (self.inner.game(), self.snapshot(), setup)))
    }

    fn __copy__(&self) -> Position {
        Position {
            inner: self.inner.again(),
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.__copy__()
    }

    /// An independent copy.
    fn clone(&self) -> Position {
        self.__copy__()
    }
}
