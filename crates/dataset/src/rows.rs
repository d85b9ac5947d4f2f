//! The rows of matches, stored by column.

use envelope::{NamedArray, Numbers};
use kernel::{Close, GameExt, Mask, Outcome, Seat};
use learn::{Encoder, Form, Learn, write_mask};

use crate::{Number, Options};

/// The decisions and endings of matches, stored by column.
pub(crate) struct Rows {
    n_values: usize,
    n_actions: usize,
    observation: Column,
    mask: Vec<u8>,
    action: Vec<i32>,
    player: Vec<i8>,
    reward: Vec<f32>,
    score: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    episode: Vec<i64>,
    step: Vec<i32>,
    last_observation: Column,
    last_episode: Vec<i64>,
    last_player: Vec<i8>,
}

/// Observations in the chosen element type.
pub(crate) enum Column {
    U8(Vec<u8>),
    F32(Vec<f32>),
}

/// The meanings of a shard's arrays, for the manifest.
pub(crate) const ABOUT: [(&str, &str); 13] = [
    ("observation", "what the seat saw when it decided"),
    ("mask", "1 for each action that was legal then, else 0"),
    ("action", "the id of the action it took"),
    ("player", "the seat"),
    (
        "reward",
        "what came of it before the seat's next decision: 1 won, -1 lost, 0 neither",
    ),
    ("return", "the sum of the seat's rewards from this row on"),
    (
        "terminated",
        "whether it was the seat's last decision in a match that the rules ended",
    ),
    (
        "truncated",
        "whether it was the seat's last decision in a match that its hard bound cut off",
    ),
    ("episode", "the match, from 0"),
    (
        "step",
        "the decision within the match, from 0, over all seats",
    ),
    (
        "last_observation",
        "what each seat sees when the match is over; one row for each seat of each match",
    ),
    ("last_episode", "the match of such a row"),
    ("last_player", "the seat of such a row"),
];

impl Column {
    fn new(number: Number) -> Column {
        match number {
            Number::U8 => Column::U8(Vec::new()),
            Number::F32 => Column::F32(Vec::new()),
        }
    }

    fn push(&mut self, encoder: &Encoder, numbers: &[i16]) {
        match self {
            Column::U8(values) => {
                let n_before = values.len();
                values.resize(n_before + numbers.len(), 0);
                encoder.write_bytes(numbers, &mut values[n_before..]);
            }
            Column::F32(values) => {
                let n_before = values.len();
                values.resize(n_before + numbers.len(), 0.0);
                encoder.write_floats(numbers, &mut values[n_before..]);
            }
        }
    }

    fn append(&mut self, other: &mut Column) {
        match (self, other) {
            (Column::U8(own), Column::U8(other)) => own.append(other),
            (Column::F32(own), Column::F32(other)) => own.append(other),
            (Column::U8(_), Column::F32(_)) | (Column::F32(_), Column::U8(_)) => {
                debug_assert!(false, "all rows of a dataset have the same element type");
            }
        }
    }

    fn numbers(&self) -> Numbers<'_> {
        match self {
            Column::U8(values) => Numbers::U8(values),
            Column::F32(values) => Numbers::F32(values),
        }
    }

    fn number(&self) -> Number {
        match self {
            Column::U8(_) => Number::U8,
            Column::F32(_) => Number::F32,
        }
    }

    fn n_bytes(&self) -> usize {
        match self {
            Column::U8(values) => values.len(),
            Column::F32(values) => 4 * values.len(),
        }
    }
}

impl Rows {
    pub(crate) fn new(n_values: usize, n_actions: usize, number: Number) -> Rows {
        Rows {
            n_values,
            n_actions,
            observation: Column::new(number),
            mask: Vec::new(),
            action: Vec::new(),
            player: Vec::new(),
            reward: Vec::new(),
            score: Vec::new(),
            terminated: Vec::new(),
            truncated: Vec::new(),
            episode: Vec::new(),
            step: Vec::new(),
            last_observation: Column::new(number),
            last_episode: Vec::new(),
            last_player: Vec::new(),
        }
    }

    /// Empty rows of the same shape.
    pub(crate) fn fresh(&self) -> Rows {
        Rows::new(self.n_values, self.n_actions, self.observation.number())
    }

    pub(crate) fn len(&self) -> usize {
        self.action.len()
    }

    /// The approximate size in memory, and in a file before packing.
    pub(crate) fn n_bytes(&self) -> usize {
        let wide = self.observation.n_bytes() + self.last_observation.n_bytes();
        wide + self.mask.len() + 32 * self.len()
    }

