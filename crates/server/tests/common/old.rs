//! An old client of Orcain, with handwritten Socket.IO frames.

use serde_json::{Value, json};

use super::house::{Guest, House};
use super::socket::{Came, Socket};

pub(crate) const PATH: &str = "/socket.io/?EIO=4&transport=websocket";

pub(crate) struct OldClient {
    pub(crate) socket: Socket,
    /// Every frame received, as it arrived.
    pub(crate) heard: Vec<String>,
}

impl OldClient {
    /// Connects and enters the default namespace.
    pub(crate) async fn connect(house: &House) -> OldClient {
        let socket = Socket::connect(house.address, PATH, None).await;
        let mut client = OldClient {
            socket: socket.unwrap(),
            heard: Vec::new(),
        };
        assert!(client.receive().await.starts_with("0{"));
        client.socket.send("40").await;
        assert!(client.receive().await.starts_with("40{"));
        client
    }

    /// Connects and says hello.
    pub(crate) async fn arrive(house: &House, guest: &Guest) -> OldClient {
        let mut client = OldClient::connect(house).await;
        client.hello(guest, "a tab").await;
        client
    }

    /// Says hello, and returns the answer.
    pub(crate) async fn hello(&mut self, guest: &Guest, session_id: &str) -> Value {
        let hello = json!({ "sessionId": session_id, "authToken": guest.token });
        self.emit("hello", Some(&hello)).await;
        self.until("hello_ok").await
    }

    pub(crate) async fn emit(&mut self, name: &str, payload: Option<&Value>) {
        let event = match payload {
            Some(payload) => json!([name, payload]),
            None => json!([name]),
        };
        self.socket.send(&format!("42{event}")).await;
    }

    /// Returns the next frame; answers heartbeats.
    pub(crate) async fn receive(&mut self) -> String {
        loop {
            match self.socket.next().await {
                Came::End(code) => panic!("closed with {code:?} after {:#?}", self.heard),
                Came::Silence => panic!("nothing more arrived after {:#?}", self.heard),
                Came::Text(text) if text == "2" => self.socket.send("3").await,
                Came::Text(text) => {
                    self.heard.push(text.clone());
                    return text;
                }
            }
        }
    }

    /// The payload of the next event of this name.
    pub(crate) async fn until(&mut self, name: &str) -> Value {
        loop {
            if let Some((heard, payload)) = read(&self.receive().await)
                && heard == name
            {
                return payload;
            }
        }
    }

    /// Makes a round trip: everything sent before it has been received afterwards.
    pub(crate) async fn ping(&mut self) {
        self.emit("queue_leave", None).await;
        self.until("queue_left").await;
    }

    pub(crate) async fn confirm(&mut self, letters: &str) {
        let layout = json!({ "layout": super::cards(letters) });
        self.emit("layout_confirm", Some(&layout)).await;
    }

    pub(crate) async fn draft(&mut self, letters: &str) {
        let layout = json!({ "layout": super::cards(letters) });
        self.emit("layout_draft", Some(&layout)).await;
    }

    /// The number of events of this name received so far.
    pub(crate) fn n_heard(&self, name: &str) -> usize {
        let prefix = format!("42[\"{name}\"");
        self.heard
            .iter()
            .filter(|it| it.starts_with(&prefix))
            .count()
    }
}

/// Pairs two old clients.
pub(crate) async fn pair(a: &mut OldClient, b: &mut OldClient) {
    a.emit("queue_join", None).await;
    a.until("queue_ok").await;
    b.emit("queue_join", None).await;
    a.until("prep_start").await;
    b.until("prep_start").await;
}

/// The name and payload of an event.
pub(crate) fn read(frame: &str) -> Option<(String, Value)> {
    let event: Value = serde_json::from_str(frame.strip_prefix("42")?).ok()?;
    let name = event[0].as_str()?.to_owned();
    Some((name, event[1].clone()))
}
