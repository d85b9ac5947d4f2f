//! Playing Orcain.

use serde_json::{Value, json};

use super::{Hand, Manner, Saying};
use crate::draws::Draws;

pub(super) struct Layouts {
    manner: Manner,
    /// The last round that was confirmed or is being confirmed.
    round_done: u64,
}

impl Layouts {
    pub(super) fn new(manner: Manner) -> Layouts {
        Layouts {
            manner,
            round_done: 0,
        }
    }

    /// Sometimes drafts, and usually confirms.
    fn lay_out(&mut self, round: u64, draws: &mut Draws) -> Vec<Saying> {
        if self.round_done >= round {
            return Vec::new();
        }
        self.round_done = round;
        let fate = match self.manner {
            Manner::Moody => draws.below(20),
            Manner::Steady => 2 + draws.below(18),
            Manner::Hesitant => 1,
        };
        let mut sayings = Vec::new();
        if (1..8).contains(&fate) {
            sayings.push(layout("draft", draws));
        }
        if fate > 1 {
            sayings.push(layout("confirm", draws));
        }
        sayings
    }
}

impl Hand for Layouts {
    fn receive(&mut self, message: &Value, n_pending: usize, draws: &mut Draws) -> Vec<Saying> {
        match message["type"].as_str().unwrap() {
            "standing" => {
                let view = &message["view"];
                let confirmed = view["own"]["status"] == "confirmed";
                if view["phase"] != "PREP" || confirmed || n_pending > 0 {
                    return Vec::new();
                }
                self.lay_out(view["round"].as_u64().unwrap(), draws)
            }
            "news" => {
                let events = message["events"].as_array().unwrap();
                let started = events.iter().find(|it| it["type"] == "ROUND_STARTED");
                let round = started.and_then(|it| it["round"].as_u64());
                round.map_or_else(Vec::new, |round| self.lay_out(round, draws))
            }
            _ => Vec::new(),
        }
    }

    fn come_back(&mut self) {}

    fn gives_up(&self) -> bool {
        false
    }
}

fn layout(kind: &str, draws: &mut Draws) -> Saying {
    let mut cards = vec!["attack", "defense", "heal", "counter"];
    let mut draw = || cards.swap_remove(draws.below(cards.len() as u64) as usize);
    let layout = [draw(), draw(), draw()];
    let letters: String = layout.iter().map(|card| card[..1].to_uppercase()).collect();
    let ask = json!({ "type": kind, "layout": layout });
    Saying::Ask(ask, vec![format!("{kind}:{letters}")])
}
