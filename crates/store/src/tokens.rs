//! Tokens and tickets: how a connection shows whose it is. Only their SHA-256 is stored, so
//! that a copy of the database opens no account.

use session::{Account, Ms};

use crate::database::params;
use crate::{StoreError, Tx};

/// The SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// One account has no more tokens than this at a time; a new one then takes the place of the
/// oldest.
pub const TOKENS_PER_ACCOUNT_MAX: u64 = 16;

/// A ticket is good for no longer than this.
pub const TICKET_LIFE_MAX_MS: Ms = 30_000;

impl Tx<'_> {
    /// Stores a token.
    pub fn add_token(
        &mut self,
        hash: &SecretHash,
        account: Account,
        at: Ms,
        expires_at: Ms,
    ) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO tokens (hash, account, created_at, expires_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT DO NOTHING",
            params![hash, account, at, expires_at],
        )?;
        self.execute(
            "DELETE FROM tokens WHERE account = $1 AND hash NOT IN ( \
                 SELECT hash FROM tokens WHERE account = $2 \
                 ORDER BY created_at DESC, hash = $3 DESC, hash LIMIT $4)",
            params![account, account, hash, TOKENS_PER_ACCOUNT_MAX],
        )
        .map(drop)
    }

    /// Forgets a token.
    pub fn revoke_token(&mut self, hash: &SecretHash) -> Result<(), StoreError> {
        let sql = "DELETE FROM tokens WHERE hash = $1";
        self.execute(sql, params![hash]).map(drop)
    }

    /// Forgets all tokens and tickets of an account, except this token.
    pub fn revoke_all_but(
        &mut self,
        account: Account,
        kept: Option<&SecretHash>,
    ) -> Result<u64, StoreError> {
        let sql = "DELETE FROM tickets WHERE account = $1";
        self.execute(sql, params![account])?;
        let of_account = "DELETE FROM tokens WHERE account = $1";
        match kept {
            None => self.execute(of_account, params![account]),
            Some(kept) => {
                let sql = format!("{of_account} AND hash <> $2");
                self.execute(&sql, params![account, kept])
            }
        }
    }

    /// Puts a new token in the place of one that has not run out.
    pub fn rotate_token(
        &mut self,
        old: &SecretHash,
        new: &SecretHash,
        at: Ms,
        expires_at: Ms,
    ) -> Result<Option<Account>, StoreError> {
        let sql = "DELETE FROM tokens WHERE hash = $1 AND expires_at > $2 RETURNING account";
        let Some(account) = self.value(sql, params![old, at])? else {
            return Ok(None);
        };
        self.add_token(new, account, at, expires_at)?;
        Ok(Some(account))
    }

    /// Stores a ticket, which is good once and not for long.
    pub fn add_ticket(
        &mut self,
        hash: &SecretHash,
        account: Account,
        at: Ms,
        expires_at: Ms,
    ) -> Result<(), StoreError> {
        let expires_at = expires_at.min(at.saturating_add(TICKET_LIFE_MAX_MS));
        self.execute(
            "INSERT INTO tickets (hash, account, expires_at) VALUES ($1, $2, $3) \
             ON CONFLICT DO NOTHING",
            params![hash, account, expires_at],
        )
        .map(drop)
    }

    /// Uses a ticket up. Whose it was, if it was still good.
    pub fn take_ticket(
        &mut self,
        hash: &SecretHash,
        now: Ms,
    ) -> Result<Option<Account>, StoreError> {
        let sql = "DELETE FROM tickets WHERE hash = $1 RETURNING account, expires_at";
        let Some(mut row) = self.row(sql, params![hash])? else {
            return Ok(None);
        };
        let (account, expires_at): (Account, Ms) = (row.take()?, row.take()?);
        Ok((expires_at > now).then_some(account))
    }

    /// Forgets what has run out; says how much.
    pub fn prune_tokens(&mut self, now: Ms) -> Result<u64, StoreError> {
        let tickets = self.execute("DELETE FROM tickets WHERE expires_at <= $1", params![now])?;
        let tokens = self.execute("DELETE FROM tokens WHERE expires_at <= $1", params![now])?;
        Ok(tickets + tokens)
    }
}
