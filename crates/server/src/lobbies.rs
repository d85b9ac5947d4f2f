//! Lobbies (lobbies): matches that are set up and wait for their players.
//!
//! A lobby is only in memory: nothing is staked in it, and after a restart its host opens another.
//! Once every seat for people is taken and all players are connected, the match starts, and from
//! then on it is stored like any other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalog::GameName;
use session::{Account, Ms};
use store::Sitter;
use wire::codes::ErrorCode;
use wire::native::{LobbySeat, LobbySeatKind, ServerMessage};

use crate::gateway::Client;
use crate::secret;
use crate::server::Server;
use crate::start::{Order, Participant, Start};

/// The lifetime of a lobby.
const LOBBY_MS: Ms = 2 * 3_600_000;
/// The most lobbies at the same time.
const LOBBIES_MAX: usize = 2_000;

/// All lobbies, by the codes of their links.
#[derive(Default)]
pub(crate) struct Lobbies {
    waiting: Mutex<BTreeMap<String, Lobby>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Lobby {
    pub(crate) game: GameName,
    pub(crate) host: Account,
    /// True once the host has joined. Until then the host's page may not know the code.
    host_joined: bool,
    pub(crate) start: Start,
    pub(crate) places: Vec<Place>,
    pub(crate) expires_at: Ms,
}

/// A seat in a lobby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Host,
    /// A seat for a person with the link; `Some` once taken.
    Invited(Option<Account>),
    Bot(String),
    /// A person at the host's screen.
    Beside,
}

impl Lobby {
    fn account(&self, place: &Place) -> Option<Account> {
        match place {
            Place::Host | Place::Beside => Some(self.host),
            Place::Invited(account) => *account,
            Place::Bot(_) => None,
        }
    }

    /// The accounts in the lobby, each once.
    fn people(&self) -> Vec<Account> {
        let beside = |place: &&Place| **place == Place::Beside;
        let places = self.places.iter().filter(|place| !beside(place));
        places.filter_map(|it| self.account(it)).collect()
    }

    fn seat_of(&self, account: Account) -> Option<usize> {
        let own = |place: &Place| self.account(place) == Some(account);
        self.places.iter().position(own)
    }

    /// True if the host has joined, every seat is taken and every player is free to play.
    fn is_ready(&self, is_free: impl Fn(Account, GameName) -> bool) -> bool {
        let is_full = !self.places.contains(&Place::Invited(None));
        self.host_joined && is_full && self.people().into_iter().all(|it| is_free(it, self.game))
    }
}

impl Lobbies {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Lobby>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a lobby that has not expired.
    pub(crate) fn find(&self, code: &str, now: Ms) -> Option<Lobby> {
        let waiting = self.waiting();
        let found = waiting.get(code).filter(|it| it.expires_at > now);
        found.cloned()
    }

    /// Opens a lobby. Returns its code, and the code of the host's previous lobby.
    fn open(&self, lobby: Lobby) -> Result<(String, Option<String>), ErrorCode> {
        let mut waiting = self.waiting();
        let before = waiting.iter().find(|(_, it)| it.host == lobby.host);
        let before = before.map(|(code, _)| code.clone());
        if before.is_none() && waiting.len() >= LOBBIES_MAX {
            return Err(ErrorCode::Busy);
        }
        let code = secret::fresh_code();
        waiting.insert(code.clone(), lobby);
        Ok((code, before))
    }

    /// Takes a seat. Idempotent.
    fn sit(&self, code: &str, account: Account, now: Ms) -> Result<(), ErrorCode> {
        let mut waiting = self.waiting();
        let lobby = waiting.get_mut(code).filter(|it| it.expires_at > now);
        let lobby = lobby.ok_or(ErrorCode::LobbyUnknown)?;
        lobby.host_joined |= account == lobby.host;
        if lobby.seat_of(account).is_some() {
            return Ok(());
        }
        let open = lobby.places.iter_mut();
        let mut open = open.filter(|it| **it == Place::Invited(None));
        *open.next().ok_or(ErrorCode::LobbyFull)? = Place::Invited(Some(account));
        Ok(())
    }

    /// Removes and returns a lobby that can start, so that it starts once.
    fn take_ready(&self, code: &str, is_free: impl Fn(Account, GameName) -> bool) -> Option<Lobby> {
        let mut waiting = self.waiting();
        let lobby = waiting.get(code)?;
        let ready = lobby.is_ready(is_free);
        if ready { waiting.remove(code) } else { None }
    }

