//! The subset of Socket.IO that old clients speak: Engine.IO 4 and Socket.IO 5 in text messages, on
//! the default namespace, without attachments.
//!
//! ```
//! use wire::socketio::{Packet, event_frame};
//!
//! let text = event_frame("queue_ok", &serde_json::json!({"tokens": 9}));
//! assert_eq!(text, r#"42["queue_ok",{"tokens":9}]"#);
//! let Ok(Packet::Event { name, payload, .. }) = Packet::read(&text) else {
//!     panic!("an event");
//! };
//! assert_eq!((name.as_ref(), payload.unwrap().get()), ("queue_ok", r#"{"tokens":9}"#));
//! ```

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::Misread;
use crate::limits::{malformed, measure};

/// The server leaves the namespace. An official client does not reconnect automatically after that.
pub const DISCONNECT: &str = "41";

/// The highest number of an acknowledgement: the largest integer that JavaScript represents
/// exactly.
pub const ACK_ID_MAX: u64 = (1 << 53) - 1;

/// One packet from a client.
#[derive(Clone, Debug)]
pub enum Packet<'a> {
    /// The client closes the transport.
    Close,
    /// A client's ping, with the text that the answer must repeat.
    Ping(&'a str),
    /// The answer to the server's ping.
    Pong,
    /// The last packet of an upgrade, although none is under way.
    Upgrade,
    /// A packet without meaning.
    Noop,
    /// The client enters the default namespace.
    Connect,
    /// The client leaves the default namespace.
    Disconnect,
    /// An event of the application.
    Event {
        /// The name of the event.
        name: Cow<'a, str>,
        /// The first argument; further ones are ignored.
        payload: Option<&'a RawValue>,
        /// The number of the acknowledgement that the client wants, if it wants one.
        ack: Option<u64>,
    },
    /// An acknowledgement, although the server never asks for one.
    Ack,
    /// The client enters a namespace that does not exist.
    ForeignConnect(&'a str),
    /// Any other packet for a namespace that does not exist.
    ForeignNamespace,
}

impl Packet<'_> {
    /// Parses one text message; never panics.
    pub fn read(text: &str) -> Result<Packet<'_>, Misread> {
        measure(text)?;
        let (kind, rest) = first_char(text)?;
        match kind {
            '1' => Ok(Packet::Close),
            '2' => Ok(Packet::Ping(rest)),
            '3' => Ok(Packet::Pong),
            '4' => read_message(rest),
            '5' => Ok(Packet::Upgrade),
            '6' => Ok(Packet::Noop),
            'b' => Err(Misread::Unsupported("binary packets")),
            _ => Err(no_packet(
                "no Engine.IO packet from a client begins like this",
            )),
        }
    }
}

/// The packet that admits a client to the default namespace.
pub fn connected_frame(sid: &str) -> String {
    #[derive(Serialize)]
    struct Connected<'a> {
        sid: &'a str,
    }
    frame("40", &Connected { sid })
}

/// The packet that refuses a client a namespace, whose name begins with a slash.
pub fn no_such_namespace_frame(namespace: &str) -> String {
    #[derive(Serialize)]
    struct Refused<'a> {
        message: &'a str,
    }
    let message = "Invalid namespace";
    frame(&format!("44{namespace},"), &Refused { message })
}

/// The packet of an event with a payload.
pub fn event_frame(name: &str, payload: &impl Serialize) -> String {
    frame("42", &(name, payload))
}

/// The packet of an event without a payload.
pub fn bare_event_frame(name: &str) -> String {
    frame("42", &[name])
}

/// The acknowledgement of the event with this number.
pub fn ack_frame(id: u64) -> String {
    format!("43{id}[]")
}

/// Serializing strings, numbers and lists of them cannot fail.
fn frame(prefix: &str, payload: &impl Serialize) -> String {
    let json = serde_json::to_string(payload).unwrap_or_default();
    format!("{prefix}{json}")
}

fn read_message(text: &str) -> Result<Packet<'_>, Misread> {
    let (kind, rest) = first_char(text)?;
    if matches!(kind, '5' | '6') {
        return Err(Misread::Unsupported("binary packets"));
    }
    if !matches!(kind, '0'..='3') {
        return Err(no_packet(
            "no Socket.IO packet from a client begins like this",
        ));
    }
    let (namespace, rest) = split_namespace(rest);
    if namespace != "/" {
        return Ok(match kind {
            '0' => Packet::ForeignConnect(namespace),
            _ => Packet::ForeignNamespace,
        });
    }
    let (ack, rest) = ack_id(rest)?;
    match kind {
        '0' => read_connect(rest),
        '1' => Ok(Packet::Disconnect),
        '2' => read_event(ack, rest),
        _ => Ok(Packet::Ack),
    }
}

/// The namespace, without its optional query, and the text after it. Packets for the default
/// namespace need not name it.
fn split_namespace(text: &str) -> (&str, &str) {
    if !text.starts_with('/') {
        return ("/", text);
    }
    let (name, rest) = text.split_once(',').unwrap_or((text, ""));
    (name.split_once('?').map_or(name, |(name, _)| name), rest)
}

fn ack_id(text: &str) -> Result<(Option<u64>, &str), Misread> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    if rest.starts_with('-') && !digits.is_empty() {
        return Err(Misread::Unsupported("attachments"));
    }
    if digits.is_empty() {
        return Ok((None, rest));
    }
    let id = digits.parse().ok().filter(|id| *id <= ACK_ID_MAX);
    let id = id.ok_or_else(|| no_packet("the number of the acknowledgement is too large"))?;
    Ok((Some(id), rest))
}

