//! Debian packages: installed when the user is root, otherwise named in an error.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::step::{capture, command};
use crate::tools;

/// True where packages can be installed: as root, on Debian.
pub(crate) fn can_install() -> bool {
    Path::new("/etc/debian_version").exists()
        && tools::exists("apt-get", &["--version"])
        && capture(command("id", &["-u"])).is_ok_and(|id| id.text.trim() == "0")
}

/// Retries over an unreliable network, and waits for another installation to finish.
const PATIENT: [&str; 4] = ["-o", "Acquire::Retries=5", "-o", "DPkg::Lock::Timeout=600"];

/// Installs packages, without those that are merely recommended.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    println!("installing {names}, once");
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    for args in [&["update"][..], &install] {
        let mut apt = command("apt-get", &PATIENT);
        apt.args(args);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        let apt = capture(apt)?;
        ensure!(apt.ok, "apt-get cannot install {names}:\n{}", apt.text);
    }
    Ok(())
}
