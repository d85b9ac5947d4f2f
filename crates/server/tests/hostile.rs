//! Clients that are malicious or broken.
//!
//! Promise: No client stops, fills or misleads a server.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::time::{Duration, Instant};

use common::house::{House, set_time};
use common::http;
use common::log;
use common::old::{self, OldClient};
use common::player::{Player, round};
use common::poller::Poller;
use common::settled::End;
use common::socket::{Came, RawSocket, Socket, head};
use common::until;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;

/// Slow connections are closed within this time.
const CLOSED_WITHIN: Duration = Duration::from_secs(5);
/// Extra time for a busy machine.
const SLACK: Duration = Duration::from_secs(10);

/// Waits for the end of a connection, writing a byte a second meanwhile. Returns the time it took.
async fn outlast(mut stream: TcpStream, trickle: &[u8]) -> Duration {
    let began = Instant::now();
    let mut trickle = trickle.iter();
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    let mut buffer = [0; 4096];
    loop {
        assert!(began.elapsed() < common::PATIENCE, "never closed");
        tokio::select! {
            read = stream.read(&mut buffer) => {
                if matches!(read, Ok(0) | Err(_)) {
                    return began.elapsed();
                }
            }
            _ = seconds.tick() => {
                if let Some(byte) = trickle.next() {
                    stream.write_all(&[*byte]).await.ok();
                }
            }
        }
    }
}

async fn check_soon_closed(house: &House, first: &str, trickle: &str) {
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    stream.write_all(first.as_bytes()).await.unwrap();
    let took = outlast(stream, trickle.as_bytes()).await;
    assert!(took < CLOSED_WITHIN + SLACK, "{took:?} after {first:?}");
}

#[tokio::test]
async fn silent_connections_are_closed() {
    let house = House::open().await;
    check_soon_closed(&house, "", "").await;
}

#[tokio::test]
async fn half_a_request_times_out() {
    let house = House::open().await;
    check_soon_closed(&house, "GET /healthz HTTP/1.1\r\nHost: x\r\n", "").await;
}

#[tokio::test]
async fn a_head_at_one_byte_a_second_times_out() {
    let house = House::open().await;
    let slow = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Pad: 0123456789\r\n\r\n";
    check_soon_closed(&house, "", slow).await;
}

#[tokio::test]
async fn a_body_at_one_byte_a_second_times_out() {
    let house = House::open().await;
    let guest = house.guest().await;
    let head = format!(
        "POST /account/nickname HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Authorization: Bearer {}\r\nContent-Length: 1000\r\n\r\n",
        guest.token
    );
    check_soon_closed(&house, &head, &" ".repeat(100)).await;
}

#[tokio::test]
async fn a_second_request_times_out_too() {
    let house = House::open().await;
    let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    check_soon_closed(&house, request, "").await;
}

#[tokio::test]
async fn silent_sockets_are_closed() {
    let house = House::open().await;
    let n_open = async || house.counted("referee_sockets_open").await;
    for path in ["/ws", old::PATH] {
        let mut socket = Socket::connect(house.address, path, None).await.unwrap();
        until("the socket to be open", async || n_open().await == 1.0).await;
        house.pass(CLOSED_WITHIN.as_millis() as u64);
        assert_eq!(socket.closed().await, Some(1008), "{path}");
        until("the socket to be gone", async || n_open().await == 0.0).await;
    }
}

#[tokio::test]
async fn a_socket_that_sends_messages_but_no_hello_is_closed() {
    let house = House::open().await;
    let mut socket = Socket::connect(house.address, "/ws", None).await.unwrap();
    let ping = json!({"type": "ping", "at": 1}).to_string();
    let mut passed = Duration::ZERO;
    loop {
        socket.send(&ping).await;
        match socket.next().await {
            Came::End(code) => break assert_eq!(code, Some(1008)),
            Came::Text(_) => house.pass(500),
            Came::Silence => panic!("never closed"),
        }
        passed += Duration::from_millis(500);
        assert!(passed < CLOSED_WITHIN + SLACK);
    }
}

