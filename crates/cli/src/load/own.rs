//! Referee's own protocol, as a player speaks it.

use serde::Deserialize;

use super::talk::{Deed, Heard, Shown, Talk, What};

/// A player of Referee's own protocol.
#[derive(Default)]
pub(super) struct Own {
    match_id: String,
    next_seq: u64,
}

/// The parts of a server's message that matter here.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Message {
    Welcome {},
    MatchFound {
        match_id: String,
        next_seq: u64,
    },
    Match {
        message: OfMatch,
    },
    MatchEnd {},
    Error {
        code: String,
    },
    Draining {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OfMatch {
    Standing {
        view: View,
        deadline_ms: Option<u64>,
    },
    News {
        events: Vec<Event>,
        deadline_ms: Option<u64>,
    },
    Ack {
        client_seq: u64,
        code: Option<String>,
    },
    Gap {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct View {
    round: u8,
    phase: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
enum Event {
    RoundFinalized {},
    StepRevealed {},
    RoundEnded {},
    RoundStarted {
        round: u8,
    },
    #[serde(other)]
    Other,
}

impl Talk for Own {
    fn path(&self) -> &'static str {
        "/ws"
    }

    fn hear(&mut self, text: &str) -> Heard {
        match serde_json::from_str(text) {
            Ok(message) => self.understand(message),
            Err(_) => Heard::Refused {
                code: "unreadable_message".to_owned(),
            },
        }
    }

    fn hello(&self, token: &str) -> String {
        format!(r#"{{"type":"hello","protocol":1,"token":"{token}"}}"#)
    }

    fn queue_join(&self) -> String {
        r#"{"type":"queue_join","game":"orcain"}"#.to_owned()
    }

    fn decide(&mut self, deed: Deed, layout: &str) -> (u64, String) {
        let kind = match deed {
            Deed::Draft => "draft",
            Deed::Confirm => "confirm",
        };
        let seq = self.count();
        let ask = format!(r#"{{"type":"{kind}","layout":{layout}}}"#);
        let match_id = &self.match_id;
        let text = format!(r#"{{"type":"ask","match_id":"{match_id}","seq":{seq},"ask":{ask}}}"#);
        (seq, text)
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

impl Own {
    fn count(&mut self) -> u64 {
        let seq = self.next_seq;
        self.next_seq += 1;
        seq
    }

    fn understand(&mut self, message: Message) -> Heard {
        match message {
            Message::Welcome {} => Heard::Welcome,
            Message::MatchFound { match_id, next_seq } => {
                (self.match_id, self.next_seq) = (match_id, next_seq);
                Heard::Found
            }
            Message::Match { message } => of_match(message),
            Message::MatchEnd {} => Heard::Ended,
            Message::Error { code } => Heard::Refused { code },
            Message::Draining {} => Heard::Refused {
                code: "draining".to_owned(),
            },
            Message::Other => Heard::Other,
        }
    }
}

fn of_match(message: OfMatch) -> Heard {
    match message {
        OfMatch::Standing { view, deadline_ms } if view.phase == "PREP" => Heard::Prep {
            round: view.round,
            deadline_ms,
        },
        OfMatch::News {
            events,
            deadline_ms,
        } => news(&events, deadline_ms),
        OfMatch::Ack { client_seq, code } => Heard::Answered {
            seq: client_seq,
            code,
        },
        OfMatch::Gap {} => Heard::Refused {
            code: "gap".to_owned(),
        },
        OfMatch::Standing { .. } | OfMatch::Other => Heard::Other,
    }
}

/// One thing that time brings about comes in one message, perhaps with the next round.
fn news(events: &[Event], next_ms: Option<u64>) -> Heard {
    let mut shown = None;
    let mut round = None;
    for event in events {
        match event {
            Event::RoundFinalized {} => shown = Some(What::Finalized),
            Event::StepRevealed {} => shown = Some(What::Step),
            Event::RoundEnded {} => shown = Some(What::RoundEnd),
            Event::RoundStarted { round: next } => round = Some(*next),
            Event::Other => {}
        }
    }
    shown.map_or(Heard::Other, |what| {
        Heard::Shown(Shown {
            what,
            next_ms,
            round,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_says_is_understood() {
        let mut own = Own::default();
        let found =
            r#"{"type":"match_found","match_id":"m","next_seq":4,"seat":1,"resumed":false}"#;
        assert_eq!(own.hear(found), Heard::Found);
        let (seq, text) = own.decide(Deed::Confirm, r#"["heal","attack","counter"]"#);
        assert_eq!(seq, 4);
        let match_id = r#""match_id":"m""#;
        assert!(text.contains(match_id), "{text}");
        let ack = r#"{"type":"match","match_id":"m","message":{"type":"ack","client_seq":4,"code":null,"taken":true}}"#;
        let answered = Heard::Answered { seq: 4, code: None };
        assert_eq!(own.hear(ack), answered);
        let news = r#"{"type":"match","match_id":"m","message":{"type":"news","version":9,"events":[{"type":"ROUND_ENDED","round":1,"hp":[1,2]},{"type":"ROUND_STARTED","round":2,"sudden_death":false}],"note":null,"deadline_ms":77}}"#;
        let shown = Shown {
            what: What::RoundEnd,
            next_ms: Some(77),
            round: Some(2),
        };
        assert_eq!(own.hear(news), Heard::Shown(shown));
        assert_eq!(
            own.hear(r#"{"type":"queued","game":"orcain"}"#),
            Heard::Other
        );
    }

    #[test]
    fn what_the_player_says_is_read_by_the_protocol() {
        use wire::native::ClientMessage;
        let mut own = Own {
            match_id: "00000000-0000-4000-8000-000000000000".to_owned(),
            next_seq: 1,
        };
        let (_, confirm) = own.decide(Deed::Confirm, r#"["heal","attack","counter"]"#);
        let resign = own.resign().unwrap();
        for text in [own.hello("t"), own.queue_join(), confirm, resign] {
            assert!(ClientMessage::read(&text).is_ok(), "{text}");
        }
    }
}
