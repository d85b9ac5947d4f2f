//! The promises of live matches, each with a test that fails if it is broken.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::time::Duration;

use common::house::{House, pair, set_time};
use common::old::{self, OldClient};
use common::player::{Player, event, round};
use common::settled::End;
use common::socket::Socket;
use common::{cards, until};
use serde_json::{Value, json};
use store::MatchState;

// Hidden information stays hidden.

/// The second seat's actions, before and after the first seat confirms.
#[derive(Clone, Copy)]
struct Opponent {
    drafts: &'static [&'static str],
    layout: &'static str,
    /// True if it confirms before the first seat does.
    confirms_early: bool,
}

const OPPONENTS: [Opponent; 3] = [
    Opponent {
        drafts: &[],
        layout: "HDC",
        confirms_early: false,
    },
    Opponent {
        drafts: &["A--", "A?D", "---"],
        layout: "CAH",
        confirms_early: true,
    },
    Opponent {
        drafts: &["DDD", "AAA", "H--", "-H-", "--H"],
        layout: "ADH",
        confirms_early: false,
    },
];

/// A frame without the parts that differ in every match: ids, times, hashes.
fn bare(frame: &str, ids: &[&str]) -> String {
    let mut text = frame.to_owned();
    for id in ids {
        text = text.replace(id, "ID");
    }
    let mut bare = String::new();
    let mut run = String::new();
    for it in text.chars().chain(['\n']) {
        if it.is_ascii_hexdigit() {
            run.push(it);
            continue;
        }
        let number = run.len() == 13 && run.chars().all(|it| it.is_ascii_digit());
        bare.push_str(match run.len() {
            13 if number => "TIME",
            32 | 64 => "HASH",
            _ => &run,
        });
        run.clear();
        bare.push(it);
    }
    bare
}

/// The frames before the first card is revealed.
fn before_the_reveal(heard: &[String], mark: &str, ids: &[&str]) -> Vec<String> {
    let hidden = heard.iter().take_while(|it| !it.contains(mark));
    hidden.map(|it| bare(it, ids)).collect()
}

/// Plays one round. Returns the frames that the first seat and a spectator received before the
/// reveal: until the first seat confirms, and, if the opponent confirms later, until the first card
/// shows.
async fn heard_in_new_protocol(opponent: Opponent) -> [Vec<String>; 2] {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    let mut spectator = house.spectator(&a.match_id).await;
    a.draft("A--").await;
    for draft in opponent.drafts {
        b.draft(draft).await;
    }
    if opponent.confirms_early {
        b.confirm(opponent.layout).await;
    }
    a.say(&json!({"type": "resync", "match_id": a.match_id, "seen": 1}))
        .await;
    a.until_message("standing").await;
    spectator.ping().await;
    a.say(&json!({"type": "ping", "at": 7})).await;
    a.until_type("pong").await;
    let before_confirm = [a.heard.len(), spectator.heard.len()];
    a.confirm("ADH").await;
    if !opponent.confirms_early {
        b.confirm(opponent.layout).await;
    }
    let mut before = Vec::new();
    for (viewer, n_before) in [&mut a, &mut spectator].into_iter().zip(before_confirm) {
        viewer.until_event("STEP_REVEALED").await;
        let ids = [viewer.guest.account_id.as_str(), b.match_id.as_str()];
        let mut hidden = before_the_reveal(&viewer.heard, "STEP_REVEALED", &ids);
        if opponent.confirms_early {
            // The seat's own confirm is then the last one and ends the round.
            hidden.truncate(n_before);
        }
        before.push(hidden);
    }
    before.try_into().unwrap()
}

async fn heard_in_old_protocol(opponent: Opponent) -> Vec<String> {
    let house = House::open().await;
    let (one, two) = (house.guest().await, house.guest().await);
    let mut a = OldClient::arrive(&house, &one).await;
    let mut b = OldClient::arrive(&house, &two).await;
    old::pair(&mut a, &mut b).await;
    let match_id = house.get("/api/lobby").await.json()["live"][0]["match_id"].clone();
    for draft in opponent.drafts {
        b.draft(draft).await;
    }
    if opponent.confirms_early {
        b.confirm(opponent.layout).await;
    }
    b.ping().await;
    a.draft("A--").await;
    a.ping().await;
    a.confirm("ADH").await;
    a.until("confirm_ok").await;
    if !opponent.confirms_early {
        b.confirm(opponent.layout).await;
    }
    a.until("step_reveal").await;
    before_the_reveal(&a.heard, "step_reveal", &[match_id.as_str().unwrap()])
}

