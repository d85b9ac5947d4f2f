//! How a match begins: written down and paid for first, told afterwards.

use std::sync::Arc;

use catalog::GameName;
use kernel::fair::Opening;
use kernel::{GameId, Seat, SeatSet};
use session::{Account, Conn, Effect, Session, Terms};
use store::{Denied, LedgerAccount, Mode, NewEvent, NewMatch, Sitter, StoreError, StoredSeat, Tx};
use wire::codes::ErrorCode;
use wire::native::{ClockRules, MatchId, Player};

use crate::hosted::{Hosted, with_hosted};
use crate::hub::{Pair, Present};
use crate::matchmaking::Waiting;
use crate::ratings;
use crate::room::{Bot, Join, Room, RoomDoor, RoomFacts, ToRoom};
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

/// Why a match did not begin.
#[derive(Clone, Debug)]
pub(crate) enum NotBegun {
    /// One of them cannot pay.
    Poor(Account),
    /// Anything else.
    Refused(ErrorCode),
}

/// The name of bots in records and to old clients.
pub(crate) const BOT_NAME: &str = "Orc Bot";

impl Server {
    /// Begins the matches of pairs, each on a task of its own.
    pub(crate) fn begin_pairs(self: &Arc<Server>, pairs: Vec<Pair>) {
        for (wanted, pair) in pairs {
            let server = Arc::clone(self);
            tokio::spawn(async move {
                let guests = pair.map(|it| Guest::Person(it.account, it.conn)).to_vec();
                let begun = server.begin(wanted.game, guests, wanted.stake).await;
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
                NotBegun::Poor(_) => None,
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
    ) -> Result<RoomDoor, NotBegun> {
        let accounts = people(&guests);
        let begun = with_hosted!(game, G => self.begin_game::<G>(guests, stake).await, else {
            Err(NotBegun::Refused(ErrorCode::UnknownGame))
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
    ) -> Result<RoomDoor, NotBegun> {
        if !self.committer.health().writes() {
            return Err(NotBegun::Refused(ErrorCode::Busy));
        }
        let bots = self.call_bots::<G>(&guests).await?;
        let accounts: Vec<Option<Account>> = guests.iter().map(Guest::account).collect();
        let (players, names) = self.introduce(G::NAME, &guests).await?;
        let people = accounts.iter().enumerate().filter(|(_, it)| it.is_some());
        let people: SeatSet = people.filter_map(|(idx, _)| Seat::new(idx)).collect();
        let terms = Terms::<G> {
            game_id: GameId::from_random_bytes(secret::random()),
            setup: G::Setup::default(),
            accounts: accounts.iter().map(|it| it.unwrap_or(Account(0))).collect(),
            names,
            stake,
            policy: G::policy(&self.config, people),
            opening: Opening::new(secret::random(), secret::random()),
        };
        let now = self.clock.now();
        let new = new_match(&terms, &guests, now);
        let facts = facts(&terms, new.mode, players, now);
        let mut effects = Vec::new();
        let session = Session::open(terms, now, &mut effects);
        let balances = self
            .write_down(new, &accounts, take_first_event(&mut effects))
            .await?;
        let sitting: Vec<Account> = accounts.iter().flatten().copied().collect();
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

    async fn call_bots<G: Hosted>(&self, guests: &[Guest]) -> Result<Vec<Bot<G>>, NotBegun> {
        let mut bots = Vec::new();
        for (idx, guest) in guests.iter().enumerate() {
            let (Guest::Bot(name), Some(seat)) = (guest, Seat::new(idx)) else {
                continue;
            };
            let called = G::bench(self).agent(name).await;
            let agent = called.map_err(|_| NotBegun::Refused(ErrorCode::UnknownBot))?;
            bots.push(Bot { seat, agent });
        }
        Ok(bots)
    }

    /// What everybody may know of the players, and their names in the record.
    async fn introduce(
        &self,
        game: &'static str,
        guests: &[Guest],
    ) -> Result<(Vec<Player>, Vec<String>), NotBegun> {
        let guests = guests.to_vec();
        let told = self.readers.read(move |tx| {
            let players = guests.iter().map(|guest| player(tx, game, guest));
            players.collect::<Result<Vec<_>, StoreError>>()
        });
        let players = told.await.map_err(|_| NotBegun::Refused(ErrorCode::Busy))?;
        let name = |player: &Player| match (&player.bot, &player.name) {
            (Some(bot), _) => format!("bot:{bot}"),
            (None, name) => name.clone().unwrap_or_default(),
        };
        let names = players.iter().map(name).collect();
        Ok((players, names))
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
            Ok(Err(Denied::AlreadySeated { .. } | Denied::SameAccount { .. })) => {
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
        for (idx, guest) in guests.iter().enumerate() {
            let (Guest::Person(account, conn), Some(seat)) = (guest, Seat::new(idx)) else {
                continue;
            };
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

impl Guest {
    fn account(&self) -> Option<Account> {
        match self {
            Guest::Person(account, _) => Some(*account),
            Guest::Bot(_) => None,
        }
    }
}

fn people(guests: &[Guest]) -> Vec<Account> {
    guests.iter().filter_map(Guest::account).collect()
}

fn player(tx: &mut Tx<'_>, game: &str, guest: &Guest) -> Result<Player, StoreError> {
    let account = match guest {
        Guest::Bot(name) => return Ok(bot_player(name)),
        Guest::Person(account, _) => *account,
    };
    let row = tx.account(account)?;
    let rating = tx.rating(account, game)?;
    Ok(Player {
        name: row
            .as_ref()
            .and_then(|row| row.nickname.clone())
            .map(|it| it.shown),
        bot: None,
        avatar: row.map(|row| row.avatar).unwrap_or_default(),
        league: Some(ratings::league(rating.map_or(0, |it| it.league))),
        points: Some(rating.map_or(0, |it| it.league)),
        rating: rating.map(|it| it.rating.round() as i64),
    })
}

/// What everybody may know of a bot.
pub(crate) fn bot_player(name: &str) -> Player {
    Player {
        name: Some(BOT_NAME.to_owned()),
        bot: Some(name.to_owned()),
        avatar: "orc".to_owned(),
        league: None,
        points: None,
        rating: None,
    }
}

fn new_match<G: Hosted>(terms: &Terms<G>, guests: &[Guest], at: session::Ms) -> NewMatch {
    let mode = match people(guests).len() {
        0 => Mode::Exhibition,
        n if n == guests.len() => Mode::Pvp,
        _ => Mode::Pve,
    };
    let seat = |(guest, name): (&Guest, &String)| StoredSeat {
        sitter: match guest {
            Guest::Person(account, _) => Sitter::Account(*account),
            Guest::Bot(bot) => Sitter::Bot(bot.clone()),
        },
        name: name.clone(),
    };
    NewMatch {
        game_id: terms.game_id,
        game: G::NAME.to_owned(),
        mode,
        terms: terms::write(terms),
        secret: terms::write_secret(&terms.opening),
        seats: guests.iter().zip(&terms.names).map(seat).collect(),
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
