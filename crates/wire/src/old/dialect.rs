//! Translates the messages of a session for an old client.

use std::collections::VecDeque;

use catalog::Orcain;
use catalog::orcain::{Ask, Card, Event, HAND_CARDS, Phase, Slot, Status, View};
use kernel::fair::Commitment;
use kernel::{MatchId, Outcome, Seat, SeatSet, Verdict};
use session::{Live, Message, Ms, Note};

use super::events::{
    Hp, MatchEnded, MatchFound, Names, OwnSide, PrepStart, RoundEnd, StepReveal, SyncState,
};
use super::{ClientEvent, INVALID_LAYOUT, error_msg};
use crate::codes::ErrorCode;
use crate::native::{MatchEnd, MatchFound as FoundMatch};
use crate::socketio::{bare_event_frame, event_frame};

/// The maximum number of unanswered confirms; beyond it, the oldest is forgotten.
const CONFIRMS_MAX: usize = 64;

/// The facts that a dialect needs in addition to the session's messages.
#[derive(Clone, Debug)]
pub struct Context {
    /// The match's id.
    pub match_id: MatchId,
    /// The client's seat.
    pub seat: Seat,
    /// The nicknames by seat, if they were chosen.
    pub nicknames: [Option<String>; 2],
    /// The seats with bots.
    pub bots: SeatSet,
    /// The sum of all stakes, in tokens.
    pub pot: u64,
    /// The account's balance after its stake, in tokens.
    pub tokens: u64,
    /// The account's league points.
    pub rating: i64,
    /// The key of the account's league.
    pub league: &'static str,
    /// The number of the seat's next message.
    pub next_seq: u64,
    /// The commitment to the seed.
    pub commitment: Commitment,
    /// True if the client already received `match_found` for this match.
    pub resumed: bool,
}

impl Context {
    /// Takes what the dialect needs from the `match_found` of a seat in Referee's own protocol.
    pub fn of(seat: Seat, found: &FoundMatch) -> Context {
        let player = |idx: usize| found.players.get(idx);
        let own = player(seat.index());
        let is_bot = |seat: &Seat| player(seat.index()).is_some_and(|it| it.bot.is_some());
        Context {
            match_id: found.match_id,
            seat,
            nicknames: [0, 1].map(|idx| player(idx).and_then(|it| it.name.clone())),
            bots: Seat::first(2).filter(is_bot).collect(),
            pot: found.pot,
            tokens: found.tokens,
            rating: own.and_then(|it| it.points).unwrap_or_default(),
            league: own.and_then(|it| it.league).unwrap_or("wood"),
            next_seq: found.next_seq,
            commitment: found.commitment,
            resumed: found.resumed,
        }
    }
}

/// The messages of one seat's connection, in the events of old clients.
pub struct Dialect {
    context: Context,
    /// The numbers of confirms without an answer, in ascending order.
    confirms: VecDeque<u64>,
    /// The state that the client last received; `None` before the first standing.
    standing: Option<Standing>,
    ended: bool,
}

#[derive(Clone, Copy)]
struct Standing {
    phase: Phase,
    round: u8,
    sudden_death: bool,
    hp: [u8; 2],
    hand: [Card; HAND_CARDS],
    deadline_ms: Option<Ms>,
}

impl Dialect {
    /// A dialect for a new connection.
    pub fn new(context: Context) -> Dialect {
        Dialect {
            context,
            confirms: VecDeque::new(),
            standing: None,
            ended: false,
        }
    }

