//! Bounds on what one client can make the server do: frames, time, memory.
//!
//! Promise: No client stops, fills or misleads a server.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::time::{Duration, Instant};

use common::house::House;
use common::old::{self, OldClient};
use common::player::round;
use common::poller::Poller;
use common::socket::{Came, RawSocket, head};
use common::{http, until};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// A record that takes a while to replay.
const LONG: &str = include_str!("../../../testdata/catan/variants.jsonl");

/// A socket whose client has said hello.
async fn welcome(house: &House, path: &str) -> RawSocket {
    let guest = house.guest().await;
    let mut socket = RawSocket::connect(house.address, path).await;
    let hellos = if path == "/ws" {
        vec![json!({"type": "hello", "protocol": 1, "token": guest.token}).to_string()]
    } else {
        let hello = json!(["hello", {"sessionId": "x", "authToken": guest.token}]);
        vec!["40".to_owned(), format!("42{hello}")]
    };
    for hello in hellos {
        socket.send(0x81, hello.as_bytes()).await;
    }
    socket
}

/// Checks that a client that repeats these frames is disconnected for flooding.
async fn check_flood_is_cut_off(house: &House, path: &str, first: &[u8], again: &[u8]) {
    let n_floods = house.counted("referee_floods_total").await;
    let mut socket = welcome(house, path).await;
    socket.write(first).await;
    socket.write(&again.repeat(3_000)).await;
    socket.closed().await;
    let n_more = house.counted("referee_floods_total").await - n_floods;
    assert!(
        n_more > 0.0,
        "{again:?} at {path} was not counted as a flood"
    );
}

#[tokio::test]
async fn too_many_frames_of_any_kind_are_a_flood() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    for path in ["/ws", old::PATH] {
        let (start, nothing) = (head(0x01, 0), Vec::new());
        for (first, again) in [
            (&nothing, head(0x89, 0)),
            (&nothing, head(0x8a, 0)),
            (&start, head(0x00, 0)),
            (&start, [head(0x00, 1), b"x".to_vec()].concat()),
            (&start, [head(0x00, 0), head(0x8a, 0)].concat()),
        ] {
            check_flood_is_cut_off(&house, path, first, &again).await;
        }
    }
    round(&mut a, &mut b, "ADH", "HDC").await;
}

#[tokio::test]
async fn a_socketio_client_that_never_says_hello_is_closed() {
    let house = House::open().await;
    let mut client = OldClient::connect(&house).await;
    let closed = async {
        loop {
            match client.socket.next().await {
                Came::Text(text) if text == "2" => client.socket.send("3").await,
                Came::Text(_) => {}
                Came::End(code) => break code,
                Came::Silence => panic!("never closed"),
            }
        }
    };
    assert_eq!(house.pass_until(closed).await, Some(1008));
}

/// Sends a body at a byte a second until the server closes. Returns the time it took.
async fn trickle(house: &House, path: &str, token: &str) -> Duration {
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Authorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let began = Instant::now();
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    let mut buffer = [0; 4096];
    loop {
        assert!(began.elapsed() < common::PATIENCE, "never closed: {path}");
        tokio::select! {
            read = stream.read(&mut buffer) => {
                if matches!(read, Ok(0) | Err(_)) {
                    return began.elapsed();
                }
            }
            _ = seconds.tick() => drop(stream.write_all(b" ").await),
        }
    }
}

#[tokio::test]
async fn every_body_at_one_byte_a_second_times_out() {
    let house = House::open().await;
    let guest = house.guest().await;
    let session = Poller::arrive(&house, &guest).await.path();
    let paths = [
        &session,
        "/account/nickname",
        "/auth/login",
        "/api/replay",
        "/api/scenarios/survey",
        "/api/tables",
    ];
    let trickles = paths.map(|path| trickle(&house, path, &guest.token));
    for (path, took) in paths.iter().zip(join_all(trickles).await) {
        // Four seconds, plus a margin for a busy machine.
        assert!(took < Duration::from_secs(20), "{path}: {took:?}");
    }
}

async fn join_all<T>(futures: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    futures_util::future::join_all(futures).await
}

/// Requests more than the system's buffers take, over a connection with a small window, and never
/// reads.
async fn ask_and_never_read(house: &House) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(house.address).await.unwrap();
    let request = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    // The rest never arrives, because the server stops reading too.
    let requests = request.repeat(400);
    stream.write_all(requests.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn answers_that_no_one_reads_are_dropped() {
    let house = House::open().await;
    let mut clients = Vec::new();
    for _ in 0..17 {
        clients.push(ask_and_never_read(&house).await);
    }
    until("all of them to be dropped", async || {
        house.counted("referee_slow_readers_total").await == 17.0
    })
    .await;
    until("their memory to be free", async || {
        house.counted("referee_held_bytes").await == 0.0
    })
    .await;
    drop(clients);
}

#[tokio::test]
async fn replays_of_one_client_leave_room_for_others() {
    let house = House::with(|options| {
        options.trusted_proxies = Some(vec![[127, 0, 0, 1].into()]);
    })
    .await;
    let replay = async |client: &str| {
        let head = format!("X-Forwarded-For: {client}\r\n");
        let path = "/api/replay?viewer=all";
        http::ask(house.address, "POST", path, &head, LONG)
            .await
            .status
    };
    let greedy = join_all((0..12).map(|_| replay("198.51.100.1")));
    let (greedy, modest) = tokio::join!(greedy, join_all((0..4).map(|_| replay("198.51.100.2"))));
    assert_eq!(modest, [200; 4]);
    // One runs and three wait; the others are refused, unless the first ones are already done.
    let n_done = greedy.iter().filter(|it| **it == 200).count();
    assert!((4..=12).contains(&n_done), "{greedy:?}");
    assert!(
        greedy.iter().all(|it| matches!(it, 200 | 429)),
        "{greedy:?}"
    );
}
