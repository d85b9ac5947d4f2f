//! Batches give the same results with any number of threads and any size, in every mode.
#![allow(clippy::unwrap_used, reason = "an error here fails the test")]

use catan::{Catan, RawSetup};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, Random, Seat, Step, Viewer};
use learn::{
    Autoreset, Batch, Buffers, Encoder, Fault, Form, Illegal, Learn, Plan, Room, Rows, Seeding,
    Space, Values,
};
use orcain::Orcain;
use stellar::Stellar;

/// Owned buffers.
#[derive(Clone, PartialEq, Debug, Default)]
struct Memory {
    seen: Vec<u8>,
    last: Vec<u8>,
    mask: Vec<u8>,
    reward: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    to_play: Vec<i8>,
    actions: Vec<i32>,
}

impl Memory {
    fn of(room: Room) -> Memory {
        Memory {
            seen: vec![0; room.observation],
            last: vec![0; room.observation],
            mask: vec![0; room.mask],
            reward: vec![0.0; room.reward],
            terminated: vec![false; room.envs],
            truncated: vec![false; room.envs],
            to_play: vec![0; room.rows],
            actions: vec![0; room.rows],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observation: Values::U8(&mut self.seen),
            mask: &mut self.mask,
            reward: &mut self.reward,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            to_play: &mut self.to_play,
            last: Values::U8(&mut self.last),
        }
    }

    fn step<G: Learn>(&mut self, batch: &mut Batch<G>) {
        let actions = self.actions.clone();
        batch.step(&actions, self.buffers()).unwrap();
    }

    /// Plays a step of random legal actions.
    fn go<G: Learn>(&mut self, batch: &mut Batch<G>) {
        batch.sample(&mut self.actions).unwrap();
        self.step(batch);
    }

    fn over(&self, env: usize) -> bool {
        self.terminated[env] || self.truncated[env]
    }
}

fn batch<G: Learn>(plan: &Plan<G>) -> (Batch<G>, Memory) {
    let batch = Batch::new(plan).unwrap();
    let memory = Memory::of(batch.room());
    (batch, memory)
}

fn threads_do_not_show<G: Learn>(rows: Rows, n_steps: usize) {
    let mut seen: Option<(Memory, Vec<String>)> = None;
    for n_threads in [1, 2, 3, 8] {
        let (mut batch, mut memory) = batch::<G>(&Plan {
            n_envs: 13,
            n_threads,
            rows,
            autoreset: Autoreset::SameStep,
            ..Plan::default()
        });
        batch.reset(Seeding::From(77), None).unwrap();
        (0..n_steps).for_each(|_| memory.go(&mut batch));
        let hash = |env| batch.table(env).unwrap().state_hash().to_string();
        let hashes = (0..13).map(hash).collect();
        match &seen {
            None => seen = Some((memory, hashes)),
            Some(first) => assert_eq!(*first, (memory, hashes), "{n_threads} threads"),
        }
    }
}

// Promise: An environment is the same with any number of threads, in any batch and class.
#[test]
fn the_number_of_threads_changes_nothing_in_any_game() {
    threads_do_not_show::<Catan>(Rows::Turn, 400);
    threads_do_not_show::<Orcain>(Rows::Joint, 60);
    threads_do_not_show::<Orcain>(Rows::Turn, 60);
    threads_do_not_show::<Stellar>(Rows::Joint, 60);
}

// Promise: An environment is the same with any number of threads, in any batch and class.
#[test]
fn an_environment_is_the_same_alone_and_among_others() {
    let (mut many, mut memory) = batch::<Catan>(&Plan {
        n_envs: 6,
        ..Plan::default()
    });
    many.reset(Seeding::From(40), None).unwrap();
    (0..500).for_each(|_| memory.go(&mut many));
    for env in 0..6 {
        let (mut alone, mut own) = batch::<Catan>(&Plan::default());
        alone.reset(Seeding::From(40 + env as u64), None).unwrap();
        (0..500).for_each(|_| own.go(&mut alone));
        let hash = |batch: &Batch<Catan>, env| batch.table(env).unwrap().state_hash();
        assert_eq!(hash(&alone, 0), hash(&many, env));
        let n = many.n_values();
        assert_eq!(own.seen, memory.seen[env * n..(env + 1) * n]);
    }
}

/// Short matches, so that many end.
fn short(autoreset: Autoreset) -> Plan<Catan> {
    let raw = RawSetup {
        max_turns: 4,
        ..RawSetup::default()
    };
    Plan {
        setup: catan::Setup::try_from(raw).unwrap(),
        n_envs: 8,
        autoreset,
        ..Plan::default()
    }
}

