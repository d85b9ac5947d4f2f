//! The simulation of games that are written as [`Rules`](kernel::rules::Rules).

use std::marker::PhantomData;

use kernel::rules::ActionSpace;
use kernel::words::Words;
use kernel::{Describe, Game};

use super::cells::{Cell, Fault, Phase, PhaseKind};
use super::draw::Draws;
use super::simulated::{Action, Setup, Simulated};
use super::words::{Composer, Wordy};
use crate::{Live, Ms};

const TURN: Phase = Phase::new("Turn", PhaseKind::Deciding, 60);
/// A turn after a seat has left the match.
const DEPLETED: Phase = Phase::new("Depleted", PhaseKind::Deciding, 150);

/// The driver of a game whose decisions are single words, in matches of all sizes.
pub struct Generic<G>(PhantomData<fn() -> G>);

impl<G> Simulated for Generic<G>
where
    G: Live<Ask = Words<<G as Game>::Action>> + Game<Action: ActionSpace> + Describe,
{
    type Game = G;
    type Mind = Composer<Generic<G>>;

    const PHASES: &'static [Phase] = match *G::SEATS.end() {
        2 => &[TURN, Phase::PAUSED, Phase::OVER],
        _ => &[TURN, DEPLETED, Phase::PAUSED, Phase::OVER],
    };
    const TURN_MS: Ms = G::POLICY.pace.turn_ms;
    const N_EFFECTS: u64 = 400;

    fn draw_setup(draws: &mut Draws) -> Setup<Self> {
        let sizes: Vec<u8> = G::SEATS.collect();
        G::quick_setup_for(draws.pick(&sizes)).unwrap_or_default()
    }

    fn phase(position: &G) -> Phase {
        match position.present().len() == position.n_seats() {
            true => TURN,
            false => DEPLETED,
        }
    }

    /// A request in words is accepted as it is or refused, never adjusted.
    fn can_suffer((fault, _): Cell) -> bool {
        fault != Fault::AdjustedAsk
    }

    fn meant(ask: &Words<Action<Self>>) -> Option<Vec<Action<Self>>> {
        Some(ask.actions())
    }
}

impl<G> Wordy for Generic<G>
where
    G: Live<Ask = Words<<G as Game>::Action>> + Game<Action: ActionSpace> + Describe,
{
    fn choose(legal: &[String], shape: &mut Draws, _: &mut Draws) -> usize {
        shape.within(0, legal.len() as u64 - 1) as usize
    }

    fn is_whole(_: &str) -> bool {
        true
    }

    /// The last action, which few positions allow.
    fn illegal() -> Action<Self> {
        let last = Action::<Self>::N - 1;
        ActionSpace::with_id(last).expect("every id has an action")
    }
}
