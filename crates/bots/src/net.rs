//! Agents that play a trained network from a file.

use kernel::Perspective;
use kernel::rng::Generator;
use learn::{Learn, NetPlayer};

use crate::{Agent, NoAgent};

/// The prefix of such an agent's name; the file's path follows.
const PREFIX: &str = "net:";
/// Larger files are refused.
const BYTES_MAX: u64 = 1 << 30;

/// Plays the action that a trained network rates best.
struct NetAgent {
    name: String,
    player: NetPlayer,
}

/// The agent named `net:FILE`; `None` for any other name.
pub(crate) fn agent<G: Learn>(
    name: &str,
    setup: &G::Setup,
) -> Option<Result<Box<dyn Agent<G>>, NoAgent>> {
    let file = name.strip_prefix(PREFIX)?;
    let unfit = |reason: String| NoAgent::Unfit {
        name: "net",
        reason: format!("{file}: {reason}"),
    };
    let agent = read(file).map_err(unfit).and_then(|bytes| {
        let player = NetPlayer::new::<G>(&bytes, setup);
        let player = player.map_err(|fault| unfit(fault.to_string()))?;
        let name = name.to_owned();
        Ok(Box::new(NetAgent { name, player }) as Box<dyn Agent<G>>)
    });
    Some(agent)
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    let size = std::fs::metadata(file).map_err(|error| error.to_string())?;
    match size.len() {
        0..=BYTES_MAX => std::fs::read(file).map_err(|error| error.to_string()),
        n_bytes => Err(format!("{n_bytes} bytes is too large for a network")),
    }
}

impl<G: Learn> Agent<G> for NetAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, seen: &Perspective<'_, G>, _: &mut Generator) -> Option<G::Action> {
        self.player.decide(seen)
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(NetAgent {
            name: self.name.clone(),
            player: self.player.clone(),
        })
    }
}
