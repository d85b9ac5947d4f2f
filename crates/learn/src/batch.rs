//! Many environments, stepped together.

use kernel::json::Json;
use kernel::{Agent, Seat, SeatSet, Table};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::buffers;
use crate::env::{Env, Shared};
use crate::row::write_rows;
use crate::{Autoreset, Buffers, Encoder, Fault, Form, Illegal, Learn, Room, Seeding, Values};

/// The maximum number of environments in a batch.
const ENVS_MAX: usize = 1 << 20;
/// The maximum number of threads of a batch.
const THREADS_MAX: usize = 1024;
/// The number of environments that are stepped before their observations are written: few enough
/// to stay in the cache.
const BLOCK_ENVS: usize = 16;
/// The maximum number of illegal actions that are listed.
const NAMED_MAX: usize = 8;

/// The parameters of a batch.
pub struct Plan<G: Learn> {
    /// The setup of every match.
    pub setup: G::Setup,
    /// The number of environments.
    pub n_envs: usize,
    /// The meaning of a row.
    pub rows: Rows,
    /// The time at which a finished match is replaced by a new one.
    pub autoreset: Autoreset,
    /// The response to an illegal action.
    pub illegal: Illegal,
    /// The form of observations.
    pub form: Form,
    /// The number of threads that step the batch. It does not change results.
    pub n_threads: usize,
    /// The agents of the seats that do not learn, by seat; every other seat learns.
    pub opponents: Vec<Option<Box<dyn Agent<G>>>>,
}

impl<G: Learn> Default for Plan<G> {
    fn default() -> Plan<G> {
        Plan {
            setup: G::Setup::default(),
            n_envs: 1,
            rows: Rows::Turn,
            autoreset: Autoreset::default(),
            illegal: Illegal::default(),
            form: Form::default(),
            n_threads: 1,
            opponents: Vec::new(),
        }
    }
}

/// The meaning of a row of a batch: an observation, a mask and an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rows {
    /// One row for each environment: the seat to decide. Seats that decide simultaneously are
    /// asked one after another, and none sees another's decision.
    #[default]
    Turn,
    /// One row for each seat of each environment. Seats that decide simultaneously act in the same
    /// step.
    Joint,
}

impl Rows {
    pub(crate) fn per_env(self, n_seats: usize) -> usize {
        match self {
            Rows::Turn => 1,
            Rows::Joint => n_seats,
        }
    }

    #[inline]
    pub(crate) fn row_of(self, seat: Seat) -> usize {
        match self {
            Rows::Turn => 0,
            Rows::Joint => seat.index(),
        }
    }
}

/// Many environments of one game, stepped together over the caller's buffers.
pub struct Batch<G: Learn> {
    shared: Shared<G>,
    envs: Vec<Env<G>>,
    pool: Option<ThreadPool>,
    n_threads: usize,
}

impl<G: Learn> Batch<G> {
    /// Creates a batch in which environment `i` is seeded with `i` and has begun a match.
    pub fn new(plan: &Plan<G>) -> Result<Batch<G>, Fault> {
        let start = G::start(&plan.setup);
        check(plan, start.n_seats())?;
        let n_seats = start.n_seats();
        let learners = Seat::first(n_seats).filter(|seat| {
            let opponent = plan.opponents.get(seat.index());
            opponent.is_none_or(Option::is_none)
        });
        let shared = Shared {
            form: plan.form,
            rows: plan.rows,
            illegal: plan.illegal,
            autoreset: plan.autoreset,
            learners: learners.collect(),
            encoder: Encoder::new::<G>(&plan.setup),
            n_seats,
            n_actions: start.n_actions(),
            start,
        };
        let pool = match plan.n_threads {
            1 => None,
            n => Some(pool(n)?),
        };
        let env = Env::new(&shared, &plan.opponents);
        let mut batch = Batch {
            envs: vec![env; plan.n_envs],
            shared,
            pool,
            n_threads: plan.n_threads,
        };
        batch.reset(Seeding::From(0), None)?;
        Ok(batch)
    }

    /// The required sizes of the buffers.
    pub fn room(&self) -> Room {
        self.shared.room(self.envs.len())
    }

    /// The number of values in an observation.
    pub fn n_values(&self) -> usize {
        self.shared.encoder.len()
    }

