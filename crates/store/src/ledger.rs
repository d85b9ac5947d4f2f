//! The ledger: double entry. Tokens are never made or lost, only moved.

use std::fmt;

use kernel::MatchId;
use session::{Account, Ms};

use crate::database::{Column, Into, Param, Row, Value, params, words};
use crate::tx::page;
use crate::{Denied, Deny, StoreError, Tx};

/// A holder of tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LedgerAccount {
    /// The source of tokens. It owes every token that exists: its balance is never above zero.
    Issue,
    /// The sink of tokens that nobody gets.
    Burn,
    /// A player's balance.
    Player(Account),
    /// The pot of a match.
    Escrow(MatchId),
}

words! {
    /// The reason why tokens move.
    TransferKind, "a kind of transfer" {
        /// The initial tokens of a new account.
        Grant = "grant",
        /// A stake paid into a pot.
        Charge = "charge",
        /// A pot paid out to its winners.
        Payout = "payout",
        /// A pot that nobody gets.
        Burn = "burn",
        /// Stakes returned to the players.
        Refund = "refund",
        /// A price that a player paid.
        Fee = "fee",
        /// A correction by an operator.
        Correction = "correction",
    }
}

/// One movement of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// The idempotency key: a transfer with the same key takes effect once.
    pub key: String,
    /// The reason.
    pub kind: TransferKind,
    /// The match, if the transfer belongs to one. It must be stored.
    pub game_id: Option<MatchId>,
    /// The amounts by account.
    pub legs: Legs,
    /// The time of the transfer.
    pub at: Ms,
    /// A note for people.
    pub memo: String,
    /// The operator who made it, if one did.
    pub operator: Option<String>,
}

/// The effect of a transfer on each account: one amount each, and they sum to zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legs(Vec<(LedgerAccount, i64)>);

impl Legs {
    /// The maximum that can move at once, in tokens, so that no sum overflows.
    pub const TOKENS_MAX: u64 = 1_000_000_000_000;

    /// Legs that sum to zero. Several amounts for one account are added up.
    pub fn new(legs: &[(LedgerAccount, i64)]) -> Result<Legs, Unbalanced> {
        let mut sorted = legs.to_vec();
        sorted.sort_unstable();
        let mut merged: Vec<(LedgerAccount, i64)> = Vec::with_capacity(sorted.len());
        let mut sum = 0_i64;
        for (account, amount) in sorted {
            if amount.unsigned_abs() > Legs::TOKENS_MAX {
                return Err(Unbalanced::TooLarge(amount));
            }
            sum = sum.saturating_add(amount);
            match merged.last_mut() {
                Some((last, total)) if *last == account => *total = total.saturating_add(amount),
                _ => merged.push((account, amount)),
            }
        }
        merged.retain(|(_, amount)| *amount != 0);
        if sum == 0 {
            Ok(Legs(merged))
        } else {
            Err(Unbalanced::Sum(sum))
        }
    }

    /// A payment from one account to another.
    pub fn pay(from: LedgerAccount, to: LedgerAccount, tokens: u64) -> Result<Legs, Unbalanced> {
        let amount = i64::try_from(tokens).map_err(|_| Unbalanced::TooLarge(i64::MAX))?;
        Legs::new(&[(from, -amount), (to, amount)])
    }

    /// Each account with its amount, which is negative if the account pays.
    pub fn iter(&self) -> impl Iterator<Item = (LedgerAccount, i64)> {
        self.0.iter().copied()
    }
}

/// The reason why amounts are not valid legs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unbalanced {
    /// Their sum, which is not zero.
    Sum(i64),
    /// An amount above [`Legs::TOKENS_MAX`].
    TooLarge(i64),
}

impl fmt::Display for Unbalanced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unbalanced::Sum(sum) => write!(f, "the legs sum to {sum}; they must sum to 0"),
            Unbalanced::TooLarge(amount) => {
                let most = Legs::TOKENS_MAX;
                write!(
                    f,
                    "{amount} tokens are too many for one transfer; the maximum is {most}"
                )
            }
        }
    }
}

impl std::error::Error for Unbalanced {}

impl From<Unbalanced> for Deny {
    fn from(error: Unbalanced) -> Deny {
        Deny::Failed(error.into())
    }
}

impl From<Unbalanced> for StoreError {
    fn from(error: Unbalanced) -> StoreError {
        StoreError::rejected(error.to_string())
    }
}

/// Distinguishes a new write from a repeated one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Posted {
    /// It was stored now.
    New,
    /// The same was stored before, and nothing was done.
    Known,
}

/// One line of an account's statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryRow {
    /// The number of the transfer, which is the cursor of the next page.
    pub number: u64,
    /// The key of the transfer.
    pub key: String,
    /// The reason.
    pub kind: TransferKind,
    /// The match, if the transfer belongs to one.
    pub game_id: Option<MatchId>,
    /// The amount, which is negative if the account paid.
    pub amount: i64,
    /// The time of the transfer.
    pub at: Ms,
    /// A note for people.
    pub memo: String,
    /// The operator who made it, if one did.
    pub operator: Option<String>,
}

