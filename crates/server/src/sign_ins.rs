//! Sign-ins: tokens, tickets, and the sockets that close when a sign-in ends.

use session::{Account, Ms};
use store::{AccountRow, NewAccount, SignIn, SignInId, TICKET_LIFE_MAX_MS, Tx};
use wire::codes::{CloseCode, ErrorCode};

use crate::accounts::{AVATARS, LANGUAGES, SECRET_BYTES_MAX, uuid};
use crate::secret;
use crate::server::Server;

/// The minimum interval between writes that record the use of a token.
const TOUCH_EVERY_MS: Ms = 5 * 60_000;

/// An account and the sign-in it uses.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) row: AccountRow,
    pub(crate) sign_in: SignIn,
}

/// Evidence that the account belongs to the person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// A password or a recovery code.
    Given,
    /// None: a guest has nothing to show.
    None,
}

impl Server {
    /// Creates a guest account with its first tokens, and a token to sign in with.
    pub(crate) async fn create_guest(&self, agent: &str) -> Result<(Visitor, String), ErrorCode> {
        let now = self.clock.now();
        let new = NewAccount {
            public_id: uuid(),
            at: now,
            nickname: None,
            language: LANGUAGES[0].to_owned(),
            avatar: AVATARS[0].to_owned(),
            telegram_user_id: None,
            login: None,
            password_hash: None,
            tokens_granted: self.config.start_tokens,
        };
        let token = secret::fresh();
        let hash = secret::digest(&token);
        let sign_in_of = self.new_sign_in(Proof::None, agent);
        let work = move |tx: &mut Tx<'_>| {
            let made = tx.attempt(|tx| {
                let sign_in = sign_in_of(tx.create_account(&new)?);
                tx.begin_sign_in(&sign_in, &hash)?;
                Ok(sign_in)
            })?;
            let Ok(sign_in) = made else { return Ok(None) };
            let row = tx.account(sign_in.account)?;
            Ok(row.map(|row| Visitor { row, sign_in }))
        };
        match self.committer.ask(work).await {
            Ok(Some(visitor)) => {
                metrics::counter!("referee_accounts_made_total").increment(1);
                tracing::info!(account = visitor.row.account.0, "account created");
                Ok((visitor, token))
            }
            Ok(None) => Err(ErrorCode::Internal),
            Err(_) => Err(ErrorCode::StorageUnavailable),
        }
    }

    /// Returns a new sign-in of an account that may not exist yet.
    pub(crate) fn new_sign_in(
        &self,
        proof: Proof,
        agent: &str,
    ) -> impl Fn(Account) -> SignIn + Send + 'static {
        let (now, token_ms) = (self.clock.now(), self.config.token_ms);
        // The database stores no larger numbers.
        let id = SignInId(u64::from_le_bytes(secret::random()) >> 1);
        let agent = agent.to_owned();
        move |account| SignIn {
            id,
            account,
            created_at: now,
            last_seen_at: now,
            expires_at: now + token_ms,
            proven_at: (proof == Proof::Given).then_some(now),
            agent: agent.clone(),
        }
    }

    /// Returns the visitor for a token. Its use extends the sign-in, and ends the token that it
    /// replaced.
    pub(crate) async fn visitor_of_token(&self, token: &str) -> Result<Visitor, ErrorCode> {
        if token.is_empty() || token.len() > SECRET_BYTES_MAX {
            return Err(ErrorCode::Unauthorized);
        }
        let (hash, now) = (secret::digest(token), self.clock.now());
        let found = self.readers.read(move |tx| {
            let Some(used) = tx.sign_in_of_token(&hash, now)? else {
                return Ok(None);
            };
            let row = tx.account(used.sign_in.account)?;
            Ok(row.map(|row| (row, used)))
        });
        let found = found.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        let (row, used) = found.ok_or(ErrorCode::Unauthorized)?;
        self.check_ban(&row)?;
        let sign_in = used.sign_in;
        if used.succeeds || sign_in.last_seen_at + TOUCH_EVERY_MS <= now {
            let expires = now + self.config.token_ms;
            let touch = self
                .committer
                .ask(move |tx| tx.use_token(&hash, now, expires));
            touch.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        }
        Ok(Visitor { row, sign_in })
    }

    /// Returns the visitor for a ticket, which can be used once.
    pub(crate) async fn visitor_of_ticket(&self, ticket: &str) -> Result<Visitor, ErrorCode> {
        if ticket.is_empty() || ticket.len() > SECRET_BYTES_MAX {
            return Err(ErrorCode::Unauthorized);
        }
        let (hash, now) = (secret::digest(ticket), self.clock.now());
        let taken = self.committer.ask(move |tx| {
            let Some(sign_in) = tx.take_ticket(&hash, now)? else {
                return Ok(None);
            };
            let row = tx.account(sign_in.account)?;
            Ok(row.map(|row| Visitor { row, sign_in }))
        });
        let visitor = taken.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        let visitor = visitor.ok_or(ErrorCode::Unauthorized)?;
        self.check_ban(&visitor.row)?;
        Ok(visitor)
    }

    /// Fails if an account is banned now.
    pub(crate) fn check_ban(&self, row: &AccountRow) -> Result<(), ErrorCode> {
        let now = self.clock.now();
        match row.ban {
            Some(ban) if ban.holds(now) => Err(ErrorCode::Banned),
            _ => Ok(()),
        }
    }

    /// Creates a ticket for a socket. It expires soon and can be used once.
    pub(crate) async fn make_ticket(&self, sign_in: SignInId) -> Result<(String, Ms), ErrorCode> {
        let ticket = secret::fresh();
        let (hash, now) = (secret::digest(&ticket), self.clock.now());
        let expires = now + TICKET_LIFE_MAX_MS;
        let made = self
            .committer
            .ask(move |tx| tx.add_ticket(&hash, sign_in, now, expires));
        made.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        Ok((ticket, expires))
    }

    /// Closes the sockets of sign-ins that have ended in storage.
    pub(crate) fn close_sockets(&self, ended: &[SignInId]) {
        self.hub.end_sign_ins(ended, CloseCode::SignedOut);
    }
}
