//! A bot's evaluation of each position, by what the viewer's seat may see.

use std::time::{Duration, Instant};

use bots::Agent;
use catalog::Roster;
use kernel::doc;
use kernel::record::{Header, RecordFault};
use kernel::{Perspective, Seat, Viewer};

use super::{Eyes, Window, at};

/// The time a bot may spend on one replay. Later positions have no evaluation.
const THINKING_MAX: Duration = Duration::from_secs(4);

/// A bot that is asked for evaluations, or none.
pub(super) struct Judge<G: Roster> {
    agent: Option<Box<dyn Agent<G>>>,
    seat: Seat,
    spent: Duration,
}

impl<G: Roster> Judge<G> {
    /// Returns the requested bot. The public has no seat to see from, so it receives no
    /// evaluations.
    pub(super) fn new(window: &Window, header: &Header) -> Result<Judge<G>, RecordFault> {
        let seat = match window.eyes {
            Eyes::One(Viewer::Seat(seat)) => Some(seat),
            Eyes::Everybody => Some(Seat::FIRST),
            Eyes::One(Viewer::Public) => None,
        };
        let (Some(name), Some(seat)) = (window.judge.as_deref(), seat) else {
            return Ok(Judge {
                agent: None,
                seat: Seat::FIRST,
                spent: Duration::ZERO,
            });
        };
        let setup = doc::parse::<G::Setup>(&header.setup)
            .map_err(|faults| at(1, "malformed_setup", faults.one_line()))?;
        let agent =
            G::agent(name, &setup).map_err(|none| at(0, "unknown_bot", none.to_string()))?;
        Ok(Judge {
            agent: Some(agent),
            seat,
            spent: Duration::ZERO,
        })
    }

    /// Each seat's chance to win in thousandths, if the bot has an evaluation.
    pub(super) fn chances(&mut self, position: &G) -> Option<Vec<u16>> {
        let agent = self.agent.as_mut()?;
        if self.spent > THINKING_MAX {
            return None;
        }
        let begun = Instant::now();
        let evaluation = agent.evaluate(&Perspective::new(position, self.seat));
        self.spent += begun.elapsed();
        evaluation.map(|it| it.win_permille)
    }
}
