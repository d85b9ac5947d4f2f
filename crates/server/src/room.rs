//! One live match on the server: a task with a mailbox around a session.

mod chairs;
mod effects;
mod front;
mod judge;
mod leavers;

use std::pin::Pin;
use std::sync::Arc;

use bots::Agent;
use kernel::fair::{Commitment, Contribution};
use kernel::live::BotManner;
use kernel::rng::{ChaCha20, Generator};
use kernel::{Discard, GameExt, GameId, Perspective, Seat, SeatSet};
use session::{Account, Conn, Effect, Input, Ms, Session, Verdict};
use store::{Mode, Worth};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Sleep, sleep_until};
use wire::native::{ClockRules, MatchId, Player};

use crate::clock::Advances;
use crate::closing::Ended;
use crate::committer::{Durable, Stopped};
use crate::health::Storage;
use crate::hosted::{self, Hosted};
use crate::line::Line;
use crate::secret;
use crate::server::Server;
use crate::voice::{Said, Speech};
use chairs::{Arriving, Chair, Watcher};
use judge::Asked;

/// Messages that may wait for a match; beyond that, whoever has one waits with it.
const INBOX_MAX: usize = 256;
/// Decisions of bots before the room looks at its mailbox again.
const BOT_PLAYS_MAX: usize = 32;
/// Steps of one decision of a bot.
const BOT_STEPS_MAX: usize = kernel::words::WORDS_MAX;
/// Spectators of one match.
const WATCHERS_MAX: usize = 1_000;

/// What a room is told.
pub(crate) enum ToRoom {
    /// A connection comes to its account's seat.
    Join(Box<Join>),
    /// Connections were lost.
    Gone { conn: Conn },
    /// A player was not there when the match began.
    Absent { seat: Seat },
    /// A client says something, received at this time.
    Say { conn: Conn, said: Said, at: Ms },
    /// A spectator comes.
    Watch { line: Line },
    /// A spectator goes.
    Unwatch { conn: Conn },
    /// An operator voids the match.
    Cancel,
    /// The room breaks down.
    #[cfg(test)]
    Break,
}

/// A connection comes to its account's seat.
pub(crate) struct Join {
    pub(crate) account: Account,
    pub(crate) line: Line,
    pub(crate) speech: Speech,
    /// What it has seen, and the number of its next message, if it was here before.
    pub(crate) resume: Option<(u64, u64)>,
    /// Whether the match goes on for it, rather than begins.
    pub(crate) resumed: bool,
    pub(crate) tokens: u64,
}

/// What everybody may know of a room.
#[derive(Clone, Debug)]
pub(crate) struct RoomFacts {
    pub(crate) match_id: MatchId,
    pub(crate) game: &'static str,
    pub(crate) mode: Mode,
    pub(crate) players: Vec<Player>,
    pub(crate) stake: u64,
    /// Whether its result changes ratings.
    pub(crate) rated: bool,
    /// The bounds that made it free of a stake or unrated.
    pub(crate) worth: Worth,
    pub(crate) commitment: Commitment,
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) clock: ClockRules,
    pub(crate) began_at: Ms,
}

/// The way into a room.
#[derive(Clone)]
pub(crate) struct RoomDoor {
    pub(crate) inbox: mpsc::Sender<ToRoom>,
    pub(crate) facts: Arc<RoomFacts>,
}

/// A bot in a seat.
pub(crate) struct Bot<G: Hosted> {
    pub(crate) seat: Seat,
    /// Nobody after it broke down: then its deadlines fall.
    pub(crate) agent: Option<Box<dyn Agent<G>>>,
}

/// Gives the seats of a room back when its task ends. When it breaks down they stay held:
/// nobody has left, and the match goes on as soon as it is mended.
struct Tenancy {
    server: Arc<Server>,
    game_id: GameId,
}

