//! An old client of Orcain without a WebSocket: every message it sends or receives is a request on
//! a separate connection.

use std::collections::VecDeque;
use std::net::SocketAddr;

use serde_json::{Value, json};

use super::house::{Guest, House};
use super::http::{self, Answer};
use super::old::read;

pub(crate) const PATH: &str = "/socket.io/?EIO=4&transport=polling";

#[derive(Debug)]
pub(crate) struct Poller {
    address: SocketAddr,
    /// Further head lines of its requests.
    head: String,
    pub(crate) sid: String,
    /// The handshake that the server opened with.
    pub(crate) terms: Value,
    waiting: VecDeque<String>,
    /// Every packet received, as it arrived.
    pub(crate) heard: Vec<String>,
}

impl Poller {
    /// Connects, and sends nothing more.
    pub(crate) async fn open(house: &House) -> Poller {
        Poller::open_as(house, "").await.unwrap()
    }

    /// The same with further head lines. Returns the refusal as an error.
    pub(crate) async fn open_as(house: &House, head: &str) -> Result<Poller, Answer> {
        let answer = http::ask(house.address, "GET", PATH, head, "").await;
        if answer.status != 200 {
            return Err(answer);
        }
        let text = answer.text();
        let terms = text.strip_prefix('0').expect("the server opens");
        let terms: Value = serde_json::from_str(terms).unwrap();
        Ok(Poller {
            address: house.address,
            head: head.to_owned(),
            sid: terms["sid"].as_str().unwrap().to_owned(),
            terms,
            waiting: VecDeque::new(),
            heard: Vec::new(),
        })
    }

    /// Connects, enters the default namespace and says hello.
    pub(crate) async fn arrive(house: &House, guest: &Guest) -> Poller {
        let mut poller = Poller::open(house).await;
        let hello = json!(["hello", {"sessionId": "a tab", "authToken": guest.token}]);
        poller.say("40").await;
        poller.say(&format!("42{hello}")).await;
        poller.until("hello_ok").await;
        poller
    }

    pub(crate) fn path(&self) -> String {
        format!("{PATH}&sid={}", self.sid)
    }

    pub(crate) fn web_path(&self) -> String {
        format!("{}&sid={}", super::old::PATH, self.sid)
    }

    pub(crate) async fn post(&self, body: &str) -> Answer {
        http::ask(self.address, "POST", &self.path(), &self.head, body).await
    }

    pub(crate) async fn poll(&self) -> Answer {
        http::ask(self.address, "GET", &self.path(), &self.head, "").await
    }

    /// Posts packets that must be accepted.
    pub(crate) async fn say(&self, packets: &str) {
        let answer = self.post(packets).await;
        assert_eq!((answer.status, answer.text().as_str()), (200, "ok"));
    }

    pub(crate) async fn emit(&self, name: &str, payload: Option<&Value>) {
        let event = match payload {
            Some(payload) => json!([name, payload]),
            None => json!([name]),
        };
        self.say(&format!("42{event}")).await;
    }

    pub(crate) async fn confirm(&self, letters: &str) {
        let layout = json!({ "layout": super::cards(letters) });
        self.emit("layout_confirm", Some(&layout)).await;
    }

    /// Returns the next packet; answers heartbeats.
    pub(crate) async fn receive(&mut self) -> String {
        loop {
            while let Some(packet) = self.waiting.pop_front() {
                match packet.as_str() {
                    "2" => self.say("3").await,
                    "6" => {}
                    _ => {
                        self.heard.push(packet.clone());
                        return packet;
                    }
                }
            }
            let answer = self.poll().await;
            let text = answer.text();
            assert_eq!(answer.status, 200, "{text} after {:#?}", self.heard);
            self.waiting.extend(text.split('\u{1e}').map(str::to_owned));
        }
    }

    /// The payload of the next event of this name.
    pub(crate) async fn until(&mut self, name: &str) -> Value {
        self.until_either(name, name).await.1
    }

    /// The next event with one of these names.
    pub(crate) async fn until_either(&mut self, one: &str, other: &str) -> (String, Value) {
        loop {
            if let Some((name, payload)) = read(&self.receive().await)
                && (name == one || name == other)
            {
                return (name, payload);
            }
        }
    }

    /// Polls until the server closes or has closed the session.
    pub(crate) async fn until_closed(&mut self) {
        loop {
            let answer = self.poll().await;
            let packets: Vec<String> = answer.text().split('\u{1e}').map(str::to_owned).collect();
            if answer.status != 200 || packets.iter().any(|it| it == "1") {
                break;
            }
        }
        assert_eq!(code(&self.poll().await), (400, 1), "the session is gone");
    }
}

/// The status and code of a refusal.
pub(crate) fn code(answer: &Answer) -> (u16, u64) {
    let code = answer.json()["code"].as_u64();
    (answer.status, code.expect("a code of Engine.IO"))
}