// Promise: No byte, length or count on the wire depends on what the opponent hides.
#[tokio::test]
async fn hidden_stays_hidden() {
    let [player, spectator] = heard_in_new_protocol(OPPONENTS[0]).await;
    assert!(player.iter().any(|it| it.contains("ROUND_FINALIZED")));
    for opponent in &OPPONENTS[1..] {
        let [other_player, other_spectator] = heard_in_new_protocol(*opponent).await;
        assert!(other_player.len() >= 8, "{other_player:#?}");
        let n_compared = if opponent.confirms_early {
            [other_player.len(), other_spectator.len()]
        } else {
            [player.len(), spectator.len()]
        };
        assert_eq!(player[..n_compared[0]], other_player);
        assert_eq!(spectator[..n_compared[1]], other_spectator);
    }
}

// Promise: No byte, length or count on the wire depends on what the opponent hides.
#[tokio::test]
async fn hidden_stays_hidden_from_old_clients() {
    let heard = heard_in_old_protocol(OPPONENTS[0]).await;
    assert!(heard.iter().any(|it| it.contains("confirm_ok")));
    for opponent in &OPPONENTS[1..] {
        assert_eq!(heard, heard_in_old_protocol(*opponent).await);
    }
}

#[tokio::test]
async fn spectators_get_the_public_view_only() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    a.confirm("ADH").await;
    b.draft("H-C").await;
    let mut spectator = house.spectator(&a.match_id).await;
    for player in [&a, &b] {
        let account = player.guest.account_id.as_str();
        assert!(spectator.heard.iter().all(|it| !it.contains(account)));
    }
    let standing = spectator.heard.last().unwrap();
    let standing: Value = serde_json::from_str(standing).unwrap();
    assert_eq!(standing["message"]["view"]["own"], Value::Null);
    b.confirm("HDC").await;
    let ended = spectator.until_event("ROUND_ENDED").await;
    assert_eq!(
        event(&ended, "ROUND_ENDED"),
        event(&a.until_event("ROUND_ENDED").await, "ROUND_ENDED")
    );
    // No acknowledgements, and no way to take part.
    assert!(spectator.heard.iter().all(|it| !it.contains("\"ack\"")));
    spectator.match_id.clone_from(&a.match_id);
    spectator.resign().await;
    assert_eq!(spectator.until_error().await["code"], "not_seated");
    a.resign().await;
    let end = spectator.until_end().await;
    assert_eq!((&end["tokens"], &end["share"]), (&Value::Null, &json!(0)));
}

#[tokio::test]
async fn a_spectator_who_stops_watching_receives_nothing_more() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    let mut spectator = house.spectator(&a.match_id).await;
    spectator
        .say(&json!({"type": "unwatch", "match_id": a.match_id}))
        .await;
    spectator.until_type("unwatched").await;
    round(&mut a, &mut b, "ADH", "HDC").await;
    let n_heard = spectator.heard.len();
    spectator.ping().await;
    assert_eq!(spectator.heard.len(), n_heard + 1);
}

// Promise: Spectators and returning players receive everything once.
#[tokio::test]
async fn spectators_receive_every_version_once_whenever_they_join() {
    let house = House::with(|options| set_time(options, "orcain.step-ms", 3)).await;
    let (mut a, mut b) = house.duel().await;
    let watch = json!({"type": "watch", "match_id": a.match_id});
    let mut spectators = Vec::new();
    for _ in 0..30 {
        spectators.push(house.player().await);
    }
    let mut coming = spectators.iter_mut();
    for _ in 0..5 {
        // Spectators join while events are being written.
        for player in [&mut a, &mut b] {
            let ask = json!({"type": "confirm", "layout": cards("ADC")});
            player.ask(&ask).await;
            for spectator in coming.by_ref().take(3) {
                spectator.say(&watch).await;
            }
        }
        a.until_event("ROUND_ENDED").await;
        b.until_event("ROUND_ENDED").await;
    }
    let mut n_late = 0;
    for spectator in &mut spectators {
        let first = spectator
            .until(|it| it["message"]["type"] == "standing" || it["type"] == "error")
            .await;
        if first["type"] == "error" {
            // The last of them may join after the end.
            assert_eq!(first["code"], "unknown_match");
            n_late += 1;
            continue;
        }
        let mut version = first["message"]["version"].as_u64().unwrap();
        while let message = spectator.receive().await
            && message["type"] != "match_end"
        {
            if message["message"]["type"] == "news" {
                version += 1;
                assert_eq!(message["message"]["version"], version);
            }
        }
    }
    assert!(n_late <= 6, "{n_late}");
}

