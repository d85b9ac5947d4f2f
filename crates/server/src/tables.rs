//! Tables (lobbies): matches that are set up and wait for their players.
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
use wire::native::{ServerMessage, TableSeat, TableSeatKind};

use crate::gateway::Client;
use crate::secret;
use crate::server::Server;
use crate::start::{Guest, Order, Start};

/// The lifetime of a lobby.
const TABLE_MS: Ms = 2 * 3_600_000;
/// The most lobbies at the same time.
const TABLES_MAX: usize = 2_000;

/// All lobbies, by the codes of their links.
#[derive(Default)]
pub(crate) struct Tables {
    waiting: Mutex<BTreeMap<String, Table>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Table {
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
    Guest(Option<Account>),
    Bot(String),
    /// A person at the host's screen.
    Beside,
}

impl Table {
    fn account(&self, place: &Place) -> Option<Account> {
        match place {
            Place::Host | Place::Beside => Some(self.host),
            Place::Guest(account) => *account,
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
        let is_full = !self.places.contains(&Place::Guest(None));
        self.host_joined && is_full && self.people().into_iter().all(|it| is_free(it, self.game))
    }
}

impl Tables {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Table>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a lobby that has not expired.
    pub(crate) fn find(&self, code: &str, now: Ms) -> Option<Table> {
        let waiting = self.waiting();
        let found = waiting.get(code).filter(|it| it.expires_at > now);
        found.cloned()
    }

    /// Opens a lobby. Returns its code, and the code of the host's previous lobby.
    fn open(&self, table: Table) -> Result<(String, Option<String>), ErrorCode> {
        let mut waiting = self.waiting();
        let before = waiting.iter().find(|(_, it)| it.host == table.host);
        let before = before.map(|(code, _)| code.clone());
        if before.is_none() && waiting.len() >= TABLES_MAX {
            return Err(ErrorCode::Busy);
        }
        let code = secret::fresh_code();
        waiting.insert(code.clone(), table);
        Ok((code, before))
    }

    /// Takes a seat. Idempotent.
    fn sit(&self, code: &str, account: Account, now: Ms) -> Result<(), ErrorCode> {
        let mut waiting = self.waiting();
        let table = waiting.get_mut(code).filter(|it| it.expires_at > now);
        let table = table.ok_or(ErrorCode::TableUnknown)?;
        table.host_joined |= account == table.host;
        if table.seat_of(account).is_some() {
            return Ok(());
        }
        let open = table.places.iter_mut();
        let mut open = open.filter(|it| **it == Place::Guest(None));
        *open.next().ok_or(ErrorCode::TableFull)? = Place::Guest(Some(account));
        Ok(())
    }

    /// Removes and returns a lobby that can start, so that it starts once.
    fn take_ready(&self, code: &str, is_free: impl Fn(Account, GameName) -> bool) -> Option<Table> {
        let mut waiting = self.waiting();
        let table = waiting.get(code)?;
        let ready = table.is_ready(is_free);
        if ready { waiting.remove(code) } else { None }
    }

    /// The codes of the lobbies that can start now.
    fn ready(&self, now: Ms, is_free: impl Fn(Account, GameName) -> bool) -> Vec<String> {
        let waiting = self.waiting();
        let ready = |it: &Table| it.expires_at > now && it.is_ready(&is_free);
        let ready = waiting.iter().filter(|(_, it)| ready(it));
        ready.map(|(code, _)| code.clone()).collect()
    }

    /// Removes and returns the expired lobbies.
    fn take_expired(&self, now: Ms) -> Vec<(String, Table)> {
        let mut waiting = self.waiting();
        let expired = waiting.extract_if(.., |_, it| it.expires_at <= now);
        expired.collect()
    }

    /// Puts back a lobby whose match did not start. If the host has opened another one meanwhile,
    /// that one counts, and this one is returned as an error.
    fn put_back(&self, code: &str, table: Table) -> Result<(), Table> {
        let mut waiting = self.waiting();
        if waiting.values().any(|it| it.host == table.host) {
            return Err(table);
        }
        waiting.insert(code.to_owned(), table);
        Ok(())
    }

