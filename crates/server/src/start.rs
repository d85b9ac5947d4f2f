//! How a match begins: written down and paid for first, told afterwards.

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::{GameName, with_game};
use kernel::fair::Opening;
use kernel::{GameId, Seat, SeatSet};
use session::{Account, Conn, Effect, Session, Terms};
use store::{Denied, LedgerAccount, Mode, NewEvent, NewMatch, Sitter, StoreError, StoredSeat, Tx};
use wire::codes::ErrorCode;
use wire::native::{ClockRules, MatchId, Player};

use crate::hosted::Hosted;
use crate::hub::{Pair, Present};
use crate::matchmaking::Waiting;
use crate::room::{Join, Room, RoomDoor, RoomFacts, ToRoom};
use crate::secret;
use crate::server::Server;
use crate::terms;

/// Who is to sit in a seat.
#[derive(Clone, Debug)]
pub(crate) enum Guest {
    /// A person, over this connection.
    Person(Account, Conn),
    /// A bot.
    Bot(String),
}

/// What a match starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// The game's standard setup.
    Standard,
    /// A setup that was read and is written down again, in the words of records.
    Chosen(String),
}

/// Why a match did not begin.
#[derive(Clone, Debug)]
pub(crate) enum NotBegun {
    /// One of them cannot pay.
    Poor(Account),
    /// One of them sits in another match, as storage knows it.
    Seated(Account),
    /// Anything else.
    Refused(ErrorCode),
}

impl NotBegun {
    /// How it is told to who asked.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            NotBegun::Poor(_) => ErrorCode::NotEnoughTokens,
            NotBegun::Seated(_) => ErrorCode::AlreadyInMatch,
            NotBegun::Refused(code) => *code,
        }
    }
}

impl Server {
    /// Begins the matches of pairs, each on a task of its own.
    pub(crate) fn begin_pairs(self: &Arc<Server>, pairs: Vec<Pair>) {
        for (wanted, pair) in pairs {
            let server = Arc::clone(self);
            tokio::spawn(async move {
                let guests = pair.map(|it| Guest::Person(it.account, it.conn)).to_vec();
                let game = wanted.game;
                let begun = server
                    .begin(game, guests, wanted.stake, Start::Standard)
                    .await;
                if let Err(why) = begun {
                    server.return_pair(wanted, pair, &why);
                }
            });
        }
    }

    /// Somebody could not pay, or storage failed: who can still play waits on.
    fn return_pair(
        self: &Arc<Server>,
        wanted: crate::matchmaking::Wanted,
        pair: [Waiting; 2],
        why: &NotBegun,
    ) {
        for waiting in pair {
            let refusal = match why {
                NotBegun::Poor(poor) if *poor == waiting.account => {
                    Some(ErrorCode::NotEnoughTokens)
                }
                NotBegun::Seated(seated) if *seated == waiting.account => {
                    Some(ErrorCode::AlreadyInMatch)
                }
                NotBegun::Poor(_) | NotBegun::Seated(_) => None,
                NotBegun::Refused(code) => Some(*code),
            };
            let Some(present) = self.hub.present(waiting.conn) else {
                continue;
            };
            let refusal = refusal.or_else(|| self.hub.join_queue(wanted, waiting).err());
            if let Some(code) = refusal {
                crate::gateway::tell_unqueued(&present, code);
            }
        }
        let pairs = self.hub.pair(self.clock.now());
        self.begin_pairs(pairs);
    }

    /// Begins a match. The accounts must have been set aside with the hub; whatever happens,
    /// they are not any more afterwards.
    pub(crate) async fn begin(
        self: &Arc<Server>,
        game: GameName,
        guests: Vec<Guest>,
        stake: u64,
        start: Start,
    ) -> Result<RoomDoor, NotBegun> {
        let accounts: Vec<Account> = guests
            .iter()
            .filter_map(|it| it.sitter().account())
            .collect();
        let begun = with_game!(game, G => match read_start::<G>(&start, guests.len()) {
            Ok(setup) => self.begin_game::<G>(guests, stake, setup).await,
            Err(code) => Err(NotBegun::Refused(code)),
        });
        if begun.is_err() {
            self.hub.cancel_start(&accounts);
        }
        begun
    }

