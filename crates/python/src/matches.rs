//! A match with its generator and its record.

use bots::Agent;
use catalog::Roster;
use catalog::with_game;
use kernel::json::Json;
use kernel::record::{self, Origin, Recorder};
use kernel::rng::{Generator, GeneratorKind, Pcg64, Seed, SeedSequence};
use kernel::{
    ActionId, Departure, GameExt, MatchId, Perspective, Recorded, Seat, SeatSet, Step, Timestamp,
    Turn, Viewer, json,
};
use pyo3::prelude::*;

use crate::names::{SetupText, choice, game, seat, setup as read_setup, text_of, wrong};
use crate::position::{outcome_text, viewer};

/// A match with its generator and its record. Chance is drawn automatically.
#[pyclass(module = "referee._native")]
pub(crate) struct Match {
    inner: Box<dyn AnyMatch>,
}

trait AnyMatch: Send + Sync {
    fn game(&self) -> &'static str;
    fn n_seats(&self) -> usize;
    fn n_actions(&self) -> usize;
    fn turn(&self) -> Turn;
    fn legal(&self, seat: Seat) -> Vec<usize>;
    fn play(&mut self, seat: Seat, action: usize) -> Result<(), String>;
    fn ask(&mut self, seat: Seat, agent: &str, seed: u64) -> Result<Option<usize>, String>;
    fn deadline(&mut self) -> Result<(), String>;
    fn resign(&mut self, seat: Seat) -> Result<(), String>;
    fn snapshot(&self) -> Vec<u8>;
    fn snapshot_with_log(&mut self) -> Result<Vec<u8>, String>;
    fn hash(&self) -> String;
    fn view(&self, viewer: Viewer) -> Json;
    fn text(&self, viewer: Viewer) -> String;
    fn record(&mut self) -> &[u8];
}

struct Of<G: Recorded> {
    recorder: Recorder<G>,
    setup: G::Setup,
    at: Timestamp,
    written: Vec<u8>,
    agents: Vec<Seated<G>>,
}

/// An agent that was asked in a seat, with its generator.
struct Seated<G: Recorded> {
    seat: Seat,
    name: String,
    agent: Box<dyn Agent<G>>,
    rng: Generator,
}

impl<G: Recorded> Of<G> {
    fn apply(&mut self, step: Step<G::Action>) -> Result<(), String> {
        self.at = self.at.plus_ms(1000);
        let done = self.recorder.apply(step, self.at).map(|_| ());
        done.map_err(|refusal| refusal.to_string())
    }

    fn position(&self) -> &G {
        self.recorder.table().position()
    }
}

impl<G: Roster<Event: Send + Sync>> AnyMatch for Of<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn n_seats(&self) -> usize {
        self.position().n_seats()
    }

    fn n_actions(&self) -> usize {
        self.position().n_actions()
    }

    fn turn(&self) -> Turn {
        self.position().turn()
    }

    fn legal(&self, seat: Seat) -> Vec<usize> {
        let legal = self.position().legal(seat);
        legal.iter().map(ActionId::index).collect()
    }

    fn play(&mut self, seat: Seat, action: usize) -> Result<(), String> {
        let found = self.position().action(ActionId::new(action));
        let found = found.ok_or_else(|| format!("there is no action {action}"))?;
        self.apply(Step::Play(seat, found))
    }

    fn ask(&mut self, seat: Seat, name: &str, seed: u64) -> Result<Option<usize>, String> {
        let is_it = |own: &Seated<G>| own.seat == seat && own.name == name;
        let known = self.agents.iter().position(is_it);
        let idx = match known {
            Some(idx) => idx,
            None => {
                let agent = G::agent(name, &self.setup).map_err(|error| error.to_string())?;
                let keys = [1, seat.index() as u32];
                let sequence = SeedSequence::new(&Seed::from(seed), &keys);
                let rng = Generator::Pcg64(Pcg64::from_sequence(&sequence));
                let name = name.to_owned();
                self.agents.push(Seated {
                    seat,
                    name,
                    agent,
                    rng,
                });
                self.agents.len() - 1
            }
        };
        let Seated { agent, rng, .. } = &mut self.agents[idx];
        let position = self.recorder.table().position();
        let chosen = agent.choose(&Perspective::new(position, seat), rng);
        Ok(chosen.map(|action| position.action_id(action).index()))
    }

    fn deadline(&mut self) -> Result<(), String> {
        self.apply(Step::Deadline)
    }

    fn resign(&mut self, seat: Seat) -> Result<(), String> {
        self.apply(Step::Leave(SeatSet::only(seat), Departure::Resign))
    }

    fn snapshot(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.recorder.table().write_snapshot(&mut bytes);
        bytes
    }

    fn snapshot_with_log(&mut self) -> Result<Vec<u8>, String> {
        let log = record::log_of(self.record()).map_err(|fault| fault.to_string())?;
        let snapshot = self.recorder.table().snapshot_with_log(&log);
        json::to_canonical(&snapshot).map_err(|error| error.to_string())
    }

    fn hash(&self) -> String {
        self.recorder.table().state_hash().to_string()
    }

    fn view(&self, viewer: Viewer) -> Json {
        json::from_value(&self.position().view(viewer)).unwrap_or(Json::Null)
    }

    fn text(&self, viewer: Viewer) -> String {
        self.position().view(viewer).to_string()
    }

    fn record(&mut self) -> &[u8] {
        let more = self.recorder.take();
        self.written.extend(more);
        &self.written
    }
}

