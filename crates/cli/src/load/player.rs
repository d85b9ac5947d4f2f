//! One player on one socket.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use kernel::rng::{Generator, GeneratorKind, Seed};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::measures::Shared;
use super::old::Old;
use super::own::Own;
use super::talk::{Deed, Heard, Shown, Talk, What, lateness};
use super::{Args, Think};

type Socket = WebSocketStream<TcpStream>;

/// What every player of a run is told.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) server: SocketAddr,
    pub(super) think: Think,
    pub(super) drafts_max: u64,
    pub(super) rounds_max: Option<u8>,
    pub(super) step: Duration,
    pub(super) seed: u64,
    pub(super) socketio: bool,
    /// When to begin no more matches; nothing when one is enough.
    pub(super) until: Option<Instant>,
    /// How far the server's clock is ahead of this one.
    pub(super) ahead_us: i64,
}

impl Plan {
    pub(super) fn new(args: &Args, ahead_us: i64) -> Plan {
        let until = args
            .seconds
            .map(|s| Instant::now() + Duration::from_secs(s));
        Plan {
            server: args.server,
            think: args.think,
            drafts_max: args.drafts.into(),
            rounds_max: args.rounds,
            step: Duration::from_millis(args.step_ms),
            seed: args.seed,
            socketio: args.socketio,
            until,
            ahead_us,
        }
    }
}

/// One player.
struct Player {
    plan: Plan,
    shared: Shared,
    talk: Box<dyn Talk>,
    rng: Generator,
    token: String,
    deeds: VecDeque<(Instant, Deed)>,
    stage: Stage,
    /// The confirm without an answer.
    asked: Option<(u64, Instant)>,
    /// When the time to lay out ends, by the server's clock.
    prep_ms: Option<u64>,
    /// When the next reveal is due: by the server's clock, or by this one.
    due_ms: Option<u64>,
    due_at: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Playing,
    Done,
}

/// Plays until there is nothing more to play; what goes wrong is counted.
pub(super) async fn play(plan: Plan, number: u64, token: String, shared: Shared) {
    let talk: Box<dyn Talk> = if plan.socketio {
        Box::new(Old::default())
    } else {
        Box::new(Own::default())
    };
    let seed = plan.seed.wrapping_add(number);
    let mut player = Player {
        plan,
        talk,
        rng: Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed)),
        token,
        deeds: VecDeque::new(),
        stage: Stage::Waiting,
        asked: None,
        prep_ms: None,
        due_ms: None,
        due_at: None,
        shared: shared.clone(),
    };
    if let Err(trouble) = player.run().await {
        shared.trouble(&trouble);
    }
}

/// Opens a WebSocket with small buffers: there may be many.
pub(super) async fn connect(server: SocketAddr, path: &str) -> Result<Socket, String> {
    let stream = TcpStream::connect(server).await;
    let stream = stream.map_err(|error| format!("connect: {}", error.kind()))?;
    stream.set_nodelay(true).ok();
    let config = WebSocketConfig::default()
        .read_buffer_size(2 * 1024)
        .write_buffer_size(0)
        .max_message_size(Some(64 * 1024));
    let url = format!("ws://{server}{path}");
    let opened = client_async_with_config(url, stream, Some(config)).await;
    let (socket, _) = opened.map_err(|error| format!("handshake: {error}"))?;
    Ok(socket)
}

impl Player {
    async fn run(&mut self) -> Result<(), String> {
        let mut socket = connect(self.plan.server, self.talk.path()).await?;
        let _open = self.shared.connected();
        if !self.talk.waits_for_open() {
            let hello = self.talk.hello(&self.token);
            self.send(&mut socket, hello).await?;
        }
        while self.stage != Stage::Done {
            let wake = self.wake();
            tokio::select! {
                message = socket.next() => self.take(&mut socket, message).await?,
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {
                    self.act(&mut socket).await?;
                }
            }
        }
        socket.close(None).await.ok();
        Ok(())
    }

    /// When there is something to do by itself.
    fn wake(&self) -> Option<Instant> {
        match self.stage {
            Stage::Playing => self.deeds.front().map(|(at, _)| *at),
            Stage::Waiting | Stage::Done => self.plan.until,
        }
    }

    async fn act(&mut self, socket: &mut Socket) -> Result<(), String> {
        if self.stage == Stage::Waiting {
            self.stage = Stage::Done;
            return Ok(());
        }
        let Some((_, deed)) = self.deeds.pop_front() else {
            return Ok(());
        };
        let layout = self.layout(deed);
        let (seq, text) = self.talk.decide(deed, &layout);
        if deed == Deed::Confirm {
            self.asked = Some((seq, Instant::now()));
        }
        self.send(socket, text).await
    }

    async fn send(&self, socket: &mut Socket, text: String) -> Result<(), String> {
        self.shared.lock().n_sent += 1;
        let sent = socket.send(Message::text(text)).await;
        sent.map_err(|error| format!("send: {error}"))
    }

