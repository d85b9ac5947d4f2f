//! `referee scenario balance`: how even a scenario is.

use std::sync::atomic::AtomicU64;

use bots::balance::{LineUp, Plan, Report, SkillReport, even_rates};
use bots::{Bots, Interval, Peers};
use catalog::Roster;
use kernel::rng::Seed;
use serde::Serialize;
use stellar::{Setup, Stellar};

use crate::common::{self, Done, Failure, print, print_json, read_scenario, thousands};
use crate::simulate::{Patience, n_threads, seat_agent, with_bar};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name of a scenario that comes with the game, or a JSON file.
    #[arg(value_name = "NAME|FILE")]
    scenario: String,
    /// How many matches, spread evenly over the galaxies.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// How many galaxies; a scenario with a fixedSeed has one.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    galaxies: u32,
    /// How many matches test whether skill pays: one commander of skill 3 among commanders of
    /// skill 1, in every seat in turn.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    skill_games: u32,
    /// Who plays: one agent for all seats, or one for each seat, which then change seats from
    /// match to match [default: each faction's aiProfile, or balanced].
    #[arg(long, value_delimiter = ',')]
    agents: Vec<String>,
    /// A non-negative integer of up to 4096 bits.
    #[arg(long, default_value = "0", value_parser = common::parse_seed, allow_hyphen_values = true)]
    seed: Seed,
    /// How many threads [default: one a processor].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    patience: Patience,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let setup = read_scenario::<Stellar>(&args.scenario)?;
    let line_ups = line_ups(args, &setup)?;
    let agents = line_ups[0].iter().map(|it| it.name().to_owned()).collect();
    let matches = play(args, &setup, &line_ups, args.games)?;
    let factions = &setup.scenario().setup.factions;
    let skill = match args.skill_games {
        0 => None,
        n_games => {
            let line_ups = skill_line_ups(args, &setup)?;
            let matches = play(args, &setup, &line_ups, n_games)?;
            Some(SkillReport::new(&matches, factions.len()))
        }
    };
    let output = Output {
        scenario: setup.scenario().id.clone(),
        seed: args.seed.to_string(),
        factions: factions.iter().map(|it| it.id.clone()).collect(),
        agents,
        rotates: line_ups.len() > 1,
        report: Report::new(&matches, factions.len()),
        skill,
    };
    match args.json {
        true => print_json(&output),
        false => print(output.text()),
    }
}

fn play(
    args: &Args,
    setup: &Setup,
    line_ups: &[LineUp<Stellar>],
    n_games: u32,
) -> Result<Vec<bots::balance::Match>, Failure> {
    let plan = Plan {
        setup,
        line_ups,
        n_setups: args.galaxies,
        n_games,
        seed: args.seed.clone(),
        n_threads: n_threads(args.threads),
    };
    let n_done = AtomicU64::new(0);
    let matches = with_bar(plan.n_matches().into(), &n_done, || plan.run(&n_done));
    Ok(matches?)
}

/// The agents of the command line in every order that moves each by one seat, or the profiles of
/// the factions.
fn line_ups(args: &Args, setup: &Setup) -> Result<Vec<LineUp<Stellar>>, Failure> {
    let factions = &setup.scenario().setup.factions;
    let n_seats = factions.len();
    let names: Vec<String> = match args.agents.len() {
        0 => peers(setup)?.strong,
        1 => vec![args.agents[0].clone(); n_seats],
        n if n == n_seats => args.agents.clone(),
        n => {
            return Err(Failure::Usage(format!(
                "{} has {n_seats} seats, and --agents names {n}: name one for each, or one for all",
                setup.scenario().id
            )));
        }
    };
    let n_line_ups = if args.agents.len() > 1 { n_seats } else { 1 };
    let line_up = |shift: usize| {
        let seats = (0..n_seats).map(|seat| &names[(seat + shift) % n_seats]);
        seated(args, setup, seats)
    };
    (0..n_line_ups).map(line_up).collect()
}

