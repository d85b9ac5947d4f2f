//! Requests that the current state does not allow, as data.

use std::fmt;

use kernel::MatchId;
use session::Account;

use crate::{Bound, StoreError};

/// The reason why one part of a transaction was not done. The rest of the transaction is not
/// affected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied {
    /// The account cannot pay.
    NotEnoughTokens {
        /// The account that must pay.
        account: Account,
        /// Its balance, in tokens.
        balance: u64,
        /// The required amount, in tokens.
        needed: u64,
    },
    /// Another account has the nickname.
    NicknameTaken,
    /// Another account has the login.
    LoginTaken,
    /// The Telegram user already has an account.
    TelegramTaken,
    /// The account is already in an open match.
    AlreadySeated {
        /// The account.
        account: Account,
        /// The match that it is in.
        game_id: MatchId,
    },
    /// The same account was given two seats.
    SameAccount {
        /// The account.
        account: Account,
    },
    /// The account does not exist.
    UnknownAccount {
        /// The account.
        account: Account,
    },
    /// The match does not exist.
    UnknownMatch {
        /// The match's id.
        game_id: MatchId,
    },
    /// The invitation code is in use.
    CodeTaken,
    /// The account has reached the maximum number of something.
    TooMany {
        /// A plural noun for what it has too many of.
        what: &'static str,
        /// The maximum number.
        most: u64,
    },
    /// The match would exceed a daily limit.
    Bounded {
        /// The limit.
        bound: Bound,
    },
    /// The key was used before for something else.
    KeyUsed {
        /// The key.
        key: String,
        /// The value stored under it.
        stored: String,
        /// The value that was to be stored.
        asked: String,
    },
}

impl Denied {
    /// The stable code on the wire.
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
                "account {} has {balance} tokens, but {needed} are needed",
                account.0
            ),
            Denied::NicknameTaken => f.write_str("this nickname is taken; choose another"),
            Denied::LoginTaken => f.write_str("this login is taken; choose another"),
            Denied::TelegramTaken => f.write_str("this Telegram user already has an account"),
            Denied::AlreadySeated { account, game_id } => write!(
                f,
                "account {} is in match {game_id}, which must end first",
                account.0
            ),
            Denied::SameAccount { account } => write!(
                f,
                "account {} cannot have two seats in one match",
                account.0
            ),
            Denied::UnknownAccount { account } => write!(f, "there is no account {}", account.0),
            Denied::UnknownMatch { game_id } => write!(f, "there is no match {game_id}"),
            Denied::CodeTaken => f.write_str("this invitation code is in use; generate another"),
            Denied::TooMany { what, most } => write!(f, "no more than {most} {what} at a time"),
            Denied::Bounded { bound } => write!(
                f,
                "the match would exceed the limit {}; play it without a stake or unrated",
                bound.name()
            ),
            Denied::KeyUsed { key, stored, asked } => write!(
                f,
                "{key} was already used for {stored} and cannot be used for {asked}"
            ),
        }
    }
}

impl std::error::Error for Denied {}

/// The reason why a part of a transaction did not happen: it was denied, or storage failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deny {
    /// Only this part is rolled back.
    Denied(Denied),
    /// The whole transaction is rolled back.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_has_its_code_and_its_sentence() {
        let account = Account(7);
        for (denied, code, sentence) in [
            (
                Denied::NotEnoughTokens {
                    account,
                    balance: 1,
                    needed: 2,
                },
                "not_enough_tokens",
                "account 7 has 1 tokens, but 2 are needed",
            ),
            (
                Denied::SameAccount { account },
                "same_account",
                "account 7 cannot have two seats in one match",
            ),
            (
                Denied::UnknownAccount { account },
                "unknown_account",
                "there is no account 7",
            ),
        ] {
            assert_eq!(
                (denied.code(), denied.to_string().as_str()),
                (code, sentence)
            );
        }
    }
}
