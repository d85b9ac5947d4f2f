//! `referee ledger`: token balances, bookings and corrections.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Subcommand;
use serde_json::json;
use store::{AccountRow, Correction, LedgerAccount, Place, Posted, Store, StoreError, Totals};

use crate::common::{Done, Failure, print};
use crate::place::PlaceArgs;

/// Show where every token is, check the books, and correct balances.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,

    #[command(subcommand)]
    command: Command,
}

// The database of a server, and the output format.
#[derive(clap::Args)]
pub(crate) struct Database {
    #[command(flatten)]
    place: PlaceArgs,

    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Database {
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        self.place.existing()
    }
}

const EXAMPLES: &str = "Examples:
  referee ledger totals --data /var/lib/referee
  referee ledger check
  referee ledger account Grom
  referee ledger correct Grom --amount 5 --reason 'match 7f… voided by mistake' --operator ann --key ticket-118

All of these commands work while the server runs. A correction adds a booking and never changes
an existing one. Repeating a key does nothing.";

#[derive(Subcommand)]
enum Command {
    /// Show how many tokens are with players, in pots, burned and issued.
    Totals,
    /// Recompute all balances from the bookings, and check the audit log's hash chain.
    Check,
    /// Find accounts by public id, number, or start of the nickname.
    Account {
        /// Public id, number, or start of the nickname.
        who: String,
    },
    /// List the bookings of an account, newest first.
    Entries {
        /// Public id, number, or nickname.
        who: String,
        /// Maximum number of bookings.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
        /// Only bookings before the one with this number.
        #[arg(long)]
        before: Option<u64>,
    },
    /// Give tokens to an account, or burn some of its tokens, with a compensating booking.
    Correct {
        /// Public id, number, or nickname.
        who: String,
        /// Tokens to give; a negative amount burns tokens.
        #[arg(long, allow_hyphen_values = true)]
        amount: i64,
        /// The reason, for the booking's memo.
        #[arg(long)]
        reason: String,
        /// The person who decided it.
        #[arg(long)]
        operator: String,
        /// The idempotency key, such as a ticket number. A repeated key books nothing.
        #[arg(long)]
        key: String,
    },
}

pub(crate) fn run(args: &Args) -> Done {
    let place = args.database.place()?;
    match &args.command {
        Command::Totals => totals(&place, args.database.json),
        Command::Check => check(&place, args.database.json),
        Command::Account { who } => accounts(&place, who, args.database.json),
        Command::Entries { who, limit, before } => {
            entries(&place, who, *limit, *before, args.database.json)
        }
        Command::Correct {
            who,
            amount,
            reason,
            operator,
            key,
        } => {
            if *amount == 0
                || reason.trim().is_empty()
                || operator.trim().is_empty()
                || key.trim().is_empty()
            {
                let message = "a correction needs an --amount other than 0, a --reason, an --operator and a --key";
                return Err(Failure::Usage(message.to_owned()));
            }
            let asked = Asked {
                who,
                amount: *amount,
                reason,
                operator,
                key,
            };
            correct(&place, &asked, args.database.json)
        }
    }
}

pub(crate) fn wrong(error: &StoreError) -> Failure {
    Failure::Wrong(error.to_string())
}

pub(crate) fn reader(place: &Place) -> Result<Store, Failure> {
    Store::open_reader(place).map_err(|error| wrong(&error))
}

fn totals(place: &Place, as_json: bool) -> Done {
    let read = reader(place)?.read(|tx| {
        let totals = tx.totals()?;
        Ok(totals)
    });
    let Totals {
        players,
        escrow,
        burned,
        issued,
    } = read.map_err(|error| wrong(&error))?;
    if as_json {
        let totals =
            json!({ "players": players, "escrow": escrow, "burned": burned, "issued": issued });
        return print(totals.to_string());
    }
    print(format!(
        "with players    {players:>12}\nin open pots    {escrow:>12}\nburned          {burned:>12}\nissued          {issued:>12}"
    ))
}

