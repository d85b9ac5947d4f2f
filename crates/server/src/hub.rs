//! Connections, queues and running matches.
//!
//! All of it is in memory and behind one lock that is never held across an await. Durable state is
//! in storage; after a restart the hub starts empty and fills again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use catalog::GameName;
use kernel::MatchId;
use session::{Account, Conn, Ms};
use store::SignInId;
use tokio::sync::Notify;
use wire::codes::{CloseCode, ErrorCode};

use crate::line::Line;
use crate::matchmaking::{Joined, Matchmaker, Waiting, Wanted};
use crate::room::RoomDoor;
use crate::voice::Speech;

#[derive(Default)]
pub(crate) struct Hub {
    state: Mutex<State>,
    /// Notified whenever a room closes.
    pub(crate) room_closed: Notify,
}

#[derive(Default)]
struct State {
    rooms: HashMap<MatchId, RoomDoor>,
    seated: HashMap<Account, MatchId>,
    /// Accounts whose match is being stored.
    starting: HashSet<Account>,
    queues: Matchmaker,
    present: HashMap<Conn, Present>,
    /// The connections of each account, oldest first, except that the one used last comes last.
    by_account: HashMap<Account, Vec<Conn>>,
    /// Recently ended sign-ins, newest last. A socket that says hello with one of them at the same
    /// moment is closed too.
    ended: VecDeque<SignInId>,
    draining: bool,
    stopping: bool,
}

/// A connection whose account is known.
#[derive(Clone)]
pub(crate) struct Present {
    pub(crate) account: Account,
    pub(crate) sign_in: SignInId,
    pub(crate) line: Line,
    pub(crate) speech: Speech,
    /// True once the connection has been welcomed. Before that it receives nothing about matches.
    pub(crate) is_welcome: bool,
}

/// The connections to notify when a server drains.
pub(crate) struct Drained {
    /// All connections.
    pub(crate) present: Vec<Present>,
    /// Those that were waiting for an opponent.
    pub(crate) waited: Vec<Present>,
}

/// Connections of one account at the same time. Beyond this, the oldest is closed.
const CONNS_PER_ACCOUNT: usize = 8;
/// Ended sign-ins that are remembered: as many as may end while one hello is in flight.
const ENDED_MAX: usize = 10_000;

/// Counts of what a server keeps in memory for connected clients. All are zero again once everyone
/// has left.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Census {
    /// Connections whose account is known.
    pub n_connections: usize,
    /// Accounts with at least one connection.
    pub n_accounts: usize,
    /// Accounts with a seat in a running match.
    pub n_seated: usize,
    /// Accounts whose match is being stored.
    pub n_starting: usize,
    /// Accounts waiting for an opponent.
    pub n_waiting: usize,
    /// Running matches.
    pub n_rooms: usize,
}

/// An account that cannot enter a match now, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotFree {
    pub(crate) account: Account,
    pub(crate) code: ErrorCode,
}

/// Two players to pair, and the queue they waited in.
pub(crate) type Pair = (Wanted, [Waiting; 2]);

impl Hub {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection whose account is now known.
    pub(crate) fn arrive(&self, present: Present) {
        let mut state = self.state();
        if state.ended.contains(&present.sign_in) {
            present.line.hang_up(CloseCode::SignedOut);
        }
        let conns = state.by_account.entry(present.account).or_default();
        conns.push(present.line.conn());
        let oldest = (conns.len() > CONNS_PER_ACCOUNT).then(|| conns.remove(0));
        let oldest = oldest.and_then(|conn| state.present.remove(&conn));
        state.present.insert(present.line.conn(), present);
        if let Some(oldest) = oldest {
            oldest.line.hang_up(CloseCode::TakenOver);
        }
    }

    /// Closes every current and future connection of these sign-ins.
    pub(crate) fn end_sign_ins(&self, ended: &[SignInId], code: CloseCode) {
        if ended.is_empty() {
            return;
        }
        let mut state = self.state();
        state.ended.extend(ended);
        let n_over = state.ended.len().saturating_sub(ENDED_MAX);
        state.ended.drain(..n_over);
        for present in state.present.values() {
            if ended.contains(&present.sign_in) {
                present.line.hang_up(code);
            }
        }
    }

    /// Welcomes a connection, which receives news of matches only from then on. Returns false and
    /// sends nothing if its account now sits in a different room than `way` leads to.
    pub(crate) fn welcome(&self, conn: Conn, way: Option<&RoomDoor>, welcome: String) -> bool {
        let mut state = self.state();
        let account = state.present.get(&conn).map(|it| it.account);
        let seat = account.and_then(|it| state.room_of(it));
        // A room that panicked is about to be replaced by another, which notifies everyone.
        let seat = seat.filter(|it| !it.inbox.is_closed());
        let leads = |to: &RoomDoor| way.is_some_and(|it| it.inbox.same_channel(&to.inbox));
        if seat.is_some_and(|it| !leads(&it)) {
            return false;
        }
        if let Some(present) = state.present.get_mut(&conn) {
            present.line.send(welcome);
            present.is_welcome = true;
        }
        true
    }

