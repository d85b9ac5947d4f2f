//! Situations that no client can time: a match that ends between two steps of a hello, and rooms
//! that panic.
//!
//! Promise: A room that panics costs no seat and no stake, and the server continues.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use catalog::GameName;
use serde_json::Value;
use store::{MatchState, StoreError};
use tempfile::TempDir;
use tokio::time::timeout;

use super::*;
use crate::line::LineEnd;
use crate::lobbies::Place;
use crate::peer::Peer;
use crate::{Config, Options, Running, ServeError, recovery};

#[path = "../../tests/common/until.rs"]
mod until;
use until::{PATIENCE, until};

/// A server that a test can reach into.
struct House {
    running: Running,
    _data: TempDir,
}

struct Guest {
    client: Client,
    end: LineEnd,
    visitor: Visitor,
}

fn config(data: &Path) -> Config {
    let options = Options {
        listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
        data: Some(data.to_owned()),
        ..Options::default()
    };
    Config::resolve(options).unwrap()
}

impl House {
    async fn open() -> House {
        let data = tempfile::tempdir().unwrap();
        let running = crate::serve(config(data.path()), |_| {}).await.unwrap();
        House {
            running,
            _data: data,
        }
    }

    fn server(&self) -> &Arc<Server> {
        &self.running.server
    }

    async fn guest(&self) -> Guest {
        let (visitor, _) = self.server().create_guest("").await.unwrap();
        self.comes_back(&visitor)
    }

    /// The same account over a new connection.
    fn comes_back(&self, visitor: &Visitor) -> Guest {
        let guest = self.arrives(visitor);
        let door = self.server().hub.seat_of(visitor.row.account);
        let hub = &self.server().hub;
        let welcome = r#"{"type":"welcome"}"#.to_owned();
        assert!(hub.welcome(guest.client.conn(), door.as_ref(), welcome));
        guest
    }

    /// The same, before it is welcomed.
    fn arrives(&self, visitor: &Visitor) -> Guest {
        let place = self.server().limits.open(Peer::Local).unwrap();
        // Room for all events of bots while storage is slow.
        let (line, end) = Line::open(self.server().next_conn(), &place, 4_096);
        Guest {
            client: Client::arrive(self.server(), &line, Speech::Native, visitor),
            end,
            visitor: visitor.clone(),
        }
    }

    /// Two players in a match with a stake.
    async fn duel(&self) -> [Guest; 2] {
        self.duel_of([self.guest().await, self.guest().await]).await
    }

    async fn duel_of(&self, mut pair: [Guest; 2]) -> [Guest; 2] {
        for guest in &pair {
            guest.queue().await;
        }
        for guest in &mut pair {
            guest.until("match_found").await;
        }
        pair
    }

    async fn state_of(&self, game_id: MatchId) -> MatchState {
        let read = self
            .server()
            .readers
            .read(move |tx| tx.stored_match(game_id));
        read.await.unwrap().unwrap().state
    }

    async fn tokens(&self, guest: &Guest) -> u64 {
        let account = guest.visitor.row.account;
        let read = self.server().readers.read(move |tx| tx.account(account));
        read.await.unwrap().unwrap().tokens
    }
}

impl Guest {
    async fn queue(&self) {
        let wanted = Wanted {
            game: GameName::Orcain,
            stake: 1,
        };
        let queued = |_| r#"{"type":"queued"}"#.to_owned();
        self.client.join_queue(wanted, queued).await.unwrap();
    }

    /// The type of the next message.
    async fn receive(&mut self) -> String {
        let frame = timeout(PATIENCE, self.end.frames.recv()).await;
        let frame: Value = serde_json::from_str(&frame.unwrap().unwrap()).unwrap();
        frame["type"].as_str().unwrap().to_owned()
    }

    /// The next message of this type; others are ignored.
    async fn until(&mut self, kind: &str) -> Value {
        let tag = format!("{{\"type\":\"{kind}\"");
        let wait = async {
            loop {
                let frame = self.end.frames.recv().await.unwrap();
                if frame.starts_with(&tag) {
                    return serde_json::from_str(&frame).unwrap();
                }
            }
        };
        let heard = timeout(PATIENCE, wait).await;
        heard.unwrap_or_else(|_| panic!("{kind} never came"))
    }