fn check(place: &Place, as_json: bool) -> Done {
    let read = reader(place)?.read(|tx| Ok((tx.check_books()?, tx.check_audit()?)));
    let (books, audit) = read.map_err(|error| wrong(&error))?;
    let mut faults: Vec<String> = books.iter().map(ToString::to_string).collect();
    faults.extend(audit.err().map(|fault| fault.to_string()));
    if as_json {
        print(json!({ "ok": faults.is_empty(), "faults": faults }).to_string())?;
    } else if faults.is_empty() {
        print(
            "the books are exact: every booking sums to zero, every balance is the sum of its bookings, every closed pot is empty; the audit log is intact",
        )?;
    } else {
        print(faults.join("\n"))?;
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

fn accounts(place: &Place, who: &str, as_json: bool) -> Done {
    let who = who.to_lowercase();
    let read = reader(place)?.read(|tx| tx.find_accounts(&who, 50));
    let rows = read.map_err(|error| wrong(&error))?;
    if as_json {
        let rows: Vec<_> = rows.iter().map(account_json).collect();
        return print(json!(rows).to_string());
    }
    if rows.is_empty() {
        return Err(Failure::Wrong(format!("no account matches {who:?}")));
    }
    let line = |row: &AccountRow| {
        let name = row.nickname.as_ref().map_or("-", |it| it.shown.as_str());
        format!(
            "{:>8}  {}  {:>8} tokens  {name}",
            row.account.0, row.public_id, row.tokens
        )
    };
    print(rows.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn account_json(row: &AccountRow) -> serde_json::Value {
    json!({
        "number": row.account.0,
        "account_id": row.public_id.to_string(),
        "nickname": row.nickname.as_ref().map(|it| &it.shown),
        "tokens": row.tokens,
        "created_at": row.created_at,
        "last_seen_at": row.last_seen_at,
    })
}

/// Finds the account that `who` names; fails unless exactly one matches.
pub(crate) fn sole(store: &mut Store, who: &str) -> Result<AccountRow, Failure> {
    let key = who.to_lowercase();
    let read = store.read(|tx| tx.find_accounts(&key, 10));
    let mut rows = read.map_err(|error| wrong(&error))?;
    let exact = |row: &AccountRow| row.nickname.as_ref().is_some_and(|it| it.key == key);
    if let Some(at) = rows.iter().position(exact) {
        return Ok(rows.swap_remove(at));
    }
    match rows.len() {
        1 => Ok(rows.swap_remove(0)),
        0 => Err(Failure::Wrong(format!("no account matches {who:?}"))),
        n => Err(Failure::Wrong(format!(
            "{who:?} matches {n} or more accounts: name one by its public id (see `referee ledger account {who}`)"
        ))),
    }
}

fn entries(place: &Place, who: &str, limit: u32, before: Option<u64>, as_json: bool) -> Done {
    let mut store = reader(place)?;
    let row = sole(&mut store, who)?;
    let account = LedgerAccount::Player(row.account);
    let read = store.read(|tx| tx.entries(account, before, limit));
    let rows = read.map_err(|error| wrong(&error))?;
    let shown: Vec<String> = rows
        .iter()
        .map(|row| {
            if as_json {
                return json!({
                    "number": row.number, "key": row.key, "kind": row.kind.name(), "amount": row.amount,
                    "match_id": row.game_id.map(|it| it.to_string()), "at": row.at, "memo": row.memo,
                    "operator": row.operator,
                })
                .to_string();
            }
            format!("{:>8}  {:>+8}  {:<10}  {}  {}", row.number, row.amount, row.kind.name(), row.key, row.memo)
        })
        .collect();
    print(shown.join("\n"))
}

struct Asked<'a> {
    who: &'a str,
    amount: i64,
    reason: &'a str,
    operator: &'a str,
    key: &'a str,
}

fn correct(place: &Place, asked: &Asked<'_>, as_json: bool) -> Done {
    let mut store = Store::open(place).map_err(|error| wrong(&error))?;
    let row = sole(&mut store, asked.who)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let correction = Correction {
        key: asked.key.to_owned(),
        account: row.account,
        amount: asked.amount,
        reason: asked.reason.to_owned(),
        operator: asked.operator.to_owned(),
        at: now.map_or(0, |it| it.as_millis() as u64),
    };
    let done = store.maintain(|tx| {
        let posted = tx.attempt(|tx| tx.correct(&correction))?;
        let balance = tx.balance(LedgerAccount::Player(correction.account))?;
        Ok((posted, balance))
    });
    let (posted, balance) = done.map_err(|error| wrong(&error))?;
    let posted = posted.map_err(|denied| Failure::Wrong(denied.to_string()))?;
    let booked = posted == Posted::New;
    if as_json {
        return print(json!({ "booked": booked, "balance": balance }).to_string());
    }
    print(match booked {
        true => format!("booked: {} now has {balance} tokens", row.public_id),
        false => format!(
            "nothing done: the key {:?} is already booked; {} has {balance} tokens",
            asked.key, row.public_id
        ),
    })
}
