//! The life of a server: open storage, resume open matches, serve, drain, stop.

use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use session::Ms;
use store::{Place, Store, StoreError};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use wire::codes::CloseCode;
use wire::native::ServerMessage;

use crate::clock::Clock;
use crate::committer::{Committer, ShortLog};
use crate::config::Config;
use crate::gateway::tell_wait_is_over;
use crate::health::Health;
use crate::hub::Census;
use crate::readers::Readers;
use crate::server::Server;
use crate::voice::Speech;
use crate::{accept, http, moderation, restart};

/// The interval at which queues and lobbies are checked.
const PAIR_EVERY: Duration = Duration::from_millis(500);
/// The interval at which expired entries are removed.
const PRUNE_EVERY: Duration = Duration::from_secs(300);

/// The reason a server did not start.
#[derive(Debug)]
pub enum ServeError {
    /// The data directory could not be created.
    Data {
        /// The directory's path, as configured.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Storage could not be opened or claimed.
    Store(StoreError),
    /// The server could not listen on an address.
    Listen {
        /// The address, as configured.
        address: SocketAddr,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The open matches could not be resumed. The log has the reason.
    Recovery,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Data { path, error } => {
                write!(
                    f,
                    "the data directory {path} cannot be created: {error}; choose another with --data"
                )
            }
            ServeError::Store(error) => error.fmt(f),
            ServeError::Listen { address, error } => {
                write!(
                    f,
                    "cannot listen on {address}: {error}; choose another address with --listen"
                )
            }
            ServeError::Recovery => {
                f.write_str("the open matches could not be resumed; see the log for the reason")
            }
        }
    }
}

impl std::error::Error for ServeError {}

/// A running server.
pub struct Running {
    pub(crate) server: Arc<Server>,
    address: SocketAddr,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

/// Starts a server. When this returns, open matches have resumed and clients can connect. `lost` is
/// called if storage is lost for good, possibly by more than one thread. The process must then
/// exit; everything acknowledged is durable.
pub async fn serve(
    config: Config,
    lost: impl Fn(&StoreError) + Send + Sync + 'static,
) -> Result<Running, ServeError> {
    let place = place(&config)?;
    let clock = Clock::start(config.test_clock.clone());
    let patience_ms = config.storage_patience_ms;
    let (committer, readers) = open_storage(place, (clock.clone(), patience_ms), lost).await?;
    let listener = TcpListener::bind(config.listen).await;
    let listener = listener.map_err(|error| ServeError::Listen {
        address: config.listen,
        error,
    })?;
    let address = listener.local_addr().unwrap_or(config.listen);
    let origins = origins(&config, address);
    let (broken, to_restart) = mpsc::unbounded_channel();
    let server = Server::new(config, clock, committer, readers, origins, broken);
    let recovered = server.recover().await.map_err(|_| ServeError::Recovery)?;
    tracing::info!(
        n_resumed = recovered.n_resumed,
        n_quarantined = recovered.n_quarantined,
        "resumed open matches"
    );
    let (stop, stopped) = watch::channel(false);
    let mut tasks = vec![tokio::spawn(accept::serve(
        Arc::clone(&server),
        listener,
        http::router(&server),
        stopped.clone(),
    ))];
    if let Some(address) = server.config.admin_listen {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| ServeError::Listen { address, error })?;
        let router = http::admin_router(&server);
        tasks.push(tokio::spawn(accept::serve(
            Arc::clone(&server),
            listener,
            router,
            stopped,
        )));
    }
    tasks.push(tokio::spawn(restart::restart_rooms(
        Arc::clone(&server),
        to_restart,
    )));
    tasks.push(tokio::spawn(pair_on(Arc::clone(&server))));
    tasks.push(tokio::spawn(prune_on(Arc::clone(&server))));
    tasks.push(tokio::spawn(moderation::act_on(Arc::clone(&server))));
    Ok(Running {
        server,
        address,
        stop,
        tasks,
    })
}

