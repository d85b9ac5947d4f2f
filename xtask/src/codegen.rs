//! Documents that are made of the code.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::step::cargo;

const PROTOCOL: &str = "docs/protocol.md";

/// Writes every generated document anew.
pub(crate) fn run() -> Result<bool> {
    let mut print = cargo(&[
        "run",
        "--quiet",
        "--package",
        "wire",
        "--example",
        "protocol",
    ]);
    let output = print.output().context("cannot run cargo")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cannot make {PROTOCOL}:\n{said}");
    fs::write(PROTOCOL, output.stdout).with_context(|| format!("cannot write {PROTOCOL}"))?;
    println!("wrote {PROTOCOL}");
    Ok(true)
}
