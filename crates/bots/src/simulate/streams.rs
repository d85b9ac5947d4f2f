//! The generators of one simulated match.

use kernel::Seat;
use kernel::rng::{Generator, Pcg64, Seed, SeedSequence};

/// The generators of one simulated match, each a child of the run's seed, so that any
/// match of a run can be played again alone, also in NumPy.
pub struct Streams<'a> {
    seed: &'a Seed,
    game_idx: u32,
    /// Made when first needed: a game without chance never pays for it.
    chance: Option<Generator>,
}

impl<'a> Streams<'a> {
    /// The streams of match `game_idx` of a run.
    pub fn new(seed: &'a Seed, game_idx: u32) -> Streams<'a> {
        Streams {
            seed,
            game_idx,
            chance: None,
        }
    }

    /// What dice and cards come from.
    #[inline]
    pub fn chance(&mut self) -> &mut Generator {
        let (seed, game_idx) = (self.seed, self.game_idx);
        self.chance
            .get_or_insert_with(|| child(seed, &[game_idx, 0]))
    }

    /// What the agent in a seat draws from.
    #[inline]
    pub fn agent(&self, seat: Seat) -> Generator {
        child(self.seed, &[self.game_idx, 1, seat.index() as u32])
    }

    /// What the match's id is drawn from.
    pub fn identity(&self) -> Generator {
        child(self.seed, &[self.game_idx, 2])
    }
}

#[inline]
fn child(seed: &Seed, spawn_key: &[u32]) -> Generator {
    let sequence = SeedSequence::new(seed, spawn_key);
    Generator::Pcg64(Pcg64::from_sequence(&sequence))
}
