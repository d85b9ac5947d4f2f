//! A server that a test can kill, restart and query.

use std::net::SocketAddr;

use serde_json::Value;
use server::{Config, Options, Running, ServeError, TestClock};
use store::StoreError;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::evidence;
use super::home::Home;
use super::http::{self, Answer};
use super::log;
use super::player::Player;
use super::until::{AGAIN_AFTER, until};

/// A round that no test outlasts in real time. Two of them pass before a silent socket is closed.
pub(crate) const ROUND_MS: u64 = 11_000;

/// A server with its own runtime and data.
pub(crate) struct House {
    // Dropped in this order: the server before its data.
    engine: Option<Engine>,
    pub(crate) address: SocketAddr,
    options: Options,
    clock: TestClock,
    pub(crate) home: Home,
}

struct Engine {
    runtime: Runtime,
    running: Option<Running>,
}

/// An account and its token.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) token: String,
    pub(crate) account_id: String,
}

/// Sets a timing of a game, as `--timing` does.
pub(crate) fn set_time(options: &mut Options, time: &str, ms: u64) {
    let timing = format!("{time}={ms}");
    options.timing.push(timing.parse().expect("is a timing"));
}

impl House {
    /// A server whose rounds end when both players have confirmed.
    pub(crate) async fn open() -> House {
        House::with(|_| {}).await
    }

    /// A server whose rounds last [`ROUND_MS`]: they end when a test lets that time pass.
    pub(crate) async fn with_rounds() -> House {
        House::with(|options| set_time(options, "orcain.turn-ms", ROUND_MS)).await
    }

    /// The same with some options changed.
    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> House {
        House::at(Home::sqlite(), change).await
    }

    pub(crate) async fn at(home: Home, change: impl FnOnce(&mut Options)) -> House {
        log::keep();
        let mut options = Options {
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
            // The disk of the machine that runs the tests may stall.
            storage_patience_ms: Some(30_000),
            ..Options::default()
        };
        set_time(&mut options, "orcain.turn-ms", 30_000);
        set_time(&mut options, "orcain.step-ms", 10);
        home.furnish(&mut options);
        change(&mut options);
        let mut house = House {
            engine: None,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            options,
            clock: TestClock::default(),
            home,
        };
        house.restart().await;
        house
    }

