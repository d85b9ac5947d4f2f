//! Recovery codes, and the deletion of accounts.

use session::{Account, Ms};
use uuid::Uuid;

use crate::database::params;
use crate::{
    Denied, Deny, LedgerAccount, Legs, SecretHash, SignInId, StoreError, Transfer, TransferKind, Tx,
};

/// The name that others see for a player whose account was deleted.
pub const DELETED_PLAYER: &str = "deleted player";

impl Tx<'_> {
    /// Gives an account new recovery codes, which replace the old ones.
    pub fn set_recovery_codes(
        &mut self,
        account: Account,
        codes: &[SecretHash],
        at: Ms,
    ) -> Result<(), StoreError> {
        self.drop_recovery_codes(account)?;
        for hash in codes {
            let sql = "INSERT INTO recovery_codes (hash, account, created_at) VALUES ($1, $2, $3)";
            self.execute(sql, params![hash, account, at])?;
        }
        Ok(())
    }

    /// The account that a recovery code belongs to.
    pub fn account_of_recovery_code(
        &mut self,
        hash: &SecretHash,
    ) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT account FROM recovery_codes WHERE hash = $1";
        self.value(sql, params![hash])
    }

    /// Consumes a recovery code: sets the account's login and password, and ends all its sign-ins.
    /// Returns the account and the sign-ins that ended; `None` if the code is unknown, or if the
    /// account has another login.
    pub fn recover(
        &mut self,
        code: &SecretHash,
        login: &str,
        password_hash: &str,
    ) -> Result<Option<(Account, Vec<SignInId>)>, Deny> {
        let sql = "SELECT c.account, a.login FROM recovery_codes c \
                   JOIN accounts a ON a.account = c.account WHERE c.hash = $1";
        let Some(mut row) = self.row(sql, params![code])? else {
            return Ok(None);
        };
        let (account, own): (Account, Option<String>) = (row.take()?, row.take()?);
        if own.is_some_and(|own| own != login) {
            return Ok(None);
        }
        self.set_login(account, login, password_hash)?;
        let sql = "DELETE FROM recovery_codes WHERE hash = $1";
        self.execute(sql, params![code])?;
        Ok(Some((account, self.end_sign_ins_but(account, None)?)))
    }

    /// The number of unused recovery codes of an account.
    pub fn n_recovery_codes(&mut self, account: Account) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM recovery_codes WHERE account = $1";
        Ok(self.value(sql, params![account])?.unwrap_or(0))
    }

    /// Erases the person from an account: names, login, ratings, counts, sign-ins and invitations.
    /// Its number, its transfers and its results stay; its tokens are burned. Others see
    /// [`DELETED_PLAYER`] in place of its name. `public_id` is its new public id, which nobody
    /// knows. Denied while the account is in an open match. Returns the sign-ins that ended.
    pub fn delete_account(
        &mut self,
        account: Account,
        public_id: Uuid,
        at: Ms,
    ) -> Result<Vec<SignInId>, Deny> {
        let row = self.existing(account)?;
        if let Some(game_id) = self.seated(account)? {
            return Err(Denied::AlreadySeated { account, game_id }.into());
        }
        if row.tokens > 0 {
            let player = LedgerAccount::Player(account);
            self.transfer(&Transfer {
                key: format!("deleted:{}", account.0),
                kind: TransferKind::Fee,
                game_id: None,
                legs: Legs::pay(player, LedgerAccount::Burn, row.tokens)?,
                at,
                memo: "a deleted account".to_owned(),
                operator: None,
            })?;
        }
        let ended = self.end_sign_ins_but(account, None)?;
        self.drop_looks(account)?;
        self.drop_recovery_codes(account)?;
        for sql in [
            "DELETE FROM invitations WHERE creator = $1",
            "DELETE FROM ratings WHERE account = $1",
            "DELETE FROM stats WHERE account = $1",
        ] {
            self.execute(sql, params![account])?;
        }
        self.forget_name(account)?;
        self.execute(
            "UPDATE accounts SET public_id = $1, nickname = NULL, nickname_key = NULL, \
             language = 'en', avatar = '', telegram_user_id = NULL, login = NULL, \
             password_hash = NULL, deleted_at = $2 WHERE account = $3",
            params![public_id, at, account],
        )?;
        Ok(ended)
    }

    /// Removes the name of an account from the matches that it played.
    fn forget_name(&mut self, account: Account) -> Result<(), StoreError> {
        self.execute(
            "UPDATE results SET opponent = $1 WHERE account <> $2 AND opponent IS NOT NULL \
             AND game_id IN (SELECT game_id FROM seats WHERE account = $3)",
            params![DELETED_PLAYER, account, account],
        )?;
        let sql = "UPDATE seats SET name = $1 WHERE account = $2";
        self.execute(sql, params![DELETED_PLAYER, account])
            .map(drop)
    }

    fn drop_recovery_codes(&mut self, account: Account) -> Result<(), StoreError> {
        let sql = "DELETE FROM recovery_codes WHERE account = $1";
        self.execute(sql, params![account]).map(drop)
    }
}