    /// Removes a connection and its place in a queue. Returns the room its account sits in.
    pub(crate) fn depart(&self, account: Account, conn: Conn) -> Option<RoomDoor> {
        let mut state = self.state();
        state.present.remove(&conn);
        if let Some(conns) = state.by_account.get_mut(&account) {
            conns.retain(|other| *other != conn);
            if conns.is_empty() {
                state.by_account.remove(&account);
            }
        }
        state.queues.leave(account, Some(conn));
        state.room_of(account)
    }

    /// Returns the connection over which an account plays: of those that fit, the one that asked
    /// for something last, or the newest.
    pub(crate) fn chosen(
        &self,
        account: Account,
        fits: impl Fn(Speech) -> bool,
    ) -> Option<Present> {
        let state = self.state();
        let fitting = state.welcome(account).filter(|it| fits(it.speech));
        fitting.last().cloned()
    }

    /// True if an account has a connection that can play this game and is in no match.
    pub(crate) fn is_free(&self, account: Account, game: GameName) -> bool {
        let state = self.state();
        let fits = |it: &Present| it.speech.plays(game.as_str());
        let is_here = state.welcome(account).any(fits);
        is_here && state.check_free(account).is_ok()
    }

    /// Marks the connection as the one the account used last.
    pub(crate) fn prefer(&self, account: Account, conn: Conn) {
        let mut state = self.state();
        let conns = state.by_account.get_mut(&account);
        if let Some(conns) = conns.filter(|it| it.contains(&conn)) {
            conns.retain(|it| *it != conn);
            conns.push(conn);
        }
    }

    /// Returns the newest connection of an account that opened after `of` and fits.
    pub(crate) fn successor(
        &self,
        account: Account,
        of: Conn,
        fits: impl Fn(Speech) -> bool,
    ) -> Option<Present> {
        let state = self.state();
        let later = state.welcome(account).filter(|it| it.line.conn() > of);
        let fitting = later.filter(|it| fits(it.speech));
        fitting.max_by_key(|it| it.line.conn()).cloned()
    }

    /// The accounts that are connected.
    pub(crate) fn accounts(&self) -> Vec<Account> {
        self.state().by_account.keys().copied().collect()
    }

    pub(crate) fn connections(&self, account: Account) -> Vec<Present> {
        let state = self.state();
        let conns = state.by_account.get(&account).into_iter().flatten();
        conns
            .filter_map(|conn| state.present.get(conn))
            .cloned()
            .collect()
    }

    /// Returns a connection, if it is still open.
    pub(crate) fn present(&self, conn: Conn) -> Option<Present> {
        self.state().present.get(&conn).cloned()
    }

    /// Returns the room of the match that an account sits in.
    pub(crate) fn seat_of(&self, account: Account) -> Option<RoomDoor> {
        self.state().room_of(account)
    }

    /// The accounts that sit in a match.
    pub(crate) fn sitters(&self, game_id: MatchId) -> Vec<Account> {
        let state = self.state();
        let seated = state.seated.iter();
        let own = seated.filter(|(_, at)| **at == game_id);
        own.map(|(account, _)| *account).collect()
    }

    pub(crate) fn room(&self, game_id: MatchId) -> Option<RoomDoor> {
        self.state().rooms.get(&game_id).cloned()
    }

    pub(crate) fn rooms(&self) -> Vec<RoomDoor> {
        self.state().rooms.values().cloned().collect()
    }

    pub(crate) fn n_rooms(&self) -> usize {
        self.state().rooms.len()
    }

    pub(crate) fn census(&self) -> Census {
        let state = self.state();
        Census {
            n_connections: state.present.len(),
            n_accounts: state.by_account.len(),
            n_seated: state.seated.len(),
            n_starting: state.starting.len(),
            n_waiting: state.queues.sizes().map(|(_, n)| n).sum(),
            n_rooms: state.rooms.len(),
        }
    }

    /// The number of waiting accounts by queue.
    pub(crate) fn queue_sizes(&self) -> Vec<(Wanted, usize)> {
        self.state().queues.sizes().collect()
    }

    /// Adds an account to a queue and sends it `queued` before it can be paired. Returns the
    /// connection whose place in the queue it took over, if any.
    pub(crate) fn join_queue(
        &self,
        wanted: Wanted,
        waiting: Waiting,
        queued: String,
    ) -> Result<Option<Present>, ErrorCode> {
        let mut state = self.state();
        state.check_free(waiting.account)?;
        let present = state.present.get(&waiting.conn).cloned();
        let present = present.ok_or(ErrorCode::NotHello)?;
        let before = match state.queues.join(wanted, waiting) {
            Joined::New => None,
            Joined::Instead(before) => state.present.get(&before).cloned(),
            Joined::Already => return Err(ErrorCode::AlreadyQueued),
        };
        present.line.send(queued);
        Ok(before)
    }