    fn close(&self, code: &str) -> Option<Table> {
        self.waiting().remove(code)
    }

    fn stand_up(&self, code: &str, account: Account) {
        if let Some(table) = self.waiting().get_mut(code) {
            for place in &mut table.places {
                if *place == Place::Guest(Some(account)) {
                    *place = Place::Guest(None);
                }
            }
        }
    }
}

impl Server {
    /// Opens a lobby. Returns the code of its link.
    pub(crate) fn open_table(
        &self,
        game: GameName,
        host: Account,
        start: Start,
        places: Vec<Place>,
    ) -> Result<String, ErrorCode> {
        let now = self.clock.now();
        let expires_at = now + TABLE_MS;
        let table = Table {
            game,
            host,
            host_joined: false,
            start,
            places,
            expires_at,
        };
        let (code, before) = self.tables.open(table)?;
        if let Some(before) = before {
            self.close_table(&before, "replaced");
        }
        Ok(code)
    }

    /// Returns the state of a lobby for one of its players, or for anyone if `viewer` is `None`.
    pub(crate) async fn table_for(
        &self,
        code: &str,
        viewer: Option<Account>,
    ) -> Result<wire::native::Table, ErrorCode> {
        let table = self.tables.find(code, self.clock.now());
        let table = table.ok_or(ErrorCode::TableUnknown)?;
        let sitters = table.people().into_iter().map(Sitter::Account).collect();
        let sitters: Vec<Sitter> = sitters;
        let players = self.introduce(table.game.as_str(), &sitters).await;
        let players = players.map_err(|_| ErrorCode::StorageUnavailable)?;
        let name = |account: Option<Account>| {
            let at = sitters.iter().position(|it| it.account() == account)?;
            players.get(at)?.name.clone()
        };
        let seat = |place: &Place| {
            let account = table.account(place);
            let (kind, bot) = match place {
                Place::Host => (TableSeatKind::Host, None),
                Place::Guest(_) => (TableSeatKind::Guest, None),
                Place::Bot(bot) => (TableSeatKind::Bot, Some(bot.clone())),
                Place::Beside => (TableSeatKind::Beside, None),
            };
            let is_bot = bot.is_some();
            TableSeat {
                kind,
                name: account.and_then(|it| name(Some(it))),
                bot,
                taken: is_bot || account.is_some(),
                present: is_bot || account.is_some_and(|it| self.hub.is_free(it, table.game)),
            }
        };
        let own = viewer.and_then(|viewer| table.seat_of(viewer));
        Ok(wire::native::Table {
            code: code.to_owned(),
            path: format!("/table/{code}"),
            game: table.game.as_str(),
            seats: table.places.iter().map(seat).collect(),
            own: own.and_then(|idx| u8::try_from(idx).ok()),
            expires_ms: table.expires_at,
        })
    }

    async fn tell_table(&self, code: &str) {
        let Some(table) = self.tables.find(code, self.clock.now()) else {
            return;
        };
        for account in table.people() {
            if let Ok(told) = self.table_for(code, Some(account)).await {
                let told = ServerMessage::<()>::Table(told);
                self.tell_native(account, &told.write());
            }
        }
    }

    fn close_table(&self, code: &str, reason: &'static str) {
        if let Some(table) = self.tables.close(code) {
            self.tell_all_closed(&table, code, reason);
        }
    }

    fn tell_all_closed(&self, table: &Table, code: &str, reason: &'static str) {
        for account in table.people() {
            self.tell_closed(account, code, reason);
        }
    }

