//! The game-specific part of a load test, from the catalog. The driver itself knows no game.

use std::ops::Deref;

use bots::client::Client;
use catalog::GameName;

#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) game: GameName,
    client: &'static dyn Client,
}

impl Part {
    pub(super) fn of(game: GameName) -> Part {
        Part {
            game,
            client: game.client(),
        }
    }
}

impl Deref for Part {
    type Target = dyn Client;

    fn deref(&self) -> &(dyn Client + 'static) {
        self.client
    }
}
