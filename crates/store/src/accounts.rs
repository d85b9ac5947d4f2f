//! Accounts: the identities of players.

use session::{Account, Ms};
use uuid::Uuid;

use crate::database::{Row, params};
use crate::tx::page;
use crate::{
    Denied, Deny, LedgerAccount, Legs, Nickname, Sanction, StoreError, Transfer, TransferKind, Tx,
};

/// An account to create.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewAccount {
    /// The public id, which others may know. Creating the same id again returns the same account.
    pub public_id: Uuid,
    /// The time of creation.
    pub at: Ms,
    /// The nickname, if it has been chosen.
    pub nickname: Option<Nickname>,
    /// The language of the user interface.
    pub language: String,
    /// The key of the avatar.
    pub avatar: String,
    /// The Telegram user who owns it, if any.
    pub telegram_user_id: Option<i64>,
    /// The login, normalized for comparison.
    pub login: Option<String>,
    /// The hash of the password, with salt and parameters.
    pub password_hash: Option<String>,
    /// The initial balance, in tokens.
    pub tokens_granted: u64,
}

/// An account as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountRow {
    /// The number of the account, for this store only.
    pub account: Account,
    /// The public id, which others may know.
    pub public_id: Uuid,
    /// The time of creation.
    pub created_at: Ms,
    /// The time of the last activity.
    pub last_seen_at: Ms,
    /// The nickname, if one was chosen.
    pub nickname: Option<Nickname>,
    /// The number of times that the nickname was changed.
    pub n_renames: u64,
    /// The language of the user interface.
    pub language: String,
    /// The key of the avatar.
    pub avatar: String,
    /// The Telegram user who owns it, if any.
    pub telegram_user_id: Option<i64>,
    /// The login, if it has one.
    pub login: Option<String>,
    /// The hash of the password, if it has one.
    pub password_hash: Option<String>,
    /// The balance, in tokens.
    pub tokens: u64,
    /// The ban, if there is one.
    pub ban: Option<Sanction>,
    /// The mute, which hides the nickname from others, if there is one.
    pub mute: Option<Sanction>,
}

impl AccountRow {
    /// The nickname that others see; `None` while it is muted.
    pub fn public_name(&self, now: Ms) -> Option<&str> {
        let is_muted = self.mute.is_some_and(|it| it.holds(now));
        let nickname = self.nickname.as_ref().filter(|_| !is_muted);
        nickname.map(|it| it.shown.as_str())
    }
}

/// The result of a change of nickname.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NicknameSet {
    /// The price that was charged, in tokens.
    pub charged: u64,
    /// The balance after it, in tokens.
    pub tokens: u64,
}

