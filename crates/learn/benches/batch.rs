//! Batches of random play with observations and masks: decisions per second of processor time, on
//! one thread.
//!
//! `cargo bench -p learn --bench batch -- orcain` measures one game.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its results and panics on errors"
)]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use catan::Catan;
use learn::{Autoreset, Batch, Buffers, Learn, Plan, Rows, Seeding, Values};
use orcain::Orcain;
use stellar::Stellar;

const N_ENVS: usize = 1024;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(1);

/// The observations that are written along with masks and rewards.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Nothing,
    Bytes,
    Floats,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| {
        let mut named = wanted.iter().filter(|it| !it.starts_with("--")).peekable();
        named.peek().is_none() || named.any(|it| it == name)
    };
    for seen in [Seen::Nothing, Seen::Bytes, Seen::Floats] {
        if is_wanted("catan") {
            measure::<Catan>(Rows::Turn, seen);
        }
        if is_wanted("orcain") {
            measure::<Orcain>(Rows::Joint, seen);
        }
        if is_wanted("stellar") {
            measure::<Stellar>(Rows::Joint, seen);
        }
    }
}

fn measure<G: Learn>(rows: Rows, seen: Seen) {
    let plan = Plan::<G> {
        n_envs: N_ENVS,
        rows,
        autoreset: Autoreset::SameStep,
        ..Plan::default()
    };
    let mut batch = Batch::new(&plan).unwrap();
    batch.reset(Seeding::From(1), None).unwrap();
    let room = batch.room();
    let (mut bytes, mut floats) = (vec![0; room.observation], vec![0.0; room.observation]);
    let mut mask = vec![0; room.mask];
    let (mut reward, mut to_play) = (vec![0.0; room.reward], vec![0; room.rows]);
    let (mut ended, mut cut) = (vec![false; room.envs], vec![false; room.envs]);
    let mut actions = vec![0; room.rows];
    let mut step = || {
        batch.sample(&mut actions).unwrap();
        let buffers = Buffers {
            observation: match seen {
                Seen::Nothing => Values::Nothing,
                Seen::Bytes => Values::U8(&mut bytes),
                Seen::Floats => Values::F32(&mut floats),
            },
            mask: &mut mask,
            reward: &mut reward,
            terminated: &mut ended,
            truncated: &mut cut,
            to_play: &mut to_play,
            last: Values::Nothing,
        };
        batch.step(&actions, buffers).unwrap();
    };
    let mut best: f64 = 0.0;
    for _ in 0..ROUNDS {
        let (begin, mut n_steps) = (busy(), 0);
        while busy() - begin < ROUND {
            (0..100).for_each(|_| step());
            n_steps += 100;
        }
        best = best.max((n_steps * N_ENVS) as f64 / (busy() - begin).as_secs_f64());
    }
    println!("{:<8} {seen:?}: {:.2} million", G::NAME, best / 1e6);
}

/// The processor time of this thread if the system reports it, otherwise the time since the start
/// of the measurement.
fn busy() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}
