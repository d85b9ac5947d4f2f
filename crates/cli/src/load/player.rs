//! One player on one socket.

use std::collections::VecDeque;
use std::time::Duration;

use catalog::GameName;
use futures_util::{SinkExt, StreamExt};
use kernel::rng::{Generator, GeneratorKind, Seed};
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;

use super::Think;
use super::company::{Company, nth_code};
use super::dues::Dues;
use super::measures::Shared;
use super::old::Old;
use super::own::Own;
use super::part::Part;
use super::plan::{After, Plan};
use super::socket::{Socket, connect, text_of};
use super::talk::{Deed, Reply, Said, Shown, Talk};

/// The pause after a refusal.
const PAUSE: Duration = Duration::from_secs(1);

struct Player {
    plan: Plan,
    shared: Shared,
    game: GameName,
    talk: Box<dyn Talk>,
    company: Company,
    rng: Generator,
    token: String,
    deeds: VecDeque<(Instant, Deed)>,
    stage: Stage,
    /// The number of lobbies joined or awaited, and of matches played.
    n_lobbies: usize,
    n_matches: u64,
    /// The unanswered decision: its number and when it was sent.
    asked: Option<(u64, Instant)>,
    dues: Dues,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The host has not opened a lobby yet.
    Tableless,
    /// The match has not begun yet.
    Waiting,
    Playing,
    /// The player has resigned, and the end has not been announced.
    Leaving,
    /// The player has left a match that continues. Once it is over, the others may ask for a
    /// rematch.
    Left,
    Done,
}