#[tokio::test]
async fn frames_that_break_the_protocol_are_closed_with_the_right_code() {
    let house = House::open().await;
    let unmasked = b"\x81\x02hi".to_vec();
    let frame =
        |first: u8, payload: &[u8]| [head(first, payload.len() as u64), payload.to_vec()].concat();
    let endless: Vec<u8> = std::iter::once(frame(0x01, &[b'x'; 1_000]))
        .chain((0..8).map(|_| frame(0x00, &[b'x'; 1_000])))
        .flatten()
        .collect();
    let cases: [(&str, Vec<u8>, u16); 12] = [
        ("bad UTF-8", frame(0x81, b"\xff\xfe"), 1007),
        ("half a character", frame(0x81, b"\xe2\x82"), 1007),
        ("one byte too many", frame(0x81, &[b'x'; 4_097]), 1009),
        ("a head of 16 MB", head(0x81, 16 << 20), 1009),
        ("the longest possible head", head(0x81, u64::MAX >> 1), 1009),
        ("endless continuations", endless, 1009),
        ("binary", frame(0x82, b"abc"), 1003),
        ("unmasked", unmasked, 1002),
        ("a reserved bit", frame(0xc1, b"abc"), 1002),
        ("an unknown kind", frame(0x83, b"abc"), 1002),
        ("a continuation of nothing", frame(0x80, b"abc"), 1002),
        ("a ping in parts", frame(0x09, b"abc"), 1002),
    ];
    for path in ["/ws", old::PATH] {
        for (what, bytes, code) in &cases {
            let mut socket = RawSocket::connect(house.address, path).await;
            socket.write(bytes).await;
            assert_eq!(socket.closed().await, Some(*code), "{what} at {path}");
        }
    }
    assert_eq!(house.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_message_of_sixteen_megabytes_is_not_read() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    let mut socket = RawSocket::connect(house.address, "/ws").await;
    socket.write(&head(0x81, 16 << 20)).await;
    let chunk = vec![b'x'; 64 << 10];
    let mut n_taken = 0;
    let began = Instant::now();
    while n_taken < 256 && socket.stream.write_all(&chunk).await.is_ok() {
        n_taken += 1;
        assert!(began.elapsed() < common::PATIENCE);
    }
    // The system's buffers take some; the server reads no further.
    assert!(n_taken < 256, "all of it was taken");
    round(&mut a, &mut b, "ADH", "HDC").await;
}

#[tokio::test]
async fn a_flooding_socket_is_refused_and_then_closed() {
    let house = House::open().await;
    let mut player = house.player().await;
    let ping = json!({"type": "ping", "at": 1}).to_string();
    for _ in 0..200 {
        player.socket.send(&ping).await;
    }
    let mut n_refused = 0;
    let code = loop {
        match player.socket.next().await {
            Came::End(code) => break code,
            Came::Text(text) => n_refused += usize::from(text.contains("rate_limited")),
            Came::Silence => panic!("never closed"),
        }
    };
    assert_eq!(code, Some(1008));
    assert!((1..=50).contains(&n_refused), "{n_refused}");
}

#[tokio::test]
async fn a_flood_of_pings_closes_the_socket_too() {
    let house = House::open().await;
    let mut player = house.player().await;
    for _ in 0..300 {
        let ping = Message::Ping(b"x".to_vec().into());
        player.socket.send_message(ping).await;
    }
    assert_eq!(player.socket.closed().await, Some(1008));
}

#[tokio::test]
async fn unreadable_messages_are_refused_and_then_close_the_socket() {
    let house = House::open().await;
    let mut player = house.player().await;
    let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
    for (text, code) in [
        ("nonsense", "malformed_message"),
        (
            "{\"type\":\"queue_join\",\"game\":\"chess\"}",
            "malformed_message",
        ),
        (deep.as_str(), "message_too_deep"),
    ] {
        player.socket.send(text).await;
        let refused = player.until_error().await;
        assert_eq!(refused["code"], code, "{refused}");
        assert!(!refused.to_string().contains("nonsense"), "{refused}");
    }
    for _ in 0..3 {
        player.socket.send("{}").await;
    }
    assert_eq!(player.socket.closed().await, Some(1007));
}

#[tokio::test]
async fn an_ask_that_cannot_be_read_changes_nothing() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    for ask in [
        json!(null),
        json!("confirm"),
        json!({"type": "confirm"}),
        json!({"type": "win"}),
        json!({"type": "draft", "layout": [1, 2, 3]}),
        json!({"type": "draft", "layout": vec!["attack"; 9]}),
        json!({"type": "draft", "layout": [null, null, null], "seat": 1}),
    ] {
        let seq = a.ask(&ask).await;
        let refused = a.until_error().await;
        assert_eq!(
            (&refused["code"], &refused["seq"]),
            (&json!("malformed_ask"), &json!(seq))
        );
        a.seq -= 1;
    }
    round(&mut a, &mut b, "ADH", "HDC").await;
}

