//! Sign-ins: where an account is signed in, and the tokens and tickets that show it. Only the
//! SHA-256 of a secret is stored, so that a copy of the database opens no account.
//!
//! A sign-in begins when somebody signs in on a device and ends when it is revoked or unused
//! for too long. It has one token. A rotation adds another; the old one ends when a token made
//! later is first used, so that an answer lost on its way costs nobody the account. Tokens made
//! within a minute of each other live side by side: two tabs may rotate at the same moment.

use session::{Account, Ms};

use crate::database::{Row, params};
use crate::{StoreError, Tx};

/// The SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// One account has no more sign-ins than this at a time; a new one then takes the place of the
/// one that was unused longest.
pub const SIGN_INS_PER_ACCOUNT_MAX: u64 = 16;

/// A sign-in has no more tokens than this; a rotation then ends the oldest.
const TOKENS_PER_SIGN_IN_MAX: u64 = 4;

/// Tokens made within this of each other do not end each other.
pub const ROTATION_OVERLAP_MS: Ms = 60_000;

/// A ticket is good for no longer than this.
pub const TICKET_LIFE_MAX_MS: Ms = 30_000;

/// Which sign-in it is: a random number that is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SignInId(pub u64);

/// Where an account is signed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignIn {
    /// Which one.
    pub id: SignInId,
    /// Whose.
    pub account: Account,
    /// When it began.
    pub created_at: Ms,
    /// When it was last used, to within a few minutes.
    pub last_seen_at: Ms,
    /// When it ends unless it is used before.
    pub expires_at: Ms,
    /// When a password or a recovery code was last given in it; None in a guest's.
    pub proven_at: Option<Ms>,
    /// The browser and system, as far as they were told.
    pub agent: String,
}

/// What a token shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenUse {
    /// The sign-in.
    pub sign_in: SignIn,
    /// Whether an older token of the sign-in still works: it ends with [`Tx::use_token`].
    pub succeeds: bool,
}

impl Tx<'_> {
    /// Begins a sign-in with its token. Gives the sign-ins that made room for it.
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

    /// The sign-in of a token that has not run out.
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

    /// A token was used: its sign-in lasts until `expires_at`, and the tokens that it replaced
    /// end.
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

    /// Adds a new token beside one that has not run out.
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

    /// The sign-ins of an account, the one used last first.
    pub fn sign_ins(&mut self, account: Account, now: Ms) -> Result<Vec<SignIn>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE s.account = $1 AND s.expires_at > $2 \
             ORDER BY s.last_seen_at DESC, s.created_at DESC, s.id"
        );
        self.rows(&sql, params![account, now], read)
    }

    /// Ends one sign-in of an account. False if it has none of this id.
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

    /// Ends all sign-ins of an account except this one; gives those that ended.
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

    /// The person in a sign-in has just given a password.
    pub fn prove_sign_in(&mut self, id: SignInId, at: Ms) -> Result<(), StoreError> {
        let sql = "UPDATE sign_ins SET proven_at = $1 WHERE id = $2";
        self.execute(sql, params![at, id.0]).map(drop)
    }

    /// Stores a ticket of a sign-in, which is good once and not for long.
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
            // It has ended meanwhile: a ticket of it would open nothing.
            return Ok(());
        }
        self.execute(
            "INSERT INTO tickets (hash, sign_in, expires_at) VALUES ($1, $2, $3) \
             ON CONFLICT DO NOTHING",
            params![hash, sign_in.0, expires_at],
        )
        .map(drop)
    }

    /// Uses a ticket up. The sign-in it was made in, if both are still good.
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

    /// Forgets what has run out; says how much.
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

    /// Tokens of the same sign-in that were made before this time end when this one is used.
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