/// A client may send an object to authenticate itself. Here `hello` does that, so the object is
/// ignored.
fn read_connect(text: &str) -> Result<Packet<'_>, Misread> {
    if !text.is_empty() {
        let auth: Result<serde_json::Map<String, serde_json::Value>, _> =
            serde_json::from_str(text);
        auth.map_err(|error| malformed(&error))?;
    }
    Ok(Packet::Connect)
}

fn read_event(ack: Option<u64>, text: &str) -> Result<Packet<'_>, Misread> {
    let Args { name, payload } = serde_json::from_str(text).map_err(|error| malformed(&error))?;
    Ok(Packet::Event { name, payload, ack })
}

/// The name of an event and its first argument.
struct Args<'a> {
    name: Cow<'a, str>,
    payload: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Args<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Args<'a>, D::Error> {
        deserializer.deserialize_seq(ArgsVisitor)
    }
}

struct ArgsVisitor;

impl<'de> Visitor<'de> for ArgsVisitor {
    type Value = Args<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of an event's name and its payload")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut args: A) -> Result<Args<'de>, A::Error> {
        let name: Option<Text<'de>> = args.next_element()?;
        let Text(name) = name.ok_or_else(|| serde::de::Error::invalid_length(0, &self))?;
        let payload = args.next_element()?;
        while args.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Args { name, payload })
    }
}

/// A string that is borrowed if it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn first_char(text: &str) -> Result<(char, &str), Misread> {
    let mut chars = text.chars();
    let first = chars.next().ok_or_else(|| no_packet("it is empty"))?;
    Ok((first, chars.as_str()))
}

fn no_packet(what: &str) -> Misread {
    Misread::Malformed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders the parsed packet in one line.
    fn shown(text: &str) -> String {
        match Packet::read(text) {
            Ok(Packet::Event { name, payload, ack }) => {
                let payload = payload.map_or("nothing", RawValue::get);
                format!("{name} {payload} {ack:?}")
            }
            Ok(packet) => format!("{packet:?}"),
            Err(misread) => misread.code().to_owned(),
        }
    }

    fn check(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }

    #[test]
    fn packets_of_the_official_client_are_parsed() {
        check(&[
            ("3", "Pong"),
            ("40", "Connect"),
            (r#"40{"token":"x"}"#, "Connect"),
            ("40/,", "Connect"),
            ("41", "Disconnect"),
            (r#"42["queue_join"]"#, "queue_join nothing None"),
            (
                r#"42["hello",{"sessionId":"a"}]"#,
                r#"hello {"sessionId":"a"} None"#,
            ),
            (r#"42/,["hello",null]"#, "hello null None"),
            (r#"4217["hello",1,2,[3]]"#, "hello 1 Some(17)"),
            (r#"42["\u0068ello"]"#, "hello nothing None"),
            (r#"42["приве́т",{"Ж":"🜛"}]"#, r#"приве́т {"Ж":"🜛"} None"#),
            ("43[]", "Ack"),
            ("437[1]", "Ack"),
            ("1", "Close"),
            ("2probe", r#"Ping("probe")"#),
            ("5", "Upgrade"),
            ("6", "Noop"),
        ]);
    }

    #[test]
    fn foreign_namespaces_are_recognized() {
        check(&[
            ("40/admin,", r#"ForeignConnect("/admin")"#),
            (
                r#"40/admin?x=1,{"token":"a"}"#,
                r#"ForeignConnect("/admin")"#,
            ),
            (r#"42/admin,["hello"]"#, "ForeignNamespace"),
            ("40/админ", r#"ForeignConnect("/админ")"#),
            ("41/admin", "ForeignNamespace"),
        ]);
    }

    #[test]
    fn an_invalid_packet_is_refused_with_a_code() {
        let deep = format!("42[\"x\",{}{}]", "[".repeat(9), "]".repeat(9));
        let long = format!("42[\"x\",\"{}\"]", "y".repeat(4_096));
        check(&[
            ("", "malformed_message"),
            ("0", "malformed_message"),
            ("4", "malformed_message"),
            ("7", "malformed_message"),
            ("é2", "malformed_message"),
            ("4é", "malformed_message"),
            ("47", "malformed_message"),
            ("44{}", "malformed_message"),
            ("40[]", "malformed_message"),
            ("40x", "malformed_message"),
            ("42", "malformed_message"),
            ("42{}", "malformed_message"),
            ("42[]", "malformed_message"),
            ("42[7]", "malformed_message"),
            (r#"42["hello""#, "malformed_message"),
            (r#"42["hello"]x"#, "malformed_message"),
            (r#"42-["hello"]"#, "malformed_message"),
            (r#"4299999999999999999999["hello"]"#, "malformed_message"),
            (r#"429007199254740992["hello"]"#, "malformed_message"),
            (
                r#"451-["hello",{"_placeholder":true,"num":0}]"#,
                "unsupported_message",
            ),
            (r#"421-["hello"]"#, "unsupported_message"),
            ("461-[]", "unsupported_message"),
            ("bAQID", "unsupported_message"),
            (&deep, "message_too_deep"),
            (&long, "message_too_long"),
        ]);
    }

    #[test]
    fn packets_of_the_server_are_what_the_official_client_expects() {
        assert_eq!(connected_frame("s"), r#"40{"sid":"s"}"#);
        assert_eq!(
            no_such_namespace_frame("/admin"),
            r#"44/admin,{"message":"Invalid namespace"}"#
        );
        assert_eq!(bare_event_frame("queue_left"), r#"42["queue_left"]"#);
        assert_eq!(ack_frame(3), "433[]");
    }

    #[test]
    fn cutting_a_frame_anywhere_never_panics() {
        let whole = r#"42/,17["приве́т",{"Ж":["🜛",null]},1]"#;
        for (at, _) in whole.char_indices() {
            let _ = Packet::read(&whole[..at]);
            let _ = Packet::read(&whole[at..]);
        }
    }
}
