//! One environment: a match, its generators, and the seats to decide.

use arrayvec::ArrayVec;
use kernel::json::Json;
use kernel::rng::{Generator, Pcg64, Seed, SeedSequence};
use kernel::{
    ActionId, Agent, Departure, Discard, GameExt, MatchId, Outcome, Perspective, SEATS_MAX, Seat,
    SeatSet, Source, Table, Turn,
};

use crate::row::Row;
use crate::{Encoder, Form, Learn, Rows};

/// The time at which a finished match is replaced by a new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Autoreset {
    /// In the step after its end, whose action is ignored.
    #[default]
    NextStep,
    /// In the step that ends it. Its last observation goes to a separate buffer.
    SameStep,
    /// Only when the caller resets it.
    Disabled,
}

/// The response to an illegal action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Illegal {
    /// The seat forfeits the match.
    #[default]
    Forfeit,
    /// A legal action is drawn in its place, from the environment's sample generator.
    Replace,
    /// The whole step is refused and nothing changes.
    Refuse,
}

/// The seeds of environments after a reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seeding<'a> {
    /// The random streams continue.
    Continue,
    /// Environment `i` is seeded with this value plus `i`.
    From(u64),
    /// Each environment is seeded with its own value.
    Each(&'a [u64]),
}

/// The data that all environments of a batch share.
pub(crate) struct Shared<G: Learn> {
    pub(crate) start: G,
    pub(crate) form: Form,
    pub(crate) rows: Rows,
    pub(crate) illegal: Illegal,
    pub(crate) autoreset: Autoreset,
    pub(crate) learners: SeatSet,
    pub(crate) encoder: Encoder,
    pub(crate) n_seats: usize,
    pub(crate) n_actions: usize,
}

impl<G: Learn> Shared<G> {
    /// The seats among these that learn.
    #[inline]
    fn learning(&self, seats: SeatSet) -> SeatSet {
        if seats.is_subset(self.learners) {
            return seats;
        }
        let learns = |seat: &Seat| self.learners.contains(*seat);
        seats.iter().filter(learns).collect()
    }
}

pub(crate) struct Env<G: Learn> {
    pub(crate) position: G,
    /// The generator of chance: the same as `numpy.random.default_rng(seed)`.
    chance: Generator,
    /// The generator of samples.
    pub(crate) sampler: Generator,
    seed: u64,
    /// The number of matches begun since the seed was set.
    episode: u32,
    /// The seat whose view a single row shows: the one to decide, or the last that did.
    pub(crate) viewer: Seat,
    /// The learning seats that decide now.
    pub(crate) asked: SeatSet,
    /// True if they are all the seats whose simultaneous decisions are missing.
    is_joint: bool,
    /// The legal actions, by row.
    pub(crate) rows: Vec<Row<G>>,
    pub(crate) over: Option<Outcome>,
    rivals: Vec<Rival<G>>,
}

struct Rival<G: Learn> {
    seat: Seat,
    player: Box<dyn Agent<G>>,
    rng: Generator,
}

/// Indices of the child seeds of an environment's seed.
const SAMPLES: u32 = 1;
const RIVALS: u32 = 2;
const IDENTITY: u32 = 3;

fn stream(seed: u64, keys: &[u32]) -> Generator {
    Generator::Pcg64(Pcg64::from_sequence(&SeedSequence::new(
        &Seed::from(seed),
        keys,
    )))
}

impl<G: Learn> Env<G> {
    pub(crate) fn new(shared: &Shared<G>, rivals: &[Option<Box<dyn Agent<G>>>]) -> Env<G> {
        let rivals = Seat::first(shared.n_seats).zip(rivals);
        let rival = |(seat, player): (Seat, &Option<Box<dyn Agent<G>>>)| {
            let player = player.as_ref()?.again();
            let rng = stream(0, &[]);
            Some(Rival { seat, player, rng })
        };
        let n_rows = shared.rows.per_env(shared.n_seats);
        let mut env = Env {
            position: shared.start.clone(),
            chance: stream(0, &[]),
            sampler: stream(0, &[]),
            seed: 0,
            episode: 0,
            viewer: Seat::FIRST,
            asked: SeatSet::EMPTY,
            is_joint: false,
            rows: vec![Row::new(shared.n_actions); n_rows],
            over: None,
            rivals: rivals.filter_map(rival).collect(),
        };
        env.seed(0);
        env
    }

