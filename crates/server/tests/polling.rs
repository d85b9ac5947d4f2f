//! Socket.IO over HTTP long-polling: the requests, the upgrade to a WebSocket, and the limits on a
//! client that polls.
//!
//! Promise: Long-polling loses, repeats and reorders nothing, also when the client moves to WebSocket.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use common::house::House;
use common::old::{self, OldClient};
use common::poller::{self, Poller, code};
use common::socket::{Came, Socket};
use common::{http, until};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

async fn until_counted(house: &House, name: &str, n: f64) {
    until(name, async || house.counted(name).await == n).await;
}

#[tokio::test]
async fn a_session_opens_with_a_handshake_that_official_clients_read() {
    let house = House::open().await;
    let (one, two) = (Poller::open(&house).await, Poller::open(&house).await);
    assert_ne!(one.sid, two.sid);
    assert_eq!(one.sid.len(), 32, "128 bits in hexadecimal digits");
    let mut terms = one.terms.clone();
    terms.as_object_mut().unwrap().remove("sid");
    let expected = json!({
        "upgrades": ["websocket"],
        "pingInterval": 10_000,
        "pingTimeout": 15_000,
        "maxPayload": 4_096,
    });
    assert_eq!(terms, expected);
}

#[tokio::test]
async fn invalid_requests_are_refused_with_engine_io_codes() {
    let house = House::open().await;
    let open = Poller::open(&house).await;
    let (own, web) = (open.path(), open.web_path());
    let unknown = format!("{}&sid={}", poller::PATH, "0".repeat(32));
    let unknown_web = format!("{}&sid=x", old::PATH);
    let foreign = "Origin: https://evil.example\r\n";
    for (method, path, head, expected) in [
        ("GET", "/socket.io/", "", (400, 0)),
        ("GET", "/socket.io/?EIO=4", "", (400, 0)),
        (
            "GET",
            "/socket.io/?EIO=4&transport=carrier-pigeon",
            "",
            (400, 0),
        ),
        ("GET", &unknown, "", (400, 1)),
        ("POST", &unknown, "", (400, 1)),
        ("GET", &unknown_web, "", (400, 1)),
        ("POST", poller::PATH, "", (400, 2)),
        ("DELETE", poller::PATH, "", (400, 2)),
        ("GET", old::PATH, "", (400, 3)),
        ("GET", &web, "", (400, 3)),
        ("PUT", &own, "", (400, 3)),
        ("GET", poller::PATH, foreign, (403, 4)),
        ("GET", &own, foreign, (403, 4)),
        ("POST", &own, foreign, (403, 4)),
        ("GET", "/socket.io/?EIO=3&transport=polling", "", (400, 5)),
        ("GET", "/socket.io/?transport=polling", "", (400, 5)),
    ] {
        let answer = http::ask(house.address, method, path, head, "").await;
        assert_eq!(code(&answer), expected, "{method} {path}");
    }
    assert_eq!(
        Socket::connect(house.address, &unknown_web, None)
            .await
            .err(),
        Some(400)
    );
    open.say("40").await;
}

#[tokio::test]
async fn a_match_is_played_to_its_end_over_polls_alone() {
    let house = House::open().await;
    let (one, two) = (house.guest().await, house.guest().await);
    let mut a = Poller::arrive(&house, &one).await;
    let mut b = OldClient::arrive(&house, &two).await;
    a.emit("queue_join", None).await;
    a.until("queue_ok").await;
    b.emit("queue_join", None).await;
    let end = loop {
        let (name, payload) = a.until_either("prep_start", "match_end").await;
        if name == "match_end" {
            break payload;
        }
        b.until("prep_start").await;
        a.confirm("AHD").await;
        b.confirm("HDC").await;
    };
    assert_eq!(
        (&end["winner"], &end["yourTokens"]),
        (&"YOU".into(), &11.into())
    );
    b.until("match_end").await;
    let events = |heard: &[String]| {
        let names = heard.iter().filter_map(|it| old::read(it));
        names
            .map(|(name, _)| name)
            .skip_while(|name| name != "prep_start")
            .collect::<Vec<_>>()
    };
    assert_eq!(events(&a.heard), events(&b.heard), "both receive the same");
}

/// The ids of the acknowledgements among these packets.
fn acks(packets: &[String]) -> Vec<u32> {
    let number = |packet: &String| packet.strip_prefix("43")?.strip_suffix("[]")?.parse().ok();
    packets.iter().filter_map(number).collect()
}

fn numbered(n: u32) -> String {
    format!("42{n}[\"queue_leave\"]")
}

/// Reads a WebSocket until the acknowledgement with this id.
async fn read_web(web: &mut Socket, last: u32) -> Vec<String> {
    let mut packets = Vec::new();
    while !acks(&packets).contains(&last) {
        match web.next().await {
            Came::Text(text) => packets.push(text),
            other => panic!("{other:?} after {packets:#?}"),
        }
    }
    packets
}