    async fn begin_game<G: Hosted>(
        self: &Arc<Server>,
        guests: Vec<Guest>,
        stake: u64,
        setup: G::Setup,
    ) -> Result<RoomDoor, NotBegun> {
        if !self.committer.health().writes() {
            return Err(NotBegun::Refused(ErrorCode::Busy));
        }
        let sitters: Vec<Sitter> = guests.iter().map(Guest::sitter).collect();
        let bots = self.call_bots::<G>(&sitters, &setup).await;
        let bots = bots.map_err(|_| NotBegun::Refused(ErrorCode::UnknownBot))?;
        let players = self.introduce(G::NAME, &sitters).await;
        let mut players = players.map_err(|_| NotBegun::Refused(ErrorCode::Busy))?;
        let accounts: Vec<Option<Account>> = sitters.iter().map(Sitter::account).collect();
        let people = accounts.iter().enumerate().filter(|(_, it)| it.is_some());
        let people: SeatSet = people.filter_map(|(idx, _)| Seat::new(idx)).collect();
        let mode = mode_of(&accounts);
        let mut policy = G::policy(&self.config, people);
        if mode == Mode::Hotseat {
            tell_apart(&mut players);
            policy = policy.at_one_screen();
        }
        let terms = Terms::<G> {
            game_id: GameId::from_random_bytes(secret::random()),
            setup,
            accounts: accounts.iter().map(|it| it.unwrap_or(Account(0))).collect(),
            names: players.iter().map(name_in_record).collect(),
            stake,
            policy,
            opening: Opening::new(secret::random(), secret::random()),
        };
        let now = self.clock.now();
        let new = new_match(&terms, &sitters, mode, now);
        let facts = facts(&terms, mode, players, now);
        let mut effects = Vec::new();
        let session = Session::open(terms, now, &mut effects);
        let balances = self
            .write_down(new, &accounts, take_first_event(&mut effects))
            .await?;
        let sitting = everybody(&accounts);
        let (room, door) = Room::new(Arc::clone(self), session, facts, accounts, bots);
        self.hub.open_room(door.clone(), &sitting);
        metrics::counter!("referee_matches_begun_total", "game" => G::NAME).increment(1);
        tracing::info!(
            match_id = %door.facts.match_id.0, game = G::NAME, stake,
            accounts = ?sitting.iter().map(|it| it.0).collect::<Vec<_>>(), "match begun"
        );
        for letter in self.first_letters(&guests, &balances) {
            let joined = match &letter {
                ToRoom::Join(join) => Some(join.line.conn()),
                _ => None,
            };
            // The inbox is new and has room for all seats.
            door.inbox.try_send(letter).ok();
            // Who left while the letter was written told a room that did not know them yet.
            if let Some(conn) = joined.filter(|conn| self.hub.present(*conn).is_none()) {
                door.inbox.try_send(ToRoom::Gone { conn }).ok();
            }
        }
        tokio::spawn(room.run(effects, 1));
        Ok(door)
    }