    /// Restarts all random streams.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.seed = seed;
        self.episode = 0;
        self.chance = stream(seed, &[]);
        self.sampler = stream(seed, &[SAMPLES]);
        for rival in &mut self.rivals {
            rival.rng = stream(seed, &[RIVALS, rival.seat.index() as u32]);
        }
    }

    /// Begins a new match.
    pub(crate) fn begin(&mut self, shared: &Shared<G>) {
        self.position.clone_from(&shared.start);
        self.episode = self.episode.wrapping_add(1);
        self.over = None;
        for rival in &mut self.rivals {
            rival.player.begin();
        }
        self.go_on(shared);
    }

    /// Plays the actions of the seats that decide, and everything that follows from them. Does not
    /// reset the match.
    #[inline]
    pub(crate) fn play(&mut self, shared: &Shared<G>, actions: &[i32]) {
        let mut plays: ArrayVec<(Seat, G::Action), SEATS_MAX> = ArrayVec::new();
        for seat in self.asked.iter() {
            let row = shared.rows.row_of(seat);
            match self.action(shared, row, actions[row]) {
                Some(action) if self.is_joint => plays.push((seat, action)),
                Some(action) => self.position.play_trusted(seat, action, &mut Discard),
                None => {
                    self.is_joint = false;
                    for (seat, action) in plays.drain(..) {
                        self.position.play_trusted(seat, action, &mut Discard);
                    }
                    self.forfeit(seat);
                }
            }
        }
        if self.is_joint {
            self.position.play_sealed_trusted(&plays, &mut Discard);
        }
        self.go_on(shared);
    }

    /// The action with this id in a row, or its replacement if it is illegal; `None` if the seat
    /// forfeits.
    #[inline]
    fn action(&mut self, shared: &Shared<G>, row: usize, id: i32) -> Option<G::Action> {
        let given = usize::try_from(id).ok().map(ActionId::new);
        let given = given.and_then(|id| self.rows[row].action(&self.position, id));
        match shared.illegal {
            Illegal::Replace if given.is_none() => {
                let id = self.rows[row].sample(&mut self.sampler)?;
                self.position.action(id)
            }
            _ => given,
        }
    }

    /// Makes the seat forfeit. If others have forfeited at the same moment, the match may already
    /// be over, and nothing is left to do.
    fn forfeit(&mut self, seat: Seat) {
        let running = self.position.outcome().is_none();
        if running && self.position.present().contains(seat) {
            let seats = SeatSet::only(seat);
            self.position
                .leave_trusted(seats, Departure::Resign, &mut Discard);
        }
    }

    /// Plays chance, time and opponents until a learning seat decides or the match is over.
    #[inline]
    fn go_on(&mut self, shared: &Shared<G>) {
        loop {
            let turn = self.position.turn();
            match turn {
                Turn::Over(outcome) => {
                    self.over = Some(outcome);
                    self.asked = SeatSet::EMPTY;
                    self.rows.iter_mut().for_each(Row::clear);
                    return;
                }
                Turn::Chance => {
                    let draw = self.position.odds().draw(&mut self.chance);
                    self.position.resolve_trusted(draw, &mut Discard);
                }
                Turn::Clock => {
                    self.position.pass_time_trusted(&mut Discard);
                }
                Turn::Seat(_) | Turn::Sealed(_) => {
                    let missing = turn.missing();
                    if !self.rivals.is_empty() && self.ask_rivals(missing) {
                        continue;
                    }
                    let learners = shared.learning(missing);
                    if !learners.is_empty() {
                        self.ask(shared, learners);
                        self.is_joint = matches!(turn, Turn::Sealed(_)) && self.asked == missing;
                        return;
                    }
                    self.position.deadline_trusted(&mut Discard);
                }
            }
        }
    }

    /// Asks the missing opponents; returns true if one of them acted.
    fn ask_rivals(&mut self, missing: SeatSet) -> bool {
        let mut acted = false;
        for rival in &mut self.rivals {
            if !missing.contains(rival.seat) {
                continue;
            }
            let seen = Perspective::new(&self.position, rival.seat);
            if let Some(action) = rival.player.choose(&seen, &mut rival.rng) {
                self.position.play_trusted(rival.seat, action, &mut Discard);
                acted = true;
            }
        }
        acted
    }

    #[inline]
    fn ask(&mut self, shared: &Shared<G>, learners: SeatSet) {
        match (shared.rows, learners.lowest()) {
            (Rows::Turn, Some(seat)) => {
                self.viewer = seat;
                self.asked = SeatSet::only(seat);
                self.rows[0].fill(&self.position, seat);
            }
            _ => {
                self.asked = learners;
                for (seat, row) in Seat::first(shared.n_seats).zip(&mut self.rows) {
                    match learners.contains(seat) {
                        true => row.fill(&self.position, seat),
                        false => row.clear(),
                    }
                }
            }
        }
    }

    /// The match with its generator and its id.
    pub(crate) fn table(&self) -> Table<G> {
        let mut identity = stream(self.seed, &[IDENTITY, self.episode]);
        let source = Source::Open(self.chance.clone());
        Table::at(self.position.clone(), MatchId::draw(&mut identity), source)
    }

    /// The state of the environment, except its opponents' memories, as a document.
    pub(crate) fn document(&self) -> Json {
        let json = |generator: &Generator| {
            kernel::json::from_value(generator).expect("a generator's state holds no floats")
        };
        let rivals = self.rivals.iter().map(|rival| json(&rival.rng));
        Json::object([
            ("episode", Json::Int(self.episode.into())),
            (
                "match",
                kernel::json::from_value(&self.table().snapshot())
                    .expect("a snapshot holds no floats"),
            ),
            ("rivals", Json::List(rivals.collect())),
            ("sampler", json(&self.sampler)),
            ("seed", Json::Text(self.seed.to_string())),
            ("viewer", Json::Int(self.viewer.index() as i128)),
        ])
    }

    /// Restores an environment from its [`document`](Env::document).
    pub(crate) fn restore(
        &mut self,
        shared: &Shared<G>,
        document: &Json,
    ) -> Result<(), kernel::doc::Faults> {
        use kernel::doc::{Document, Faults, Node};
        let mut faults = Faults::default();
        let node = Node::root(document);
        node.only_fields(
            &["episode", "match", "rivals", "sampler", "seed", "viewer"],
            &mut faults,
        );
        let episode = node
            .field("episode")
            .int_in(0..=u32::MAX.into(), &mut faults);
        let seed = node.field("seed").u64_text(&mut faults);
        let sampler = Generator::read(&node.field("sampler"), &mut faults);
        let last = shared.n_seats as i64 - 1;
        let viewer = node.field("viewer").int_in(0..=last, &mut faults);
        let rivals = node.field("rivals");
        let rivals = rivals.list_of_len(self.rivals.len(), &mut faults);
        let rivals: Option<Vec<Generator>> = rivals.and_then(|rivals| {
            let each = rivals.iter();
            each.map(|it| Generator::read(it, &mut faults)).collect()
        });
        let table = match node.field("match").json().map(Table::<G>::restore) {
            Some(Ok(table)) => Some(table),
            Some(Err(found)) => {
                faults.extend_below(&node.field("match"), &found);
                None
            }
            None => {
                faults.at(&node.field("match"), "missing", "expected a snapshot");
                None
            }
        };
        let all = || Some((episode?, seed?, sampler?, viewer?, rivals?, table?));
        let (episode, seed, sampler, viewer, rivals, table) = faults.into_result(all())?;
        self.position.clone_from(table.position());
        if let Source::Open(generator) = table.source() {
            self.chance = generator.clone();
        }
        self.episode = episode as u32;
        self.seed = seed;
        self.sampler = sampler;
        for (rival, rng) in self.rivals.iter_mut().zip(rivals) {
            rival.rng = rng;
            rival.player.begin();
        }
        self.over = None;
        self.go_on(shared);
        if let Some(seat) = Seat::first(shared.n_seats).nth(viewer as usize)
            && (shared.rows == Rows::Joint || self.over.is_some())
        {
            self.viewer = seat;
        }
        Ok(())
    }
}

impl<G: Learn> Clone for Env<G> {
    /// Opponents start fresh: their memory of a match is not copied.
    fn clone(&self) -> Env<G> {
        let rival = |rival: &Rival<G>| Rival {
            seat: rival.seat,
            player: rival.player.again(),
            rng: rival.rng.clone(),
        };
        Env {
            position: self.position.clone(),
            chance: self.chance.clone(),
            sampler: self.sampler.clone(),
            rows: self.rows.clone(),
            rivals: self.rivals.iter().map(rival).collect(),
            ..*self
        }
    }
}
