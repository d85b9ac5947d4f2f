//! Storage fails during a match and recovers: nobody loses anything by it, and the server reports
//! it meanwhile.
//!
//! Promise: A deadline starts when its round is durable, and none expires while nothing can be written.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::time::Duration;

use common::home::Home;
use common::house::{House, set_time};
use common::player::{Player, round};
use common::proxy::{Line, Proxy};
use common::settled::End;
use common::{cards, log, until};
use serde_json::json;

/// Two rounds of this length would end during an outage.
const PREP_MS: u64 = 5_000;

/// Stops storage, and starts it again.
trait Outage {
    fn begin(&mut self);
    fn end(&mut self);
}

/// Another program holds the lock of the embedded database.
struct Locked {
    database: rusqlite::Connection,
}

impl Outage for Locked {
    fn begin(&mut self) {
        self.database.busy_timeout(Duration::from_secs(10)).unwrap();
        self.database.execute_batch("BEGIN IMMEDIATE").unwrap();
    }

    fn end(&mut self) {
        self.database.execute_batch("ROLLBACK").unwrap();
    }
}

/// The connection to PostgreSQL fails in this way.
struct Failing {
    proxy: Proxy,
    line: Line,
}

impl Outage for Failing {
    fn begin(&mut self) {
        self.proxy.set(self.line);
    }

    fn end(&mut self) {
        self.proxy.set(Line::Open);
    }
}

async fn is_ready(house: &House) -> bool {
    house.get("/readyz").await.status == 200
}

async fn answer_at_once(player: &mut Player, letters: &str) -> u64 {
    let ask = json!({ "type": "confirm", "layout": cards(letters) });
    player.ask(&ask).await
}

/// Both players answer in every round, and storage is unavailable for longer than two rounds.
async fn outage_in_a_match(house: &House, outage: &mut impl Outage) {
    log::keep();
    let (mut a, mut b) = house.duel().await;
    round(&mut a, &mut b, "ADH", "HDC").await;
    assert!(is_ready(house).await);
    outage.begin();
    let seqs = [
        answer_at_once(&mut a, "ADH").await,
        answer_at_once(&mut b, "HDC").await,
    ];
    until("the outage to be noticed", || async {
        !is_ready(house).await
    })
    .await;
    for player in [&mut a, &mut b] {
        player.until_message("stalled").await;
    }
    let refused = house.post_as(&a.guest, "/auth/ticket", &json!({})).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(refused.header("retry-after").is_some(), "{}", refused.head);
    house.pass(3 * PREP_MS);
    assert!(!is_ready(house).await);
    outage.end();
    until("storage to be back", || is_ready(house)).await;
    for (player, seq) in [&mut a, &mut b].into_iter().zip(seqs) {
        let ack = player.until_ack(seq).await;
        assert_eq!(ack["taken"], true, "{ack}");
        player.until_event("ROUND_ENDED").await;
    }
    round(&mut a, &mut b, "ADH", "HDC").await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("normal"))
        .await;
    assert_eq!(log::lines_with("storage takes no writes").len(), 1);
    assert_eq!(log::lines_with("storage takes writes again").len(), 1);
}

fn production_patience(options: &mut server::Options) {
    set_time(options, "orcain.turn-ms", PREP_MS);
    options.storage_patience_ms = None;
}

async fn outage_of_postgres(line: Line) {
    let Some(home) = Home::postgres() else { return };
    let proxy = Proxy::before_postgres();
    let through = |options: &mut server::Options| {
        production_patience(options);
        let url = options.database_url.take();
        options.database_url = url.map(|url| proxy.through(&url));
    };
    let house = House::at(home, through).await;
    outage_in_a_match(&house, &mut Failing { proxy, line }).await;
}

#[tokio::test]
async fn players_who_answer_every_round_lose_nothing_while_the_database_is_locked() {
    let house = House::with(production_patience).await;
    let database = rusqlite::Connection::open(house.home.database_file()).unwrap();
    outage_in_a_match(&house, &mut Locked { database }).await;
}

#[tokio::test]
async fn players_who_answer_every_round_lose_nothing_while_postgres_is_silent() {
    outage_of_postgres(Line::Silent).await;
}

#[tokio::test]
async fn players_who_answer_every_round_lose_nothing_while_postgres_is_cut() {
    outage_of_postgres(Line::Cut).await;
}

#[tokio::test]
async fn a_match_that_nobody_rejoins_after_a_restart_is_void() {
    let mut house = House::with(|options| options.rejoin_grace_ms = Some(300)).await;
    let (a, b) = house.duel().await;
    house.restart().await;
    until("the match to be void", || async {
        house.tokens(&a.guest).await == 10 && house.tokens(&b.guest).await == 10
    })
    .await;
    let shown = house.get(&format!("/api/matches/{}", a.match_id)).await;
    assert!(shown.text().contains("\"void\""), "{}", shown.text());
}
