//! Stakes, invitations and nicknames of accounts.

use catalog::GameName;
use session::{Account, Conn, Ms};
use store::{BadNickname, Denied, Invitation, Nickname};
use uuid::Uuid;
use wire::codes::ErrorCode;

use crate::hosted;
use crate::matchmaking::Wanted;
use crate::secret;
use crate::server::Server;
use crate::start::{NotBegun, Order, Participant, Start};
use crate::voice::Speech;
use std::sync::Arc;

/// The lifetime of an invitation.
const INVITATION_MS: Ms = 24 * 3_600_000;

/// The languages of the old protocol. The first is the default.
pub(crate) const LANGUAGES: [&str; 3] = ["ru", "en", "fr"];
/// The avatars. The first is the default.
pub(crate) const AVATARS: [&str; 6] = ["orc", "knight", "mage", "rogue", "ranger", "paladin"];

/// Longer secrets from clients are refused unread.
pub(crate) const SECRET_BYTES_MAX: usize = 256;

impl Server {
    /// The stakes a match can be played for.
    pub(crate) fn stakes(&self) -> [u64; 3] {
        [
            self.config.stake,
            self.config.stake * 2,
            self.config.stake * 5,
        ]
    }

    /// Stores an invitation and returns when it expires.
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

    /// Returns an invitation that can still be accepted.
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

    /// Withdraws one of the account's own invitations.
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

    /// Accepts an invitation and starts the match. The account that made it must be connected, so
    /// that nobody pays a stake for a match they do not see.
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
        let fits = |it: Speech| it.plays(game.as_str());
        let maker = self.hub.chosen(invitation.creator, fits);
        let maker = maker.ok_or(ErrorCode::InvitationMakerAway)?;
        let starting = self.set_aside(vec![account, maker.account]);
        let mut starting = starting.map_err(|it| match it.account == account {
            true => it.code,
            false => ErrorCode::InvitationMakerAway,
        })?;
        let order = Order {
            game,
            participants: vec![
                Participant::Person(maker.account, maker.line.conn()),
                Participant::Person(account, conn),
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

    /// Removes expired entries.
    pub(crate) async fn prune(&self) {
        let now = self.clock.now();
        let pruned = self.committer.ask(move |tx| {
            tx.prune_sign_ins(now)?;
            tx.prune_invitations(now)
        });
        pruned.await.ok();
    }
}

pub(crate) fn uuid() -> Uuid {
    uuid::Builder::from_random_bytes(secret::random()).into_uuid()
}

/// Reads a nickname. Fails if it is malformed or the name of a bot.
pub fn read_nickname(text: &str) -> Result<Nickname, BadNickname> {
    let agents = hosted::games().flat_map(hosted::bots_of);
    Nickname::read(text, agents.map(|(name, _)| *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bots_are_reserved() {
        assert_eq!(read_nickname("Random"), Err(BadNickname::Reserved));
        assert_eq!(read_nickname("heur1st1c"), Err(BadNickname::Reserved));
        assert!(read_nickname("Grom").is_ok());
    }
}