    /// The number of actions.
    pub fn n_actions(&self) -> usize {
        self.shared.n_actions
    }

    /// The number of seats in a match.
    pub fn n_seats(&self) -> usize {
        self.shared.n_seats
    }

    /// The seats that learn.
    pub fn learners(&self) -> SeatSet {
        self.shared.learners
    }

    /// Begins new matches in all environments, or in those selected by `which`.
    pub fn reset(&mut self, seeding: Seeding<'_>, which: Option<&[bool]>) -> Result<(), Fault> {
        let n_envs = self.envs.len();
        let mut faults = Vec::new();
        if let Some(which) = which.filter(|which| which.len() != n_envs) {
            let n_found = which.len();
            faults.push(format!("which has {n_found} values, expected {n_envs}"));
        }
        if let Seeding::Each(seeds) = seeding
            && seeds.len() != n_envs
        {
            let n_found = seeds.len();
            faults.push(format!("seeds has {n_found} values, expected {n_envs}"));
        }
        if !faults.is_empty() {
            return Err(Fault::Sizes(faults));
        }
        for (idx, env) in self.envs.iter_mut().enumerate() {
            if which.is_some_and(|which| !which[idx]) {
                continue;
            }
            match seeding {
                Seeding::Continue => {}
                Seeding::From(seed) => env.seed(seed.wrapping_add(idx as u64)),
                Seeding::Each(seeds) => env.seed(seeds[idx]),
            }
            env.begin(&self.shared);
        }
        Ok(())
    }

    /// Writes the current observations, without rewards. Only matches that are over are flagged as
    /// ended.
    pub fn observe(&self, mut out: Buffers<'_>) -> Result<(), Fault> {
        out.check(&self.room())?;
        let mut numbers = vec![0; self.n_values()];
        let rows = self.envs.iter().flat_map(|env| &env.rows);
        write_rows(rows, out.mask, self.n_actions());
        self.shared
            .write_seen(&self.envs, 0, &mut numbers, &mut out);
        for (idx, env) in self.envs.iter().enumerate() {
            self.shared.write_end(env, idx, &mut out);
            out.reward[idx * self.shared.n_seats..][..self.shared.n_seats].fill(0.0);
        }
        Ok(())
    }

    /// Steps all environments with one action for each row, and writes all buffers. The action of
    /// a row whose seat does not decide is ignored.
    pub fn step(&mut self, actions: &[i32], mut out: Buffers<'_>) -> Result<(), Fault> {
        let room = self.room();
        out.check(&room)?;
        self.check_actions(actions)?;
        let (shared, envs) = (&self.shared, &mut self.envs[..]);
        match &self.pool {
            None => shared.step(envs, actions, &mut out),
            Some(pool) => pool.install(|| shared.fork(envs, actions, &mut out, self.n_threads)),
        }
        Ok(())
    }

    /// Draws a legal action uniformly for every row whose seat decides, from the environment's own
    /// generator. Other rows get 0.
    pub fn sample(&mut self, actions: &mut [i32]) -> Result<(), Fault> {
        buffers::check_len("actions", actions.len(), self.room().rows)?;
        let n_rows = self.shared.rows.per_env(self.shared.n_seats);
        for (env, actions) in self.envs.iter_mut().zip(actions.chunks_exact_mut(n_rows)) {
            for (row, action) in env.rows.iter().zip(actions) {
                let id = row.sample(&mut env.sampler);
                *action = id.map_or(0, |id| id.index() as i32);
            }
        }
        Ok(())
    }

    /// The match of an environment with its generator and id; `None` if there is no such
    /// environment.
    pub fn table(&self, env_idx: usize) -> Option<Table<G>> {
        Some(self.envs.get(env_idx)?.table())
    }

    /// The state of an environment, except its opponents' memories, as a document that
    /// [`restore`](Batch::restore) accepts.
    pub fn document(&self, env_idx: usize) -> Option<Json> {
        Some(self.envs.get(env_idx)?.document())
    }

    /// Sets an environment to the state in a document, or reports every fault of the document.
    pub fn restore(&mut self, env_idx: usize, document: &Json) -> Result<(), Fault> {
        let n_envs = self.envs.len();
        let env = self.envs.get_mut(env_idx).ok_or_else(|| {
            Fault::Unsupported(format!(
                "there is no environment {env_idx}: the batch has {n_envs}"
            ))
        })?;
        env.restore(&self.shared, document)
            .map_err(|faults| Fault::Document(faults.to_string()))
    }