/// Opens storage and hands it to the threads that use it. The storage libraries block while they
/// connect, so they must be neither opened nor dropped on a runtime thread.
async fn open_storage(
    place: Place,
    (clock, patience_ms): (Clock, Ms),
    lost: impl Fn(&StoreError) + Send + Sync + 'static,
) -> Result<(Committer, Readers), ServeError> {
    let lost = Arc::new(lost);
    let open = move || {
        let moved = Arc::clone(&lost);
        let mut store = Store::open(&place)?;
        store.claim(clock.now())?;
        let log = match &place {
            Place::Sqlite(_) => Some(ShortLog::keep(Store::open(&place)?, move |error| {
                moved(error);
            })),
            Place::Postgres(_) => None,
        };
        let health = Health::new(clock, patience_ms);
        let readers = Readers::start(&place, Arc::clone(&health))?;
        let committer = Committer::start(store, log, health, move |error| lost(error));
        Ok((committer, readers))
    };
    let opened = tokio::task::spawn_blocking(open).await;
    let unopened = |_| StoreError::Unavailable {
        message: "the thread that opens it stopped".to_owned(),
    };
    opened
        .unwrap_or_else(|error| Err(unopened(error)))
        .map_err(ServeError::Store)
}

/// Returns the OpenAPI document as JSON.
pub fn openapi() -> String {
    http::openapi_document()
}

fn place(config: &Config) -> Result<Place, ServeError> {
    if let Some(url) = &config.database_url {
        return Place::from_url(url).map_err(|fault| {
            ServeError::Store(StoreError::Unavailable {
                message: fault.to_string(),
            })
        });
    }
    let data: &Path = &config.data;
    std::fs::create_dir_all(data).map_err(|error| ServeError::Data {
        path: data.display().to_string(),
        error,
    })?;
    Ok(Place::Sqlite(data.join("referee.sqlite")))
}

/// The exact origins of the pages that may connect.
fn origins(config: &Config, address: SocketAddr) -> Vec<String> {
    let mut origins = config.origins.clone();
    origins.extend(config.public_url.clone());
    let port = address.port();
    if address.ip().is_loopback() {
        let names = ["127.0.0.1", "localhost", "[::1]"];
        origins.extend(names.map(|name| format!("http://{name}:{port}")));
    }
    origins
}

async fn pair_on(server: Arc<Server>) {
    let mut ticks = tokio::time::interval(PAIR_EVERY);
    loop {
        ticks.tick().await;
        let pairs = server.hub.pair(server.clock.now());
        server.begin_pairs(pairs);
        server.look_at_lobbies(server.clock.now());
        let waiting: usize = server.hub.queue_sizes().iter().map(|(_, n)| n).sum();
        metrics::gauge!("referee_players_waiting").set(waiting as f64);
        let held = server.limits.holdings().n_bytes();
        metrics::gauge!("referee_held_bytes").set(held as f64);
        server.measures.run_upkeep();
    }
}

async fn prune_on(server: Arc<Server>) {
    let mut ticks = tokio::time::interval(PRUNE_EVERY);
    loop {
        ticks.tick().await;
        server.prune().await;
    }
}

impl Running {
    /// The address the server listens on, with the port the system chose if it was 0.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Counts what the server keeps in memory for connected clients.
    pub fn census(&self) -> Census {
        self.server.hub.census()
    }

    /// Stops gracefully. No new match starts, and running matches get the drain period to end.
    /// Matches still open after that resume at the next start, and no player loses time.
    pub async fn drain(self) {
        let server = &self.server;
        let until_ms = server.clock.now() + server.config.drain_ms;
        let drained = server.hub.drain();
        tracing::info!(n_matches = server.hub.n_rooms(), "draining");
        for client in &drained.present {
            match client.speech {
                Speech::Native => client
                    .line
                    .send(ServerMessage::<()>::Draining { until_ms }.write()),
                Speech::Old => {
                    let code = wire::codes::ErrorCode::Draining;
                    client
                        .line
                        .send(wire::old::error_msg(Some(code.code()), code.sentence()));
                }
            }
        }
        for client in &drained.waited {
            tell_wait_is_over(client, wire::codes::ErrorCode::Draining);
        }
        self.wait_for_rooms().await;
        server.hub.stop();
        for client in server.hub.drain().present {
            client.line.hang_up(CloseCode::GoingAway);
        }
        self.stop.send(true).ok();
        // Close frames need a moment to go out.
        tokio::time::sleep(Duration::from_millis(100)).await;
        for task in self.tasks {
            task.abort();
        }
        tracing::info!(n_open = server.hub.n_rooms(), "stopped");
    }

    async fn wait_for_rooms(&self) {
        let server = &self.server;
        let patience = tokio::time::sleep(Duration::from_millis(server.config.drain_ms));
        tokio::pin!(patience);
        loop {
            let closed = server.hub.room_closed.notified();
            if server.hub.n_rooms() == 0 {
                return;
            }
            tokio::select! {
                () = closed => {}
                () = &mut patience => return,
            }
        }
    }
}
