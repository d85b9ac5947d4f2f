//! How a bot sees the chances, moment by moment: by what the viewer's own seat may see.

use std::time::{Duration, Instant};

use bots::Agent;
use catalog::Roster;
use kernel::doc;
use kernel::record::{Header, RecordFault};
use kernel::{Perspective, Seat, Viewer};

use super::{Eyes, Window, at};

/// How long a bot may think over one replay; moments after that have no chances.
const THINKING_MAX: Duration = Duration::from_secs(4);

/// A bot that is asked for its opinion, or nobody.
pub(super) struct Judge<G: Roster> {
    agent: Option<Box<dyn Agent<G>>>,
    seat: Seat,
    spent: Duration,
}

impl<G: Roster> Judge<G> {
    /// The bot that is asked for. The public has no seat to see from, so it hears nothing.
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

    /// The chance of each seat in thousandths, if the bot has an opinion.
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
