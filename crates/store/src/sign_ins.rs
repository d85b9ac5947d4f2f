//! Sign-ins, with their tokens and tickets. Only the SHA-256 of a secret is stored, so that a copy
//! of the database gives access to no account.
//!
//! A sign-in begins when somebody signs in on a device, and ends when it is revoked or unused for
//! too long. It has one token. A rotation adds another; the old one ends when a newer one is first
//! used, so that a lost response locks nobody out. Tokens created within a minute of each other
//! stay valid together, because two tabs may rotate at the same moment.

use session::{Account, Ms};

use crate::database::{Row, params};
use crate::{StoreError, Tx};

/// The SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// The maximum number of sign-ins of one account. A new one then replaces the one that was unused
/// the longest.
pub const SIGN_INS_PER_ACCOUNT_MAX: u64 = 16;

/// The maximum number of tokens of a sign-in. A rotation then ends the oldest.
const TOKENS_PER_SIGN_IN_MAX: u64 = 4;

/// Tokens created within this time of each other do not end each other.
pub const ROTATION_OVERLAP_MS: Ms = 60_000;

/// The maximum lifetime of a ticket.
pub const TICKET_LIFE_MAX_MS: Ms = 30_000;

/// The id of a sign-in: a random number that is never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SignInId(pub u64);

/// A sign-in of an account on a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignIn {
    /// The id of the sign-in.
    pub id: SignInId,
    /// The account that is signed in.
    pub account: Account,
    /// The time when it began.
    pub created_at: Ms,
    /// The time when it was last used, to within a few minutes.
    pub last_seen_at: Ms,
    /// The time when it ends unless it is used before.
    pub expires_at: Ms,
    /// The time when a password or a recovery code was last entered in it; `None` for a guest's.
    pub proven_at: Option<Ms>,
    /// The browser and system, as far as they are known.
    pub agent: String,
}

/// The meaning of a valid token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenUse {
    /// The sign-in that it belongs to.
    pub sign_in: SignIn,
    /// True if an older token of the sign-in is still valid. It ends with [`Tx::use_token`].
    pub succeeds: bool,
}

