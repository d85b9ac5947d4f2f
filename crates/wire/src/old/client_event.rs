//! The events that old clients send.

use catalog::orcain::{Asked, read_cards};
use serde_json::Value;
use serde_json::value::RawValue;

/// The maximum length of a client's name for its tab, in bytes.
pub const SESSION_ID_BYTES_MAX: usize = 128;

/// The maximum length of a token, in bytes. A longer one is not looked up.
pub const TOKEN_BYTES_MAX: usize = 256;

const MATCH_ID_BYTES_MAX: usize = 64;

/// The name, payload and meaning of each event from old clients, for the docs.
pub const CLIENT_EVENTS: &[(&str, &str, &str)] = &[
    (
        "hello",
        "`{sessionId, authToken}`",
        "Identifies the client: first, and after every reconnect. Without a known token the \
         answer is `error_msg {message: \"Unauthorized\"}`. `sessionId` only names a tab: the \
         seat belongs to the account.",
    ),
    (
        "queue_join",
        "none",
        "Joins the queue with the standard stake; answered with `queue_ok`.",
    ),
    (
        "queue_leave",
        "none",
        "Leaves the queue; always answered with `queue_left`.",
    ),
    (
        "pve_start",
        "none",
        "Starts a match against the bot, without a stake.",
    ),
    (
        "layout_draft",
        "`{matchId?, layout: (CardId | null)[3]}`",
        "Places cards for now. Never answered. A card that is not in the hand becomes an empty \
         slot.",
    ),
    (
        "layout_confirm",
        "`{matchId?, layout: CardId[3]}`",
        "Places cards for good. Answered with `confirm_ok`, or with `error_msg` and the code \
         `invalid_layout`, in which case the player still counts as present; `unknown_match` \
         if `matchId` names another match.",
    ),
];

/// A parsed event from an old client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientEvent {
    /// Identifies the client.
    Hello {
        /// The client's name for its tab, which grants no rights.
        session_id: String,
        /// The account's token.
        token: String,
    },
    /// Joins the queue.
    QueueJoin,
    /// Leaves the queue.
    QueueLeave,
    /// Starts a match against the bot.
    PveStart,
    /// Places cards for now.
    Draft {
        /// The match, if the client names one.
        match_id: Option<String>,
        /// The slots; `None` if the payload is not a list of slots.
        slots: Option<Vec<Asked>>,
    },
    /// Places cards for good.
    Confirm {
        /// The match, if the client names one.
        match_id: Option<String>,
        /// The slots; `None` if the payload is not a list of slots.
        slots: Option<Vec<Asked>>,
    },
}

/// The reason why an event could not be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// No event has this name.
    UnknownEvent,
    /// The `hello` lacks a usable `sessionId` or `authToken`.
    Unauthorized,
    /// The layout's `matchId` cannot be the id of a match.
    Malformed,
}

impl ClientEvent {
    /// Parses an event. A malformed layout is left to the session, because even a refused one may
    /// show that its player is present.
    pub fn read(name: &str, payload: Option<&RawValue>) -> Result<ClientEvent, Unreadable> {
        match name {
            "hello" => read_hello(payload),
            "queue_join" => Ok(ClientEvent::QueueJoin),
            "queue_leave" => Ok(ClientEvent::QueueLeave),
            "pve_start" => Ok(ClientEvent::PveStart),
            "layout_draft" => {
                let (match_id, slots) = read_laid(payload)?;
                Ok(ClientEvent::Draft { match_id, slots })
            }
            "layout_confirm" => {
                let (match_id, slots) = read_laid(payload)?;
                Ok(ClientEvent::Confirm { match_id, slots })
            }
            _ => Err(Unreadable::UnknownEvent),
        }
    }
}

fn read_hello(payload: Option<&RawValue>) -> Result<ClientEvent, Unreadable> {
    let payload = value(payload);
    let text = |key: &str, bytes_max: usize| {
        let text = payload.get(key).and_then(Value::as_str);
        let usable = text.filter(|text| !text.is_empty() && text.len() <= bytes_max);
        usable.map(str::to_owned).ok_or(Unreadable::Unauthorized)
    };
    Ok(ClientEvent::Hello {
        session_id: text("sessionId", SESSION_ID_BYTES_MAX)?,
        token: text("authToken", TOKEN_BYTES_MAX)?,
    })
}

type Laid = (Option<String>, Option<Vec<Asked>>);