#[tokio::test]
async fn an_upgrading_client_receives_everything_once_and_in_order() {
    let house = House::open().await;
    let guest = house.guest().await;
    let mut client = Poller::arrive(&house, &guest).await;
    client.heard.clear();
    client.say(&[numbered(0), numbered(1)].join("\u{1e}")).await;
    let mut web = Socket::connect(house.address, &client.web_path(), None)
        .await
        .unwrap();
    client.say(&numbered(2)).await;
    web.send("2probe").await;
    assert_eq!(web.next().await, Came::Text("3probe".to_owned()));
    client.say(&numbered(3)).await;
    while acks(&client.heard).len() < 4 {
        client.receive().await;
    }
    // Nothing is queued now: the poll ends because of the upgrade.
    assert_eq!(client.poll().await.text(), "6");
    // Packets posted before the upgrade are handled before it, and answered after it.
    client.say(&[numbered(4), numbered(5)].join("\u{1e}")).await;
    web.send("5").await;
    for n in 6..12 {
        web.send(&numbered(n)).await;
    }
    let packets = read_web(&mut web, 11).await;
    let all = [acks(&client.heard), acks(&packets)].concat();
    assert_eq!(all, Vec::from_iter(0..12));
    assert_eq!(code(&client.poll().await), (400, 1), "polls are over now");
    assert_eq!(house.counted("referee_upgrades_total").await, 1.0);
    assert_eq!(house.counted("referee_polling_sockets_open").await, 0.0);
    assert_eq!(house.counted("referee_sockets_open").await, 1.0);
}

#[tokio::test]
async fn a_failed_upgrade_leaves_polling_unaffected() {
    let house = House::open().await;
    let guest = house.guest().await;
    let mut client = Poller::arrive(&house, &guest).await;
    let connect = async || {
        let web = Socket::connect(house.address, &client.web_path(), None).await;
        web.unwrap()
    };
    let mut nonsense = connect().await;
    nonsense.send("40").await;
    nonsense.closed().await;
    let mut first = connect().await;
    first.send("2probe").await;
    assert_eq!(first.next().await, Came::Text("3probe".to_owned()));
    let mut second = connect().await;
    second.send("2probe").await;
    second.closed().await;
    first.send("42[\"queue_leave\"]").await;
    first.closed().await;
    client.emit("queue_leave", None).await;
    client.until("queue_left").await;
}

#[tokio::test]
async fn two_polls_at_once_end_the_session() {
    let house = House::open().await;
    let guest = house.guest().await;
    let client = Poller::arrive(&house, &guest).await;
    let (one, two) = tokio::join!(client.poll(), client.poll());
    let (mut closed, mut refused) = (one, two);
    if closed.status != 200 {
        std::mem::swap(&mut closed, &mut refused);
    }
    assert_eq!((closed.status, closed.text().as_str()), (200, "1"));
    assert_eq!(code(&refused), (400, 3));
    assert_eq!(code(&client.poll().await), (400, 1));
}

#[tokio::test]
async fn an_abandoned_poll_counts_as_a_disconnect() {
    let house = House::open().await;
    let (one, two) = (house.guest().await, house.guest().await);
    let mut a = Poller::arrive(&house, &one).await;
    let mut b = OldClient::arrive(&house, &two).await;
    a.emit("queue_join", None).await;
    b.emit("queue_join", None).await;
    a.until("prep_start").await;
    b.until("prep_start").await;
    let mut poll = TcpStream::connect(house.address).await.unwrap();
    let request = format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", a.path());
    poll.write_all(request.as_bytes()).await.unwrap();
    drop(poll);
    let end = b.until("match_end").await;
    assert_eq!(
        (&end["winner"], &end["reason"]),
        (&"YOU".into(), &"disconnect".into())
    );
}

#[tokio::test]
async fn a_client_that_closes_is_gone() {
    let house = House::open().await;
    for goodbye in ["1", "41"] {
        let mut client = Poller::arrive(&house, &house.guest().await).await;
        client.say(goodbye).await;
        client.until_closed().await;
    }
    until_counted(&house, "referee_sockets_open", 0.0).await;
}

#[tokio::test]
async fn invalid_packets_end_the_session() {
    let house = House::open().await;
    for packet in [
        "",
        "b4AAEC",
        "7",
        "42[\"x\"",
        "451-[\"x\",{\"_placeholder\":true,\"num\":0}]",
    ] {
        let mut client = Poller::arrive(&house, &house.guest().await).await;
        client.say(packet).await;
        client.until_closed().await;
    }
}

#[tokio::test]
async fn a_body_that_is_too_long_or_not_text_is_refused_without_effect() {
    let house = House::open().await;
    let guest = house.guest().await;
    let mut client = Poller::arrive(&house, &guest).await;
    let join = "42[\"queue_join\"]";
    let long = format!("{join}\u{1e}42[\"{}\"]", "x".repeat(4_096));
    let answer = client.post(&long).await;
    assert_eq!(
        (answer.status, &answer.json()["error"]),
        (413, &"body_too_long".into())
    );
    let mut request = format!(
        "POST {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{join}",
        client.path(),
        join.len() + 2
    )
    .into_bytes();
    request.extend(b"\xff\xfe");
    assert_eq!(
        code(&http::exchange(house.address, &request).await),
        (400, 3)
    );
    client.emit("queue_leave", None).await;
    client.until("queue_left").await;
    let names: Vec<_> = client.heard.iter().filter_map(|it| old::read(it)).collect();
    assert!(
        names.iter().all(|(name, _)| name != "queue_ok"),
        "{names:?}"
    );
}