    /// The codes of the lobbies that can start now.
    fn ready(&self, now: Ms, is_free: impl Fn(Account, GameName) -> bool) -> Vec<String> {
        let waiting = self.waiting();
        let ready = |it: &Lobby| it.expires_at > now && it.is_ready(&is_free);
        let ready = waiting.iter().filter(|(_, it)| ready(it));
        ready.map(|(code, _)| code.clone()).collect()
    }

    /// Removes and returns the expired lobbies.
    fn take_expired(&self, now: Ms) -> Vec<(String, Lobby)> {
        let mut waiting = self.waiting();
        let expired = waiting.extract_if(.., |_, it| it.expires_at <= now);
        expired.collect()
    }

    /// Puts back a lobby whose match did not start. If the host has opened another one meanwhile,
    /// that one counts, and this one is returned as an error.
    fn put_back(&self, code: &str, lobby: Lobby) -> Result<(), Lobby> {
        let mut waiting = self.waiting();
        if waiting.values().any(|it| it.host == lobby.host) {
            return Err(lobby);
        }
        waiting.insert(code.to_owned(), lobby);
        Ok(())
    }

    fn close(&self, code: &str) -> Option<Lobby> {
        self.waiting().remove(code)
    }

    fn stand_up(&self, code: &str, account: Account) {
        if let Some(lobby) = self.waiting().get_mut(code) {
            for place in &mut lobby.places {
                if *place == Place::Invited(Some(account)) {
                    *place = Place::Invited(None);
                }
            }
        }
    }
}

impl Server {
    /// Opens a lobby. Returns the code of its link.
    pub(crate) fn open_lobby(
        &self,
        game: GameName,
        host: Account,
        start: Start,
        places: Vec<Place>,
    ) -> Result<String, ErrorCode> {
        let now = self.clock.now();
        let expires_at = now + LOBBY_MS;
        let lobby = Lobby {
            game,
            host,
            host_joined: false,
            start,
            places,
            expires_at,
        };
        let (code, before) = self.lobbies.open(lobby)?;
        if let Some(before) = before {
            self.close_lobby(&before, "replaced");
        }
        Ok(code)
    }

    /// Returns the state of a lobby for one of its players, or for anyone if `viewer` is `None`.
    pub(crate) async fn lobby_for(
        &self,
        code: &str,
        viewer: Option<Account>,
    ) -> Result<wire::native::Lobby, ErrorCode> {
        let lobby = self.lobbies.find(code, self.clock.now());
        let lobby = lobby.ok_or(ErrorCode::LobbyUnknown)?;
        let sitters = lobby.people().into_iter().map(Sitter::Account).collect();
        let sitters: Vec<Sitter> = sitters;
        let players = self.introduce(lobby.game.as_str(), &sitters).await;
        let players = players.map_err(|_| ErrorCode::StorageUnavailable)?;
        let name = |account: Option<Account>| {
            let at = sitters.iter().position(|it| it.account() == account)?;
            players.get(at)?.name.clone()
        };
        let seat = |place: &Place| {
            let account = lobby.account(place);
            let (kind, bot) = match place {
                Place::Host => (LobbySeatKind::Host, None),
                Place::Invited(_) => (LobbySeatKind::Invited, None),
                Place::Bot(bot) => (LobbySeatKind::Bot, Some(bot.clone())),
                Place::Beside => (LobbySeatKind::Beside, None),
            };
            let is_bot = bot.is_some();
            LobbySeat {
                kind,
                name: account.and_then(|it| name(Some(it))),
                bot,
                taken: is_bot || account.is_some(),
                present: is_bot || account.is_some_and(|it| self.hub.is_free(it, lobby.game)),
            }
        };
        let own = viewer.and_then(|viewer| lobby.seat_of(viewer));
        Ok(wire::native::Lobby {
            code: code.to_owned(),
            path: format!("/table/{code}"),
            game: lobby.game.as_str(),
            seats: lobby.places.iter().map(seat).collect(),
            own: own.and_then(|idx| u8::try_from(idx).ok()),
            expires_ms: lobby.expires_at,
        })
    }

    async fn tell_lobby(&self, code: &str) {
        let Some(lobby) = self.lobbies.find(code, self.clock.now()) else {
            return;
        };
        for account in lobby.people() {
            if let Ok(told) = self.lobby_for(code, Some(account)).await {
                let told = ServerMessage::<()>::Lobby(told);
                self.tell_native(account, &told.write());
            }
        }
    }