fn read_laid(payload: Option<&RawValue>) -> Result<Laid, Unreadable> {
    let payload = value(payload);
    let match_id = match payload.get("matchId") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if id.len() <= MATCH_ID_BYTES_MAX => Some(id.clone()),
        Some(_) => return Err(Unreadable::Malformed),
    };
    let layout = payload.get("layout").and_then(Value::as_array);
    Ok((match_id, layout.and_then(|items| read_slots(items))))
}

fn read_slots(items: &[Value]) -> Option<Vec<Asked>> {
    // A value that is not a string names no card; neither does an empty string.
    let name = |item: &Value| match item {
        Value::Null => None,
        other => Some(other.as_str().unwrap_or_default().to_owned()),
    };
    let names: Vec<Option<String>> = items.iter().map(name).collect();
    let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
    read_cards(&names)
}

/// The parsed payload; `null` if there is none.
fn value(payload: Option<&RawValue>) -> Value {
    let parsed = payload.and_then(|raw| serde_json::from_str(raw.get()).ok());
    parsed.unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use catalog::orcain::Card;

    use super::*;

    fn read(name: &str, payload: &str) -> Result<ClientEvent, Unreadable> {
        let raw: Option<&RawValue> =
            (!payload.is_empty()).then(|| serde_json::from_str(payload).unwrap());
        ClientEvent::read(name, raw)
    }

    fn draft(slots: Option<Vec<Asked>>) -> Result<ClientEvent, Unreadable> {
        Ok(ClientEvent::Draft {
            match_id: None,
            slots,
        })
    }

    #[test]
    fn a_hello_without_usable_fields_is_unauthorized() {
        let long = format!(r#"{{"sessionId":"s","authToken":"{}"}}"#, "t".repeat(257));
        for payload in [
            "",
            "null",
            "7",
            "[]",
            "{}",
            r#"{"sessionId":"s"}"#,
            r#"{"sessionId":"","authToken":"t"}"#,
            r#"{"sessionId":1,"authToken":"t"}"#,
            r#"{"sessionId":"s","authToken":null}"#,
            &long,
        ] {
            assert_eq!(
                read("hello", payload),
                Err(Unreadable::Unauthorized),
                "{payload}"
            );
        }
        let hello = read(
            "hello",
            r#"{"sessionId":"BOT","authToken":"t","extra":[1]}"#,
        );
        let (session_id, token) = ("BOT".to_owned(), "t".to_owned());
        assert_eq!(hello, Ok(ClientEvent::Hello { session_id, token }));
    }

    #[test]
    fn a_layout_is_read_slot_by_slot() {
        let slots = vec![Ok(Some(Card::Attack)), Ok(None), Err(())];
        for third in ["\"GRASS\"", "7", "{}", "\"\"", "\"Attack\"", "[null]"] {
            let payload = format!(r#"{{"layout":["attack",null,{third}]}}"#);
            assert_eq!(
                read("layout_draft", &payload),
                draft(Some(slots.clone())),
                "{third}"
            );
        }
    }

    #[test]
    fn a_malformed_layout_is_left_to_the_session() {
        for payload in [
            "",
            "null",
            "\"attack\"",
            "[]",
            "{}",
            r#"{"layout":null}"#,
            r#"{"layout":{"0":"attack"}}"#,
            r#"{"layout":[null,null,null,null,null]}"#,
            r#"{"matchId":null}"#,
        ] {
            assert_eq!(read("layout_draft", payload), draft(None), "{payload}");
        }
        let confirm = ClientEvent::Confirm {
            match_id: Some("m".to_owned()),
            slots: Some(Vec::new()),
        };
        let read = |payload: &str| read("layout_confirm", payload);
        assert_eq!(read(r#"{"matchId":"m","layout":[]}"#), Ok(confirm));
        assert_eq!(
            read(r#"{"matchId":7,"layout":[]}"#),
            Err(Unreadable::Malformed)
        );
    }

    #[test]
    fn only_the_listed_events_are_known() {
        for (name, _, _) in CLIENT_EVENTS {
            let payload = r#"{"sessionId":"s","authToken":"t"}"#;
            assert!(read(name, payload).is_ok(), "{name}");
        }
        for name in ["", "connect", "Hello", "match_end", "hello "] {
            assert_eq!(read(name, "{}"), Err(Unreadable::UnknownEvent));
        }
    }
}
