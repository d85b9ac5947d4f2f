//! The example client, which plays by the published schemas alone.

use std::path::Path;

use crate::python::{self, Venv};
use crate::step::{Board, Outcome};
use crate::tools;

const REQUIREMENTS: &str = "docs/examples/requirements.txt";
const TESTS: &str = "tests/protocol";

/// Runs the example client in every game against a build of the program.
pub(crate) fn step(board: &mut Board, target: &Path) {
    board.step("schema client", || {
        let venv = Venv::with(target.join("venv-protocol"), REQUIREMENTS)?;
        let built = tools::build_program()?;
        if !built.ok {
            return Ok(Outcome::command(built));
        }
        python::unittest(&venv, target, TESTS)
    });
}