    fn close_lobby(&self, code: &str, reason: &'static str) {
        if let Some(lobby) = self.lobbies.close(code) {
            self.tell_all_closed(&lobby, code, reason);
        }
    }

    fn tell_all_closed(&self, lobby: &Lobby, code: &str, reason: &'static str) {
        for account in lobby.people() {
            self.tell_closed(account, code, reason);
        }
    }

    /// Checks all lobbies. Closes the expired ones, and starts those whose players were busy when
    /// the last seat was taken and are free now.
    pub(crate) fn look_at_lobbies(self: &Arc<Server>, now: Ms) {
        for (code, lobby) in self.lobbies.take_expired(now) {
            self.tell_all_closed(&lobby, &code, "expired");
        }
        if !self.takes_matches() {
            return;
        }
        let is_free = |it, game| self.hub.is_free(it, game);
        for code in self.lobbies.ready(now, is_free) {
            let server = Arc::clone(self);
            tokio::spawn(async move { server.begin_lobby(&code).await });
        }
    }

    /// Handles a refused start. The lobby keeps waiting if the refusal is temporary.
    fn put_back(&self, code: &str, lobby: Lobby, refused: ErrorCode) {
        match refused {
            ErrorCode::Busy
            | ErrorCode::StorageUnavailable
            | ErrorCode::Draining
            | ErrorCode::AlreadyInMatch => {
                if let Err(lobby) = self.lobbies.put_back(code, lobby) {
                    self.tell_all_closed(&lobby, code, "replaced");
                }
            }
            refused => self.tell_all_closed(&lobby, code, refused.code()),
        }
    }

    fn tell_closed(&self, account: Account, code: &str, reason: &'static str) {
        let code = code.to_owned();
        let closed = ServerMessage::<()>::LobbyClosed { code, reason };
        self.tell_native(account, &closed.write());
    }

    /// Leaves a lobby. When the host leaves, the lobby is closed.
    pub(crate) async fn leave_lobby(&self, account: Account, code: &str) -> Result<(), ErrorCode> {
        let lobby = self.lobbies.find(code, self.clock.now());
        let lobby = lobby.filter(|it| it.seat_of(account).is_some());
        let lobby = lobby.ok_or(ErrorCode::LobbyUnknown)?;
        if lobby.host == account {
            self.close_lobby(code, "host_left");
            return Ok(());
        }
        self.lobbies.stand_up(code, account);
        self.tell_closed(account, code, "left");
        self.tell_lobby(code).await;
        Ok(())
    }

    /// Starts the match of a lobby if everyone is ready.
    async fn begin_lobby(self: &Arc<Server>, code: &str) -> Result<(), ErrorCode> {
        let Some(lobby) = self
            .lobbies
            .take_ready(code, |it, game| self.hub.is_free(it, game))
        else {
            return Ok(());
        };
        let mut starting = match self.set_aside(lobby.people()) {
            Ok(starting) => starting,
            Err(not_free) => {
                self.put_back(code, lobby, not_free.code);
                return Err(not_free.code);
            }
        };
        let participant = |place: &Place| match (place, lobby.account(place)) {
            (Place::Bot(name), _) => Some(Participant::Bot(name.clone())),
            (_, Some(account)) => Some(self.participant(account, lobby.game)),
            (_, None) => None,
        };
        let order = Order {
            game: lobby.game,
            participants: lobby.places.iter().filter_map(participant).collect(),
            stake: 0,
            start: lobby.start.clone(),
            invitation: None,
        };
        match self.begin(&mut starting, order).await {
            Ok(_) => Ok(()),
            Err(why) => {
                self.put_back(code, lobby, why.code());
                Err(why.code())
            }
        }
    }
}

