//! The arena is fair, resumes where it stopped, and reports which agent failed.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeSet;
use std::sync::Mutex;

use bots::Agent;
use bots::arena::{Bout, Plan, Report, Winner};
use catalog::Roster;
use kernel::rng::{Generator, Seed};
use kernel::{Perspective, Recorded};
use orcain::Orcain;
use stellar::Stellar;

fn agents<G: Roster>(names: &[&str]) -> Vec<Box<dyn Agent<G>>> {
    let setup = G::Setup::default();
    let agent = |name: &&str| G::agent(name, &setup).unwrap();
    names.iter().map(agent).collect()
}

fn plan<'a, G: Recorded>(
    setup: &'a G::Setup,
    agents: &'a [Box<dyn Agent<G>>],
    n_threads: usize,
) -> Plan<'a, G> {
    Plan {
        setup,
        agents,
        n_bouts: 6,
        seed: Seed::from(11),
        n_threads,
    }
}

fn fight<G: Recorded>(plan: &Plan<'_, G>, known: Vec<Bout>) -> Vec<Bout> {
    let done = known.iter().map(|bout| bout.id).collect();
    let kept = Mutex::new(known);
    let keep = |bout| {
        kept.lock().unwrap().push(bout);
        Ok(())
    };
    plan.run(&done, &keep).unwrap();
    kept.into_inner().unwrap()
}

/// A report without the times, which differ between runs.
fn result<G: Recorded>(plan: &Plan<'_, G>, bouts: &[Bout]) -> String {
    let report = Report::new(plan, bouts);
    let ranks: Vec<_> = report
        .agents
        .iter()
        .map(|it| (&it.agent, it.elo, it.wins))
        .collect();
    format!("{:?} {ranks:?} {}", report.pairings, report.digest)
}

#[test]
fn every_pair_meets_equally_often_in_both_seats() {
    let agents = agents::<Orcain>(&["random", "equilibrium", "random"]);
    let setup = Default::default();
    let plan = plan(&setup, &agents, 2);
    let report = Report::new(&plan, &fight(&plan, Vec::new()));
    assert_eq!(report.pairings.len(), 3);
    assert!(report.pairings.iter().all(|it| it.games == 12));
    assert!(
        report
            .agents
            .iter()
            .all(|it| it.games == 24 && it.decisions.n > 0)
    );
    assert_eq!(report.agents[0].agent, "equilibrium");
    let mean = report.agents.iter().map(|it| it.elo).sum::<f64>() / 3.0;
    assert!((mean - 1500.0).abs() < 1e-6);
}

// Promise: An arena that was interrupted ends like one that was not.
#[test]
fn an_interrupted_run_ends_like_an_uninterrupted_one() {
    let agents = agents::<Orcain>(&["random", "equilibrium"]);
    let setup = Default::default();
    let plan = plan(&setup, &agents, 1);
    let whole = fight(&plan, Vec::new());
    for n_kept in [0, 1, 3, 5, 6] {
        let resumed = fight(&plan, whole[..n_kept].to_vec());
        assert_eq!(result(&plan, &resumed), result(&plan, &whole), "{n_kept}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let agents = agents::<Stellar>(&["random", "aggressive"]);
    let setup = Default::default();
    let (one, three) = (plan(&setup, &agents, 1), plan(&setup, &agents, 3));
    let (first, second) = (fight(&one, Vec::new()), fight(&three, Vec::new()));
    assert_eq!(result(&one, &first), result(&three, &second));
    let n_won = first.iter().flat_map(|bout| bout.matches);
    assert!(n_won.filter(|it| it.winner == Winner::Second).count() > 6);
}

#[test]
fn a_bout_round_trips_through_its_file() {
    let agents = agents::<Orcain>(&["random", "random"]);
    let setup = Default::default();
    let plan = plan(&setup, &agents, 1);
    for bout in fight(&plan, Vec::new()) {
        let text = serde_json::to_string(&bout).unwrap();
        assert_eq!(serde_json::from_str::<Bout>(&text).unwrap(), bout);
    }
}

/// Fails at its third decision.
struct Failing {
    n_asked: u32,
}

impl<G: Recorded> Agent<G> for Failing {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        self.n_asked += 1;
        (self.n_asked < 3).then(|| bots::Random::default().choose(seen, rng))?
    }

    fn fault(&self) -> Option<String> {
        (self.n_asked >= 3).then(|| "it died".to_owned())
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Failing { n_asked: 0 })
    }
}

#[test]
fn a_failing_agent_stops_the_run_and_is_named() {
    let mut agents = agents::<catan::Catan>(&["random"]);
    agents.push(Box::new(Failing { n_asked: 0 }));
    let setup = Default::default();
    let plan = plan(&setup, &agents, 2);
    let fault = plan.run(&BTreeSet::new(), &|_| Ok(())).unwrap_err();
    assert!(
        fault.contains("the agent \"failing\" in seat") && fault.ends_with("failed: it died"),
        "{fault}"
    );
}