impl Tx<'_> {
    /// Creates an account and grants it its initial tokens.
    pub fn create_account(&mut self, new: &NewAccount) -> Result<Account, Deny> {
        if let Some(known) = self.account_by_public_id(new.public_id)? {
            return Ok(known.account);
        }
        if let Some(nickname) = &new.nickname {
            self.check_looks(None, nickname)?;
        }
        if let Some(login) = &new.login {
            self.check_free("login", login, None, Denied::LoginTaken)?;
        }
        if let Some(user) = new.telegram_user_id
            && self.account_by_telegram(user)?.is_some()
        {
            return Err(Denied::TelegramTaken.into());
        }
        let sql = "SELECT coalesce(max(account), 0) + 1 FROM accounts";
        let account = self.value(sql, &[])?.unwrap_or(Account(1));
        self.insert_account(account, new)?;
        if let Some(nickname) = &new.nickname {
            self.claim_looks(account, nickname)?;
        }
        self.grant(account, new)?;
        Ok(account)
    }

    /// The account with this number.
    pub fn account(&mut self, account: Account) -> Result<Option<AccountRow>, StoreError> {
        self.find("a.account = $1", params![account])
    }

    /// The account with this public id.
    pub fn account_by_public_id(&mut self, id: Uuid) -> Result<Option<AccountRow>, StoreError> {
        self.find("a.public_id = $1", params![id])
    }

    /// The account with this login, normalized for comparison.
    pub fn account_by_login(&mut self, login: &str) -> Result<Option<AccountRow>, StoreError> {
        self.find("a.login = $1", params![login])
    }

    /// The account of this Telegram user.
    pub fn account_by_telegram(&mut self, user: i64) -> Result<Option<AccountRow>, StoreError> {
        self.find("a.telegram_user_id = $1", params![user])
    }

    /// Accounts for operators to choose from: the one with this public id or number, or those whose
    /// normalized nickname begins with this text.
    pub fn find_accounts(&mut self, text: &str, limit: u32) -> Result<Vec<AccountRow>, StoreError> {
        if let Ok(id) = Uuid::parse_str(text) {
            return Ok(self.account_by_public_id(id)?.into_iter().collect());
        }
        if let Ok(number) = text.parse() {
            return Ok(self.account(Account(number))?.into_iter().collect());
        }
        let escaped = text
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let pattern = format!("{escaped}%");
        let sql = format!(
            "{SELECT} WHERE a.nickname_key LIKE $1 ESCAPE '\\' ORDER BY a.account LIMIT $2"
        );
        self.rows(&sql, &[pattern.into(), page(limit)], read)
    }

    /// Sets the nickname of an account for `cost` tokens, which are burned.
    pub fn set_nickname(
        &mut self,
        account: Account,
        nickname: &Nickname,
        cost: u64,
        at: Ms,
    ) -> Result<NicknameSet, Deny> {
        let row = self.existing(account)?;
        self.check_looks(Some(account), nickname)?;
        self.claim_looks(account, nickname)?;
        let nth = row.n_renames + 1;
        if cost > 0 {
            let player = LedgerAccount::Player(account);
            self.transfer(&Transfer {
                key: format!("rename:{}:{nth}", account.0),
                kind: TransferKind::Fee,
                game_id: None,
                legs: Legs::pay(player, LedgerAccount::Burn, cost)?,
                at,
                memo: "a new nickname".to_owned(),
                operator: None,
            })?;
        }
        self.execute(
            "UPDATE accounts SET nickname = $1, nickname_key = $2, n_renames = $3 \
             WHERE account = $4",
            params![&nickname.shown, &nickname.key, nth, account],
        )?;
        Ok(NicknameSet {
            charged: cost,
            tokens: row.tokens.saturating_sub(cost),
        })
    }

    /// Sets the language and avatar of an account.
    pub fn set_profile(
        &mut self,
        account: Account,
        language: &str,
        avatar: &str,
    ) -> Result<(), Deny> {
        let sql = "UPDATE accounts SET language = $1, avatar = $2 WHERE account = $3";
        let n_changed = self.execute(sql, params![language, avatar, account])?;
        known(n_changed, account)
    }

    /// Sets the login and password of an account.
    pub fn set_login(
        &mut self,
        account: Account,
        login: &str,
        password_hash: &str,
    ) -> Result<(), Deny> {
        self.check_free("login", login, Some(account), Denied::LoginTaken)?;
        let sql = "UPDATE accounts SET login = $1, password_hash = $2 WHERE account = $3";
        let n_changed = self.execute(sql, params![login, password_hash, account])?;
        known(n_changed, account)
    }

    /// Sets the password of an account.
    pub fn set_password(&mut self, account: Account, password_hash: &str) -> Result<(), Deny> {
        let sql = "UPDATE accounts SET password_hash = $1 WHERE account = $2";
        let n_changed = self.execute(sql, params![password_hash, account])?;
        known(n_changed, account)
    }

    /// Notes activity of the account. The stored time never decreases.
    pub fn touch(&mut self, account: Account, at: Ms) -> Result<(), StoreError> {
        let sql = "UPDATE accounts SET last_seen_at = $1 WHERE account = $2 AND last_seen_at < $3";
        self.execute(sql, params![at, account, at]).map(drop)
    }

    /// The account, or a denial if it does not exist.
    pub(crate) fn existing(&mut self, account: Account) -> Result<AccountRow, Deny> {
        let row = self.account(account)?;
        row.ok_or(Deny::Denied(Denied::UnknownAccount { account }))
    }

    fn find(
        &mut self,
        which: &str,
        params: &[crate::database::Param<'_>],
    ) -> Result<Option<AccountRow>, StoreError> {
        let row = self.row(&format!("{SELECT} WHERE {which}"), params)?;
        row.map(read).transpose()
    }

    pub(crate) fn check_free(
        &mut self,
        column: &str,
        value: &str,
        own: Option<Account>,
        taken: Denied,
    ) -> Result<(), Deny> {
        let sql = format!("SELECT account FROM accounts WHERE {column} = $1");
        match self.value::<Account>(&sql, params![value])? {
            Some(holder) if Some(holder) != own => Err(Deny::Denied(taken)),
            _ => Ok(()),
        }
    }

    fn insert_account(&mut self, account: Account, new: &NewAccount) -> Result<(), StoreError> {
        let nickname = new.nickname.as_ref();
        self.execute(
            "INSERT INTO accounts (account, public_id, created_at, last_seen_at, nickname, \
             nickname_key, language, avatar, telegram_user_id, login, password_hash) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            params![
                account,
                new.public_id,
                new.at,
                new.at,
                nickname.map(|it| &it.shown),
                nickname.map(|it| &it.key),
                &new.language,
                &new.avatar,
                new.telegram_user_id,
                new.login.as_deref(),
                new.password_hash.as_deref(),
            ],
        )
        .map(drop)
    }

    fn grant(&mut self, account: Account, new: &NewAccount) -> Result<(), Deny> {
        if new.tokens_granted == 0 {
            return Ok(());
        }
        let player = LedgerAccount::Player(account);
        self.transfer(&Transfer {
            key: format!("grant:{}", new.public_id),
            kind: TransferKind::Grant,
            game_id: None,
            legs: Legs::pay(LedgerAccount::Issue, player, new.tokens_granted)?,
            at: new.at,
            memo: "a new account".to_owned(),
            operator: None,
        })
        .map(drop)
    }
}

