//! `referee serve`: runs the server until it receives a signal to stop.

use std::ffi::OsStr;
use std::io::Write;
use std::process;

use clap::{Arg, Args as _, ValueEnum};
use rustix::process::{Resource, getrlimit, setrlimit};
use server::{Config, Options};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::common::{Done, Failure};

/// Run the server: live matches over sockets, with accounts, storage and recovery.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    options: Options,

    /// The log filter: `error`, `warn`, `info`, `debug`, or per module: `info,server::room=debug`.
    #[arg(
        long,
        env = "REFEREE_LOG",
        default_value = "info",
        value_name = "FILTER"
    )]
    log: String,

    /// The log format.
    #[arg(long, env = "REFEREE_LOG_FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,
}

const EXAMPLES: &str = "Examples:
  referee serve
  referee serve --listen 127.0.0.1:9000 --data /var/lib/referee
  referee serve --database-url postgres://referee@127.0.0.1/referee
  REFEREE_TIMING=orcain.grace-ms=5000 referee serve --config referee.toml
  referee serve --timing catan.turn-ms=90000 --timing grace-ms=30000

The server shuts down gracefully on SIGTERM and SIGINT. It may be killed at any time: nothing
that was acknowledged is lost, and open matches resume at the next start.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// The exit code when storage is lost while the server runs.
const STORAGE_LOST: i32 = 3;

pub(crate) fn run(args: Args) -> Done {
    start_log(&args)?;
    warn_of_unknown_variables();
    let config =
        Config::resolve(args.options).map_err(|faults| Failure::Usage(faults.to_string()))?;
    allow_many_sockets();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Wrong(format!("cannot start the runtime: {error}")))?;
    let served = runtime.block_on(serve(config));
    // Does not wait for threads that are blocked on storage or clients.
    runtime.shutdown_background();
    served
}

fn start_log(args: &Args) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&args.log)
        .map_err(|error| Failure::Usage(format!("--log {:?}: {error}", args.log)))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_ansi(false).init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}

/// Warns of misspelled variables and those of removed options, which are otherwise ignored
/// silently.
fn warn_of_unknown_variables() {
    let command = Args::augment_args(clap::Command::new("serve"));
    let known: Vec<&OsStr> = command.get_arguments().filter_map(Arg::get_env).collect();
    for (name, _) in std::env::vars_os() {
        let ours = name.as_encoded_bytes().starts_with(b"REFEREE_");
        if ours && !known.contains(&name.as_os_str()) {
            let variable = name.to_string_lossy();
            tracing::warn!(%variable, "unknown environment variable; it is ignored");
        }
    }
}

/// Raises the limit on open files, and so on sockets, to the most that the system allows.
fn allow_many_sockets() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "cannot raise the limit on open files");
    }
}

async fn serve(config: Config) -> Done {
    let wrong =
        |error: std::io::Error| Failure::Wrong(format!("cannot listen for signals: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(wrong)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(wrong)?;
    let running = server::serve(config, |error| {
        tracing::error!(%error, "storage is lost; the server stops with exit code 3");
        process::exit(STORAGE_LOST);
    });
    let running = running
        .await
        .map_err(|error| Failure::Wrong(error.to_string()))?;
    announce(&format!("listening on http://{}", running.address()));
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tokio::select! {
        () = running.drain() => {}
        // A second interrupt skips the rest of the drain.
        _ = interrupt.recv() => {}
    }
    Ok(())
}

/// Prints a line and flushes it: programs that start the server wait for it.
fn announce(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).ok();
}
