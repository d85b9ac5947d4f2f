use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;
use axum::response::IntoResponse;
use bots::balance::Match;
use kernel::{Outcome, Recorded, Seat, Verdict};

use super::*;
use crate::peer::Peer;

const OWNER: Owner = Owner {
    peer: Peer::Local,
    run: 1,
};

fn order(setup: &str) -> Bytes {
    format!(r#"{{"game":"stellar","setup":"{setup}","run":1}}"#).into()
}

fn step(trials: &Trials, owner: Owner, body: &Bytes) -> Result<BalancePage, ApiError> {
    let (game, order) = read(body)?;
    let wanted = Wanted::default();
    with_game!(game, G => advance::<G>(trials, owner, &order.setup, body.clone(), &wanted))
}

#[test]
fn slices_add_up_to_the_report_of_one_run() {
    let trials = Trials::default();
    let body = order("land_rush");
    let mut page = step(&trials, OWNER, &body).unwrap();
    while page.n_done < page.n_matches {
        page = step(&trials, OWNER, &body).unwrap();
    }
    assert_eq!(page.n_matches, GAMES + SKILL_GAMES);
    let (_, read) = read(&body).unwrap();
    whole::<catalog::Stellar>(&read.setup, &page);
    assert!(page.skill.unwrap().pays);
}

fn whole<G: Roster>(setup: &Json, page: &BalancePage) {
    let setup = G::read_setup(setup).unwrap();
    let peers = G::Bots::peers(&setup).unwrap();
    let plan = Plan::<G> {
        setup: &setup,
        line_ups: &[seated::<G>(&peers.strong, &setup).unwrap()],
        n_setups: SETUPS,
        n_games: GAMES,
        seed: Seed::from(0),
        n_threads: 2,
    };
    let matches = plan.run(&AtomicU64::new(0)).unwrap();
    let report = Report::new(&matches, peers.strong.len());
    let shown = page.report.as_ref().unwrap();
    assert_eq!((shown.games, shown.setups), (report.games, report.setups));
    let wins = |it: &SeatBalance| (it.wins, it.win_rate.low);
    let expected = report.seats.iter().map(|it| (it.wins, it.win_rate.low));
    let wanted: Vec<_> = expected.collect();
    assert_eq!(shown.seats.iter().map(wins).collect::<Vec<_>>(), wanted);
    assert_eq!(shown.turns.longest, report.turns.longest);
}

#[test]
fn one_setup_is_measured_at_a_time() {
    let trials = Trials::default();
    let page = step(&trials, OWNER, &order("thousand_suns")).unwrap();
    assert!(page.n_done < page.n_matches);
    let other = Owner { run: 2, ..OWNER };
    let refusal = step(&trials, other, &order("land_rush")).unwrap_err();
    let response = refusal.into_response();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
    let again = step(&trials, OWNER, &order("thousand_suns")).unwrap();
    assert!(again.n_done > page.n_done);
}

#[test]
fn a_measurement_that_no_one_waits_for_plays_nothing_and_frees_the_place() {
    let trials = Trials::default();
    let body = order("land_rush");
    let (_, read) = read(&body).unwrap();
    let gone = Wanted::gone();
    let page = advance::<catalog::Stellar>(&trials, OWNER, &read.setup, body, &gone).unwrap();
    assert_eq!(page.n_done, 0);
    assert!(page.report.is_none() && page.skill.is_none());
    let other = Owner { run: 2, ..OWNER };
    assert!(step(&trials, other, &order("land_rush")).is_ok());
}

#[test]
fn orders_that_cannot_be_measured_are_refused_and_take_no_place() {
    let trials = Trials::default();
    for (body, status) in [
        ("", StatusCode::BAD_REQUEST),
        ("{}", StatusCode::BAD_REQUEST),
        (
            r#"{"game":"nothing","setup":{},"run":1}"#,
            StatusCode::NOT_FOUND,
        ),
        (
            r#"{"game":"stellar","setup":{},"run":1}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            r#"{"game":"orcain","setup":{},"run":1}"#,
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let refusal = step(&trials, OWNER, &Bytes::from_static(body.as_bytes()));
        let response = refusal.unwrap_err().into_response();
        assert_eq!(response.status(), status, "{body}");
    }
    let other = Owner { run: 2, ..OWNER };
    assert!(step(&trials, other, &order("land_rush")).is_ok());
}

#[test]
fn the_verdict_is_unclear_while_the_matches_are_too_few() {
    let report = |wins: [u64; 2]| {
        let seats: Vec<(u64, Seat)> = wins.into_iter().zip(Seat::first(2)).collect();
        let played = seats.iter().flat_map(|(n, seat)| {
            let outcome = Outcome::decided(Verdict::Winner(*seat), "points");
            (0..*n).map(move |_| Match {
                setup: 0,
                line_up: 0,
                outcome,
                n_turns: 1,
            })
        });
        verdict(&Report::new(&played.collect::<Vec<_>>(), 2))
    };
    assert_eq!(report([101, 99]), BalanceVerdict::Even);
    assert_eq!(report([120, 80]), BalanceVerdict::Unclear);
    assert_eq!(report([600, 400]), BalanceVerdict::Uneven);
}

/// Stops the match in which the number of decisions is used up.
struct Decisions(AtomicU64);

impl Pace for Decisions {
    fn may_begin(&self) -> bool {
        true
    }

    fn may_continue(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }
}

#[test]
fn a_stopped_match_is_played_again_from_its_start() {
    type G = catalog::Stellar;
    let setup = G::read_setup(&Json::Text("land_rush".to_owned())).unwrap();
    let peers = <G as Roster>::Bots::peers(&setup).unwrap();
    let plan = Plan::<G> {
        setup: &setup,
        line_ups: &[seated::<G>(&peers.strong, &setup).unwrap()],
        n_setups: 3,
        n_games: 6,
        seed: Seed::from(0),
        n_threads: 1,
    };
    let mut played = Vec::new();
    let mut n_stops = 0;
    while played.len() < 6 {
        let pace = Arc::new(Decisions(AtomicU64::new(1_000)));
        let slice = plan.slice(played.len() as u32, &pace).unwrap();
        n_stops += u32::from(slice.was_stopped);
        assert!(!slice.matches.is_empty(), "one match fits into a slice");
        played.extend(slice.matches);
    }
    assert!(n_stops > 0, "the slices are too long for this test");
    assert_eq!(played, plan.run(&AtomicU64::new(0)).unwrap());
}
