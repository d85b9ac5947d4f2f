//! The start of a match: stored and paid for first, announced afterwards.

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::{GameName, with_game};
use kernel::{MatchId, Seat, SeatSet};
use session::{Account, Conn, Effect, Session, Terms};
use store::{
    Denied, LedgerAccount, Mode, NewEvent, NewMatch, Pairing, SecretHash, Sitter, StoreError,
    StoredSeat, Tx, Worth,
};
use wire::codes::ErrorCode;
use wire::native::{ClockRules, Player};

use crate::economy::{Proposal, can_be_rated};
use crate::hosted::Hosted;
use crate::hub::{NotFree, Pair, Present};
use crate::matchmaking::Waiting;
use crate::room::{Join, Room, RoomDoor, RoomFacts, ToRoom};
use crate::secret;
use crate::server::Server;
use crate::terms;
use crate::voice::Speech;

/// The participant for a seat.
#[derive(Clone, Debug)]
pub(crate) enum Participant {
    /// A person, over this connection.
    Person(Account, Conn),
    Bot(String),
}

/// The setup a match starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// The game's default setup.
    Standard,
    /// A validated setup, in the canonical text that records use.
    Chosen(String),
}

/// The reason a match did not start.
#[derive(Clone, Debug)]
pub(crate) enum NotBegun {
    /// This account cannot pay the stake.
    Poor(Account),
    /// This account has a seat in another match, according to storage.
    Seated(Account),
    /// Any other reason.
    Refused(ErrorCode),
}

impl NotBegun {
    /// The error code for the client that asked.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            NotBegun::Poor(_) => ErrorCode::NotEnoughTokens,
            NotBegun::Seated(_) => ErrorCode::AlreadyInMatch,
            NotBegun::Refused(code) => *code,
        }
    }
}

/// A request to start a match.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) game: GameName,
    pub(crate) participants: Vec<Participant>,
    pub(crate) stake: u64,
    pub(crate) start: Start,
    /// The invitation that the match uses up.
    pub(crate) invitation: Option<SecretHash>,
}

/// Accounts reserved for a match. If the match does not start for any reason, dropping this frees
/// them.
pub(crate) struct Starting {
    server: Arc<Server>,
    accounts: Vec<Account>,
}

impl Starting {
    /// Registers the running match. Returns the accounts that were waiting in a queue.
    fn runs(&mut self, door: RoomDoor) -> Vec<Waiting> {
        let accounts = std::mem::take(&mut self.accounts);
        self.server.hub.open_room(door, &accounts)
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.server.hub.cancel_start(&self.accounts);
    }
}

impl Server {
    /// Returns a participant for an account, over the connection it uses.
    pub(crate) fn participant(&self, account: Account, game: GameName) -> Participant {
        let fits = |speech: Speech| speech.plays(game.as_str());
        let conn = self.hub.chosen(account, fits).map(|it| it.line.conn());
        Participant::Person(account, conn.unwrap_or(Conn(0)))
    }

    /// Reserves accounts for a match.
    pub(crate) fn set_aside(
        self: &Arc<Server>,
        accounts: Vec<Account>,
    ) -> Result<Starting, NotFree> {
        self.hub.begin_start(&accounts)?;
        let server = Arc::clone(self);
        Ok(Starting { server, accounts })
    }

    /// Starts the matches of pairs that the hub has reserved, each on its own task.
    pub(crate) fn begin_pairs(self: &Arc<Server>, pairs: Vec<Pair>) {
        for (wanted, pair) in pairs {
            let server = Arc::clone(self);
            let mut starting = Starting {
                server: Arc::clone(self),
                accounts: pair.map(|it| it.account).to_vec(),
            };
            let order = Order {
                game: wanted.game,
                participants: pair
                    .map(|it| Participant::Person(it.account, it.conn))
                    .to_vec(),
                stake: wanted.stake,
                start: Start::Standard,
                invitation: None,
            };
            tokio::spawn(async move {
                if let Err(why) = server.begin(&mut starting, order).await {
                    server.turn_away(pair, &why);
                    drop(starting);
                    let pairs = server.hub.pair(server.clock.now());
                    server.begin_pairs(pairs);
                }
            });
        }
    }

