//! Invitations: a private match that waits for its second player.

use session::{Account, Ms};

use crate::SecretHash;
use crate::database::{Row, params};
use crate::{Denied, Deny, StoreError, Tx};

/// The maximum number of open invitations of an account.
pub const INVITATIONS_PER_ACCOUNT_MAX: u64 = 16;

/// An invitation to a private match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    /// The SHA-256 of its code.
    pub code_hash: SecretHash,
    /// The name of the game.
    pub game: String,
    /// The stake of each player, in tokens.
    pub stake: u64,
    /// The account that made it.
    pub creator: Account,
    /// The time when it was made.
    pub created_at: Ms,
    /// The time when it expires.
    pub expires_at: Ms,
    /// Further options: JSON, whose format the caller defines.
    pub options: String,
}

impl Tx<'_> {
    /// Stores an invitation. Denied if the account has too many, or if the code is in use.
    pub fn add_invitation(&mut self, invitation: &Invitation) -> Result<(), Deny> {
        let sql = "SELECT count(*) FROM invitations WHERE creator = $1 AND expires_at > $2";
        let params = params![invitation.creator, invitation.created_at];
        let n_open: u64 = self.value(sql, params)?.unwrap_or(0);
        if n_open >= INVITATIONS_PER_ACCOUNT_MAX {
            return Err(Deny::Denied(Denied::TooMany {
                what: "open invitations",
                most: INVITATIONS_PER_ACCOUNT_MAX,
            }));
        }
        let n_added = self.execute(
            "INSERT INTO invitations (code_hash, game, stake, creator, created_at, expires_at, \
             options) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            params![
                &invitation.code_hash,
                &invitation.game,
                invitation.stake,
                invitation.creator,
                invitation.created_at,
                invitation.expires_at,
                &invitation.options,
            ],
        )?;
        if n_added == 0 {
            return Err(Denied::CodeTaken.into());
        }
        Ok(())
    }

    /// The invitation with this code, unless it has expired.
    pub fn invitation(
        &mut self,
        code_hash: &SecretHash,
        now: Ms,
    ) -> Result<Option<Invitation>, StoreError> {
        let sql = "SELECT code_hash, game, stake, creator, created_at, expires_at, options \
                   FROM invitations WHERE code_hash = $1 AND expires_at > $2";
        let row = self.row(sql, params![code_hash, now])?;
        row.map(read).transpose()
    }

    /// The invitations that an account has made, the newest first.
    pub fn invitations_of(&mut self, creator: Account) -> Result<Vec<Invitation>, StoreError> {
        let sql = "SELECT code_hash, game, stake, creator, created_at, expires_at, options \
                   FROM invitations WHERE creator = $1 ORDER BY created_at DESC, code_hash";
        self.rows(sql, params![creator], read)
    }

    /// Accepts or cancels an invitation, which deletes it. Returns `None` if it has expired or does
    /// not exist.
    pub fn take_invitation(
        &mut self,
        code_hash: &SecretHash,
        now: Ms,
    ) -> Result<Option<Invitation>, StoreError> {
        let taken = self.invitation(code_hash, now)?;
        let sql = "DELETE FROM invitations WHERE code_hash = $1";
        self.execute(sql, params![code_hash])?;
        Ok(taken)
    }

    /// Deletes expired invitations; returns how many.
    pub fn prune_invitations(&mut self, now: Ms) -> Result<u64, StoreError> {
        self.execute(
            "DELETE FROM invitations WHERE expires_at <= $1",
            params![now],
        )
    }
}

fn read(mut row: Row) -> Result<Invitation, StoreError> {
    Ok(Invitation {
        code_hash: row.take()?,
        game: row.take()?,
        stake: row.take()?,
        creator: row.take()?,
        created_at: row.take()?,
        expires_at: row.take()?,
        options: row.take()?,
    })
}
