//! An Orcain client for load tests.

use bots::client::{Deed, Shown, What};
use kernel::rng::Generator;
use serde::Deserialize;

/// The Orcain side of a load-test client.
pub struct Client;

#[derive(Deserialize)]
struct View {
    round: u64,
    phase: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
enum Event {
    RoundFinalized {},
    StepRevealed {},
    RoundEnded {},
    RoundStarted {
        round: u64,
    },
    #[serde(other)]
    Other,
}

impl bots::client::Client for Client {
    fn round(&self, view: &str, _: &[String]) -> Option<u64> {
        let view: View = serde_json::from_str(view).ok()?;
        (view.phase == "PREP").then_some(view.round)
    }

    /// The effects of one deadline arrive in one message, perhaps together with the next round.
    fn shown(&self, events: &str, next_ms: Option<u64>) -> Option<Shown> {
        let events: Vec<Event> = serde_json::from_str(events).ok()?;
        let mut what = None;
        let mut round = None;
        for event in events {
            match event {
                Event::RoundFinalized {} => what = Some(What::Finalized),
                Event::StepRevealed {} => what = Some(What::Step),
                Event::RoundEnded {} => what = Some(What::RoundEnd),
                Event::RoundStarted { round: next } => round = Some(next),
                Event::Other => {}
            }
        }
        what.map(|what| Shown {
            what,
            next_ms,
            round,
        })
    }

    fn has_drafts(&self) -> bool {
        true
    }

    fn whole(&self, deed: Deed, rng: &mut Generator) -> Option<String> {
        let kind = match deed {
            Deed::Draft => "draft",
            Deed::Confirm => "confirm",
        };
        let layout = layout(deed, rng);
        Some(format!(r#"{{"type":"{kind}","layout":{layout}}}"#))
    }
}

/// Three cards in random order; in a draft, only some of them.
fn layout(deed: Deed, rng: &mut Generator) -> String {
    let mut cards = ["\"attack\"", "\"defense\"", "\"heal\"", "\"counter\""];
    rng.shuffle(&mut cards);
    if deed == Deed::Draft {
        cards[rng.below(3) as usize] = "null";
    }
    format!("[{},{},{}]", cards[0], cards[1], cards[2])
}
