//! Durable storage: accounts, the ledger, matches and their events.
//!
//! This crate is the only place with SQL. A [`Store`] is a connection to SQLite, which is built in,
//! or to PostgreSQL; everything above one narrow trait is written once for both. It is called from
//! plain threads: one commits, others read. It has no clock and no randomness: callers pass in ids,
//! and times in milliseconds since the epoch.
//!
//! Four rules hold whatever the callers, the network and the disk do:
//!
//! - **All or nothing, and durable.** [`Store::commit`] runs one transaction. When it returns,
//!   everything in it is on the disk; when it fails, nothing is.
//! - **Exactly once.** Transactions are numbered in the database itself. When a connection is
//!   lost in the middle of a commit, the next one finds out whether it took effect. In addition,
//!   transfers, matches, events and results have keys, so that repeating a request changes nothing.
//! - **One writer.** [`Store::claim`] raises an epoch that every commit checks inside its own
//!   transaction. The previous writer is [`StoreError::Fenced`] and cannot write again.
//! - **Tokens are only moved.** The ledger is double entry: every transfer sums to zero, and no
//!   player and no pot goes below zero. So players + pots + burned = issued at every instant that
//!   anybody can observe. [`Tx::check_books`] recomputes all of it.
//!
//! A request that the current state does not allow (a nickname that is taken, a balance too low) is
//! a [`Denied`], which is data: [`Tx::attempt`] rolls back that part alone, so many requests can
//! share one commit. A failure of storage is a [`StoreError`], which rolls back the whole
//! transaction.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use store::{NewAccount, Place, Store};
//! # let folder = std::env::temp_dir().join(format!("store-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let place = Place::Sqlite(folder.join("referee.db"));
//! let mut store = Store::open(&place)?;
//! store.claim(1_700_000_000_000)?;
//! let account = store.commit(|tx| {
//!     tx.attempt(|tx| {
//!         tx.create_account(&NewAccount {
//!             public_id: uuid::Uuid::from_bytes([7; 16]),
//!             at: 1_700_000_000_000,
//!             nickname: None,
//!             language: "en".to_owned(),
//!             avatar: "orc".to_owned(),
//!             telegram_user_id: None,
//!             login: None,
//!             password_hash: None,
//!             tokens_granted: 10,
//!         })
//!     })
//! })??;
//! let mut reader = Store::open_reader(&place)?;
//! let row = reader.read(|tx| tx.account(account))?;
//! assert_eq!(row.map(|row| row.tokens), Some(10));
//! assert_eq!(reader.read(|tx| tx.check_books())?, []);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```

mod denied;
mod error;
mod place;

mod copies;
mod inspect;
mod store;
mod tx;

mod accounts;
mod audit;
mod books;
mod correct;
mod economy;
mod invitations;
mod leaving;
mod ledger;
mod matches;
mod moderation;
mod nickname;
mod ratings;
mod results;
mod settle;
mod sign_ins;

mod database;
mod files;
mod lock;
mod occupant;
mod on_postgres;
mod on_sqlite;
mod schema;
mod tls;

pub use accounts::{AccountRow, NewAccount, NicknameSet};
pub use audit::{AuditFault, AuditHead, AuditRow, NewAudit};
pub use books::BookFault;
pub use copies::{CopyFault, InTheWay, Restored, back_up, restore};
pub use correct::Correction;
pub use denied::{Denied, Deny};
pub use economy::{Bound, Bounds, DAY_MS, Pairing, Worth};
pub use error::{MovedFile, StoreError};
pub use inspect::Check;
pub use invitations::{INVITATIONS_PER_ACCOUNT_MAX, Invitation};
pub use leaving::DELETED_PLAYER;
pub use ledger::{
    EntryRow, LedgerAccount, Legs, Posted, Totals, Transfer, TransferKind, Unbalanced,
};
pub use matches::{
    Closed, Ending, MatchFilter, MatchState, Mode, NewEvent, NewMatch, Sitter, StoredMatch,
    StoredSeat,
};
pub use moderation::{Decision, PairMatch, PairReport, Sanction, SanctionKind, Voided};
pub use nickname::{BadNickname, Nickname};
pub use occupant::inspect_files;
pub use place::{NotAPlace, Place};
pub use ratings::{RankBy, Ranked, Rating};
pub use results::{HistoryRow, MatchResult, ResultRow, Stats};
pub use session::{Account, Ms};
pub use sign_ins::{
    ROTATION_OVERLAP_MS, SIGN_INS_PER_ACCOUNT_MAX, SecretHash, SignIn, SignInId,
    TICKET_LIFE_MAX_MS, TokenUse,
};
pub use store::{Epoch, Store};
pub use tx::{PAGE_MAX, Tx};
