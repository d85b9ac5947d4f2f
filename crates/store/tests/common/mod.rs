//! A store for each test, on both databases.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use kernel::{MatchId, Seat};
use session::{Settlement, SettlementKey, SettlementKind, Share};
use store::{
    Account, Closed, Ending, Mode, NewAccount, NewMatch, Place, Sitter, Store, StoredSeat, Worth,
};
use uuid::Uuid;

/// Defines each test twice: `on_sqlite::NAME` and `on_postgres::NAME`.
#[macro_export]
macro_rules! on_both {
    ($(fn $name:ident($home:ident: &Home) $body:block)*) => {
        $(fn $name($home: &$crate::common::Home) $body)*
        mod on_sqlite {
            $(#[test] fn $name() { super::$name(&$crate::common::Home::sqlite()); })*
        }
        mod on_postgres {
            $(#[test] fn $name() {
                if let Some(home) = $crate::common::Home::postgres() {
                    super::$name(&home);
                }
            })*
        }
    };
}

/// The location of one test's store, removed when the test ends.
pub(crate) struct Home {
    pub(crate) place: Place,
    folder: Option<PathBuf>,
    schema: Option<(String, String)>,
}

impl Home {
    pub(crate) fn sqlite() -> Home {
        let folder = std::env::temp_dir().join(unique());
        std::fs::create_dir_all(&folder).unwrap();
        Home {
            place: Place::Sqlite(folder.join("referee.db")),
            folder: Some(folder),
            schema: None,
        }
    }

    /// A separate schema in the cluster that `cargo xtask test` starts.
    #[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
    pub(crate) fn postgres() -> Option<Home> {
        let Ok(url) = std::env::var("REFEREE_TEST_POSTGRES_URL") else {
            let required = std::env::var_os("REFEREE_REQUIRE_POSTGRES").is_some()
                || std::env::var_os("CI").is_some();
            assert!(
                !required,
                "REFEREE_TEST_POSTGRES_URL is not set: run `cargo xtask test`, which starts a PostgreSQL"
            );
            eprintln!(
                "SKIPPED: no REFEREE_TEST_POSTGRES_URL; `cargo xtask test` starts a PostgreSQL"
            );
            return None;
        };
        let schema = unique();
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let sql = format!("CREATE SCHEMA \"{schema}\"");
        client.batch_execute(&sql).unwrap();
        let and = if url.contains('?') { '&' } else { '?' };
        let own = format!("{url}{and}options=-csearch_path%3D{schema}");
        Some(Home {
            place: Place::Postgres(own),
            folder: None,
            schema: Some((url, schema)),
        })
    }

    /// A folder with a short name.
    pub(crate) fn scratch(&self) -> PathBuf {
        let folder = std::env::temp_dir().join(unique());
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub(crate) fn open(&self) -> Store {
        Store::open(&self.place).unwrap()
    }

    pub(crate) fn reader(&self) -> Store {
        Store::open_reader(&self.place).unwrap()
    }

    /// A store that has been claimed.
    pub(crate) fn writer(&self) -> Store {
        let mut store = self.open();
        store.claim(1).unwrap();
        store
    }

    /// Changes the database directly, as another program might.
    pub(crate) fn meddle(&self, sql: &str) {
        match &self.place {
            Place::Sqlite(path) => {
                let conn = rusqlite::Connection::open(path).unwrap();
                conn.execute_batch(sql).unwrap();
            }
            Place::Postgres(url) => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                client.batch_execute(sql).unwrap();
            }
        }
    }

    /// Removes the lock of a database file, as a careless operator might.
    pub(crate) fn unlock(&self) {
        if let Place::Sqlite(path) = &self.place {
            let lock = format!("{}.lock", path.display());
            std::fs::remove_file(lock).unwrap();
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            std::fs::remove_dir_all(folder).ok();
        }
        if let Some((url, schema)) = &self.schema
            && let Ok(mut client) = postgres::Client::connect(url, postgres::NoTls)
        {
            let drop = format!("DROP SCHEMA \"{schema}\" CASCADE");
            client.batch_execute(&drop).ok();
        }
    }
}

fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nth = NEXT.fetch_add(1, Ordering::Relaxed);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let stamp = since.unwrap().as_nanos();
    format!("referee_{}_{nth}_{stamp}", std::process::id())
}

/// An account with ten tokens. The same number gives the same account.
pub(crate) fn new_account(nth: u64) -> NewAccount {
    NewAccount {
        public_id: Uuid::from_u128(u128::from(nth) + 1),
        at: 5,
        nickname: None,
        language: "en".to_owned(),
        avatar: "orc".to_owned(),
        telegram_user_id: None,
        login: None,
        password_hash: None,
        tokens_granted: 10,
    }
}

pub(crate) fn accounts(store: &mut Store, n: u64) -> Vec<Account> {
    let made = store.commit(|tx| {
        (0..n)
            .map(|nth| tx.attempt(|tx| tx.create_account(&new_account(nth))))
            .collect::<Result<Vec<_>, _>>()
    });
    made.unwrap().into_iter().map(Result::unwrap).collect()
}

pub(crate) fn game_id(nth: u64) -> MatchId {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&nth.to_le_bytes());
    MatchId::from_random_bytes(bytes)
}

pub(crate) fn new_match(nth: u64, accounts: &[Account], stake: u64) -> NewMatch {
    let seat = |account: &Account| StoredSeat {
        sitter: Sitter::Account(*account),
        name: format!("player {}", account.0),
    };
    NewMatch {
        game_id: game_id(nth),
        game: "orcain".to_owned(),
        mode: Mode::Pvp,
        terms: "{}".to_owned(),
        secret: vec![7; 32],
        seats: accounts.iter().map(seat).collect(),
        stake,
        worth: Worth::default(),
        at: 10 + nth,
    }
}

/// A settlement in which the first seat wins the pot.
pub(crate) fn payout(nth: u64, pot: u64) -> Settlement {
    settlement(nth, SettlementKind::Payout, &[pot], 0)
}

pub(crate) fn settlement(
    nth: u64,
    kind: SettlementKind,
    shares: &[u64],
    burned: u64,
) -> Settlement {
    let share = |(seat, tokens): (Seat, &u64)| Share {
        seat,
        tokens: *tokens,
    };
    Settlement {
        key: SettlementKey {
            game_id: game_id(nth),
            kind,
        },
        shares: Seat::first(shares.len()).zip(shares).map(share).collect(),
        burned,
    }
}

pub(crate) fn ending(winner: Option<Account>) -> Ending {
    Ending {
        state: Closed::Over,
        outcome: "{}".to_owned(),
        reason: "normal".to_owned(),
        rounds: 3,
        winner,
        ended_at: 99,
        record_hash: None,
    }
}

pub(crate) fn assert_books(store: &mut Store) {
    let (faults, totals) = store
        .read(|tx| Ok((tx.check_books()?, tx.totals()?)))
        .unwrap();
    assert_eq!(faults, []);
    assert_eq!(
        totals.players + totals.escrow + totals.burned,
        totals.issued
    );
}

pub(crate) fn correction(account: Account, amount: i64, key: &str) -> store::Correction {
    store::Correction {
        key: key.to_owned(),
        account,
        amount,
        reason: "a lost match".to_owned(),
        operator: "ada".to_owned(),
        at: 50,
    }
}