impl Client {
    /// Takes a seat in a lobby, and starts its match if it was the last one missing.
    pub(crate) async fn join_lobby(&self, code: &str) -> Result<(), ErrorCode> {
        let server = self.server();
        if !server.takes_matches() {
            return Err(self.why_no_matches());
        }
        if server.hub.seat_of(self.account()).is_some() {
            return Err(ErrorCode::AlreadyInMatch);
        }
        let now = server.clock.now();
        server.lobbies.sit(code, self.account(), now)?;
        server.hub.prefer(self.account(), self.conn());
        server.tell_lobby(code).await;
        server.begin_lobby(code).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Ms = 1_000;

    fn lobby(host: u64) -> Lobby {
        Lobby {
            game: GameName::Stellar,
            host: Account(host),
            host_joined: false,
            start: Start::Standard,
            places: vec![
                Place::Invited(None),
                Place::Host,
                Place::Bot("random".to_owned()),
            ],
            expires_at: NOW + LOBBY_MS,
        }
    }

    fn open(lobbies: &Lobbies, host: u64) -> String {
        let opened = lobbies.open(lobby(host));
        opened.map(|(code, _)| code).unwrap_or_default()
    }

    /// Opens a lobby whose host has joined.
    fn open_and_join(lobbies: &Lobbies, host: u64) -> String {
        let code = open(lobbies, host);
        assert_eq!(lobbies.sit(&code, Account(host), NOW), Ok(()));
        code
    }

    // Promise: A lobby does not begin before its host's page knows it.
    #[test]
    fn a_lobby_does_not_start_before_its_host_has_joined() {
        let lobbies = Lobbies::default();
        for other in [Place::Beside, Place::Bot("random".to_owned())] {
            let places = vec![Place::Host, other];
            let (code, _) = lobbies.open(Lobby { places, ..lobby(1) }).unwrap();
            assert!(lobbies.ready(NOW, |_, _| true).is_empty());
            assert!(lobbies.take_ready(&code, |_, _| true).is_none());
            assert_eq!(lobbies.sit(&code, Account(1), NOW), Ok(()));
            assert_eq!(lobbies.ready(NOW, |_, _| true), [code.as_str()]);
            assert!(lobbies.take_ready(&code, |_, _| true).is_some());
        }
    }

    #[test]
    fn a_lobby_starts_once_when_all_are_present() {
        let lobbies = Lobbies::default();
        let code = open_and_join(&lobbies, 1);
        assert!(
            lobbies.take_ready(&code, |_, _| true).is_none(),
            "a seat is free"
        );
        assert_eq!(lobbies.sit(&code, Account(2), NOW), Ok(()));
        assert_eq!(
            lobbies.sit(&code, Account(2), NOW),
            Ok(()),
            "joining again changes nothing"
        );
        assert!(
            lobbies
                .take_ready(&code, |it, _| it == Account(1))
                .is_none(),
            "one is disconnected"
        );
        assert!(lobbies.take_ready(&code, |_, _| true).is_some());
        assert!(lobbies.take_ready(&code, |_, _| true).is_none());
    }

    #[test]
    fn a_full_lobby_refuses_players_until_a_seat_is_freed() {
        let lobbies = Lobbies::default();
        let code = open(&lobbies, 1);
        assert_eq!(
            lobbies.sit(&code, Account(1), NOW),
            Ok(()),
            "the host already has a seat"
        );
        assert_eq!(lobbies.sit(&code, Account(2), NOW), Ok(()));
        assert_eq!(
            lobbies.sit(&code, Account(3), NOW),
            Err(ErrorCode::LobbyFull)
        );
        lobbies.stand_up(&code, Account(2));
        assert_eq!(lobbies.sit(&code, Account(3), NOW), Ok(()));
    }

    #[test]
    fn a_lobby_expires() {
        let lobbies = Lobbies::default();
        let code = open(&lobbies, 1);
        assert!(lobbies.find(&code, NOW + LOBBY_MS - 1).is_some());
        assert!(lobbies.find(&code, NOW + LOBBY_MS).is_none());
        let late = lobbies.sit(&code, Account(2), NOW + LOBBY_MS);
        assert_eq!(late, Err(ErrorCode::LobbyUnknown));
    }

    #[test]
    fn a_lobby_that_did_not_start_is_put_back_unless_the_host_has_a_newer_one() {
        let lobbies = Lobbies::default();
        let code = open_and_join(&lobbies, 1);
        assert_eq!(lobbies.sit(&code, Account(2), NOW), Ok(()));
        let ready = lobbies.ready(NOW, |_, _| true);
        assert_eq!(ready, std::slice::from_ref(&code));
        let taken = lobbies.take_ready(&code, |_, _| true).unwrap();
        assert!(lobbies.put_back(&code, taken).is_ok());
        let taken = lobbies.take_ready(&code, |_, _| true).unwrap();
        let newer = open(&lobbies, 1);
        assert!(lobbies.put_back(&code, taken).is_err());
        assert!(lobbies.find(&code, NOW).is_none());
        assert!(lobbies.find(&newer, NOW).is_some());
    }

    #[test]
    fn a_host_has_one_lobby() {
        let lobbies = Lobbies::default();
        let first = open(&lobbies, 1);
        let again = lobbies.open(lobby(1));
        assert_eq!(again.map(|(_, before)| before), Ok(Some(first)));
    }
}