    /// Numbers a layout for the session. Returns `None` if the event is not a layout, or a draft
    /// for another match. A confirm for another match is refused with the frame in `Err`.
    pub fn ask(&mut self, heard: ClientEvent) -> Option<Result<(u64, Ask), String>> {
        let (match_id, ask) = match heard {
            ClientEvent::Draft { match_id, slots } => (match_id, Ask::Draft(slots)),
            ClientEvent::Confirm { match_id, slots } => (match_id, Ask::Confirm(slots)),
            ClientEvent::Hello { .. }
            | ClientEvent::QueueJoin
            | ClientEvent::QueueLeave
            | ClientEvent::PveStart => {
                return None;
            }
        };
        if match_id.is_some_and(|id| id != self.context.match_id.to_string()) {
            let code = ErrorCode::UnknownMatch;
            let refusal = || error_msg(Some(code.code()), code.sentence());
            return matches!(ask, Ask::Confirm(_)).then(|| Err(refusal()));
        }
        let seq = self.context.next_seq;
        self.context.next_seq = seq.saturating_add(1);
        if matches!(ask, Ask::Confirm(_)) {
            if self.confirms.len() == CONFIRMS_MAX {
                self.confirms.pop_front();
            }
            self.confirms.push_back(seq);
        }
        Some(Ok((seq, ask)))
    }

    /// The frames for a message that the session sends at this time.
    pub fn tell(&mut self, message: &Message<Orcain>, now_ms: Ms) -> Vec<String> {
        match message {
            Message::Standing {
                view, deadline_ms, ..
            } => self.stand(view, *deadline_ms, now_ms),
            Message::News {
                events,
                note,
                deadline_ms,
                ..
            } => self.news(events, *note, *deadline_ms, now_ms),
            Message::Ack {
                client_seq,
                code,
                taken,
            } => Vec::from_iter(self.answer(*client_seq, code.as_deref(), *taken)),
            Message::Gap { expected } => {
                self.context.next_seq = *expected;
                self.confirms.clear();
                Vec::new()
            }
            // A match that waits for storage is paused, and its clock is stopped.
            Message::Stalled { .. } => match &mut self.standing {
                Some(standing) => {
                    standing.deadline_ms = None;
                    let standing = *standing;
                    vec![self.sync_state(&standing, None, now_ms)]
                }
                None => Vec::new(),
            },
            // The end is sent once it is settled, and old clients ask no questions.
            Message::Over { .. } | Message::Options { .. } => Vec::new(),
        }
    }

    /// The frames for the end of the match. A second call returns none.
    pub fn end(&mut self, end: &MatchEnd) -> Vec<String> {
        if std::mem::replace(&mut self.ended, true) {
            return Vec::new();
        }
        let seat = self.context.seat;
        let (outcome, standing) = (&end.outcome, end.standing);
        let winner = outcome.winners().sole();
        let loser = winner.map(other);
        let id = |seat: Seat| format!("{}:{seat}", self.context.match_id);
        let payload = MatchEnded {
            match_id: self.context.match_id,
            winner: if winner == Some(seat) {
                "YOU"
            } else {
                "OPPONENT"
            },
            winner_id: winner.map(id),
            loser_id: loser.map(id),
            hp: self.hp(self.standing.map_or([0; 2], |it| it.hp)),
            your_tokens: end.tokens.unwrap_or(self.context.tokens),
            rating: standing.map_or(self.context.rating, |it| it.points),
            league_key: standing.map_or(self.context.league, |it| it.league),
            reason: old_reason(outcome),
            names: self.names(),
            result: result(outcome, seat),
            cause: outcome.reason.0,
            opening: &end.opening,
        };
        vec![event_frame("match_end", &payload)]
    }