    /// Checks all lobbies. Closes the expired ones, and starts those whose players were busy when
    /// the last seat was taken and are free now.
    pub(crate) fn look_at_tables(self: &Arc<Server>, now: Ms) {
        for (code, table) in self.tables.take_expired(now) {
            self.tell_all_closed(&table, &code, "expired");
        }
        if !self.takes_matches() {
            return;
        }
        let is_free = |it, game| self.hub.is_free(it, game);
        for code in self.tables.ready(now, is_free) {
            let server = Arc::clone(self);
            tokio::spawn(async move { server.begin_table(&code).await });
        }
    }

    /// Handles a refused start. The lobby keeps waiting if the refusal is temporary.
    fn put_back(&self, code: &str, table: Table, refused: ErrorCode) {
        match refused {
            ErrorCode::Busy
            | ErrorCode::StorageUnavailable
            | ErrorCode::Draining
            | ErrorCode::AlreadyInMatch => {
                if let Err(table) = self.tables.put_back(code, table) {
                    self.tell_all_closed(&table, code, "replaced");
                }
            }
            refused => self.tell_all_closed(&table, code, refused.code()),
        }
    }

    fn tell_closed(&self, account: Account, code: &str, reason: &'static str) {
        let code = code.to_owned();
        let closed = ServerMessage::<()>::TableClosed { code, reason };
        self.tell_native(account, &closed.write());
    }

    /// Leaves a lobby. When the host leaves, the lobby is closed.
    pub(crate) async fn leave_table(&self, account: Account, code: &str) -> Result<(), ErrorCode> {
        let table = self.tables.find(code, self.clock.now());
        let table = table.filter(|it| it.seat_of(account).is_some());
        let table = table.ok_or(ErrorCode::TableUnknown)?;
        if table.host == account {
            self.close_table(code, "host_left");
            return Ok(());
        }
        self.tables.stand_up(code, account);
        self.tell_closed(account, code, "left");
        self.tell_table(code).await;
        Ok(())
    }

