//! The official client of Socket.IO, which runs in Node.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::step::{Board, Outcome, capture, command};
use crate::test::FAILURES;
use crate::{debian, tools};

const FOLDER: &str = "tests/socketio";
/// A copy of the lock file from the last installation.
const STAMP: &str = "node_modules/.installed";
const NODE_MIN: u32 = 18;

/// Runs the official client against a build of the program.
pub(crate) fn step(board: &mut Board, target: &Path) {
    board.step("socket.io client", || {
        ensure_node()?;
        install(FOLDER)?;
        let build = tools::build_program()?;
        if !build.ok {
            return Ok(Outcome::command(build));
        }
        let mut node = in_folder("node", &["--test", "--test-reporter=tap"]);
        node.env("REFEREE_BIN", target.join("debug/referee"));
        node.env("REFEREE_FAILURES", target.join(FAILURES));
        Ok(Outcome::node_tests(&capture(node)?))
    });
}

pub(crate) fn ensure_node() -> Result<()> {
    let there = || version().is_some() && tools::exists("npm", &["--version"]);
    if !there() && debian::can_install() {
        debian::install(&["nodejs", "npm"])?;
    }
    match version() {
        Some(major) if major < NODE_MIN => {
            bail!("node is version {major}: install Node {NODE_MIN} or newer.")
        }
        Some(_) if there() => Ok(()),
        _ => bail!(
            "node and npm are missing: install Node {NODE_MIN} or newer (on Debian: apt-get \
             install nodejs npm)."
        ),
    }
}

/// The 20 of `v20.20.2`.
pub(crate) fn version() -> Option<u32> {
    let captured = capture(command("node", &["--version"])).ok()?;
    major(&captured.text).filter(|_| captured.ok)
}

fn major(version: &str) -> Option<u32> {
    let number = version.trim().strip_prefix('v')?;
    number.split('.').next()?.parse().ok()
}

/// Installs the locked packages of a folder, unless the lock file has not changed since.
pub(crate) fn install(folder: &str) -> Result<()> {
    let (lock, stamp) = (
        format!("{folder}/package-lock.json"),
        format!("{folder}/{STAMP}"),
    );
    let wanted = fs::read_to_string(&lock).with_context(|| format!("cannot read {lock}"))?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let mut npm = command("npm", &["ci", "--no-audit", "--no-fund"]);
    npm.current_dir(folder);
    let npm = capture(npm)?;
    ensure!(npm.ok, "npm cannot install {lock}:\n{}", npm.text);
    fs::write(stamp, wanted)?;
    Ok(())
}

fn in_folder(program: &str, args: &[&str]) -> Command {
    let mut command = command(program, args);
    command.current_dir(FOLDER);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_version_is_its_first_number() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("sh: node: not found"), None);
    }
}
