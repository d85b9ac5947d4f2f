//! The example client, which plays by the published schemas alone.

use std::path::Path;

use anyhow::Result;

use crate::python::Venv;
use crate::step::{Board, Outcome, capture};
use crate::{counts, tools};

const REQUIREMENTS: &str = "docs/examples/requirements.txt";
const TESTS: &str = "tests/protocol";

/// Lets the example client play every game against a build of the program.
pub(crate) fn step(board: &mut Board, target: &Path) {
    board.step("schema client", || {
        let venv = Venv::with(target.join("venv-protocol"), REQUIREMENTS)?;
        let built = tools::build_program()?;
        if !built.ok {
            return Ok(Outcome::command(built));
        }
        play(&venv, target)
    });
}

fn play(venv: &Venv, target: &Path) -> Result<Outcome> {
    let mut python = venv.python();
    python.args(["-m", "unittest", "discover", "-s", TESTS]);
    python.env(
        "REFEREE_BIN",
        std::path::absolute(target.join("debug/referee"))?,
    );
    let captured = capture(python)?;
    let counts = counts::unittest(&captured.text);
    Ok(Outcome::tests(captured, counts))
}
