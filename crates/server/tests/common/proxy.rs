//! A connection to PostgreSQL that can stall without breaking, and can be cut.

use std::sync::Arc;

use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::sync::watch;

/// Forwards bytes between a server and its PostgreSQL.
pub(crate) struct Proxy {
    folder: TempDir,
    line: Arc<watch::Sender<Line>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Open,
    /// Bytes wait until the connection is open again.
    Silent,
    /// Connections are closed, and new ones as soon as they are made.
    Cut,
}

impl Proxy {
    /// A proxy in front of the tests' PostgreSQL.
    pub(crate) fn before_postgres() -> Proxy {
        let url = std::env::var("REFEREE_TEST_POSTGRES_URL").unwrap();
        let target = Target::of(&url);
        let folder = TempDir::new().unwrap();
        let listener = UnixListener::bind(folder.path().join(target.socket())).unwrap();
        let line = Arc::new(watch::Sender::new(Line::Open));
        let sender = Arc::clone(&line);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if *sender.borrow() != Line::Cut {
                    join(near, &target, &sender).await;
                }
            }
        });
        Proxy { folder, line }
    }

    /// The URL of the same database through this proxy.
    pub(crate) fn through(&self, url: &str) -> String {
        let folder = self.folder.path().display().to_string();
        url.replacen(&Target::of(url).host, &folder.replace('/', "%2F"), 1)
    }

    pub(crate) fn set(&self, line: Line) {
        self.line.send_replace(line);
    }
}

async fn join(near: UnixStream, target: &Target, line: &watch::Sender<Line>) {
    let (near_in, near_out) = near.into_split();
    let (flow, flow_back) = (line.subscribe(), line.subscribe());
    let folder = target.host.replace("%2F", "/");
    if folder.starts_with('/') {
        let far = UnixStream::connect(format!("{folder}/{}", target.socket())).await;
        let (far_in, far_out) = far.unwrap().into_split();
        tokio::spawn(carry(near_in, far_out, flow));
        tokio::spawn(carry(far_in, near_out, flow_back));
    } else {
        let far = TcpStream::connect((target.host.as_str(), target.port)).await;
        let (far_in, far_out) = far.unwrap().into_split();
        tokio::spawn(carry(near_in, far_out, flow));
        tokio::spawn(carry(far_in, near_out, flow_back));
    }
}

async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    line: watch::Receiver<Line>,
) {
    let (mut is_cut, mut flows) = (line.clone(), line);
    let mut bytes = [0; 16 * 1024];
    let carried = async {
        while let Ok(n @ 1..) = from.read(&mut bytes).await {
            let flowing = flows.wait_for(|line| *line == Line::Open).await.is_ok();
            if !flowing || to.write_all(&bytes[..n]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = carried => {}
        _ = is_cut.wait_for(|line| *line == Line::Cut) => {}
    }
}

/// The target of a database URL: a host name or the folder of its socket, and a port.
struct Target {
    host: String,
    port: u16,
}

impl Target {
    fn of(url: &str) -> Target {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.split(['/', '?']).next().unwrap_or(rest);
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        let (host, port) = place.split_once(':').unwrap_or((place, "5432"));
        Target {
            host: host.to_owned(),
            port: port.parse().unwrap(),
        }
    }

    /// The name of PostgreSQL's socket in its folder.
    fn socket(&self) -> String {
        format!(".s.PGSQL.{}", self.port)
    }
}
