//! `docs/protocol.md`, made of the message types.

mod games;
mod shape;

use std::fmt::Write;

use catalog::{GameName, with_game};
use schemars::Schema;
use serde_json::Value;
use session::Live;

use crate::codes::{ACK_CODES, CloseCode, ErrorCode};
use crate::engineio::Refusal;
use crate::native::PROTOCOL;
use crate::old::{EVENTS, HEARD};
use crate::schema::{client_schema, named, server_schema};
use crate::{DEPTH_MAX, MESSAGE_BYTES_MAX};
use shape::{field_table, variants, write_definitions};

/// The whole document.
pub fn protocol() -> String {
    let client = client_schema(&GameName::ALL);
    let server = server_schema(&GameName::ALL);
    let mut text = opening();
    text.push_str("\n## What a client says\n\n");
    write_messages(&mut text, &client);
    text.push_str("## What the server says\n\n");
    write_messages(&mut text, &server);
    text.push_str("## Types\n\n");
    let of_games = games::definitions();
    let is_shared = |name: &str| !of_games.contains_key(name);
    write_definitions(
        &mut text,
        &[client.as_value(), server.as_value()],
        is_shared,
    );
    games::write(&mut text);
    text.push_str(RESUMING);
    write_codes(&mut text);
    write_old_events(&mut text);
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn opening() -> String {
    format!(
        "# Protocol

<!-- Written by `cargo xtask codegen` from the types in `crates/wire`: change those. -->

There are two ways to talk to a match, both with text messages:

- **Referee's own protocol**, version {PROTOCOL}, over WebSocket at `/ws`: one JSON object per message,
  told apart by its `type`. It is for every game.
- **Orcain's old events** in the framing of Socket.IO, over WebSocket or HTTP long-polling at
  `/socket.io/`: for clients that were written before Referee. See [below](#orcains-old-events).

`referee schema protocol-client` and `referee schema protocol-server` print the JSON Schemas
(Draft 2020-12) of all that either side says, in every game. With `--game NAME` they are those of one
game: there, a field that differs between games has one schema. The decisions, views and events of
each game are described [below](#games).

[`docs/examples/schema_client.py`](examples/schema_client.py) is a client that knows no game: it plays
any of them by these schemas and by what the server sends it, and validates every message in both
directions. It needs Python 3.11 and two packages:

```sh
pip install -r docs/examples/requirements.txt
mkdir schemas
referee schema protocol-client > schemas/protocol-client.json
referee schema protocol-server > schemas/protocol-server.json
python docs/examples/schema_client.py --server http://127.0.0.1:8080 --game catan --schemas schemas
```

## Limits

| what | limit |
| --- | --- |
| a message from a client | {MESSAGE_BYTES_MAX} bytes |
| how deep its lists and objects nest | {DEPTH_MAX} |
| binary messages | none: the connection is closed with {unsupported} |

A message that cannot be read is answered with an `error` and changes nothing. Unknown
fields are refused, so that a misspelt one is not passed over; a client, on the other hand,
must pass over fields and message types that it does not know.

## A connection

1. The client opens `/ws` and sends `hello`, with a ticket (browsers: `POST /auth/ticket`) or
   a token. Anything else before it is refused as `not_hello`.
2. The server answers `welcome`, before anything about matches. If the account sits in a match,
   the welcome names it, `match_found` with `resumed: true` follows, and then messages of that
   match; or its `match_end`, or `left`, if that happens at this moment. The same `hello` may be
   said again over the same socket, and is answered in the same way.
3. The client joins a queue, takes an invitation or plays a bot; `match_found` begins a match.
   An account may be here over several connections. What is asked for over one begins over that
   one; a match goes on over the connection that said `hello` last, and the one before it is
   closed. When that one is lost and a newer one is here, the newer one hears `match_found`.
4. Within a match the server sends `match` messages: first where the match stands
   (`standing`), then `news`. Decisions go as `ask`, with a number `seq` that rises by one.
   The answer (`ack`) comes once the decision is stored durably: what was acknowledged is
   never lost. A message sent twice is done once.
5. `match_end` is the last word on a match: settled, with the seed behind the promise that
   `match_found` made. Who was told `match_found`, once or again, hears it exactly once after the
   last of them, unless `left` came or the connection ended before. Spectators hear it too; who
   plays and watches over one connection hears it as both.

All times are milliseconds since 1970 by the server's clock; `now_ms` tells a client how far
its own is off. A decision counts if the server received it at the deadline or before.

Before both sides are turned over, nothing that a client is sent depends on what the other
side has laid out, or whether it has.
",
        unsupported = CloseCode::Unsupported.number()
    )
}

const RESUMING: &str = "## Coming back

Every `news` of a match has a `version`; for each viewer they rise by one without gaps. A
client that was away sends `hello` with `resume`: the match, the last version it saw, and the
lowest `seq` that has no answer (or the next one it will use). It gets every later `news`,
then a `standing`, and may send unanswered messages again under their old numbers: they are
done once. A `gap` says that a message before the last one is missing, and which is expected.

A newer connection of the same account takes the seat over; the older one is closed with
4001. How long a match stands still for somebody whose connection was lost is
`clock.grace_ms` of `match_found`: with 0, losing the last connection loses the match.

A match that the server itself had to take up anew is told over the same connection: another
`match_found` with `resumed: true`, then a `standing`. What had no answer by then may be lost;
it is sent again from `next_seq` on.

";

fn write_messages(text: &mut String, schema: &Schema) {
    let root = schema.as_value();
    for (name, about, fields) in variants(root, root) {
        let _ = writeln!(text, "### `{name}`\n\n{about}\n");
        text.push_str(&field_table(&fields));
    }
}

fn write_codes(text: &mut String) {
    text.push_str("## Codes\n\n### Errors\n\nThe `code` of an `error`. Nothing was changed.\n\n");
    let errors = ErrorCode::ALL.iter().map(|it| (it.code(), it.sentence()));
    write_code_table(text, errors);
    text.push_str(
        "### Answers\n\nThe `code` of an `ack`, when a message was not taken as it came. In every \
         game:\n\n",
    );
    write_code_table(text, ACK_CODES.iter().copied());
    for game in GameName::ALL {
        let _ = writeln!(
            text,
            "In `{game}`, whose rules refuse a decision with these:\n"
        );
        let codes = with_game!(game, G => <G as Live>::REFUSALS);
        write_code_table(text, codes.iter().copied());
    }
    text.push_str("### Closing\n\n| number | meaning |\n| --- | --- |\n");
    for code in CloseCode::ALL {
        let _ = writeln!(text, "| {} | {} |", code.number(), code.sentence());
    }
    text.push('\n');
}

fn write_code_table<'a>(text: &mut String, codes: impl Iterator<Item = (&'a str, &'a str)>) {
    text.push_str("| code | meaning |\n| --- | --- |\n");
    for (code, sentence) in codes {
        let _ = writeln!(text, "| `{code}` | {sentence} |");
    }
    text.push('\n');
}

const OLD_FRAMING: &str = "## Orcain's old events

The framing is Engine.IO 4 and Socket.IO 5 at `/socket.io/`, on the default namespace, without
attachments. The official client connects with its default options, `io(url)`: it polls over HTTP
first and moves to WebSocket. With `transports: [\"websocket\"]` it opens a WebSocket at once, with
`transports: [\"polling\"]` it polls to the end; everything works over both. Each WebSocket message is
one packet:

| text | meaning |
| --- | --- |
| `0{\"sid\", \"upgrades\", \"pingInterval\", \"pingTimeout\", \"maxPayload\"}` | the server opens |
| `40` | the client enters; the server answers `40{\"sid\"}` |
| `2`, `3` | the server's ping, the client's pong |
| `42[\"name\", payload]` | an event; with a number after `42`, an answer `43N[]` is sent |
| `44/name,{\"message\"}` | there is no such namespace |
| `41`, `1` | leave, close |

### Long-polling

| request | answer |
| --- | --- |
| `GET /socket.io/?EIO=4&transport=polling` | opens a connection: `0{\"sid\", \"upgrades\": [\"websocket\"], …}` |
| the same with `&sid=SID` | waits until there is something to say: packets with U+001E between them |
| `POST` to the same, packets with U+001E between them | `ok` once the body has been received |

The `sid` is secret: whoever has it has the connection. A client has one poll open at a time; a
second one ends the connection, and so does a poll that the client gives up. A body has at most
`maxPayload` bytes; a longer one is refused with 413 and changes nothing. A connection that has had
no poll for `pingInterval` and `pingTimeout` together is closed.

To move to WebSocket the client opens `/socket.io/?EIO=4&transport=websocket&sid=SID` and sends
`2probe`. The server answers `3probe` and ends the open poll with `6`. When its last poll and its
last POST have been answered, the client sends `5`; from then on the WebSocket carries everything,
and nothing is lost, repeated or reordered. A client that does not send `5` within 10 seconds
loses the WebSocket and may poll on.

A refused request has the status 400 and the body `{\"code\", \"message\"}`:

";

const OLD_ORDER: &str = "
### Payloads

An empty slot is `null`. Fields marked *added* are Referee's: old clients pass over them. The
order after a reconnect is `hello_ok`, `sync_state`, `prep_start` of the current round with hit
points as the round began, `confirm_ok` if it was confirmed, and each `step_reveal` so far.

### What an old client says

| event | payload | meaning |
| --- | --- | --- |
";

fn write_old_events(text: &mut String) {
    text.push_str(OLD_FRAMING);
    text.push_str("| code | message | meaning |\n| --- | --- | --- |\n");
    for it in Refusal::ALL {
        let (code, message) = (it.code(), it.message());
        let _ = writeln!(text, "| {code} | {message} | {} |", it.meaning());
    }
    text.push_str(OLD_ORDER);
    for (name, payload, meaning) in HEARD {
        let payload = payload.replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {payload} | {meaning} |");
    }
    text.push_str("\n### What an old client is told\n\n");
    for event in EVENTS {
        let _ = writeln!(text, "#### `{}`\n\n{}\n", event.name, event.when);
        if let Some(payload) = event.payload {
            let schema = named(GameName::Orcain, payload().to_value());
            text.push_str(&field_table(&shape::fields(&schema, &Value::Null)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_in_the_repository_is_the_one_that_the_types_make() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
        let written = std::fs::read_to_string(file).unwrap_or_default();
        assert!(
            written == protocol(),
            "docs/protocol.md is not what the types say: run `cargo xtask codegen`"
        );
    }

    /// The anchor of a heading.
    fn anchor(heading: &str) -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = |it: &char| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_');
        words
            .chars()
            .filter(kept)
            .collect::<String>()
            .replace(' ', "-")
    }

    #[test]
    fn every_message_event_and_code_is_in_the_document_and_no_link_is_dead() {
        let text = protocol();
        let old = EVENTS.iter().map(|it| it.name);
        let heard = HEARD.iter().map(|(name, _, _)| *name);
        let errors = ErrorCode::ALL.iter().map(|it| it.code());
        let own = ["hello", "ask", "resync", "match_found", "match_end", "pong"];
        for name in old.chain(heard).chain(errors).chain(own) {
            assert!(text.contains(&format!("`{name}`")), "{name}");
        }
        for line in text.lines().filter(|it| it.contains("](#")) {
            for link in line.split("](#").skip(1) {
                let anchor = link.split(')').next().unwrap_or_default();
                let is_target = |it: &str| it.starts_with('#') && self::anchor(it) == anchor;
                assert!(
                    text.lines().any(is_target),
                    "nothing is called {anchor}: {line}"
                );
            }
        }
        assert!(!text.contains("?unknown?"), "a type without words for it");
    }
}
