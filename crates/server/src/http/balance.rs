//! How even a setup is: bots play it, a slice of matches per request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::{Extension, Json as Answer};
use bots::balance::{LineUp, Pace, Plan, Report, SkillReport, may_be_even};
use bots::{Bots, Interval};
use catalog::{GameName, Roster, with_game};
use kernel::doc::{self, Document};
use kernel::json::{self, Json};
use kernel::rng::Seed;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{ApiError, ErrorBody, unread};
use super::gate::Caller;
use super::lobbies::{ORDER_BYTES_MAX, refused};
use crate::hosted::SetupFinding;
use crate::server::Server;
use crate::trials::{Owner, Played, Trials};
use crate::workshop::{Wanted, processor_time};

/// Matches between equals, and matches of one strong player among weak ones.
const GAMES: u32 = 200;
const SKILL_GAMES: u32 = 100;
/// Drawn setups, if the setup leaves anything open.
const SETUPS: u32 = 50;
/// Processor time after which a slice begins no further match, and after which it stops one.
const SLICE: Duration = Duration::from_millis(400);
const MATCH_MAX: Duration = Duration::from_secs(8);

/// The setup to measure.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BalanceOrder {
    /// The game's name.
    game: String,
    /// The setup, a complete scenario, or the name of a shipped one.
    #[schema(value_type = Object)]
    setup: Json,
    /// A number that the client chooses. A request with the same number and another setup
    /// replaces the earlier one.
    run: u32,
}

/// A measurement so far.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BalancePage {
    /// The number of matches played so far. Repeat the request until it reaches `n_matches`.
    n_done: u32,
    n_matches: u32,
    /// How even the seats are, once a match is played.
    report: Option<BalanceReport>,
    /// Whether skill pays, once a match on it is played.
    skill: Option<SkillBalance>,
}

/// How even the seats are.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BalanceReport {
    /// The number of matches played.
    games: u64,
    /// The number of setups they were played in.
    setups: u64,
    /// The rate of each seat.
    seats: Vec<SeatBalance>,
    verdict: BalanceVerdict,
    /// Matches that nobody won or lost.
    draws: u64,
    /// Matches that the game's hard limit cut off.
    truncated: u64,
    /// The number of matches for each reason of the end.
    ends: Vec<EndCount>,
    turns: MatchLengths,
}

/// Whether the seats are even, with a margin of a tenth of the equal share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BalanceVerdict {
    /// Every seat is within the margin.
    Even,
    /// Some seat is outside the margin, but its interval reaches into it: more matches would tell.
    Unclear,
    /// The interval of some seat is outside the margin.
    Uneven,
}

/// The rate of one seat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeatBalance {
    /// The index of the seat.
    player_id: u32,
    /// Matches won.
    wins: u64,
    /// The share of decided matches that it won.
    win_rate: RateInterval,
}

/// A rate with its 95 % bounds, from 0 to 1.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RateInterval {
    low: f64,
    rate: f64,
    high: f64,
}

/// The number of matches that ended for one reason.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EndCount {
    reason: String,
    games: u64,
}

/// How long matches last, in turns.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchLengths {
    /// Half of the matches are at most this long.
    median: u32,
    /// Nine in ten matches are at most this long.
    p90: u32,
    /// The longest match.
    longest: u32,
}

/// Whether skill pays: one strong player among weak ones, in every seat in turn.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SkillBalance {
    /// The number of matches played.
    games: u64,
    /// Matches that the strong player won.
    wins: u64,
    /// The share of decided matches that the strong player won.
    win_rate: RateInterval,
    /// True if the lower bound is above the strong player's equal share.
    pays: bool,
}

