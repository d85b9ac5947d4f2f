//! Leagues, and Glicko-2.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// The leagues and the points at which each begins, lowest first.
pub(crate) const LEAGUES: [(&str, i64); 6] = [
    ("wood", 0),
    ("iron", 100),
    ("bronze", 200),
    ("silver", 350),
    ("gold", 550),
    ("mythic", 800),
];

/// The result of a match between two people for one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Score {
    Won,
    Lost,
    Drew,
}

/// Returns the league for this many points.
pub(crate) fn league(points: i64) -> &'static str {
    let reached = LEAGUES.iter().rev().find(|(_, from)| points >= *from);
    reached.map_or(LEAGUES[0].0, |(key, _)| key)
}

/// The league points for a win.
pub(crate) const WIN_POINTS: u64 = 5;

/// The most a rating can rise in a day.
pub(crate) const DAILY_RISE_MAX: f64 = 200.0;

/// League points after a match: plus five for a win, minus two for a loss, never below zero.
pub(crate) fn points_after(points: i64, score: Score) -> i64 {
    let change = match score {
        Score::Won => WIN_POINTS as i64,
        Score::Lost => -2,
        Score::Drew => 0,
    };
    (points + change).max(0)
}

/// The rating of an account that has not played yet.
pub(crate) fn unrated() -> Glicko2Rating {
    Glicko2Rating::new()
}

/// Returns both ratings after a match between the two. Each match is its own rating period.
pub(crate) fn rate(pair: [Glicko2Rating; 2], first: Score) -> [Glicko2Rating; 2] {
    let outcome = match first {
        Score::Won => Outcomes::WIN,
        Score::Lost => Outcomes::LOSS,
        Score::Drew => Outcomes::DRAW,
    };
    let (one, other) = glicko2(&pair[0], &pair[1], &outcome, &Glicko2Config::new());
    [one, other]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_begins_at_its_first_point() {
        for (points, key) in [
            (0, "wood"),
            (99, "wood"),
            (100, "iron"),
            (349, "bronze"),
            (350, "silver"),
            (549, "silver"),
            (799, "gold"),
            (800, "mythic"),
            (9_999, "mythic"),
        ] {
            assert_eq!(league(points), key, "{points}");
        }
    }

    #[test]
    fn points_rise_by_five_fall_by_two_and_never_below_zero() {
        assert_eq!(points_after(10, Score::Won), 15);
        assert_eq!(points_after(10, Score::Lost), 8);
        assert_eq!(points_after(1, Score::Lost), 0);
        assert_eq!(points_after(7, Score::Drew), 7);
    }

    #[test]
    fn between_equals_the_winner_gains_what_the_loser_loses() {
        let [won, lost] = rate([unrated(), unrated()], Score::Won);
        assert!(won.rating > 1500.0 && lost.rating < 1500.0);
        assert!((won.rating + lost.rating - 3000.0).abs() < 1e-9);
        assert!(won.deviation < 350.0);
        let [left, right] = rate([unrated(), unrated()], Score::Drew);
        assert!((left.rating - right.rating).abs() < 1e-9);
    }
}
