//! Redraws what a viewer cannot know.

use kernel::rng::Generator;
use kernel::{Redraw, Viewer};

use super::{Goods, N_KINDS, Smugglers, count};

impl Redraw for Smugglers {
    /// Shuffles hidden hands and the bag together and deals them again, as many to each as before.
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Smugglers {
        let mut drawn = *self;
        let hidden = Smugglers::SEATS.map(|seat| !viewer.is(seat));
        for (seat, _) in hidden.iter().enumerate().filter(|(_, hidden)| **hidden) {
            for kind in 0..N_KINDS {
                drawn.bag[kind] += self.hands[seat][kind];
            }
        }
        for (seat, _) in hidden.iter().enumerate().filter(|(_, hidden)| **hidden) {
            drawn.hands[seat] = deal(&mut drawn.bag, count(self.hands[seat]), rng);
        }
        drawn
    }
}

fn deal(bag: &mut Goods, n: u8, rng: &mut Generator) -> Goods {
    let mut hand = Goods::default();
    for _ in 0..n {
        let mut rank = rng.below(count(*bag).into()) as u8;
        for kind in 0..N_KINDS {
            if rank < bag[kind] {
                bag[kind] -= 1;
                hand[kind] += 1;
                break;
            }
            rank -= bag[kind];
        }
    }
    hand
}
