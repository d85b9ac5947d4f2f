//! The state shared by all parts of a running server.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kernel::MatchId;
use session::Conn;
use tokio::sync::mpsc::UnboundedSender;

use crate::bot_pool::BotPools;
use crate::clock::Clock;
use crate::committer::Committer;
use crate::config::Config;
use crate::gateway::Polls;
use crate::hub::Hub;
use crate::limits::Limits;
use crate::lobbies::Lobbies;
use crate::measures::Measures;
use crate::passwords::Passwords;
use crate::readers::Readers;
use crate::rematch::Rematches;
use crate::seeds::SeedOffers;
use crate::trials::Trials;
use crate::workshop::Workshop;

pub(crate) struct Server {
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) committer: Committer,
    pub(crate) readers: Readers,
    pub(crate) hub: Hub,
    pub(crate) lobbies: Lobbies,
    pub(crate) rematches: Rematches,
    pub(crate) seed_offers: SeedOffers,
    pub(crate) bots: BotPools,
    pub(crate) limits: Limits,
    pub(crate) polls: Polls,
    pub(crate) passwords: Passwords,
    pub(crate) workshop: Workshop,
    pub(crate) trials: Trials,
    /// The exact origins of the pages that may connect.
    pub(crate) origins: Vec<String>,
    pub(crate) measures: Measures,
    /// Ids of matches whose rooms panicked, for the task that restarts them; at most one entry
    /// each.
    pub(crate) broken: UnboundedSender<MatchId>,
    n_conns: AtomicU64,
}

impl Server {
    pub(crate) fn new(
        config: Config,
        clock: Clock,
        committer: Committer,
        readers: Readers,
        origins: Vec<String>,
        broken: UnboundedSender<MatchId>,
    ) -> Arc<Server> {
        let limits = Limits::new(&config);
        Arc::new(Server {
            clock,
            committer,
            readers,
            hub: Hub::default(),
            lobbies: Lobbies::default(),
            rematches: Rematches::default(),
            seed_offers: SeedOffers::default(),
            bots: BotPools::default(),
            limits,
            polls: Polls::new(config.connections_max),
            passwords: Passwords::default(),
            workshop: Workshop::start(),
            trials: Trials::default(),
            origins,
            measures: Measures::start(),
            broken,
            n_conns: AtomicU64::new(0),
            config,
        })
    }

    /// Returns an id for a new connection: higher than all before it, and never 0.
    pub(crate) fn next_conn(&self) -> Conn {
        Conn(self.n_conns.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// True if new matches may start.
    pub(crate) fn takes_matches(&self) -> bool {
        self.committer.health().writes() && !self.hub.is_draining()
    }
}
