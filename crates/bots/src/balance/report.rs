//! The results of balance matches.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use kernel::{Close, Seat};
use serde::Serialize;

use super::Match;
use crate::{Interval, wilson_95};

/// How far a seat's rate may be from its equal share in an even setup, as a part of that share.
const MARGIN: f64 = 0.1;

/// The rates that count as even for one of `n_seats` seats: its equal share, give or take a tenth
/// of it. With two seats that is 45 to 55 %.
pub fn even_rates(n_seats: usize) -> RangeInclusive<f64> {
    let share = 1.0 / n_seats as f64;
    share * (1.0 - MARGIN)..=share * (1.0 + MARGIN)
}

/// How even the seats are.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The number of matches played.
    pub games: u64,
    /// The number of setups they were played in.
    pub setups: u64,
    /// The rate of each seat.
    pub seats: Vec<SeatRate>,
    /// True if every seat is even: with two seats its rate is within [`even_rates`], with more seats
    /// its interval overlaps them.
    pub even: bool,
    /// Setups in which one seat won at least nine matches in ten, of those with ten or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lopsided_setups: Option<u64>,
    /// Matches that nobody won or lost.
    pub draws: u64,
    /// Matches that the game's hard limit cut off.
    pub truncated: u64,
    /// The number of matches for each reason of the end.
    pub ends: BTreeMap<String, u64>,
    /// The lengths of the matches.
    pub turns: Lengths,
}

/// The rate of one seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatRate {
    /// The index of the seat.
    pub player_id: usize,
    /// Matches won.
    pub wins: u64,
    /// The share of decided matches that it won, with its 95 % bounds.
    pub win_rate: Interval,
}

/// How long matches last, in turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Lengths {
    /// Half of the matches are at most this long.
    pub median: u32,
    /// Nine in ten matches are at most this long.
    pub p90: u32,
    /// The longest match.
    pub longest: u32,
}

/// Whether skill pays: one strong player among weak ones.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SkillReport {
    /// The number of matches played.
    pub games: u64,
    /// Matches that the strong player won.
    pub wins: u64,
    /// The share of decided matches that the strong player won, with its 95 % bounds.
    pub win_rate: Interval,
    /// True if the lower bound is above the strong player's equal share.
    pub pays: bool,
}

impl Report {
    /// The report on matches between `n_seats` seats.
    pub fn new(matches: &[Match], n_seats: usize) -> Report {
        let is_draw = |it: &&Match| !Seat::first(n_seats).any(|seat| it.outcome.score(seat) != 0);
        let draws = matches.iter().filter(is_draw).count() as u64;
        let games = matches.len() as u64;
        let seats: Vec<SeatRate> = Seat::first(n_seats)
            .map(|seat| {
                let won = matches.iter().filter(|it| it.outcome.score(seat) > 0);
                let wins = won.count() as u64;
                SeatRate {
                    player_id: seat.index(),
                    wins,
                    win_rate: wilson_95(wins, games - draws),
                }
            })
            .collect();
        let mut ends = BTreeMap::new();
        for it in matches {
            *ends.entry(it.outcome.reason.0.to_owned()).or_default() += 1;
        }
        let is_cut = |it: &&Match| it.outcome.close == Close::Truncated;
        Report {
            games,
            setups: by_setup(matches).len() as u64,
            even: seats.iter().all(|it| is_even(it.win_rate, n_seats)),
            lopsided_setups: n_lopsided(matches, n_seats),
            draws,
            truncated: matches.iter().filter(is_cut).count() as u64,
            ends,
            turns: Lengths::of(matches.iter().map(|it| it.n_turns).collect()),
            seats,
        }
    }
}

/// Two seats are judged by their rate. With more seats the same number of matches says less, so
/// the interval must overlap the even rates.
fn is_even(rate: Interval, n_seats: usize) -> bool {
    match n_seats {
        2 => even_rates(n_seats).contains(&rate.rate),
        _ => may_be_even(rate, n_seats),
    }
}

/// True if the interval of one of `n_seats` seats overlaps the [even rates](even_rates).
pub fn may_be_even(rate: Interval, n_seats: usize) -> bool {
    let even = even_rates(n_seats);
    rate.low <= *even.end() && rate.high >= *even.start()
}

fn by_setup(matches: &[Match]) -> BTreeMap<u32, Vec<&Match>> {
    let mut setups: BTreeMap<u32, Vec<&Match>> = BTreeMap::new();
    for it in matches {
        setups.entry(it.setup).or_default().push(it);
    }
    setups
}

