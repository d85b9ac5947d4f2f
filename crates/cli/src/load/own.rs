//! The client side of Referee's own protocol.

use std::borrow::Cow;

use kernel::rng::Generator;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::part::Part;
use super::talk::{Deed, Reply, Said, Talk};
use super::words::{Next, Options, Words};

pub(super) struct Own {
    part: Part,
    match_id: String,
    next_seq: u64,
    words: Words,
}

/// The fields of a server message that a player needs.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    match_id: Option<String>,
    #[serde(default)]
    next_seq: u64,
    #[serde(default, borrow)]
    message: Option<&'a RawValue>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    seq: Option<u64>,
}

/// The fields of a match message that a player needs. Game-specific parts stay raw JSON.
#[derive(Deserialize)]
struct OfMatch<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    view: Option<&'a RawValue>,
    #[serde(default, borrow)]
    events: Option<&'a RawValue>,
    #[serde(default)]
    legal: Vec<String>,
    #[serde(default)]
    deadline_ms: Option<u64>,
    #[serde(default)]
    client_seq: u64,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    question: u64,
    #[serde(default)]
    whole: bool,
    #[serde(default)]
    expected: u64,
}

impl Own {
    pub(super) fn new(part: Part) -> Own {
        Own {
            part,
            match_id: String::new(),
            next_seq: 1,
            words: Words::default(),
        }
    }

    fn count(&mut self) -> u64 {
        let seq = self.next_seq;
        self.next_seq += 1;
        seq
    }

    fn understand(&mut self, message: &Message<'_>) -> Reply {
        let refused = |code: &str| Reply::Refused {
            code: code.to_owned(),
        };
        match message.kind.as_ref() {
            "welcome" => Reply::Welcome,
            "match_found" => {
                self.match_id = message.match_id.clone().unwrap_or_default();
                self.next_seq = message.next_seq;
                self.words.reset();
                Reply::Found
            }
            "match" => self.of_match(message.message),
            "match_end" => Reply::Ended,
            "left" => Reply::Left,
            "rematch" => Reply::Rematch,
            "rematch_off" => Reply::NoRematch,
            "error" => {
                self.words.reset();
                let code = message.code.as_deref().unwrap_or("error");
                match message.seq {
                    Some(_) => Reply::DecisionRefused {
                        code: code.to_owned(),
                    },
                    None => refused(code),
                }
            }
            "table_closed" => refused("table_closed"),
            "draining" => refused("draining"),
            _ => Reply::Other,
        }
    }

    fn of_match(&mut self, text: Option<&RawValue>) -> Reply {
        let read = text.map(|text| serde_json::from_str(text.get()));
        let Some(Ok(message)) = read else {
            return unreadable();
        };
        let message: OfMatch<'_> = message;
        match message.kind.as_ref() {
            "standing" => self.stand(message),
            "news" => self.news(&message),
            "options" => self.options(message),
            "ack" => {
                self.words.answered();
                Reply::Answered {
                    seq: message.client_seq,
                    code: message.code,
                }
            }
            "gap" => {
                self.next_seq = message.expected;
                self.words.reset();
                Reply::Refused {
                    code: "gap".to_owned(),
                }
            }
            _ => Reply::Other,
        }
    }

    fn stand(&mut self, message: OfMatch<'_>) -> Reply {
        let view = message.view.map_or("", RawValue::get);
        let round = self.part.round(view, &message.legal);
        let deadline_ms = message.deadline_ms;
        self.words.stand(message.legal);
        round.map_or(Reply::Idle, |round| Reply::Turn { round, deadline_ms })
    }

    fn news(&self, message: &OfMatch<'_>) -> Reply {
        let events = message.events.map_or("[]", RawValue::get);
        let shown = self.part.shown(events, message.deadline_ms);
        shown.map_or(Reply::Other, Reply::Shown)
    }

    fn options(&mut self, message: OfMatch<'_>) -> Reply {
        let options = Options {
            question: message.question,
            refused: message.code.is_some(),
            whole: message.whole,
            legal: message.legal,
        };
        if self.words.tell(options) {
            Reply::Options
        } else {
            Reply::Other
        }
    }

    fn say(&mut self, next: Next) -> Said {
        let match_id = &self.match_id;
        match next {
            Next::Nothing => Said::Nothing,
            Next::Consider { question, words } => {
                let ask = actions(&words);
                Said::Question(format!(
                    r#"{{"type":"consider","match_id":"{match_id}","question":{question},"ask":{ask}}}"#
                ))
            }
            Next::Ask { words } => self.ask(&actions(&words)),
        }
    }

    fn ask(&mut self, ask: &str) -> Said {
        let seq = self.count();
        let match_id = &self.match_id;
        let text = format!(r#"{{"type":"ask","match_id":"{match_id}","seq":{seq},"ask":{ask}}}"#);
        Said::Ask { seq, text }
    }
}

impl Talk for Own {
    fn path(&self) -> &'static str {
        "/ws"
    }

    fn receive(&mut self, text: &str) -> Reply {
        match serde_json::from_str(text) {
            Ok(message) => self.understand(&message),
            Err(_) => unreadable(),
        }
    }