const SELECT: &str = "SELECT a.account, a.public_id, a.created_at, a.last_seen_at, a.nickname, \
    a.nickname_key, a.n_renames, a.language, a.avatar, a.telegram_user_id, a.login, \
    a.password_hash, coalesce(b.amount, 0), ban.at, ban.until, mute.at, mute.until \
    FROM accounts a LEFT JOIN balances b ON b.account = 'player:' || a.account \
    LEFT JOIN sanctions ban ON ban.account = a.account AND ban.kind = 'ban' \
    LEFT JOIN sanctions mute ON mute.account = a.account AND mute.kind = 'mute'";

fn read(mut row: Row) -> Result<AccountRow, StoreError> {
    Ok(AccountRow {
        account: row.take()?,
        public_id: row.take()?,
        created_at: row.take()?,
        last_seen_at: row.take()?,
        nickname: nickname(row.take()?, row.take()?),
        n_renames: row.take()?,
        language: row.take()?,
        avatar: row.take()?,
        telegram_user_id: row.take()?,
        login: row.take()?,
        password_hash: row.take()?,
        tokens: row.take()?,
        ban: sanction(row.take()?, row.take()?),
        mute: sanction(row.take()?, row.take()?),
    })
}

fn sanction(at: Option<Ms>, until: Option<Ms>) -> Option<Sanction> {
    at.map(|_| Sanction { until })
}

fn nickname(shown: Option<String>, key: Option<String>) -> Option<Nickname> {
    shown.zip(key).map(|(shown, key)| Nickname { shown, key })
}

fn known(n_changed: u64, account: Account) -> Result<(), Deny> {
    if n_changed == 0 {
        return Err(Denied::UnknownAccount { account }.into());
    }
    Ok(())
}