impl Tx<'_> {
    /// Begins a sign-in with its token. Returns the sign-ins that were ended to make room for it.
    pub fn begin_sign_in(
        &mut self,
        new: &SignIn,
        token: &SecretHash,
    ) -> Result<Vec<SignInId>, StoreError> {
        self.execute(
            "INSERT INTO sign_ins (id, account, created_at, last_seen_at, expires_at, proven_at, \
             agent) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            params![
                new.id.0,
                new.account,
                new.created_at,
                new.last_seen_at,
                new.expires_at,
                new.proven_at,
                &new.agent,
            ],
        )?;
        self.add_token(token, new.id, new.created_at)?;
        let over = self.rows(
            "SELECT id FROM sign_ins WHERE account = $1 AND id NOT IN ( \
                 SELECT id FROM sign_ins WHERE account = $2 \
                 ORDER BY id = $3 DESC, last_seen_at DESC, created_at DESC, id LIMIT $4)",
            params![new.account, new.account, new.id.0, SIGN_INS_PER_ACCOUNT_MAX],
            |mut row| row.take().map(SignInId),
        )?;
        for id in &over {
            self.end_sign_in(new.account, *id)?;
        }
        Ok(over)
    }

    /// The sign-in of a token that has not expired.
    pub fn sign_in_of_token(
        &mut self,
        token: &SecretHash,
        now: Ms,
    ) -> Result<Option<TokenUse>, StoreError> {
        let sql = format!(
            "{SELECT} JOIN tokens t ON t.sign_in = s.id WHERE t.hash = $1 AND s.expires_at > $2"
        );
        let Some(row) = self.row(&sql, params![token, now])? else {
            return Ok(None);
        };
        let sign_in = read(row)?;
        let oldest = self.oldest_beside(token)?;
        let succeeds = self.n_older(&sign_in, oldest)? > 0;
        Ok(Some(TokenUse { sign_in, succeeds }))
    }

    /// Notes that a token was used: its sign-in lasts until `expires_at`, and the tokens that it
    /// replaced end.
    pub fn use_token(
        &mut self,
        token: &SecretHash,
        now: Ms,
        expires_at: Ms,
    ) -> Result<(), StoreError> {
        let oldest = self.oldest_beside(token)?;
        self.execute(
            "DELETE FROM tokens WHERE created_at < $1 \
             AND sign_in = (SELECT sign_in FROM tokens WHERE hash = $2)",
            params![oldest, token],
        )?;
        self.execute(
            "UPDATE sign_ins SET last_seen_at = $1, expires_at = $2 \
             WHERE id = (SELECT sign_in FROM tokens WHERE hash = $3) AND last_seen_at <= $4",
            params![now, expires_at, token, now],
        )
        .map(drop)
    }

    /// Adds a token to the sign-in of a token that has not expired.
    pub fn rotate_token(
        &mut self,
        old: &SecretHash,
        new: &SecretHash,
        now: Ms,
    ) -> Result<Option<SignInId>, StoreError> {
        let Some(TokenUse { sign_in, .. }) = self.sign_in_of_token(old, now)? else {
            return Ok(None);
        };
        self.add_token(new, sign_in.id, now)?;
        self.execute(
            "DELETE FROM tokens WHERE sign_in = $1 AND hash <> $2 AND hash NOT IN ( \
                 SELECT hash FROM tokens WHERE sign_in = $3 \
                 ORDER BY hash = $4 DESC, created_at DESC, hash LIMIT $5)",
            params![sign_in.id.0, old, sign_in.id.0, new, TOKENS_PER_SIGN_IN_MAX],
        )?;
        Ok(Some(sign_in.id))
    }

    /// The sign-ins of an account, the most recently used first.
    pub fn sign_ins(&mut self, account: Account, now: Ms) -> Result<Vec<SignIn>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE s.account = $1 AND s.expires_at > $2 \
             ORDER BY s.last_seen_at DESC, s.created_at DESC, s.id"
        );
        self.rows(&sql, params![account, now], read)
    }

    /// Ends one sign-in of an account. Returns false if the account has none with this id.
    pub fn end_sign_in(&mut self, account: Account, id: SignInId) -> Result<bool, StoreError> {
        let own = "SELECT id FROM sign_ins WHERE account = $1 AND id = $2";
        if self.row(own, params![account, id.0])?.is_none() {
            return Ok(false);
        }
        for table in ["tickets", "tokens"] {
            let sql = format!("DELETE FROM {table} WHERE sign_in = $1");
            self.execute(&sql, params![id.0])?;
        }
        self.execute("DELETE FROM sign_ins WHERE id = $1", params![id.0])?;
        Ok(true)
    }

    /// Ends all sign-ins of an account except this one, and returns those that ended.
    pub fn end_sign_ins_but(
        &mut self,
        account: Account,
        kept: Option<SignInId>,
    ) -> Result<Vec<SignInId>, StoreError> {
        let sql = "SELECT id FROM sign_ins WHERE account = $1";
        let mut ended = self.rows(sql, params![account], |mut row| row.take().map(SignInId))?;
        ended.retain(|id| Some(*id) != kept);
        for id in &ended {
            self.end_sign_in(account, *id)?;
        }
        Ok(ended)
    }

    /// Notes that the person in a sign-in has just entered a password.
    pub fn prove_sign_in(&mut self, id: SignInId, at: Ms) -> Result<(), StoreError> {
        let sql = "UPDATE sign_ins SET proven_at = $1 WHERE id = $2";
        self.execute(sql, params![at, id.0]).map(drop)
    }

    /// Stores a ticket of a sign-in, which is valid once and only briefly.
    pub fn add_ticket(
        &mut self,
        hash: &SecretHash,
        sign_in: SignInId,
        at: Ms,
        expires_at: Ms,
    ) -> Result<(), StoreError> {
        let expires_at = expires_at.min(at.saturating_add(TICKET_LIFE_MAX_MS));
        let known = "SELECT id FROM sign_ins WHERE id = $1";
        if self.row(known, params![sign_in.0])?.is_none() {
            // The sign-in has ended meanwhile, so its ticket would be useless.
            return Ok(());
        }
        self.execute(
            "INSERT INTO tickets (hash, sign_in, expires_at) VALUES ($1, $2, $3) \
             ON CONFLICT DO NOTHING",
            params![hash, sign_in.0, expires_at],
        )
        .map(drop)
    }

    /// Consumes a ticket. Returns its sign-in, if both are still valid.
    pub fn take_ticket(
        &mut self,
        hash: &SecretHash,
        now: Ms,
    ) -> Result<Option<SignIn>, StoreError> {
        let sql = "DELETE FROM tickets WHERE hash = $1 RETURNING sign_in, expires_at";
        let Some(mut row) = self.row(sql, params![hash])? else {
            return Ok(None);
        };
        let (id, expires_at): (u64, Ms) = (row.take()?, row.take()?);
        if expires_at <= now {
            return Ok(None);
        }
        let sql = format!("{SELECT} WHERE s.id = $1 AND s.expires_at > $2");
        self.row(&sql, params![id, now])?.map(read).transpose()
    }

    /// Deletes expired tickets, tokens and sign-ins; returns how many.
    pub fn prune_sign_ins(&mut self, now: Ms) -> Result<u64, StoreError> {
        let mut n_gone =
            self.execute("DELETE FROM tickets WHERE expires_at <= $1", params![now])?;
        for table in ["tickets", "tokens"] {
            let sql = format!(
                "DELETE FROM {table} WHERE sign_in IN \
                 (SELECT id FROM sign_ins WHERE expires_at <= $1)"
            );
            n_gone += self.execute(&sql, params![now])?;
        }
        let sql = "DELETE FROM sign_ins WHERE expires_at <= $1";
        Ok(n_gone + self.execute(sql, params![now])?)
    }

    fn add_token(&mut self, hash: &SecretHash, id: SignInId, at: Ms) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO tokens (hash, sign_in, created_at) VALUES ($1, $2, $3) \
             ON CONFLICT DO NOTHING",
            params![hash, id.0, at],
        )
        .map(drop)
    }

    /// The time before which tokens of the same sign-in end once this one is used.
    fn oldest_beside(&mut self, token: &SecretHash) -> Result<Ms, StoreError> {
        let sql = "SELECT created_at FROM tokens WHERE hash = $1";
        let made: Ms = self.value(sql, params![token])?.unwrap_or(0);
        Ok(made.saturating_sub(ROTATION_OVERLAP_MS))
    }

    fn n_older(&mut self, sign_in: &SignIn, than: Ms) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM tokens WHERE sign_in = $1 AND created_at < $2";
        Ok(self.value(sql, params![sign_in.id.0, than])?.unwrap_or(0))
    }
}

const SELECT: &str = "SELECT s.id, s.account, s.created_at, s.last_seen_at, s.expires_at, \
    s.proven_at, s.agent FROM sign_ins s";

fn read(mut row: Row) -> Result<SignIn, StoreError> {
    Ok(SignIn {
        id: row.take().map(SignInId)?,
        account: row.take()?,
        created_at: row.take()?,
        last_seen_at: row.take()?,
        expires_at: row.take()?,
        proven_at: row.take()?,
        agent: row.take()?,
    })
}
