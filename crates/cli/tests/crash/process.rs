//! The server as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::evidence::Log;

pub(crate) struct Process {
    child: Child,
    pub(crate) at: SocketAddr,
    traced: bool,
    log: Log,
}

/// The time limit of a round.
#[derive(Clone, Copy)]
pub(crate) enum Round {
    /// Short, so that a round without players ends between two kills.
    Hurried,
    /// Long enough for both players to confirm, even on a slow machine.
    Patient,
    /// Unlimited: the round ends only when both players have confirmed.
    Endless,
}

impl Round {
    fn prep_ms(self) -> &'static str {
        match self {
            Round::Hurried => "120",
            Round::Patient => "4000",
            Round::Endless => "600000",
        }
    }

    /// The time limit of a turn, which has several decisions.
    fn turn_ms(self) -> &'static str {
        match self {
            Round::Hurried => "1500",
            Round::Patient | Round::Endless => "600000",
        }
    }
}

/// Kills a server at a system call.
pub(crate) struct Strace {
    pub(crate) call: &'static str,
    /// The number of the call; `None` only counts calls.
    pub(crate) nth: Option<usize>,
    pub(crate) log: PathBuf,
}

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_referee");

impl Process {
    pub(crate) fn start(data: &Path, round: Round) -> Process {
        Process::start_on(data, own_address(), round, None)
    }

    /// Starts a server and waits until it listens, or until `strace` has killed it.
    pub(crate) fn start_on(
        data: &Path,
        at: SocketAddr,
        round: Round,
        strace: Option<&Strace>,
    ) -> Process {
        let command = match strace {
            None => Command::new(PROGRAM),
            Some(strace) => strace.command(),
        };
        Process::launch(command, data, at, round, strace.is_some())
    }

    /// Starts a server on a PostgreSQL database, with its log in the folder.
    pub(crate) fn start_on_postgres(url: &str, folder: &Path) -> Process {
        let mut command = Command::new(PROGRAM);
        command.env("REFEREE_DATABASE_URL", url);
        Process::launch(command, folder, own_address(), Round::Patient, false)
    }

    fn launch(
        mut command: Command,
        data: &Path,
        at: SocketAddr,
        round: Round,
        traced: bool,
    ) -> Process {
        command
            .arg("serve")
            .args(["--listen", &at.to_string()])
            .arg("--data")
            .arg(data)
            .args(["--start-tokens", "100000", "--messages-per-second", "1000"])
            .args(["--timing", &format!("turn-ms={}", round.turn_ms())])
            .args(["--timing", &format!("orcain.turn-ms={}", round.prep_ms())])
            .args(["--timing", "grace-ms=2000,orcain.step-ms=8"])
            // Matches whose players have stopped are voided soon after the last restart.
            .args(["--rejoin-grace-ms", "5000"])
            // The disk of the test machine may stall.
            .args(["--storage-patience-ms", "30000"])
            .args(["--log", if traced { "error" } else { "info" }])
            .stdout(Stdio::piped());
        // A traced server logs only errors, as its writes are counted.
        let log = Log::at(data);
        command.stderr(log.stderr().unwrap());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let process = Process {
            child,
            at,
            traced,
            log,
        };
        assert!(
            process.traced || line.contains(&at.to_string()),
            "the server is not listening: {line:?}"
        );
        process
    }

    /// Sends SIGKILL.
    pub(crate) fn kill(self) {
        drop(self);
    }

    /// The server's log so far.
    pub(crate) fn log(&self) -> String {
        self.log.read().unwrap()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server has stopped by itself and returns its exit code.
    pub(crate) fn wait_for_end(&mut self) -> Option<i32> {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "the server did not stop");
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn has_died(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub(crate) fn wait_until_no_match_runs(&self) {
        self.wait_until_matches_run(0);
    }

    pub(crate) fn wait_until_matches_run(&self, n_live: u64) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let lobby = http(self.at, "GET", "/api/lobby", "");
            if lobby.is_some_and(|it| it["n_live"] == n_live) {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "there are not {n_live} live matches"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Kills the process, which would otherwise outlive a failed test.
impl Drop for Process {
    fn drop(&mut self) {
        if self.traced {
            // Killing the tracer would let the tracee run on, so the tracee is killed first.
            let pid = self.child.id().to_string();
            Command::new("pkill")
                .args(["-KILL", "-P", &pid])
                .status()
                .ok();
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Strace {
    fn command(&self) -> Command {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-qq", "-e", &format!("trace={}", self.call)])
            .arg("-o")
            .arg(&self.log);
        if let Some(nth) = self.nth {
            let inject = format!("inject={}:signal=KILL:when={nth}", self.call);
            command.args(["-e", &inject]);
        }
        command.arg(PROGRAM);
        command
    }
}

/// A loopback address that no other test listens on or connects from. Otherwise, while a server is
/// down, a client may be assigned its port and keep it from listening again for a minute. A client
/// that connects to it might even reach itself.
fn own_address() -> SocketAddr {
    static NEXT_PORT: AtomicU16 = AtomicU16::new(8_080);
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let host = Ipv4Addr::new(127, high + 1, middle, low);
    (host, NEXT_PORT.fetch_add(1, Ordering::Relaxed)).into()
}

/// Sends a request without a body. Returns `None` if the server is unreachable.
pub(crate) fn http(
    at: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
) -> Option<serde_json::Value> {
    request(at, method, path, token, "")
}

/// Sends a request with a JSON body. Returns `None` if the server is unreachable.
pub(crate) fn post(
    at: SocketAddr,
    path: &str,
    token: &str,
    body: &str,
) -> Option<serde_json::Value> {
    request(at, "POST", path, token, body)
}

fn request(
    at: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> Option<serde_json::Value> {
    let mut stream = TcpStream::connect(at).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .ok()?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    serde_json::from_str(body).ok()
}
