//! Who is here, who waits, and which matches run.
//!
//! All of it is in memory and behind one lock that is never held across a wait. What must
//! survive is in storage; after a restart this begins empty and fills again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use catalog::GameName;
use kernel::GameId;
use session::{Account, Conn, Ms};
use store::SignInId;
use tokio::sync::Notify;
use wire::codes::{CloseCode, ErrorCode};

use crate::line::Line;
use crate::matchmaking::{Joined, Matchmaker, Waiting, Wanted};
use crate::room::RoomDoor;
use crate::voice::Speech;

/// Who is here, who waits, and which matches run.
#[derive(Default)]
pub(crate) struct Hub {
    state: Mutex<State>,
    /// Told whenever a room closes.
    pub(crate) room_closed: Notify,
}

#[derive(Default)]
struct State {
    rooms: HashMap<GameId, RoomDoor>,
    seated: HashMap<Account, GameId>,
    /// Accounts whose match is being written down.
    starting: HashSet<Account>,
    queues: Matchmaker,
    present: HashMap<Conn, Present>,
    /// The connections of each account; the newest, or the one it has asked over, last.
    by_account: HashMap<Account, Vec<Conn>>,
    /// Sign-ins that ended not long ago, the newest last: a socket that says hello with one at
    /// the same moment is closed too.
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
    /// Whether it has been welcomed. Before that it is told of no match.
    pub(crate) is_welcome: bool,
}

/// Who is to be told that a server drains.
pub(crate) struct Drained {
    /// Everybody who is here.
    pub(crate) present: Vec<Present>,
    /// Those of them who waited for an opponent.
    pub(crate) waited: Vec<Present>,
}

/// Connections of one account at the same time; the oldest makes room.
const CONNS_PER_ACCOUNT: usize = 8;
/// Ended sign-ins that are remembered: as many as may end while one hello is on its way.
const ENDED_MAX: usize = 10_000;

/// How much a server holds in memory of those who are here. All of it is zero again when
/// everybody has left.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Census {
    /// Connections whose account is known.
    pub n_connections: usize,
    /// Accounts with at least one of them.
    pub n_accounts: usize,
    /// Accounts that sit in a match.
    pub n_seated: usize,
    /// Accounts whose match is being written down.
    pub n_starting: usize,
    /// Accounts that wait for an opponent.
    pub n_waiting: usize,
    /// Matches that run.
    pub n_rooms: usize,
}

/// An account that cannot enter a match now, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotFree {
    pub(crate) account: Account,
    pub(crate) code: ErrorCode,
}

/// Two who are to play, and what for.
pub(crate) type Pair = (Wanted, [Waiting; 2]);

impl Hub {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection has said whose it is.
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

    /// Closes every connection of these sign-ins, now and from now on.
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

