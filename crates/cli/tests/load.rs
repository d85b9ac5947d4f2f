//! The load generator against the real server, through real sockets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod evidence;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use evidence::Log;
use serde_json::Value;

/// A server on a free port, killed when the test is over.
struct Server {
    child: Child,
    address: String,
    _log: Log,
}

impl Server {
    fn start(name: &str) -> Server {
        let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&data);
        std::fs::create_dir_all(&data).unwrap();
        let log = Log::at(&data);
        let mut child = referee()
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data)
            .env("REFEREE_STORAGE_PATIENCE_MS", "30000")
            .env("REFEREE_ORCAIN_PREP_MS", "20000")
            .env("REFEREE_ORCAIN_STEP_MS", "20")
            .stdout(Stdio::piped())
            .stderr(log.stderr().unwrap())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let listening = lines
            .map(Result::unwrap)
            .find_map(|line| Some(line.split_once("listening on http://")?.1.to_owned()));
        let address = listening.unwrap();
        Server {
            child,
            address,
            _log: log,
        }
    }

    fn load(&self, args: &[&str]) -> Output {
        let pid = self.child.id().to_string();
        referee()
            .args(["load", "--json", "--server", &self.address])
            .args(["--server-pid", &pid, "--think", "10..300"])
            .args(args)
            .output()
            .unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn referee() -> Command {
    Command::new(env!("CARGO_BIN_EXE_referee"))
}

fn report(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_failed_test_leaves_the_log_of_its_server() {
    let name = "a test that fails on purpose";
    let _ = std::fs::remove_dir_all(evidence::folder(name));
    let failing = std::thread::Builder::new().name(name.to_owned()).spawn(|| {
        let server = Server::start("load-evidence");
        assert_eq!(server.address, "", "on purpose");
    });
    assert!(failing.unwrap().join().is_err());
    let log = std::fs::read_to_string(evidence::folder(name).join("server.log")).unwrap();
    assert!(log.contains("open matches"), "{log}");
    std::fs::remove_dir_all(evidence::folder(name)).unwrap();
}

#[test]
fn a_server_under_load_plays_every_match_to_its_end_in_both_protocols() {
    let server = Server::start("load-ends");
    for more in [
        &["--matches", "6"][..],
        &["--matches", "6", "--socketio", "--step-ms", "20"],
    ] {
        let report = report(&server.load(more));
        assert_eq!(report["sockets_max"], 12, "{report}");
        assert_eq!(report["matches_ended"], 6, "{report}");
        let confirms = report["confirm"]["n"].as_u64().unwrap();
        let steps = report["step_late"]["n"].as_u64().unwrap();
        assert!(confirms >= 6 * 2 * 3 && steps > confirms, "{report}");
        assert!(
            report["server"]["rss_peak_kb"].as_u64() > Some(1_000),
            "{report}"
        );
    }
}

#[test]
fn new_matches_begin_until_the_time_is_over_and_all_of_them_end() {
    let server = Server::start("load-again");
    let report = report(&server.load(&["--matches", "3", "--seconds", "3", "--rounds", "1"]));
    let begun = report["matches_begun"].as_u64().unwrap();
    assert!(begun > 3, "{report}");
    assert_eq!(report["matches_ended"], begun, "{report}");
}

#[test]
fn other_machines_are_not_put_under_load() {
    let output = referee()
        .args(["load", "--server", "192.0.2.7:80"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("on this machine"), "{said}");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let output = referee()
        .args(["load", "--server", "127.0.0.1:1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("127.0.0.1:1"), "{said}");
}
