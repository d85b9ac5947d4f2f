//! The generators of one simulated match.

use kernel::Seat;
use kernel::rng::{Generator, Pcg64, SeedSequence};

/// The generators of one simulated match, each a child of the run's seed, so that any
/// match of a run can be played again alone, also in NumPy.
pub struct Streams {
    game: SeedSequence,
    /// Made when first needed: a game without chance never pays for it.
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

    /// What dice and cards come from.
    #[inline]
    pub fn chance(&mut self) -> &mut Generator {
        let game = self.game;
        self.chance.get_or_insert_with(|| generator(game.child(0)))
    }

    /// What the agent in a seat draws from.
    #[inline]
    pub fn agent(&self, seat: Seat) -> Generator {
        generator(self.game.child(1).child(seat.index() as u32))
    }

    /// The generator that draws whatever the setup leaves open.
    pub fn setup(&self) -> Generator {
        generator(self.game.child(3))
    }

    /// What the match's id is drawn from.
    pub fn identity(&self) -> Generator {
        generator(self.game.child(2))
    }
}

#[inline]
fn generator(sequence: SeedSequence) -> Generator {
    Generator::Pcg64(Pcg64::from_sequence(&sequence))
}
