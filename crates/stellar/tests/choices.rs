//! Views offer exactly what the mask allows, and match their declared schema.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::collections::BTreeSet;

use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::schema::of_written;
use kernel::{Discard, Event, Game, GameExt, Mask, Seat, Sink, Step, Turn, Viewer};
use serde_json::{Value, json};
use stellar::{Action, Setup, Stellar, Verb, shipped};

/// Plays a random match and calls `look` at every position where orders are open.
fn walk(name: &str, seed: u64, n_steps: usize, look: impl FnMut(&Stellar, Seat)) {
    walk_into(&mut Discard, name, seed, n_steps, look);
}

fn walk_into(
    events: &mut impl Sink<stellar::Event>,
    name: &str,
    seed: u64,
    n_steps: usize,
    mut look: impl FnMut(&Stellar, Seat),
) {
    let setup = Setup::new(shipped::scenario(name).unwrap(), seed as u32).unwrap();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let mut at = Stellar::start(&setup);
    let mut mask = Mask::default();
    for _ in 0..n_steps {
        let turn = at.turn();
        let step = match turn {
            Turn::Over(_) => return,
            Turn::Chance => Step::Chance(at.odds().draw(&mut rng)),
            _ => {
                let seat = turn.open().lowest().unwrap();
                at.fill_legal(seat, &mut mask);
                if mask.allows(at.action_id(Action::Done)) {
                    look(&at, seat);
                }
                let id = mask.sample(&mut rng).unwrap();
                Step::Play(seat, at.action(id).unwrap())
            }
        };
        at.apply_trusted(step, events);
    }
}

/// The arguments that can follow these steps, as the four lists of a choice.
fn follow(at: &Stellar, seat: Seat, steps: &[Action]) -> Option<[Vec<u64>; 4]> {
    let mut after = at.clone();
    for step in steps {
        after.play(seat, *step, &mut Discard).ok()?;
    }
    let mut mask = Mask::default();
    after.fill_legal(seat, &mut mask);
    let mut found: [Vec<u64>; 4] = Default::default();
    for id in mask.iter() {
        match after.action(id).unwrap() {
            Action::System(system) => found[0].push(system.index() as u64),
            Action::Body(body) => found[1].push(body.into()),
            Action::Into(rank) => found[2].push(rank.into()),
            Action::Share(idx) => found[3].push([0, 25, 50, 75][usize::from(idx)]),
            _ => {}
        }
    }
    Some(found)
}

fn listed(choice: &Value, key: &str) -> Vec<u64> {
    let items = choice.get(key).and_then(Value::as_array);
    items
        .into_iter()
        .flatten()
        .map(|it| it.as_u64().unwrap())
        .collect()
}

// Promise: A view offers exactly what the mask allows.
#[test]
fn choices_are_what_the_mask_allows() {
    let mut n_looked = 0;
    for (name, seed) in [("skirmish", 1), ("three_crowns", 2), ("the_bridge", 3)] {
        walk(name, seed, 400, |at, seat| {
            let view = json!(at.view(Viewer::Seat(seat)));
            for fleet in view["fleets"].as_array().unwrap() {
                let rank = fleet["rank"].as_u64().unwrap() as u16;
                let choices = fleet["choices"].as_array().unwrap();
                assert_eq!(choices.len(), Verb::ALL.len());
                for (choice, verb) in choices.iter().zip(Verb::ALL) {
                    assert_eq!(choice["verb"], verb.name());
                    let steps = [Action::Fleet(rank), Action::Verb(verb)];
                    let allowed = follow(at, seat, &steps);
                    assert_eq!(choice.get("why").is_none(), allowed.is_some(), "{choice}");
                    if let Some(allowed) = allowed {
                        let offered =
                            ["systems", "bodies", "into", "below"].map(|key| listed(choice, key));
                        assert_eq!(offered, allowed, "{choice}");
                        n_looked += 1;
                    }
                }
            }
        });
    }
    assert!(n_looked > 500, "{n_looked}");
}

#[test]
fn a_view_shows_exactly_the_foreign_forces_in_sight() {
    let mut n_hidden = 0;
    for (name, seed) in [("skirmish", 5), ("six_houses", 6), ("the_bridge", 7)] {
        walk(name, seed, 1500, |at, seat| {
            let view = at.view(Viewer::Seat(seat));
            let foreign = at.fleets().iter().filter(|it| it.owner != seat);
            let (seen, hidden): (Vec<_>, Vec<_>) = foreign.partition(|it| at.sees_fleet(seat, it));
            let seen: Vec<_> = seen.iter().map(|it| (it.owner, it.rank)).collect();
            let contacts = view.contacts.iter().map(|it| (it.owner, it.rank));
            assert_eq!(contacts.collect::<Vec<_>>(), seen, "{name}");
            let armies = at.armies().iter().filter(|it| at.sees_army(seat, it));
            assert!(armies.eq(&view.armies), "{name}");
            n_hidden += hidden.len();
        });
    }
    assert!(n_hidden > 100, "{n_hidden}");
}

#[test]
fn views_and_events_have_their_declared_shapes() {
    let view_schema = of_written::<stellar::View>().to_value();
    let judge = jsonschema::validator_for(&view_schema).unwrap();
    let mut events: Vec<stellar::Event> = Vec::new();
    walk_into(&mut events, "crown_of_stars", 4, 4000, |at, _| {
        for viewer in [Viewer::Public, Viewer::Seat(Seat::FIRST)] {
            let view = json!(at.view(viewer));
            let faults: Vec<String> = judge.iter_errors(&view).map(|it| it.to_string()).collect();
            assert_eq!(faults, [""; 0]);
        }
    });
    let event_schema = of_written::<stellar::Event>().to_value();
    let judge = jsonschema::validator_for(&event_schema).unwrap();
    let viewer = Viewer::Seat(Seat::FIRST);
    let seen = events.iter().filter_map(|it| it.seen_by(viewer));
    let mut kinds = BTreeSet::new();
    for seen in seen.map(|it| json!(it)) {
        assert!(judge.is_valid(&seen), "{seen}");
        kinds.insert(seen["name"].as_str().unwrap().to_owned());
    }
    assert!(kinds.len() > 5, "{kinds:?}");
}

#[test]
fn a_seat_that_cannot_give_orders_is_offered_none() {
    let mut at = Stellar::start(&Setup::default());
    at.play(Seat::FIRST, Action::Done, &mut Discard).unwrap();
    let view = json!(at.view(Viewer::Seat(Seat::FIRST)));
    for fleet in view["fleets"].as_array().unwrap() {
        assert_eq!(fleet["choices"], json!([]));
    }
}
