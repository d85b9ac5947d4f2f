//! What no client can time: a match that ends between two steps of a hello.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::net::SocketAddr;
use std::time::Duration;

use catalog::GameName;
use tokio::time::{sleep, timeout};

use super::*;
use crate::line::LineEnd;
use crate::{Config, Options};

async fn heard_until(end: &mut LineEnd, kind: &str) {
    let tag = format!("{{\"type\":\"{kind}\"");
    let wait = async {
        while let Some(frame) = end.frames.recv().await {
            if frame.starts_with(&tag) {
                return;
            }
        }
    };
    let heard = timeout(Duration::from_secs(20), wait).await;
    heard.unwrap_or_else(|_| panic!("{kind} never came"));
}

/// A server, and somebody who plays a bot there.
struct Scene {
    server: Arc<Server>,
    row: AccountRow,
    player: Client,
    line: LineEnd,
    _running: crate::Running,
    _data: tempfile::TempDir,
}

impl Scene {
    async fn set() -> Scene {
        let data = tempfile::tempdir().unwrap();
        let options = Options {
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
            data: Some(data.path().to_owned()),
            ..Options::default()
        };
        let config = Config::resolve(options).unwrap();
        let running = crate::serve(config, |_| {}).await.unwrap();
        let server = Arc::clone(&running.server);
        let (row, _) = server.create_guest().await.unwrap();
        let (line, mut end) = Line::open(server.next_conn());
        let player = Client::arrive(&server, &line, Speech::Native, &row);
        player.play_bot(GameName::Orcain, "random").await.unwrap();
        heard_until(&mut end, "match_found").await;
        Scene {
            server,
            row,
            player,
            line: end,
            _running: running,
            _data: data,
        }
    }

    /// The player gives up, and all is over.
    async fn end(&mut self) {
        let resign = Said::Resign { seq: 1 };
        self.player.say(None, resign).await.unwrap();
        heard_until(&mut self.line, "match_end").await;
        while self.server.hub.seat_of(self.row.account).is_some() {
            sleep(Duration::from_millis(1)).await;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn who_has_found_the_way_in_is_told_the_end_of_a_match_that_is_over() {
    let mut scene = Scene::set().await;
    let (line, mut second) = Line::open(scene.server.next_conn());
    let mut again = Client::arrive(&scene.server, &line, Speech::Native, &scene.row);
    let way = again.way_in().await.unwrap();
    scene.end().await;
    again.take_seat(way, None, scene.row.tokens);
    heard_until(&mut second, "match_found").await;
    heard_until(&mut second, "match_end").await;
    let none = again.way_in().await;
    assert!(none.is_none(), "from then on there is no seat");
}

#[tokio::test]
async fn who_says_hello_again_as_the_match_ends_is_told_the_end_and_not_cut_off() {
    let mut scene = Scene::set().await;
    let way = scene.player.way_in().await.unwrap();
    scene.end().await;
    let tokens = scene.row.tokens;
    scene.player.take_seat(way, None, tokens);
    heard_until(&mut scene.line, "match_end").await;
    let cut_off = timeout(Duration::from_millis(200), scene.line.hangup.told()).await;
    assert!(cut_off.is_err(), "{cut_off:?}");
}
