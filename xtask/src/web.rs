//! The browser client: built with Node, tested in Chromium.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Board, Captured, Outcome, capture, command};
use crate::test::FAILURES;
use crate::{codegen, debian, files, node, tools};

const FOLDER: &str = "web";
/// The built client.
pub(crate) const BUILT: &str = "web/dist";
/// The packages that npm installs.
pub(crate) const PACKAGES: &str = "web/node_modules";
/// The test that plays the tutorial's game on a running server.
const TUTORIAL: &str = "tests/tutorial.mjs";
/// The oldest Node that the build tools run on.
const NODE_MIN: u32 = 20;
/// The package that npm installs where the system's Node is older, as Debian's may be.
const NODE_PACKAGE: &str = "--package=node@22";
/// The browsers that the tests can use, and the package that has the first.
const BROWSERS: [&str; 2] = ["chromium", "google-chrome"];

/// Builds the browser client, so that the next build of the server embeds it.
pub(crate) fn build() -> Result<()> {
    install()?;
    let built = capture(node_in_folder(&["node_modules/vite/bin/vite.js", "build"]))?;
    ensure!(
        built.ok,
        "the browser client does not build:\n{}",
        built.text
    );
    Ok(())
}

/// Checks the generated files and the client's types, lints and format, and builds the client.
pub(crate) fn build_steps(board: &mut Board) {
    board.step("generated files", || {
        Ok(Outcome::faults(&codegen::stale()?))
    });
    board.step("browser client", || {
        build()?;
        let check = [
            "node_modules/svelte-check/bin/svelte-check",
            "--fail-on-warnings",
        ];
        Ok(Outcome::command(capture(node_in_folder(&check))?))
    });
    board.step("page lints", || Ok(Outcome::command(lint()?)));
    board.step("page format", || {
        install()?;
        let check = ["node_modules/prettier/bin/prettier.cjs", "--check", "."];
        Ok(Outcome::command(capture(node_in_folder(&check))?))
    });
}

/// Lints the client with its tests, then the tests of the official Socket.IO client. Eslint reads
/// no file outside the folder it runs in, so the second run starts in the repository's root.
fn lint() -> Result<Captured> {
    install()?;
    let page = node_in_folder(&["node_modules/eslint/bin/eslint.js", "--max-warnings=0", "."]);
    let page = capture(page)?;
    if !page.ok {
        return Ok(page);
    }
    let mut socketio = node_in_folder(&[
        "web/node_modules/eslint/bin/eslint.js",
        "--max-warnings=0",
        "--config=web/eslint.config.js",
        "tests/socketio",
    ]);
    socketio.current_dir(".");
    capture(socketio)
}

pub(crate) fn install() -> Result<()> {
    node::ensure_node()?;
    node::install(FOLDER)
}

/// Runs the client in a real browser. The tests wait more than they work, so the `others` run at
/// the same time. They may build the program again: the tests have a copy of theirs.
pub(crate) fn play_steps(board: &mut Board, target: &Path, others: impl FnOnce(&mut Board)) {
    board.beside("browser tests", || browser_tests(target), others);
}

fn browser_tests(target: &Path) -> Result<Outcome> {
    let browser = ensure_browser()?;
    let built = tools::build_program()?;
    if !built.ok {
        return Ok(Outcome::command(built));
    }
    let program = target.join("browser-tests/referee");
    if let Some(folder) = program.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(target.join("debug/referee"), &program).context("cannot copy the program")?;
    let mut tests = node_in_folder(&["--test", "--test-concurrency=1", "--test-reporter=tap"]);
    for file in files::under(Path::new("web/tests"))? {
        if file.to_string_lossy().ends_with(".test.mjs") {
            tests.arg(file.strip_prefix(FOLDER)?);
        }
    }
    tests.env("REFEREE_BIN", program);
    tests.env("REFEREE_BROWSER", browser);
    tests.env("REFEREE_FAILURES", target.join(FAILURES));
    Ok(Outcome::node_tests(&capture(tests)?))
}

/// Plays the tutorial's game in a browser, on the server at `url`.
pub(crate) fn play_at(url: &str, target: &Path) -> Result<()> {
    let mut test = node_in_folder(&["--test", "--test-reporter=tap", TUTORIAL]);
    test.env("REFEREE_URL", url)
        .env("REFEREE_BROWSER", ensure_browser()?)
        .env("REFEREE_FAILURES", target.join(FAILURES));
    let captured = capture(test)?;
    ensure!(captured.ok, "the game does not play:\n{}", captured.text);
    Ok(())
}

fn ensure_browser() -> Result<String> {
    let find = || {
        let there = |name: &&str| tools::exists(name, &["--version"]);
        BROWSERS.into_iter().find(there)
    };
    if find().is_none() && debian::can_install() {
        debian::install(&["chromium"])?;
    }
    let found = find().context(
        "Chromium is missing: install it so that `chromium` is on the path (on Debian: apt-get \
         install chromium).",
    )?;
    let place = capture(command("which", &[found]))?;
    ensure!(place.ok, "{found} answers, but is not on the path");
    Ok(place.text.trim().to_owned())
}

/// Node in the client's folder; a newer one through npm where the system's is too old.
fn node_in_folder(args: &[&str]) -> Command {
    let mut command = match node::version() {
        Some(major) if major < NODE_MIN => {
            command("npm", &["exec", "--yes", NODE_PACKAGE, "--", "node"])
        }
        _ => command("node", &[]),
    };
    command.args(args).current_dir(FOLDER);
    command
}
