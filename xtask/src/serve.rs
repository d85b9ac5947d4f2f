//! `cargo xtask serve`: builds what is needed and starts the product.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;

use crate::step::cargo;
use crate::{tools, web};

/// Builds the program and runs its server in the foreground until it is stopped.
pub(crate) fn run(release: bool, args: &[String]) -> Result<bool> {
    let binary = build(release)?;
    println!("Starting Referee on an embedded database in ./data.");
    println!("Look at the address below with a browser; stop with Ctrl-C.");
    let mut command = Command::new(&binary);
    command.arg("serve");
    if !args
        .iter()
        .any(|arg| arg == "--data" || arg.starts_with("--data="))
        && std::env::var_os("REFEREE_DATA").is_none()
    {
        command.args(["--data", "data"]);
    }
    command.args(args);
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", binary.display()))?;
    Ok(status.success())
}

/// Builds the program `referee` and returns its path.
pub(crate) fn build(release: bool) -> Result<PathBuf> {
    println!("Building Referee; the first time this takes some minutes.");
    web::build()?;
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let target = metadata.target_directory.as_std_path();
    let mut build = match release {
        true => cargo(&["build", "--package=cli", "--bin=referee", "--release"]),
        // With the flags of the tests, nothing that they compiled is compiled again.
        false if tools::has_built(target) => cargo(&tools::PROGRAM),
        false => cargo(&["build", "--package=cli", "--bin=referee"]),
    };
    let status = build.status().context("cannot start cargo")?;
    ensure!(status.success(), "the build failed; what is above says why");
    let profile = if release { "release" } else { "debug" };
    Ok(target.join(profile).join("referee"))
}