/// Plays the next matches that measure how even a setup is. The server measures one setup at a
/// time; while it measures another one, it answers 503.
#[utoipa::path(post, path = "/api/balance", tag = "scenarios", request_body = BalanceOrder,
    responses((status = 200, body = BalancePage), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn measure(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Answer<BalancePage>, ApiError> {
    let too_long = || format!("the body is longer than {ORDER_BYTES_MAX} bytes");
    let body = body.map_err(|rejection| unread(&rejection, too_long))?;
    let (trials, peer) = (server.trials.clone(), caller.peer());
    let work = move |wanted: &Wanted| {
        let (game, order) = read(&body)?;
        let owner = Owner {
            peer,
            run: order.run,
        };
        with_game!(game, G => advance::<G>(&trials, owner, &order.setup, body, wanted))
    };
    let page = server.workshop.run(peer, work).await??;
    Ok(Answer(page))
}

fn read(body: &[u8]) -> Result<(GameName, BalanceOrder), ApiError> {
    let json = json::read(body).map_err(|error| {
        let status = StatusCode::BAD_REQUEST;
        ApiError::new(status, "malformed_body", error.to_string())
    })?;
    let order = doc::parse::<BalanceOrder>(&json);
    let order = order.map_err(|faults| ApiError::faults("malformed_body", &faults))?;
    let game = order.game.parse();
    Ok((game.map_err(|_| ApiError::not_found("game"))?, order))
}

/// Plays one slice of a measurement.
fn advance<G: Roster>(
    trials: &Trials,
    owner: Owner,
    setup: &Json,
    order: Bytes,
    wanted: &Wanted,
) -> Result<BalancePage, ApiError> {
    let setup = G::read_setup(setup).map_err(|faults| refused(&SetupFinding::list(&faults)))?;
    let peers = G::Bots::peers(&setup).ok_or_else(|| {
        let message = "the balance of this game cannot be measured";
        ApiError::new(StatusCode::BAD_REQUEST, "not_measured", message)
    })?;
    let n_seats = peers.strong.len();
    let equals = [seated::<G>(&peers.strong, &setup)?];
    let skilled: Result<Vec<LineUp<G>>, ApiError> = (0..n_seats)
        .map(|seat| seated::<G>(&peers.one_strong(seat), &setup))
        .collect();
    let skilled = skilled?;
    let plan = |line_ups, n_games| Plan::<G> {
        setup: &setup,
        line_ups,
        n_setups: SETUPS,
        n_games,
        seed: Seed::from(0),
        n_threads: 1,
    };
    let (even, skill) = (plan(&equals, GAMES), plan(&skilled, SKILL_GAMES));
    let turn = trials.take(owner, order, Instant::now());
    let mut turn = turn.ok_or_else(ApiError::busy)?;
    let pace = Arc::new(Limits {
        wanted: wanted.clone(),
        begun: processor_time(),
    });
    let Played {
        even: even_played,
        skill: skill_played,
    } = &mut turn.played;
    for (plan, played) in [(&even, even_played), (&skill, skill_played)] {
        let slice = plan.slice(played.len() as u32, &pace);
        let slice = slice.map_err(|fault| {
            tracing::error!("a match that measures balance failed: {fault}");
            ApiError::internal()
        })?;
        let is_stuck = slice.was_stopped && slice.matches.is_empty() && wanted.still();
        played.extend(slice.matches);
        if is_stuck {
            return Err(too_slow());
        }
    }
    let page = BalancePage::new(&turn.played, n_seats, even.n_matches() + skill.n_matches());
    // A client that is gone leaves the place to others.
    turn.is_over = page.n_done == page.n_matches || !wanted.still();
    Ok(page)
}

fn seated<G: Roster>(names: &[String], setup: &G::Setup) -> Result<LineUp<G>, ApiError> {
    let agents = names.iter().map(|name| G::agent(name, setup));
    agents
        .map(|agent| agent.map_err(|_| ApiError::internal()))
        .collect()
}

fn too_slow() -> ApiError {
    let message = format!(
        "one match of this setup takes more than {} s: measure it on the command line",
        MATCH_MAX.as_secs()
    );
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "too_slow", message)
}

/// The limits of one slice, in processor time of the thread that plays it.
struct Limits {
    wanted: Wanted,
    begun: Duration,
}

impl Limits {
    fn has_spent(&self, limit: Duration) -> bool {
        processor_time().saturating_sub(self.begun) > limit
    }
}

impl Pace for Limits {
    fn may_begin(&self) -> bool {
        self.wanted.still() && !self.has_spent(SLICE)
    }

    fn may_continue(&self) -> bool {
        self.wanted.still() && !self.has_spent(MATCH_MAX)
    }
}

impl BalancePage {
    fn new(played: &Played, n_seats: usize, n_matches: u32) -> BalancePage {
        let report = || balance_report(&Report::new(&played.even, n_seats));
        let skill = || skill_balance(&SkillReport::new(&played.skill, n_seats));
        BalancePage {
            n_done: (played.even.len() + played.skill.len()) as u32,
            n_matches,
            report: (!played.even.is_empty()).then(report),
            skill: (!played.skill.is_empty()).then(skill),
        }
    }
}

fn balance_report(report: &Report) -> BalanceReport {
    let seats = report.seats.iter().map(|it| SeatBalance {
        player_id: it.player_id as u32,
        wins: it.wins,
        win_rate: rate_interval(it.win_rate),
    });
    let ends = report.ends.iter().map(|(reason, games)| EndCount {
        reason: reason.clone(),
        games: *games,
    });
    BalanceReport {
        games: report.games,
        setups: report.setups,
        seats: seats.collect(),
        verdict: verdict(report),
        draws: report.draws,
        truncated: report.truncated,
        ends: ends.collect(),
        turns: MatchLengths {
            median: report.turns.median,
            p90: report.turns.p90,
            longest: report.turns.longest,
        },
    }
}

fn verdict(report: &Report) -> BalanceVerdict {
    let n_seats = report.seats.len();
    let mut seats = report.seats.iter();
    match seats.all(|it| may_be_even(it.win_rate, n_seats)) {
        true if report.even => BalanceVerdict::Even,
        true => BalanceVerdict::Unclear,
        false => BalanceVerdict::Uneven,
    }
}

fn skill_balance(report: &SkillReport) -> SkillBalance {
    SkillBalance {
        games: report.games,
        wins: report.wins,
        win_rate: rate_interval(report.win_rate),
        pays: report.pays,
    }
}

fn rate_interval(interval: Interval) -> RateInterval {
    RateInterval {
        low: interval.low,
        rate: interval.rate,
        high: interval.high,
    }
}

#[cfg(test)]
mod tests;
