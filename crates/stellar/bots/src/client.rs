//! Stellar Fleet's load-test client.

use bots::client::Meets;
use serde::Deserialize;
use serde_json::{Value, json};
use stellar::Percentage;
use stellar::scenario::{Blueprint, Dialect, Topology};

/// The load-test client of Stellar Fleet.
pub struct Client;

#[derive(Deserialize)]
struct View {
    turn: u64,
}

/// Enough systems for all factions to have room.
const SYSTEMS_PER_SEAT: u32 = 15;
const N_TURNS: u32 = 30;
/// The weight of ending the turn, chosen so that a turn has an order or two.
const ENDS_TURN: u64 = 2;

impl bots::client::Client for Client {
    fn meets(&self) -> Meets {
        Meets::Table
    }

    fn n_seats(&self, wanted: u8) -> u8 {
        wanted
    }

    fn setup(&self, n_seats: u8, seed: u64) -> Result<Option<Value>, String> {
        let domination: Percentage = "0.6".parse().map_err(|_| "not a share".to_owned())?;
        let blueprint = Blueprint {
            title: "Load".to_owned(),
            topology: Topology::Ring,
            n_systems: SYSTEMS_PER_SEAT * u32::from(n_seats),
            n_factions: n_seats,
            seed: seed as u32,
            n_turns: N_TURNS,
            domination,
        };
        let scenario = blueprint.build().map_err(|error| error.to_string())?;
        Ok(Some(
            json!({ "scenario": scenario.document(Dialect::File) }),
        ))
    }

    fn round(&self, view: &str, legal: &[String]) -> Option<u64> {
        let view: View = serde_json::from_str(view).ok()?;
        (!legal.is_empty()).then_some(view.turn)
    }

    fn weight(&self, word: &str) -> u64 {
        if word == "done" { ENDS_TURN } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use bots::client::Client as _;
    use kernel::json;

    use super::*;

    #[test]
    fn there_is_a_table_for_every_number_of_seats() {
        for n_seats in 2..=8 {
            let setup = Client.setup(n_seats, 7).unwrap().unwrap();
            let document = json::read(setup["scenario"].to_string().as_bytes()).unwrap();
            let (report, galaxy) = stellar::survey(&document, 0);
            assert!(report.findings.is_empty(), "{:?}", report.findings);
            assert!(galaxy.is_some());
        }
    }
}