    /// Notifies a pair whose match did not start. An account that can still play keeps waiting.
    fn turn_away(&self, pair: [Waiting; 2], why: &NotBegun) {
        for waiting in pair {
            let refusal = match why {
                NotBegun::Poor(who) | NotBegun::Seated(who) if *who != waiting.account => {
                    let draining = self.hub.is_draining();
                    draining.then_some(ErrorCode::Draining)
                }
                _ => Some(why.code()),
            };
            let Some(code) = refusal else { continue };
            // A drain has already ended the wait.
            let present = match code {
                ErrorCode::Draining => self.hub.present(waiting.conn),
                _ => self.hub.end_wait(&waiting),
            };
            if let Some(present) = present {
                crate::gateway::tell_unqueued(&present, code);
            }
        }
    }

    /// Starts a match with reserved accounts.
    pub(crate) async fn begin(
        self: &Arc<Server>,
        starting: &mut Starting,
        order: Order,
    ) -> Result<RoomDoor, NotBegun> {
        let n_seats = order.participants.len();
        with_game!(order.game, G => match read_start::<G>(&order.start, n_seats) {
            Ok(setup) => self.begin_game::<G>(starting, order, setup).await,
            Err(code) => Err(NotBegun::Refused(code)),
        })
    }

    async fn begin_game<G: Hosted>(
        self: &Arc<Server>,
        starting: &mut Starting,
        order: Order,
        setup: G::Setup,
    ) -> Result<RoomDoor, NotBegun> {
        let (participants, stake) = (order.participants, order.stake);
        if !self.committer.health().writes() {
            return Err(NotBegun::Refused(ErrorCode::StorageUnavailable));
        }
        let sitters: Vec<Sitter> = participants.iter().map(Participant::sitter).collect();
        let bots = self.call_bots::<G>(&sitters, &setup).await;
        let bots = bots.map_err(|_| NotBegun::Refused(ErrorCode::UnknownBot))?;
        let players = self.introduce(G::NAME, &sitters).await;
        let mut players = players.map_err(|_| NotBegun::Refused(ErrorCode::StorageUnavailable))?;
        let accounts: Vec<Option<Account>> = sitters.iter().map(Sitter::account).collect();
        let people = accounts.iter().enumerate().filter(|(_, it)| it.is_some());
        let people: SeatSet = people.filter_map(|(idx, _)| Seat::new(idx)).collect();
        let mode = mode_of(&accounts);
        let mut policy = G::policy(&self.config, people);
        if mode == Mode::Hotseat {
            tell_apart(&mut players);
            policy = policy.at_one_screen();
        }
        let proposal = Proposal::<G> {
            accounts: &accounts,
            setup: &setup,
            mode,
            stake,
        };
        let (pairing, worth) = self.weigh(&proposal).await?;
        let stake = if worth.stake.is_some() { 0 } else { stake };
        let terms = Terms::<G> {
            game_id: MatchId::from_random_bytes(secret::random()),
            setup,
            accounts: accounts.clone(),
            names: players.iter().map(name_in_record).collect(),
            stake,
            policy,
            opening: self.seed_offers.draw(&participants),
        };
        let now = self.clock.now();
        let new = NewMatch {
            worth,
            ..new_match(&terms, &sitters, &players, mode, now)
        };
        let opening = terms.opening.clone();
        let facts = facts(&terms, mode, worth, players, now);
        let mut effects = Vec::new();
        let session = Session::open(terms, now, &mut effects);
        let balances = self
            .write_down(
                new,
                &accounts,
                take_first_event(&mut effects),
                pairing.map(|it| Pairing { stake, ..it }),
                order.invitation,
            )
            .await?;
        let sitting = everybody(&accounts);
        let (room, door) = Room::new(Arc::clone(self), session, facts, accounts, bots);
        let waited = starting.runs(door.clone());
        self.seed_offers.spend(&participants, &opening);
        metrics::counter!("referee_matches_begun_total", "game" => G::NAME).increment(1);
        tracing::info!(
            match_id = %door.facts.match_id, game = G::NAME, stake,
            accounts = ?sitting.iter().map(|it| it.0).collect::<Vec<_>>(), "match started"
        );
        self.end_other_waits(&waited, &participants);
        for letter in self.first_letters::<G>(&participants, &balances) {
            let joined = match &letter {
                ToRoom::Join(join) => Some(join.line.conn()),
                _ => None,
            };
            // The inbox is new and has room for all seats.
            door.inbox.try_send(letter).ok();
            // A client that left meanwhile notified a room that did not know it yet.
            if let Some(conn) = joined.filter(|conn| self.hub.present(*conn).is_none()) {
                door.inbox.try_send(ToRoom::Gone { conn }).ok();
            }
        }
        tokio::spawn(room.run(effects, 1));
        Ok(door)
    }