    /// The code with which the line is closed.
    async fn cut_off(&self) -> u16 {
        let told = timeout(PATIENCE, self.end.hangup.hung_up()).await;
        told.expect("the line is closed")
    }

    fn door(&self) -> RoomDoor {
        let hub = &self.client.server.hub;
        hub.seat_of(self.visitor.row.account).unwrap()
    }

    /// A spectator of the guest's match.
    async fn watched_by(&self, mut watcher: Guest) -> Guest {
        let line = watcher.client.line.clone();
        let watch = ToRoom::Watch { line };
        self.door().inbox.send(watch).await.ok().unwrap();
        watcher.until("match").await;
        watcher
    }

    async fn break_room(&self) {
        self.door().inbox.send(ToRoom::Break).await.ok().unwrap();
    }

    async fn play_bot(&mut self) {
        let played = self.client.play_bot(GameName::Orcain, "random").await;
        played.unwrap();
        self.until("match_found").await;
    }

    async fn resign(&mut self, seq: u64) {
        self.client.say(None, Said::Resign { seq }).await.unwrap();
    }
}

#[tokio::test]
async fn a_client_on_its_way_in_receives_the_result_of_a_finished_match() {
    let house = House::open().await;
    let mut player = house.guest().await;
    player.play_bot().await;

    let mut again = house.comes_back(&player.visitor);
    let (door, way) = (player.door(), again.client.way_in().await.unwrap());
    player.resign(1).await;
    player.until("match_end").await;
    closed(&door).await;
    again.client.take_seat(way, None, player.visitor.row.tokens);
    again.until("match_found").await;
    again.until("match_end").await;

    let none = again.client.way_in().await;
    assert!(none.is_none(), "from then on there is no seat");
}

#[tokio::test]
async fn a_second_hello_as_the_match_ends_receives_the_result_and_stays_connected() {
    let house = House::open().await;
    let mut player = house.guest().await;
    player.play_bot().await;
    let (door, way) = (player.door(), player.client.way_in().await.unwrap());
    player.resign(1).await;
    player.until("match_end").await;
    closed(&door).await;
    let tokens = player.visitor.row.tokens;
    player.client.take_seat(way, None, tokens);
    player.until("match_end").await;
    let hub = &house.server().hub;
    until("the room to be gone", async || hub.n_rooms() == 0).await;
    let cut_off = timeout(Duration::ZERO, player.end.hangup.hung_up()).await;
    assert!(cut_off.is_err(), "{cut_off:?}");
}

/// Waits until a room accepts only messages with a reserved place: its match is over, and nobody
/// sits in it.
async fn closed(door: &RoomDoor) {
    let closed = timeout(PATIENCE, door.inbox.closed()).await;
    closed.expect("the room closes");
}