    /// Starts the match of a lobby if everyone is ready.
    async fn begin_table(self: &Arc<Server>, code: &str) -> Result<(), ErrorCode> {
        let Some(table) = self
            .tables
            .take_ready(code, |it, game| self.hub.is_free(it, game))
        else {
            return Ok(());
        };
        let mut starting = match self.set_aside(table.people()) {
            Ok(starting) => starting,
            Err(not_free) => {
                self.put_back(code, table, not_free.code);
                return Err(not_free.code);
            }
        };
        let guest = |place: &Place| match (place, table.account(place)) {
            (Place::Bot(name), _) => Some(Guest::Bot(name.clone())),
            (_, Some(account)) => Some(self.guest(account, table.game)),
            (_, None) => None,
        };
        let order = Order {
            game: table.game,
            guests: table.places.iter().filter_map(guest).collect(),
            stake: 0,
            start: table.start.clone(),
            invitation: None,
        };
        match self.begin(&mut starting, order).await {
            Ok(_) => Ok(()),
            Err(why) => {
                self.put_back(code, table, why.code());
                Err(why.code())
            }
        }
    }
}

impl Client {
    /// Takes a seat in a lobby, and starts its match if it was the last one missing.
    pub(crate) async fn join_table(&self, code: &str) -> Result<(), ErrorCode> {
        let server = self.server();
        if !server.takes_matches() {
            return Err(self.why_no_matches());
        }
        if server.hub.seat_of(self.account()).is_some() {
            return Err(ErrorCode::AlreadyInMatch);
        }
        let now = server.clock.now();
        server.tables.sit(code, self.account(), now)?;
        server.hub.prefer(self.account(), self.conn());
        server.tell_table(code).await;
        server.begin_table(code).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Ms = 1_000;

    fn table(host: u64) -> Table {
        Table {
            game: GameName::Stellar,
            host: Account(host),
            host_joined: false,
            start: Start::Standard,
            places: vec![
                Place::Guest(None),
                Place::Host,
                Place::Bot("random".to_owned()),
            ],
            expires_at: NOW + TABLE_MS,
        }
    }

    fn open(tables: &Tables, host: u64) -> String {
        let opened = tables.open(table(host));
        opened.map(|(code, _)| code).unwrap_or_default()
    }

    /// Opens a lobby whose host has joined.
    fn open_and_join(tables: &Tables, host: u64) -> String {
        let code = open(tables, host);
        assert_eq!(tables.sit(&code, Account(host), NOW), Ok(()));
        code
    }

    // Promise: A table does not begin before its host's page knows it.
    #[test]
    fn a_table_does_not_start_before_its_host_has_joined() {
        let tables = Tables::default();
        for other in [Place::Beside, Place::Bot("random".to_owned())] {
            let places = vec![Place::Host, other];
            let (code, _) = tables.open(Table { places, ..table(1) }).unwrap();
            assert!(tables.ready(NOW, |_, _| true).is_empty());
            assert!(tables.take_ready(&code, |_, _| true).is_none());
            assert_eq!(tables.sit(&code, Account(1), NOW), Ok(()));
            assert_eq!(tables.ready(NOW, |_, _| true), [code.as_str()]);
            assert!(tables.take_ready(&code, |_, _| true).is_some());
        }
    }

    #[test]
    fn a_table_starts_once_when_all_are_present() {
        let tables = Tables::default();
        let code = open_and_join(&tables, 1);
        assert!(
            tables.take_ready(&code, |_, _| true).is_none(),
            "a seat is free"
        );
        assert_eq!(tables.sit(&code, Account(2), NOW), Ok(()));
        assert_eq!(
            tables.sit(&code, Account(2), NOW),
            Ok(()),
            "joining again changes nothing"
        );
        assert!(
            tables.take_ready(&code, |it, _| it == Account(1)).is_none(),
            "one is disconnected"
        );
        assert!(tables.take_ready(&code, |_, _| true).is_some());
        assert!(tables.take_ready(&code, |_, _| true).is_none());
    }

    #[test]
    fn a_full_table_refuses_players_until_a_seat_is_freed() {
        let tables = Tables::default();
        let code = open(&tables, 1);
        assert_eq!(
            tables.sit(&code, Account(1), NOW),
            Ok(()),
            "the host already has a seat"
        );
        assert_eq!(tables.sit(&code, Account(2), NOW), Ok(()));
        assert_eq!(
            tables.sit(&code, Account(3), NOW),
            Err(ErrorCode::TableFull)
        );
        tables.stand_up(&code, Account(2));
        assert_eq!(tables.sit(&code, Account(3), NOW), Ok(()));
    }

    #[test]
    fn a_table_expires() {
        let tables = Tables::default();
        let code = open(&tables, 1);
        assert!(tables.find(&code, NOW + TABLE_MS - 1).is_some());
        assert!(tables.find(&code, NOW + TABLE_MS).is_none());
        let late = tables.sit(&code, Account(2), NOW + TABLE_MS);
        assert_eq!(late, Err(ErrorCode::TableUnknown));
    }

    #[test]
    fn a_table_that_did_not_start_is_put_back_unless_the_host_has_a_newer_one() {
        let tables = Tables::default();
        let code = open_and_join(&tables, 1);
        assert_eq!(tables.sit(&code, Account(2), NOW), Ok(()));
        let ready = tables.ready(NOW, |_, _| true);
        assert_eq!(ready, std::slice::from_ref(&code));
        let taken = tables.take_ready(&code, |_, _| true).unwrap();
        assert!(tables.put_back(&code, taken).is_ok());
        let taken = tables.take_ready(&code, |_, _| true).unwrap();
        let newer = open(&tables, 1);
        assert!(tables.put_back(&code, taken).is_err());
        assert!(tables.find(&code, NOW).is_none());
        assert!(tables.find(&newer, NOW).is_some());
    }

    #[test]
    fn a_host_has_one_table() {
        let tables = Tables::default();
        let first = open(&tables, 1);
        let again = tables.open(table(1));
        assert_eq!(again.map(|(_, before)| before), Ok(Some(first)));
    }
}