    /// Kills the server at once, whatever it is doing; what it has committed stays.
    pub(crate) fn crash(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.runtime.shutdown_background();
            drop(engine.running);
        }
    }

    /// Restarts the server on the same data, as if it had been down for this long.
    pub(crate) async fn restart_after(&mut self, down_ms: u64) {
        self.crash();
        self.pass(down_ms);
        self.restart().await;
    }

    /// Lets this much time pass at once for matches and sockets. Announced deadlines within it
    /// expire now.
    pub(crate) fn pass(&self, ms: u64) {
        self.clock.advance(ms);
    }

    /// Lets time pass second by second, faster than real time, until `comes` completes.
    pub(crate) async fn pass_until<T>(&self, comes: impl Future<Output = T>) -> T {
        tokio::pin!(comes);
        loop {
            match timeout(AGAIN_AFTER, comes.as_mut()).await {
                Ok(came) => return came,
                Err(_) => self.pass(1_000),
            }
        }
    }

    /// Restarts the server on the same data.
    pub(crate) async fn restart(&mut self) {
        self.crash();
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let mut started = None;
        until("the previous server to release the database", async || {
            let config = Config::resolve(self.options.clone()).unwrap();
            let config = config.with_test_clock(&self.clock);
            let served = runtime.spawn(server::serve(config, |_| {})).await.unwrap();
            match served {
                Ok(running) => started = Some(running),
                Err(ServeError::Store(StoreError::InUse { .. })) => {}
                Err(error) => panic!("the server does not start: {error}"),
            }
            started.is_some()
        })
        .await;
        self.address = started.as_ref().unwrap().address();
        self.engine = Some(Engine {
            runtime,
            running: started,
        });
    }

    /// Starts a graceful stop of the server.
    pub(crate) fn drain(&mut self) -> JoinHandle<()> {
        let engine = self.engine.as_mut().unwrap();
        let running = engine.running.take().unwrap();
        engine.runtime.spawn(running.drain())
    }

    pub(crate) fn census(&self) -> server::Census {
        let running = self.engine.as_ref().and_then(|it| it.running.as_ref());
        running.unwrap().census()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        http::ask(self.address, "GET", path, "", "").await
    }

    /// The value of a metric; 0 if it has not been counted yet.
    pub(crate) async fn counted(&self, name: &str) -> f64 {
        let text = self.get("/metrics").await.text();
        let line = |line: &&str| line.split([' ', '{']).next() == Some(name);
        let value = text.lines().find(line).and_then(|it| it.rsplit(' ').next());
        value.map_or(0.0, |it| it.parse().unwrap())
    }

    pub(crate) async fn get_as(&self, guest: &Guest, path: &str) -> Answer {
        http::ask(self.address, "GET", path, &bearer(guest), "").await
    }

    pub(crate) async fn post_as(&self, guest: &Guest, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        http::ask(self.address, "POST", path, &bearer(guest), &body).await
    }

    pub(crate) async fn guest(&self) -> Guest {
        let answer = http::ask(self.address, "POST", "/auth/guest", "", "").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let signed = answer.json();
        let text = |key: &str| signed[key].as_str().unwrap().to_owned();
        Guest {
            token: text("authToken"),
            account_id: text("accountId"),
        }
    }

    /// The account as `/auth/me` shows it.
    pub(crate) async fn me(&self, guest: &Guest) -> Value {
        let answer = self.get_as(guest, "/auth/me").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    pub(crate) async fn tokens(&self, guest: &Guest) -> u64 {
        self.me(guest).await["tokens"].as_u64().unwrap()
    }

    /// Sets a nickname. The first is free.
    pub(crate) async fn rename(&self, guest: &Guest, nickname: &str) -> Answer {
        let body = serde_json::json!({ "nickname": nickname });
        self.post_as(guest, "/account/nickname", &body).await
    }

    /// A new account that has said hello.
    pub(crate) async fn player(&self) -> Player {
        Player::arrive(self, self.guest().await).await
    }

    /// Two players in a match; the first has the first seat.
    pub(crate) async fn duel(&self) -> (Player, Player) {
        let (mut a, mut b) = (self.player().await, self.player().await);
        pair(&mut a, &mut b).await;
        (a, b)
    }

    /// A spectator of a match who has received the first standing.
    pub(crate) async fn spectator(&self, match_id: &str) -> Player {
        let mut watcher = self.player().await;
        let watch = serde_json::json!({ "type": "watch", "match_id": match_id });
        watcher.say(&watch).await;
        watcher.until_type("watching").await;
        watcher.until_message("standing").await;
        watcher
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.crash();
        evidence::keep_if_failed("server.log", log::text);
    }
}

/// Pairs two connected players.
pub(crate) async fn pair(a: &mut Player, b: &mut Player) {
    a.queue().await;
    b.queue().await;
    a.until_seated().await;
    b.until_seated().await;
    assert_eq!(a.match_id, b.match_id);
    assert_eq!((a.seat, b.seat), (0, 1));
}

/// Opens a lobby and seats the players, the first one as its host.
pub(crate) async fn lobby(house: &House, order: &Value, players: &mut [&mut Player]) {
    let opened = house.post_as(&players[0].guest, "/api/tables", order).await;
    assert_eq!(opened.status, 201, "{}", opened.text());
    let code = opened.json()["code"].clone();
    for player in players.iter_mut() {
        player
            .say(&serde_json::json!({ "type": "table_join", "code": code }))
            .await;
        let sat = player.until_type("table").await;
        assert!(sat["own"].is_u64(), "{sat}");
    }
    for player in players {
        player.until_seated().await;
    }
}

fn bearer(guest: &Guest) -> String {
    format!("Authorization: Bearer {}\r\n", guest.token)
}