#[tokio::test]
async fn an_invitation_starts_one_match() {
    let house = House::open().await;
    let (mut maker, mut guest) = (house.player().await, house.player().await);
    maker
        .say(&json!({"type": "invite_create", "game": "orcain", "stake": 5}))
        .await;
    let code = maker.until_type("invited").await["code"].clone();
    let page = format!("/api/invitations/{}", code.as_str().unwrap());
    assert_eq!(house.get(&page).await.json()["maker_present"], true);
    let accept = json!({"type": "invite_accept", "code": code});
    guest.say(&accept).await;
    maker.until_seated().await;
    guest.until_seated().await;
    assert_eq!(maker.match_id, guest.match_id);
    assert_eq!(house.tokens(&guest.guest).await, 5);
    let mut late = house.player().await;
    late.say(&accept).await;
    assert_eq!(late.until_error().await["code"], "invitation_unknown");
    assert_eq!(house.get(&page).await.status, 404);
    maker.resign().await;
    guest.until_end().await;
    assert_eq!(house.tokens(&guest.guest).await, 15);
    // Nobody pays a stake for a match that the inviting player would not see.
    maker
        .say(&json!({"type": "invite_create", "game": "orcain"}))
        .await;
    let code = maker.until_type("invited").await["code"].clone();
    drop(maker.socket);
    until("the maker to be gone", async || {
        house.census().n_accounts == 2
    })
    .await;
    late.say(&json!({"type": "invite_accept", "code": code}))
        .await;
    assert_eq!(late.until_error().await["code"], "invitation_maker_away");
    assert_eq!(house.tokens(&late.guest).await, 10);
    house.check_books();
}

// Deadlines are fair.

#[tokio::test]
async fn deadlines_are_fair() {
    let mut house = House::with(|options| set_time(options, "orcain.turn-ms", 8_000)).await;
    let (mut a, b) = house.duel().await;
    a.say(&json!({"type": "resync", "match_id": a.match_id, "seen": 0}))
        .await;
    let before = a.until_message("standing").await;
    house.crash();
    // Longer than the entire round.
    house.restart_after(8_500).await;
    let mut a = Player::connect(&house, a.guest.clone()).await;
    a.hello(None).await;
    let after = a.until_seated().await;
    let moved = after["deadline_ms"].as_u64().unwrap() - before["deadline_ms"].as_u64().unwrap();
    assert!(moved >= 8_500, "{moved}");
    assert_eq!(after["view"]["round"], 1);
    assert_eq!(after["view"]["afk_streak"], json!([0, 0]));
    let mut b = b.come_back(&house).await;
    a.confirm("ADH").await;
    b.confirm("HDC").await;
    let news = a.until_event("ROUND_FINALIZED").await;
    let missed = &event(&news, "ROUND_FINALIZED").unwrap()["missed"];
    assert_eq!(*missed, json!([false, false]));
}

#[tokio::test]
async fn both_seats_receive_the_same_deadline() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    for _ in 0..2 {
        let [one, two] = round(&mut a, &mut b, "ADC", "ADC").await;
        assert_eq!(one["deadline_ms"], two["deadline_ms"]);
        assert!(one["deadline_ms"].is_u64());
    }
}

// No acknowledged action is lost.

#[tokio::test]
async fn no_ack_is_lost() {
    for _ in 0..3 {
        let mut house = House::open().await;
        let (mut a, mut b) = house.duel().await;
        a.draft("A--").await;
        b.draft("-A-").await;
        assert_eq!(a.confirm("CHD").await["taken"], true);
        house.crash();
        house.restart().await;
        let mut a = a.come_back(&house).await;
        let mut b = b.come_back(&house).await;
        // A second confirm is refused: the acknowledged one is final.
        let again = a.confirm("ADH").await;
        assert_eq!(
            (&again["taken"], &again["code"]),
            (&json!(false), &json!("already_confirmed"))
        );
        b.confirm("ADH").await;
        let mut played = Vec::new();
        for _ in 0..3 {
            let news = b.until_event("STEP_REVEALED").await;
            played.push(event(&news, "STEP_REVEALED").unwrap()["cards"][0].clone());
        }
        assert_eq!(Value::from(played), cards("CHD"));
    }
}