#[tokio::test]
async fn a_client_on_its_way_in_learns_that_its_account_left_the_match() {
    let house = House::open().await;
    let (server, mut player) = (house.server(), house.guest().await);
    let bot = || crate::start::Participant::Bot("random".to_owned());
    let person =
        crate::start::Participant::Person(player.visitor.row.account, player.client.conn());
    let start = Start::Chosen(r#"{"scenario":"three_crowns","seed":5}"#.to_owned());
    let mut starting = server
        .set_aside(vec![player.visitor.row.account])
        .ok()
        .unwrap();
    let order = Order {
        game: GameName::Stellar,
        participants: vec![person, bot(), bot()],
        stake: 0,
        start,
        invitation: None,
    };
    server.begin(&mut starting, order).await.ok().unwrap();
    player.until("match_found").await;

    let mut again = house.comes_back(&player.visitor);
    let way = again.client.way_in().await.unwrap();
    player.resign(1).await;
    player.until("left").await;
    again.client.take_seat(way, None, player.visitor.row.tokens);
    again.until("left").await;
}

#[tokio::test]
async fn a_match_whose_room_panics_continues_over_the_same_connections() {
    let house = House::open().await;
    let pair = [house.guest().await, house.guest().await];
    // A newer connection of the first player that does not take part in the match.
    let mut idle = house.comes_back(&pair[0].visitor);
    let [mut a, mut b] = house.duel_of(pair).await;
    let watcher = a.watched_by(house.guest().await).await;
    a.break_room().await;
    assert_eq!(watcher.cut_off().await, CloseCode::TryAgainLater.number());
    for guest in [&mut a, &mut b] {
        let found = guest.until("match_found").await;
        assert_eq!(
            (&found["resumed"], &found["tokens"]),
            (&true.into(), &9.into())
        );
        guest.until("match").await;
    }
    a.resign(1).await;
    a.until("match_end").await;
    b.until("match_end").await;
    assert_eq!(idle.receive().await, "welcome");
    assert!(idle.end.frames.try_recv().is_err(), "it received no match");
    assert_eq!(house.tokens(&a).await, 9);
    assert_eq!(house.tokens(&b).await, 11);
}

#[tokio::test]
async fn a_decision_handed_in_before_a_room_panics_is_not_lost() {
    let house = House::open().await;
    let [mut a, mut b] = house.duel().await;
    // The writer is busy while the room panics.
    let committer = &house.server().committer;
    let (free, gate) = mpsc::channel();
    let (begins, mut begun) = tokio::sync::mpsc::unbounded_channel();
    let busy = committer.begin(move |_| {
        begins.send(()).ok();
        gate.recv_timeout(PATIENCE).ok();
        Ok(())
    });
    let busy = busy.await.unwrap();
    begun.recv().await.unwrap();
    let draft = r#"{"type":"draft","layout":["attack","defense",null]}"#;
    let ask = kernel::json::read(draft.as_bytes()).unwrap();
    let said = Said::Ask { seq: 1, ask };
    a.client.say(None, said).await.unwrap();
    a.break_room().await;
    let what = "the draft, and the restart of the room behind it, to wait for the writer";
    until(what, async || committer.n_waiting() >= 2).await;
    free.send(()).unwrap();
    let found = a.until("match_found").await;
    assert_eq!(found["next_seq"], 2, "the draft was taken: {found}");
    busy.await.unwrap();
    b.until("match_found").await;
    b.resign(1).await;
    a.until("match_end").await;
    assert_eq!(house.tokens(&a).await, 11);
}

#[tokio::test]
async fn a_match_whose_room_panics_repeatedly_is_void_and_stakes_are_returned() {
    let house = House::open().await;
    let [mut a, b] = house.duel().await;
    let game_id = a.door().facts.match_id;
    for _ in 0..2 {
        a.break_room().await;
        a.until("match_found").await;
        a.until("match").await;
    }
    a.break_room().await;
    for guest in [&a, &b] {
        assert_eq!(guest.cut_off().await, CloseCode::TryAgainLater.number());
        assert_eq!(house.tokens(guest).await, 10, "the stakes are returned");
    }
    assert_eq!(house.state_of(game_id).await, MatchState::Quarantined);
    let mut again = house.comes_back(&a.visitor);
    assert!(again.client.way_in().await.is_none());
    again.play_bot().await;
}

#[tokio::test]
async fn a_match_whose_replay_panics_is_void() {
    let house = House::open().await;
    let mut a = house.guest().await;
    a.play_bot().await;
    let game_id = a.door().facts.match_id;
    recovery::tests::mark(game_id);
    a.break_room().await;
    assert_eq!(a.cut_off().await, CloseCode::TryAgainLater.number());
    assert_eq!(house.state_of(game_id).await, MatchState::Quarantined);
    house.comes_back(&a.visitor).play_bot().await;
}

#[test]
fn a_server_starts_despite_a_match_whose_replay_panics() {
    let runtime = || tokio::runtime::Runtime::new().unwrap();
    let data = tempfile::tempdir().unwrap();
    let first = runtime();
    first.block_on(async {
        let running = crate::serve(config(data.path()), |_| {}).await.unwrap();
        let house = House {
            running,
            _data: tempfile::tempdir().unwrap(),
        };
        let (mut a, mut b) = (house.guest().await, house.guest().await);
        a.play_bot().await;
        b.play_bot().await;
        recovery::tests::mark(a.door().facts.match_id);
    });
    first.shutdown_background();
    runtime().block_on(async {
        let mut running = None;
        until("the previous server to release the database", async || {
            match crate::serve(config(data.path()), |_| {}).await {
                Ok(started) => running = Some(started),
                Err(ServeError::Store(StoreError::InUse { .. })) => {}
                Err(error) => panic!("the server does not start: {error}"),
            }
            running.is_some()
        })
        .await;
        assert_eq!(
            running.unwrap().census().n_rooms,
            1,
            "the other match continues"
        );
    });
}

#[tokio::test]
async fn a_player_keeps_waiting_when_paired_with_one_who_is_in_a_stored_match() {
    let house = House::open().await;
    let hub = &house.server().hub;
    let mut lost = house.guest().await;
    lost.play_bot().await;
    let game_id = lost.door().facts.match_id;
    hub.free(game_id, std::iter::once(lost.visitor.row.account));
    let (mut innocent, mut third) = (house.guest().await, house.guest().await);
    lost.queue().await;
    innocent.queue().await;
    assert_eq!(lost.until("unqueued").await["reason"], "already_in_match");
    third.queue().await;
    innocent.until("match_found").await;
    third.until("match_found").await;
}

#[tokio::test]
async fn a_player_paired_at_once_is_first_notified_of_the_queue() {
    let house = House::open().await;
    let hub = &house.server().hub;
    let (mut a, mut b) = (house.guest().await, house.guest().await);
    let wanted = Wanted {
        game: GameName::Orcain,
        stake: 1,
    };
    for guest in [&mut a, &mut b] {
        guest.until("welcome").await;
        let waiting = Waiting {
            account: guest.visitor.row.account,
            conn: guest.client.conn(),
            rating: 1_500,
            since: 0,
        };
        // As soon as the hub has the account in a queue, the next tick may pair it.
        let queued = r#"{"type":"queued"}"#.to_owned();
        hub.join_queue(wanted, waiting, queued).ok().unwrap();
        house
            .server()
            .begin_pairs(hub.pair(house.server().clock.now()));
    }
    for guest in [&mut a, &mut b] {
        assert_eq!(guest.receive().await, "queued");
        assert_eq!(guest.receive().await, "match_found");
    }
}

#[tokio::test]
async fn a_client_receives_no_match_before_its_welcome() {
    let house = House::open().await;
    let mut a = house.guest().await;
    a.play_bot().await;
    let mut again = house.arrives(&a.visitor);
    // The room loses its player's connection, and looks for a newer one.
    let conn = a.client.conn();
    a.door()
        .inbox
        .send(ToRoom::Gone { conn })
        .await
        .ok()
        .unwrap();
    // The room takes messages in order, so it has looked by the time it takes the next one.
    a.watched_by(house.guest().await).await;
    again.client.greet(&a.visitor.row, None).await;
    assert_eq!(again.receive().await, "welcome");
    assert_eq!(again.receive().await, "match_found");
}

#[tokio::test]
async fn a_match_that_begins_during_a_hello_is_named_in_the_welcome() {
    let house = House::open().await;
    let mut a = house.guest().await;
    let again = house.arrives(&a.visitor);
    assert!(again.client.way_in().await.is_none());
    a.play_bot().await;
    let hub = &house.server().hub;
    let named = hub.welcome(again.client.conn(), None, String::new());
    assert!(!named, "the account has a match by now");
    assert!(hub.welcome(again.client.conn(), Some(&a.door()), String::new()));
}

#[tokio::test]
async fn an_expired_lobby_is_closed_with_a_reason() {
    let house = House::open().await;
    let (server, mut host) = (house.server(), house.guest().await);
    let places = vec![Place::Host, Place::Invited(None)];
    let account = host.visitor.row.account;
    let code = server.open_lobby(GameName::Catan, account, Start::Standard, places);
    let now = server.clock.now();
    server.look_at_lobbies(now);
    server.look_at_lobbies(now + 3 * 3_600_000);
    let closed = host.until("table_closed").await;
    assert_eq!(closed["code"], code.unwrap());
    assert_eq!(closed["reason"], "expired");
}

#[tokio::test]
async fn an_exhibition_starts_even_if_the_client_hangs_up() {
    use crate::start::Participant::Bot;
    let house = House::open().await;
    let server = house.server();
    let bots = || vec![Bot("random".to_owned()), Bot("random".to_owned())];
    let exhibited = crate::http::matches::begin_exhibition(server, GameName::Orcain, bots());
    // The client hangs up at once.
    let answer = timeout(Duration::ZERO, exhibited).await;
    assert!(answer.is_err(), "the client hung up before the answer");
    until("the match", async || server.hub.n_rooms() == 1).await;
}