impl Drop for Tenancy {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!(match_id = %self.game_id, "the room broke down");
            metrics::counter!("referee_rooms_broken_total").increment(1);
            self.server.broken.send(self.game_id).ok();
        } else {
            self.server.hub.close_room(self.game_id);
        }
    }
}

/// One live match.
pub(crate) struct Room<G: Hosted> {
    server: Arc<Server>,
    session: Session<G>,
    facts: Arc<RoomFacts>,
    chairs: Vec<Chair<G>>,
    watchers: Vec<Watcher>,
    /// Spectators who have not been told yet where the match stands.
    arriving: Vec<Arriving>,
    bots: Vec<Bot<G>>,
    rng: Generator,
    bots_due: Option<Ms>,
    /// The version at which bots were last asked.
    bots_asked: Option<u64>,
    inbox: mpsc::Receiver<ToRoom>,
    durable: Arc<Durable>,
    storage: watch::Receiver<Storage>,
    /// How many outages the session has been through.
    n_outages: u64,
    /// The proof that the session waits for.
    proof: Option<(u64, oneshot::Receiver<()>)>,
    timer: Option<Ms>,
    advances: Advances,
    ending: Option<oneshot::Receiver<Ended>>,
    ended: Option<Ended>,
    closed: bool,
    chances: Asked,
}

impl<G: Hosted> Drop for Room<G> {
    /// Spectators of a match whose end they were not told come again and see.
    fn drop(&mut self) {
        if self.closed {
            return;
        }
        let game_id = self.session.game_id();
        let arriving = self.arriving.iter().map(|it| &it.watcher);
        for watcher in self.watchers.iter().chain(arriving) {
            self.server.turn_spectator_out(&watcher.line, game_id);
        }
        self.inbox.close();
        while let Ok(letter) = self.inbox.try_recv() {
            if let ToRoom::Watch { line } = letter {
                self.server.turn_spectator_out(&line, game_id);
            }
        }
    }
}

impl<G: Hosted> Room<G> {
    /// A room around a session whose events up to `durable` are stored, and its door.
    pub(crate) fn new(
        server: Arc<Server>,
        session: Session<G>,
        facts: RoomFacts,
        accounts: Vec<Option<Account>>,
        bots: Vec<Bot<G>>,
    ) -> (Room<G>, RoomDoor) {
        let (inbox, letters) = mpsc::channel(INBOX_MAX);
        let facts = Arc::new(facts);
        let door = RoomDoor {
            inbox,
            facts: Arc::clone(&facts),
        };
        let storage = server.committer.health().subscribe();
        let n_outages = before(*storage.borrow());
        let advances = server.clock.advances();
        let room = Room {
            server,
            session,
            facts,
            chairs: accounts.into_iter().map(Chair::new).collect(),
            watchers: Vec::new(),
            arriving: Vec::new(),
            bots,
            rng: Generator::ChaCha20(ChaCha20::from_key(secret::random())),
            bots_due: None,
            bots_asked: None,
            inbox: letters,
            durable: Arc::default(),
            storage,
            n_outages,
            proof: None,
            timer: None,
            advances,
            ending: None,
            ended: None,
            closed: false,
            chances: Asked::default(),
        };
        (room, door)
    }

    /// Runs the match to its end. `opening` are the effects that opening or recovering it
    /// gave, `stored` the version up to which events are durable already.
    pub(crate) async fn run(mut self, opening: Vec<Effect<G>>, stored: u64) {
        let game_id = self.session.game_id();
        let _tenancy = Tenancy {
            server: Arc::clone(&self.server),
            game_id,
        };
        self.durable.reached(stored);
        let done = self.live(opening).await;
        if done.is_err() {
            // The match stays open in storage; a restart goes on with it.
            tracing::warn!(match_id = %game_id, "the room is left: nothing is written any more");
        }
        if self.closed {
            self.tell_latecomers().await;
        }
    }