/// `None` if no setup has enough matches to tell.
fn n_lopsided(matches: &[Match], n_seats: usize) -> Option<u64> {
    let setups = by_setup(matches);
    let told: Vec<_> = setups.values().filter(|it| it.len() >= 10).collect();
    let is_lopsided = |played: &&&Vec<&Match>| {
        Seat::first(n_seats).any(|seat| {
            let won = played.iter().filter(|it| it.outcome.score(seat) > 0);
            won.count() * 10 >= played.len() * 9
        })
    };
    let n_lopsided = told.iter().filter(is_lopsided).count() as u64;
    (!told.is_empty()).then_some(n_lopsided)
}

impl Lengths {
    fn of(mut turns: Vec<u32>) -> Lengths {
        turns.sort_unstable();
        let at = |percent: usize| {
            let rank = (turns.len() * percent).div_ceil(100).max(1);
            turns.get(rank - 1).copied().unwrap_or(0)
        };
        Lengths {
            median: at(50),
            p90: at(90),
            longest: at(100),
        }
    }
}

impl SkillReport {
    /// The report on matches whose line-up number `i` has the strong player in seat `i`.
    pub fn new(matches: &[Match], n_seats: usize) -> SkillReport {
        let score = |it: &Match| Seat::new(it.line_up).map_or(0, |seat| it.outcome.score(seat));
        let wins = matches.iter().filter(|it| score(it) > 0).count() as u64;
        let decided = matches.iter().filter(|it| score(it) != 0).count() as u64;
        let win_rate = wilson_95(wins, decided);
        SkillReport {
            games: matches.len() as u64,
            wins,
            win_rate,
            pays: win_rate.low > 1.0 / n_seats as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Outcome, Verdict};

    use super::*;

    fn played(setup: u32, line_up: usize, winner: Option<usize>, n_turns: u32) -> Match {
        let verdict = match winner.and_then(Seat::new) {
            Some(seat) => Verdict::Winner(seat),
            None => Verdict::Draw,
        };
        Match {
            setup,
            line_up,
            outcome: Outcome::decided(verdict, "points"),
            n_turns,
        }
    }

    #[test]
    fn rates_leave_draws_out_and_two_seats_are_judged_by_their_rate() {
        let matches: Vec<Match> = (0..120)
            .map(|idx| played(idx / 20, 0, (idx < 100).then_some(idx as usize % 2), idx))
            .collect();
        let report = Report::new(&matches, 2);
        assert_eq!((report.games, report.setups, report.draws), (120, 6, 20));
        assert_eq!(report.seats[0].win_rate.rate, 0.5);
        assert!(report.even && report.lopsided_setups == Some(0));
        assert_eq!((report.turns.median, report.turns.p90), (59, 107));
        assert_eq!(report.ends["points"], 120);
    }

    #[test]
    fn more_seats_are_judged_as_strictly_as_two_by_a_tenth_of_their_share() {
        let even = even_rates(2);
        assert!(even.contains(&0.45) && even.contains(&0.55) && !even.contains(&0.551));
        let is_even = |n_first: u32| {
            let winner = |idx: u32| match idx < n_first {
                true => 0,
                false => 1 + idx as usize % 5,
            };
            let matches: Vec<Match> = (0..1000)
                .map(|idx| played(idx, 0, Some(winner(idx)), 5))
                .collect();
            Report::new(&matches, 6).even
        };
        assert!(is_even(167) && is_even(200));
        // 21.5 % (19.1–24.2) is within five points of a sixth, but not within a tenth of it.
        assert!(!is_even(215));
    }

    #[test]
    fn setups_that_one_seat_wins_are_counted() {
        let matches: Vec<Match> = (0..40)
            .map(|idx| played(idx / 10, 0, Some(usize::from(idx >= 20)), 5))
            .collect();
        let report = Report::new(&matches, 2);
        assert!(report.even, "the rates are equal over all setups");
        assert_eq!(report.lopsided_setups, Some(4));
        let uneven = Report::new(&matches[..30], 2);
        assert!(!uneven.even);
        assert_eq!(Report::new(&matches[..5], 2).lopsided_setups, None);
    }

    #[test]
    fn skill_pays_when_the_strong_player_wins_wherever_it_sits() {
        let strong: Vec<Match> = (0..30)
            .map(|idx| played(0, idx % 3, Some(idx % 3), 5))
            .collect();
        assert!(SkillReport::new(&strong, 3).pays);
        let first: Vec<Match> = (0..30).map(|idx| played(0, idx % 3, Some(0), 5)).collect();
        let report = SkillReport::new(&first, 3);
        assert_eq!((report.wins, report.pays), (10, false));
    }
}