#[test]
fn a_finished_match_restarts_in_the_next_step() {
    let (mut batch, mut memory) = batch(&short(Autoreset::NextStep));
    let mut n_ends = 0;
    let mut was_over = [false; 8];
    for _ in 0..400 {
        memory.go(&mut batch);
        for (env, was_over) in was_over.iter_mut().enumerate() {
            let over = memory.over(env);
            assert!(!(over && *was_over), "an end is reported once");
            let mask = &memory.mask[env * batch.n_actions()..(env + 1) * batch.n_actions()];
            assert_eq!(over, mask.iter().all(|&legal| legal == 0));
            assert_eq!(over, memory.to_play[env] == -1);
            n_ends += usize::from(over);
            *was_over = over;
        }
    }
    assert!(n_ends > 20);
    assert!(memory.last.iter().all(|&byte| byte == 0));
}

#[test]
fn a_finished_match_restarts_in_the_same_step_and_keeps_its_last_observation() {
    let (mut batch, mut memory) = batch(&short(Autoreset::SameStep));
    let (mut other, mut beside) = self::batch(&short(Autoreset::Disabled));
    let n = batch.n_values();
    let mut n_ends = 0;
    for _ in 0..120 {
        memory.go(&mut batch);
        beside.actions.clone_from(&memory.actions);
        beside.step(&mut other);
        for env in 0..8 {
            let place = env * n..(env + 1) * n;
            assert!(memory.to_play[env] >= 0);
            if memory.over(env) {
                assert_eq!(memory.last[place.clone()], beside.seen[place]);
                n_ends += 1;
            }
        }
        let ended: Vec<bool> = (0..8).map(|env| memory.over(env)).collect();
        other.reset(Seeding::Continue, Some(&ended)).unwrap();
    }
    assert!(n_ends >= 8, "{n_ends}");
    let hash = |batch: &Batch<Catan>| batch.table(3).unwrap().state_hash();
    assert_eq!(hash(&batch), hash(&other));
}

#[test]
fn without_resets_a_match_stays_over() {
    let (mut batch, mut memory) = batch(&short(Autoreset::Disabled));
    (0..200).for_each(|_| memory.go(&mut batch));
    assert!((0..8).all(|env| memory.over(env)));
    assert!(memory.reward.iter().all(|&reward| reward == 0.0));
}

#[test]
fn an_illegal_action_forfeits_is_replaced_or_is_refused() {
    let plan = |illegal| Plan::<Catan> {
        n_envs: 2,
        illegal,
        ..Plan::default()
    };
    let (mut forfeit, mut memory) = batch(&plan(Illegal::Forfeit));
    memory.actions = vec![0, -5];
    memory.step(&mut forfeit);
    assert_eq!(memory.reward, [-1.0, 1.0, -1.0, 1.0]);
    assert_eq!(memory.terminated, [true, true]);

    let (mut replace, mut memory) = batch(&plan(Illegal::Replace));
    memory.actions = vec![0, 99_999];
    memory.step(&mut replace);
    assert_eq!(memory.terminated, [false, false]);

    let (mut refuse, mut memory) = batch(&plan(Illegal::Refuse));
    let before = refuse.table(0).unwrap().state_hash();
    refuse.sample(&mut memory.actions).unwrap();
    memory.actions[1] = 0;
    let actions = memory.actions.clone();
    let fault = refuse.step(&actions, memory.buffers()).unwrap_err();
    let told = Fault::Illegal {
        first: vec![(1, 0, 0)],
        n_all: 1,
    };
    assert_eq!(fault, told);
    assert_eq!(refuse.table(0).unwrap().state_hash(), before);
}

#[test]
fn opponents_play_their_seats_and_rewards_are_by_seat() {
    let (mut batch, mut memory) = batch::<Orcain>(&Plan {
        n_envs: 64,
        autoreset: Autoreset::SameStep,
        opponents: vec![None, Some(Box::new(Random::default()))],
        ..Plan::default()
    });
    let mut sums = [0.0; 2];
    for _ in 0..200 {
        memory.go(&mut batch);
        assert!(memory.to_play.iter().all(|&seat| seat == 0));
        for pair in memory.reward.chunks(2) {
            assert_eq!(pair[0] + pair[1], 0.0);
            sums[0] += pair[0];
            sums[1] += pair[0].abs();
        }
    }
    assert!(
        sums[1] > 1000.0 && sums[0].abs() < 0.1 * sums[1],
        "{sums:?}"
    );
}