#[tokio::test]
async fn hostile_numbers_do_not_crash_a_match() {
    let house = House::with(|options| set_time(options, "orcain.grace-ms", 60_000)).await;
    let (a, mut b) = house.duel().await;
    let resume = json!({"match_id": a.match_id, "seen": u64::MAX, "next_seq": u64::MAX});
    let mut again = Player::connect(&house, a.guest.clone()).await;
    again.hello(Some(resume.clone())).await;
    again.until_seated().await;
    again.seq = u64::MAX - 1;
    again.draft("A--").await;
    for seq in [0, 1, u64::MAX - 1, u64::MAX] {
        let message = json!({
            "type": "ask", "match_id": a.match_id, "seq": seq,
            "ask": {"type": "draft", "layout": common::cards("AD-")},
        });
        again.say(&message).await;
        again.until_ack(seq).await;
    }
    // Clients that connect after that still get in, in both protocols, and the match continues.
    let mut third = Player::connect(&house, a.guest.clone()).await;
    third.hello(Some(resume)).await;
    third.until_type("match_found").await;
    third.until_message("standing").await;
    let mut old = OldClient::connect(&house).await;
    old.hello(&a.guest, "tab").await;
    old.until("prep_start").await;
    for _ in 0..3 {
        old.confirm("ADH").await;
    }
    old.ping().await;
    b.resign().await;
    b.until_end().await;
    old.until("match_end").await;
    house.check_books();
}

#[tokio::test]
async fn odd_packets_neither_crash_nor_stall_others() {
    let house = House::open().await;
    let ((mut a, mut b), guest) = (house.duel().await, house.guest().await);
    let deep = format!("42[\"hello\",{}{}]", "[".repeat(500), "]".repeat(500));
    let packets = [
        "",
        "4",
        "9",
        "42",
        "42{}",
        "42[]",
        "42[7]",
        "42[null,{}]",
        "42[\"hello\"",
        "42[\"hello\",]",
        "4299999999999999999999[\"hello\",{}]",
        "42-1[\"hello\",{}]",
        "451-[\"hello\",{\"_placeholder\":true,\"num\":0}]",
        "461-7[{}]",
        "40/admin,{}",
        "42/admin,[\"hello\",{}]",
        "40{\"token\":",
        "b4AAEC",
        "42[\"é漢🂡\",\"\u{0}\",\"\\ud800\"]",
        &deep,
    ];
    for packet in packets {
        let mut client = OldClient::connect(&house).await;
        client.socket.send(packet).await;
        client.emit("queue_leave", None).await;
        // Either the packet is ignored, or the socket is closed with a reason.
        let verdict = loop {
            match client.socket.next().await {
                Came::Text(text) if text.contains("queue_left") => break None,
                Came::Text(_) => {}
                Came::End(code) => break code,
                Came::Silence => panic!("no answer to {packet:?}"),
            }
        };
        assert!(
            matches!(verdict, None | Some(1002 | 1003 | 1007)),
            "{packet:?}: {verdict:?}"
        );
    }
    // An event before the client has connected to a namespace is not valid Socket.IO.
    let mut early = Socket::connect(house.address, old::PATH, None)
        .await
        .unwrap();
    early.send("42[\"queue_leave\"]").await;
    assert_eq!(early.closed().await, Some(1002));
    round(&mut a, &mut b, "ADH", "HDC").await;
    OldClient::arrive(&house, &guest).await;
}

