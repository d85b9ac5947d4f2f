//! Engine.IO 4, the layer below [`socketio`](crate::socketio): the handshake, the packets in the
//! body of a request, the upgrade from HTTP to WebSocket, and the refusals.
//!
//! ```
//! use wire::engineio::{SEPARATOR, packets};
//!
//! let body = format!("40{SEPARATOR}42[\"queue_join\"]");
//! assert!(packets(&body).eq(["40", "42[\"queue_join\"]"]));
//! ```

use serde::Serialize;

/// Closes the connection.
pub const CLOSE: &str = "1";

/// The server's heartbeat; a client answers it with [`Packet::Pong`](crate::socketio::Packet).
pub const PING: &str = "2";

/// An empty answer that ends a poll.
pub const NOOP: &str = "6";

/// A client's first packet over a WebSocket that will replace its polls.
pub const PROBE: &str = "2probe";

/// The server's answer to [`PROBE`].
pub const PROBED: &str = "3probe";

/// The client has stopped polling: from here on the WebSocket carries everything.
pub const UPGRADE: &str = "5";

/// The separator between two packets in the body of a request or a response.
pub const SEPARATOR: char = '\u{1e}';

/// The packets of a body. A body without a separator is one packet, even if it is empty.
pub fn packets(body: &str) -> impl Iterator<Item = &str> {
    body.split(SEPARATOR)
}

/// The server's first packet: the terms of the connection.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Open<'a> {
    /// The id of the connection, which is a secret.
    pub sid: &'a str,
    /// The transports to which the client may upgrade.
    pub upgrades: &'a [&'a str],
    /// The interval between the server's heartbeats, in milliseconds.
    pub ping_interval: u64,
    /// The time that the client has to answer a heartbeat, in milliseconds.
    pub ping_timeout: u64,
    /// The maximum size of a message and of the body of a request, in bytes.
    pub max_payload: usize,
}

impl Open<'_> {
    /// The text of the packet.
    pub fn write(&self) -> String {
        // Serializing strings and numbers cannot fail.
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("0{json}")
    }
}

/// The reason why a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The transport does not exist.
    UnknownTransport,
    /// The connection does not exist, or has ended.
    UnknownSid,
    /// The handshake did not use GET.
    BadHandshakeMethod,
    /// The request does not fit the transport or the connection.
    BadRequest,
    /// Pages of this origin must not connect.
    Forbidden,
    /// The client does not speak version 4.
    UnsupportedVersion,
}

impl Refusal {
    /// Every refusal, in the order of the codes.
    pub const ALL: [Refusal; 6] = [
        Refusal::UnknownTransport,
        Refusal::UnknownSid,
        Refusal::BadHandshakeMethod,
        Refusal::BadRequest,
        Refusal::Forbidden,
        Refusal::UnsupportedVersion,
    ];

    /// The code that the official clients and servers use.
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

    /// The message of the official server.
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

    /// One sentence for the docs that says when it is sent.
    pub const fn meaning(self) -> &'static str {
        match self {
            Refusal::UnknownTransport => "`transport` is neither `polling` nor `websocket`.",
            Refusal::UnknownSid => "There is no connection with this `sid`, or it has ended.",
            Refusal::BadHandshakeMethod => "A connection must be opened with GET.",
            Refusal::BadRequest => {
                "A second poll while one is open, a method other than GET and POST, a body that \
                 is not text, or `transport=websocket` without a WebSocket handshake."
            }
            Refusal::Forbidden => {
                "The operator does not allow the page's origin. The status is 403."
            }
            Refusal::UnsupportedVersion => "`EIO` is not 4.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_open_packet_is_what_the_official_client_expects() {
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
    fn packets_are_split_at_separators() {
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
    fn refusals_are_listed_in_the_order_of_their_codes() {
        let codes = Refusal::ALL.map(Refusal::code);
        assert_eq!(codes, [0, 1, 2, 3, 4, 5]);
    }
}
