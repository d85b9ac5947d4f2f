//! Agents follow the rules, and matches between them are reproducible.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use bots::simulate::{Keep, Plan, Report, run};
use bots::{Agent, Random};
use catalog::{GameName, Roster, with_game};
use kernel::record::verify;
use kernel::rng::{Generator, Seed};
use kernel::{Game, Perspective, Recorded};
use orcain::{Card, Hand, Orcain, RawSetup, Setup};

fn agents(names: [&str; 2], setup: &Setup) -> Vec<Box<dyn Agent<Orcain>>> {
    names
        .map(|name| Orcain::agent(name, setup).unwrap())
        .into_iter()
        .collect()
}

fn simulate(
    agents: &[Box<dyn Agent<Orcain>>],
    setup: &Setup,
    n_threads: usize,
    keep: Keep<'_>,
) -> Report {
    let plan = Plan {
        setup,
        agents,
        n_games: 1500,
        seed: Seed::from(9),
        n_threads,
        keep,
    };
    run(&plan, &AtomicU64::new(0)).unwrap()
}

#[test]
fn every_agent_follows_the_rules_and_its_records_verify() {
    let hands = [
        [Card::Attack, Card::Attack, Card::Heal, Card::Defense],
        Card::ALL,
    ]
    .map(Hand::new);
    let raw = RawSetup {
        hands,
        max_hp: 5,
        start_hp: 4,
        round_cap: 6,
        ..RawSetup::default()
    };
    for setup in [Setup::default(), Setup::try_from(raw).unwrap()] {
        for (name, _) in Orcain::AGENTS {
            let agents = agents([name, "random"], &setup);
            let checked = |_, record: Vec<u8>| {
                verify::<Orcain>(&record)
                    .map(|_| ())
                    .map_err(|fault| fault.to_string())
            };
            simulate(&agents, &setup, 2, Keep::Records(&checked));
        }
    }
}

#[test]
fn records_hashes_and_threads_do_not_change_a_match() {
    let setup = Setup::default();
    let agents = agents(["equilibrium", "random"], &setup);
    let kept = Mutex::new(Vec::new());
    let keep = |game_idx, record| {
        kept.lock().unwrap().push((game_idx, record));
        Ok(())
    };
    let recorded = simulate(&agents, &setup, 2, Keep::Records(&keep));
    let hashed = simulate(&agents, &setup, 1, Keep::Hashes);
    assert_eq!(recorded, hashed);
    let plain = simulate(&agents, &setup, 3, Keep::Tally);
    assert_eq!(
        Report {
            final_hashes: None,
            ..hashed
        },
        plain
    );
    assert_eq!(kept.into_inner().unwrap().len(), 1500);
}

/// Plays like `random`, but does not say so: the driver has to ask it.
#[derive(Default)]
struct Asked(Random);

impl<G: Game> Agent<G> for Asked {
    fn name(&self) -> &'static str {
        "random"
    }

    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        self.0.choose(seen, rng)
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Asked::default())
    }
}

fn asking_changes_nothing<G: Recorded>(setup: &G::Setup, n_games: u32) {
    let n_seats = G::start(setup).n_seats();
    let played = |agent: fn() -> Box<dyn Agent<G>>| {
        let agents: Vec<_> = (0..n_seats).map(|_| agent()).collect();
        let plan = Plan {
            setup,
            agents: &agents,
            n_games,
            seed: Seed::from(3),
            n_threads: 1,
            keep: Keep::Hashes,
        };
        run(&plan, &AtomicU64::new(0)).unwrap()
    };
    let (drawn, asked) = (
        played(|| Box::new(Random::default())),
        played(|| Box::new(Asked::default())),
    );
    assert_eq!(drawn, asked, "{}", G::NAME);
}

#[test]
fn random_decisions_are_the_same_whether_agents_are_asked_or_not() {
    for game in GameName::ALL {
        with_game!(game, G => asking_changes_nothing::<G>(&Default::default(), 20));
    }
    for setup in odd_setups() {
        asking_changes_nothing::<Orcain>(&setup, 1500);
    }
}

/// Setups of Orcain that its table of rounds covers, and others that it does not.
fn odd_setups() -> Vec<Setup> {
    let raw = RawSetup::default;
    let cards = [Card::Attack, Card::Attack, Card::Heal, Card::Counter];
    let hands = [cards, Card::ALL].map(Hand::new);
    let setups = [
        RawSetup { hands, ..raw() },
        RawSetup { steps: 4, ..raw() },
        RawSetup {
            steps: 2,
            drafts_max: 1,
            ..raw()
        },
        RawSetup {
            max_hp: 5,
            start_hp: 5,
            ..raw()
        },
        RawSetup {
            max_hp: 6,
            start_hp: 1,
            ..raw()
        },
        RawSetup {
            max_hp: 100,
            start_hp: 100,
            round_cap: 9,
            ..raw()
        },
    ];
    setups.map(|raw| Setup::try_from(raw).unwrap()).to_vec()
}

