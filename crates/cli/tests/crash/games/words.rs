//! Playing any game whose decisions are composed of legal words.

use serde_json::{Value, json};

use super::{Hand, Manner, Saying};
use crate::draws::Draws;

/// The number of decisions that a hesitant player makes. With more, the players could end the
/// shortest match of a game: one of Liar's Dice with one die each ends with two calls.
const OPENING: usize = 1;

/// Composes decisions from the words that the server lists as legal.
pub(super) struct Words {
    weight: fn(&str) -> u64,
    manner: Manner,
    n_asked: usize,
    /// The words of the unanswered question.
    composing: Option<Vec<String>>,
    n_questions: u64,
}

impl Words {
    pub(super) fn new(weight: fn(&str) -> u64, manner: Manner) -> Words {
        Words {
            weight,
            manner,
            n_asked: 0,
            composing: None,
            n_questions: 0,
        }
    }

    fn begin(&mut self, legal: &Value, draws: &mut Draws) -> Vec<Saying> {
        let is_idle = match self.manner {
            Manner::Moody => draws.below(150) == 0,
            Manner::Steady => false,
            Manner::Hesitant => self.n_asked >= OPENING,
        };
        if is_idle {
            return Vec::new();
        }
        let word = self.choose(legal, draws);
        self.consider(vec![word])
    }

    fn consider(&mut self, words: Vec<String>) -> Vec<Saying> {
        self.n_questions += 1;
        let ask = json!({ "actions": words });
        self.composing = Some(words);
        vec![Saying::Consider(self.n_questions, ask)]
    }

    fn choose(&self, legal: &Value, draws: &mut Draws) -> String {
        let words = legal.as_array().unwrap().iter();
        let words: Vec<&str> = words.map(|it| it.as_str().unwrap()).collect();
        let sum = words.iter().map(|it| (self.weight)(it)).sum();
        let mut left = draws.below(sum);
        let chosen = words.iter().find(|it| {
            let weight = (self.weight)(it);
            let is_chosen = left < weight;
            left = left.saturating_sub(weight);
            is_chosen
        });
        (*chosen.unwrap()).to_owned()
    }

    /// Continues a decision, or sends it once it is complete.
    fn advance(&mut self, options: &Value, draws: &mut Draws) -> Vec<Saying> {
        let Some(mut words) = self.composing.take() else {
            return Vec::new();
        };
        if options["whole"] == true {
            self.n_asked += 1;
            let ask = json!({ "actions": words });
            return vec![Saying::Ask(ask, words)];
        }
        if options["code"] != Value::Null {
            // The situation has changed meanwhile, for example by a timeout.
            return self.consider(Vec::new());
        }
        let legal = &options["legal"];
        if legal == &json!([]) {
            return vec![Saying::PassOn];
        }
        if words.is_empty() {
            return self.begin(legal, draws);
        }
        words.push(self.choose(legal, draws));
        self.consider(words)
    }
}

impl Hand for Words {
    fn receive(&mut self, message: &Value, n_pending: usize, draws: &mut Draws) -> Vec<Saying> {
        let is_free = n_pending == 0 && self.composing.is_none();
        match message["type"].as_str().unwrap() {
            "standing" if !is_free => Vec::new(),
            "standing" if message["legal"] == json!([]) => vec![Saying::PassOn],
            "standing" => self.begin(&message["legal"], draws),
            "options" if message["question"] == self.n_questions => self.advance(message, draws),
            // The server does not announce after every decision whether more can be decided.
            "ack" if is_free => self.consider(Vec::new()),
            _ => Vec::new(),
        }
    }

    fn come_back(&mut self) {
        self.composing = None;
    }

    fn gives_up(&self) -> bool {
        true
    }
}