#[tokio::test]
async fn a_server_that_crashes_repeatedly_still_ends_the_match() {
    // Slow enough that returning players find the reveal in progress.
    let mut house = House::with(|options| set_time(options, "orcain.step-ms", 150)).await;
    let (mut a, mut b) = house.duel().await;
    for _ in 0..3 {
        a.confirm("ADH").await;
        house.restart().await;
        (a, b) = (a.come_back(&house).await, b.come_back(&house).await);
        b.confirm("HDC").await;
        // In the middle of the reveal.
        house.restart().await;
        a = Player::connect(&house, a.guest.clone()).await;
        if a.hello(None).await["match_id"].is_null() {
            break;
        }
        let standing = a.until_seated().await;
        // The match may be over before the opponent is back.
        let gone = b;
        b = Player::arrive(&house, gone.guest.clone()).await;
        (b.match_id, b.seq, b.seen) = (gone.match_id, gone.seq, gone.seen);
        if standing["view"]["phase"] == "REVEAL" {
            let ended = a.until_event("ROUND_ENDED").await;
            if event(&ended, "MATCH_ENDED").is_some() {
                break;
            }
        }
    }
    until("the match to be over", async || {
        house.tokens(&a.guest).await == 11
    })
    .await;
    house
        .check_settled(&a, &b, End::won_by_first("normal"))
        .await;
}

// Reconnecting.

// Promise: Spectators and returning players receive everything once.
#[tokio::test]
async fn a_player_who_reconnects_receives_exactly_what_was_missed_in_every_phase() {
    let house = House::with(|options| {
        set_time(options, "orcain.grace-ms", 30_000);
        set_time(options, "orcain.step-ms", 300);
    })
    .await;
    let (mut a, mut b) = house.duel().await;
    round(&mut a, &mut b, "ADH", "HDC").await;
    // Before a draft, after it, after a confirm, and during the reveal.
    for phase in ["silent", "drafted", "confirmed", "reveal"] {
        match phase {
            "drafted" => drop(b.draft("H--").await),
            "confirmed" => drop(b.confirm("HDC").await),
            "reveal" => {
                a.confirm("ADH").await;
                b.until_event("STEP_REVEALED").await;
            }
            _ => {}
        }
        b = away_and_back(&house, &mut a, b).await;
    }
    b.until_event("ROUND_ENDED").await;
    a.until_event("ROUND_ENDED").await;
    b.resign().await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("resign"))
        .await;
}

/// Disconnects and reconnects; the versions have no gap and nothing arrives twice.
async fn away_and_back(house: &House, a: &mut Player, b: Player) -> Player {
    let guest = b.guest.clone();
    let resume = json!({"match_id": b.match_id, "seen": b.seen, "next_seq": b.seq + 1});
    let (seen, seq) = (b.seen, b.seq);
    drop(b.socket);
    a.until(|it| it["message"]["note"]["paused"].is_object())
        .await;
    let mut again = Player::connect(house, guest).await;
    again.hello(Some(resume)).await;
    let found = again.until_type("match_found").await;
    assert_eq!(
        (&found["resumed"], &found["next_seq"]),
        (&json!(true), &json!(seq + 1))
    );
    a.until(|it| it["message"]["note"] == "resumed").await;
    let mut versions = Vec::new();
    let standing = loop {
        let message = again.receive().await["message"].clone();
        if message["type"] == "standing" {
            break message;
        }
        versions.push(message["version"].as_u64().unwrap());
    };
    let last = standing["version"].as_u64().unwrap();
    assert_eq!(versions, (seen + 1..=last).collect::<Vec<_>>());
    assert!(
        versions.len() >= 2,
        "at least the pause and its end: {versions:?}"
    );
    again.match_id = found["match_id"].as_str().unwrap().to_owned();
    again.seat = 1;
    again.commitment = found["commitment"].as_str().unwrap().to_owned();
    again.seq = seq;
    again
}

