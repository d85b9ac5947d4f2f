//! Catan and Stellar Fleet over real sockets: complete matches, absence, crashes, bad asks,
//! lobbies.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use catalog::{Catan, GameName, Stellar};
use common::home::Home;
use common::house::{House, lobby, set_time};
use common::player::{Player, event};
use kernel::Table;
use kernel::record::{self, Chance};
use serde_json::{Value, json};
use server::Options;

/// A server for turn-based games: bots decide quickly, and clients may send many messages.
async fn house(change: impl FnOnce(&mut Options)) -> House {
    house_at(Home::sqlite(), change).await
}

async fn house_at(home: Home, change: impl FnOnce(&mut Options)) -> House {
    House::at(home, |options| {
        options.bot_beat_ms = Some(0);
        options.messages_per_second = Some(5_000);
        change(options);
    })
    .await
}

fn catan(vp_to_win: u8, seats: &Value) -> Value {
    json!({ "game": "catan", "setup": { "vp_to_win": vp_to_win }, "seats": seats })
}

async fn duel_of_catan(house: &House, vp_to_win: u8) -> (Player, Player) {
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = catan(vp_to_win, &json!(["host", "guest"]));
    lobby(house, &order, &mut [&mut a, &mut b]).await;
    assert_eq!((a.seat, b.seat), (0, 1));
    (a, b)
}

/// Sends one decision, and returns the answer.
async fn ask(player: &mut Player, words: &[&str]) -> Value {
    let seq = player.ask(&json!({ "actions": words })).await;
    player.until_ack(seq).await
}

/// The words that could follow these words.
async fn consider(player: &mut Player, words: &[String]) -> Value {
    let question = player.heard.len() as u64;
    let match_id = player.match_id.clone();
    let ask = json!({ "actions": words });
    let message =
        json!({ "type": "consider", "match_id": match_id, "question": question, "ask": ask });
    player.say(&message).await;
    player.until_message("options").await
}

/// Requests the standing again.
async fn standing(player: &mut Player) -> Value {
    let match_id = player.match_id.clone();
    player
        .say(&json!({ "type": "resync", "match_id": match_id, "seen": 0 }))
        .await;
    player.until_message("standing").await
}

const GOOD: [&str; 5] = ["city", "settle", "buy", "knight", "road:"];

/// The best legal word: builds and buys, and trades for missing resources.
fn best(standing: &Value, seat: u64) -> String {
    let legal = standing["legal"].as_array().unwrap();
    let legal: Vec<&str> = legal.iter().map(|it| it.as_str().unwrap()).collect();
    if legal[0].starts_with("first") {
        return legal[legal.len() / 2].to_owned();
    }
    let mut good = GOOD
        .iter()
        .filter_map(|it| legal.iter().find(|word| word.starts_with(it)));
    let hand = &standing["view"]["players"][seat as usize]["resources"];
    let trade = legal.iter().find(|word| {
        let get = word
            .strip_prefix("bank:")
            .and_then(|it| it.split('>').nth(1));
        get.is_some_and(|get| hand[get] == 0)
    });
    let mut dull = legal.iter().rev().filter(|it| !it.contains('>'));
    let chosen = good.next().or(trade).or_else(|| dull.next());
    (*chosen.unwrap()).to_owned()
}

/// A complete decision: the best legal word, and the words that belong to it.
async fn decision(player: &mut Player, standing: &Value) -> Vec<String> {
    let mut words = vec![best(standing, player.seat)];
    loop {
        let options = consider(player, &words).await;
        assert_eq!(options["code"], Value::Null, "{words:?}: {options}");
        if options["whole"] == true {
            return words;
        }
        words.push(options["legal"][0].as_str().unwrap().to_owned());
    }
}

/// The standing, or `None` if the match is over.
async fn still_standing(player: &mut Player) -> Option<Value> {
    let match_id = player.match_id.clone();
    player
        .say(&json!({ "type": "resync", "match_id": match_id, "seen": 0 }))
        .await;
    let at = |it: &Value| it["message"]["type"] == "standing" || it["type"] == "match_end";
    let told = player.until(at).await;
    let over = told["type"] == "match_end" || told["message"]["view"]["outcome"] != Value::Null;
    (!over).then(|| told["message"].clone())
}