/// Line-up `i` has a commander of full skill in seat `i` and weak ones in the others.
fn skill_line_ups(args: &Args, setup: &Setup) -> Result<Vec<LineUp<Stellar>>, Failure> {
    let peers = peers(setup)?;
    let line_up = |strong: usize| seated(args, setup, peers.one_strong(strong).iter());
    (0..peers.strong.len()).map(line_up).collect()
}

fn peers(setup: &Setup) -> Result<Peers, Failure> {
    let peers = <Stellar as Roster>::Bots::peers(setup);
    peers.ok_or_else(|| Failure::Wrong("this game names no agents for this".to_owned()))
}

fn seated<'a>(
    args: &Args,
    setup: &Setup,
    names: impl Iterator<Item = &'a String>,
) -> Result<LineUp<Stellar>, Failure> {
    names
        .map(|name| seat_agent::<Stellar>(name, setup, args.patience))
        .collect()
}

#[derive(Serialize)]
struct Output {
    scenario: String,
    seed: String,
    /// By seat.
    factions: Vec<String>,
    /// By seat, in the first match.
    agents: Vec<String>,
    /// True if the agents change seats from match to match.
    rotates: bool,
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<SkillReport>,
}

impl Output {
    fn text(&self) -> String {
        let report = &self.report;
        let mut lines = vec![format!(
            "{} · {} matches in {} · seed {}",
            self.scenario,
            thousands(report.games),
            galaxies(report.setups),
            self.seed
        )];
        for (rate, faction) in report.seats.iter().zip(&self.factions) {
            let agent = match self.rotates {
                true => "in turn",
                false => &self.agents[rate.player_id],
            };
            lines.push(format!(
                "  seat {} {faction:<8} {agent:<12} wins {}, {} won",
                rate.player_id,
                percent(rate.win_rate),
                thousands(rate.wins)
            ));
        }
        lines.push(format!("  {}", self.verdict()));
        if let Some(n) = report.lopsided_setups {
            lines.push(format!(
                "  one seat won at least 90 % of the matches in {n} of {}",
                galaxies(report.setups)
            ));
        }
        let ends = report.ends.iter();
        let ends: Vec<String> = ends
            .map(|(end, n)| format!("{end} {}", thousands(*n)))
            .collect();
        lines.push(format!(
            "  ends: {}; draws {}, cut off {}",
            ends.join(", "),
            thousands(report.draws),
            thousands(report.truncated)
        ));
        let turns = report.turns;
        lines.push(format!(
            "  length: median {} turns, 90th percentile {}, longest {}",
            turns.median, turns.p90, turns.longest
        ));
        if let Some(skill) = &self.skill {
            let pays = if skill.pays { "pays" } else { "does not pay" };
            lines.push(format!(
                "  skill {pays}: skill 3 wins {} of {} matches against skill 1, in every seat in \
                 turn",
                percent(skill.win_rate),
                thousands(skill.games)
            ));
        }
        lines.join("\n")
    }

    fn verdict(&self) -> String {
        let n_seats = self.report.seats.len();
        let rates = even_rates(n_seats);
        let range = format!(
            "{:.1} to {:.1} %",
            100.0 * rates.start(),
            100.0 * rates.end()
        );
        match (self.report.even, n_seats) {
            (true, 2) => format!("even: every seat wins {range}"),
            (false, 2) => format!("uneven: some seat wins less or more than {range}"),
            (true, _) => format!("even: the interval of every seat overlaps {range}"),
            (false, _) => format!("uneven: the interval of some seat is outside {range}"),
        }
    }
}

fn galaxies(n: u64) -> String {
    match n {
        1 => "1 galaxy".to_owned(),
        _ => format!("{} galaxies", thousands(n)),
    }
}

fn percent(rate: Interval) -> String {
    format!(
        "{:5.1} % (95 %: {:.1}–{:.1})",
        100.0 * rate.rate,
        100.0 * rate.low,
        100.0 * rate.high
    )
}