    /// Notifies connections that waited for an opponent while their account plays over another one.
    /// The connection that plays is notified by its match.
    fn end_other_waits(&self, waited: &[Waiting], participants: &[Participant]) {
        let plays = |conn: Conn| {
            let mut participants = participants.iter();
            participants.any(|it| matches!(it, Participant::Person(_, over) if *over == conn))
        };
        for waiting in waited.iter().filter(|it| !plays(it.conn)) {
            if let Some(present) = self.hub.present(waiting.conn) {
                crate::gateway::tell_wait_is_over(&present, ErrorCode::AlreadyInMatch);
            }
        }
    }

    /// Stores the match, its first event, its stakes and its invitation in one transaction. Returns
    /// the balances.
    async fn write_down(
        &self,
        new: NewMatch,
        accounts: &[Option<Account>],
        event: Vec<u8>,
        pairing: Option<Pairing>,
        invitation: Option<SecretHash>,
    ) -> Result<Vec<u64>, NotBegun> {
        let (accounts, now) = (accounts.to_vec(), new.at);
        let bounds = self.config.bounds;
        let work = move |tx: &mut Tx<'_>| {
            if let Some(code) = &invitation
                // The work may run again after it has succeeded.
                && tx.stored_match(new.game_id)?.is_none()
                && tx.invitation(code, now)?.is_none()
            {
                return Ok(Err(NotBegun::Refused(ErrorCode::InvitationUnknown)));
            }
            let opened = tx.attempt(|tx| {
                match &pairing {
                    Some(pairing) => tx.open_within(&bounds, pairing, &new)?,
                    None => tx.open_match(&new)?,
                };
                tx.append(NewEvent {
                    game_id: new.game_id,
                    version: 1,
                    bytes: &event,
                })?;
                Ok(())
            })?;
            if let Err(denied) = opened {
                return Ok(Err(not_begun(&denied)));
            }
            if let Some(code) = &invitation {
                tx.take_invitation(code, now)?;
            }
            let balance = |account: &Option<Account>| match account {
                Some(account) => tx.balance(LedgerAccount::Player(*account)),
                None => Ok(0),
            };
            let balances: Result<Vec<i64>, StoreError> = accounts.iter().map(balance).collect();
            Ok(Ok(balances?.into_iter().map(i64::unsigned_abs).collect()))
        };
        let written = self.committer.run(work).await;
        written.unwrap_or(Err(NotBegun::Refused(ErrorCode::StorageUnavailable)))
    }

    /// The first messages to a room: a join for each connected player, then the absent ones.
    fn first_letters<G: Hosted>(
        &self,
        participants: &[Participant],
        balances: &[u64],
    ) -> Vec<ToRoom> {
        let mut letters = Vec::new();
        let mut absent = Vec::new();
        let mut told = BTreeSet::new();
        for (idx, participant) in participants.iter().enumerate() {
            let (Participant::Person(account, conn), Some(seat)) = (participant, Seat::new(idx))
            else {
                continue;
            };
            // People who share a screen join together.
            if !told.insert(*account) {
                continue;
            }
            let present = self.hub.present(*conn);
            let fits = |it: &Present| it.account == *account && it.speech.plays(G::NAME);
            let present = present.filter(fits);
            match present.or_else(|| self.hub.chosen(*account, |it| it.plays(G::NAME))) {
                Some(Present { line, speech, .. }) => letters.push(ToRoom::Join(Box::new(Join {
                    account: *account,
                    line,
                    speech,
                    resume: None,
                    resumed: false,
                    tokens: balances.get(idx).copied().unwrap_or(0),
                }))),
                None => absent.push(ToRoom::Absent { seat }),
            }
        }
        letters.extend(absent);
        letters
    }
}

/// Translates a denial of storage.
fn not_begun(denied: &Denied) -> NotBegun {
    match denied {
        Denied::NotEnoughTokens { account, .. } => NotBegun::Poor(*account),
        Denied::AlreadySeated { account, .. } => NotBegun::Seated(*account),
        Denied::SameAccount { .. } => NotBegun::Refused(ErrorCode::AlreadyInMatch),
        denied => {
            tracing::error!(%denied, "a match could not be started");
            NotBegun::Refused(ErrorCode::Internal)
        }
    }
}

