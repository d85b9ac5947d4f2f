//! The toy games end as their rules say, and their redrawn positions are valid.

#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

mod toys;

use kernel::json::{from_value, read, to_canonical};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{
    Close, Departure, Discard, Game, GameExt, MatchId, Recorded, Redraw, Seat, SeatSet, Source,
    Step, Table, Turn, Verdict, Viewer,
};
use toys::armada::{self, Armada};
use toys::smugglers::{self, Smugglers};

fn armada(n_factions: u8, max_turns: u16) -> Armada {
    Armada::start(&armada::Setup {
        max_turns,
        n_factions,
        n_systems: 8,
    })
}

fn leave(seats: SeatSet) -> Step<armada::Action> {
    Step::Leave(seats, Departure::Resign)
}

#[test]
fn the_action_space_follows_the_setup() {
    for n_systems in 4..=12 {
        let setup = armada::Setup {
            n_systems,
            ..armada::Setup::default()
        };
        let n_actions = Armada::start(&setup).n_actions();
        assert_eq!(n_actions, 2 * usize::from(n_systems) + 1);
    }
}

#[test]
fn a_seat_that_leaves_is_eliminated_and_the_last_faction_wins() {
    let mut armada = armada(3, 5);
    let third = Seat::new(2).unwrap();
    armada
        .apply(leave(SeatSet::only(Seat::FIRST)), &mut Discard)
        .unwrap();
    assert_eq!(armada.present(), SeatSet::only(Seat::SECOND).with(third));
    assert_eq!(armada.turn().open(), armada.present());
    armada
        .apply(leave(SeatSet::only(third)), &mut Discard)
        .unwrap();
    let outcome = armada.outcome().unwrap();
    assert_eq!(outcome.verdict, Verdict::Winner(Seat::SECOND));
    assert_eq!(outcome.close, Close::Decided);
}

#[test]
fn a_departure_moves_the_fleets_when_all_others_are_done() {
    let mut armada = armada(3, 5);
    for seat in [Seat::FIRST, Seat::SECOND] {
        let done = armada::Action::Done;
        armada.play(seat, done, &mut Discard).unwrap();
    }
    assert_eq!(armada.turn_number(), 1);
    let third = SeatSet::only(Seat::new(2).unwrap());
    armada.apply(leave(third), &mut Discard).unwrap();
    assert_eq!(armada.turn_number(), 2);
}

#[test]
fn a_match_that_all_leave_at_once_is_void() {
    let mut armada = armada(5, 5);
    armada
        .apply(leave(SeatSet::first(5)), &mut Discard)
        .unwrap();
    assert_eq!(armada.outcome().unwrap().verdict, Verdict::Void);
}

#[test]
fn equal_fleets_at_the_end_draw_and_the_largest_fleets_win_together() {
    let mut peace = armada(3, 2);
    for _ in 0..2 {
        peace.apply(Step::Deadline, &mut Discard).unwrap();
    }
    let outcome = peace.outcome().unwrap();
    assert_eq!(outcome.verdict, Verdict::Draw);
    assert_eq!(outcome.close, Close::Truncated);

    // A faction that is not at home when the turn ends builds nothing.
    let mut away = armada(3, 2);
    for action in [armada::Action::Choose(0), armada::Action::Target(1)] {
        away.play(Seat::FIRST, action, &mut Discard).unwrap();
    }
    for _ in 0..2 {
        away.apply(Step::Deadline, &mut Discard).unwrap();
    }
    let others = SeatSet::first(3).without(Seat::FIRST);
    assert_eq!(away.outcome().unwrap().verdict, Verdict::Winners(others));
}

#[test]
fn smugglers_is_cut_off_at_its_turn_cap_and_the_remaining_seat_wins() {
    let setup = smugglers::Setup {
        max_turns: 3,
        points_to_win: 10,
        ..smugglers::Setup::default()
    };
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let mut match_ = Smugglers::start(&setup);
    while match_.outcome().is_none() {
        let step = match match_.turn() {
            Turn::Chance => Step::Chance(match_.odds().draw(&mut rng)),
            _ => Step::Deadline,
        };
        match_.apply(step, &mut Discard).unwrap();
    }
    assert_eq!(match_.outcome().unwrap().close, Close::Truncated);

    let mut left = Smugglers::start(&setup);
    let first = SeatSet::only(Seat::FIRST);
    left.apply(Step::Leave(first, Departure::Disconnect), &mut Discard)
        .unwrap();
    let verdict = left.outcome().unwrap().verdict;
    assert_eq!(verdict, Verdict::Winner(Seat::SECOND));
}

#[test]
fn redrawn_positions_are_valid() {
    check_redrawn::<Smugglers>(&smugglers::Setup::default());
    check_redrawn::<Armada>(&armada::Setup::default());
}

fn check_redrawn<G: Redraw + Recorded>(setup: &G::Setup) {
    for seed in 0..20 {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let game_id = MatchId::draw(&mut rng);
        let mut position = G::start(setup);
        while position.outcome().is_none() {
            for viewer in Viewer::all(position.n_seats()) {
                let drawn = position.redraw(viewer, &mut rng);
                let table = Table::at(drawn, game_id, Source::Open(rng.clone()));
                let bytes = to_canonical(&table.snapshot()).unwrap();
                let restored = Table::<G>::restore(&read(&bytes).unwrap());
                assert_eq!(restored.unwrap(), table);
            }
            let step = random_step(&position, &mut rng);
            position.apply(step, &mut Discard).unwrap();
        }
    }
}

fn random_step<G: Recorded>(position: &G, rng: &mut Generator) -> Step<G::Action> {
    if position.turn() == Turn::Chance {
        return Step::Chance(position.odds().draw(rng));
    }
    let Some(seat) = position.turn().missing().lowest() else {
        return Step::Deadline;
    };
    let id = position.legal(seat).sample(rng).unwrap();
    Step::Play(seat, position.action(id).unwrap())
}

#[test]
fn enemy_fleets_are_visible_only_near_own_fleets() {
    let armada = armada(2, 5);
    let view = armada.view(Viewer::Seat(Seat::FIRST));
    let seen: Vec<usize> = (0..8).filter(|&it| view.fleets[0][it].is_some()).collect();
    assert_eq!(seen, [0, 1, 7]);
    assert_eq!(view.fleets[1], {
        let mut row = vec![None; 8];
        seen.iter().for_each(|&system| row[system] = Some(0));
        row
    });
    let public = from_value(&armada.view(Viewer::Public)).unwrap();
    assert!(public.pointer("/own").unwrap().is_null());
}
