//! Clients of games whose decisions are made of words: they compose a decision word by word, from
//! the legal words that they receive.

use kernel::Game;
use kernel::words::{Vocabulary, Words};

use super::client::{Act, Deed};
use super::draw::Draws;
use super::fate::Habit;
use super::simulated::{Action, Mind, Notion, Simulated, Word};
use crate::{Live, Message, Ms};

/// A simulated game whose decisions are made of words.
pub trait Wordy:
    Simulated<Game: Live<Ask = Words<Action<Self>>> + Game<Action: Vocabulary>>
{
    /// The index of the word to choose among those that can follow. `hidden` may choose only where
    /// the number of further words does not depend on it.
    fn choose(legal: &[String], shape: &mut Draws, hidden: &mut Draws) -> usize;

    /// True if a decision is whole with this word, so that it can be sent at once.
    fn is_whole(word: &str) -> bool;

    /// A word that is hardly ever legal.
    fn illegal() -> Action<Self>;
}

/// A client that composes decisions.
pub struct Composer<S: Wordy> {
    habit: Habit,
    shape: Draws,
    hidden: Draws,
    /// The decision so far.
    words: Vec<Action<S>>,
    /// The words that can follow, if they are known; `None` after a decision was sent.
    legal: Option<Vec<String>>,
    state: State,
    n_questions: u64,
    deadline: Option<Ms>,
    /// A standing up to this version requires no decision.
    rests_until: u64,
    version: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Idle,
    /// A decision is planned, or was sent and not answered.
    Busy,
    /// This question is open.
    Asking(u64),
    Ready,
}

impl<S: Wordy> Mind<S> for Composer<S> {
    fn new(habit: Habit, shape: Draws, hidden: Draws) -> Composer<S> {
        Composer {
            habit,
            shape,
            hidden,
            words: Vec::new(),
            legal: None,
            state: State::Idle,
            n_questions: 0,
            deadline: None,
            rests_until: 0,
            version: 0,
        }
    }

    fn receive(&mut self, message: &Message<S::Game>) -> Notion {
        match message {
            Message::Standing {
                version,
                legal,
                deadline_ms,
                ..
            } if *version >= self.version => {
                (self.version, self.deadline) = (*version, *deadline_ms);
                if self.words.is_empty() {
                    self.legal = Some(legal.clone());
                }
                let wanted = !legal.is_empty() && *version > self.rests_until;
                self.want(wanted)
            }
            Message::Ack { .. } if self.state == State::Busy => {
                self.state = State::Idle;
                let may = self.legal.as_ref().is_none_or(|it| !it.is_empty());
                self.want(may)
            }
            Message::Options {
                question,
                code,
                whole,
                legal,
            } if self.state == State::Asking(*question) => {
                if code.is_some() || (legal.is_empty() && !whole) {
                    // Nothing can follow now: another standing will come.
                    self.forget();
                    return Notion::Nothing;
                }
                self.legal = Some(legal.clone());
                self.state = if *whole { State::Ready } else { State::Busy };
                Notion::Continue
            }
            _ => Notion::Nothing,
        }
    }

    fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)> {
        let skips = match self.habit {
            Habit::Gone => true,
            Habit::Absent => draws.permille(150),
            _ => false,
        };
        if skips {
            self.state = State::Idle;
            self.rests_until = self.version;
            return Vec::new();
        }
        let mut deeds = Vec::new();
        if self.habit == Habit::Noisy && draws.permille(400) {
            let noise = draws.pick(&Act::NOISE);
            deeds.push((draws.within(50, 4_000), Deed::Act(noise)));
        }
        if self.habit == Habit::Noisy && draws.permille(20) {
            deeds.push((draws.within(50, 4_000), Deed::Act(Act::Resign)));
        }
        if self.habit == Habit::Flapping && draws.permille(80) {
            deeds.push((draws.within(50, 6_000), Deed::Drop));
        }
        let decide = if self.habit == Habit::Late && draws.permille(300) {
            (0, Deed::Edge(Act::Decide))
        } else {
            (draws.within(80, 2_500), Deed::Act(Act::Decide))
        };
        deeds.push(decide);
        deeds
    }

    fn word(&mut self, act: Act) -> Word<S> {
        match act {
            Act::Decide => self.decide(),
            Act::Try => {
                self.n_questions += 1;
                Word::Question(self.n_questions, Words::new(Vec::new()))
            }
            Act::BadTry => Word::Ask(Words::new(vec![S::illegal()])),
            Act::BadDecide => Word::Ask(Words::new(vec![S::illegal(); 2])),
            Act::Garbage | Act::Resign | Act::Ahead => Word::Ask(Words::new(Vec::new())),
        }
    }

    /// Forgets a question that was not answered.
    fn wake(&mut self) {
        if let State::Asking(_) = self.state {
            self.forget();
        }
    }
}

impl<S: Wordy> Composer<S> {
    /// Starts a decision if one is wanted and none is under way.
    fn want(&mut self, wanted: bool) -> Notion {
        if !wanted || self.state != State::Idle {
            return Notion::Nothing;
        }
        self.state = State::Busy;
        Notion::Wanted(self.deadline)
    }

    fn forget(&mut self) {
        self.words.clear();
        self.legal = None;
        self.state = State::Idle;
    }

    fn decide(&mut self) -> Word<S> {
        if self.state == State::Ready {
            return self.ask();
        }
        let Some(legal) = self.legal.take() else {
            return self.question();
        };
        if legal.is_empty() {
            self.forget();
            return Word::Nothing;
        }
        let chosen = &legal[S::choose(&legal, &mut self.shape, &mut self.hidden)];
        let Ok(action) = chosen.parse() else {
            return Word::Nothing;
        };
        self.words.push(action);
        if S::is_whole(chosen) {
            self.ask()
        } else {
            self.question()
        }
    }

    fn ask(&mut self) -> Word<S> {
        let words = std::mem::take(&mut self.words);
        self.legal = None;
        self.state = State::Busy;
        Word::Ask(Words::new(words))
    }

    fn question(&mut self) -> Word<S> {
        self.n_questions += 1;
        self.state = State::Asking(self.n_questions);
        Word::Question(self.n_questions, Words::new(self.words.clone()))
    }
}