#[tokio::test]
async fn only_pages_of_listed_origins_may_connect() {
    let house = House::with(|options| {
        options.origins = Some(vec!["https://play.example".to_owned()]);
    })
    .await;
    let own = format!("http://{}", house.address);
    let prefix = format!("{own}.evil.example");
    for (origin, allowed) in [
        (None, true),
        (Some("https://play.example"), true),
        (Some(own.as_str()), true),
        (Some("https://evil.example"), false),
        (Some("https://play.example.evil.example"), false),
        (Some("http://play.example"), false),
        (Some(prefix.as_str()), false),
        (Some("null"), false),
        (Some(""), false),
    ] {
        for path in ["/ws", old::PATH] {
            let connected = Socket::connect(house.address, path, origin).await;
            let refusal = connected.err();
            let expected = if allowed { None } else { Some(403) };
            assert_eq!(refusal, expected, "{origin:?} at {path}");
        }
        let head = origin.map_or(String::new(), |it| format!("Origin: {it}\r\n"));
        let polled = Poller::open_as(&house, &head).await;
        let refusal = polled.err().map(|it| it.status);
        let expected = if allowed { None } else { Some(403) };
        assert_eq!(refusal, expected, "{origin:?} over requests");
        let answer = http::ask(house.address, "GET", "/api/lobby", &head, "").await;
        let echoed = answer.header("access-control-allow-origin");
        assert_eq!(echoed, origin.filter(|_| allowed), "{origin:?}");
    }
}

