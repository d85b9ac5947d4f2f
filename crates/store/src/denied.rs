//! What is refused by the state of things, as data.

use std::fmt;

use kernel::GameId;
use session::Account;

use crate::{Bound, StoreError};

/// Why one part of a transaction was not done. The rest of the transaction is none the
/// worse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied {
    /// The account cannot pay.
    NotEnoughTokens {
        /// Who.
        account: Account,
        /// What it has.
        balance: u64,
        /// What it would need.
        needed: u64,
    },
    /// Somebody else has the nickname.
    NicknameTaken,
    /// Somebody else has the login.
    LoginTaken,
    /// The Telegram user has an account already.
    TelegramTaken,
    /// The account sits in an open match.
    AlreadySeated {
        /// Who.
        account: Account,
        /// Where.
        game_id: GameId,
    },
    /// The same account was to sit in two seats.
    SameAccount {
        /// Who.
        account: Account,
    },
    /// There is no such account.
    UnknownAccount {
        /// Which.
        account: Account,
    },
    /// There is no such match.
    UnknownMatch {
        /// Which.
        game_id: GameId,
    },
    /// The invitation's code is in use.
    CodeTaken,
    /// The account has as many of these as it may have.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many it may have.
        most: u64,
    },
    /// The match would pass a daily bound.
    Bounded {
        /// Which.
        bound: Bound,
    },
    /// The key was used before, for something else.
    KeyUsed {
        /// The key.
        key: String,
        /// What is stored under it.
        stored: String,
        /// What was asked for.
        asked: String,
    },
}

impl Denied {
    /// A stable name.
    pub fn code(&self) -> &'static str {
        match self {
            Denied::NotEnoughTokens { .. } => "not_enough_tokens",
            Denied::NicknameTaken => "nickname_taken",
            Denied::LoginTaken => "login_taken",
            Denied::TelegramTaken => "telegram_taken",
            Denied::AlreadySeated { .. } => "already_seated",
            Denied::SameAccount { .. } => "same_account",
            Denied::UnknownAccount { .. } => "unknown_account",
            Denied::UnknownMatch { .. } => "unknown_match",
            Denied::CodeTaken => "code_taken",
            Denied::TooMany { .. } => "too_many",
            Denied::Bounded { .. } => "bounded",
            Denied::KeyUsed { .. } => "key_used",
        }
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Denied::NotEnoughTokens {
                account,
                balance,
                needed,
            } => write!(
                f,
                "account {} has {balance} tokens, and {needed} are needed",
                account.0
            ),
            Denied::NicknameTaken => f.write_str("somebody has this nickname; choose another"),
            Denied::LoginTaken => f.write_str("somebody has this login; choose another"),
            Denied::TelegramTaken => f.write_str("this Telegram user has an account already"),
            Denied::AlreadySeated { account, game_id } => write!(
                f,
                "account {} sits in match {game_id}, which has to end first",
                account.0
            ),
            Denied::SameAccount { account } => write!(
                f,
                "account {} cannot sit in two seats of one match",
                account.0
            ),
            Denied::UnknownAccount { account } => write!(f, "there is no account {}", account.0),
            Denied::UnknownMatch { game_id } => write!(f, "there is no match {game_id}"),
            Denied::CodeTaken => f.write_str("this invitation code is in use; draw another"),
            Denied::TooMany { what, most } => write!(f, "no more than {most} {what} at a time"),
            Denied::Bounded { bound } => write!(
                f,
                "the match would pass the bound {}; play it without a stake or unrated",
                bound.name()
            ),
            Denied::KeyUsed { key, stored, asked } => write!(
                f,
                "{key} was used before for {stored}, and cannot be used for {asked}"
            ),
        }
    }
}

impl std::error::Error for Denied {}

/// Why a part of a transaction did not happen: it was denied, or storage failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deny {
    /// Only this part is undone.
    Denied(Denied),
    /// The whole transaction is undone.
    Failed(StoreError),
}

impl From<Denied> for Deny {
    fn from(denied: Denied) -> Deny {
        Deny::Denied(denied)
    }
}

impl From<StoreError> for Deny {
    fn from(error: StoreError) -> Deny {
        Deny::Failed(error)
    }
}

impl fmt::Display for Deny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deny::Denied(denied) => denied.fmt(f),
            Deny::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Deny {}
