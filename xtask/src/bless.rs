//! Rewriting what the tests compare against.

use anyhow::Result;

use crate::step::{Board, Outcome, capture, cargo};
use crate::test::metadata;
use crate::{counts, python, tools};

/// Re-makes the vectors from their generators and the golden files from the code. Tests that read
/// the variable `BLESS` write their files instead of comparing them.
pub(crate) fn run() -> Result<bool> {
    let mut board = Board::default();
    let venv = python::Venv::ensure(metadata()?.target_directory.as_std_path())?;
    python::run_generators(&mut board, &venv, &[]);
    board.step("golden files", golden_files);
    println!("{}", board.tally.closing_line());
    Ok(board.tally.is_clean())
}

fn golden_files() -> Result<Outcome> {
    tools::NEXTEST.ensure()?;
    let mut nextest = cargo(&["nextest", "run", "--workspace", "--all-features"]);
    nextest
        .args(["--no-fail-fast", "--no-tests=pass", "--color=never"])
        .args(["--show-progress=none", "--status-level=fail"])
        .env("BLESS", "1");
    let captured = capture(nextest)?;
    let counts = counts::nextest(&captured.text);
    Ok(Outcome::tests(captured, counts))
}
