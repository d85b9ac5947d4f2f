//! A simulated client: it decides, sends, retries, disconnects and reconnects.

use std::collections::VecDeque;

use super::draw::Draws;
use super::fate::Habit;
use super::simulated::{Ask, Mind, Notion, Simulated, Word};
use crate::{Account, Conn, Live, Message, Ms, Say};

/// An action that a client takes on its own initiative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Sends something.
    Act(Act),
    /// Sends something so that it arrives exactly at this time.
    Edge(Act),
    /// Sends again whatever was not answered.
    Resend,
    /// Asks for news.
    Poll,
    /// Loses the connection.
    Drop,
    /// Connects or reconnects.
    Join,
    /// Connects again while the old connection is open.
    Takeover,
}

/// The kinds of message that a client sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Tries something: a draft, or a question.
    Try,
    /// Decides.
    Decide,
    /// Tries something that the rules do not allow.
    BadTry,
    /// Decides something that the rules do not allow.
    BadDecide,
    /// Sends something meaningless.
    Garbage,
    /// Resigns.
    Resign,
    /// Sends a number far ahead of the sequence, and does not retry.
    Ahead,
}

impl Act {
    /// The messages of a noisy client, in addition to its decisions.
    pub const NOISE: [Act; 5] = [
        Act::Try,
        Act::BadTry,
        Act::BadDecide,
        Act::Garbage,
        Act::Ahead,
    ];
}

/// A message that a client sent, as the checker remembers it.
#[derive(Clone, Debug)]
pub(super) struct Sent<A> {
    pub(super) client_seq: u64,
    pub(super) act: Act,
    /// `None` to resign.
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

    /// Prepares a message. A numbered one is sent once those before it are answered; a question is
    /// sent at once, and only once.
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

    pub(super) fn sent_as(&self, client_seq: u64) -> Option<&Sent<Ask<S>>> {
        let mut sent = self.sent.iter().rev();
        sent.find(|sent| sent.client_seq == client_seq)
    }

    /// A message with a number far ahead of the sequence.
    pub(super) fn far_ahead(&self) -> Say<S::Game> {
        Say::Resign {
            client_seq: self.next_seq + 1_000,
        }
    }

    pub(super) fn receive(&mut self, message: &Message<S::Game>) -> Meaning {
        match message {
            Message::News { version, .. } if *version > self.seen + 1 => return Meaning::Missing,
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
                return Meaning::Over;
            }
            Message::Gap { .. } => return Meaning::Answered(Notion::Nothing),
            Message::Options { .. } | Message::Stalled { .. } => {}
        }
        let notion = self.mind.receive(message);
        match message {
            Message::Ack { .. } => Meaning::Answered(notion),
            _ => Meaning::Notion(notion),
        }
    }

    /// The actions to take for a decision that is due, each with its delay.
    pub(super) fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)> {
        self.mind.plan(draws)
    }
}

/// The meaning of a message to a client.
pub(super) enum Meaning {
    /// The message means whatever the game's mind makes of it.
    Notion(Notion),
    /// Earlier news is missing.
    Missing,
    /// The next message may be sent.
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
