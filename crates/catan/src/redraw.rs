//! Resampling the facts that a viewer cannot know.

use kernel::rng::Generator;
use kernel::{Redraw, Viewer};

use crate::{Catan, DEV_CARDS, Dev, Devs};

impl Redraw for Catan {
    /// A viewer cannot know the order of the deck or the development cards that another player
    /// holds. Those cards are shuffled and dealt again, as many to each place as before. Nobody is
    /// dealt points that would already have won.
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Catan {
        let mut drawn = *self;
        let hidden = Catan::SEATS.map(|seat| !viewer.is(seat) && self.ending.is_none());
        let mut pool = [0; DEV_CARDS];
        let mut len = usize::from(self.n_deck);
        pool[..len].copy_from_slice(&self.deck[..len]);
        for (player, _) in self
            .players
            .iter()
            .zip(hidden)
            .filter(|(_, hidden)| *hidden)
        {
            for cards in [&player.devs, &player.new_devs] {
                for (kind, &n) in cards.iter().enumerate() {
                    for _ in 0..n {
                        pool[len] = kind as u8;
                        len += 1;
                    }
                }
            }
        }
        let pool = &mut pool[..len];
        rng.shuffle(pool);
        let mut taken = usize::from(self.n_deck);
        for seat in Catan::SEATS {
            if !hidden[seat.index()] {
                continue;
            }
            let room = self
                .setup
                .vp_to_win
                .saturating_sub(1 + self.public_points(seat));
            let n_cards = usize::from(self.player(seat).n_devs());
            spare_points(pool, taken, n_cards, room);
            let player = &mut drawn.players[seat.index()];
            for cards in [&mut player.devs, &mut player.new_devs] {
                let n = usize::from(crate::card::count(&*cards));
                *cards = deal(&pool[taken..taken + n]);
                taken += n;
            }
        }
        let n_deck = usize::from(self.n_deck);
        drawn.deck[..n_deck].copy_from_slice(&pool[..n_deck]);
        drawn
    }
}

/// Exchanges points beyond `room` among the cards from `start` for other cards of the deck, which
/// is the front of the pool.
fn spare_points(pool: &mut [u8], start: usize, n_cards: usize, room: u8) {
    const POINT: u8 = Dev::VictoryPoint as u8;
    let mut n_points = 0;
    let mut other = 0;
    for idx in start..start + n_cards {
        if pool[idx] != POINT {
            continue;
        }
        n_points += 1;
        if n_points <= room {
            continue;
        }
        while other < start && pool[other] == POINT {
            other += 1;
        }
        if other < start {
            pool.swap(idx, other);
        }
    }
}

fn deal(cards: &[u8]) -> Devs {
    let mut devs = Devs::default();
    for &kind in cards {
        devs[usize::from(kind)] += 1;
    }
    devs
}
