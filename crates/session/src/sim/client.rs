//! A player's end of the line: thinks, sends, sends again, goes away and comes back.

use std::collections::VecDeque;

use catalog::Orcain;
use catalog::orcain::{self, Card};

use super::draw::Draws;
use super::fate::Habit;
use crate::orcain::Asked;
use crate::{Account, Conn, Message, Ms, OrcainAsk, Say};

/// What a client does of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// Asks for something.
    Act(Act),
    /// Asks for it so that it arrives at this very instant.
    Edge(Act),
    /// Sends again what was not answered.
    Resend,
    /// Asks for news.
    Poll,
    /// Loses the connection.
    Drop,
    /// Comes back, or comes for the first time.
    Join,
    /// Comes again while the old connection is there.
    Takeover,
}

/// What a client asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Draft,
    Confirm,
    BadDraft,
    BadConfirm,
    Garbage,
    Resign,
    /// A number far ahead of what was sent, and no second try.
    Ahead,
}

/// What a client sent, as the checker remembers it.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) client_seq: u64,
    pub(super) ask: Option<OrcainAsk>,
}

pub(super) struct Client {
    pub(super) account: Account,
    pub(super) habit: Habit,
    pub(super) conn: Option<Conn>,
    pub(super) seen: u64,
    next_seq: u64,
    unanswered: VecDeque<Sent>,
    pub(super) sent: Vec<Sent>,
    planned_round: u8,
    pub(super) over: bool,
    pub(super) resend_armed: bool,
    /// Cards come from a stream of their own: other cards change nothing else.
    cards: Draws,
}

impl Client {
    pub(super) fn new(account: Account, habit: Habit, cards: Draws) -> Client {
        Client {
            account,
            habit,
            conn: None,
            seen: 0,
            next_seq: 1,
            unanswered: VecDeque::new(),
            sent: Vec::new(),
            planned_round: 0,
            over: false,
            resend_armed: false,
            cards,
        }
    }

    /// The lowest number without an answer.
    pub(super) fn lowest_seq(&self) -> u64 {
        self.unanswered
            .front()
            .map_or(self.next_seq, |sent| sent.client_seq)
    }

    /// The message that waits for its answer.
    pub(super) fn pending(&self) -> Option<Say<Orcain>> {
        self.unanswered.front().map(Sent::say)
    }

    /// Prepares a message; it is sent when those before it are answered.
    pub(super) fn ask(&mut self, act: Act) {
        let ask = match act {
            Act::Draft => Some(OrcainAsk::Draft(Some(self.draft()))),
            Act::Confirm => Some(OrcainAsk::Confirm(Some(self.full()))),
            Act::BadDraft => Some(OrcainAsk::Draft(Some(self.bad()))),
            Act::BadConfirm => Some(OrcainAsk::Confirm(Some(self.bad()))),
            Act::Garbage => Some(OrcainAsk::Draft(None)),
            Act::Resign | Act::Ahead => None,
        };
        let sent = Sent {
            client_seq: self.next_seq,
            ask,
        };
        self.next_seq += 1;
        self.sent.push(sent.clone());
        self.unanswered.push_back(sent);
    }

    /// A message before which many are missing.
    pub(super) fn far_ahead(&self) -> Say<Orcain> {
        Say::Resign {
            client_seq: self.next_seq + 1_000,
        }
    }

    fn full(&mut self) -> Vec<Asked> {
        let mut cards = Card::ALL;
        for idx in (1..cards.len()).rev() {
            cards.swap(idx, self.cards.within(0, idx as u64) as usize);
        }
        if self.habit == Habit::Patient && self.planned_round <= 3 {
            cards = [Card::Defense, Card::Heal, Card::Counter, Card::Attack];
        }
        cards[..3].iter().map(|&card| Ok(Some(card))).collect()
    }

    fn draft(&mut self) -> Vec<Asked> {
        let mut slots = self.full();
        for slot in &mut slots {
            if self.cards.permille(300) {
                *slot = Ok(None);
            }
        }
        slots
    }

