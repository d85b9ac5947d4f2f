//! The Python package: its wheel, a fresh environment, its tests and its measurement.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::counts;
use crate::python::{PYTHON_MIN, Venv, check_version};
use crate::step::{Board, Outcome, capture};
use crate::test::metadata;

const PACKAGE: &str = "python";
/// The environment with the wheel, in the target folder.
const WHEEL: &str = "wheel-venv";
const BUILD: &str = "python/requirements-build.txt";
const TESTS: &str = "python/requirements-test.txt";
const PEERS: &str = "python/requirements-bench.txt";
const FRAMEWORKS: &str = "python/requirements-frameworks.txt";
const CATANATRON: &str = "python/requirements-catanatron.txt";

/// Builds the wheel, installs it into a fresh environment, and runs its tests and the checks of
/// style and types there.
pub(crate) fn steps(board: &mut Board, target: &Path) {
    let mut installed = None;
    board.step("python wheel in a fresh environment", || {
        installed = Some(fresh(target, WHEEL, TESTS, &["--profile", "dev"])?);
        Ok(Outcome::faults(&[]))
    });
    let Some(venv) = installed else { return };
    board.step("python package", || unittest(&venv, "tests", "test_*.py"));
    board.step("python style", || module(&venv, ".", "ruff check --quiet"));
    board.step("python format", || {
        module(&venv, ".", "ruff format --check")
    });
    board.step("python types", || module(&venv, PACKAGE, "mypy"));
    board.step("python stubs", || {
        module(&venv, ".", "mypy.stubtest referee._native")
    });
}

/// Runs a Python module with its arguments in a folder. From the root of the repository `referee`
/// is the installed wheel; from `python` it is the sources, which have no native half.
fn module(venv: &Venv, folder: &str, line: &str) -> Result<Outcome> {
    let mut python = venv.python();
    python
        .current_dir(folder)
        .arg("-m")
        .args(line.split_whitespace());
    Ok(Outcome::command(capture(python)?))
}

/// Tests the adapters, each with its framework, in an environment that is removed afterwards
/// because it takes gigabytes.
pub(crate) fn frameworks(board: &mut Board, target: &Path) {
    const FOLDER: &str = "frameworks-venv";
    let mut installed = None;
    board.step("learning frameworks in a fresh environment", || {
        let arguments = ["--profile", "dev"];
        installed = Some(fresh(target, FOLDER, FRAMEWORKS, &arguments)?);
        Ok(Outcome::faults(&[]))
    });
    if let Some(venv) = &installed {
        for framework in ["sb3", "torchrl", "rllib", "ray"] {
            let tests = format!("test_{framework}.py");
            board.step(framework, || unittest(venv, "frameworks", &tests));
        }
    }
    fs::remove_dir_all(target.join(FOLDER)).ok();
}

/// Runs the tests of a folder whose file names match a pattern.
fn unittest(venv: &Venv, folder: &str, files: &str) -> Result<Outcome> {
    let mut python = venv.python();
    let tests = format!("{PACKAGE}/{folder}");
    python.args(["-m", "unittest", "discover", "-s", &tests, "-p", files]);
    let captured = capture(python)?;
    let counts = counts::unittest(&captured.text);
    Ok(Outcome::tests(captured, counts))
}

/// Measures the release wheel and its peers through Python, and prints the table.
pub(crate) fn bench() -> Result<bool> {
    let metadata = metadata()?;
    let target = metadata.target_directory.as_std_path();
    let venv = fresh(target, "bench-venv", PEERS, &["--release"])?;
    let catanatron = Venv::with(target.join("catanatron-venv"), CATANATRON)?;
    let mut python = venv.python();
    python.arg(format!("{PACKAGE}/bench/bench_learn.py")).env(
        "REFEREE_CATANATRON_PYTHON",
        catanatron.python().get_program(),
    );
    let status = python.status().context("cannot start Python")?;
    Ok(status.success())
}

/// A fresh environment with these packages and the wheel built with these arguments.
fn fresh(target: &Path, folder: &str, packages: &str, arguments: &[&str]) -> Result<Venv> {
    check_version(PYTHON_MIN)?;
    let tools = Venv::with(target.join("build-venv"), BUILD)?;
    let wheel = build(&tools, target, arguments)?;
    let folder = target.join(folder);
    fs::remove_dir_all(&folder).ok();
    let venv = Venv::with(folder, packages)?;
    let mut pip = venv.python();
    pip.args(["-m", "pip", "install", "--quiet"]).arg(&wheel);
    let pip = capture(pip)?;
    ensure!(
        pip.ok,
        "pip cannot install {}:\n{}",
        wheel.display(),
        pip.text
    );
    Ok(venv)
}

/// The environment of an author: the tools that build the package, and a fresh environment that has
/// everything but the package.
pub(crate) fn author(target: &Path) -> Result<(Venv, Venv)> {
    check_version(PYTHON_MIN)?;
    let tools = Venv::with(target.join("build-venv"), BUILD)?;
    let base = Venv::with(target.join(WHEEL), TESTS)?;
    Ok((tools, Venv::over(target.join("tutorial-venv"), &base)?))
}

/// Builds the wheel and returns its path.
fn build(tools: &Venv, target: &Path, arguments: &[&str]) -> Result<PathBuf> {
    let out = target.join("wheels");
    fs::remove_dir_all(&out).ok();
    let mut maturin: Command = tools.python();
    maturin
        .current_dir(PACKAGE)
        .args(["-m", "maturin", "build", "--quiet", "--out"])
        .arg(&out)
        .args(arguments);
    let built = capture(maturin)?;
    ensure!(built.ok, "maturin cannot build the wheel:\n{}", built.text);
    let mut files = fs::read_dir(&out)?.filter_map(Result::ok);
    let wheel = files.next().context("maturin left no wheel")?;
    Ok(wheel.path())
}
