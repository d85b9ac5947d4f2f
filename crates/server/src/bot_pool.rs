//! Pools of prepared bots: each bot is prepared once and copied for every match.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bots::{Agent, NoAgent};
use catalog::{GameName, with_game};

use crate::hosted::Hosted;

/// The prepared bots of one game, for its default setup. Clones share them.
pub(crate) struct BotPool<G: Hosted> {
    ready: Arc<Mutex<Ready<G>>>,
}

/// Agents by name.
type Ready<G> = BTreeMap<String, Box<dyn Agent<G>>>;

/// The pools of all games, by the game's name.
pub(crate) struct BotPools(BTreeMap<&'static str, Box<dyn Any + Send + Sync>>);

impl Default for BotPools {
    fn default() -> BotPools {
        let pool = |game: GameName| -> Box<dyn Any + Send + Sync> {
            with_game!(game, G => Box::new(BotPool::<G>::default()))
        };
        let pools = GameName::ALL.map(|game| (game.as_str(), pool(game)));
        BotPools(BTreeMap::from(pools))
    }
}

impl BotPools {
    /// Returns a game's pool, or a new one if the game is in no catalog.
    pub(crate) fn pool<G: Hosted>(&self) -> BotPool<G> {
        let pool = self.0.get(G::NAME).and_then(|it| it.downcast_ref());
        pool.cloned().unwrap_or_default()
    }
}

impl<G: Hosted> Clone for BotPool<G> {
    fn clone(&self) -> BotPool<G> {
        BotPool {
            ready: Arc::clone(&self.ready),
        }
    }
}

impl<G: Hosted> Default for BotPool<G> {
    fn default() -> BotPool<G> {
        BotPool {
            ready: Arc::default(),
        }
    }
}

impl<G: Hosted> BotPool<G> {
    /// Returns a bot for one seat of one match. Preparing one may take a while, so it runs on a
    /// blocking thread; for the default setup it happens once.
    pub(crate) async fn agent(
        &self,
        name: &str,
        setup: &G::Setup,
    ) -> Result<Box<dyn Agent<G>>, NoAgent> {
        let standard = *setup == G::Setup::default();
        if let Some(agent) = self.copy(name).filter(|_| standard) {
            return Ok(agent);
        }
        let (ready, name) = (Arc::clone(&self.ready), name.to_owned());
        let setup = setup.clone();
        let made = tokio::task::spawn_blocking(move || {
            let agent = G::agent(&name, &setup)?;
            if standard {
                let mut ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
                ready.insert(name, agent.again());
            }
            Ok(agent)
        });
        made.await.unwrap_or_else(|_| {
            Err(NoAgent::Unfit {
                name: "bot",
                reason: "it could not be prepared".to_owned(),
            })
        })
    }

    fn copy(&self, name: &str) -> Option<Box<dyn Agent<G>>> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.get(name).map(|agent| agent.again())
    }
}
