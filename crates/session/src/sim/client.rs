//! A player's end of the line: thinks, sends, sends again, goes away and comes back.

use std::collections::VecDeque;

use super::draw::Draws;
use super::fate::Habit;
use super::simulated::{Ask, Mind, Notion, Simulated, Word};
use crate::{Account, Conn, Live, Message, Ms, Say};

/// What a client does of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Says something.
    Act(Act),
    /// Says it so that it arrives at this very instant.
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

/// What a client says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Tries something: a draft, or a question.
    Try,
    /// Decides.
    Decide,
    /// Tries what the rules do not allow.
    BadTry,
    /// Decides what the rules do not allow.
    BadDecide,
    /// Says what means nothing.
    Garbage,
    /// Gives the match up.
    Resign,
    /// A number far ahead of what was sent, and no second try.
    Ahead,
}

impl Act {
    /// The messages of a noisy client beside its decisions.
    pub const NOISE: [Act; 5] = [
        Act::Try,
        Act::BadTry,
        Act::BadDecide,
        Act::Garbage,
        Act::Ahead,
    ];
}

/// What a client sent, as the checker remembers it.
#[derive(Clone, Debug)]
pub(super) struct Sent<A> {
    pub(super) client_seq: u64,
    pub(super) act: Act,
    /// None to resign.
    pub(super) ask: Option<A>,
}

pub(super) struct Client<S: Simulated> {
    pub(super) account: Account,
    pub(super) habit: Habit,
    pub(super) conn: Option<Conn>,
    pub(super) seen: u64,
    next_seq: u64,
    unanswered: VecDeque<Sent<Ask<S>>>,
    pub(super) sent: Vec<Sent<Ask<S>>>,
    pub(super) over: bool,
    pub(super) resend_armed: bool,
    pub(super) mind: S::Mind,
}

impl<S: Simulated> Client<S> {
    pub(super) fn new(account: Account, habit: Habit, mind: S::Mind) -> Client<S> {
        Client {
            account,
            habit,
            conn: None,
            seen: 0,
            next_seq: 1,
            unanswered: VecDeque::new(),
            sent: Vec::new(),
            over: false,
            resend_armed: false,
            mind,
        }
    }

    /// The lowest number without an answer.
    pub(super) fn lowest_seq(&self) -> u64 {
        self.unanswered
            .front()
            .map_or(self.next_seq, |sent| sent.client_seq)
    }

    /// The message that waits for its answer.
    pub(super) fn pending(&self) -> Option<Say<S::Game>> {
        self.unanswered.front().map(Sent::say)
    }

    /// Prepares what to say. A numbered message is sent when those before it are answered;
    /// a question is sent at once, and only once.
    pub(super) fn prepare(&mut self, act: Act) -> Option<Say<S::Game>> {
        let ask = match act {
            Act::Resign | Act::Ahead => None,
            _ => match self.mind.word(act) {
                Word::Nothing => return None,
                Word::Question(question, ask) => return Some(Say::Consider { question, ask }),
                Word::Ask(ask) => Some(ask),
            },
        };
        let sent = Sent {
            client_seq: self.next_seq,
            act,
            ask,
        };
        self.next_seq += 1;
        self.sent.push(sent.clone());
        self.unanswered.push_back(sent);
        None
    }

    /// What was sent with this number.
    pub(super) fn sent_as(&self, client_seq: u64) -> Option<&Sent<Ask<S>>> {
        let mut sent = self.sent.iter().rev();
        sent.find(|sent| sent.client_seq == client_seq)
    }

    /// A message before which many are missing.
    pub(super) fn far_ahead(&self) -> Say<S::Game> {
        Say::Resign {
            client_seq: self.next_seq + 1_000,
        }
    }

    /// Takes a message.
    pub(super) fn hear(&mut self, message: &Message<S::Game>) -> Heard {
        match message {
            Message::News { version, .. } if *version > self.seen + 1 => return Heard::Missing,
            Message::Standing { version, .. } | Message::News { version, .. } => {
                self.seen = self.seen.max(*version);
            }
            Message::Ack { client_seq, .. } => {
                while self.lowest_seq() <= *client_seq && !self.unanswered.is_empty() {
                    self.unanswered.pop_front();
                }
            }
            Message::Over { .. } => {
                self.over = true;
                return Heard::Over;
            }
            Message::Gap { .. } => return Heard::Answered(Notion::Nothing),
            Message::Options { .. } | Message::Stalled { .. } => {}
        }
        let notion = self.mind.hear(message);
        match message {
            Message::Ack { .. } => Heard::Answered(notion),
            _ => Heard::Notion(notion),
        }
    }

    /// What to do about a decision that is wanted, and how long from now.
    pub(super) fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)> {
        self.mind.plan(draws)
    }
}

/// What a message means to a client.
pub(super) enum Heard {
    /// Whatever the game makes of it.
    Notion(Notion),
    /// News before it are missing.
    Missing,
    /// Another message may be sent.
    Answered(Notion),
    Over,
}

impl<A: Clone> Sent<A> {
    fn say<G: Live<Ask = A>>(&self) -> Say<G> {
        let client_seq = self.client_seq;
        match self.ask.clone() {
            Some(ask) => Say::Ask { client_seq, ask },
            None => Say::Resign { client_seq },
        }
    }
}
