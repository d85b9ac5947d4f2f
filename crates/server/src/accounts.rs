//! Accounts as the server knows them: tokens, tickets, names, invitations.

use catalog::GameName;
use session::{Account, Conn, Ms};
use store::{
    AccountRow, BadNickname, Denied, Invitation, NewAccount, Nickname, TICKET_LIFE_MAX_MS, Tx,
};
use uuid::Uuid;
use wire::codes::ErrorCode;

use crate::hosted;
use crate::matchmaking::Wanted;
use crate::secret;
use crate::server::Server;
use crate::start::{Guest, NotBegun, Order, Start};
use std::sync::Arc;

/// How long an invitation can be taken.
const INVITATION_MS: Ms = 24 * 3_600_000;

/// The languages of the old protocol, the first one standard.
pub(crate) const LANGUAGES: [&str; 3] = ["ru", "en", "fr"];
/// The pictures, the first one standard.
pub(crate) const AVATARS: [&str; 6] = ["orc", "knight", "mage", "rogue", "ranger", "paladin"];

/// Secrets of clients are short; longer ones are not looked at.
const SECRET_BYTES_MAX: usize = 256;

impl Server {
    /// The stakes that can be played for.
    pub(crate) fn stakes(&self) -> [u64; 3] {
        [
            self.config.stake,
            self.config.stake * 2,
            self.config.stake * 5,
        ]
    }

