//! The client side of Orcain's old Socket.IO events.

use kernel::rng::Generator;
use serde::Deserialize;
use wire::socketio::{Packet, bare_event_frame, event_frame};

use super::part::Part;
use super::talk::{Deed, Reply, Said, Shown, Talk, What};

/// A client of the old events. Confirms are answered in order, and only if they are accepted.
#[derive(Default)]
pub(super) struct Old {
    n_confirms: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prep {
    round_index: u64,
    deadline_ts: u64,
}

#[derive(Deserialize)]
struct ErrorMsg {
    code: Option<String>,
    message: String,
}

impl Talk for Old {
    fn path(&self) -> &'static str {
        "/socket.io/?EIO=4&transport=websocket"
    }

    fn receive(&mut self, text: &str) -> Reply {
        if text.starts_with('0') {
            return Reply::SendBack("40");
        }
        if text.starts_with("40") {
            return Reply::Open;
        }
        match Packet::read(text) {
            Ok(Packet::Ping(_)) => Reply::SendBack("3"),
            Ok(Packet::Event { name, payload, .. }) => {
                self.event(&name, payload.map_or("null", |payload| payload.get()))
            }
            Ok(_) => Reply::Other,
            Err(_) => unreadable(),
        }
    }

    fn hello(&self, token: &str) -> String {
        let hello = serde_json::json!({"sessionId": "load", "authToken": token});
        event_frame("hello", &hello)
    }

    fn queue_join(&self) -> String {
        bare_event_frame("queue_join")
    }

    fn table_join(&self, _code: &str) -> Option<String> {
        None
    }

    fn rematch(&self) -> Option<String> {
        None
    }

    fn decide(&mut self, deed: Deed, rng: &mut Generator) -> Said {
        let name = match deed {
            Deed::Draft => "layout_draft",
            Deed::Confirm => "layout_confirm",
        };
        if deed == Deed::Confirm {
            self.n_confirms += 1;
        }
        let layout = layout(deed, rng);
        let text = format!(r#"42["{name}",{{"layout":{layout}}}]"#);
        let seq = self.n_confirms;
        Said::Ask { seq, text }
    }

    fn continue_deciding(&mut self, _: &mut Generator) -> Said {
        Said::Nothing
    }

    fn is_deciding(&self) -> bool {
        false
    }

    fn may_decide(&self) -> bool {
        false
    }

    fn has_drafts(&self) -> bool {
        true
    }

    fn resign(&mut self) -> Option<String> {
        None
    }

    fn waits_for_open(&self) -> bool {
        true
    }
}

impl Old {
    fn event(&self, name: &str, payload: &str) -> Reply {
        match name {
            "hello_ok" => Reply::Welcome,
            "match_found" => Reply::Found,
            "prep_start" => match serde_json::from_str::<Prep>(payload) {
                Ok(prep) => Reply::Turn {
                    round: prep.round_index,
                    deadline_ms: Some(prep.deadline_ts),
                },
                Err(_) => unreadable(),
            },
            "step_reveal" => shown(What::Step),
            "round_end" => shown(What::RoundEnd),
            "confirm_ok" => Reply::Answered {
                seq: self.n_confirms,
                code: None,
            },
            "match_end" => Reply::Ended,
            "error_msg" => match serde_json::from_str::<ErrorMsg>(payload) {
                Ok(error) => Reply::Refused {
                    code: error.code.unwrap_or(error.message),
                },
                Err(_) => unreadable(),
            },
            _ => Reply::Other,
        }
    }
}

fn shown(what: What) -> Reply {
    Reply::Shown(Shown {
        what,
        next_ms: None,
        round: None,
    })
}

fn unreadable() -> Reply {
    Reply::Refused {
        code: "unreadable_message".to_owned(),
    }
}

/// The layout of a decision as JSON, which is the same in both protocols.
fn layout(deed: Deed, rng: &mut Generator) -> String {
    let whole = Part::of(catalog::GameName::Orcain).whole(deed, rng);
    let whole: Option<serde_json::Value> = whole.and_then(|it| serde_json::from_str(&it).ok());
    whole.map_or_else(|| "[]".to_owned(), |it| it["layout"].to_string())
}

#[cfg(test)]
mod tests {
    use kernel::rng::{GeneratorKind, Seed};

    use super::*;

    fn rng() -> Generator {
        Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(3))
    }

    #[test]
    fn old_events_are_understood() {
        let mut old = Old::default();
        assert_eq!(
            old.receive(r#"0{"sid":"s","upgrades":[]}"#),
            Reply::SendBack("40")
        );
        assert_eq!(old.receive(r#"40{"sid":"s"}"#), Reply::Open);
        assert_eq!(old.receive("2"), Reply::SendBack("3"));
        let prep = r#"42["prep_start",{"matchId":"m","roundIndex":2,"deadlineTs":7}]"#;
        let expected = Reply::Turn {
            round: 2,
            deadline_ms: Some(7),
        };
        assert_eq!(old.receive(prep), expected);
        let mut rng = rng();
        old.decide(Deed::Draft, &mut rng);
        let Said::Ask { seq, .. } = old.decide(Deed::Confirm, &mut rng) else {
            panic!("a layout is a complete decision");
        };
        let answered = Reply::Answered { seq, code: None };
        assert_eq!(old.receive(r#"42["confirm_ok"]"#), answered);
        let refused = old.receive(r#"42["error_msg",{"message":"Unauthorized"}]"#);
        let code = "Unauthorized".to_owned();
        assert_eq!(refused, Reply::Refused { code });
    }

    #[test]
    fn client_messages_are_read_as_old_events() {
        use wire::old::ClientEvent as Event;
        let mut old = Old::default();
        let Said::Ask { text: draft, .. } = old.decide(Deed::Draft, &mut rng()) else {
            panic!("a layout is a complete decision");
        };
        for text in [old.hello("t"), old.queue_join(), draft] {
            let Ok(Packet::Event { name, payload, .. }) = Packet::read(&text) else {
                panic!("{text}");
            };
            assert!(Event::read(&name, payload).is_ok(), "{text}");
        }
    }
}