    /// Removes an account from its queue. Returns true if it was in one.
    pub(crate) fn leave_queue(&self, account: Account) -> bool {
        self.state().queues.leave(account, None).is_some()
    }

    /// Removes a connection from its queue, and returns it if it was waiting and is still open.
    pub(crate) fn end_wait(&self, waiting: &Waiting) -> Option<Present> {
        let mut state = self.state();
        let left = state.queues.leave(waiting.account, Some(waiting.conn))?;
        state.present.get(&left.conn).cloned()
    }

    /// Returns all pairs that can be made now, and marks their accounts as starting.
    pub(crate) fn pair(&self, now: Ms) -> Vec<Pair> {
        let mut state = self.state();
        if state.draining {
            return Vec::new();
        }
        let pairs = state.queues.pair(now, |it| !state.starting.contains(&it));
        let accounts = pairs
            .iter()
            .flat_map(|(_, pair)| pair.iter().map(|it| it.account));
        state.starting.extend(accounts);
        pairs
    }

    /// Reserves accounts for a match that is about to be stored. Accounts in a queue keep their
    /// place until the match runs.
    pub(crate) fn begin_start(&self, accounts: &[Account]) -> Result<(), NotFree> {
        let mut state = self.state();
        for &account in accounts {
            let free = state.check_free(account);
            free.map_err(|code| NotFree { account, code })?;
        }
        state.starting.extend(accounts);
        Ok(())
    }

    /// Releases accounts whose match did not start.
    pub(crate) fn cancel_start(&self, accounts: &[Account]) {
        let mut state = self.state();
        for account in accounts {
            state.starting.remove(account);
        }
    }

    /// Registers a running match. Removes its players from the queues and returns those removed.
    pub(crate) fn open_room(&self, door: RoomDoor, accounts: &[Account]) -> Vec<Waiting> {
        let mut state = self.state();
        let game_id = door.facts.match_id;
        let mut waited = Vec::new();
        for account in accounts {
            state.starting.remove(account);
            state.seated.insert(*account, game_id);
            waited.extend(state.queues.leave(*account, None));
        }
        state.rooms.insert(game_id, door);
        metrics::gauge!("referee_matches_open").set(state.rooms.len() as f64);
        waited
    }

    /// Frees the players of a match for another one.
    pub(crate) fn free(&self, game_id: MatchId, accounts: impl Iterator<Item = Account>) {
        let mut state = self.state();
        for account in accounts {
            if state.seated.get(&account) == Some(&game_id) {
                state.seated.remove(&account);
            }
        }
    }

    /// Removes a match that no longer runs.
    pub(crate) fn close_room(&self, game_id: MatchId) {
        let mut state = self.state();
        state.rooms.remove(&game_id);
        state.seated.retain(|_, at| *at != game_id);
        metrics::gauge!("referee_matches_open").set(state.rooms.len() as f64);
        drop(state);
        self.room_closed.notify_waiters();
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.state().draining
    }

    /// True once sockets are being closed because the server stops.
    pub(crate) fn is_stopping(&self) -> bool {
        self.state().stopping
    }

    /// From now on, a lost connection is attributed to the server.
    pub(crate) fn stop(&self) {
        self.state().stopping = true;
    }

    /// Stops new matches and empties the queues.
    pub(crate) fn drain(&self) -> Drained {
        let mut state = self.state();
        state.draining = true;
        let queues = std::mem::take(&mut state.queues);
        // Accounts whose match is about to start keep waiting for it.
        let waiting = queues.waiting();
        let waiting = waiting.filter(|it| !state.starting.contains(&it.account));
        let there = |it: &Waiting| state.present.get(&it.conn).cloned();
        Drained {
            waited: waiting.filter_map(there).collect(),
            present: state.present.values().cloned().collect(),
        }
    }
}

impl State {
    /// The welcomed connections of an account, with the one used last at the end.
    fn welcome(&self, account: Account) -> impl Iterator<Item = &Present> + '_ {
        let conns = self.by_account.get(&account).into_iter().flatten();
        let present = conns.filter_map(|conn| self.present.get(conn));
        present.filter(|it| it.is_welcome)
    }

    fn room_of(&self, account: Account) -> Option<RoomDoor> {
        let game_id = self.seated.get(&account)?;
        self.rooms.get(game_id).cloned()
    }

    /// Fails if an account cannot enter a match or a queue.
    fn check_free(&self, account: Account) -> Result<(), ErrorCode> {
        if self.draining {
            return Err(ErrorCode::Draining);
        }
        if self.seated.contains_key(&account) || self.starting.contains(&account) {
            return Err(ErrorCode::AlreadyInMatch);
        }
        Ok(())
    }
}
