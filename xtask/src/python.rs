//! The Python side: a virtual environment, the vectors and the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::step::{Board, Outcome, capture, command};
use crate::{counts, debian, files, tools};

const REQUIREMENTS: &str = "testdata/requirements.txt";
const TESTS: &str = "tests/python";
/// The oldest Python that the wheel supports and the tests run with.
pub(crate) const PYTHON_MIN: (u32, u32) = (3, 11);

/// A virtual environment under the build folder.
pub(crate) struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// Makes the environment, or brings an existing one up to date with the pinned packages.
    pub(crate) fn ensure(target: &Path) -> Result<Self> {
        Self::with(target.join("venv"), REQUIREMENTS)
    }

    /// The same in another folder, with the packages that a requirements file pins.
    pub(crate) fn with(folder: PathBuf, requirements: &str) -> Result<Self> {
        let folder = std::path::absolute(folder)?;
        let venv = Self { folder };
        if !venv.runs() {
            create(&venv.folder)?;
        }
        venv.install(requirements)?;
        Ok(venv)
    }

    /// An environment of its own that also has the packages of another one. Its own come first.
    pub(crate) fn over(folder: PathBuf, base: &Venv) -> Result<Self> {
        let venv = Self {
            folder: std::path::absolute(folder)?,
        };
        create(&venv.folder)?;
        let packages = base.packages()?.display().to_string();
        fs::write(venv.packages()?.join("base.pth"), packages + "\n")?;
        Ok(venv)
    }

    /// The folder of its programs.
    pub(crate) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// The folder of its packages.
    fn packages(&self) -> Result<PathBuf> {
        let mut python = self.python();
        python.args([
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ]);
        let captured = capture(python)?;
        ensure!(captured.ok, "Python has no packages:\n{}", captured.text);
        Ok(PathBuf::from(captured.text.trim()))
    }

    /// Its Python, isolated from the caller's environment.
    pub(crate) fn python(&self) -> Command {
        let mut python = Command::new(self.folder.join("bin/python"));
        python
            .env_remove("PYTHONPATH")
            .env_remove("PYTHONHOME")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        python
    }

    fn runs(&self) -> bool {
        let mut python = self.python();
        python.args(["-m", "pip", "--version"]);
        capture(python).is_ok_and(|captured| captured.ok)
    }

    /// Installs the pinned packages, unless the requirements have not changed since.
    fn install(&self, requirements: &str) -> Result<()> {
        let wanted = fs::read_to_string(requirements)
            .with_context(|| format!("cannot read {requirements}"))?;
        let stamp = self.folder.join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        let mut pip = self.python();
        pip.args(["-m", "pip", "install", "--quiet", "-r", requirements]);
        let pip = capture(pip)?;
        ensure!(pip.ok, "pip cannot install {requirements}:\n{}", pip.text);
        fs::write(stamp, wanted)?;
        Ok(())
    }
}

/// Runs every generator of vectors with `--check` and every Python test, each as a step. The
/// tests keep one core busy, so the `others` run at the same time.
pub(crate) fn steps(board: &mut Board, target: &Path, others: impl FnOnce(&mut Board)) {
    let mut made = None;
    board.step("python environment", || {
        made = Some(Venv::ensure(target)?);
        Ok(Outcome::faults(&[]))
    });
    let Some(venv) = made else {
        return others(board);
    };
    run_generators(board, &venv, &["--check"]);
    board.step("program for outside tests", || {
        Ok(Outcome::command(tools::build_program()?))
    });
    board.beside("python tests", || unittest(&venv, target, TESTS), others);
}

/// Runs every `make.py` under `testdata`, each as a step.
pub(crate) fn run_generators(board: &mut Board, venv: &Venv, args: &[&str]) {
    let generators = match generators() {
        Ok(generators) => generators,
        Err(error) => return board.step("vectors", || Err(error)),
    };
    for generator in generators {
        board.step(&generator.display().to_string(), || {
            let mut python = venv.python();
            python.arg(&generator).args(args);
            Ok(Outcome::command(capture(python)?))
        });
    }
}

fn generators() -> Result<Vec<PathBuf>> {
    let mut generators = files::under(Path::new("testdata"))?;
    generators.retain(|path| path.ends_with("make.py"));
    Ok(generators)
}

/// Runs the tests of a folder against the build of the program.
pub(crate) fn unittest(venv: &Venv, target: &Path, folder: &str) -> Result<Outcome> {
    let mut python = venv.python();
    python.args([
        "-m",
        "unittest",
        "discover",
        "-s",
        folder,
        "-p",
        "test_*.py",
    ]);
    python.env("REFEREE_BIN", target.join("debug/referee"));
    let captured = capture(python)?;
    let counts = counts::unittest(&captured.text);
    Ok(Outcome::tests(captured, counts))
}

fn create(folder: &Path) -> Result<()> {
    check_version(PYTHON_MIN)?;
    let made = capture(make(folder))?;
    if made.ok {
        return Ok(());
    }
    // Debian packages `venv` separately from Python.
    if !debian::can_install() {
        bail!(
            "python3 cannot make a virtual environment (on Debian: apt-get install python3-venv):\n{}",
            made.text
        );
    }
    debian::install(&["python3-venv"])?;
    let made = capture(make(folder))?;
    ensure!(
        made.ok,
        "python3 cannot make a virtual environment:\n{}",
        made.text
    );
    Ok(())
}

fn make(folder: &Path) -> Command {
    let mut make = command("python3", &["-m", "venv", "--clear"]);
    make.arg(folder);
    make
}

/// Refuses a Python that is missing or too old.
pub(crate) fn check_version(least: (u32, u32)) -> Result<()> {
    let (major, minor) = least;
    let probe = "import sys; print(sys.version_info[0], sys.version_info[1])";
    let found = capture(command("python3", &["-c", probe])).ok();
    let version = found.and_then(|captured| parse_version(&captured.text));
    match version {
        None => bail!("python3 is missing: install Python {major}.{minor} or newer."),
        Some(version) if version < least => bail!(
            "python3 is version {}.{}: install Python {major}.{minor} or newer.",
            version.0,
            version.1
        ),
        Some(_) => Ok(()),
    }
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(parse_version("3 11\n"), Some((3, 11)));
        assert!(parse_version("3 12\n") > Some(PYTHON_MIN));
        assert!(parse_version("3 9\n") < Some(PYTHON_MIN));
        assert_eq!(parse_version("sh: python3: not found"), None);
    }
}
