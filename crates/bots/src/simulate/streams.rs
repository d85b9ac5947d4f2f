//! The generators of one simulated match.

use kernel::rng::{Generator, Pcg64, SeedSequence, SeedSequences};
use kernel::{SEATS_MAX, Seat};

/// The generators of one simulated match. Each is a child of the run's seed, so any match of a run
/// can be replayed alone, even in NumPy.
pub struct Streams {
    game: SeedSequence,
    /// Created on first use: a game without chance never pays for it.
    chance: Option<Generator>,
}

impl Streams {
    /// The streams of match `game_idx` of a run with this seed sequence.
    #[inline]
    pub fn new(run: &SeedSequence, game_idx: u32) -> Streams {
        Streams {
            game: run.child(game_idx),
            chance: None,
        }
    }

    /// The generator of dice and cards.
    #[inline]
    pub fn chance(&mut self) -> &mut Generator {
        let game = self.game;
        self.chance
            .get_or_insert_with(|| generator(game.child(CHANCE)))
    }

    /// The generator of the agent in a seat.
    #[inline]
    pub fn agent(&self, seat: Seat) -> Generator {
        generator(self.game.child(AGENTS).child(seat.index() as u32))
    }

    /// The generator that draws what the setup leaves open.
    pub fn setup(&self) -> Generator {
        generator(self.game.child(SETUP))
    }

    /// The generator of the match's id.
    pub fn identity(&self) -> Generator {
        generator(self.game.child(IDENTITY))
    }
}

/// The keys of a match's children.
const CHANCE: u32 = 0;
const AGENTS: u32 = 1;
const IDENTITY: u32 = 2;
const SETUP: u32 = 3;

/// The number of matches whose streams are derived at once.
const N_AHEAD: usize = 8;

/// The streams of one match after another, derived for several matches at once.
pub(super) struct Ahead {
    run: SeedSequence,
    /// The number of the first match that is derived.
    first: u32,
    games: SeedSequences<N_AHEAD>,
    /// The words that seed the agents' generators, by seat and match.
    agents: Vec<[[u64; 4]; N_AHEAD]>,
    /// The streams of the current match.
    streams: Streams,
    /// The agents' generators in the current match.
    rngs: Vec<Generator>,
}

impl Ahead {
    pub(super) fn new(run: SeedSequence, n_seats: usize) -> Ahead {
        let mut ahead = Ahead {
            run,
            first: 0,
            games: run.children(0),
            agents: vec![[[0; 4]; N_AHEAD]; n_seats],
            streams: Streams::new(&run, 0),
            rngs: vec![generator(run); n_seats],
        };
        ahead.derive(0);
        ahead
    }

    /// The streams of a match, and its agents' generators by seat.
    #[inline]
    pub(super) fn of_match(&mut self, game_idx: u32) -> (&mut Streams, &mut [Generator]) {
        if game_idx.wrapping_sub(self.first) as usize >= N_AHEAD {
            self.derive(game_idx);
        }
        let lane = (game_idx - self.first) as usize;
        self.streams.game = self.games.get(lane);
        self.streams.chance = None;
        for (rng, words) in self.rngs.iter_mut().zip(&self.agents) {
            *rng = Generator::Pcg64(Pcg64::from_words(words[lane]));
        }
        (&mut self.streams, &mut self.rngs)
    }

    #[inline(never)]
    fn derive(&mut self, first: u32) {
        self.first = first;
        self.games = self.run.children(first);
        let agents = self.games.child(AGENTS);
        for (words, seat) in self.agents.iter_mut().zip(Seat::first(SEATS_MAX)) {
            agents.child(seat.index() as u32).write_words64(words);
        }
    }
}

#[inline]
fn generator(sequence: SeedSequence) -> Generator {
    Generator::Pcg64(Pcg64::from_sequence(&sequence))
}