    /// Welcomes a connection; from now on it is told of matches, and not before. False, and
    /// nothing is said, if its account sits elsewhere by now than where this way leads.
    pub(crate) fn welcome(&self, conn: Conn, way: Option<&RoomDoor>, welcome: String) -> bool {
        let mut state = self.state();
        let account = state.present.get(&conn).map(|it| it.account);
        let seat = account.and_then(|it| state.room_of(it));
        // A room that broke down is about to be another, which tells everybody.
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

    /// A connection is gone. It waits no more; says in which room its account sits.
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

    /// The connection over which an account plays: the one that asked for something last, or
    /// the newest, of those that talk as they must.
    pub(crate) fn chosen(
        &self,
        account: Account,
        fits: impl Fn(Speech) -> bool,
    ) -> Option<Present> {
        let state = self.state();
        let fitting = state.welcome(account).filter(|it| fits(it.speech));
        fitting.last().cloned()
    }

    /// Whether an account is here with anything that plays this game, and plays nothing else.
    pub(crate) fn is_free(&self, account: Account, game: GameName) -> bool {
        let state = self.state();
        let fits = |it: &Present| it.speech.plays(game.as_str());
        let is_here = state.welcome(account).any(fits);
        is_here && state.check_free(account).is_ok()
    }

    /// An account asks for something over this connection, and is answered over it.
    pub(crate) fn prefer(&self, account: Account, conn: Conn) {
        let mut state = self.state();
        let conns = state.by_account.get_mut(&account);
        if let Some(conns) = conns.filter(|it| it.contains(&conn)) {
            conns.retain(|it| *it != conn);
            conns.push(conn);
        }
    }

    /// The newest connection of an account that came after this one and talks as it must.
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

    /// All connections of an account.
    pub(crate) fn connections(&self, account: Account) -> Vec<Present> {
        let state = self.state();
        let conns = state.by_account.get(&account).into_iter().flatten();
        conns
            .filter_map(|conn| state.present.get(conn))
            .cloned()
            .collect()
    }

    /// A connection, if it is still there.
    pub(crate) fn present(&self, conn: Conn) -> Option<Present> {
        self.state().present.get(&conn).cloned()
    }

    /// The match that an account sits in.
    pub(crate) fn seat_of(&self, account: Account) -> Option<RoomDoor> {
        self.state().room_of(account)
    }

    /// The accounts that sit in a match.
    pub(crate) fn sitters(&self, game_id: GameId) -> Vec<Account> {
        let state = self.state();
        let seated = state.seated.iter();
        let own = seated.filter(|(_, at)| **at == game_id);
        own.map(|(account, _)| *account).collect()
    }

    /// A running match.
    pub(crate) fn room(&self, game_id: GameId) -> Option<RoomDoor> {
        self.state().rooms.get(&game_id).cloned()
    }

    /// All running matches.
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

    /// How many wait, by what they wait for.
    pub(crate) fn queue_sizes(&self) -> Vec<(Wanted, usize)> {
        self.state().queues.sizes().collect()
    }

    /// An account begins to wait, and is told so before anybody can pair it. Gives the
    /// connection that waited in its place until now.
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

    /// An account waits no more.
    pub(crate) fn leave_queue(&self, account: Account) -> bool {
        self.state().queues.leave(account, None).is_some()
    }

    /// A connection waits no more; gives it, if it is still there and did.
    pub(crate) fn end_wait(&self, waiting: &Waiting) -> Option<Present> {
        let mut state = self.state();
        let left = state.queues.leave(waiting.account, Some(waiting.conn))?;
        state.present.get(&left.conn).cloned()
    }

    /// Gives all pairs that can be made now; they are starting.
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

    /// Sets accounts aside for a match that is about to be written down. Who waits keeps the
    /// place until that match runs.
    pub(crate) fn begin_start(&self, accounts: &[Account]) -> Result<(), NotFree> {
        let mut state = self.state();
        for &account in accounts {
            let free = state.check_free(account);
            free.map_err(|code| NotFree { account, code })?;
        }
        state.starting.extend(accounts);
        Ok(())
    }

    /// The match was not begun after all.
    pub(crate) fn cancel_start(&self, accounts: &[Account]) {
        let mut state = self.state();
        for account in accounts {
            state.starting.remove(account);
        }
    }

    /// A match runs. Its players wait no more; gives who did.
    pub(crate) fn open_room(&self, door: RoomDoor, accounts: &[Account]) -> Vec<Waiting> {
        let mut state = self.state();
        let game_id = door.facts.match_id.0;
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

    /// The players of a match may play another.
    pub(crate) fn free(&self, game_id: GameId, accounts: impl Iterator<Item = Account>) {
        let mut state = self.state();
        for account in accounts {
            if state.seated.get(&account) == Some(&game_id) {
                state.seated.remove(&account);
            }
        }
    }

    /// A match does not run any more.
    pub(crate) fn close_room(&self, game_id: GameId) {
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

    /// Whether sockets are being closed because the server stops.
    pub(crate) fn is_stopping(&self) -> bool {
        self.state().stopping
    }

    /// From now on, a lost connection is the server's doing.
    pub(crate) fn stop(&self) {
        self.state().stopping = true;
    }

    /// No new matches from now on, and nobody waits any more.
    pub(crate) fn drain(&self) -> Drained {
        let mut state = self.state();
        state.draining = true;
        let queues = std::mem::take(&mut state.queues);
        // Whose match is about to begin waits for it.
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
    /// The connections of an account that have been welcomed, the one it uses last.
    fn welcome(&self, account: Account) -> impl Iterator<Item = &Present> + '_ {
        let conns = self.by_account.get(&account).into_iter().flatten();
        let present = conns.filter_map(|conn| self.present.get(conn));
        present.filter(|it| it.is_welcome)
    }

    fn room_of(&self, account: Account) -> Option<RoomDoor> {
        let game_id = self.seated.get(&account)?;
        self.rooms.get(game_id).cloned()
    }

    /// Whether an account may enter a match or a queue.
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