#[tokio::test]
async fn a_body_is_refused_with_all_its_faults() {
    let house = House::open().await;
    let guest = house.guest().await;
    let cases = [
        (
            "/account/password",
            json!({ "login": 7, "pasword": "secret", "current_password": [] }),
            "invalid_body",
            vec!["/pasword", "/login", "/password", "/current_password"],
        ),
        (
            "/api/scenarios/generate",
            json!({ "title": "x", "topology": "ring", "n_systems": -1, "n_factions": 256,
                    "seed": 1, "n_turns": 9, "domination": 0.5 }),
            "invalid_body",
            vec!["/n_systems", "/n_factions", "/domination"],
        ),
        (
            "/api/tables",
            json!({ "game": "catan", "seats": ["host", "king", { "bot": 7 }], "set": {} }),
            "malformed_body",
            vec!["/set", "/seats/1", "/seats/2/bot"],
        ),
    ];
    for (path, body, code, pointers) in cases {
        let answer = house.post_as(&guest, path, &body).await;
        let told = answer.json();
        assert_eq!(
            (answer.status, &told["error"]),
            (400, &json!(code)),
            "{told}"
        );
        let findings = told["findings"].as_array().unwrap();
        let found: Vec<&str> = findings
            .iter()
            .map(|it| it["pointer"].as_str().unwrap())
            .collect();
        assert_eq!(found, pointers, "{told}");
        let message = told["message"].as_str().unwrap();
        assert!(pointers.iter().all(|it| message.contains(it)), "{message}");
        assert!(
            findings.iter().all(|it| it["severity"] == "error"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn every_http_refusal_is_json_with_a_code_and_no_internal_details() {
    let house = House::open().await;
    let guest = house.guest().await;
    let bearer = format!("Authorization: Bearer {}\r\n", guest.token);
    let long = format!("{{\"nickname\":\"{}\"}}", "x".repeat(20_000));
    let name = "/account/nickname";
    let cases: [(&str, &str, &str, &str, u16, &str); 19] = [
        ("GET", "/nowhere", "", "", 404, "not_found"),
        ("GET", "/../../etc/passwd", "", "", 404, "not_found"),
        ("DELETE", "/auth/me", "", "", 405, "wrong_method"),
        ("GET", "/auth/me", "", "", 401, "Unauthorized"),
        (
            "GET",
            "/auth/me",
            "Authorization: Bearer nonsense\r\n",
            "",
            401,
            "Unauthorized",
        ),
        (
            "GET",
            "/auth/me",
            "Authorization: Basic eA==\r\n",
            "",
            401,
            "Unauthorized",
        ),
        ("POST", name, &bearer, "{", 400, "invalid_json"),
        (
            "POST",
            name,
            &bearer,
            "{\"nickname\":7}",
            400,
            "invalid_body",
        ),
        (
            "POST",
            name,
            &bearer,
            "{\"nick\":\"x\"}",
            400,
            "invalid_body",
        ),
        (
            "POST",
            name,
            &bearer,
            "{\"nickname\":\"x\"}",
            400,
            "invalid_nickname",
        ),
        ("POST", name, &bearer, &long, 413, "body_too_long"),
        ("POST", name, &bearer, "", 415, "not_json"),
        ("GET", "/api/matches/nonsense", "", "", 404, "not_found"),
        ("GET", "/api/matches/%ff", "", "", 400, "invalid_request"),
        (
            "GET",
            "/api/matches?limit=many",
            "",
            "",
            400,
            "invalid_request",
        ),
        (
            "GET",
            "/account/ledger?before=-1",
            &bearer,
            "",
            400,
            "invalid_request",
        ),
        ("GET", "/api/leaderboard/chess", "", "", 404, "not_found"),
        ("GET", "/ws", "", "", 400, "invalid_request"),
        (
            "POST",
            "/api/matches",
            &bearer,
            "{\"game\":\"orcain\",\"bots\":[\"x\",\"y\"]}",
            400,
            "unknown_bot",
        ),
    ];
    for (method, path, head, body, status, code) in cases {
        let answer = http::ask(house.address, method, path, head, body).await;
        let what = format!("{method} {path}: {}\n{}", answer.head, answer.text());
        assert_eq!(answer.status, status, "{what}");
        assert_eq!(answer.json()["error"], code, "{what}");
        assert!(
            !answer.json()["message"].as_str().unwrap().is_empty(),
            "{what}"
        );
        for inside in ["src/", ".rs", "panicked", "/root", "/home", "axum", "serde"] {
            assert!(!answer.text().contains(inside), "{what}");
        }
    }
}

#[tokio::test]
async fn heads_that_are_too_long_or_malformed_are_refused() {
    let house = House::open().await;
    let long = format!(
        "GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n",
        "x".repeat(64 << 10)
    );
    let answer = http::exchange(house.address, long.as_bytes()).await;
    assert!(matches!(answer.status, 0 | 431), "{}", answer.head);
    let many: String = (0..500).map(|nth| format!("X-{nth}: y\r\n")).collect();
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{many}\r\n");
    let answer = http::exchange(house.address, many.as_bytes()).await;
    assert!(matches!(answer.status, 0 | 431), "{}", answer.head);
    for nonsense in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let answer = http::exchange(house.address, nonsense.as_bytes()).await;
        assert!(matches!(answer.status, 0 | 400..=505), "{}", answer.head);
        assert_eq!(answer.text(), "");
    }
    assert_eq!(house.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn pages_have_security_headers() {
    let house = House::open().await;
    for path in ["/", "/api/lobby", "/nowhere"] {
        let answer = house.get(path).await;
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(
            answer.header("referrer-policy"),
            Some("no-referrer"),
            "{path}"
        );
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
    }
}

#[tokio::test]
async fn a_client_that_never_reads_is_disconnected_and_the_opponent_is_unaffected() {
    let house = House::with(|options| options.messages_per_second = Some(100_000)).await;
    let (mut honest, greedy) = house.duel().await;
    // The same account takes over the seat with a small window, and never reads again.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let stream = socket.connect(house.address).await.unwrap();
    let mut raw = RawSocket::shake_hands(stream, house.address, "/ws").await;
    let hello = json!({"type": "hello", "protocol": 1, "token": greedy.guest.token});
    raw.send(0x81, hello.to_string().as_bytes()).await;
    let resync = json!({"type": "resync", "match_id": greedy.match_id, "seen": 0}).to_string();
    let mut frame = head(0x81, resync.len() as u64);
    frame.extend(resync.as_bytes());
    let asking = tokio::spawn(async move {
        for _ in 0..20_000 {
            if raw.stream.write_all(&frame).await.is_err() {
                return;
            }
        }
        std::future::pending::<()>().await;
    });
    for _ in 0..10 {
        let began = Instant::now();
        honest.ping().await;
        assert!(began.elapsed() < Duration::from_secs(15));
    }
    // The result may be among the answers.
    if honest.n_heard("match_end") == 0 {
        honest.until_end().await;
    }
    asking.abort();
    let greedy = Player::arrive(&house, greedy.guest).await;
    house
        .check_settled(&honest, &greedy, End::won_by_first("disconnect"))
        .await;
}

#[tokio::test]
async fn a_secret_is_never_logged() {
    log::keep();
    let house = House::open().await;
    let guest = house.guest().await;
    let in_url = format!("/auth/me?token={}", guest.token);
    assert_eq!(house.get(&in_url).await.status, 401);
    let path = format!("/ws?token={}", guest.token);
    let mut socket = Socket::connect(house.address, &path, None).await.unwrap();
    let hello = json!({"type": "hello", "protocol": 1, "token": guest.token});
    socket.send(&hello.to_string()).await;
    assert!(matches!(socket.next().await, Came::Text(_)));
    OldClient::arrive(&house, &guest).await;
    let ticket = house
        .post_as(&guest, "/auth/ticket", &json!({}))
        .await
        .json()["ticket"]
        .clone();
    let ticket = ticket.as_str().unwrap().to_owned();
    let mut other = Socket::connect(house.address, "/ws", None).await.unwrap();
    let hello = json!({"type": "hello", "protocol": 1, "ticket": ticket});
    other.send(&hello.to_string()).await;
    assert!(matches!(other.next().await, Came::Text(_)));
    let credentials = json!({"login": "grom", "password": "a password for nobody"});
    let set = house
        .post_as(&guest, "/account/password", &credentials)
        .await;
    assert_eq!(set.status, 204, "{}", set.text());
    assert_ne!(log::lines_with("account created"), [""; 0]);
    for secret in [guest.token.as_str(), &ticket, "a password for nobody"] {
        assert_eq!(log::lines_with(secret), [""; 0]);
    }
}

#[tokio::test]
async fn a_ticket_works_once_and_for_one_account() {
    let house = House::open().await;
    let guest = house.guest().await;
    let made = house
        .post_as(&guest, "/auth/ticket", &json!({}))
        .await
        .json();
    let hello = json!({"type": "hello", "protocol": 1, "ticket": made["ticket"]});
    let mut player = Player::connect(&house, guest.clone()).await;
    player.say(&hello).await;
    let welcome = player.until_type("welcome").await;
    assert_eq!(welcome["account_id"], guest.account_id.as_str());
    let mut thief = Player::connect(&house, guest).await;
    thief.say(&hello).await;
    assert_eq!(thief.until_error().await["code"], "unauthorized");
    let both = json!({"type": "hello", "protocol": 1, "ticket": "x", "token": thief.guest.token});
    for (hello, code) in [
        (both, "unauthorized"),
        (json!({"type": "hello", "protocol": 1}), "unauthorized"),
        (
            json!({"type": "hello", "protocol": 2, "token": "x"}),
            "protocol_version",
        ),
        (
            json!({"type": "hello", "protocol": 1, "token": "x".repeat(3_000)}),
            "unauthorized",
        ),
    ] {
        thief.say(&hello).await;
        assert_eq!(thief.until_error().await["code"], code, "{hello}");
    }
    thief
        .say(&json!({"type": "queue_join", "game": "orcain"}))
        .await;
    assert_eq!(thief.until_error().await["code"], "not_hello");
    assert_eq!(thief.n_heard("welcome"), 0);
}

#[tokio::test]
async fn a_token_ends_once_its_successor_is_used_or_it_is_revoked() {
    let house = House::open().await;
    let old = house.guest().await;
    // Backdate it: tokens created at the same moment do not end each other.
    house
        .home
        .meddle("UPDATE tokens SET created_at = created_at - 100000");
    let rotated = house.post_as(&old, "/auth/rotate", &json!({})).await.json();
    let mut new = old.clone();
    new.token = rotated["authToken"].as_str().unwrap().to_owned();
    assert_eq!(house.me(&new).await["accountId"], old.account_id.as_str());
    assert_eq!(house.get_as(&old, "/auth/me").await.status, 401);
    let mut thief = Player::connect(&house, old).await;
    let hello = json!({"type": "hello", "protocol": 1, "token": thief.guest.token});
    thief.say(&hello).await;
    assert_eq!(thief.until_error().await["code"], "unauthorized");
    assert_eq!(
        house.post_as(&new, "/auth/logout", &json!({})).await.status,
        204
    );
    assert_eq!(house.get_as(&new, "/auth/me").await.status, 401);
}