    fn check_actions(&self, actions: &[i32]) -> Result<(), Fault> {
        buffers::check_len("actions", actions.len(), self.room().rows)?;
        if self.shared.illegal != Illegal::Refuse {
            return Ok(());
        }
        let (mut first, mut n_all) = (Vec::new(), 0);
        let n_rows = self.shared.rows.per_env(self.shared.n_seats);
        for (idx, (env, actions)) in self.envs.iter().zip(actions.chunks(n_rows)).enumerate() {
            for seat in env.asked.iter() {
                let row = self.shared.rows.row_of(seat);
                let id = usize::try_from(actions[row]).ok();
                let id = id.map(kernel::ActionId::new);
                if id.is_some_and(|id| env.rows[row].allows(id)) {
                    continue;
                }
                n_all += 1;
                if first.len() < NAMED_MAX {
                    first.push((idx, seat.index(), actions[row]));
                }
            }
        }
        match n_all {
            0 => Ok(()),
            _ => Err(Fault::Illegal { first, n_all }),
        }
    }
}

fn check<G: Learn>(plan: &Plan<G>, n_seats: usize) -> Result<(), Fault> {
    let mut faults = Vec::new();
    if !(1..=ENVS_MAX).contains(&plan.n_envs) {
        let n_envs = plan.n_envs;
        faults.push(format!("{n_envs} environments: expected 1 to {ENVS_MAX}"));
    }
    if !(1..=THREADS_MAX).contains(&plan.n_threads) {
        let n_threads = plan.n_threads;
        faults.push(format!("{n_threads} threads: expected 1 to {THREADS_MAX}"));
    }
    if !G::SIGHTS.contains(&plan.form.sight) {
        let sight = plan.form.sight;
        faults.push(format!("{} has no {sight:?} sight", G::NAME));
    }
    if !G::FRAMES.contains(&plan.form.frame) {
        let frame = plan.form.frame;
        faults.push(format!("{} has no {frame:?} frame", G::NAME));
    }
    let n_opponents = plan.opponents.iter().flatten().count();
    if plan.opponents.len() > n_seats || n_opponents >= n_seats {
        faults.push(format!(
            "{n_opponents} opponents in {} places: of {n_seats} seats, at least one must learn",
            plan.opponents.len()
        ));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(Fault::Unsupported(faults.join("; "))),
    }
}

fn pool(n_threads: usize) -> Result<ThreadPool, Fault> {
    let built = ThreadPoolBuilder::new().num_threads(n_threads).build();
    built.map_err(|error| Fault::Unsupported(format!("{n_threads} threads: {error}")))
}

impl<G: Learn> Shared<G> {
    fn room(&self, n_envs: usize) -> Room {
        let rows = n_envs * self.rows.per_env(self.n_seats);
        Room {
            observation: rows * self.encoder.len(),
            mask: rows * self.n_actions,
            reward: n_envs * self.n_seats,
            envs: n_envs,
            rows,
        }
    }

    /// Halves the environments until there is a part for every thread.
    fn fork(&self, envs: &mut [Env<G>], actions: &[i32], out: &mut Buffers<'_>, n_threads: usize) {
        if n_threads <= 1 || envs.len() <= 1 {
            return self.step(envs, actions, out);
        }
        let n_first = envs.len() * (n_threads / 2) / n_threads;
        let n_first = n_first.max(1);
        let (first, rest) = envs.split_at_mut(n_first);
        let (first_actions, rest_actions) = actions.split_at(self.room(n_first).rows);
        let (mut first_out, mut rest_out) = out.split(&self.room(n_first));
        let n_left = n_threads / 2;
        rayon::join(
            || self.fork(first, first_actions, &mut first_out, n_left),
            || self.fork(rest, rest_actions, &mut rest_out, n_threads - n_left),
        );
    }

