//! Composes a decision word by word from legal words.

use kernel::rng::Generator;

use super::part::Part;

/// The legal words of a seat and its decision in progress, as far as the server has reported.
#[derive(Default)]
pub(super) struct Words {
    /// The words that may begin a decision; `None` if unknown.
    legal: Option<Vec<String>>,
    stage: Stage,
    n_questions: u64,
}

#[derive(Default)]
enum Stage {
    /// No decision is in progress.
    #[default]
    Free,
    /// The server was asked how these words can continue.
    Composing(Vec<String>),
    /// The server has answered how these words can continue.
    Told(Vec<String>, Options),
    /// The decision was sent and is not answered yet.
    Asked,
}

/// The server's answer to a question about how a decision can continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Options {
    pub(super) question: u64,
    pub(super) refused: bool,
    pub(super) whole: bool,
    pub(super) legal: Vec<String>,
}

/// The next step of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// Ask what can follow these words.
    Consider { question: u64, words: Vec<String> },
    /// Send the decision made of these words.
    Ask { words: Vec<String> },
    /// There is nothing to decide, or the words are no longer legal.
    Nothing,
}

impl Words {
    /// Sets the words that may begin a decision now.
    pub(super) fn stand(&mut self, legal: Vec<String>) {
        self.legal = Some(legal);
    }

    /// Drops an unfinished decision and the legal words.
    pub(super) fn reset(&mut self) {
        (self.legal, self.stage) = (None, Stage::Free);
    }

    /// Records that the server has answered the decision.
    pub(super) fn answered(&mut self) {
        if matches!(self.stage, Stage::Asked) {
            self.stage = Stage::Free;
        }
    }

    pub(super) fn is_deciding(&self) -> bool {
        !matches!(self.stage, Stage::Free)
    }

    /// True if there is, or may be, something to decide.
    pub(super) fn may_decide(&self) -> bool {
        self.legal.as_ref().is_none_or(|legal| !legal.is_empty())
    }

    /// Begins a decision. If the legal words are unknown, the first question asks for them.
    pub(super) fn begin(&mut self, part: Part, rng: &mut Generator) -> Next {
        let legal = self.legal.as_deref().unwrap_or_default();
        let words = choose(part, legal, rng).into_iter().collect();
        self.consider(words)
    }

    /// Takes the answer to a question. Returns false, and ignores it, unless it answers the latest
    /// one.
    pub(super) fn tell(&mut self, options: Options) -> bool {
        match std::mem::take(&mut self.stage) {
            Stage::Composing(words) if options.question == self.n_questions => {
                self.stage = Stage::Told(words, options);
                true
            }
            stage => {
                self.stage = stage;
                false
            }
        }
    }

    /// Continues a decision with the latest answer.
    pub(super) fn advance(&mut self, part: Part, rng: &mut Generator) -> Next {
        let Stage::Told(mut words, options) = std::mem::take(&mut self.stage) else {
            return Next::Nothing;
        };
        if options.whole {
            (self.legal, self.stage) = (None, Stage::Asked);
            return Next::Ask { words };
        }
        match choose(part, &options.legal, rng) {
            Some(word) if !options.refused => {
                words.push(word);
                self.consider(words)
            }
            _ => {
                let idle = words.is_empty() && !options.refused;
                self.legal = idle.then(Vec::new);
                Next::Nothing
            }
        }
    }

    fn consider(&mut self, words: Vec<String>) -> Next {
        self.n_questions += 1;
        let question = self.n_questions;
        self.stage = Stage::Composing(words.clone());
        Next::Consider { question, words }
    }
}

/// Draws a word with the game's weights. Returns `None` if no word has a positive weight.
fn choose(part: Part, legal: &[String], rng: &mut Generator) -> Option<String> {
    let weights: Vec<u64> = legal.iter().map(|word| part.weight(word)).collect();
    let sum: u64 = weights.iter().sum();
    if sum == 0 {
        return None;
    }
    let mut left = rng.below(sum);
    for (word, weight) in legal.iter().zip(weights) {
        match left.checked_sub(weight) {
            None => return Some(word.clone()),
            Some(rest) => left = rest,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use catalog::GameName;
    use kernel::rng::{GeneratorKind, Seed};

    use super::super::part::Part;
    use super::*;

    fn rng() -> Generator {
        Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(3))
    }

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(|it| (*it).to_owned()).collect()
    }

    fn options(question: u64, whole: bool, legal: &[&str]) -> Options {
        Options {
            question,
            refused: false,
            whole,
            legal: texts(legal),
        }
    }

    #[test]
    fn a_decision_is_composed_word_by_word_and_sent_when_complete() {
        let (mut words, mut rng) = (Words::default(), rng());
        let catan = Part::of(GameName::Catan);
        words.stand(texts(&["knight"]));
        let knight = Next::Consider {
            question: 1,
            words: texts(&["knight"]),
        };
        assert_eq!(words.begin(catan, &mut rng), knight);
        assert!(
            !words.tell(options(9, true, &[])),
            "an answer to another question"
        );
        assert!(words.tell(options(1, false, &["robber:7"])));
        let robber = texts(&["knight", "robber:7"]);
        let both = Next::Consider {
            question: 2,
            words: robber.clone(),
        };
        assert_eq!(words.advance(catan, &mut rng), both);
        assert!(words.tell(options(2, true, &[])));
        assert_eq!(words.advance(catan, &mut rng), Next::Ask { words: robber });
        assert!(words.is_deciding());
        words.answered();
        assert!(!words.is_deciding() && words.may_decide(), "unknown");
    }

    #[test]
    fn words_that_are_no_longer_legal_are_dropped() {
        let (mut words, mut rng) = (Words::default(), rng());
        let stellar = Part::of(GameName::Stellar);
        words.stand(texts(&["fleet:0"]));
        words.begin(stellar, &mut rng);
        let refused = Options {
            refused: true,
            ..options(1, false, &[])
        };
        assert!(words.tell(refused));
        assert_eq!(words.advance(stellar, &mut rng), Next::Nothing);
        assert!(!words.is_deciding() && words.may_decide(), "it asks again");
        let nothing_yet = Next::Consider {
            question: 2,
            words: Vec::new(),
        };
        assert_eq!(words.begin(stellar, &mut rng), nothing_yet);
        assert!(words.tell(options(2, false, &[])));
        assert_eq!(words.advance(stellar, &mut rng), Next::Nothing);
        assert!(!words.may_decide(), "nothing is legal");
    }

    #[test]
    fn words_are_chosen_by_their_weights() {
        let mut rng = rng();
        let legal = texts(&["road:1", "city:2"]);
        let n_cities = (0..610)
            .filter_map(|_| choose(Part::of(GameName::Catan), &legal, &mut rng))
            .filter(|it| it == "city:2")
            .count();
        assert!((580..=609).contains(&n_cities), "{n_cities}");
    }
}