#[tokio::test]
async fn a_match_against_a_bot_continues_and_missed_events_are_sent() {
    let house = House::open().await;
    let mut a = house.player().await;
    a.play_bot().await;
    let mut watcher = house.spectator(&a.match_id).await;
    a.confirm("ADH").await;
    let resume = json!({"match_id": a.match_id, "seen": a.seen, "next_seq": 2});
    let seen = a.seen;
    drop(a.socket);
    watcher.until_event("ROUND_ENDED").await;
    let mut again = Player::connect(&house, a.guest.clone()).await;
    again.hello(Some(resume)).await;
    let standing = again.until_seated().await;
    let news: Vec<Value> = again
        .heard
        .iter()
        .map(|it| serde_json::from_str::<Value>(it).unwrap()["message"].clone())
        .filter(|it| it["type"] == "news")
        .collect();
    let versions: Vec<u64> = news
        .iter()
        .map(|it| it["version"].as_u64().unwrap())
        .collect();
    let last = standing["version"].as_u64().unwrap();
    assert_eq!(versions, (seen + 1..=last).collect::<Vec<_>>());
    let steps = news
        .iter()
        .filter(|it| event(it, "STEP_REVEALED").is_some());
    assert_eq!(steps.count(), 3);
}

#[tokio::test]
async fn a_newer_connection_takes_over_the_seat_without_a_departure() {
    let house = House::open().await;
    let (a, mut b) = house.duel().await;
    let mut old = a;
    old.draft("A--").await;
    let mut new = old.come_back(&house).await;
    assert_eq!(old.socket.closed().await, Some(4001));
    assert_eq!(new.seq, 1);
    round(&mut new, &mut b, "ADH", "HDC").await;
    // From Referee's protocol to the old one, and back.
    let mut older = OldClient::arrive(&house, &new.guest).await;
    older.until("prep_start").await;
    assert_eq!(new.socket.closed().await, Some(4001));
    older.confirm("ADH").await;
    older.until("confirm_ok").await;
    let mut last = Player::connect(&house, new.guest.clone()).await;
    last.hello(None).await;
    last.until_seated().await;
    assert_eq!(older.socket.closed().await, Some(4001));
    b.confirm("HDC").await;
    last.until_event("ROUND_ENDED").await;
    assert_eq!(b.n_heard("match_end"), 0);
}

#[tokio::test]
async fn a_second_hello_over_the_same_socket_is_not_a_departure() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    a.draft("A--").await;
    let welcome = a.hello(None).await;
    assert_eq!(welcome["match_id"], a.match_id.as_str());
    a.until_message("standing").await;
    round(&mut a, &mut b, "ADH", "HDC").await;
    assert_eq!(b.n_heard("match_end"), 0);
}

/// If a welcome names a match, the client then receives it, at whatever instant between the last
/// move and the end the hello arrives, over a new socket or an existing one.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_reconnects_as_the_match_ends_receives_the_result() {
    let house = House::open().await;
    // The delay of the hello after the resignation; below zero, it is sent before.
    let (mut n_named, mut after_us) = (0, 0_i64);
    for nth in 0..60 {
        let (mut a, mut b) = house.duel().await;
        let mut again = Player::connect(&house, b.guest.clone()).await;
        let late = if nth < 40 { &mut again } else { &mut b };
        let hello = json!({"type": "hello", "protocol": 1, "token": late.guest.token});
        let wait = Duration::from_micros(after_us.unsigned_abs());
        if after_us < 0 {
            late.say(&hello).await;
            tokio::time::sleep(wait).await;
            a.resign().await;
        } else {
            a.resign().await;
            tokio::time::sleep(wait).await;
            late.say(&hello).await;
        }
        let welcome = late.until_type("welcome").await;
        let is_named = !welcome["match_id"].is_null();
        // Approaches the end from both sides.
        after_us += if is_named { 500 } else { -500 };
        if is_named {
            n_named += 1;
            let end = late.until_end().await;
            assert_eq!(end["outcome"]["reason"], "resign");
        }
        a.until_end().await;
    }
    assert!(
        n_named > 5,
        "{n_named}: the match was over before anyone connected"
    );
    house.check_books();
}

// Drain.