#[pymethods]
impl Match {
    /// Begins a match. `seats` has a name for each seat, for the record.
    #[new]
    #[pyo3(signature = (game_name, setup=None, seed=0, seats=None, generator="pcg64"))]
    fn new(
        game_name: &str,
        setup: Option<SetupText>,
        seed: u64,
        seats: Option<Vec<String>>,
        generator: &str,
    ) -> PyResult<Match> {
        let kind = choice(
            "generator",
            generator,
            GeneratorKind::NAMES,
            GeneratorKind::ALL,
        )?;
        with_game!(game(game_name)?, G => begin::<G>(setup, seed, seats, kind))
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

    /// The seats that must decide, in ascending order. Empty if the match is over or only waits for
    /// a deadline.
    #[getter]
    fn missing(&self) -> Vec<usize> {
        self.inner
            .turn()
            .missing()
            .iter()
            .map(Seat::index)
            .collect()
    }

    /// True once the match is over.
    #[getter]
    fn over(&self) -> bool {
        self.inner.turn().outcome().is_some()
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

    /// The id of the action that an agent would choose in the seat, or None to let the time run
    /// out. Plays nothing.
    #[pyo3(signature = (seat_idx, agent, seed=0))]
    fn ask(&mut self, seat_idx: usize, agent: &str, seed: u64) -> PyResult<Option<usize>> {
        let seat = seat(seat_idx, self.inner.n_seats())?;
        self.inner.ask(seat, agent, seed).map_err(wrong)
    }

    /// Lets the deadline pass for all seats that have not decided.
    fn deadline(&mut self) -> PyResult<()> {
        self.inner.deadline().map_err(wrong)
    }

    /// Resigns for a seat.
    fn resign(&mut self, seat_idx: usize) -> PyResult<()> {
        let seat = seat(seat_idx, self.inner.n_seats())?;
        self.inner.resign(seat).map_err(wrong)
    }

    /// The snapshot as canonical JSON, whose hash is `state_hash`. With `log`, it also contains the
    /// actions so far, which are not part of the hash. An action of several parts is listed once it
    /// is complete.
    #[pyo3(signature = (log=false))]
    fn snapshot(&mut self, log: bool) -> PyResult<String> {
        if log {
            let bytes = self.inner.snapshot_with_log().map_err(wrong)?;
            return Ok(text_of(&bytes));
        }
        Ok(text_of(&self.inner.snapshot()))
    }

    /// The hash of the snapshot.
    fn state_hash(&self) -> String {
        self.inner.hash()
    }

    /// The view of a seat, or the public view without one, as JSON.
    #[pyo3(signature = (seat_idx=None))]
    fn view(&self, seat_idx: Option<usize>) -> PyResult<String> {
        let view = self.inner.view(viewer(seat_idx, self.inner.n_seats())?);
        Ok(view.to_string())
    }

    /// The view of a seat, or the public view without one, as text for a terminal.
    #[pyo3(signature = (seat_idx=None))]
    fn text(&self, seat_idx: Option<usize>) -> PyResult<String> {
        Ok(self.inner.text(viewer(seat_idx, self.inner.n_seats())?))
    }

    /// The record so far, as JSON Lines.
    fn record(&mut self) -> Vec<u8> {
        self.inner.record().to_vec()
    }
}

fn begin<G: Roster<Event: Send + Sync>>(
    setup: Option<SetupText>,
    seed: u64,
    seats: Option<Vec<String>>,
    kind: GeneratorKind,
) -> PyResult<Match> {
    let setup = read_setup::<G>(setup.as_ref())?;
    let n_seats = G::start(&setup).n_seats();
    let seats = seats.unwrap_or_else(|| (0..n_seats).map(|idx| format!("seat {idx}")).collect());
    if seats.len() != n_seats {
        let n_found = seats.len();
        return Err(wrong(format!("{n_found} names for {n_seats} seats")));
    }
    let names: Vec<&str> = seats.iter().map(String::as_str).collect();
    let sequence = SeedSequence::new(&Seed::from(seed), &[3, 1]);
    let mut identity = Generator::Pcg64(Pcg64::from_sequence(&sequence));
    let origin = Origin::Open(Generator::from_seed(kind, &Seed::from(seed)));
    let at = Timestamp::SIMULATED;
    let recorder = Recorder::<G>::begin(&setup, MatchId::draw(&mut identity), origin, &names, at);
    Ok(Match {
        inner: Box::new(Of::<G> {
            recorder,
            setup,
            at,
            written: Vec::new(),
            agents: Vec::new(),
        }),
    })
}
