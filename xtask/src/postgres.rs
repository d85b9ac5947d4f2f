//! A PostgreSQL server for the tests: found or installed, started for one run, then removed.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::debian;
use crate::step::{capture, command};

/// Where Debian keeps the server's programs, by version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The package that has them.
const PACKAGE: &str = "postgresql";
/// A server that is not up by then has failed.
const START: Duration = Duration::from_secs(30);
/// A server that is not down by then is killed.
const STOP: Duration = Duration::from_secs(10);
/// The prefix of the folders that killed runs leave behind.
const PREFIX: &str = "referee-postgres-";

/// A server that is stopped and removed when this value is dropped.
pub(crate) struct Cluster {
    /// In the system's temporary folder, not in the build folder: the path of a socket must be
    /// short, and the server's user must be able to reach it.
    folder: PathBuf,
    port: u16,
    server: Child,
}

impl Cluster {
    /// Starts a server that listens on a socket in its folder, and on loopback alone, where
    /// connections may have TLS.
    pub(crate) fn start() -> Result<Cluster> {
        remove_leftovers();
        let programs = match find() {
            Some(programs) => programs,
            None => {
                install()?;
                find().context("the package postgresql has no initdb and postgres")?
            }
        };
        let user = User::for_server()?;
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        if let Some(user) = user {
            chown(&folder, Some(user.uid), Some(user.gid))?;
        }
        initialise(&programs, user, &folder)?;
        let port = free_port()?;
        let server = launch(&programs, user, &folder, port)?;
        let mut cluster = Cluster {
            folder,
            port,
            server,
        };
        cluster.wait()?;
        Ok(cluster)
    }

    /// The URL of the server.
    pub(crate) fn url(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgresql://referee@{folder}:{}/postgres", self.port)
    }

    fn wait(&mut self) -> Result<()> {
        let start = Instant::now();
        // Written last, once the server accepts connections.
        while !self.is_ready() {
            if let Some(status) = self.server.try_wait()? {
                bail!("PostgreSQL ended at once ({status}):\n{}", self.log());
            }
            let late = start.elapsed() > START;
            ensure!(
                !late,
                "PostgreSQL is not up after {START:?}:\n{}",
                self.log()
            );
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn is_ready(&self) -> bool {
        let status = fs::read_to_string(self.folder.join("data/postmaster.pid"));
        status.is_ok_and(|text| text.lines().any(|line| line.trim() == "ready"))
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn stop(&mut self) {
        let pid = self.server.id().to_string();
        // A fast shutdown: connections are closed.
        capture(command("kill", &["-INT", &pid])).ok();
        let start = Instant::now();
        while matches!(self.server.try_wait(), Ok(None)) {
            if start.elapsed() > STOP {
                self.server.kill().ok();
                self.server.wait().ok();
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// The folder with `initdb` and `postgres`.
struct Programs(PathBuf);

impl Programs {
    fn command(&self, name: &str, user: Option<User>) -> Command {
        let mut command = Command::new(self.0.join(name));
        command.env("LC_ALL", "C").stdin(Stdio::null());
        if let Some(user) = user {
            command.uid(user.uid).gid(user.gid);
        }
        command
    }
}

/// On the path, or where Debian keeps the newest.
fn find() -> Option<Programs> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.extend(newest_first(versions()).iter().map(|it| debian(*it)));
    let has_both = |folder: &PathBuf| {
        let has = |name: &str| folder.join(name).is_file();
        has("initdb") && has("postgres")
    };
    folders.into_iter().find(has_both).map(Programs)
}

fn debian(version: u32) -> PathBuf {
    Path::new(DEBIAN).join(version.to_string()).join("bin")
}

fn versions() -> Vec<u32> {
    let entries = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.parse().ok()).collect()
}

fn newest_first(mut versions: Vec<u32>) -> Vec<u32> {
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions
}

fn install() -> Result<()> {
    ensure!(
        debian::can_install(),
        "PostgreSQL is missing: install its server so that initdb and postgres are on the path \
         (on Debian: apt-get install {PACKAGE})."
    );
    debian::install(&[PACKAGE])
}

/// The user that the server runs as: PostgreSQL refuses to run as root.
#[derive(Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl User {
    /// None if this process does not run as root.
    fn for_server() -> Result<Option<User>> {
        if !is_root() {
            return Ok(None);
        }
        let user = ["postgres", "nobody"].into_iter().find_map(User::named);
        let user = user.context("PostgreSQL does not run as root: add a user called postgres")?;
        Ok(Some(user))
    }

    fn named(name: &str) -> Option<User> {
        Some(User {
            uid: id(&["-u", name])?,
            gid: id(&["-g", name])?,
        })
    }
}

fn is_root() -> bool {
    id(&["-u"]) == Some(0)
}

fn id(args: &[&str]) -> Option<u32> {
    let id = capture(command("id", args)).ok()?;
    id.ok.then(|| id.text.trim().parse().ok()).flatten()
}

fn initialise(programs: &Programs, user: Option<User>, folder: &Path) -> Result<()> {
    let mut initdb = programs.command("initdb", user);
    initdb.current_dir(folder);
    initdb.args(["--pgdata=data", "--username=referee", "--auth=trust"]);
    initdb.args(["--encoding=UTF8", "--no-sync"]);
    let made = capture(initdb)?;
    ensure!(made.ok, "initdb failed:\n{}", made.text);
    Ok(())
}

/// A free port of this machine.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// The data need not survive a crash of the machine, so commits do not wait for the disk.
fn launch(programs: &Programs, user: Option<User>, folder: &Path, port: u16) -> Result<Child> {
    let log = fs::File::create(folder.join("log"))?;
    let mut server = programs.command("postgres", user);
    server
        .current_dir(folder)
        .arg("-D")
        .arg(folder.join("data"));
    server
        .arg("-k")
        .arg(folder)
        .stdout(log.try_clone()?)
        .stderr(log);
    for setting in [
        "listen_addresses=127.0.0.1",
        "max_connections=200",
        "fsync=off",
    ] {
        server.args(["-c", setting]);
    }
    server.args(["-p", &port.to_string()]);
    server.spawn().context("cannot start postgres")
}

/// Folders of runs that were killed before they could clean up.
fn remove_leftovers() {
    for entry in fs::read_dir(std::env::temp_dir())
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(pid) = name.strip_prefix(PREFIX)
            && pid.parse::<u32>().is_ok()
            && !Path::new("/proc").join(pid).exists()
            && Path::new("/proc/self").exists()
        {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_taken_by_number() {
        assert_eq!(newest_first(vec![9, 15, 14]), [15, 14, 9]);
    }

    #[test]
    fn a_cluster_listens_on_its_socket_and_leaves_nothing_behind() {
        if find().is_none() {
            println!("SKIPPED: there is no PostgreSQL here, and a test installs nothing");
            return;
        }
        let cluster = Cluster::start().unwrap();
        let folder = cluster.folder.clone();
        assert!(cluster.url().starts_with("postgresql://referee@%2F"));
        let socket = format!(".s.PGSQL.{}", cluster.port);
        assert!(folder.join(socket).exists());
        drop(cluster);
        assert!(!folder.exists());
    }
}