    /// Whoever was on the way in when the match ended is told its end too; also who has
    /// reserved a letter and not sent it yet.
    async fn tell_latecomers(&mut self) {
        self.inbox.close();
        while let Some(letter) = self.inbox.recv().await {
            if matches!(letter, ToRoom::Join(_) | ToRoom::Watch { .. }) {
                self.take(letter).await.ok();
                self.tell_end();
            }
        }
    }

    async fn live(&mut self, opening: Vec<Effect<G>>) -> Result<(), Stopped> {
        let mut timer = Box::pin(sleep_until(self.server.clock.instant(0)));
        self.carry_out(opening).await?;
        self.look_at_storage().await?;
        while !self.closed {
            self.let_bots_play().await?;
            self.let_leavers_go().await?;
            self.tell_chances().await;
            if self.closed {
                break;
            }
            self.wind(timer.as_mut());
            let timed = self.next_due().is_some();
            tokio::select! {
                biased;
                Ok(()) = self.storage.changed() => self.look_at_storage().await?,
                ended = wait_for(&mut self.ending) => self.settled(ended).await?,
                version = self.durable.beyond(self.session.durable()) => {
                    self.handle(Input::Stored { version }).await?;
                }
                probe = proved(&mut self.proof) => {
                    self.proof = None;
                    self.handle(Input::Proved { probe: probe? }).await?;
                }
                letter = self.inbox.recv() => match letter {
                    Some(letter) => self.take(letter).await?,
                    None => return Ok(()),
                },
                () = timer.as_mut(), if timed => self.time_is_up().await?,
                () = self.advances.next() => {}
            }
        }
        Ok(())
    }

    /// Tells the session of outages, also of one that is over already.
    async fn look_at_storage(&mut self) -> Result<(), Stopped> {
        let storage = *self.storage.borrow_and_update();
        if storage.n_outages > self.n_outages {
            self.n_outages = storage.n_outages;
            let since = storage.since;
            self.handle(Input::StorageLost { since }).await?;
        }
        if storage.is_up && self.session.is_stalled() {
            self.handle(Input::StorageBack).await?;
        }
        Ok(())
    }

    fn next_due(&self) -> Option<Ms> {
        [self.timer, self.bots_due].into_iter().flatten().min()
    }

    fn wind(&self, timer: Pin<&mut Sleep>) {
        if let Some(due) = self.next_due() {
            let at = self.server.clock.instant(due);
            if timer.deadline() != at {
                timer.reset(at);
            }
        }
    }

    async fn time_is_up(&mut self) -> Result<(), Stopped> {
        let now = self.server.clock.now();
        if self.bots_due.is_some_and(|due| due <= now) {
            self.bots_due = None;
            self.ask_bots().await?;
        }
        if let Some(due) = self.timer.filter(|due| *due <= now) {
            self.timer = None;
            let late_ms = now - due;
            metrics::histogram!("referee_timer_lateness_seconds").record(late_ms as f64 / 1e3);
            self.handle(Input::Timer).await?;
        }
        Ok(())
    }

    /// Hands an input to the session, now.
    async fn handle(&mut self, input: Input<G>) -> Result<Verdict, Stopped> {
        let now = self.server.clock.now();
        self.handle_at(now, input).await
    }

    /// Hands an input to the session, as of when it was received.
    async fn handle_at(&mut self, at: Ms, input: Input<G>) -> Result<Verdict, Stopped> {
        let mut effects = Vec::new();
        let verdict = self.session.handle(at, input, &mut effects);
        self.carry_out(effects).await?;
        Ok(verdict)
    }

    /// Lets bots decide where the match waits for them. What nobody sees they do at once; what
    /// people watch, or what bots do among themselves, takes its time.
    async fn let_bots_play(&mut self) -> Result<(), Stopped> {
        for _ in 0..BOT_PLAYS_MAX {
            let asked = self.bots_asked == Some(self.session.version());
            let waits = self.bots_due.is_some() || self.session.is_stalled();
            if asked || self.closed || waits || self.bots_missing().is_empty() {
                return Ok(());
            }
            let pause_ms = self.bot_pause_ms();
            if pause_ms > 0 {
                self.bots_due = Some(self.server.clock.now() + pause_ms);
                return Ok(());
            }
            self.ask_bots().await?;
        }
        // The rest after a look at the mailbox.
        self.bots_due = Some(self.server.clock.now());
        Ok(())
    }