/// The number of tokens by kind of holder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Totals {
    /// Held by players.
    pub players: u64,
    /// In the pots of open matches.
    pub escrow: u64,
    /// Burned.
    pub burned: u64,
    /// Ever issued: the sum of the other three.
    pub issued: u64,
}

impl Tx<'_> {
    /// Moves tokens, once for each key. Denied if an account would go below zero.
    pub fn transfer(&mut self, transfer: &Transfer) -> Result<Posted, Deny> {
        if let Some(stored) = self.stored_transfer(&transfer.key)? {
            let (kind, legs) = stored;
            if kind == transfer.kind && legs == transfer.legs {
                return Ok(Posted::Known);
            }
            return Err(Deny::Denied(Denied::KeyUsed {
                key: transfer.key.clone(),
                stored: describe(kind, &legs),
                asked: describe(transfer.kind, &transfer.legs),
            }));
        }
        let after = self.after(&transfer.legs)?;
        self.write_transfer(transfer)?;
        for (account, balance) in after {
            self.set_balance(account, balance)?;
        }
        Ok(Posted::New)
    }

    /// The balance of an account, in tokens. It is negative only for [`LedgerAccount::Issue`].
    pub fn balance(&mut self, account: LedgerAccount) -> Result<i64, StoreError> {
        let sql = "SELECT amount FROM balances WHERE account = $1";
        Ok(self.value(sql, params![account])?.unwrap_or(0))
    }

    /// The current totals.
    pub fn totals(&mut self) -> Result<Totals, StoreError> {
        let mut sum = |prefix: &str| {
            let sql = "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM balances \
                       WHERE substr(account, 1, 7) = $1";
            let sum: Option<u64> = self.value(sql, params![prefix])?;
            Ok::<u64, StoreError>(sum.unwrap_or(0))
        };
        let (players, escrow) = (sum("player:")?, sum("escrow:")?);
        Ok(Totals {
            players,
            escrow,
            burned: self.balance(LedgerAccount::Burn)?.unsigned_abs(),
            issued: self.balance(LedgerAccount::Issue)?.unsigned_abs(),
        })
    }

    /// The entries of an account, the newest first; `before` is the number of the last entry on the
    /// previous page.
    pub fn entries(
        &mut self,
        account: LedgerAccount,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<EntryRow>, StoreError> {
        self.rows(
            "SELECT t.number, t.key, t.kind, t.game_id, e.amount, t.at, t.memo, t.operator \
             FROM entries e JOIN transfers t ON t.number = e.transfer \
             WHERE e.account = $1 AND e.transfer < $2 ORDER BY e.transfer DESC LIMIT $3",
            &[
                Param::from(account),
                Param::from(before.unwrap_or(u64::MAX)),
                page(limit),
            ],
            entry,
        )
    }

    fn stored_transfer(&mut self, key: &str) -> Result<Option<(TransferKind, Legs)>, StoreError> {
        let sql = "SELECT number, kind FROM transfers WHERE key = $1";
        let Some(mut row) = self.row(sql, params![key])? else {
            return Ok(None);
        };
        let (number, kind): (u64, TransferKind) = (row.take()?, row.take()?);
        let sql = "SELECT account, amount FROM entries WHERE transfer = $1";
        let mut legs = self.rows(sql, params![number], |mut row| {
            Ok((row.take::<LedgerAccount>()?, row.take::<i64>()?))
        })?;
        legs.sort_unstable();
        Ok(Some((kind, Legs(legs))))
    }

    /// The balances after a transfer, if every payer can afford it.
    fn after(&mut self, legs: &Legs) -> Result<Vec<(LedgerAccount, i64)>, Deny> {
        let mut after = Vec::with_capacity(legs.0.len());
        for (account, amount) in legs.iter() {
            let balance = self.balance(account)?;
            let left = balance.checked_add(amount).ok_or_else(|| {
                StoreError::rejected(format!("the balance of {account} would overflow"))
            })?;
            if left < 0 && account != LedgerAccount::Issue {
                return Err(short(account, balance, amount));
            }
            after.push((account, left));
        }
        Ok(after)
    }

    fn write_transfer(&mut self, transfer: &Transfer) -> Result<(), StoreError> {
        let sql = "SELECT coalesce(max(number), 0) + 1 FROM transfers";
        let number: u64 = self.value(sql, &[])?.unwrap_or(1);
        self.execute(
            "INSERT INTO transfers (number, key, kind, game_id, at, memo, operator) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            params![
                number,
                &transfer.key,
                transfer.kind,
                transfer.game_id,
                transfer.at,
                &transfer.memo,
                transfer.operator.as_deref(),
            ],
        )?;
        let row = |(account, amount): (LedgerAccount, i64)| {
            vec![number.into(), account.into(), amount.into()]
        };
        let rows: Vec<Vec<Param<'_>>> = transfer.legs.iter().map(row).collect();
        self.insert_rows(&ENTRIES, &rows)?;
        Ok(())
    }

    /// An empty pot is deleted, so that listing the open ones stays cheap.
    fn set_balance(&mut self, account: LedgerAccount, balance: i64) -> Result<(), StoreError> {
        if balance == 0 && matches!(account, LedgerAccount::Escrow(_)) {
            let sql = "DELETE FROM balances WHERE account = $1";
            return self.execute(sql, params![account]).map(drop);
        }
        self.execute(
            "INSERT INTO balances (account, amount) VALUES ($1, $2) \
             ON CONFLICT (account) DO UPDATE SET amount = excluded.amount",
            params![account, balance],
        )
        .map(drop)
    }
}

