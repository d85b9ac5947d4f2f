//! `referee moderate`: bans, mutes, renames, voided matches, collusion reports, and the audit log.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::Subcommand;
use kernel::MatchId;
use serde_json::json;
use store::{
    Account, AuditRow, Decision, Denied, MatchState, PairMatch, PairReport, Place, SanctionKind,
    Store, Voided,
};

use crate::common::{Done, Failure, print};
use crate::ledger::{Database, reader, sole, wrong};

/// Moderate accounts and matches, look for collusion, and manage the audit log.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,

    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  referee moderate ban Grom --days 7 --reason 'insults' --operator ann
  referee moderate rename Grom Gram --reason 'offensive' --operator ann
  referee moderate void 7e3a2c2c-9a1f-4c4a-8d8a-1ef6adf1b4c3 --reason 'cheating' --operator ann
  referee moderate pair Grom Mila
  referee moderate collusion --days 30 --least 10
  referee moderate audit export audit.jsonl
  referee moderate audit prune --older-than 365 --operator ann

All of these commands work while the server runs, and the server acts on them within a second.
Every decision is written to the audit log.";

#[derive(Subcommand)]
enum Command {
    /// Ban an account: its connections are closed, and it cannot sign in.
    Ban {
        /// Public id, number, or nickname.
        who: String,
        /// Duration in days [default: permanent].
        #[arg(long)]
        days: Option<u32>,
        #[command(flatten)]
        why: Why,
    },
    /// Lift a ban.
    Unban {
        /// Public id, number, or nickname.
        who: String,
        #[command(flatten)]
        why: Why,
    },
    /// Hide an account's nickname from others.
    Mute {
        /// Public id, number, or nickname.
        who: String,
        /// Duration in days [default: permanent].
        #[arg(long)]
        days: Option<u32>,
        #[command(flatten)]
        why: Why,
    },
    /// Show an account's nickname to others again.
    Unmute {
        /// Public id, number, or nickname.
        who: String,
        #[command(flatten)]
        why: Why,
    },
    /// Change or remove an account's nickname.
    Rename {
        /// Public id, number, or nickname.
        who: String,
        /// The new nickname. If omitted, the account has none until its owner chooses one.
        nickname: Option<String>,
        #[command(flatten)]
        why: Why,
    },
    /// Void a match. A live match returns its stakes; a finished one has its bookings reversed.
    Void {
        /// The match's id.
        match_id: String,
        #[command(flatten)]
        why: Why,
    },
    /// List the matches between two accounts, newest first.
    Pair {
        /// Public id, number, or nickname.
        first: String,
        /// Public id, number, or nickname.
        second: String,
        /// Maximum number of matches.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// List pairs that met often, sorted by the tokens that moved between them.
    Collusion {
        /// Number of days to look back.
        #[arg(long, default_value_t = 30)]
        days: u32,
        /// The fewest matches for a pair to be listed.
        #[arg(long, default_value_t = 5)]
        least: u64,
        /// Maximum number of pairs.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// Export or prune the audit log.
    #[command(subcommand)]
    Audit(Audit),
}

#[derive(Subcommand)]
enum Audit {
    /// Write the audit log to a file as JSON Lines, with its hash chain.
    Export {
        /// The file; it must not exist.
        file: PathBuf,
    },
    /// Delete rows older than a number of days. The hash chain stays verifiable.
    Prune {
        /// Minimum age in days of the rows to delete.
        #[arg(long, value_name = "DAYS")]
        older_than: u32,
        /// The person who decided it.
        #[arg(long)]
        operator: String,
    },
}

// The author of a decision and the reason for it.
#[derive(clap::Args)]
struct Why {
    /// The reason, for the audit log.
    #[arg(long)]
    reason: String,
    /// The person who decided it.
    #[arg(long)]
    operator: String,
}

impl Why {
    fn decision(&self) -> Result<Decision, Failure> {
        if self.reason.trim().is_empty() || self.operator.trim().is_empty() {
            let message = "a decision needs a --reason and an --operator";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(Decision {
            operator: self.operator.clone(),
            reason: self.reason.clone(),
            at: now(),
        })
    }
}

const DAY_MS: u64 = 24 * 3_600_000;
/// The time that the server has to void a match before the command stops waiting.
const VOID_WITHIN: Duration = Duration::from_secs(5);

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| it.as_millis() as u64)
}

pub(crate) fn run(args: &Args) -> Done {
    let place = args.database.place()?;
    let as_json = args.database.json;
    let impose = |who: &str, kind, days: Option<u32>, why: &Why| {
        sanction(&place, who, kind, days, &why.decision()?)
    };
    let lift = |who: &str, kind, why: &Why| lift(&place, who, kind, &why.decision()?);
    match &args.command {
        Command::Ban { who, days, why } => impose(who, SanctionKind::Ban, *days, why),
        Command::Mute { who, days, why } => impose(who, SanctionKind::Mute, *days, why),
        Command::Unban { who, why } => lift(who, SanctionKind::Ban, why),
        Command::Unmute { who, why } => lift(who, SanctionKind::Mute, why),
        Command::Rename { who, nickname, why } => {
            rename(&place, who, nickname.as_deref(), &why.decision()?)
        }
        Command::Void { match_id, why } => void(&place, match_id, &why.decision()?),
        Command::Pair {
            first,
            second,
            limit,
        } => pair(&place, [first, second], *limit, as_json),
        Command::Collusion { days, least, limit } => {
            let since = now().saturating_sub(u64::from(*days) * DAY_MS);
            collusion(&place, since, *least, *limit, as_json)
        }
        Command::Audit(Audit::Export { file }) => export(&place, file),
        Command::Audit(Audit::Prune {
            older_than,
            operator,
        }) => prune(&place, *older_than, operator),
    }
}

fn open(place: &Place) -> Result<Store, Failure> {
    Store::open(place).map_err(|error| wrong(&error))
}

fn refused(denied: &Denied) -> Failure {
    Failure::Wrong(denied.to_string())
}

fn sanction(
    place: &Place,
    who: &str,
    kind: SanctionKind,
    days: Option<u32>,
    decision: &Decision,
) -> Done {
    let mut store = open(place)?;
    let row = sole(&mut store, who)?;
    let until = days.map(|days| decision.at + u64::from(days) * DAY_MS);
    let done = store.maintain(|tx| tx.attempt(|tx| tx.impose(row.account, kind, until, decision)));
    done.map_err(|error| wrong(&error))?
        .map_err(|it| refused(&it))?;
    let length = days.map_or_else(
        || "permanently".to_owned(),
        |days| format!("for {days} days"),
    );
    print(format!("{}: {} {length}", kind.name(), row.public_id))
}

fn lift(place: &Place, who: &str, kind: SanctionKind, decision: &Decision) -> Done {
    let mut store = open(place)?;
    let row = sole(&mut store, who)?;
    let lifted = store.maintain(|tx| tx.lift(row.account, kind, decision));
    let lifted = lifted.map_err(|error| wrong(&error))?;
    print(match lifted {
        true => format!("un{}: {}", kind.name(), row.public_id),
        false => format!("nothing done: {} has no {}", row.public_id, kind.name()),
    })
}

fn rename(place: &Place, who: &str, nickname: Option<&str>, decision: &Decision) -> Done {
    let nickname = nickname.map(server::read_nickname).transpose();
    let nickname = nickname.map_err(|fault| Failure::Wrong(fault.to_string()))?;
    let mut store = open(place)?;
    let row = sole(&mut store, who)?;
    let done =
        store.maintain(|tx| tx.attempt(|tx| tx.rename(row.account, nickname.as_ref(), decision)));
    done.map_err(|error| wrong(&error))?
        .map_err(|it| refused(&it))?;
    let shown = nickname.map_or("no nickname".to_owned(), |it| it.shown);
    print(format!("renamed: {} now has {shown}", row.public_id))
}

fn void(place: &Place, match_id: &str, decision: &Decision) -> Done {
    let game_id: MatchId = match_id
        .parse()
        .map_err(|_| Failure::Usage(format!("{match_id:?} is not the id of a match")))?;
    let mut store = open(place)?;
    let mut voided = decide_void(&mut store, game_id, decision)?;
    if voided == Voided::Ordered {
        match wait_for_end(&mut store, game_id)? {
            None => return print("ordered: the server will void the match when it next runs"),
            // The match ended before the server saw the order.
            Some(MatchState::Over) => voided = decide_void(&mut store, game_id, decision)?,
            Some(_) => return print("voided: the match ended, and its stakes were returned"),
        }
    }
    match voided {
        Voided::Reversed => print("voided: the match was over, and its bookings were reversed"),
        Voided::Already | Voided::Ordered => print("nothing done: the match is already void"),
    }
}

fn decide_void(
    store: &mut Store,
    game_id: MatchId,
    decision: &Decision,
) -> Result<Voided, Failure> {
    let voided = store.maintain(|tx| tx.attempt(|tx| tx.void_match(game_id, decision)));
    let voided = voided.map_err(|error| wrong(&error))?;
    voided.map_err(|why| match why {
        Denied::NotEnoughTokens { .. } => Failure::Wrong(format!(
            "nothing done: {why}; the tokens to return have been spent, so correct the balances with `referee ledger correct`"
        )),
        other => refused(&other),
    })
}

/// Waits up to [`VOID_WITHIN`] until a match is over or void. Returns `None` if it is still open.
fn wait_for_end(store: &mut Store, game_id: MatchId) -> Result<Option<MatchState>, Failure> {
    let began = Instant::now();
    while began.elapsed() < VOID_WITHIN {
        let stored = store.read(|tx| tx.stored_match(game_id));
        let stored = stored.map_err(|error| wrong(&error))?;
        match stored.map(|it| it.state) {
            Some(MatchState::Open) => thread::sleep(Duration::from_millis(50)),
            ended => return Ok(ended),
        }
    }
    Ok(None)
}

fn pair(place: &Place, who: [&String; 2], limit: u32, as_json: bool) -> Done {
    let mut store = reader(place)?;
    let first = sole(&mut store, who[0])?;
    let second = sole(&mut store, who[1])?;
    let found = store.read(|tx| tx.pair_history(first.account, second.account, limit));
    let found = found.map_err(|error| wrong(&error))?;
    let line = |it: &PairMatch| {
        if as_json {
            return json!({
                "match_id": it.game_id.to_string(), "game": it.game, "result": it.result.name(),
                "reason": it.reason, "rounds": it.rounds, "net": it.net, "at": it.at,
            })
            .to_string();
        }
        format!(
            "{}  {:<8}  {:<5}  {:<12}  {:>4} rounds  {:>+6} tokens",
            it.game_id,
            it.game,
            it.result.name(),
            it.reason,
            it.rounds,
            it.net
        )
    };
    if found.is_empty() && !as_json {
        return print("no matches between these accounts");
    }
    print(found.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn collusion(place: &Place, since: u64, least: u64, limit: u32, as_json: bool) -> Done {
    let found = reader(place)?.read(|tx| tx.collusion_report(since, least, limit));
    let found = found.map_err(|error| wrong(&error))?;
    let number = |account: Account| account.0;
    let line = |it: &PairReport| {
        if as_json {
            return json!({
                "gainer": number(it.gainer), "loser": number(it.loser),
                "matches": it.n_matches, "won": it.n_won, "lost": it.n_lost,
                "given_up": it.n_given_up, "net": it.net, "share_percent": it.share_percent,
            })
            .to_string();
        }
        format!(
            "{:>8} from {:>8}  {:>5} matches  {:>4} won {:>4} lost {:>4} given up  {:>+6} tokens  {:>3} % of their matches",
            it.gainer.0,
            it.loser.0,
            it.n_matches,
            it.n_won,
            it.n_lost,
            it.n_given_up,
            it.net,
            it.share_percent
        )
    };
    if found.is_empty() && !as_json {
        return print("no pairs met that often");
    }
    print(found.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn export(place: &Place, file: &Path) -> Done {
    let shown = file.display();
    let mut store = reader(place)?;
    let out = File::create_new(file).map_err(|error| format!("{shown}: {error}"))?;
    let mut out = BufWriter::new(out);
    let written = store.read(|tx| {
        let base = tx.audit_base()?;
        let first = json!({ "pruned_up_to": base.number, "chain": hex(&base.chain) });
        let mut failed = writeln!(out, "{first}").err();
        let mut n_rows = 0_u64;
        let mut after = base.number;
        loop {
            let rows = tx.audit_after(after, store::PAGE_MAX)?;
            let Some(last) = rows.last() else { break };
            after = last.number;
            n_rows += rows.len() as u64;
            for row in &rows {
                failed = failed.or(writeln!(out, "{}", audit_json(row)).err());
            }
        }
        Ok((n_rows, failed.or(out.flush().err())))
    });
    let (n_rows, failed) = written.map_err(|error| wrong(&error))?;
    if let Some(error) = failed {
        return Err(Failure::Wrong(format!("{shown}: {error}")));
    }
    print(format!("exported {n_rows} rows to {shown}"))
}

fn audit_json(row: &AuditRow) -> serde_json::Value {
    json!({
        "number": row.number, "at": row.at, "account": row.account.map(|it| it.0),
        "kind": row.kind, "payload": row.payload, "chain": hex(&row.chain),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn prune(place: &Place, days: u32, operator: &str) -> Done {
    if operator.trim().is_empty() {
        return Err(Failure::Usage("pruning needs an --operator".to_owned()));
    }
    let at = now();
    let before = at.saturating_sub(u64::from(days) * DAY_MS);
    let pruned = open(place)?.maintain(|tx| tx.prune_audit(before, operator, at));
    let pruned = pruned.map_err(|error| wrong(&error))?;
    match pruned {
        Ok(n_rows) => print(format!("pruned {n_rows} rows")),
        Err(fault) => Err(Failure::Wrong(format!("nothing done: {fault}"))),
    }
}
