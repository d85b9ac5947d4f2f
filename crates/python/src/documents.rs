//! Documents: hashes, records, setups, scenarios, spaces.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use bots::simulate::{self, Keep};
use bots::{Agent, arena};
use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::doc::Faults;
use kernel::json::{self, Hash};
use kernel::record::{self, Line, Reader, split_lines};
use kernel::rng::Seed;
use learn::Space;
use pyo3::prelude::*;

use crate::names::{SetupText, document, game, setup as read_setup, text_of, wrong};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(agents, module)?)?;
    module.add_function(wrap_pyfunction!(canonical, module)?)?;
    module.add_function(wrap_pyfunction!(hash_of, module)?)?;
    module.add_function(wrap_pyfunction!(space, module)?)?;
    module.add_function(wrap_pyfunction!(setup_text, module)?)?;
    module.add_function(wrap_pyfunction!(scenarios, module)?)?;
    module.add_function(wrap_pyfunction!(setup_faults, module)?)?;
    module.add_function(wrap_pyfunction!(scenario_findings, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(simulate_matches, module)?)?;
    module.add_function(wrap_pyfunction!(arena_report, module)?)
}

/// The names of all games.
#[pyfunction]
fn games() -> Vec<&'static str> {
    GameName::ALL.into_iter().map(GameName::as_str).collect()
}

/// The agents of a game with a short description of each, weakest first.
#[pyfunction]
fn agents(game_name: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    Ok(with_game!(game(game_name)?, G => <G as Roster>::AGENTS.to_vec()))
}

/// The canonical form of a JSON document.
#[pyfunction]
fn canonical(text: &str) -> PyResult<String> {
    let bytes = json::to_canonical(&document(text)?).map_err(wrong)?;
    Ok(text_of(&bytes))
}

/// The hash of the canonical form of a JSON document.
#[pyfunction]
fn hash_of(text: &str) -> PyResult<String> {
    let hash = Hash::of(&document(text)?).map_err(wrong)?;
    Ok(hash.to_string())
}

/// The observation and action space of a game, as JSON.
#[pyfunction]
#[pyo3(signature = (game_name, setup=None))]
fn space(game_name: &str, setup: Option<SetupText>) -> PyResult<String> {
    with_game!(game(game_name)?, G => {
        let space = Space::new::<G>(&read_setup::<G>(setup.as_ref())?).map_err(wrong)?;
        serde_json::to_string(&space).map_err(wrong)
    })
}

/// Converts a setup to JSON text. It may be a dict, JSON text, the name of a scenario, or the path
/// of a file.
#[pyfunction]
fn setup_text(setup: SetupText) -> String {
    setup.into_text()
}

/// The names of the scenarios that ship with a game.
#[pyfunction]
fn scenarios(game_name: &str) -> PyResult<Vec<&'static str>> {
    Ok(with_game!(game(game_name)?, G => <G as kernel::Recorded>::SCENARIOS.to_vec()))
}

type Faulty = Vec<(String, String, String)>;

fn rows(faults: &Faults) -> Faulty {
    let row = |fault: &kernel::doc::Fault| {
        (
            fault.pointer.clone(),
            fault.code.to_owned(),
            fault.message.clone(),
        )
    };
    faults.iter().map(row).collect()
}

/// All faults of a setup as tuples of JSON pointer, code and message. Empty if it is valid.
#[pyfunction]
fn setup_faults(game_name: &str, setup: SetupText) -> PyResult<Faulty> {
    let json = document(&setup.into_text())?;
    Ok(with_game!(game(game_name)?, G => {
        match <G as kernel::Recorded>::read_setup(&json) {
            Ok(_) => Vec::new(),
            Err(faults) => rows(&faults),
        }
    }))
}

/// All findings in a Stellar Fleet scenario as tuples of severity, JSON pointer, code and message.
#[pyfunction]
fn scenario_findings(text: &str) -> PyResult<Vec<(String, String, String, String)>> {
    let report = stellar::scenario::examine(&document(text)?);
    let row = |finding: &stellar::scenario::Finding| {
        (
            finding.severity.name().to_owned(),
            finding.pointer.clone(),
            finding.code.to_owned(),
            finding.message.clone(),
        )
    };
    Ok(report.findings.iter().map(row).collect())
}