/// Reads the setup of a match with this many seats.
fn read_start<G: Hosted>(start: &Start, n_seats: usize) -> Result<G::Setup, ErrorCode> {
    let setup = match start {
        Start::Standard => G::Setup::default(),
        Start::Chosen(text) => {
            let json = kernel::json::read(text.as_bytes()).map_err(|_| ErrorCode::Internal)?;
            kernel::doc::parse(&json).map_err(|_| ErrorCode::Internal)?
        }
    };
    let fits = G::start(&setup).n_seats() == n_seats;
    fits.then_some(setup).ok_or(ErrorCode::Internal)
}

impl Participant {
    fn sitter(&self) -> Sitter {
        match self {
            Participant::Person(account, _) => Sitter::Account(*account),
            Participant::Bot(name) => Sitter::Bot(name.clone()),
        }
    }
}

/// The name of a player in the sealed record of a match. A record never changes, so it names only
/// bots; that way a person can be erased.
fn name_in_record(player: &Player) -> String {
    let bot = player.bot.as_ref();
    bot.map_or_else(String::new, |bot| format!("bot:{bot}"))
}

/// The name of a player in lists and histories; empty for a person without a nickname.
pub(crate) fn name_in_lists(player: &Player) -> String {
    match (&player.bot, &player.name) {
        (Some(_), _) => name_in_record(player),
        (None, name) => name.clone().unwrap_or_default(),
    }
}

/// The accounts in these seats, each once.
pub(crate) fn everybody(accounts: &[Option<Account>]) -> Vec<Account> {
    let accounts: BTreeSet<Account> = accounts.iter().flatten().copied().collect();
    accounts.into_iter().collect()
}

fn mode_of(accounts: &[Option<Account>]) -> Mode {
    let n_people = accounts.iter().flatten().count();
    match n_people {
        0 => Mode::Exhibition,
        n if n > everybody(accounts).len() => Mode::Hotseat,
        n if n == accounts.len() => Mode::Pvp,
        _ => Mode::Pve,
    }
}

/// Numbers the names of people who share an account. A nickname cannot have this form.
fn tell_apart(players: &mut [Player]) {
    let people = players.iter_mut().filter(|it| it.bot.is_none());
    for (player, nth) in people.zip(1..) {
        let name = player.name.take().unwrap_or_default();
        player.name = Some(format!("{name} ({nth})").trim().to_owned());
    }
}

fn new_match<G: Hosted>(
    terms: &Terms<G>,
    sitters: &[Sitter],
    players: &[Player],
    mode: Mode,
    at: session::Ms,
) -> NewMatch {
    let seat = |(sitter, player): (&Sitter, &Player)| StoredSeat {
        sitter: sitter.clone(),
        name: name_in_lists(player),
    };
    NewMatch {
        game_id: terms.game_id,
        game: G::NAME.to_owned(),
        mode,
        terms: terms::write(terms),
        secret: terms::write_secret(&terms.opening),
        seats: sitters.iter().zip(players).map(seat).collect(),
        stake: terms.stake,
        worth: Worth::default(),
        at,
    }
}

/// Collects the public facts of a match.
pub(crate) fn facts<G: Hosted>(
    terms: &Terms<G>,
    mode: Mode,
    worth: Worth,
    players: Vec<Player>,
    began_at: session::Ms,
) -> RoomFacts {
    let policy = &terms.policy;
    let can_be_rated = can_be_rated::<G>(&terms.setup, mode, players.len());
    RoomFacts {
        match_id: terms.game_id,
        game: G::NAME,
        mode,
        players,
        stake: terms.stake,
        rated: can_be_rated && worth.rating.is_none(),
        worth,
        commitment: terms.opening.commitment(),
        contributions: terms.opening.contributions(),
        clock: ClockRules {
            turn_ms: policy.pace.turn_ms,
            first_step_ms: policy.pace.first_step_ms,
            step_ms: policy.pace.step_ms,
            grace_ms: policy.grace_ms,
        },
        began_at,
    }
}

/// Removes the first event from the effects of opening a session: it is stored together with the
/// match.
fn take_first_event<G: Hosted>(effects: &mut Vec<Effect<G>>) -> Vec<u8> {
    let first = effects
        .iter()
        .position(|it| matches!(it, Effect::Persist(_)));
    match first.map(|at| effects.remove(at)) {
        Some(Effect::Persist(event)) => event.bytes,
        _ => Vec::new(),
    }
}