    /// The full state, in the order in which an old client rebuilds itself.
    fn stand(&mut self, view: &View, deadline_ms: Option<Ms>, now_ms: Ms) -> Vec<String> {
        let standing = Standing {
            phase: view.phase,
            round: view.round,
            sudden_death: view.sudden_death,
            hp: view.hp,
            hand: view.hands[self.context.seat.index() & 1].cards(),
            deadline_ms,
        };
        self.standing = Some(standing);
        let mut frames = Vec::new();
        if std::mem::replace(&mut self.context.resumed, true) {
            let own = self.own_side(view, &standing);
            frames.push(self.sync_state(&standing, Some(own), now_ms));
        } else {
            frames.push(self.match_found(&standing));
        }
        if view.phase == Phase::End {
            return frames;
        }
        let exchanges = &view.exchanges;
        let round_hp = exchanges.first().map_or(view.hp, |first| first.hp_before);
        frames.push(self.prep_start(&standing, round_hp, now_ms));
        if is_confirmed(view) {
            frames.push(bare_event_frame("confirm_ok"));
        }
        for (step, exchange) in (0..).zip(exchanges) {
            frames.push(self.step_reveal(view.round, step, exchange.cards, exchange.hp_after));
        }
        frames
    }

    fn news(
        &mut self,
        events: &[Event],
        note: Option<Note>,
        deadline_ms: Option<Ms>,
        now_ms: Ms,
    ) -> Vec<String> {
        let Some(mut standing) = self.standing else {
            return Vec::new();
        };
        standing.deadline_ms = deadline_ms;
        let mut frames = Vec::new();
        for event in events {
            frames.extend(self.event(event, &mut standing, now_ms));
        }
        self.standing = Some(standing);
        if note.is_some() {
            frames.push(self.sync_state(&standing, None, now_ms));
        }
        frames
    }

    /// The frame for one event. Updates the state that the client has received.
    fn event(&self, event: &Event, standing: &mut Standing, now_ms: Ms) -> Option<String> {
        match *event {
            Event::DraftReceived { .. } | Event::LayoutConfirmed { .. } => None,
            Event::RoundFinalized { .. } => {
                standing.phase = Phase::Reveal;
                None
            }
            Event::StepRevealed {
                round,
                step,
                cards,
                hp,
            } => {
                standing.hp = hp;
                Some(self.step_reveal(round, step, cards, hp))
            }
            Event::RoundEnded { hp, .. } => {
                standing.hp = hp;
                Some(self.round_end(standing))
            }
            Event::RoundStarted {
                round,
                sudden_death,
            } => {
                (standing.round, standing.sudden_death) = (round, sudden_death);
                standing.phase = Phase::Prep;
                Some(self.prep_start(standing, standing.hp, now_ms))
            }
            Event::PlayerLeft { .. } => None,
            Event::MatchEnded { .. } => {
                standing.phase = Phase::End;
                None
            }
        }
    }

    /// Confirms are answered. Drafts and messages at the wrong time never are.
    fn answer(&mut self, client_seq: u64, code: Option<&str>, taken: bool) -> Option<String> {
        while self.confirms.front().is_some_and(|&seq| seq < client_seq) {
            self.confirms.pop_front();
        }
        self.confirms.pop_front_if(|seq| *seq == client_seq)?;
        match code {
            _ if taken => Some(bare_event_frame("confirm_ok")),
            Some("invalid_layout") => Some(error_msg(code, INVALID_LAYOUT)),
            Some("busy") => Some(error_msg(code, "The server is busy: please try again")),
            _ => None,
        }
    }

    fn match_found(&self, standing: &Standing) -> String {
        let payload = MatchFound {
            match_id: self.context.match_id,
            hp: self.hp(standing.hp),
            your_tokens: self.context.tokens,
            pot: self.context.pot,
            names: self.names(),
            your_hand: standing.hand,
            commitment: self.context.commitment,
        };
        event_frame("match_found", &payload)
    }

    fn sync_state(&self, standing: &Standing, own: Option<OwnSide>, now_ms: Ms) -> String {
        let payload = SyncState {
            in_match: true,
            match_id: self.context.match_id,
            phase: standing.phase.name(),
            round_index: standing.round,
            sudden_death: standing.sudden_death,
            hp: self.hp(standing.hp),
            deadline_ts: standing
                .deadline_ms
                .filter(|_| standing.phase == Phase::Prep),
            server_ts: now_ms,
            paused: standing.deadline_ms.is_none() && standing.phase != Phase::End,
            pot: self.context.pot,
            names: self.names(),
            own,
        };
        event_frame("sync_state", &payload)
    }

