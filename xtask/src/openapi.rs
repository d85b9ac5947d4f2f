//! The fuzzer over the OpenAPI document.
//!
//! Promise: Every HTTP response matches the OpenAPI document, and odd input gets no 5xx.

use std::path::Path;

use anyhow::Result;

use crate::python::Venv;
use crate::step::{Board, Outcome, capture};
use crate::tools;

const REQUIREMENTS: &str = "tests/openapi/requirements.txt";
const PROGRAM: &str = "tests/openapi/run.py";

/// Sends requests that the OpenAPI document allows, and many that it forbids, to a build of the
/// program.
pub(crate) fn step(board: &mut Board, target: &Path) {
    board.step("http fuzzer", || {
        let venv = Venv::with(target.join("venv-openapi"), REQUIREMENTS)?;
        let built = tools::build_program()?;
        if !built.ok {
            return Ok(Outcome::command(built));
        }
        fuzz(&venv, target)
    });
}

fn fuzz(venv: &Venv, target: &Path) -> Result<Outcome> {
    let mut python = venv.python();
    python.arg(PROGRAM);
    python.env(
        "REFEREE_BIN",
        std::path::absolute(target.join("debug/referee"))?,
    );
    Ok(Outcome::command(capture(python)?))
}