const ENTRIES: Into = Into {
    table: "entries",
    columns: &["transfer", "account", "amount"],
};

fn short(account: LedgerAccount, balance: i64, amount: i64) -> Deny {
    match account {
        LedgerAccount::Player(account) => Deny::Denied(Denied::NotEnoughTokens {
            account,
            balance: balance.unsigned_abs(),
            needed: amount.unsigned_abs(),
        }),
        account => Deny::Failed(StoreError::rejected(format!(
            "{account} has {balance} tokens and cannot pay {}",
            amount.unsigned_abs()
        ))),
    }
}

fn entry(mut row: Row) -> Result<EntryRow, StoreError> {
    Ok(EntryRow {
        number: row.take()?,
        key: row.take()?,
        kind: row.take()?,
        game_id: row.take()?,
        amount: row.take()?,
        at: row.take()?,
        memo: row.take()?,
        operator: row.take()?,
    })
}

/// For error messages: `charge of player:1 -5, escrow:… +5`.
fn describe(kind: TransferKind, legs: &Legs) -> String {
    let legs: Vec<String> = legs
        .iter()
        .map(|(account, amount)| format!("{account} {amount:+}"))
        .collect();
    let legs = if legs.is_empty() {
        "nothing".to_owned()
    } else {
        legs.join(", ")
    };
    format!("{} of {legs}", kind.name())
}

/// The form in which it is stored.
impl fmt::Display for LedgerAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerAccount::Issue => f.write_str("issue"),
            LedgerAccount::Burn => f.write_str("burn"),
            LedgerAccount::Player(account) => write!(f, "player:{}", account.0),
            LedgerAccount::Escrow(game_id) => write!(f, "escrow:{game_id}"),
        }
    }
}

impl From<LedgerAccount> for Param<'_> {
    fn from(account: LedgerAccount) -> Self {
        Param::from(account.to_string())
    }
}

impl Column for LedgerAccount {
    const WHAT: &'static str = "an account of the ledger";
    fn from_value(value: Value) -> Option<LedgerAccount> {
        let text = String::from_value(value)?;
        match text.split_once(':') {
            None if text == "issue" => Some(LedgerAccount::Issue),
            None if text == "burn" => Some(LedgerAccount::Burn),
            Some(("player", number)) => {
                let account = number.parse().ok().map(Account);
                account.map(LedgerAccount::Player)
            }
            Some(("escrow", game_id)) => game_id.parse().ok().map(LedgerAccount::Escrow),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: LedgerAccount = LedgerAccount::Player(Account(1));

    #[test]
    fn legs_sum_to_zero_and_name_each_account_once() {
        let legs = Legs::new(&[(ONE, 3), (LedgerAccount::Issue, -5), (ONE, 2)]);
        let legs = legs.unwrap();
        assert_eq!(
            legs.iter().collect::<Vec<_>>(),
            [(LedgerAccount::Issue, -5), (ONE, 5)]
        );
        assert_eq!(Legs::new(&[(ONE, 1)]), Err(Unbalanced::Sum(1)));
        let huge = Legs::pay(LedgerAccount::Issue, ONE, u64::MAX);
        assert_eq!(huge, Err(Unbalanced::TooLarge(i64::MAX)));
    }

    #[test]
    fn ledger_accounts_round_trip() {
        let escrow = LedgerAccount::Escrow(MatchId::from_random_bytes([3; 16]));
        for account in [LedgerAccount::Issue, LedgerAccount::Burn, ONE, escrow] {
            let text = Value::Text(account.to_string());
            assert_eq!(LedgerAccount::from_value(text), Some(account));
        }
        for text in ["", "player:", "player:x", "escrow:1", "Issue"] {
            let text = Value::Text(text.to_owned());
            assert_eq!(LedgerAccount::from_value(text), None);
        }
    }
}