    /// The same card twice, or a name that is no card: neither fits the hand.
    fn bad(&mut self) -> Vec<Asked> {
        let mut slots = self.full();
        slots[1] = if self.cards.permille(500) {
            slots[0]
        } else {
            Err(())
        };
        slots
    }

    /// Takes a message; says whether news are missing, and from which round on to plan.
    pub(super) fn hear(&mut self, message: &Message<Orcain>) -> Heard {
        match message {
            Message::Standing {
                version,
                view,
                deadline_ms,
                ..
            } => {
                self.seen = self.seen.max(*version);
                self.over |= view.phase == "END";
                self.round(view.phase == "PREP", view.round, *deadline_ms)
            }
            Message::News {
                version,
                events,
                deadline_ms,
                ..
            } => {
                if *version > self.seen + 1 {
                    return Heard::Missing;
                }
                self.seen = self.seen.max(*version);
                let started = events.iter().find_map(|event| match event {
                    orcain::Event::RoundStarted { round, .. } => Some(*round),
                    _ => None,
                });
                match started {
                    Some(round) => self.round(true, round, *deadline_ms),
                    None => Heard::Nothing,
                }
            }
            Message::Ack { client_seq, .. } => {
                while self.lowest_seq() <= *client_seq && !self.unanswered.is_empty() {
                    self.unanswered.pop_front();
                }
                Heard::Answered
            }
            Message::Gap { .. } | Message::Options { .. } => Heard::Answered,
            Message::Stalled { .. } => Heard::Nothing,
            Message::Over { .. } => {
                self.over = true;
                Heard::Over
            }
        }
    }

    fn round(&mut self, prep: bool, round: u8, deadline: Option<Ms>) -> Heard {
        if !prep || round <= self.planned_round {
            return Heard::Nothing;
        }
        self.planned_round = round;
        Heard::Round(deadline)
    }

    /// What to do in a round, and how long from now; an edge is at its deadline.
    pub(super) fn plan(&self, draws: &mut Draws) -> Vec<(Ms, Deed)> {
        let mut deeds = Vec::new();
        let mut act = |draws: &mut Draws, low: Ms, high: Ms, act: Act| {
            deeds.push((draws.within(low, high), Deed::Act(act)));
        };
        match self.habit {
            Habit::Gone => {}
            Habit::Absent if draws.permille(500) => {}
            Habit::Late => {
                if draws.permille(600) {
                    act(draws, 200, 9_000, Act::Draft);
                }
                deeds.push((0, Deed::Edge(draws.pick(&[Act::Draft, Act::Confirm]))));
            }
            Habit::Noisy => {
                for _ in 0..draws.within(1, 4) {
                    let noise = [
                        Act::Draft,
                        Act::BadDraft,
                        Act::BadConfirm,
                        Act::Garbage,
                        Act::Ahead,
                    ];
                    let noise = draws.pick(&noise);
                    act(draws, 100, 22_500, noise);
                }
                if draws.permille(500) {
                    act(draws, 1_000, 15_000, Act::Confirm);
                }
            }
            Habit::Steady | Habit::Absent | Habit::Flapping | Habit::Slow | Habit::Patient => {
                if draws.permille(350) {
                    act(draws, 200, 6_000, Act::Draft);
                }
                if draws.permille(880) {
                    act(draws, 1_000, 12_000, Act::Confirm);
                }
            }
        }
        if self.habit == Habit::Flapping && draws.permille(400) {
            deeds.push((draws.within(100, 22_000), Deed::Drop));
        }
        deeds
    }
}

/// What a message means to a client.
pub(super) enum Heard {
    Nothing,
    /// News before it are missing.
    Missing,
    /// Another message may be sent.
    Answered,
    /// A round begins; it ends at this time.
    Round(Option<Ms>),
    Over,
}

impl Sent {
    fn say(&self) -> Say<Orcain> {
        let client_seq = self.client_seq;
        match self.ask.clone() {
            Some(ask) => Say::Ask { client_seq, ask },
            None => Say::Resign { client_seq },
        }
    }
}