#[test]
fn a_record_that_cannot_be_kept_ends_the_run() {
    let setup = Setup::default();
    let agents = agents(["random", "random"], &setup);
    let plan = Plan {
        setup: &setup,
        agents: &agents,
        n_games: 5000,
        seed: Seed::from(1),
        n_threads: 2,
        keep: Keep::Records(&|game_idx, _| match game_idx {
            3 => Err("the disk is full".to_owned()),
            _ => Ok(()),
        }),
    };
    assert_eq!(
        run(&plan, &AtomicU64::new(0)),
        Err("the disk is full".to_owned())
    );
}

#[test]
fn the_equilibrium_beats_random_and_not_itself() {
    let setup = Setup::default();
    let report = simulate(
        &agents(["random", "equilibrium"], &setup),
        &setup,
        2,
        Keep::Tally,
    );
    assert!(report.seats[1].win_rate.low > 0.7, "{report:?}");
    let report = simulate(
        &agents(["equilibrium", "equilibrium"], &setup),
        &setup,
        2,
        Keep::Tally,
    );
    let [first, second] = [&report.seats[0].win_rate, &report.seats[1].win_rate];
    assert!(
        first.low < second.high && second.low < first.high,
        "{report:?}"
    );
}

/// Never acts.
struct Absent;

impl Agent<Orcain> for Absent {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn choose(&mut self, _: &Perspective<'_, Orcain>, _: &mut Generator) -> Option<orcain::Action> {
        None
    }

    fn again(&self) -> Box<dyn Agent<Orcain>> {
        Box::new(Absent)
    }
}

#[test]
fn an_idle_agent_loses_by_timeout_and_two_idle_agents_both_lose() {
    let setup = Setup::default();
    let random = || Orcain::agent("random", &setup).unwrap();
    let report = simulate(&[Box::new(Absent), random()], &setup, 1, Keep::Tally);
    assert_eq!(
        report.outcomes.get("seat 1 wins (timeout)"),
        Some(&1500),
        "{report:?}"
    );
    let report = simulate(
        &[Box::new(Absent), Box::new(Absent)],
        &setup,
        1,
        Keep::Hashes,
    );
    assert_eq!(
        report.outcomes.get("everybody loses (timeout)"),
        Some(&1500),
        "{report:?}"
    );
}

/// Plays by its memory: the number of decisions it has taken in this match.
struct Counting {
    n_taken: usize,
}

impl Agent<Orcain> for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn begin(&mut self) {
        self.n_taken = 0;
    }

    fn choose(
        &mut self,
        seen: &Perspective<'_, Orcain>,
        _: &mut Generator,
    ) -> Option<orcain::Action> {
        let mut mask = kernel::Mask::default();
        seen.fill_legal(&mut mask);
        self.n_taken += 1;
        seen.action(mask.nth(self.n_taken * 7 % mask.count())?)
    }

    fn again(&self) -> Box<dyn Agent<Orcain>> {
        Box::new(Counting { n_taken: 99 })
    }
}

#[test]
fn memory_of_other_matches_does_not_affect_a_match() {
    let setup = Setup::default();
    let agents: [Box<dyn Agent<Orcain>>; 2] = [
        Box::new(Counting { n_taken: 0 }),
        Orcain::agent("random", &setup).unwrap(),
    ];
    let one = simulate(&agents, &setup, 1, Keep::Hashes);
    assert_eq!(one, simulate(&agents, &setup, 2, Keep::Hashes));
}

/// Draws a lot before it decides anything.
struct Greedy;

impl Agent<Orcain> for Greedy {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn choose(
        &mut self,
        _: &Perspective<'_, Orcain>,
        rng: &mut Generator,
    ) -> Option<orcain::Action> {
        for _ in 0..100 {
            rng.bits64();
        }
        None
    }

    fn again(&self) -> Box<dyn Agent<Orcain>> {
        Box::new(Greedy)
    }
}

#[test]
fn draws_of_one_agent_do_not_change_the_dice_of_another() {
    let setup = Setup::default();
    let random = || Orcain::agent("random", &setup).unwrap();
    let calm = simulate(&[Box::new(Absent), random()], &setup, 1, Keep::Hashes);
    let greedy = simulate(&[Box::new(Greedy), random()], &setup, 1, Keep::Hashes);
    assert_eq!(calm, greedy);
}

#[test]
fn an_unknown_agent_is_refused_with_a_list_of_known_ones() {
    let error = Orcain::agent("genius", &Setup::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "there is no agent \"genius\"; the agents are: random, mcts, equilibrium"
    );
    assert_eq!(Orcain::start(&Setup::default()).n_seats(), 2);
}