    /// The match, its first event and its stakes, in one transaction. Gives the balances.
    async fn write_down(
        &self,
        new: NewMatch,
        accounts: &[Option<Account>],
        event: Vec<u8>,
    ) -> Result<Vec<u64>, NotBegun> {
        let accounts = accounts.to_vec();
        let work = move |tx: &mut Tx<'_>| {
            let opened = tx.attempt(|tx| {
                tx.open_match(&new)?;
                tx.append(NewEvent {
                    game_id: new.game_id,
                    version: 1,
                    bytes: &event,
                })?;
                Ok(())
            })?;
            if let Err(denied) = opened {
                return Ok(Err(denied));
            }
            let balance = |account: &Option<Account>| match account {
                Some(account) => tx.balance(LedgerAccount::Player(*account)),
                None => Ok(0),
            };
            let balances: Result<Vec<i64>, StoreError> = accounts.iter().map(balance).collect();
            Ok(Ok(balances?.into_iter().map(i64::unsigned_abs).collect()))
        };
        match self.committer.run(work).await {
            Ok(Ok(balances)) => Ok(balances),
            Ok(Err(Denied::NotEnoughTokens { account, .. })) => Err(NotBegun::Poor(account)),
            Ok(Err(Denied::AlreadySeated { account, .. })) => Err(NotBegun::Seated(account)),
            Ok(Err(Denied::SameAccount { .. })) => {
                Err(NotBegun::Refused(ErrorCode::AlreadyInMatch))
            }
            Ok(Err(denied)) => {
                tracing::error!(%denied, "a match was not begun");
                Err(NotBegun::Refused(ErrorCode::Internal))
            }
            Err(_) => Err(NotBegun::Refused(ErrorCode::Busy)),
        }
    }

    /// Who comes in first: everybody who is still there, and the news of who is not.
    fn first_letters(&self, guests: &[Guest], balances: &[u64]) -> Vec<ToRoom> {
        let mut letters = Vec::new();
        let mut absent = Vec::new();
        let mut told = BTreeSet::new();
        for (idx, guest) in guests.iter().enumerate() {
            let (Guest::Person(account, conn), Some(seat)) = (guest, Seat::new(idx)) else {
                continue;
            };
            // Who shares a screen comes in with it.
            if !told.insert(*account) {
                continue;
            }
            let present = self.hub.present(*conn);
            let present = present.filter(|it| it.account == *account);
            match present.or_else(|| self.hub.newest(*account)) {
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

/// The setup of a match for so many seats.
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

impl Guest {
    fn sitter(&self) -> Sitter {
        match self {
            Guest::Person(account, _) => Sitter::Account(*account),
            Guest::Bot(name) => Sitter::Bot(name.clone()),
        }
    }
}

/// How a player is called in the record of a match; empty for who has no name.
fn name_in_record(player: &Player) -> String {
    match (&player.bot, &player.name) {
        (Some(bot), _) => format!("bot:{bot}"),
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

/// Gives people of one account names of their own. Nobody can have chosen such a name.
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
    mode: Mode,
    at: session::Ms,
) -> NewMatch {
    let seat = |(sitter, name): (&Sitter, &String)| StoredSeat {
        sitter: sitter.clone(),
        name: name.clone(),
    };
    NewMatch {
        game_id: terms.game_id,
        game: G::NAME.to_owned(),
        mode,
        terms: terms::write(terms),
        secret: terms::write_secret(&terms.opening),
        seats: sitters.iter().zip(&terms.names).map(seat).collect(),
        stake: terms.stake,
        at,
    }
}

/// What everybody may know of a match.
pub(crate) fn facts<G: Hosted>(
    terms: &Terms<G>,
    mode: Mode,
    players: Vec<Player>,
    began_at: session::Ms,
) -> RoomFacts {
    let policy = &terms.policy;
    RoomFacts {
        match_id: MatchId(terms.game_id),
        game: G::NAME,
        mode,
        players,
        stake: terms.stake,
        commitment: terms.opening.commitment(),
        clock: ClockRules {
            turn_ms: policy.pace.turn_ms,
            first_step_ms: policy.pace.first_step_ms,
            step_ms: policy.pace.step_ms,
            grace_ms: policy.grace_ms,
        },
        began_at,
    }
}

/// Takes the first event out of what opening a session wants done: it is written together
/// with the match.
fn take_first_event<G: Hosted>(effects: &mut Vec<Effect<G>>) -> Vec<u8> {
    let first = effects
        .iter()
        .position(|it| matches!(it, Effect::Persist(_)));
    match first.map(|at| effects.remove(at)) {
        Some(Effect::Persist(event)) => event.bytes,
        _ => Vec::new(),
    }
}