#[tokio::test]
async fn a_polling_client_that_never_says_hello_is_closed() {
    let house = House::open().await;
    let mut silent = Poller::open(&house).await;
    let mut nameless = Poller::open(&house).await;
    nameless.say("40").await;
    let closed = async { tokio::join!(silent.until_closed(), nameless.until_closed()) };
    house.pass_until(closed).await;
}

#[tokio::test]
async fn a_client_that_stops_polling_is_closed_even_if_it_posts() {
    let house = House::open().await;
    let client = Poller::arrive(&house, &house.guest().await).await;
    until("the session to end", async || {
        house.pass(1_000);
        client.post("3").await.status == 400
    })
    .await;
    assert_eq!(house.counted("referee_silent_sockets_total").await, 1.0);
    until_counted(&house, "referee_polling_sockets_open", 0.0).await;
}

#[tokio::test]
async fn a_polling_client_that_ignores_heartbeats_is_closed() {
    let house = House::open().await;
    let mut client = Poller::arrive(&house, &house.guest().await).await;
    house.pass_until(client.until_closed()).await;
    assert_eq!(house.counted("referee_silent_sockets_total").await, 1.0);
}

#[tokio::test]
async fn a_client_that_asks_much_and_never_polls_is_disconnected() {
    let house = House::with(|options| options.messages_per_second = Some(1_000)).await;
    let mut client = Poller::arrive(&house, &house.guest().await).await;
    client.heard.clear();
    // Each is answered twice. The answers to as many as a client may send at once still fit.
    let ask = numbered(7);
    client.say(&[ask.as_str(); 120].join("\u{1e}")).await;
    while acks(&client.heard).len() < 120 {
        client.receive().await;
    }
    client.say(&[ask.as_str(); 140].join("\u{1e}")).await;
    until_counted(&house, "referee_slow_clients_total", 1.0).await;
    until_counted(&house, "referee_polling_sockets_open", 0.0).await;
}

#[tokio::test]
async fn too_many_packets_count_as_a_flood() {
    let house = House::open().await;
    let client = Poller::arrive(&house, &house.guest().await).await;
    client.say(&["3"; 2_000].join("\u{1e}")).await;
    until_counted(&house, "referee_floods_total", 1.0).await;
}

#[tokio::test]
async fn sessions_are_limited_per_client() {
    let house = House::with(|options| {
        options.trusted_proxies = Some(vec![[127, 0, 0, 1].into()]);
        options.connections_per_address = Some(10);
    })
    .await;
    let client = |n: u8| format!("X-Forwarded-For: 198.51.100.{n}\r\n");
    let mut open = Vec::new();
    let refused = loop {
        match Poller::open_as(&house, &client(1)).await {
            Ok(poller) => open.push(poller),
            Err(refused) => break refused,
        }
    };
    // The request itself takes a slot too.
    assert_eq!((open.len(), refused.status), (9, 429));
    assert_eq!(refused.json()["error"], "too_many");
    Poller::open_as(&house, &client(2)).await.unwrap();
    // None has sent anything: their slots are soon free again.
    house.pass(5_000);
    until("a free slot", async || {
        Poller::open_as(&house, &client(1)).await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn the_total_number_of_sessions_is_bounded() {
    let house = House::with(|options| options.connections_max = Some(20)).await;
    let mut open = Vec::new();
    let refused = loop {
        match Poller::open_as(&house, "").await {
            Ok(poller) => open.push(poller),
            Err(refused) => break refused,
        }
    };
    assert_eq!((open.len(), refused.status), (20, 503));
    assert!(refused.header("retry-after").is_some());
    house.pass(5_000);
    until("a free slot", async || {
        Poller::open_as(&house, "").await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn an_upgraded_client_takes_one_slot() {
    let house = House::with(|options| {
        options.trusted_proxies = Some(vec![[127, 0, 0, 1].into()]);
        options.connections_per_address = Some(3);
    })
    .await;
    let head = "X-Forwarded-For: 198.51.100.1\r\n";
    let client = Poller::open_as(&house, head).await.unwrap();
    client.say("40").await;
    let mut web = Socket::connect_as(house.address, &client.web_path(), "198.51.100.1").await;
    web.send("2probe").await;
    assert_eq!(web.next().await, Came::Text("3probe".to_owned()));
    web.send("5").await;
    web.send(&numbered(1)).await;
    read_web(&mut web, 1).await;
    let other = Poller::open_as(&house, head).await;
    other.expect("one slot each for the WebSocket, this session and its request");
}
