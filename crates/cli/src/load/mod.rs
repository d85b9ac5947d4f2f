//! `referee load`: load-tests a server on this machine with many live matches.

mod company;
mod drive;
mod dues;
mod guests;
mod histogram;
mod http;
mod lag;
mod measures;
mod old;
mod own;
mod part;
mod plan;
mod player;
mod process;
mod report;
mod roster;
mod socket;
mod talk;
mod words;

use std::net::SocketAddr;
use std::time::Duration;

use catalog::GameName;

use crate::common::{Done, Failure, print, print_json};

/// The most concurrent matches with two players each.
const MATCHES_MAX: u32 = 14_000;
/// The most sockets. Each needs its own port of one address.
const SOCKETS_MAX: u64 = 2 * MATCHES_MAX as u64;

/// Load-test a server on this machine.
///
/// Play many concurrent matches on a server on this machine, over real sockets and with thinking
/// times, and report its response times and how late its timers fire.
///
/// Players choose at random, from a seed, among the legal actions that the server lists.
///
/// Only loopback addresses are accepted: this is a measurement, not a weapon.
#[derive(clap::Args, Clone)]
#[command(after_help = "Examples:
  referee load --server 127.0.0.1:8080 --matches 100
  referee load --server 127.0.0.1:8080 --matches 5000 --seconds 120 --server-pid 4711
  referee load --server 127.0.0.1:8080 --matches 50 --socketio --think 50..300 --json
  referee load --server 127.0.0.1:8080 --game all --seats 4 --matches 90 --rounds 10
  referee load --server 127.0.0.1:8080 --game catan --seconds 300 --rounds 5 --rematch")]
pub(crate) struct Args {
    /// The server's address, on this machine.
    #[arg(long, value_name = "ADDR", value_parser = loopback)]
    server: SocketAddr,
    /// The games to play, separated by commas, or `all`. May be given several times. Matches are
    /// dealt out to the games in turn.
    #[arg(long = "game", value_name = "NAME", default_value = "orcain", value_delimiter = ',', value_parser = game)]
    games: Vec<Games>,
    /// Seats per match. A game that cannot be played by so many uses the nearest number that it
    /// allows.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=8))]
    seats: u8,
    /// Open a lobby for every match, which the other players join by its code, instead of using
    /// the queue. Games for more than two players always use lobbies.
    #[arg(long, alias = "tables", conflicts_with = "socketio")]
    lobbies: bool,
    /// Ask for rematches instead of new opponents: until --seconds have passed, or once without
    /// it.
    #[arg(long, conflicts_with = "socketio")]
    rematch: bool,
    /// Number of concurrent matches. Each player has one socket.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=MATCHES_MAX as i64))]
    matches: u32,
    /// Use Orcain's old Socket.IO events instead of Referee's own protocol.
    #[arg(long)]
    socketio: bool,
    /// Start new matches for this many seconds, then finish the running ones. Without it, every
    /// player plays one match.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// Leave a match after this many rounds (turns in Catan and Stellar Fleet). A complete match
    /// of Catan takes about 1,200 decisions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    rounds: Option<u8>,
    /// Thinking time before each decision, in milliseconds. A decision in Catan and Stellar Fleet
    /// takes several messages: for less than half a second, start the server with a higher
    /// --messages-per-second.
    #[arg(long, default_value = "2000..15000", value_name = "MIN..MAX", value_parser = think)]
    think: Think,
    /// Maximum number of drafts before each decision in Orcain.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=20))]
    drafts: u8,
    /// New connections per second.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    connects_per_second: u32,
    /// Give up after this many seconds.
    #[arg(long, default_value_t = 900, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    give_up_seconds: u64,
    /// The server's delay between two reveals, which the old events do not include.
    #[arg(long, default_value_t = 900, value_name = "MS")]
    step_ms: u64,
    /// The server's process id. Its processor time and memory are added to the report.
    #[arg(long, value_name = "PID")]
    server_pid: Option<u32>,
    /// Determines the players' decisions and thinking times.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A value of `--game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Games {
    All,
    One(GameName),
}

impl Args {
    /// The games to play, each once.
    fn games(&self) -> Vec<GameName> {
        let named = |game: &GameName| {
            self.games.contains(&Games::All) || self.games.contains(&Games::One(*game))
        };
        GameName::ALL.into_iter().filter(named).collect()
    }
}

/// The range of thinking times, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Think {
    min_ms: u64,
    max_ms: u64,
}

pub(crate) fn run(args: &Args) -> Done {
    if args.socketio && args.games() != [GameName::Orcain] {
        let message = "--socketio: only Orcain can be played over Socket.IO";
        return Err(Failure::Usage(message.to_owned()));
    }
    let n_sockets = roster::Roster::new(args).n_players();
    if n_sockets > SOCKETS_MAX {
        return Err(Failure::Usage(format!(
            "these matches need {n_sockets} sockets, but at most {SOCKETS_MAX} are possible: lower --matches"
        )));
    }
    process::raise_file_limit(n_sockets + 64)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let report = runtime.block_on(drive::drive(args))?;
    runtime.shutdown_timeout(Duration::from_secs(1));
    if args.json {
        print_json(&report)?;
    } else {
        print(report.text())?;
    }
    if report.is_sound() {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

fn game(text: &str) -> Result<Games, String> {
    if text == "all" {
        return Ok(Games::All);
    }
    let game: GameName = text
        .parse()
        .map_err(|error: catalog::UnknownGame| format!("{error}, or all"))?;
    Ok(Games::One(game))
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let bare = text.strip_prefix("http://").unwrap_or(text);
    let bare = bare.strip_suffix('/').unwrap_or(bare);
    let address: SocketAddr = bare
        .parse()
        .map_err(|_| "expected an address and a port, such as 127.0.0.1:8080".to_owned())?;
    if !address.ip().is_loopback() {
        return Err(
            "only servers on this machine can be load-tested: expected 127.0.0.1 or [::1]"
                .to_owned(),
        );
    }
    Ok(address)
}

fn think(text: &str) -> Result<Think, String> {
    let parts = text.split_once("..");
    let read = parts.and_then(|(min, max)| Some((min.parse().ok()?, max.parse().ok()?)));
    match read {
        Some((min_ms, max_ms)) if min_ms <= max_ms && max_ms <= 3_600_000 => {
            Ok(Think { min_ms, max_ms })
        }
        _ => Err("expected a range of milliseconds, such as 2000..15000".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_servers_are_accepted() {
        for good in [
            "127.0.0.1:8080",
            "http://127.0.0.1:8080/",
            "[::1]:9000",
            "127.9.9.9:1",
        ] {
            assert!(loopback(good).is_ok(), "{good}");
        }
        for bad in [
            "192.0.2.1:80",
            "0.0.0.0:8080",
            "localhost:8080",
            "[2001:db8::1]:80",
            "",
        ] {
            assert!(loopback(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn thinking_times_are_a_range() {
        let range = Think {
            min_ms: 5,
            max_ms: 9,
        };
        assert_eq!(think("5..9"), Ok(range));
        for bad in ["", "5", "9..5", "-1..2", "a..b", "1..99999999"] {
            assert!(think(bad).is_err(), "{bad}");
        }
    }
}
