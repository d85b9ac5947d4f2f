//! The generators of one simulated match.

use kernel::Seat;
use kernel::rng::{Generator, Pcg64, SeedSequence};

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
        self.chance.get_or_insert_with(|| generator(game.child(0)))
    }

    /// The generator of the agent in a seat.
    #[inline]
    pub fn agent(&self, seat: Seat) -> Generator {
        generator(self.game.child(1).child(seat.index() as u32))
    }

    /// The generator that draws what the setup leaves open.
    pub fn setup(&self) -> Generator {
        generator(self.game.child(3))
    }

    /// The generator of the match's id.
    pub fn identity(&self) -> Generator {
        generator(self.game.child(2))
    }
}

#[inline]
fn generator(sequence: SeedSequence) -> Generator {
    Generator::Pcg64(Pcg64::from_sequence(&sequence))
}
