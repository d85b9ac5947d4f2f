//! The server behind a real proxy: Debian's HAProxy, configured as in docs/operations.md.
//!
//! Promise: No proxy and no forged header evades a limit by address.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// The time limit for one step on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that is killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// A server behind a proxy that it trusts.
struct Site {
    proxy: SocketAddr,
    server: SocketAddr,
    _running: [Running; 2],
    _folder: TempDir,
}

impl Site {
    async fn open(options: &[&str]) -> Site {
        let folder = TempDir::new().unwrap();
        let (server, listening) = serve(folder.path(), options);
        let proxy = own_address();
        let running = [server, put_in_front(folder.path(), proxy, listening)];
        let site = Site {
            proxy,
            server: listening,
            _running: running,
            _folder: folder,
        };
        let began = Instant::now();
        while TcpStream::connect(proxy).await.is_err() {
            assert!(began.elapsed() < PATIENCE, "the proxy is not listening");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        site
    }

    /// Sends one request from this client through the proxy.
    async fn ask(&self, client: Ipv4Addr, method: &str, path: &str, head: &str) -> Answer {
        let mut stream = connect(client, self.proxy).await;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 0\r\n\
             {head}\r\n",
            self.proxy
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        let read = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
        read.expect("an answer in time").unwrap();
        Answer::read(&bytes)
    }

    async fn guest(&self, client: Ipv4Addr) -> String {
        let answer = self.ask(client, "POST", "/auth/guest", "").await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let signed: Value = serde_json::from_str(&answer.body).unwrap();
        signed["authToken"].as_str().unwrap().to_owned()
    }

    /// Opens a socket from this client through the proxy. Fails with the status of the refusal.
    async fn socket(&self, client: Ipv4Addr, head: &str) -> Result<TcpStream, u16> {
        let mut stream = connect(client, self.proxy).await;
        let request = format!(
            "GET /ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             {head}\r\n",
            self.proxy
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            let byte = timeout(PATIENCE, stream.read_u8()).await;
            bytes.push(byte.expect("an answer in time").unwrap());
        }
        match Answer::read(&bytes).status {
            101 => Ok(stream),
            refused => Err(refused),
        }
    }

    /// Like [`Site::socket`], but signed in, so that the server keeps it open.
    async fn player(&self, client: Ipv4Addr, token: &str) -> Result<TcpStream, u16> {
        let mut stream = self.socket(client, "").await?;
        let hello = json!({"type": "hello", "protocol": 1, "token": token}).to_string();
        let mut frame = vec![0x81, 0x80 | 126];
        frame.extend((hello.len() as u16).to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(hello.as_bytes());
        stream.write_all(&frame).await.unwrap();
        let mut bytes = Vec::new();
        while !String::from_utf8_lossy(&bytes).contains("\"welcome\"") {
            let byte = timeout(PATIENCE, stream.read_u8()).await;
            bytes.push(byte.expect("a welcome in time").unwrap());
        }
        Ok(stream)
    }
}

struct Answer {
    status: u16,
    body: String,
}

impl Answer {
    fn read(bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            body: body.to_owned(),
        }
    }
}

async fn connect(client: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((client, 0).into()).unwrap();
    socket.connect(to).await.unwrap()
}

fn serve(folder: &Path, options: &[&str]) -> (Running, SocketAddr) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "error"])
        .args(["--trusted-proxy", "127.0.0.1"])
        .args(["--storage-patience-ms", "30000"])
        .args(options)
        .arg("--data")
        .arg(folder.join("data"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let running = Running(child);
    let listening = lines
        .map(Result::unwrap)
        .find_map(|line| Some(line.split_once("listening on http://")?.1.to_owned()));
    let listening = listening.expect("the server listens");
    (running, listening.parse().unwrap())
}

fn put_in_front(folder: &Path, at: SocketAddr, server: SocketAddr) -> Running {
    let file = folder.join("haproxy.cfg");
    let text = format!(
        "global\n  maxconn 500\n\
         defaults\n  mode http\n  timeout connect 10s\n  timeout client 60s\n\
         \x20 timeout server 60s\n  timeout tunnel 1h\n\
         frontend players\n  bind {at}\n  option forwardfor\n  default_backend referee\n\
         backend referee\n  server one {server}\n"
    );
    std::fs::write(&file, text).unwrap();
    let spawned = Command::new("haproxy")
        .arg("-db")
        .arg("-f")
        .arg(&file)
        .spawn();
    let child = spawned.unwrap_or_else(|error| {
        panic!(
            "haproxy cannot be started ({error}): install it (on Debian, as root: apt-get \
             install haproxy), or run `cargo xtask test`, which does"
        )
    });
    Running(child)
}

/// A loopback address that no other test listens on.
fn own_address() -> SocketAddr {
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    (Ipv4Addr::new(127, high + 1, middle, low), 8_070).into()
}

const ALICE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 77);
const BOB: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 78);

