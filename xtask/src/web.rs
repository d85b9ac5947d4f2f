//! The browser client: built with Node, tried out in Chromium.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Board, Outcome, capture, cargo, command};
use crate::{codegen, counts, files, node, python, tools};

const FOLDER: &str = "web";
const DIST: &str = "web/dist";
/// Tells the server's build script that there is something new to embed.
const MARK: &str = "REFEREE_WEB_BUILD";
/// The browsers that the tests can use, and the package that has the first.
const BROWSERS: [&str; 2] = ["chromium", "google-chrome"];

/// Builds the browser client, so that the next build of the server embeds it.
pub(crate) fn build() -> Result<()> {
    node::ensure_node()?;
    node::install(FOLDER)?;
    let built = capture(npm(&["run", "--silent", "build"]))?;
    ensure!(
        built.ok,
        "the browser client does not build:\n{}",
        built.text
    );
    Ok(())
}

/// A command of cargo that embeds the client as it was built last.
pub(crate) fn embedding(args: &[&str]) -> Result<Command> {
    let mut command = cargo(args);
    command.env(MARK, mark()?);
    Ok(command)
}

/// Another text for another client.
fn mark() -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for path in files::under(Path::new(DIST))? {
        path.hash(&mut hasher);
        fs::read(&path)?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Checks the client's types and lets it play in a real browser.
pub(crate) fn steps(board: &mut Board, target: &Path) {
    board.step("generated files", || {
        Ok(Outcome::faults(&codegen::stale()?))
    });
    board.step("browser client", || {
        build()?;
        Ok(Outcome::command(capture(npm(&[
            "run", "--silent", "check",
        ]))?))
    });
    board.step("browser tests", || browser_tests(target));
}

fn browser_tests(target: &Path) -> Result<Outcome> {
    let browser = ensure_browser()?;
    let built = capture(embedding(&["build", "--release", "--package", "cli"])?)?;
    if !built.ok {
        return Ok(Outcome::command(built));
    }
    let mut tests = npm(&["test", "--silent", "--", "--test-reporter=tap"]);
    tests.env("REFEREE_BIN", target.join("release/referee"));
    tests.env("REFEREE_BROWSER", browser);
    let captured = capture(tests)?;
    let counts = counts::node(&captured.text);
    Ok(Outcome::tests(captured, counts))
}

fn ensure_browser() -> Result<String> {
    let find = || {
        let there = |name: &&str| tools::exists(name, &["--version"]);
        BROWSERS.into_iter().find(there)
    };
    if find().is_none() && python::is_debian_root() {
        println!("installing chromium, once");
        for args in [
            &["update"][..],
            &["install", "--yes", "--no-install-recommends", "chromium"],
        ] {
            let mut apt = command("apt-get", args);
            apt.env("DEBIAN_FRONTEND", "noninteractive");
            let apt = capture(apt)?;
            ensure!(apt.ok, "apt-get cannot install chromium:\n{}", apt.text);
        }
    }
    let found = find().context(
        "Chromium is missing: install it so that `chromium` is on the path (on Debian: apt-get \
         install chromium).",
    )?;
    let place = capture(command("which", &[found]))?;
    ensure!(place.ok, "{found} answers, but is not on the path");
    Ok(place.text.trim().to_owned())
}

fn npm(args: &[&str]) -> Command {
    let mut command = command("npm", args);
    command.current_dir(FOLDER);
    command
}