    fn hello(&self, token: &str) -> String {
        format!(r#"{{"type":"hello","protocol":1,"token":"{token}"}}"#)
    }

    fn queue_join(&self) -> String {
        let game = self.part.game;
        format!(r#"{{"type":"queue_join","game":"{game}"}}"#)
    }

    fn table_join(&self, code: &str) -> Option<String> {
        Some(format!(r#"{{"type":"table_join","code":"{code}"}}"#))
    }

    fn rematch(&self) -> Option<String> {
        let match_id = &self.match_id;
        Some(format!(r#"{{"type":"rematch","match_id":"{match_id}"}}"#))
    }

    fn decide(&mut self, deed: Deed, rng: &mut Generator) -> Said {
        match self.part.whole(deed, rng) {
            Some(ask) => self.ask(&ask),
            None => {
                let next = self.words.begin(self.part, rng);
                self.say(next)
            }
        }
    }

    fn continue_deciding(&mut self, rng: &mut Generator) -> Said {
        let next = self.words.advance(self.part, rng);
        self.say(next)
    }

    fn is_deciding(&self) -> bool {
        self.words.is_deciding()
    }

    fn may_decide(&self) -> bool {
        !self.has_drafts() && self.words.may_decide()
    }

    fn has_drafts(&self) -> bool {
        self.part.has_drafts()
    }

    fn resign(&mut self) -> Option<String> {
        let seq = self.count();
        let match_id = &self.match_id;
        Some(format!(
            r#"{{"type":"resign","match_id":"{match_id}","seq":{seq}}}"#
        ))
    }

    fn waits_for_open(&self) -> bool {
        false
    }
}

fn actions(words: &[String]) -> String {
    serde_json::json!({ "actions": words }).to_string()
}

fn unreadable() -> Reply {
    Reply::Refused {
        code: "unreadable_message".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use catalog::GameName;
    use kernel::rng::{GeneratorKind, Seed};
    use wire::native::ClientMessage;

    use super::super::part::Part;
    use super::super::talk::{Shown, What};
    use super::*;

    const FOUND: &str = r#"{"type":"match_found","match_id":"00000000-0000-4000-8000-000000000000","next_seq":4,"seat":1,"resumed":false}"#;

    fn rng() -> Generator {
        Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(3))
    }

    fn of_match(message: &str) -> String {
        format!(r#"{{"type":"match","match_id":"m","message":{message}}}"#)
    }

    #[test]
    fn server_messages_of_a_duel_are_understood() {
        let mut own = Own::new(Part::of(GameName::Orcain));
        assert_eq!(own.receive(FOUND), Reply::Found);
        let Said::Ask { seq, text } = own.decide(Deed::Confirm, &mut rng()) else {
            panic!("a layout is a complete decision");
        };
        assert_eq!(seq, 4);
        assert!(ClientMessage::read(&text).is_ok(), "{text}");
        let ack = of_match(r#"{"type":"ack","client_seq":4,"code":null,"taken":true}"#);
        let answered = Reply::Answered { seq: 4, code: None };
        assert_eq!(own.receive(&ack), answered);
        let news = of_match(
            r#"{"type":"news","version":9,"events":[{"type":"ROUND_ENDED","round":1,"hp":[1,2]},{"type":"ROUND_STARTED","round":2,"sudden_death":false}],"note":null,"deadline_ms":77}"#,
        );
        let shown = Shown {
            what: What::RoundEnd,
            next_ms: Some(77),
            round: Some(2),
        };
        assert_eq!(own.receive(&news), Reply::Shown(shown));
        assert!(!own.may_decide(), "a round has one decision");
        assert_eq!(
            own.receive(r#"{"type":"queued","game":"orcain"}"#),
            Reply::Other
        );
    }

    #[test]
    fn a_decision_in_words_is_composed_from_server_options() {
        let (mut own, mut rng) = (Own::new(Part::of(GameName::Catan)), rng());
        own.receive(FOUND);
        let standing = of_match(
            r#"{"type":"standing","version":1,"view":{"number":3},"legal":["knight"],"deadline_ms":9}"#,
        );
        let turn = Reply::Turn {
            round: 3,
            deadline_ms: Some(9),
        };
        assert_eq!(own.receive(&standing), turn);
        let Said::Question(text) = own.decide(Deed::Confirm, &mut rng) else {
            panic!("the client must ask whether the word is complete");
        };
        assert!(ClientMessage::read(&text).is_ok(), "{text}");
        let options =
            of_match(r#"{"type":"options","question":1,"code":null,"whole":true,"legal":[]}"#);
        assert_eq!(own.receive(&options), Reply::Options);
        let Said::Ask { seq, text } = own.continue_deciding(&mut rng) else {
            panic!("the decision is complete");
        };
        assert_eq!(seq, 4);
        assert!(text.contains(r#"{"actions":["knight"]}"#), "{text}");
        assert!(ClientMessage::read(&text).is_ok(), "{text}");
        let gap = of_match(r#"{"type":"gap","expected":4}"#);
        assert!(matches!(own.receive(&gap), Reply::Refused { .. }));
        assert_eq!(
            own.next_seq, 4,
            "the next decision uses the expected number"
        );
    }

    #[test]
    fn a_decision_after_the_end_is_not_mistaken_for_a_refused_wait() {
        let mut own = Own::new(Part::of(GameName::Stellar));
        let code = "not_seated".to_owned();
        let late = r#"{"type":"error","code":"not_seated","message":"…","seq":5}"#;
        assert_eq!(
            own.receive(late),
            Reply::DecisionRefused { code: code.clone() }
        );
        let wait = r#"{"type":"error","code":"not_seated","message":"…","seq":null}"#;
        assert_eq!(own.receive(wait), Reply::Refused { code });
    }

    #[test]
    fn client_messages_are_valid_in_the_protocol() {
        let mut own = Own::new(Part::of(GameName::Stellar));
        own.receive(FOUND);
        let said = [
            Some(own.hello("t")),
            Some(own.queue_join()),
            own.table_join("abc"),
            own.rematch(),
            own.resign(),
        ];
        for text in said.into_iter().flatten() {
            assert!(ClientMessage::read(&text).is_ok(), "{text}");
        }
    }
}
