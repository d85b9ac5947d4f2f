//! A copy of the project, in which the tutorial is followed.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;

use anyhow::{Context, Result, bail, ensure};

use crate::python::Venv;
use crate::step::{capture, command, without_package};
use crate::{files, web, wheel};

/// The text before the address in the server's output.
const LISTENING: &str = "listening on ";

/// The copy, removed when dropped. It shares the target folder, so that only what changes is built.
pub(crate) struct Scratch {
    folder: PathBuf,
    target: PathBuf,
    /// The author's Python environment.
    venv: Venv,
    /// The environment with the tools that build the package.
    tools: Venv,
}

impl Scratch {
    /// Copies every tracked file. The times of files are kept, so that cargo builds nothing again. The
    /// copy is outside the project: below it, cargo would read the project's configuration twice, and
    /// build everything with other flags.
    pub(crate) fn make(target: &Path) -> Result<Scratch> {
        let (tools, venv) = wheel::author(target)?;
        web::install()?;
        let name = format!("referee-tutorial-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let scratch = Scratch {
            folder,
            target: target.to_owned(),
            venv,
            tools,
        };
        let built = files::under(Path::new(web::BUILT))?;
        for file in files::tracked()?.into_iter().chain(built) {
            copy(&file, &scratch.folder.join(&file))?;
        }
        // The installed packages follow from the lock file, which is the same.
        let packages = std::path::absolute(web::PACKAGES)?;
        symlink(packages, scratch.folder.join(web::PACKAGES))?;
        // The commands of the project ask git for its files.
        scratch.run("git init -q\ngit add -A\n")?;
        Ok(scratch)
    }

    /// The place of a file of the project in the copy.
    pub(crate) fn place(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Runs commands and returns their output.
    pub(crate) fn run(&self, commands: &str) -> Result<String> {
        let captured = capture(self.inside(&["sh", "-e", "-c", commands]))?;
        ensure!(captured.ok, "{commands}failed:\n{}", captured.text);
        Ok(captured.text)
    }

    /// Runs a Python script in the author's environment and returns its output.
    pub(crate) fn python(&self, script: &str) -> Result<String> {
        let captured = capture(self.inside(&["python", "-c", script]))?;
        ensure!(captured.ok, "{script}failed:\n{}", captured.text);
        Ok(captured.text)
    }

    /// Runs a command that starts the server, calls `visit` with the server's address, and stops the
    /// server.
    pub(crate) fn serve(
        &self,
        serving: &str,
        visit: impl FnOnce(&str) -> Result<()>,
    ) -> Result<()> {
        let mut server = self.inside(&["sh", "-c", serving]);
        server.env("REFEREE_LISTEN", "127.0.0.1:0").process_group(0);
        let (reader, writer) = io::pipe()?;
        server.stdout(writer.try_clone()?).stderr(writer);
        let group = Group(server.spawn().context("cannot start the server")?);
        // The server holds the writing ends: without them the reader sees the end of the output.
        drop(server);
        let mut reader = BufReader::new(reader);
        let mut said = String::new();
        let url = loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                bail!("{serving} ended:\n{said}");
            }
            said.push_str(&line);
            if let Some((_, url)) = line.trim().split_once(LISTENING) {
                break url.to_owned();
            }
        };
        let rest = thread::spawn(move || {
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest).map(|_| rest)
        });
        let visited = visit(&url);
        drop(group);
        let log = rest.join().ok().and_then(Result::ok).unwrap_or_default();
        visited.with_context(|| format!("the server said:\n{}", String::from_utf8_lossy(&log)))
    }

    /// A command in the copy. It gives way to other programs, so that tests which run at the same
    /// time keep their pace.
    fn inside(&self, line: &[&str]) -> Command {
        let mut inside = command("nice", &["-n", "19"]);
        let path = std::env::var("PATH").unwrap_or_default();
        let programs = [self.venv.programs(), self.tools.programs()];
        let [venv, tools] = programs.map(|it| it.display().to_string());
        inside
            .args(line)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env(
                "PATH",
                format!("{venv}:{}/debug:{tools}:{path}", self.target.display()),
            )
            .env_remove("PYTHONPATH")
            .env_remove("PYTHONHOME");
        without_package(&mut inside);
        inside
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// A command with everything that it started, stopped when dropped.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        let stop = format!("kill -TERM -{}", self.0.id());
        capture(command("sh", &["-c", &stop])).ok();
        self.0.wait().ok();
    }
}

/// Copies a file with its time.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let time = fs::metadata(from)?.modified()?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    let copied = fs::File::options().append(true).open(to);
    copied.and_then(|it| it.set_modified(time))?;
    Ok(())
}
