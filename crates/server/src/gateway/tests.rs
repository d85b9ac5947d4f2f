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

#[tokio::test]
async fn who_has_found_the_way_in_is_told_the_end_of_a_match_that_is_over() {
    let data = tempfile::tempdir().unwrap();
    let options = Options {
        listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
        data: Some(data.path().to_owned()),
        ..Options::default()
    };
    let config = Config::resolve(options).unwrap();
    let running = crate::serve(config, |_| {}).await.unwrap();
    let server = &running.server;
    let (row, _) = server.create_guest().await.unwrap();
    let (line, mut first) = Line::open(server.next_conn());
    let mut player = Client::arrive(server, &line, Speech::Native, &row);
    player.play_bot(GameName::Orcain, "random").await.unwrap();
    heard_until(&mut first, "match_found").await;

    let (line, mut second) = Line::open(server.next_conn());
    let mut again = Client::arrive(server, &line, Speech::Native, &row);
    let way = again.way_in().await.unwrap();
    player.say(None, Said::Resign { seq: 1 }).await.unwrap();
    heard_until(&mut first, "match_end").await;
    while server.hub.seat_of(row.account).is_some() {
        sleep(Duration::from_millis(1)).await;
    }
    sleep(Duration::from_millis(20)).await;
    again.take_seat(way, None, row.tokens);
    heard_until(&mut second, "match_found").await;
    heard_until(&mut second, "match_end").await;

    let none = again.way_in().await;
    assert!(none.is_none(), "from then on there is no seat");
}