/// The result of the match, received already or now.
async fn end_of(player: &mut Player) -> Value {
    let told = player.heard.iter().rev();
    let mut told = told.filter(|it| it.starts_with(r#"{"type":"match_end""#));
    match told.next() {
        Some(end) => serde_json::from_str(end).unwrap(),
        None => player.until_end().await,
    }
}

/// Continues for this many decisions, or until the match is over. Returns true if it is.
async fn play_on(players: &mut [&mut Player], n_max: usize) -> bool {
    for _ in 0..n_max {
        for player in players.iter_mut() {
            let Some(standing) = still_standing(player).await else {
                return true;
            };
            if standing["legal"].as_array().unwrap().is_empty() {
                continue;
            }
            let words = decision(player, &standing).await;
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let answer = ask(player, &words).await;
            assert_eq!(
                (&answer["taken"], &answer["code"]),
                (&json!(true), &Value::Null),
                "{words:?}"
            );
        }
    }
    false
}

/// Checks that no message to the player names a development card of the opponent before the end.
fn check_cards_are_hidden(player: &Player) {
    let mut n_views = 0;
    for text in &player.heard {
        let message: Value = serde_json::from_str(text).unwrap();
        let view = &message["message"]["view"];
        if view["outcome"] == Value::Null && view["players"].is_array() {
            n_views += 1;
            let other = &view["players"][1 - player.seat as usize];
            assert_eq!(other["own"], Value::Null, "{text}");
        }
        if let Some(bought) = event(&message["message"], "DEVELOPMENT_BOUGHT") {
            let own = bought["player_id"] == player.seat;
            assert_eq!(bought["card"].is_string(), own, "{text}");
        }
    }
    assert!(n_views > 20, "only {n_views} views came");
}

async fn whole_match_of_catan(home: Home) {
    let house = house_at(home, |_| {}).await;
    let (mut a, mut b) = duel_of_catan(&house, 5).await;
    let mut spectator = house.spectator(&a.match_id).await;
    let mut is_over = false;
    for _ in 0..80 {
        if play_on(&mut [&mut a, &mut b], 50).await {
            is_over = true;
            break;
        }
        // A client that does not answer heartbeats is disconnected.
        spectator.ping().await;
    }
    assert!(is_over);
    for player in [&mut a, &mut b, &mut spectator] {
        let end = end_of(player).await;
        assert_eq!(end["outcome"]["result"], "win", "{end}");
    }
    check_cards_are_hidden(&a);
    check_cards_are_hidden(&b);
    assert!(
        spectator
            .heard
            .iter()
            .all(|it| !it.contains("\"card\":\"KNIGHT\"") || it.contains("DEVELOPMENT_PLAYED"))
    );
    let path = format!("/api/matches/{}", a.match_id);
    let record = house.get(&format!("{path}/record")).await;
    let report = record::verify::<Catan>(&record.body).unwrap();
    assert_eq!(report.chance, Chance::Revealed);
    check_snapshots(&house, &path, &record.body).await;
    for (viewer, n_known) in [("public", 0), ("0", 1), ("all", 2)] {
        let replay = house
            .get(&format!("{path}/replay?viewer={viewer}&limit=40"))
            .await
            .json();
        let frames = replay["frames"].as_array().unwrap();
        let views = frames[frames.len() / 2]["views"].as_array().unwrap();
        let players = views
            .iter()
            .flat_map(|it| it["players"].as_array().unwrap());
        let n = players.filter(|it| it["own"] != Value::Null).count();
        assert_eq!(n, n_known, "{viewer}");
    }
}

/// Checks the state after any action, with its history on request.
async fn check_snapshots(house: &House, path: &str, record: &[u8]) {
    let line = record.split(|&byte| byte == b'\n').nth(12).unwrap();
    let line: Value = serde_json::from_slice(line).unwrap();
    let plain = house.get(&format!("{path}/snapshot?at=12")).await;
    let hash = kernel::json::Hash::of_bytes(&plain.body).to_string();
    assert_eq!(line["result"]["state_hash"], json!(hash));
    let with_log = house.get(&format!("{path}/snapshot?at=12&log=true")).await;
    let log = with_log.json()["log"].as_array().unwrap().clone();
    let last = json!({
        "action_id": 12, "payload": line["payload"],
        "player_id": line["player_id"], "type": line["type"],
    });
    assert_eq!((log.len(), &log[11]), (12, &last));
    let document = kernel::json::read(&with_log.body).unwrap();
    Table::<Catan>::restore(&document).unwrap();
    let beyond = house.get(&format!("{path}/snapshot?at=999999")).await;
    assert_eq!(
        (beyond.status, beyond.json()["error"].as_str()),
        (400, Some("no_such_action"))
    );
}

#[tokio::test]
async fn a_match_of_catan_is_played_to_its_end() {
    whole_match_of_catan(Home::sqlite()).await;
}

#[tokio::test]
async fn a_match_of_catan_is_played_to_its_end_on_postgres() {
    if let Some(home) = Home::postgres() {
        whole_match_of_catan(home).await;
    }
}

#[tokio::test]
async fn every_game_is_played_against_every_listed_bot() {
    let house = house(|_| {}).await;
    let lobby = house.get("/api/lobby").await.json();
    let games = lobby["games"].as_array().unwrap();
    let names: Vec<&Value> = games.iter().map(|it| &it["game"]).collect();
    assert_eq!(names, GameName::ALL.map(GameName::as_str));
    for game in games {
        for bot in game["bots"].as_array().unwrap() {
            let mut player = house.player().await;
            let play = json!({ "type": "play_bot", "game": game["game"], "bot": bot["name"] });
            player.say(&play).await;
            let standing = player.until_seated().await;
            assert!(standing["view"].is_object(), "{standing}");
            player.resign().await;
            player.until_end().await;
        }
    }
}

#[tokio::test]
async fn a_match_against_a_bot_reaches_its_end() {
    let house = house(|_| {}).await;
    let mut player = house.player().await;
    let order = catan(4, &json!([{ "bot": "random" }, "host"]));
    lobby(&house, &order, &mut [&mut player]).await;
    assert_eq!(player.seat, 1);
    assert!(play_on(&mut [&mut player], 20_000).await);
    end_of(&mut player).await;
}

#[tokio::test]
async fn two_consecutive_missed_deadlines_lose_the_pot_to_the_opponent() {
    let house = house(|options| set_time(options, "catan.turn-ms", 600)).await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    for player in [&mut a, &mut b] {
        player
            .say(&json!({ "type": "queue_join", "game": "catan" }))
            .await;
        player.until_type("queued").await;
    }
    a.until_seated().await;
    b.until_seated().await;
    let end = b.until_end().await;
    let reason = (&end["outcome"]["winners"], &end["outcome"]["reason"]);
    assert_eq!(reason, (&json!([1]), &json!("timeout")), "{end}");
    assert_eq!(
        (&end["share"], house.tokens(&a.guest).await),
        (&json!(2), 9)
    );
    let standing = &end["standing"];
    assert_eq!(
        (&standing["rating"], &standing["played"]),
        (&json!(1_500), &json!(false))
    );
    assert_eq!(end["standing"]["points"], 0, "leagues are Orcain's");
}

#[tokio::test]
async fn a_lost_connection_pauses_the_match_until_the_player_reconnects() {
    let house = house(|options| set_time(options, "grace-ms", 30_000)).await;
    let (a, mut b) = duel_of_catan(&house, 15).await;
    let again = {
        let Player { socket, .. } = a;
        drop(socket);
        let paused = b
            .until(|it| it["message"]["note"]["paused"].is_object())
            .await;
        assert_eq!(paused["message"]["note"]["paused"]["absent"], json!([0]));
        let standing = standing(&mut b).await;
        assert_eq!(
            (&standing["absent"], &standing["deadline_ms"]),
            (&json!([0]), &Value::Null)
        );
        let mut again = Player::arrive(&house, a.guest.clone()).await;
        again.until_seated().await;
        again
    };
    b.until(|it| it["message"]["note"] == "resumed").await;
    let mut a = again;
    assert_eq!(ask(&mut a, &["first-settle:31"]).await["taken"], true);
}

#[tokio::test]
async fn a_player_who_exceeds_the_grace_period_loses() {
    let house = house(|options| set_time(options, "grace-ms", 300)).await;
    let (a, mut b) = duel_of_catan(&house, 15).await;
    drop(a.socket);
    let end = b.until_end().await;
    assert_eq!(end["outcome"]["winners"], json!([1]), "{end}");
}

#[tokio::test]
async fn a_crash_loses_no_decision_and_the_match_continues() {
    let mut house = house(|_| {}).await;
    let (mut a, mut b) = duel_of_catan(&house, 6).await;
    assert!(!play_on(&mut [&mut a, &mut b], 12).await);
    let before = standing(&mut a).await;
    house.crash();
    house.restart().await;
    let (mut a, mut b) = (a.come_back(&house).await, b.come_back(&house).await);
    let after = standing(&mut a).await;
    assert_eq!(
        (&before["view"], &before["legal"]),
        (&after["view"], &after["legal"])
    );
    assert!(play_on(&mut [&mut a, &mut b], 4_000).await);
    end_of(&mut a).await;
    let record = house
        .get(&format!("/api/matches/{}/record", a.match_id))
        .await;
    record::verify::<Catan>(&record.body).unwrap();
}

#[tokio::test]
async fn bad_asks_are_refused_with_a_reason_and_change_nothing() {
    let house = house(|_| {}).await;
    let (mut a, mut b) = duel_of_catan(&house, 15).await;
    let before = standing(&mut a).await["view"].clone();
    for (words, code) in [
        (&["roll"][..], "wrong_phase"),
        (
            &["first-settle:31", "first-road:50"],
            "one_decision_at_a_time",
        ),
        (&[], "incomplete_action"),
    ] {
        let answer = ask(&mut a, words).await;
        assert_eq!(
            (&answer["taken"], &answer["code"]),
            (&json!(false), &json!(code))
        );
    }
    assert_eq!(
        ask(&mut b, &["first-settle:31"]).await["code"],
        "not_your_turn"
    );
    for bad in [
        json!({}),
        json!({ "actions": ["settle:54"] }),
        json!([]),
        json!({ "actions": "roll" }),
    ] {
        let seq = a.ask(&bad).await;
        let error = a.until_error().await;
        assert_eq!(
            (&error["code"], &error["seq"]),
            (&json!("malformed_ask"), &json!(seq))
        );
        a.seq -= 1;
    }
    assert_eq!(standing(&mut a).await["view"], before);
}

/// Every player confirms that all orders are given.
async fn all_done(players: &mut [&mut Player]) {
    for player in players.iter_mut() {
        let answer = ask(player, &["done"]).await;
        assert_eq!(answer["taken"], true, "{answer}");
    }
}

#[tokio::test]
async fn people_and_bots_play_stellar_fleet_at_one_table() {
    let house = house(|_| {}).await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({
        "game": "stellar",
        "setup": { "scenario": "three_crowns", "seed": 5 },
        "seats": ["host", { "bot": "random" }, "guest"],
    });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    assert_eq!((a.seat, b.seat), (0, 2));
    let mut spectator = house.spectator(&a.match_id).await;
    for turn in 2..5 {
        all_done(&mut [&mut a, &mut b]).await;
        spectator
            .until(|it| it["message"]["view"]["turn"] == turn)
            .await;
        let public = serde_json::from_str::<Value>(spectator.heard.last().unwrap()).unwrap();
        let views = [
            standing(&mut a).await["view"].clone(),
            standing(&mut b).await["view"].clone(),
            public["message"]["view"].clone(),
        ];
        for view in views {
            assert_eq!(view["turn"], turn);
            let own = view["fleets"].as_array().unwrap();
            let is_public = view["seat"] == Value::Null;
            assert_eq!(own.is_empty(), is_public, "spectators see no fleets");
        }
    }
    b.resign().await;
    all_done(&mut [&mut a]).await;
    a.resign().await;
    let end = a.until_end().await;
    assert_eq!(end["outcome"]["winners"], json!([1]), "{end}");
    let record = house
        .get(&format!("/api/matches/{}/record", a.match_id))
        .await;
    record::verify::<Stellar>(&record.body).unwrap();
}

// Promise: No development card of the other, and nothing that fog hides, goes over the wire.
#[tokio::test]
async fn nothing_that_fog_hides_is_sent() {
    let house = house(|_| {}).await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({ "game": "stellar", "seats": ["host", "guest"] });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    all_done(&mut [&mut a, &mut b]).await;
    let views = [standing(&mut a).await, standing(&mut b).await];
    let armies = |view: &Value, owner: u64| -> Vec<Value> {
        let armies = view["view"]["armies"].as_array().unwrap();
        armies
            .iter()
            .filter(|it| it["owner"] == owner)
            .cloned()
            .collect()
    };
    assert!(!armies(&views[0], 0).is_empty());
    assert!(armies(&views[0], 1).is_empty(), "the others are far away");
    assert_eq!(views[0]["view"]["contacts"], json!([]));
    let n_before = b.heard.len();
    let order = ask(&mut a, &["fleet:0", "retreat", "below:50"]).await;
    assert_eq!(order["taken"], true, "{order}");
    b.ping().await;
    assert_eq!(
        b.heard.len(),
        n_before + 1,
        "an opponent's order is not announced"
    );
}

#[tokio::test]
async fn an_acknowledged_order_survives_a_crash() {
    let mut house = house(|_| {}).await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({ "game": "stellar", "seats": ["host", "guest"] });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    assert_eq!(
        ask(&mut a, &["fleet:0", "retreat", "below:50"]).await["taken"],
        true
    );
    house.crash();
    house.restart().await;
    let (mut a, mut b) = (a.come_back(&house).await, b.come_back(&house).await);
    let refused = ask(&mut a, &["fleet:0", "retreat", "below:25"]).await;
    assert_eq!(refused["code"], "fleet_already_ordered", "{refused}");
    all_done(&mut [&mut a, &mut b]).await;
    assert_eq!(standing(&mut a).await["view"]["turn"], 2);
}

#[tokio::test]
async fn a_turn_that_all_miss_is_resolved_and_the_second_voids_the_match() {
    let house = house(|options| set_time(options, "stellar.turn-ms", 400)).await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({ "game": "stellar", "seats": ["host", "guest"] });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    a.until(|it| it["message"]["view"]["turn"] == 2).await;
    let end = a.until_end().await;
    assert_eq!(end["outcome"]["result"], "void", "{end}");
}

#[tokio::test]
async fn a_table_is_refused_with_all_its_faults() {
    let house = house(|_| {}).await;
    let host = house.guest().await;
    for (order, status, code) in [
        (
            json!({ "game": "chess", "seats": ["host"] }),
            404,
            "not_found",
        ),
        (
            json!({ "game": "catan", "seats": ["guest", "guest"] }),
            400,
            "wrong_seats",
        ),
        (
            json!({ "game": "catan", "seats": ["host"] }),
            400,
            "wrong_seats",
        ),
        (
            json!({ "game": "catan", "seats": ["host", { "bot": "deep" }] }),
            400,
            "unknown_bot",
        ),
        (
            json!({ "game": "catan", "seats": ["host", "king"] }),
            400,
            "malformed_body",
        ),
        (
            json!({ "game": "catan", "setup": { "vp_to_win": 1, "dice": "loaded" }, "seats": ["host", "guest"] }),
            422,
            "wrong_setup",
        ),
        (
            json!({ "game": "stellar", "setup": { "scenario": {} }, "seats": ["host", "guest"] }),
            422,
            "wrong_setup",
        ),
    ] {
        let answer = house.post_as(&host, "/api/tables", &order).await;
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (status, &json!(code)),
            "{order}"
        );
        if code == "wrong_setup" {
            let findings = answer.json()["findings"].clone();
            assert!(findings.as_array().unwrap().len() >= 2, "{findings}");
            assert!(findings[0]["pointer"].is_string(), "{findings}");
        }
    }
}

#[tokio::test]
async fn a_table_waits_for_its_players_and_is_closed_by_its_host() {
    let house = house(|_| {}).await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = catan(15, &json!(["host", "guest"]));
    let opened = house.post_as(&a.guest, "/api/tables", &order).await.json();
    let code = opened["code"].clone();
    let path = format!("/api/tables/{}", code.as_str().unwrap());
    a.say(&json!({ "type": "table_join", "code": code })).await;
    let table = a.until_type("table").await;
    assert_eq!(
        (&table["own"], &table["seats"][1]["taken"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(house.get(&path).await.json()["seats"][0]["present"], true);
    a.say(&json!({ "type": "table_leave", "code": code })).await;
    assert_eq!(a.until_type("table_closed").await["reason"], "host_left");
    b.say(&json!({ "type": "table_join", "code": code })).await;
    assert_eq!(b.until_error().await["code"], "table_unknown");
    assert_eq!(house.get(&path).await.status, 404);
}
