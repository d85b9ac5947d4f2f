//! Checks of actions, masks, refusals and endings.

use std::collections::BTreeMap;

use super::driver::{Manner, next_step, visit};
use super::{Finding, Suite};
use crate::doc::Named;
use crate::rng::Generator;
use crate::{
    ActionId, Departure, Discard, Draw, Game, GameExt, Mask, SEATS_MAX, SEATS_MIN, Seat, SeatSet,
    Step, Turn,
};

/// The maximum number of actions tried in one position.
const TRIED_MAX: usize = 64;

// Promise: Every action has one id, and every id one action.
pub(super) fn ids_biject<G: Game>(suite: &Suite<G>) -> Finding {
    for setup in &suite.setups {
        let position = G::start(setup);
        let n_actions = position.n_actions();
        for id in (0..n_actions).map(ActionId::new) {
            let back = position.action(id).map(|action| position.action_id(action));
            if back != Some(id) {
                return Err(format!("id {id} round-trips to {back:?}"));
            }
        }
        if let Some(action) = position.action(ActionId::new(n_actions)) {
            return Err(format!(
                "id {n_actions} is out of range, but means {action}"
            ));
        }
    }
    Ok(())
}

pub(super) fn texts_are_unique<G: Game>(suite: &Suite<G>) -> Finding {
    for setup in &suite.setups {
        let mut texts = BTreeMap::new();
        for (id, action) in G::start(setup).actions() {
            if let Some(other) = texts.insert(action.to_string(), id) {
                return Err(format!("ids {other} and {id} both read {action}"));
            }
        }
    }
    Ok(())
}

pub(super) fn mask_fits_the_turn<G: Game>(suite: &Suite<G>) -> Finding {
    let mut mask = Mask::default();
    visit(suite, 1, |_, position, _| {
        let turn = position.turn();
        if !turn.missing().is_subset(turn.open()) {
            return Err(format!("a missing seat is not open in {position}"));
        }
        if matches!(turn, Turn::Sealed(sealed) if sealed.open.is_empty()) {
            return Err(format!("a sealed turn with nobody open: {position}"));
        }
        for seat in Seat::first(position.n_seats()) {
            position.fill_legal(seat, &mut mask);
            if mask.is_empty() == turn.open().contains(seat) {
                let n_legal = mask.count();
                return Err(format!(
                    "seat {seat} has {n_legal} actions at {turn:?} in {position}"
                ));
            }
        }
        Ok(())
    })
}

// Promise: The mask alone defines which actions are legal.
pub(super) fn mask_is_legality<G: Game>(suite: &Suite<G>) -> Finding {
    let mut mask = Mask::default();
    visit(suite, 2, |_, position, rng| {
        for seat in Seat::first(position.n_seats()) {
            position.fill_legal(seat, &mut mask);
            let n_actions = position.n_actions();
            for id in sample_ids(n_actions, &mask, rng) {
                let Some(action) = position.action(id) else {
                    return Err(format!("no action has the id {id}"));
                };
                let played = position.clone().play(seat, action, &mut Discard);
                if played.is_ok() != mask.allows(id) {
                    let masked = mask.allows(id);
                    return Err(format!(
                        "{action} by seat {seat}: mask says {masked}, play says {played:?} in {position}"
                    ));
                }
            }
        }
        Ok(())
    })
}

/// All ids of a small action space; a sample of a large one, half of it legal where possible.
fn sample_ids(n_actions: usize, mask: &Mask, rng: &mut Generator) -> Vec<ActionId> {
    if n_actions <= TRIED_MAX {
        return (0..n_actions).map(ActionId::new).collect();
    }
    let n_drawn = TRIED_MAX / 2;
    let mut ids: Vec<ActionId> = (0..n_drawn).filter_map(|_| mask.sample(rng)).collect();
    ids.extend((0..n_drawn).map(|_| ActionId::new(rng.below(n_actions as u64) as usize)));
    ids
}

// Promise: A refusal changes nothing.
pub(super) fn refusals_change_nothing<G: Game>(suite: &Suite<G>) -> Finding {
    let mut events: Vec<G::Event> = Vec::new();
    visit(suite, 3, |_, position, rng| {
        let mut tried = position.clone();
        for step in steps_to_refuse(position, rng) {
            events.clear();
            if tried.apply(step, &mut events).is_ok() {
                tried = position.clone();
                continue;
            }
            if tried != *position || !events.is_empty() {
                return Err(format!(
                    "{step:?} was refused and changed {position} into {tried}"
                ));
            }
        }
        Ok(())
    })
}

/// Steps of every kind, most of them illegal. The caller skips the legal ones.
fn steps_to_refuse<G: Game>(position: &G, rng: &mut Generator) -> Vec<Step<G::Action>> {
    let mut steps = vec![
        Step::Chance(Draw(rng.bits64())),
        Step::Chance(Draw(0)),
        Step::Leave(SeatSet::EMPTY, Departure::Resign),
        Step::Leave(SeatSet::first(SEATS_MAX), Departure::Disconnect),
        Step::Deadline,
    ];
    let n_actions = position.n_actions() as u64;
    for seat in Seat::first(SEATS_MAX) {
        let id = ActionId::new(rng.below(n_actions) as usize);
        let action = position.action(id);
        steps.extend(action.map(|action| Step::Play(seat, action)));
    }
    steps
}