#[test]
fn wrong_sizes_and_impossible_plans_are_refused_with_every_fault() {
    let (mut batch, mut memory) = batch::<Orcain>(&Plan::default());
    memory.mask.pop();
    memory.to_play.push(0);
    let actions = memory.actions.clone();
    match batch.step(&actions, memory.buffers()).unwrap_err() {
        Fault::Sizes(faults) => assert_eq!(faults.len(), 2),
        other => panic!("{other}"),
    }
    let refused = Batch::<Stellar>::new(&Plan {
        n_envs: 0,
        n_threads: 0,
        form: Form {
            sight: learn::Sight::Full,
            frame: learn::Frame::Ego,
        },
        ..Plan::default()
    });
    let said = refused.err().unwrap().to_string();
    assert_eq!(said.matches(';').count(), 3, "{said}");
}

#[test]
fn an_environment_resumes_from_its_document() {
    let plan = || Plan::<Orcain> {
        opponents: vec![Some(Box::new(Random::default()))],
        ..Plan::default()
    };
    let (mut batch, mut memory) = self::batch(&plan());
    batch.reset(Seeding::From(5), None).unwrap();
    (0..17).for_each(|_| memory.go(&mut batch));
    let (mut other, mut beside) = self::batch(&plan());
    other.restore(0, &batch.document(0).unwrap()).unwrap();
    for _ in 0..40 {
        memory.go(&mut batch);
        beside.go(&mut other);
        assert_eq!(
            (&memory.seen, &memory.reward),
            (&beside.seen, &beside.reward)
        );
        assert_eq!(batch.document(0), other.document(0));
    }
}

fn honest_bytes_hide_what_is_hidden<G: Learn>(n_states: usize) {
    let (mut batch, mut memory) = self::batch::<G>(&Plan::default());
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let (mut seen, mut again) = (vec![0; batch.n_values()], vec![0; batch.n_values()]);
    for _ in 0..n_states {
        memory.go(&mut batch);
        let table = batch.table(0).unwrap();
        let position = table.position();
        for seat in Seat::first(batch.n_seats()) {
            let drawn = position.redraw(Viewer::Seat(seat), &mut rng);
            position.write_form(seat, Form::default(), &mut seen);
            drawn.write_form(seat, Form::default(), &mut again);
            assert_eq!(seen, again);
        }
    }
}

/// A game may write bytes in its own way, but they must equal those of its values.
fn bytes_are_those_of_the_numbers<G: Learn>(setup: G::Setup, n_states: usize) {
    let encoder = Encoder::new::<G>(&setup);
    let plan = Plan {
        setup,
        ..Plan::default()
    };
    let (mut batch, mut memory) = self::batch::<G>(&plan);
    let n_values = batch.n_values();
    let (mut numbers, mut bytes, mut own) =
        (vec![0; n_values], vec![0; n_values], vec![9; n_values]);
    for _ in 0..n_states {
        memory.go(&mut batch);
        let table = batch.table(0).unwrap();
        for (&sight, &frame) in G::SIGHTS
            .iter()
            .flat_map(|it| G::FRAMES.iter().map(move |frame| (it, frame)))
        {
            let form = Form { sight, frame };
            for seat in Seat::first(batch.n_seats()) {
                table.position().write_form(seat, form, &mut numbers);
                encoder.write_bytes(&numbers, &mut bytes);
                let position = table.position();
                if position.write_bytes(seat, form, &mut own) {
                    assert_eq!(own, bytes, "{form:?} of seat {seat}");
                }
            }
        }
    }
}

fn masks_are_those_of_the_positions<G: Learn>(rows: Rows, n_steps: usize) {
    let plan = Plan {
        n_envs: 40,
        rows,
        ..Plan::<G>::default()
    };
    let (mut batch, mut memory) = self::batch::<G>(&plan);
    for _ in 0..n_steps {
        memory.go(&mut batch);
        let masks = memory.mask.chunks_exact(batch.n_actions());
        let n_rows = memory.to_play.len() / plan.n_envs;
        for (row, (mask, &seat)) in masks.zip(&memory.to_play).enumerate() {
            let table = batch.table(row / n_rows).unwrap();
            let legal = usize::try_from(seat).ok().and_then(Seat::new);
            let legal = legal.map(|seat| table.position().legal(seat));
            let is_legal = |id: usize| {
                legal
                    .as_ref()
                    .is_some_and(|it| it.allows(kernel::ActionId::new(id)))
            };
            let right: Vec<u8> = (0..mask.len()).map(|id| is_legal(id).into()).collect();
            assert_eq!(mask, right, "row {row}");
        }
    }
}