    /// Moves the rows of another match to the end, with this match number.
    pub(crate) fn append(&mut self, other: &mut Rows, episode: i64) {
        let (n_rows, n_ends) = (other.len(), other.last_player.len());
        self.observation.append(&mut other.observation);
        self.mask.append(&mut other.mask);
        self.action.append(&mut other.action);
        self.player.append(&mut other.player);
        self.reward.append(&mut other.reward);
        self.score.append(&mut other.score);
        self.terminated.append(&mut other.terminated);
        self.truncated.append(&mut other.truncated);
        self.step.append(&mut other.step);
        self.episode.extend(std::iter::repeat_n(episode, n_rows));
        self.last_observation.append(&mut other.last_observation);
        self.last_player.append(&mut other.last_player);
        self.last_episode
            .extend(std::iter::repeat_n(episode, n_ends));
    }

    /// The columns in the order of [`ABOUT`].
    pub(crate) fn arrays(&self) -> Vec<NamedArray<'_>> {
        let (n_rows, n_ends) = (self.len(), self.last_player.len());
        let columns = [
            (vec![n_rows, self.n_values], self.observation.numbers()),
            (vec![n_rows, self.n_actions], Numbers::U8(&self.mask)),
            (vec![n_rows], Numbers::I32(&self.action)),
            (vec![n_rows], Numbers::I8(&self.player)),
            (vec![n_rows], Numbers::F32(&self.reward)),
            (vec![n_rows], Numbers::F32(&self.score)),
            (vec![n_rows], Numbers::Bool(&self.terminated)),
            (vec![n_rows], Numbers::Bool(&self.truncated)),
            (vec![n_rows], Numbers::I64(&self.episode)),
            (vec![n_rows], Numbers::I32(&self.step)),
            (vec![n_ends, self.n_values], self.last_observation.numbers()),
            (vec![n_ends], Numbers::I64(&self.last_episode)),
            (vec![n_ends], Numbers::I8(&self.last_player)),
        ];
        let named = ABOUT.iter().zip(columns);
        named
            .map(|((name, _), (shape, values))| NamedArray {
                name,
                shape,
                values,
            })
            .collect()
    }
}

/// Records matches as rows while they are played.
pub(crate) struct Scribe {
    encoder: Encoder,
    form: Form,
    numbers: Vec<i16>,
    mask: Mask,
    rows: Rows,
}

impl Scribe {
    pub(crate) fn new(encoder: Encoder, n_actions: usize, options: &Options) -> Scribe {
        Scribe {
            numbers: vec![0; encoder.len()],
            rows: Rows::new(encoder.len(), n_actions, options.number),
            mask: Mask::default(),
            form: options.form,
            encoder,
        }
    }

    /// Starts a match. The rows of an unfinished one are discarded.
    pub(crate) fn begin(&mut self) {
        self.rows = self.rows.fresh();
    }

    /// Adds a decision of a seat in this position.
    pub(crate) fn decide<G: Learn>(&mut self, position: &G, seat: Seat, action: G::Action) {
        let rows = &mut self.rows;
        position.write_form(seat, self.form, &mut self.numbers);
        rows.observation.push(&self.encoder, &self.numbers);
        position.fill_legal(seat, &mut self.mask);
        let n_before = rows.mask.len();
        rows.mask.resize(n_before + rows.n_actions, 0);
        write_mask(&self.mask, &mut rows.mask[n_before..]);
        rows.step.push(rows.action.len() as i32);
        rows.action.push(position.action_id(action).index() as i32);
        rows.player.push(seat.index() as i8);
    }

    /// Ends the match in this position and returns its rows, with the result for each seat.
    pub(crate) fn end<G: Learn>(&mut self, position: &G, outcome: &Outcome) -> Rows {
        let next = self.rows.fresh();
        let mut rows = std::mem::replace(&mut self.rows, next);
        rows.tell(position.n_seats(), outcome);
        for seat in Seat::first(position.n_seats()) {
            position.write_form(seat, self.form, &mut self.numbers);
            rows.last_observation.push(&self.encoder, &self.numbers);
            rows.last_player.push(seat.index() as i8);
        }
        rows
    }
}

impl Rows {
    /// Fills in rewards and end flags from the outcome.
    fn tell(&mut self, n_seats: usize, outcome: &Outcome) {
        let n_rows = self.len();
        let scores: Vec<f32> = Seat::first(n_seats)
            .map(|seat| outcome.score(seat).into())
            .collect();
        let score = |player: &i8| scores[*player as usize];
        self.score = self.player.iter().map(score).collect();
        self.reward = vec![0.0; n_rows];
        self.terminated = vec![false; n_rows];
        self.truncated = vec![false; n_rows];
        for (idx, score) in scores.iter().enumerate() {
            let own = self.player.iter();
            if let Some(last) = own.clone().rposition(|player| *player as usize == idx) {
                self.reward[last] = *score;
                self.terminated[last] = outcome.close == Close::Decided;
                self.truncated[last] = outcome.close == Close::Truncated;
            }
        }
    }
}