    /// Steps block by block: plays a block, then writes its observations.
    fn step(&self, envs: &mut [Env<G>], actions: &[i32], out: &mut Buffers<'_>) {
        let mut numbers = vec![0; self.encoder.len()];
        let n_rows = self.rows.per_env(self.n_seats);
        let mut first = 0;
        for envs in envs.chunks_mut(BLOCK_ENVS) {
            let actions = actions[first * n_rows..].chunks_exact(n_rows);
            for (idx, (env, actions)) in (first..).zip(envs.iter_mut().zip(actions)) {
                self.step_one(env, idx, actions, &mut numbers, out);
            }
            self.write_seen(envs, first, &mut numbers, out);
            let rows = envs.iter().flat_map(|env| &env.rows);
            let masks = &mut out.mask[first * n_rows * self.n_actions..];
            write_rows(rows, masks, self.n_actions);
            first += envs.len();
        }
    }

    /// Plays one step and writes everything but the observation that follows.
    #[inline]
    fn step_one(
        &self,
        env: &mut Env<G>,
        idx: usize,
        actions: &[i32],
        numbers: &mut [i16],
        out: &mut Buffers<'_>,
    ) {
        let reward = &mut out.reward[idx * self.n_seats..][..self.n_seats];
        match (env.over, self.autoreset) {
            (Some(_), Autoreset::Disabled) => reward.fill(0.0),
            (Some(_), _) => {
                reward.fill(0.0);
                env.begin(self);
            }
            (None, _) => {
                env.play(self, actions);
                for (seat, reward) in Seat::first(self.n_seats).zip(reward) {
                    *reward = env.over.map_or(0.0, |outcome| outcome.score(seat).into());
                }
            }
        }
        self.write_end(env, idx, out);
        if env.over.is_some() && self.autoreset == Autoreset::SameStep {
            self.write_values(std::slice::from_ref(env), idx, numbers, &mut out.last);
            env.begin(self);
        }
    }

    #[inline]
    fn write_end(&self, env: &Env<G>, idx: usize, out: &mut Buffers<'_>) {
        let cut = env.over.map(|it| it.close == kernel::Close::Truncated);
        out.terminated[idx] = cut == Some(false);
        out.truncated[idx] = cut == Some(true);
    }

    /// Writes the observations of consecutive environments and the seats that decide in them.
    #[inline]
    fn write_seen(
        &self,
        envs: &[Env<G>],
        first: usize,
        numbers: &mut [i16],
        out: &mut Buffers<'_>,
    ) {
        self.write_values(envs, first, numbers, &mut out.observation);
        let n_rows = self.rows.per_env(self.n_seats);
        let asked = out.to_play[first * n_rows..].chunks_exact_mut(n_rows);
        for (env, asked) in envs.iter().zip(asked) {
            match self.rows {
                Rows::Turn => asked[0] = env.asked.lowest().map_or(-1, |seat| seat.index() as i8),
                Rows::Joint => {
                    for (seat, asked) in Seat::first(n_rows).zip(asked) {
                        let is_asked = env.asked.contains(seat);
                        *asked = if is_asked { seat.index() as i8 } else { -1 };
                    }
                }
            }
        }
    }

    /// Writes the observation of each row of consecutive environments.
    #[inline]
    fn write_values(
        &self,
        envs: &[Env<G>],
        first: usize,
        numbers: &mut [i16],
        out: &mut Values<'_>,
    ) {
        let (n_values, n_rows) = (self.encoder.len(), self.rows.per_env(self.n_seats));
        let place = first * n_rows * n_values..(first + envs.len()) * n_rows * n_values;
        let rows = envs.iter().flat_map(|env| {
            let viewer = |seat| match self.rows {
                Rows::Turn => env.viewer,
                Rows::Joint => seat,
            };
            Seat::first(n_rows).map(move |seat| (&env.position, viewer(seat)))
        });
        match out {
            Values::Nothing => {}
            Values::U8(out) => {
                for ((position, seat), out) in rows.zip(out[place].chunks_exact_mut(n_values)) {
                    if !position.write_bytes(seat, self.form, out) {
                        position.write_form(seat, self.form, numbers);
                        self.encoder.write_bytes(numbers, out);
                    }
                }
            }
            Values::F32(out) => {
                for ((position, seat), out) in rows.zip(out[place].chunks_exact_mut(n_values)) {
                    position.write_form(seat, self.form, numbers);
                    self.encoder.write_floats(numbers, out);
                }
            }
        }
    }
}
