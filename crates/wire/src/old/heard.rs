//! What an old client says.

use catalog::orcain::{Asked, read_cards};
use serde_json::Value;
use serde_json::value::RawValue;

/// The longest name that a client may give its tab.
pub const SESSION_ID_BYTES_MAX: usize = 128;

/// The longest token that is looked at.
pub const TOKEN_BYTES_MAX: usize = 256;

/// The longest name of a match that is looked at.
const MATCH_ID_BYTES_MAX: usize = 64;

/// The events of old clients with their payloads, for the documents.
pub const HEARD: &[(&str, &str, &str)] = &[
    (
        "hello",
        "`{sessionId, authToken}`",
        "Who is there: first, and after every reconnect. Without a known token it is answered \
         with `error_msg {message: \"Unauthorized\"}`. `sessionId` only names a tab: the seat \
         belongs to the account.",
    ),
    (
        "queue_join",
        "none",
        "Wait for an opponent with the standard stake; answered with `queue_ok`.",
    ),
    (
        "queue_leave",
        "none",
        "Wait no more; always answered with `queue_left`.",
    ),
    (
        "pve_start",
        "none",
        "Play against the bot, without a stake.",
    ),
    (
        "layout_draft",
        "`{matchId?, layout: (CardId | null)[3]}`",
        "Lay out cards for now. Never answered; what the hand does not have becomes an empty \
         slot.",
    ),
    (
        "layout_confirm",
        "`{matchId?, layout: CardId[3]}`",
        "Lay out cards for good; answered with `confirm_ok`, or with `error_msg` and the code \
         `invalid_layout`, which counts as being there; `unknown_match` if `matchId` names \
         another match.",
    ),
];

/// What an old client says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Who is there.
    Hello {
        /// The client's name for its tab; it gives no right to anything.
        session_id: String,
        /// The account's token.
        token: String,
    },
    /// Wait for an opponent.
    QueueJoin,
    /// Wait no more.
    QueueLeave,
    /// Play against the bot.
    PveStart,
    /// Lay out cards for now.
    Draft {
        /// In which match, if it says so.
        match_id: Option<String>,
        /// The slots; nothing when they are no list of slots.
        slots: Option<Vec<Asked>>,
    },
    /// Lay out cards for good.
    Confirm {
        /// In which match, if it says so.
        match_id: Option<String>,
        /// The slots; nothing when they are no list of slots.
        slots: Option<Vec<Asked>>,
    },
}

/// Why an event was not understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unheard {
    /// There is no event of this name.
    UnknownEvent,
    /// A `hello` without a usable name and token.
    Unauthorized,
    /// A layout for a match that cannot be the name of one.
    Malformed,
}

impl Heard {
    /// Understands an event. A layout of a wrong form is for the session to judge, because
    /// even a refused one may show that its player is there.
    pub fn read(name: &str, payload: Option<&RawValue>) -> Result<Heard, Unheard> {
        match name {
            "hello" => read_hello(payload),
            "queue_join" => Ok(Heard::QueueJoin),
            "queue_leave" => Ok(Heard::QueueLeave),
            "pve_start" => Ok(Heard::PveStart),
            "layout_draft" => {
                let (match_id, slots) = read_laid(payload)?;
                Ok(Heard::Draft { match_id, slots })
            }
            "layout_confirm" => {
                let (match_id, slots) = read_laid(payload)?;
                Ok(Heard::Confirm { match_id, slots })
            }
            _ => Err(Unheard::UnknownEvent),
        }
    }
}

fn read_hello(payload: Option<&RawValue>) -> Result<Heard, Unheard> {
    let payload = value(payload);
    let text = |key: &str, bytes_max: usize| {
        let text = payload.get(key).and_then(Value::as_str);
        let usable = text.filter(|text| !text.is_empty() && text.len() <= bytes_max);
        usable.map(str::to_owned).ok_or(Unheard::Unauthorized)
    };
    Ok(Heard::Hello {
        session_id: text("sessionId", SESSION_ID_BYTES_MAX)?,
        token: text("authToken", TOKEN_BYTES_MAX)?,
    })
}

type Laid = (Option<String>, Option<Vec<Asked>>);

fn read_laid(payload: Option<&RawValue>) -> Result<Laid, Unheard> {
    let payload = value(payload);
    let match_id = match payload.get("matchId") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if id.len() <= MATCH_ID_BYTES_MAX => Some(id.clone()),
        Some(_) => return Err(Unheard::Malformed),
    };
    let layout = payload.get("layout").and_then(Value::as_array);
    Ok((match_id, layout.and_then(|items| read_slots(items))))
}

fn read_slots(items: &[Value]) -> Option<Vec<Asked>> {
    // What is no text names no card; neither does an empty text.
    let name = |item: &Value| match item {
        Value::Null => None,
        other => Some(other.as_str().unwrap_or_default().to_owned()),
    };
    let names: Vec<Option<String>> = items.iter().map(name).collect();
    let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
    read_cards(&names)
}

/// The payload as a value; nothing at all is as good as `null`.
fn value(payload: Option<&RawValue>) -> Value {
    let parsed = payload.and_then(|raw| serde_json::from_str(raw.get()).ok());
    parsed.unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use catalog::orcain::Card;

    use super::*;

    fn read(name: &str, payload: &str) -> Result<Heard, Unheard> {
        let raw: Option<&RawValue> =
            (!payload.is_empty()).then(|| serde_json::from_str(payload).unwrap());
        Heard::read(name, raw)
    }

    fn draft(slots: Option<Vec<Asked>>) -> Result<Heard, Unheard> {
        Ok(Heard::Draft {
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
                Err(Unheard::Unauthorized),
                "{payload}"
            );
        }
        let hello = read(
            "hello",
            r#"{"sessionId":"BOT","authToken":"t","extra":[1]}"#,
        );
        let (session_id, token) = ("BOT".to_owned(), "t".to_owned());
        assert_eq!(hello, Ok(Heard::Hello { session_id, token }));
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
    fn a_layout_of_a_wrong_form_is_left_to_the_session() {
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
        let confirm = Heard::Confirm {
            match_id: Some("m".to_owned()),
            slots: Some(Vec::new()),
        };
        let read = |payload: &str| read("layout_confirm", payload);
        assert_eq!(read(r#"{"matchId":"m","layout":[]}"#), Ok(confirm));
        assert_eq!(
            read(r#"{"matchId":7,"layout":[]}"#),
            Err(Unheard::Malformed)
        );
    }

    #[test]
    fn only_the_names_of_the_list_are_known() {
        for (name, _, _) in HEARD {
            let payload = r#"{"sessionId":"s","authToken":"t"}"#;
            assert!(read(name, payload).is_ok(), "{name}");
        }
        for name in ["", "connect", "Hello", "match_end", "hello "] {
            assert_eq!(read(name, "{}"), Err(Unheard::UnknownEvent));
        }
    }
}