#[tokio::test]
async fn sockets_behind_a_proxy_are_limited_by_the_address_of_their_client() {
    let site = Site::open(&["--connections-per-address", "5"]).await;
    let token = site.guest(ALICE).await;
    let mut sockets = Vec::new();
    for nth in 0..5 {
        let socket = site.player(ALICE, &token).await;
        sockets.push(socket.unwrap_or_else(|status| panic!("socket {nth}: {status}")));
    }
    for _ in 0..35 {
        assert_eq!(site.socket(ALICE, "").await.err(), Some(429));
    }
    // The proxy appends its own entry to whatever the client wrote into the header.
    for lie in ["203.0.113.9", "127.0.0.1", "203.0.113.9, unknown", "::1"] {
        let head = format!("X-Forwarded-For: {lie}\r\n");
        assert_eq!(site.socket(ALICE, &head).await.err(), Some(429), "{lie}");
    }
    let other = site.guest(BOB).await;
    let bob = site.player(BOB, &other).await;
    assert!(bob.is_ok(), "another client is not affected: {bob:?}");
    // Closing a socket makes room for another.
    sockets.pop();
    let began = Instant::now();
    while site.player(ALICE, &token).await.is_err() {
        assert!(began.elapsed() < PATIENCE, "the place was not freed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn requests_behind_a_proxy_are_limited_by_the_address_of_their_client() {
    let site = Site::open(&["--guests-per-hour", "3"]).await;
    let mut statuses = Vec::new();
    for nth in 0..8 {
        let head = format!("X-Forwarded-For: 198.51.100.{nth}\r\n");
        let answer = site.ask(ALICE, "POST", "/auth/guest", &head).await;
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [200, 200, 200, 429, 429, 429, 429, 429]);
    site.guest(BOB).await;
    // A request from the trusted address that names no client counts against the proxy.
    let mut stream = TcpStream::connect(site.server).await.unwrap();
    let request = "POST /auth/guest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                   Content-Length: 0\r\nX-Forwarded-For: 198.51.100.1, unknown\r\n\r\n";
    for expected in [200, 200, 200, 429] {
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        let read = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
        read.expect("an answer in time").unwrap();
        assert_eq!(Answer::read(&bytes).status, expected);
        stream = TcpStream::connect(site.server).await.unwrap();
    }
}

/// The number of clients that request a replay and do not read the response.
const READERS: usize = 16;
/// The memory that this must use for the test to be meaningful.
const BURST_KB: u64 = 50_000;

// Promise: The program releases the memory that a burst of large replays used.
#[tokio::test]
async fn memory_used_by_large_replays_is_released() {
    let folder = TempDir::new().unwrap();
    let record = a_long_record(folder.path());
    let (server, at) = serve(folder.path(), &[]);
    let before = resident_kb(&server);
    let mut highest = before;
    // The first burst fragments the heap; the second need not fill the holes.
    for _ in 0..2 {
        let mut unread = Vec::new();
        for nth in 0..READERS {
            unread.push(ask_for_replay(at, nth, &record).await);
        }
        let began = Instant::now();
        while resident_kb(&server) < before + BURST_KB {
            assert!(began.elapsed() < PATIENCE, "replays use too little memory");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        highest = highest.max(resident_kb(&server));
    }
    let enough = before + (highest - before) / 4;
    let began = Instant::now();
    while resident_kb(&server) > enough {
        let kept = resident_kb(&server);
        assert!(
            began.elapsed() < PATIENCE,
            "{before} kB, at most {highest} kB, now {kept} kB"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn a_long_record(folder: &Path) -> Vec<u8> {
    let records = folder.join("records");
    let simulated = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["simulate", "catan", "--games", "1", "--seed", "14"])
        .args(["--seats", "random,random", "--out"])
        .arg(&records)
        .output()
        .unwrap();
    assert!(simulated.status.success(), "{simulated:?}");
    let record = std::fs::read_dir(&records).unwrap().next().unwrap();
    std::fs::read(record.unwrap().path()).unwrap()
}

/// Requests a replay as the nth client behind a proxy, and does not read the response.
async fn ask_for_replay(at: SocketAddr, nth: usize, record: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(at).await.unwrap();
    let head = format!(
        "POST /api/replay?viewer=all HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nX-Forwarded-For: 198.51.100.{nth}\r\n\r\n",
        record.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses may close the connection before it has read the entire record.
    stream.write_all(record).await.ok();
    stream
}

fn resident_kb(server: &Running) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.0.id())).unwrap();
    let resident = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kb = resident.unwrap().trim().trim_end_matches(" kB");
    kb.parse().unwrap()
}
