//! Programs that the steps need: found, or installed.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::debian;
use crate::step::{Captured, capture, cargo, command};

/// A cargo subcommand and the version that this project is known to work with.
pub(crate) struct Tool {
    package: &'static str,
    subcommand: &'static str,
    version: &'static str,
}

pub(crate) const NEXTEST: Tool = Tool {
    package: "cargo-nextest",
    subcommand: "nextest",
    version: "0.9.143",
};

pub(crate) const FUZZ: Tool = Tool {
    package: "cargo-fuzz",
    subcommand: "fuzz",
    version: "0.13.2",
};

impl Tool {
    /// Accepts any installed version; installs the known one when there is none.
    pub(crate) fn ensure(&self) -> Result<()> {
        let Self {
            package,
            subcommand,
            version,
        } = self;
        if answers(capture(cargo(&[subcommand, "--version"]))) {
            return Ok(());
        }
        println!("installing {package} {version}, once");
        let install = capture(cargo(&[
            "install",
            "--locked",
            package,
            "--version",
            version,
        ]))?;
        ensure!(install.ok, "cannot install {package}:\n{}", install.text);
        Ok(())
    }
}

/// Programs that tests run, each in a Debian package of its own name, and how to ask for its
/// version: `strace` kills the server at a chosen write, `sqlite3` is the shell that operators
/// use while it runs, and `haproxy` is a proxy in front of it.
const PROGRAMS: [(&str, &str); 3] = [
    ("strace", "--version"),
    ("sqlite3", "--version"),
    ("haproxy", "-v"),
];

/// Installs the programs that tests run and that are missing.
pub(crate) fn ensure_programs() -> Result<()> {
    let missing = PROGRAMS
        .into_iter()
        .filter(|(program, version)| !exists(program, &[version]));
    let missing: Vec<&str> = missing.map(|(program, _)| program).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    ensure!(
        debian::can_install(),
        "Programs are missing: install {names} (on Debian, as root: apt-get install {names})."
    );
    debian::install(&missing)
}

/// Builds the program and its examples with the flags of the tests inside, so that after those only
/// changed crates are built: any other choice of packages has other features, and compiles every
/// crate again.
pub(crate) const PROGRAM: [&str; 7] = [
    "build",
    "--workspace",
    "--all-features",
    "--bin=referee",
    "--example=protocol",
    "--example=observations",
    "--example=inner_loop",
];

/// Builds the program for tests from outside.
pub(crate) fn build_program() -> Result<Captured> {
    capture(cargo(&PROGRAM))
}

/// True if the program was built for tests before.
pub(crate) fn has_built(target: &Path) -> bool {
    target.join("debug/examples/protocol").exists()
}

/// True if a program exists and runs.
pub(crate) fn exists(program: &str, args: &[&str]) -> bool {
    answers(capture(command(program, args)))
}

fn answers(captured: Result<Captured>) -> bool {
    captured.is_ok_and(|captured| captured.ok)
}