    /// If no time is left or the deadline is unknown, the deadline is now: old clients show 0.
    fn prep_start(&self, standing: &Standing, hp: [u8; 2], now_ms: Ms) -> String {
        let deadline_ms = standing
            .deadline_ms
            .filter(|_| standing.phase == Phase::Prep);
        let payload = PrepStart {
            match_id: self.context.match_id,
            round_index: standing.round,
            sudden_death: standing.sudden_death,
            deadline_ts: deadline_ms.unwrap_or(now_ms),
            server_ts: now_ms,
            hp: self.hp(hp),
            pot: self.context.pot,
            your_tokens: self.context.tokens,
            your_hand: standing.hand,
            cards: standing.hand,
            names: self.names(),
        };
        event_frame("prep_start", &payload)
    }

    fn step_reveal(&self, round: u8, step: u8, cards: [Slot; 2], hp: [u8; 2]) -> String {
        let [your_card, opp_card] = self.own_first(cards);
        let payload = StepReveal {
            match_id: self.context.match_id,
            round_index: round,
            step_index: step,
            your_card,
            opp_card,
            hp: self.hp(hp),
            names: self.names(),
        };
        event_frame("step_reveal", &payload)
    }

    fn round_end(&self, standing: &Standing) -> String {
        let payload = RoundEnd {
            match_id: self.context.match_id,
            round_index: standing.round,
            sudden_death: standing.sudden_death,
            hp: self.hp(standing.hp),
            names: self.names(),
        };
        event_frame("round_end", &payload)
    }

    fn own_side(&self, view: &View, standing: &Standing) -> OwnSide {
        let [your_afk_streak, opp_afk_streak] = self.own_first(view.afk_streak);
        OwnSide {
            your_hand: standing.hand,
            draft: view.own.iter().flat_map(|own| own.layout.clone()).collect(),
            confirmed: is_confirmed(view),
            your_afk_streak,
            opp_afk_streak,
        }
    }

    fn hp(&self, hp: [u8; 2]) -> Hp {
        let [your_hp, opp_hp] = self.own_first(hp);
        Hp { your_hp, opp_hp }
    }

    fn names(&self) -> Names<'_> {
        let name = |seat: Seat| {
            let chosen = self.context.nicknames[seat.index() & 1].as_deref();
            chosen.or_else(|| Orcain::BOT_NICKNAME.filter(|_| self.context.bots.contains(seat)))
        };
        let [your_nickname, opp_nickname] = self.own_first([Seat::FIRST, Seat::SECOND]).map(name);
        Names {
            your_nickname,
            opp_nickname,
        }
    }

    /// Reorders a pair of values by seat so that the client's own comes first.
    fn own_first<T>(&self, [first, second]: [T; 2]) -> [T; 2] {
        match self.context.seat {
            Seat::FIRST => [first, second],
            _ => [second, first],
        }
    }
}

fn other(seat: Seat) -> Seat {
    match seat {
        Seat::FIRST => Seat::SECOND,
        _ => Seat::FIRST,
    }
}

fn is_confirmed(view: &View) -> bool {
    let own = view.own.as_ref();
    own.is_some_and(|own| own.status == Status::Confirmed)
}

/// One of the three reasons that old clients know; `normal` for any other.
fn old_reason(outcome: &Outcome) -> &'static str {
    match outcome.reason.0 {
        known @ ("timeout" | "disconnect") => known,
        _ => "normal",
    }
}

fn result(outcome: &Outcome, seat: Seat) -> &'static str {
    match outcome.verdict {
        Verdict::Draw => "draw",
        Verdict::Void => "void",
        _ if outcome.score(seat) > 0 => "win",
        _ => "loss",
    }
}