    async fn take(
        &mut self,
        socket: &mut Socket,
        message: Option<Result<Message, tokio_tungstenite::tungstenite::Error>>,
    ) -> Result<(), String> {
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Close(frame))) => {
                let code = frame.map_or(1005, |frame| frame.code.into());
                return Err(format!("closed: {code}"));
            }
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => return Err(format!("receive: {error}")),
            None => return Err("closed: without a word".to_owned()),
        };
        self.shared.lock().n_received += 1;
        match self.talk.hear(text.as_str()) {
            Heard::Open => {
                let hello = self.talk.hello(&self.token);
                self.send(socket, hello).await
            }
            Heard::Welcome => {
                let join = self.talk.queue_join();
                self.send(socket, join).await
            }
            Heard::Reply(text) => self.send(socket, text.to_owned()).await,
            Heard::Prep { round, deadline_ms } => {
                self.begin_round(socket, round, deadline_ms).await
            }
            Heard::Shown(shown) => self.shown(socket, shown).await,
            Heard::Ended => self.end(socket).await,
            other => {
                self.note(other);
                Ok(())
            }
        }
    }

    /// What changes only what this player remembers.
    fn note(&mut self, heard: Heard) {
        match heard {
            Heard::Found => {
                self.stage = Stage::Playing;
                self.shared.lock().n_seats_begun += 1;
            }
            Heard::Answered { seq, code } => {
                if let Some((_, at)) = self.asked.take_if(|(asked, _)| *asked == seq) {
                    self.shared.confirmed(at.elapsed());
                }
                if let Some(code) = code {
                    self.shared.refusal(&code);
                }
            }
            Heard::Refused { code } => {
                self.shared.refusal(&code);
                if self.stage == Stage::Waiting {
                    self.stage = Stage::Done;
                }
            }
            _ => {}
        }
    }

    async fn begin_round(
        &mut self,
        socket: &mut Socket,
        round: u8,
        deadline_ms: Option<u64>,
    ) -> Result<(), String> {
        self.prep_ms = deadline_ms;
        (self.due_ms, self.due_at) = (None, None);
        if self.plan.rounds_max.is_some_and(|max| round > max) {
            return match self.talk.resign() {
                Some(resign) => self.send(socket, resign).await,
                None => {
                    self.shared.lock().n_seats_ended += 1;
                    self.stage = Stage::Done;
                    Ok(())
                }
            };
        }
        let Think { min_ms, max_ms } = self.plan.think;
        let think_ms = min_ms + self.rng.below(max_ms - min_ms + 1);
        let n_drafts = self.rng.below(self.plan.drafts_max + 1);
        let mut at: Vec<u64> = (0..n_drafts)
            .map(|_| self.rng.below(think_ms.max(1)))
            .collect();
        at.sort_unstable();
        let now = Instant::now();
        let after = |ms: u64| now + Duration::from_millis(ms);
        self.deeds = at.into_iter().map(|ms| (after(ms), Deed::Draft)).collect();
        self.deeds.push_back((after(think_ms), Deed::Confirm));
        Ok(())
    }

    async fn shown(&mut self, socket: &mut Socket, shown: Shown) -> Result<(), String> {
        let now = Instant::now();
        let received_us = unix_us();
        self.deeds.clear();
        match (shown.what, self.prep_ms.take(), self.due_ms, self.due_at) {
            (What::Finalized, Some(prep_ms), _, _) => {
                let late = lateness(prep_ms, received_us, self.plan.ahead_us);
                // Before it, both had confirmed.
                if !late.is_zero() {
                    self.shared.lock().deadlines.add(late);
                }
            }
            (_, _, Some(due_ms), _) => {
                let late = lateness(due_ms, received_us, self.plan.ahead_us);
                self.shared.lock().steps.add(late);
            }
            (_, _, None, Some(due_at)) => {
                let late = now.saturating_duration_since(due_at);
                self.shared.lock().steps.add(late);
            }
            _ => {}
        }
        self.due_ms = shown.next_ms;
        self.due_at = shown.next_ms.is_none().then_some(now + self.plan.step);
        match shown.round {
            Some(round) => self.begin_round(socket, round, shown.next_ms).await,
            None => Ok(()),
        }
    }

    async fn end(&mut self, socket: &mut Socket) -> Result<(), String> {
        self.shared.lock().n_seats_ended += 1;
        self.deeds.clear();
        (self.asked, self.due_ms, self.due_at) = (None, None, None);
        if self.plan.until.is_some_and(|until| Instant::now() < until) {
            self.stage = Stage::Waiting;
            let join = self.talk.queue_join();
            return self.send(socket, join).await;
        }
        self.stage = Stage::Done;
        Ok(())
    }

    /// Three cards in some order; of a draft, only some of them.
    fn layout(&mut self, deed: Deed) -> String {
        let mut cards = ["\"attack\"", "\"defense\"", "\"heal\"", "\"counter\""];
        self.rng.shuffle(&mut cards);
        if deed == Deed::Draft {
            cards[self.rng.below(3) as usize] = "null";
        }
        format!("[{},{},{}]", cards[0], cards[1], cards[2])
    }
}

/// This machine's time, in microseconds since 1970.
pub(super) fn unix_us() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    })
}
