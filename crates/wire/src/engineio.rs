//! Engine.IO 4 below [`socketio`](crate::socketio): what a client is told when it opens a
//! connection, how packets share the body of a request, how a client moves from HTTP to
//! WebSocket, and how requests are refused.
//!
//! ```
//! use wire::engineio::{SEPARATOR, packets};
//!
//! let body = format!("40{SEPARATOR}42[\"queue_join\"]");
//! assert!(packets(&body).eq(["40", "42[\"queue_join\"]"]));
//! ```

use serde::Serialize;

/// The server closes the connection.
pub const CLOSE: &str = "1";

/// The server's heartbeat; a client answers it with [`Packet::Pong`](crate::socketio::Packet).
pub const PING: &str = "2";

/// Nothing, as the answer to a poll that is to end.
pub const NOOP: &str = "6";

/// A client's first packet over a WebSocket that is to replace its polls.
pub const PROBE: &str = "2probe";

/// The server's answer to it.
pub const PROBED: &str = "3probe";

/// The client polls no more: from here on the WebSocket carries everything.
pub const UPGRADE: &str = "5";

/// The mark between two packets in the body of a request or an answer.
pub const SEPARATOR: char = '\u{1e}';

/// The packets of a body. A body without a separator is one packet, even if it is empty.
pub fn packets(body: &str) -> impl Iterator<Item = &str> {
    body.split(SEPARATOR)
}

/// The server's first packet: the terms of the connection.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Open<'a> {
    /// The secret name of the connection.
    pub sid: &'a str,
    /// The transports that the client may move to.
    pub upgrades: &'a [&'a str],
    /// How often the server sends its heartbeat, in milliseconds.
    pub ping_interval: u64,
    /// How long the client may take to answer it, in milliseconds.
    pub ping_timeout: u64,
    /// The most bytes of a message, and of the body of a request.
    pub max_payload: usize,
}

impl Open<'_> {
    /// The packet.
    pub fn write(&self) -> String {
        // Texts and numbers: none of it fails.
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("0{json}")
    }
}

/// Why a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such transport.
    UnknownTransport,
    /// There is no such connection, or none any more.
    UnknownSid,
    /// A connection is opened with GET.
    BadHandshakeMethod,
    /// The request fits neither the transport nor the connection.
    BadRequest,
    /// Pages of this origin may not connect.
    Forbidden,
    /// Only version 4 is spoken here.
    UnsupportedVersion,
}

impl Refusal {
    /// Every refusal, by code.
    pub const ALL: [Refusal; 6] = [
        Refusal::UnknownTransport,
        Refusal::UnknownSid,
        Refusal::BadHandshakeMethod,
        Refusal::BadRequest,
        Refusal::Forbidden,
        Refusal::UnsupportedVersion,
    ];

    /// The number that official clients and servers use.
    pub const fn code(self) -> u8 {
        match self {
            Refusal::UnknownTransport => 0,
            Refusal::UnknownSid => 1,
            Refusal::BadHandshakeMethod => 2,
            Refusal::BadRequest => 3,
            Refusal::Forbidden => 4,
            Refusal::UnsupportedVersion => 5,
        }
    }

    /// The words of the official server.
    pub const fn message(self) -> &'static str {
        match self {
            Refusal::UnknownTransport => "Transport unknown",
            Refusal::UnknownSid => "Session ID unknown",
            Refusal::BadHandshakeMethod => "Bad handshake method",
            Refusal::BadRequest => "Bad request",
            Refusal::Forbidden => "Forbidden",
            Refusal::UnsupportedVersion => "Unsupported protocol version",
        }
    }

    /// When it is given.
    pub const fn meaning(self) -> &'static str {
        match self {
            Refusal::UnknownTransport => "`transport` is neither `polling` nor `websocket`.",
            Refusal::UnknownSid => "There is no connection with this `sid`, or it is over.",
            Refusal::BadHandshakeMethod => "A connection is opened with GET.",
            Refusal::BadRequest => {
                "A second poll while one is open, a method other than GET and POST, a body that \
                 is no text, or `transport=websocket` without the handshake of WebSocket."
            }
            Refusal::Forbidden => {
                "The operator does not list the page's origin; the status is 403."
            }
            Refusal::UnsupportedVersion => "`EIO` is not 4.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_are_what_the_official_client_expects() {
        let mut open = Open {
            sid: "s",
            upgrades: &["websocket"],
            ping_interval: 25_000,
            ping_timeout: 20_000,
            max_payload: 4_096,
        };
        assert_eq!(
            open.write(),
            r#"0{"sid":"s","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"maxPayload":4096}"#
        );
        open.upgrades = &[];
        assert!(open.write().contains(r#""upgrades":[]"#));
    }

    #[test]
    fn packets_stand_between_separators() {
        for (body, expected) in [
            ("", &[""][..]),
            ("2", &["2"]),
            ("3\u{1e}42[\"a\"]", &["3", "42[\"a\"]"]),
            ("\u{1e}", &["", ""]),
            ("40\u{1e}", &["40", ""]),
        ] {
            assert!(packets(body).eq(expected.iter().copied()), "{body:?}");
        }
    }

    #[test]
    fn refusals_are_listed_by_their_codes() {
        let codes = Refusal::ALL.map(Refusal::code);
        assert_eq!(codes, [0, 1, 2, 3, 4, 5]);
    }
}