#[test]
fn masks_match_the_positions_in_every_game() {
    masks_are_those_of_the_positions::<Catan>(Rows::Turn, 60);
    masks_are_those_of_the_positions::<Orcain>(Rows::Joint, 60);
    masks_are_those_of_the_positions::<Orcain>(Rows::Turn, 60);
    masks_are_those_of_the_positions::<Stellar>(Rows::Joint, 5);
}

#[test]
fn a_joint_step_equals_single_checked_steps() {
    let setups = [
        orcain::RawSetup::default(),
        orcain::RawSetup {
            steps: 4,
            ..Default::default()
        },
        orcain::RawSetup {
            drafts_max: 1,
            max_hp: 4,
            start_hp: 4,
            ..Default::default()
        },
    ];
    for setup in setups.map(|raw| orcain::Setup::try_from(raw).unwrap()) {
        let plan = Plan::<Orcain> {
            n_envs: 40,
            setup,
            rows: Rows::Joint,
            autoreset: Autoreset::SameStep,
            ..Plan::default()
        };
        let (mut batch, mut memory) = batch::<Orcain>(&plan);
        let mut singly = vec![Orcain::start(&setup); plan.n_envs];
        for _ in 0..100 {
            memory.go(&mut batch);
            for (env, position) in singly.iter_mut().enumerate() {
                step_singly(position, &memory.actions[2 * env..]);
                assert_eq!(memory.over(env), position.outcome().is_some());
                if memory.over(env) {
                    *position = Orcain::start(&setup);
                }
                assert_eq!(batch.table(env).unwrap().position(), position);
            }
        }
    }
}

/// Plays both seats' decisions and what follows, with checks and events.
fn step_singly(position: &mut Orcain, actions: &[i32]) {
    let mut events = Vec::new();
    for (seat, &id) in Seat::first(2).zip(actions) {
        let action = position.action(kernel::ActionId::new(id as usize)).unwrap();
        position.play(seat, action, &mut events).unwrap();
    }
    while position.outcome().is_none() && position.turn().missing().is_empty() {
        position.apply(Step::Deadline, &mut events).unwrap();
    }
}

#[test]
fn bytes_match_the_numbers_in_every_game_and_form() {
    bytes_are_those_of_the_numbers::<Catan>(Default::default(), 500);
    for steps in [1, 3, 4] {
        let raw = orcain::RawSetup {
            steps,
            drafts_max: 2,
            ..Default::default()
        };
        bytes_are_those_of_the_numbers::<Orcain>(raw.try_into().unwrap(), 500);
    }
    bytes_are_those_of_the_numbers::<Stellar>(Default::default(), 50);
}

#[test]
fn redrawing_hidden_facts_changes_no_byte_of_an_honest_observation() {
    honest_bytes_hide_what_is_hidden::<Catan>(1000);
    honest_bytes_hide_what_is_hidden::<Orcain>(1000);
    honest_bytes_hide_what_is_hidden::<Stellar>(100);
}

#[test]
fn a_space_lists_shapes_scales_and_every_action() {
    let space = Space::new::<Catan>(&catan::Setup::default()).unwrap();
    let shapes: Vec<(&str, &[usize])> = space
        .tensors
        .iter()
        .map(|tensor| (tensor.block.name, &tensor.block.shape[..]))
        .collect();
    let specified: [(&str, &[usize]); 7] = [
        ("board", &[19, 6]),
        ("roads", &[72]),
        ("settlements", &[54]),
        ("hands", &[2, 5]),
        ("dev", &[2, 5]),
        ("bank", &[5]),
        ("metadata", &[10]),
    ];
    assert_eq!(shapes, specified);
    assert_eq!(space.actions.len(), space.n_actions);
    assert!(!space.aux.is_empty());
    assert!(serde_json::to_string(&space).unwrap().contains("\"aux\""));
    assert!(Space::new::<Stellar>(&stellar::Setup::default()).is_ok());
}

#[test]
fn samples_are_legal_and_every_legal_action_is_sampled() {
    let (mut batch, mut memory) = batch::<Catan>(&Plan::default());
    batch.observe(memory.buffers()).unwrap();
    let mut counts = vec![0u32; batch.n_actions()];
    for _ in 0..54 * 200 {
        batch.sample(&mut memory.actions).unwrap();
        counts[memory.actions[0] as usize] += 1;
    }
    for (count, &legal) in counts.iter().zip(&memory.mask) {
        assert_eq!(*count > 0, legal == 1);
        assert!(legal == 0 || (120..300).contains(count), "{count}");
    }
}
