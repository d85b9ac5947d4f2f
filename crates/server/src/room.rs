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
use kernel::{Discard, GameExt, MatchId, Perspective, Seat, SeatSet};
use session::{Account, Conn, Disposition, Effect, Input, Ms, Session};
use store::{Mode, Worth};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Sleep, sleep_until};
use wire::native::{ClockRules, Player};

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

/// Messages that may wait for a match. When the mailbox is full, senders wait.
const INBOX_MAX: usize = 256;
/// Decisions of bots before the room checks its mailbox again.
const BOT_PLAYS_MAX: usize = 32;
/// The most actions in one decision of a bot.
const BOT_STEPS_MAX: usize = kernel::words::WORDS_MAX;
/// The most spectators of one match.
const WATCHERS_MAX: usize = 1_000;

/// A message to a room.
pub(crate) enum ToRoom {
    /// A connection takes its account's seat.
    Join(Box<Join>),
    /// A connection was lost.
    Gone { conn: Conn },
    /// A player was not connected when the match began.
    Absent { seat: Seat },
    /// A client's message, with the time it was received.
    Say { conn: Conn, said: Said, at: Ms },
    /// A spectator joins.
    Watch { line: Line },
    /// A spectator leaves.
    Unwatch { conn: Conn },
    /// An operator voids the match.
    Cancel,
    /// Makes the room panic.
    #[cfg(test)]
    Break,
}

/// A request of a connection for its account's seat.
pub(crate) struct Join {
    pub(crate) account: Account,
    pub(crate) line: Line,
    pub(crate) speech: Speech,
    /// The version the client has seen and the number of its next message, if it was connected
    /// before.
    pub(crate) resume: Option<(u64, u64)>,
    /// True if the client resumes the match, false if the match begins for it.
    pub(crate) resumed: bool,
    pub(crate) tokens: u64,
}

/// The public facts of a match.
#[derive(Clone, Debug)]
pub(crate) struct RoomFacts {
    pub(crate) match_id: MatchId,
    pub(crate) game: &'static str,
    pub(crate) mode: Mode,
    pub(crate) players: Vec<Player>,
    pub(crate) stake: u64,
    /// True if the result changes ratings.
    pub(crate) rated: bool,
    /// The bounds that removed the stake or the rating.
    pub(crate) worth: Worth,
    pub(crate) commitment: Commitment,
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) clock: ClockRules,
    pub(crate) began_at: Ms,
}

/// A handle to a room.
#[derive(Clone)]
pub(crate) struct RoomDoor {
    pub(crate) inbox: mpsc::Sender<ToRoom>,
    pub(crate) facts: Arc<RoomFacts>,
}

pub(crate) struct Bot<G: Hosted> {
    pub(crate) seat: Seat,
    /// `None` after the bot panicked; its deadlines then expire.
    pub(crate) agent: Option<Box<dyn Agent<G>>>,
}

/// Releases the seats of a room when its task ends. After a panic they stay held: nobody has left,
/// and the match resumes as soon as the room is restarted.
struct Tenancy {
    server: Arc<Server>,
    game_id: MatchId,
}

impl Drop for Tenancy {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!(match_id = %self.game_id, "the room panicked");
            metrics::counter!("referee_rooms_broken_total").increment(1);
            self.server.broken.send(self.game_id).ok();
        } else {
            self.server.hub.close_room(self.game_id);
        }
    }
}

pub(crate) struct Room<G: Hosted> {
    server: Arc<Server>,
    session: Session<G>,
    facts: Arc<RoomFacts>,
    chairs: Vec<Chair<G>>,
    watchers: Vec<Watcher>,
    /// Spectators who have not yet received a standing.
    arriving: Vec<Arriving>,
    bots: Vec<Bot<G>>,
    rng: Generator,
    bots_due: Option<Ms>,
    /// The version at which bots were last asked.
    bots_asked: Option<u64>,
    inbox: mpsc::Receiver<ToRoom>,
    durable: Arc<Durable>,
    storage: watch::Receiver<Storage>,
    /// Outages that the session has been notified of.
    n_outages: u64,
    /// The proof of a commit that the session waits for.
    proof: Option<(u64, oneshot::Receiver<()>)>,
    timer: Option<Ms>,
    advances: Advances,
    ending: Option<oneshot::Receiver<Ended>>,
    ended: Option<Ended>,
    closed: bool,
    chances: Asked,
}

impl<G: Hosted> Drop for Room<G> {
    /// Disconnects the spectators of a room that ends before its match; they reconnect to the next
    /// room.
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
    /// Creates a room around a session whose events up to `durable` are stored, and its door.
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

    /// Runs the match to its end. `opening` holds the effects of opening or recovering it; events
    /// up to version `stored` are already durable.
    pub(crate) async fn run(mut self, opening: Vec<Effect<G>>, stored: u64) {
        let game_id = self.session.game_id();
        let _tenancy = Tenancy {
            server: Arc::clone(&self.server),
            game_id,
        };
        self.durable.reached(stored);
        let done = self.live(opening).await;
        if done.is_err() {
            // The match stays open in storage and resumes after a restart.
            tracing::warn!(match_id = %game_id, "the room stopped: nothing more can be written");
        }
        if self.closed {
            self.tell_latecomers().await;
        }
    }

    /// Sends the result to clients that were joining when the match ended, including those that
    /// have reserved a slot in the mailbox and not used it yet.
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

    /// Notifies the session of outages, including one that is already over.
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

    /// Passes an input to the session with the current time.
    async fn handle(&mut self, input: Input<G>) -> Result<Disposition, Stopped> {
        let now = self.server.clock.now();
        self.handle_at(now, input).await
    }

    /// Passes an input to the session with the time it was received.
    async fn handle_at(&mut self, at: Ms, input: Input<G>) -> Result<Disposition, Stopped> {
        let mut effects = Vec::new();
        let verdict = self.session.handle(at, input, &mut effects);
        self.carry_out(effects).await?;
        Ok(verdict)
    }

    /// Lets bots decide when the match waits for them. They decide at once what nobody sees. They
    /// pause before decisions that people watch, and in matches between bots.
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
        // The rest follow after a look at the mailbox.
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
        // A bot that decides nothing is asked again after the next event.
        if self.session.version() == before {
            self.bots_asked = Some(before);
        }
        Ok(())
    }

    /// A bot's decision: actions until they complete a line of the record.
    async fn decide(&mut self, idx: usize) -> Vec<G::Action> {
        let Bot { seat, agent } = &mut self.bots[idx];
        let (seat, Some(mut thinker)) = (*seat, agent.take()) else {
            return Vec::new();
        };
        let position = self.session.position();
        if G::BOT_MANNER == BotManner::Hidden && !thinker.thinks() {
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
                let match_id = self.facts.match_id;
                tracing::error!(%match_id, %seat, %broken, "a bot panicked");
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

/// Outages that a room does not need to know: those that were over when it opened.
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
