//! A client of Referee's own protocol.

use serde_json::{Value, json};

use super::cards;
use super::evidence::Transcript;
use super::house::{Guest, House};
use super::socket::{Came, Socket};

/// A player with an account and a socket.
pub(crate) struct Player {
    pub(crate) socket: Socket,
    pub(crate) guest: Guest,
    /// The last match found, and the player's seat in it.
    pub(crate) match_id: String,
    pub(crate) seat: u64,
    pub(crate) commitment: String,
    /// The number of the last message sent.
    pub(crate) seq: u64,
    /// The last version seen.
    pub(crate) seen: u64,
    /// Every message received, as it arrived.
    pub(crate) heard: Transcript,
}

impl Player {
    /// Connects and says hello.
    pub(crate) async fn arrive(house: &House, guest: Guest) -> Player {
        let mut player = Player::connect(house, guest).await;
        player.hello(None).await;
        player
    }

    /// Connects, and says nothing yet.
    pub(crate) async fn connect(house: &House, guest: Guest) -> Player {
        let socket = Socket::connect(house.address, "/ws", None).await;
        Player {
            socket: socket.unwrap(),
            heard: Transcript::by(&guest.account_id),
            guest,
            match_id: String::new(),
            seat: 0,
            commitment: String::new(),
            seq: 0,
            seen: 0,
        }
    }

    /// Reconnects, and resumes where this player left off.
    pub(crate) async fn come_back(&self, house: &House) -> Player {
        let mut again = Player::connect(house, self.guest.clone()).await;
        let resume = json!({
            "match_id": self.match_id, "seen": self.seen, "next_seq": self.seq + 1,
        });
        again.hello(Some(resume)).await;
        again.until_seated().await;
        again.seq = again.seq.max(self.seq);
        again
    }

    /// Says hello, and returns the welcome.
    pub(crate) async fn hello(&mut self, resume: Option<Value>) -> Value {
        let mut hello = json!({ "type": "hello", "protocol": 1, "token": self.guest.token });
        if let Some(resume) = resume {
            hello["resume"] = resume;
        }
        self.say(&hello).await;
        self.until_type("welcome").await
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        self.socket.send(&message.to_string()).await;
    }

    pub(crate) async fn receive(&mut self) -> Value {
        match self.socket.next().await {
            Came::End(code) => panic!("closed with {code:?} after {:#?}", self.heard),
            Came::Silence => panic!("nothing more arrived after {:#?}", self.heard),
            Came::Text(text) => {
                let message: Value = serde_json::from_str(&text).unwrap();
                self.heard.push(text);
                if let Some(version) = message["message"]["version"].as_u64() {
                    self.seen = version;
                }
                message
            }
        }
    }

    /// Returns the next wanted message; ignores others.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive().await;
            if wanted(&message) {
                return message;
            }
        }
    }

    pub(crate) async fn until_type(&mut self, kind: &str) -> Value {
        self.until(|it| it["type"] == kind).await
    }

    /// The next message of a match of this kind: `standing`, `news`, `ack`, `gap`, `over`.
    pub(crate) async fn until_message(&mut self, kind: &str) -> Value {
        let message = self.until(|it| it["message"]["type"] == kind).await;
        message["message"].clone()
    }

    /// The next news with this event.
    pub(crate) async fn until_event(&mut self, name: &str) -> Value {
        let news = self.until(|it| event(&it["message"], name).is_some()).await;
        news["message"].clone()
    }

    pub(crate) async fn until_error(&mut self) -> Value {
        self.until_type("error").await
    }

    /// The answer to a numbered message.
    pub(crate) async fn until_ack(&mut self, seq: u64) -> Value {
        let answers =
            |it: &Value| it["message"]["type"] == "ack" && it["message"]["client_seq"] == seq;
        let answer = self.until(answers).await;
        answer["message"].clone()
    }

    /// Waits until a match is found and its standing has arrived.
    pub(crate) async fn until_seated(&mut self) -> Value {
        let found = self.until_type("match_found").await;
        self.match_id = found["match_id"].as_str().unwrap().to_owned();
        self.seat = found["seat"].as_u64().unwrap();
        self.commitment = found["commitment"].as_str().unwrap().to_owned();
        self.seq = found["next_seq"].as_u64().unwrap() - 1;
        self.until_message("standing").await
    }

    /// Joins the queue for an opponent.
    pub(crate) async fn queue(&mut self) {
        self.say(&json!({ "type": "queue_join", "game": "orcain" }))
            .await;
        self.until_type("queued").await;
    }

    pub(crate) async fn play_bot(&mut self) {
        let play = json!({ "type": "play_bot", "game": "orcain", "bot": "random" });
        self.say(&play).await;
        self.until_seated().await;
    }

    /// Sends a numbered message and returns its number.
    pub(crate) async fn ask(&mut self, ask: &Value) -> u64 {
        self.seq += 1;
        let message = json!({
            "type": "ask", "match_id": self.match_id, "seq": self.seq, "ask": ask,
        });
        self.say(&message).await;
        self.seq
    }

    /// Drafts cards, and returns the answer.
    pub(crate) async fn draft(&mut self, letters: &str) -> Value {
        let ask = json!({ "type": "draft", "layout": cards(letters) });
        let seq = self.ask(&ask).await;
        self.until_ack(seq).await
    }

    /// Confirms cards, and returns the answer.
    pub(crate) async fn confirm(&mut self, letters: &str) -> Value {
        let ask = json!({ "type": "confirm", "layout": cards(letters) });
        let seq = self.ask(&ask).await;
        self.until_ack(seq).await
    }

    pub(crate) async fn resign(&mut self) {
        self.seq += 1;
        let message = json!({
            "type": "resign", "match_id": self.match_id, "seq": self.seq,
        });
        self.say(&message).await;
    }

    /// Makes a round trip: everything sent before it has been received afterwards.
    pub(crate) async fn ping(&mut self) {
        let at = self.heard.len();
        self.say(&json!({ "type": "ping", "at": at })).await;
        self.until(|it| it["type"] == "pong" && it["at"] == at)
            .await;
    }

    pub(crate) async fn until_end(&mut self) -> Value {
        self.until_type("match_end").await
    }

    /// The number of messages of this type received so far.
    pub(crate) fn n_heard(&self, kind: &str) -> usize {
        let tag = format!("\"type\":\"{kind}\"");
        let prefix = format!("{{{tag}");
        self.heard
            .iter()
            .filter(|it| it.starts_with(&prefix))
            .count()
    }
}

/// An event of this name in news.
pub(crate) fn event<'a>(news: &'a Value, name: &str) -> Option<&'a Value> {
    news["events"]
        .as_array()?
        .iter()
        .find(|it| it["type"] == name)
}

/// Both players confirm. Returns the news of the round's end as each receives it.
pub(crate) async fn round(a: &mut Player, b: &mut Player, first: &str, second: &str) -> [Value; 2] {
    for (player, letters) in [(&mut *a, first), (&mut *b, second)] {
        let ack = player.confirm(letters).await;
        assert_eq!(ack["taken"], true, "{ack}");
    }
    let ends = [
        a.until_event("ROUND_ENDED").await,
        b.until_event("ROUND_ENDED").await,
    ];
    assert_eq!(
        event(&ends[0], "ROUND_ENDED"),
        event(&ends[1], "ROUND_ENDED")
    );
    ends
}