    /// Makes an account with its first tokens, and a token to come back with.
    pub(crate) async fn create_guest(&self) -> Result<(AccountRow, String), ErrorCode> {
        let token = secret::fresh();
        let hash = secret::digest(&token);
        let now = self.clock.now();
        let expires = now + self.config.token_ms;
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
        let work = move |tx: &mut Tx<'_>| {
            let made = tx.attempt(|tx| {
                let account = tx.create_account(&new)?;
                tx.add_token(&hash, account, now, expires)?;
                Ok(account)
            })?;
            match made {
                Ok(account) => tx.account(account),
                Err(_) => Ok(None),
            }
        };
        match self.committer.ask(work).await {
            Ok(Some(row)) => {
                metrics::counter!("referee_accounts_made_total").increment(1);
                tracing::info!(account = row.account.0, "account made");
                Ok((row, token))
            }
            Ok(None) => Err(ErrorCode::Internal),
            Err(_) => Err(ErrorCode::StorageUnavailable),
        }
    }

    /// Whose token it is.
    pub(crate) async fn account_of_token(&self, token: &str) -> Result<AccountRow, ErrorCode> {
        if token.is_empty() || token.len() > SECRET_BYTES_MAX {
            return Err(ErrorCode::Unauthorized);
        }
        let (hash, now) = (secret::digest(token), self.clock.now());
        let found = self
            .readers
            .read(move |tx| tx.account_by_token_hash(&hash, now))
            .await;
        found
            .map_err(|_| ErrorCode::StorageUnavailable)?
            .ok_or(ErrorCode::Unauthorized)
    }

    /// Whose ticket it is; it can be used once.
    pub(crate) async fn account_of_ticket(&self, ticket: &str) -> Result<AccountRow, ErrorCode> {
        if ticket.is_empty() || ticket.len() > SECRET_BYTES_MAX {
            return Err(ErrorCode::Unauthorized);
        }
        let (hash, now) = (secret::digest(ticket), self.clock.now());
        let taken = self
            .committer
            .ask(move |tx| match tx.take_ticket(&hash, now)? {
                Some(account) => tx.account(account),
                None => Ok(None),
            });
        let row = taken.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        row.ok_or(ErrorCode::Unauthorized)
    }

    /// A ticket for a socket: it runs out soon and can be used once.
    pub(crate) async fn make_ticket(&self, account: Account) -> Result<(String, Ms), ErrorCode> {
        let ticket = secret::fresh();
        let (hash, now) = (secret::digest(&ticket), self.clock.now());
        let expires = now + TICKET_LIFE_MAX_MS;
        let made = self
            .committer
            .ask(move |tx| tx.add_ticket(&hash, account, now, expires));
        made.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        Ok((ticket, expires))
    }

    /// Keeps an invitation. Says until when.
    pub(crate) async fn add_invitation(
        &self,
        creator: Account,
        wanted: Wanted,
        code: &str,
    ) -> Result<Ms, ErrorCode> {
        let now = self.clock.now();
        let invitation = Invitation {
            code_hash: secret::digest(code),
            game: wanted.game.as_str().to_owned(),
            stake: wanted.stake,
            creator,
            created_at: now,
            expires_at: now + INVITATION_MS,
            options: "{}".to_owned(),
        };
        let expires = invitation.expires_at;
        let added = self
            .committer
            .ask(move |tx| tx.attempt(|tx| tx.add_invitation(&invitation)));
        match added.await {
            Ok(Ok(())) => Ok(expires),
            Ok(Err(Denied::TooMany { .. })) => Err(ErrorCode::TooManyInvitations),
            Ok(Err(_)) => Err(ErrorCode::Internal),
            Err(_) => Err(ErrorCode::StorageUnavailable),
        }
    }

    /// An invitation, if it can still be taken.
    pub(crate) async fn invitation(&self, code: &str) -> Result<Invitation, ErrorCode> {
        if code.len() > SECRET_BYTES_MAX {
            return Err(ErrorCode::InvitationUnknown);
        }
        let (hash, now) = (secret::digest(code), self.clock.now());
        let found = self.readers.read(move |tx| tx.invitation(&hash, now)).await;
        found
            .map_err(|_| ErrorCode::StorageUnavailable)?
            .ok_or(ErrorCode::InvitationUnknown)
    }

    /// Takes an own invitation back.
    pub(crate) async fn cancel_invitation(
        &self,
        account: Account,
        code: &str,
    ) -> Result<(), ErrorCode> {
        let invitation = self.invitation(code).await?;
        if invitation.creator != account {
            return Err(ErrorCode::InvitationUnknown);
        }
        self.take_invitation(code).await.map(drop)
    }

    async fn take_invitation(&self, code: &str) -> Result<Invitation, ErrorCode> {
        let (hash, now) = (secret::digest(code), self.clock.now());
        let taken = self
            .committer
            .ask(move |tx| tx.take_invitation(&hash, now))
            .await;
        taken
            .map_err(|_| ErrorCode::StorageUnavailable)?
            .ok_or(ErrorCode::InvitationUnknown)
    }

    /// Takes somebody's invitation: the match begins. Its maker must be here, because nobody
    /// is charged for a match that nobody sees.
    pub(crate) async fn accept_invitation(
        self: &Arc<Server>,
        account: Account,
        conn: Conn,
        code: &str,
    ) -> Result<(), ErrorCode> {
        let invitation = self.invitation(code).await?;
        if invitation.creator == account {
            return Err(ErrorCode::InvitationOwn);
        }
        let game: GameName = invitation
            .game
            .parse()
            .map_err(|_| ErrorCode::UnknownGame)?;
        let fits = |it| hosted::is_played_in(game, it);
        let maker = self.hub.chosen(invitation.creator, fits);
        let maker = maker.ok_or(ErrorCode::InvitationMakerAway)?;
        let starting = self.set_aside(vec![account, maker.account]);
        let mut starting = starting.map_err(|it| match it.account == account {
            true => it.code,
            false => ErrorCode::InvitationMakerAway,
        })?;
        let order = Order {
            game,
            guests: vec![
                Guest::Person(maker.account, maker.line.conn()),
                Guest::Person(account, conn),
            ],
            stake: invitation.stake,
            start: Start::Standard,
            invitation: Some(invitation.code_hash),
        };
        match self.begin(&mut starting, order).await {
            Ok(_) => Ok(()),
            Err(NotBegun::Poor(who) | NotBegun::Seated(who)) if who != account => {
                Err(ErrorCode::InvitationMakerAway)
            }
            Err(why) => Err(why.code()),
        }
    }

    /// Forgets what has run out.
    pub(crate) async fn prune(&self) {
        let now = self.clock.now();
        let pruned = self.committer.ask(move |tx| {
            tx.prune_tokens(now)?;
            tx.prune_invitations(now)
        });
        pruned.await.ok();
    }
}

pub(crate) fn uuid() -> Uuid {
    uuid::Builder::from_random_bytes(secret::random()).into_uuid()
}

/// Reads a nickname. The names of all bots are reserved.
pub fn read_nickname(text: &str) -> Result<Nickname, BadNickname> {
    let agents = hosted::games().flat_map(hosted::bots_of);
    Nickname::read(text, agents.map(|(name, _)| *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_keep_their_names() {
        assert_eq!(read_nickname("Random"), Err(BadNickname::Reserved));
        assert_eq!(read_nickname("heur1st1c"), Err(BadNickname::Reserved));
        assert!(read_nickname("Grom").is_ok());
    }
}
