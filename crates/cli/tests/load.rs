//! The load generator against a real server over real sockets.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

mod evidence;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use catalog::GameName;
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
            .env("REFEREE_TIMING", "orcain.turn-ms=20000,orcain.step-ms=20")
            .env("REFEREE_MESSAGES_PER_SECOND", "5000")
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

    fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
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

// Promise: A failed test leaves the log of its server and what its players heard.
#[test]
fn a_failed_test_keeps_the_log_of_its_server() {
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
fn every_match_ends_in_both_protocols_under_load() {
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
fn new_matches_begin_until_time_is_up_and_all_of_them_end() {
    let server = Server::start("load-again");
    let report = report(&server.load(&["--matches", "3", "--seconds", "3", "--rounds", "1"]));
    let begun = report["matches_begun"].as_u64().unwrap();
    assert!(begun > 3, "{report}");
    assert_eq!(report["matches_ended"], begun, "{report}");
}

/// The part of the report on one game.
fn of_game<'a>(report: &'a Value, game: &str) -> &'a Value {
    let games = report["games"].as_array().unwrap();
    games.iter().find(|it| it["game"] == game).unwrap()
}

#[test]
fn every_game_is_played_and_reported_separately() {
    let server = Server::start("load-games");
    let n_matches = 2 * GameName::ALL.len();
    let report = report(&server.load(&[
        "--game",
        "all",
        "--seats",
        "3",
        "--matches",
        &n_matches.to_string(),
        "--rounds",
        "4",
    ]));
    let all = GameName::ALL.map(|game| of_game(&report, game.as_str()));
    let seats = GameName::ALL.map(|game| u64::from(game.client().n_seats(3)));
    for (of_game, seats) in all.iter().zip(seats) {
        assert_eq!(of_game["seats"], seats, "{report}");
        assert_eq!(of_game["matches_ended"], 2, "{report}");
        // A player decides in each round, or in each of them the next one.
        let decisions = of_game["decisions"].as_u64().unwrap();
        assert!(decisions >= 2 * 3, "{report}");
        assert_eq!(of_game["confirm"]["n"], decisions, "{report}");
        assert!(of_game["confirm"]["p99_ms"].as_f64() > Some(0.0));
    }
    let n_seats: u64 = seats.iter().sum();
    assert_eq!(report["sockets_max"], 2 * n_seats, "{report}");
    assert_eq!(report["matches_ended"], n_matches, "{report}");
    let sum: u64 = all.iter().filter_map(|it| it["decisions"].as_u64()).sum();
    assert_eq!(report["confirm"]["n"], sum, "{report}");
    let lobby = server.get("/api/matches?limit=50");
    let played = |game: &str| {
        let games = lobby.as_array().unwrap().iter();
        games.filter(|it| it["game"] == game).count()
    };
    for game in GameName::ALL {
        assert_eq!(played(game.as_str()), 2, "{game}");
    }
}

#[test]
fn players_have_rematches_in_every_game() {
    let server = Server::start("load-rematch");
    let report = report(&server.load(&[
        "--game=catan,stellar,orcain",
        "--seats=3",
        "--matches=3",
        "--rounds=2",
        "--rematch",
        "--lobbies",
    ]));
    for game in ["catan", "orcain", "stellar"] {
        let of_game = of_game(&report, game);
        assert_eq!(of_game["matches_begun"], 2, "one rematch: {report}");
        assert_eq!(of_game["matches_ended"], 2, "{report}");
    }
}

#[test]
fn only_orcain_is_played_over_the_old_protocol() {
    let args = ["load", "--server", "127.0.0.1:1", "--socketio"];
    for (more, word) in [
        (&["--game", "catan"][..], "Orcain"),
        (&["--rematch"], "--rematch"),
        (&["--lobbies"], "--lobbies"),
    ] {
        let output = referee().args(args).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn an_unknown_game_is_refused_with_a_list_of_all_games() {
    let output = referee()
        .args(["load", "--server", "127.0.0.1:1", "--game", "chess"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    let known = GameName::ALL.map(GameName::as_str);
    let known = format!("{}, or all", known.join(", "));
    assert!(said.contains(&known), "{said}");
}

#[test]
fn other_machines_cannot_be_load_tested() {
    let output = referee()
        .args(["load", "--server", "192.0.2.7:80"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("on this machine"), "{said}");
}

#[test]
fn an_unreachable_server_is_named_in_the_error() {
    let output = referee()
        .args(["load", "--server", "127.0.0.1:1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("127.0.0.1:1"), "{said}");
}
