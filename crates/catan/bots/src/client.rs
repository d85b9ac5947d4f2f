//! A Catan client for load tests.

use serde::Deserialize;

/// The Catan side of a load-test client.
pub struct Client;

#[derive(Deserialize)]
struct View {
    number: u64,
}

/// Points come from building: without a preference for it a match takes thousands of decisions.
const BUILDS: [(&str, u64); 4] = [("city", 60), ("settle", 60), ("buy", 12), ("knight", 12)];
const ENDS_TURN: u64 = 4;

impl bots::client::Client for Client {
    fn round(&self, view: &str, legal: &[String]) -> Option<u64> {
        let view: View = serde_json::from_str(view).ok()?;
        (!legal.is_empty()).then_some(view.number)
    }

    fn weight(&self, word: &str) -> u64 {
        let build = BUILDS.iter().find(|(verb, _)| word.starts_with(verb));
        match build {
            Some((_, weight)) => *weight,
            None if word == "end" => ENDS_TURN,
            None => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Game, Seat, Viewer};

    use bots::client::Client as _;

    use super::*;

    #[test]
    fn the_round_comes_from_the_view_and_no_words_means_no_decision() {
        let position = catan::Catan::start(&catan::Setup::default());
        let view = serde_json::to_string(&position.view(Viewer::Seat(Seat::FIRST))).unwrap();
        assert_eq!(Client.round(&view, &["roll".to_owned()]), Some(0));
        assert_eq!(Client.round(&view, &[]), None);
    }
}