// Promise: Every match ends.
pub(super) fn matches_end<G: Game>(suite: &Suite<G>) -> Finding {
    visit(suite, 4, |_, _, _| Ok(()))
}

// Promise: The order in which sealed decisions arrive has no effect.
pub(super) fn sealed_commits_commute<G: Game>(suite: &Suite<G>) -> Finding {
    visit(suite, 5, |_, position, rng| {
        let Turn::Sealed(sealed) = position.turn() else {
            return Ok(());
        };
        let seats: Vec<Seat> = sealed.open.iter().collect();
        for pair in seats.windows(2) {
            let [first, second] = [pair[0], pair[1]].map(|seat| {
                let id = position.legal(seat).sample(rng);
                id.and_then(|id| position.action(id))
                    .map(|action| Step::Play(seat, action))
            });
            let (Some(first), Some(second)) = (first, second) else {
                return Err(format!("an open seat has no action in {position}"));
            };
            let forth = play_both(position, first, second)?;
            let back = play_both(position, second, first)?;
            if forth != back {
                return Err(format!(
                    "{first:?} and {second:?} in {position} give {forth} or {back}, depending on their order"
                ));
            }
        }
        Ok(())
    })
}

fn play_both<G: Game>(
    position: &G,
    first: Step<G::Action>,
    second: Step<G::Action>,
) -> Result<G, String> {
    let mut played = position.clone();
    for step in [first, second] {
        played
            .apply(step, &mut Discard)
            .map_err(|refusal| format!("{first:?} then {second:?} in {position}: {refusal}"))?;
    }
    Ok(played)
}

// Promise: A match with forced chance counts nowhere: no stake, rating, statistic or dataset.
/// Only a test match has actions that force chance. Such an action leaves exactly one outcome. The
/// standard match is not a test.
pub(super) fn chance_is_forced_in_tests_only<G: Game>(suite: &Suite<G>) -> Finding {
    if G::start(&G::Setup::default()).is_test() {
        return Err("the standard match is a test".to_owned());
    }
    let mut mask = Mask::default();
    visit(suite, 8, |_, position, _| {
        for seat in Seat::first(position.n_seats()) {
            position.fill_legal(seat, &mut mask);
            let actions = mask.iter().filter_map(|id| position.action(id));
            for action in actions.filter(|action| position.forces_chance(*action)) {
                if !position.is_test() {
                    return Err(format!("{action} forces chance in {position}"));
                }
                let mut after = position.clone();
                after.play_trusted(seat, action, &mut Discard);
                let n_left = n_possible(&after);
                if n_left != 1 {
                    return Err(format!("{action} leaves {n_left} outcomes in {after}"));
                }
            }
        }
        Ok(())
    })
}

/// The number of possible outcomes of the chance that is due; 0 when no chance is due or the
/// outcomes are too many to list.
fn n_possible<G: Game>(position: &G) -> usize {
    let odds = position.odds();
    match (position.turn(), odds.n_outcomes()) {
        (Turn::Chance, Some(n)) => (0..n).filter(|it| odds.admits(Draw(*it))).count(),
        _ => 0,
    }
}

/// Seats, action space and test flag are constant, turn numbers never decrease, every event has a
/// name from the closed list, and a match that is over stays over.
pub(super) fn form_is_kept<G: Game>(suite: &Suite<G>) -> Finding {
    for setup in &suite.setups {
        let start = G::start(setup);
        let form = form_of(&start);
        if !(SEATS_MIN..=SEATS_MAX).contains(&form.0) {
            return Err(format!("{} seats", form.0));
        }
        for match_idx in 0..suite.n_matches {
            let mut rng = suite.rng(6, match_idx);
            keep_form(start.clone(), form, G::steps_max(setup), &mut rng)?;
        }
    }
    Ok(())
}

/// The properties that are constant through a match: seats, actions, and the test flag.
fn form_of<G: Game>(position: &G) -> (usize, usize, bool) {
    (position.n_seats(), position.n_actions(), position.is_test())
}

/// Ignores a match that does not end: another check reports that.
fn keep_form<G: Game>(
    mut position: G,
    form: (usize, usize, bool),
    n_steps_max: u64,
    rng: &mut Generator,
) -> Finding {
    let mut events: Vec<G::Event> = Vec::new();
    for _ in 0..n_steps_max {
        let Some(step) = next_step(&position, Manner::Wild, rng) else {
            break;
        };
        let turn_number = position.turn_number();
        position
            .apply(step, &mut events)
            .map_err(|refusal| format!("{step:?} in {position}: {refusal}"))?;
        if form_of(&position) != form {
            return Err(format!(
                "seats, actions or the kind of match changed after {step:?}: {position}"
            ));
        }
        if position.turn_number() < turn_number {
            return Err(format!(
                "the turn number decreased after {step:?}: {position}"
            ));
        }
        if !position.present().is_subset(SeatSet::first(form.0)) {
            return Err(format!("a seat that does not exist is present: {position}"));
        }
        for event in events.drain(..) {
            if !G::Event::NAMES.contains(&event.name()) {
                return Err(format!("{} is not a listed event", event.name()));
            }
        }
    }
    Ok(())
}
