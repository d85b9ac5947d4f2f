//! The value of a round as a matrix.

use kernel::{Game, GameExt, Seat};
use orcain::{Action, Layout, Orcain, Setup};

use super::states::{Conduct, Next, State};

/// The conducts of a seat in a round: every layout that the hand allows, full ones first, then
/// missing the round.
pub(super) fn conducts(setup: &Setup, seat: Seat) -> Vec<Conduct> {
    let layouts = layouts(setup, seat);
    let full = |layout: &Layout| layout.full(setup.steps()).is_some();
    let (full, partial): (Vec<Layout>, Vec<Layout>) = layouts.into_iter().partition(full);
    let plays = full.into_iter().chain(partial).map(Conduct::Plays);
    plays.chain([Conduct::Misses]).collect()
}

/// The layouts that a hand allows, as the rules' own mask gives them.
fn layouts(setup: &Setup, seat: Seat) -> Vec<Layout> {
    let start = Orcain::start(setup);
    let legal = start.legal(seat);
    let actions = legal.iter().filter_map(|id| start.action(id));
    actions
        .filter_map(|action| match action {
            Action::Draft(layout) => Some(layout),
            Action::Confirm(_) => None,
        })
        .collect()
}

/// The value of a pair of conducts for one seat, given the values of the next states for it.
pub(super) fn payoff(
    state: &State,
    conduct: [Conduct; 2],
    setup: &Setup,
    seat: Seat,
    worth: &impl Fn(&State) -> f64,
) -> f64 {
    match state.next(conduct, setup) {
        Next::Over(scores) => f64::from(scores[seat.index()]),
        Next::Round(next) => worth(&next),
    }
}
