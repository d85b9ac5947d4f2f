//! Where bots wait: each is made ready once and copied for every match.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bots::{Agent, NoAgent};
use catalog::{Catan, Orcain, Stellar};

use crate::hosted::Hosted;

/// The bots of one game that were made ready, for its standard setup.
pub(crate) struct BotPool<G: Hosted> {
    ready: Arc<Mutex<Ready<G>>>,
}

/// Agents by name.
type Ready<G> = BTreeMap<String, Box<dyn Agent<G>>>;

/// All pools.
#[derive(Default)]
pub(crate) struct BotPools {
    pub(crate) catan: BotPool<Catan>,
    pub(crate) orcain: BotPool<Orcain>,
    pub(crate) stellar: BotPool<Stellar>,
}

impl<G: Hosted> Default for BotPool<G> {
    fn default() -> BotPool<G> {
        BotPool {
            ready: Arc::default(),
        }
    }
}

impl<G: Hosted> BotPool<G> {
    /// A bot for one seat of one match. Making one ready may take a while, so it is done on a
    /// thread of its own; for the standard setup it is done once.
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
                reason: "it could not be made ready".to_owned(),
            })
        })
    }

    fn copy(&self, name: &str) -> Option<Box<dyn Agent<G>>> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.get(name).map(|agent| agent.again())
    }
}