/// Replays and checks a complete record, and returns a report as JSON. Raises ValueError with the
/// line and the fault.
#[pyfunction]
fn verify(py: Python<'_>, record_bytes: &[u8]) -> PyResult<String> {
    let bytes = record_bytes.to_vec();
    py.detach(|| {
        let name = game_of(&bytes)?;
        let report = with_game!(name, G => record::verify::<G>(&bytes).map_err(wrong)?);
        serde_json::to_string(&serde_json::json!({
            "game": name.as_str(),
            "actions": report.n_actions,
            "state_hash": report.state_hash.to_string(),
            "outcome": report.outcome,
            "test": report.test,
        }))
        .map_err(wrong)
    })
}

fn game_of(bytes: &[u8]) -> PyResult<GameName> {
    let (mut lines, _) = split_lines(bytes);
    let first = lines.next().ok_or_else(|| wrong("the record is empty"))?;
    match Reader::new().push(first).map_err(wrong)? {
        Line::Header(header) => game(&header.game),
        _ => Err(wrong("line 1: expected the header of a record")),
    }
}

/// Plays many matches between agents, and returns the report as JSON. It does not depend on the
/// number of threads.
#[pyfunction]
#[pyo3(signature = (game_name, seats, n_games, seed=0, n_threads=1, setup=None))]
fn simulate_matches(
    py: Python<'_>,
    game_name: &str,
    seats: Vec<String>,
    n_games: u32,
    seed: u64,
    n_threads: usize,
    setup: Option<SetupText>,
) -> PyResult<String> {
    with_game!(game(game_name)?, G => {
        let setup = read_setup::<G>(setup.as_ref())?;
        let n_seats = kernel::Game::n_seats(&<G as kernel::Game>::start(&setup));
        if seats.len() != n_seats {
            return Err(wrong(format!("{} agents for {n_seats} seats", seats.len())));
        }
        let agent = |name: &String| <G as Roster>::agent(name, &setup).map_err(wrong);
        let agents: Vec<Box<dyn Agent<G>>> = seats.iter().map(agent).collect::<PyResult<_>>()?;
        py.detach(|| {
            let plan = simulate::Plan {
                setup: &setup,
                agents: &agents,
                n_games,
                seed: Seed::from(seed),
                n_threads: n_threads.clamp(1, 1024),
                keep: Keep::Tally,
            };
            let report = simulate::run(&plan, &AtomicU64::new(0)).map_err(wrong)?;
            serde_json::to_string(&report).map_err(wrong)
        })
    })
}

/// Plays `n_bouts` bouts per pairing of agents, and returns a report with ratings as JSON. A bout
/// is two matches with the same chance and swapped seats.
#[pyfunction]
#[pyo3(signature = (game_name, names, n_bouts, seed=0, n_threads=1, setup=None))]
fn arena_report(
    py: Python<'_>,
    game_name: &str,
    names: Vec<String>,
    n_bouts: u32,
    seed: u64,
    n_threads: usize,
    setup: Option<SetupText>,
) -> PyResult<String> {
    if !(2..=arena::AGENTS_MAX).contains(&names.len()) {
        let most = arena::AGENTS_MAX;
        return Err(wrong(format!(
            "{} agents: expected 2 to {most}",
            names.len()
        )));
    }
    with_game!(game(game_name)?, G => {
        let setup = read_setup::<G>(setup.as_ref())?;
        let agent = |name: &String| <G as Roster>::agent(name, &setup).map_err(wrong);
        let agents: Vec<Box<dyn Agent<G>>> = names.iter().map(agent).collect::<PyResult<_>>()?;
        py.detach(|| {
            let plan = arena::Plan {
                setup: &setup,
                agents: &agents,
                n_bouts,
                seed: Seed::from(seed),
                n_threads: n_threads.clamp(1, 1024),
            };
            let bouts = Mutex::new(Vec::new());
            let keep = |bout| {
                bouts.lock().unwrap_or_else(PoisonError::into_inner).push(bout);
                Ok(())
            };
            plan.run(&BTreeSet::new(), &keep).map_err(wrong)?;
            let bouts = bouts.into_inner().unwrap_or_else(PoisonError::into_inner);
            serde_json::to_string(&arena::Report::new(&plan, &bouts)).map_err(wrong)
        })
    })
}