/// Plays all of a player's matches. Errors are counted in `shared`.
pub(super) async fn play(
    plan: Plan,
    number: u64,
    (part, company): (Part, Company),
    token: String,
    shared: Shared,
) {
    let talk: Box<dyn Talk> = if plan.socketio {
        Box::new(Old::default())
    } else {
        Box::new(Own::new(part))
    };
    let seed = plan.seed.wrapping_add(number);
    let mut player = Player {
        plan,
        game: part.game,
        talk,
        company,
        rng: Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed)),
        token,
        deeds: VecDeque::new(),
        stage: Stage::Waiting,
        n_lobbies: 0,
        n_matches: 0,
        asked: None,
        dues: Dues::default(),
        shared: shared.clone(),
    };
    if let Err(trouble) = player.run().await {
        shared.trouble(&trouble);
    }
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
            let code = match (&mut self.company, self.stage) {
                (Company::Guest(codes), Stage::Tableless) => Some(nth_code(codes, self.n_lobbies)),
                _ => None,
            };
            tokio::select! {
                message = socket.next() => {
                    if let Some(text) = text_of(message)? {
                        self.receive(&mut socket, text.as_str()).await?;
                    }
                }
                code = async { code?.await }, if self.stage == Stage::Tableless => {
                    self.sit_down(&mut socket, code).await?;
                }
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {
                    self.act(&mut socket).await?;
                }
            }
        }
        socket.close(None).await.ok();
        Ok(())
    }

    /// The time of the next action that no message triggers.
    fn wake(&self) -> Option<Instant> {
        match self.stage {
            Stage::Playing => self.deeds.front().map(|(at, _)| *at),
            Stage::Leaving => None,
            Stage::Tableless | Stage::Waiting | Stage::Left | Stage::Done => self.plan.until,
        }
    }

    async fn act(&mut self, socket: &mut Socket) -> Result<(), String> {
        if self.stage != Stage::Playing {
            self.stage = Stage::Done;
            return Ok(());
        }
        let Some((_, deed)) = self.deeds.pop_front() else {
            return Ok(());
        };
        let said = self.talk.decide(deed, &mut self.rng);
        self.say(socket, deed, said).await
    }

    /// Sends the next message of a decision. If there is none but there may be more to decide, a
    /// new decision begins.
    async fn say(&mut self, socket: &mut Socket, deed: Deed, said: Said) -> Result<(), String> {
        match said {
            Said::Ask { seq, text } => {
                if deed == Deed::Confirm {
                    self.asked = Some((seq, Instant::now()));
                }
                self.send(socket, text).await
            }
            Said::Question(text) => self.send(socket, text).await,
            Said::Nothing => {
                self.think_again();
                Ok(())
            }
        }
    }

    async fn send(&self, socket: &mut Socket, text: String) -> Result<(), String> {
        self.shared.lock().n_sent += 1;
        let sent = socket.send(Message::text(text)).await;
        sent.map_err(|error| format!("send: {error}"))
    }

    async fn receive(&mut self, socket: &mut Socket, text: &str) -> Result<(), String> {
        self.shared.lock().n_received += 1;
        match self.talk.receive(text) {
            Reply::Open => {
                let hello = self.talk.hello(&self.token);
                self.send(socket, hello).await
            }
            Reply::Welcome | Reply::NoRematch => self.gather(socket).await,
            Reply::SendBack(text) => self.send(socket, text.to_owned()).await,
            Reply::Turn { round, deadline_ms } => self.begin_turn(socket, round, deadline_ms).await,
            Reply::Shown(shown) => self.shown(socket, shown).await,
            Reply::Options => {
                let said = self.talk.continue_deciding(&mut self.rng);
                self.say(socket, Deed::Confirm, said).await
            }
            Reply::Ended => self.end(socket, Stage::Waiting).await,
            Reply::Left => self.end(socket, Stage::Left).await,
            Reply::Rematch if self.stage == Stage::Left => self.rematch(socket).await,
            other => {
                self.note(other);
                Ok(())
            }
        }
    }

    /// Handles messages that only change this player's state.
    fn note(&mut self, heard: Reply) {
        match heard {
            Reply::Found => {
                self.stage = Stage::Playing;
                self.shared.begun(self.game);
            }
            Reply::Idle if !self.talk.is_deciding() => self.deeds.clear(),
            Reply::Answered { seq, code } => {
                if let Some((_, at)) = self.asked.take_if(|(asked, _)| *asked == seq) {
                    self.shared.confirmed(self.game, at.elapsed());
                }
                if let Some(code) = code {
                    self.shared.refusal(&code);
                }
                self.think_again();
            }
            Reply::DecisionRefused { code } => self.refused(&code),
            Reply::Refused { code } => {
                if self.stage == Stage::Waiting {
                    self.stage = Stage::Done;
                }
                self.refused(&code);
            }
            _ => {}
        }
    }

    /// Counts a refusal and slows down, as the message may have come too fast.
    fn refused(&mut self, code: &str) {
        self.shared.refusal(code);
        self.think_again();
        for (at, _) in &mut self.deeds {
            *at = (*at).max(Instant::now() + PAUSE);
        }
    }

    /// Looks for opponents.
    async fn gather(&mut self, socket: &mut Socket) -> Result<(), String> {
        self.stage = Stage::Waiting;
        match &self.company {
            Company::Queue => {
                let join = self.talk.queue_join();
                self.send(socket, join).await
            }
            Company::Host(host) => {
                let code = host.open(self.plan.server, &self.token).await?;
                self.sit_down(socket, Some(code)).await
            }
            Company::Guest(_) => {
                self.stage = Stage::Tableless;
                Ok(())
            }
        }
    }

    async fn sit_down(&mut self, socket: &mut Socket, code: Option<String>) -> Result<(), String> {
        self.n_lobbies += 1;
        match code.and_then(|code| self.talk.table_join(&code)) {
            Some(join) => {
                self.stage = Stage::Waiting;
                self.send(socket, join).await
            }
            None => {
                self.stage = Stage::Done;
                Ok(())
            }
        }
    }

    async fn begin_turn(
        &mut self,
        socket: &mut Socket,
        round: u64,
        deadline_ms: Option<u64>,
    ) -> Result<(), String> {
        self.dues.begin(deadline_ms);
        if self.stage != Stage::Playing {
            return Ok(());
        }
        if self.plan.rounds_max.is_some_and(|max| round > max.into()) {
            return self.leave(socket).await;
        }
        if self.deeds.is_empty() && !self.talk.is_deciding() {
            self.think();
        }
        Ok(())
    }

    async fn leave(&mut self, socket: &mut Socket) -> Result<(), String> {
        self.deeds.clear();
        self.stage = Stage::Leaving;
        match self.talk.resign() {
            Some(resign) => self.send(socket, resign).await,
            None => {
                self.shared.ended(self.game);
                self.stage = Stage::Done;
                Ok(())
            }
        }
    }

    /// Schedules a decision if there may be something to decide.
    fn think_again(&mut self) {
        let is_free = self.stage == Stage::Playing && self.deeds.is_empty();
        if is_free && self.talk.may_decide() && !self.talk.is_deciding() {
            self.think();
        }
    }

    /// Schedules drafts and a confirm.
    fn think(&mut self) {
        let Think { min_ms, max_ms } = self.plan.think;
        let think_ms = min_ms + self.rng.below(max_ms - min_ms + 1);
        let drafts_max = if self.talk.has_drafts() {
            self.plan.drafts_max
        } else {
            0
        };
        let n_drafts = self.rng.below(drafts_max + 1);
        let mut at: Vec<u64> = (0..n_drafts)
            .map(|_| self.rng.below(think_ms.max(1)))
            .collect();
        at.sort_unstable();
        let now = Instant::now();
        let after = |ms: u64| now + Duration::from_millis(ms);
        self.deeds = at.into_iter().map(|ms| (after(ms), Deed::Draft)).collect();
        self.deeds.push_back((after(think_ms), Deed::Confirm));
    }

    async fn shown(&mut self, socket: &mut Socket, shown: Shown) -> Result<(), String> {
        self.deeds.clear();
        self.dues.shown(&shown, &self.plan, &self.shared);
        match shown.round {
            Some(round) => self.begin_turn(socket, round, shown.next_ms).await,
            None => Ok(()),
        }
    }

    /// Handles the end of a match. The player enters `stage` if another match should follow.
    async fn end(&mut self, socket: &mut Socket, stage: Stage) -> Result<(), String> {
        self.shared.ended(self.game);
        self.n_matches += 1;
        self.deeds.clear();
        (self.asked, self.dues) = (None, Dues::default());
        let again = match self.plan.until {
            Some(until) => Instant::now() < until,
            None => self.plan.after == After::Rematch && self.n_matches == 1,
        };
        self.stage = if again { stage } else { Stage::Done };
        match (self.stage, self.plan.after) {
            (Stage::Done, _) | (Stage::Left, After::Rematch) => Ok(()),
            (_, After::Rematch) => self.rematch(socket).await,
            (_, After::Others) => self.gather(socket).await,
        }
    }

    async fn rematch(&mut self, socket: &mut Socket) -> Result<(), String> {
        self.stage = Stage::Waiting;
        match self.talk.rematch() {
            Some(rematch) => self.send(socket, rematch).await,
            None => self.gather(socket).await,
        }
    }
}