#[tokio::test]
async fn a_draining_server_ends_its_matches_and_starts_no_more() {
    let mut house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    let mut waiting = house.player().await;
    waiting.queue().await;
    let mut late = OldClient::arrive(&house, &house.guest().await).await;
    let drained = house.drain();
    a.until_type("draining").await;
    waiting.until_type("draining").await;
    assert_eq!(waiting.until_type("unqueued").await["reason"], "draining");
    for message in [
        json!({"type": "queue_join", "game": "orcain"}),
        json!({"type": "play_bot", "game": "orcain", "bot": "random"}),
    ] {
        waiting.say(&message).await;
        assert_eq!(waiting.until_error().await["code"], "draining");
    }
    assert_eq!(late.until("error_msg").await["code"], "draining");
    late.emit("queue_join", None).await;
    assert_eq!(late.until("error_msg").await["code"], "draining");
    assert_eq!(house.get("/readyz").await.status, 503);
    // A running match keeps its pace.
    round(&mut a, &mut b, "ADH", "HDC").await;
    b.resign().await;
    a.until_end().await;
    b.until_end().await;
    assert_eq!(waiting.socket.closed().await, Some(1001));
    drained.await.unwrap();
    house.restart().await;
    house
        .check_settled(&a, &b, End::won_by_first("resign"))
        .await;
    let mut waiting = Player::arrive(&house, waiting.guest).await;
    waiting.queue().await;
}

#[tokio::test]
async fn a_match_that_outlasts_the_drain_continues_after_the_restart() {
    let mut house = House::with(|options| options.drain_seconds = Some(1)).await;
    let (mut a, b) = house.duel().await;
    a.confirm("ADH").await;
    house.drain().await.unwrap();
    assert_eq!(a.socket.closed().await, Some(1001));
    house.restart().await;
    let (mut a, mut b) = (a.come_back(&house).await, b.come_back(&house).await);
    b.confirm("HDC").await;
    a.until_event("ROUND_ENDED").await;
    b.resign().await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("resign"))
        .await;
}

// Everything can be verified.

#[tokio::test]
async fn a_corrupt_event_voids_its_match_alone() {
    let mut house = House::open().await;
    let (mut a, b) = house.duel().await;
    let (mut c, mut d) = house.duel().await;
    a.draft("A--").await;
    c.draft("A--").await;
    house.crash();
    // One bit of the second event of the first match.
    until("the file to be free", async || {
        let mut store =
            store::Store::open(&store::Place::Sqlite(house.home.database_file())).unwrap();
        store.claim(1).is_ok()
    })
    .await;
    house.home.meddle(&format!(
        "UPDATE events SET bytes = CAST(substr(bytes, 1, 40) || \
         CASE substr(bytes, 41, 1) WHEN x'41' THEN x'42' ELSE x'41' END || substr(bytes, 42) AS BLOB) \
         WHERE match_number = (SELECT number FROM matches WHERE game_id = '{}') AND version = 2",
        a.match_id
    ));
    house.restart().await;
    let game_id = a.match_id.parse().unwrap();
    let (state, audit) = house.home.read(|tx| {
        let state = tx.stored_match(game_id)?.unwrap().state;
        assert!(tx.check_audit()?.is_ok());
        Ok((state, tx.audit_rows(None, None, 50)?))
    });
    assert_eq!(state, MatchState::Quarantined);
    let rows = audit.iter().filter(|row| row.kind == "match_quarantined");
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].payload.contains(&a.match_id), "{}", rows[0].payload);
    assert_eq!(house.tokens(&a.guest).await, 10);
    assert_eq!(house.tokens(&b.guest).await, 10);
    assert_eq!(
        house.record_of(&a).await.json()["error"],
        "match_quarantined"
    );
    house.check_books();
    // The other match continues, and both players of the first may play again.
    (c, d) = (c.come_back(&house).await, d.come_back(&house).await);
    round(&mut c, &mut d, "ADH", "HDC").await;
    let mut a = Player::arrive(&house, a.guest).await;
    let mut b = Player::arrive(&house, b.guest).await;
    pair(&mut a, &mut b).await;
    // Another restart finds nothing left to do.
    house.restart().await;
    assert_eq!(house.tokens(&c.guest).await, 9);
    house.check_books();
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let house = House::open().await;
    let mut options = server::Options {
        listen: Some(([127, 0, 0, 1], 0).into()),
        ..server::Options::default()
    };
    house.home.furnish(&mut options);
    let config = server::Config::resolve(options).unwrap();
    let refused = server::serve(config, |_| {}).await;
    let refusal = refused.err().unwrap().to_string();
    assert!(refusal.contains("lock"), "{refusal}");
    Socket::connect(house.address, "/ws", None).await.unwrap();
}