    fn bot_pause_ms(&self) -> Ms {
        if self.session.terms().policy.people.is_empty() {
            self.server.config.bot_pause_ms
        } else {
            hosted::bot_beat_ms::<G>(&self.server.config)
        }
    }

    fn bots_missing(&self) -> SeatSet {
        let missing = self.session.position().turn().missing();
        let seats = self.bots.iter().map(|bot| bot.seat);
        seats.filter(|&seat| missing.contains(seat)).collect()
    }

    async fn ask_bots(&mut self) -> Result<(), Stopped> {
        let (missing, before) = (self.bots_missing(), self.session.version());
        for idx in 0..self.bots.len() {
            let seat = self.bots[idx].seat;
            if !missing.contains(seat) || self.session.outcome().is_some() {
                continue;
            }
            let actions = self.decide(idx).await;
            if !actions.is_empty() {
                self.handle(Input::Play { seat, actions }).await?;
            }
        }
        // Who decides nothing is asked again when something has happened.
        if self.session.version() == before {
            self.bots_asked = Some(before);
        }
        Ok(())
    }

    /// What a bot does: actions until they make a whole line of the record.
    async fn decide(&mut self, idx: usize) -> Vec<G::Action> {
        let Bot { seat, agent } = &mut self.bots[idx];
        let (seat, Some(mut thinker)) = (*seat, agent.take()) else {
            return Vec::new();
        };
        let position = self.session.position();
        if G::BOT_MANNER == BotManner::Hidden {
            let actions = choose_line(thinker.as_mut(), position, seat, &mut self.rng);
            self.bots[idx].agent = Some(thinker);
            return actions;
        }
        let position = position.clone();
        let mut rng = Generator::ChaCha20(ChaCha20::from_key(secret::random()));
        let thought = tokio::task::spawn_blocking(move || {
            let actions = choose_line(thinker.as_mut(), &position, seat, &mut rng);
            (thinker, actions)
        });
        match thought.await {
            Ok((thinker, actions)) => {
                self.bots[idx].agent = Some(thinker);
                actions
            }
            Err(broken) => {
                let match_id = self.facts.match_id.0;
                tracing::error!(%match_id, %seat, %broken, "a bot broke down");
                Vec::new()
            }
        }
    }
}

fn choose_line<G: Hosted>(
    agent: &mut dyn Agent<G>,
    position: &G,
    seat: Seat,
    rng: &mut Generator,
) -> Vec<G::Action> {
    let mut trial = position.clone();
    let mut actions = Vec::new();
    while actions.is_empty() || trial.line_open_for(seat) {
        let chosen = agent.choose(&Perspective::new(&trial, seat), rng);
        let Some(action) = chosen.filter(|_| actions.len() < BOT_STEPS_MAX) else {
            return Vec::new();
        };
        if trial.play(seat, action, &mut Discard).is_err() {
            return Vec::new();
        }
        actions.push(action);
    }
    actions
}

/// The outages that a room need not hear of: those that were over when it opened.
fn before(storage: Storage) -> u64 {
    storage.n_outages - u64::from(!storage.is_up)
}

async fn proved(proof: &mut Option<(u64, oneshot::Receiver<()>)>) -> Result<u64, Stopped> {
    match proof {
        Some((probe, answer)) => answer.await.map(|()| *probe).map_err(|_| Stopped),
        None => std::future::pending().await,
    }
}

async fn wait_for(ending: &mut Option<oneshot::Receiver<Ended>>) -> Result<Ended, Stopped> {
    match ending {
        Some(answer) => answer.await.map_err(|_| Stopped),
        None => std::future::pending().await,
    }
}
