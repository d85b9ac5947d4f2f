//! One static configuration: flags first, then the environment, then a file, then the defaults.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use serde::Deserialize;
use session::Ms;
use store::Bounds;

use crate::clock::TestClock;
use crate::peer::Proxies;
use crate::timing::{Timing, Timings};

/// The options an operator can set by flag, by environment variable or in a file. An option that is
/// not set has its default.
#[derive(clap::Args, Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Options {
    /// A TOML file with these options: `listen = "127.0.0.1:9000"`. Flags and environment variables
    /// override it.
    #[arg(long, env = "REFEREE_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// The address to listen on (default: 127.0.0.1:8080). Port 0 picks a free port.
    #[arg(long, env = "REFEREE_LISTEN", value_name = "ADDR")]
    pub listen: Option<SocketAddr>,

    /// The data directory, which holds the embedded database and its lock (default: referee-data).
    #[arg(long, env = "REFEREE_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// The PostgreSQL database to use instead of the embedded one: `postgres://user@host/name`.
    #[arg(
        long,
        env = "REFEREE_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,

    /// The URL that players see, if it differs from the listening address.
    #[arg(long, env = "REFEREE_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// The exact origin of another web page that may connect, such as `https://play.example`. Can
    /// be given several times.
    #[arg(
        long = "origin",
        env = "REFEREE_ORIGINS",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub origins: Option<Vec<String>>,

    /// Confirm that a proxy with TLS runs in front of the server. Without this flag, the server
    /// refuses to listen on a public address.
    #[arg(long, env = "REFEREE_BEHIND_PROXY", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub behind_proxy: Option<bool>,

    /// A proxy whose `X-Forwarded-For` header is trusted. Can be given several times.
    #[arg(
        long = "trusted-proxy",
        env = "REFEREE_TRUSTED_PROXIES",
        value_name = "IP",
        value_delimiter = ','
    )]
    pub trusted_proxies: Option<Vec<IpAddr>>,

    /// Serve `/metrics`, `/healthz` and `/readyz` on this address too. Without it, `/metrics` is
    /// available only to direct connections from this machine.
    #[arg(long, env = "REFEREE_ADMIN_LISTEN", value_name = "ADDR")]
    pub admin_listen: Option<SocketAddr>,

    /// A game's timing in milliseconds: `orcain.turn-ms=15000` for one game, `grace-ms=30000` for
    /// all. The names are `turn-ms` (time to decide), `first-step-ms` and `step-ms` (before the
    /// first reveal, and between reveals), `grace-ms` (time to reconnect) and `pause-budget-ms`
    /// (the sum of a player's grace periods; default: three times the grace period). Can be given
    /// several times.
    #[arg(
        long,
        env = "REFEREE_TIMING",
        value_name = "TIME=MS",
        value_delimiter = ','
    )]
    pub timing: Vec<Timing>,

    /// Time a match waits for its players after a restart. If none of them returns, it is void and
    /// stakes are returned (default: 300000).
    #[arg(long, env = "REFEREE_REJOIN_GRACE_MS", value_name = "MS")]
    pub rejoin_grace_ms: Option<Ms>,

    /// Time a commit may take before it counts as an outage. Raise it for a disk that sometimes
    /// stalls (default: 1000).
    #[arg(long, env = "REFEREE_STORAGE_PATIENCE_MS", value_name = "MS")]
    pub storage_patience_ms: Option<Ms>,

    /// Time bots wait before each decision in a match between bots only (default: 2000).
    #[arg(long, env = "REFEREE_BOT_PAUSE_MS", value_name = "MS")]
    pub bot_pause_ms: Option<Ms>,

    /// Time a bot waits before each decision in a match with people (default: 700).
    #[arg(long, env = "REFEREE_BOT_BEAT_MS", value_name = "MS")]
    pub bot_beat_ms: Option<Ms>,

    /// Tokens of a new account (default: 10).
    #[arg(long, env = "REFEREE_START_TOKENS", value_name = "N")]
    pub start_tokens: Option<u64>,

    /// The default stake of a match between people, in tokens (default: 1).
    #[arg(long, env = "REFEREE_STAKE", value_name = "N")]
    pub stake: Option<u64>,

    /// The price of a nickname change in tokens; the first change is free (default: 3).
    #[arg(long, env = "REFEREE_NICKNAME_COST", value_name = "N")]
    pub nickname_cost: Option<u64>,

    /// The most tokens an account can gain per day, net (default: 50).
    #[arg(long, env = "REFEREE_DAILY_TOKENS_MAX", value_name = "N")]
    pub daily_tokens_max: Option<u64>,

    /// The most tokens an account can gain per day from newcomers, net (default: 5).
    #[arg(long, env = "REFEREE_NEWCOMER_TOKENS_MAX", value_name = "N")]
    pub newcomer_tokens_max: Option<u64>,

    /// The most league points an account can gain per day, net (default: 100).
    #[arg(long, env = "REFEREE_DAILY_POINTS_MAX", value_name = "N")]
    pub daily_points_max: Option<u64>,

    /// The most league points an account can gain per day from newcomers, net (default: 25).
    #[arg(long, env = "REFEREE_NEWCOMER_POINTS_MAX", value_name = "N")]
    pub newcomer_points_max: Option<u64>,

    /// Days after which a token that is not rotated expires (default: 90).
    #[arg(long, env = "REFEREE_TOKEN_DAYS", value_name = "N")]
    pub token_days: Option<u32>,

    /// New accounts per address and hour (default: 60). This machine's addresses are not limited.
    #[arg(long, env = "REFEREE_GUESTS_PER_HOUR", value_name = "N")]
    pub guests_per_hour: Option<u32>,

    /// Messages per second and socket, with bursts of twice as many (default: 20).
    #[arg(long, env = "REFEREE_MESSAGES_PER_SECOND", value_name = "N")]
    pub messages_per_second: Option<u32>,

    /// Connections in total (default: 50000).
    #[arg(long, env = "REFEREE_CONNECTIONS_MAX", value_name = "N")]
    pub connections_max: Option<usize>,

    /// Connections per address (default: 100). This machine's addresses are not limited.
    #[arg(long, env = "REFEREE_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub connections_per_address: Option<usize>,

    /// Seconds a stopping server waits for matches to end (default: 20).
    #[arg(long, env = "REFEREE_DRAIN_SECONDS", value_name = "S")]
    pub drain_seconds: Option<u64>,
}

/// The complete, validated configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) test_clock: Option<TestClock>,
    pub(crate) listen: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) database_url: Option<String>,
    pub(crate) public_url: Option<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) trusted_proxies: Proxies,
    pub(crate) admin_listen: Option<SocketAddr>,
    pub(crate) timings: Timings,
    pub(crate) rejoin_grace_ms: Ms,
    pub(crate) storage_patience_ms: Ms,
    pub(crate) bot_pause_ms: Ms,
    pub(crate) bot_beat_ms: Ms,
    pub(crate) start_tokens: u64,
    pub(crate) stake: u64,
    pub(crate) nickname_cost: u64,
    pub(crate) bounds: Bounds,
    pub(crate) token_ms: Ms,
    pub(crate) guests_per_hour: u32,
    pub(crate) messages_per_second: u32,
    pub(crate) connections_max: usize,
    pub(crate) connections_per_address: usize,
    pub(crate) drain_ms: Ms,
}

/// Everything wrong with a configuration, one message per fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigFaults(pub Vec<String>);

impl fmt::Display for ConfigFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigFaults {}

/// The longest time an option accepts: one day.
pub(crate) const MS_MAX: Ms = 24 * 3_600_000;

impl Config {
    /// Reads the configuration file if one is named, merges it and checks every option.
    pub fn resolve(given: Options) -> Result<Config, ConfigFaults> {
        let file = match &given.config {
            None => Options::default(),
            Some(path) => read_file(path).map_err(|fault| ConfigFaults(vec![fault]))?,
        };
        let options = given.over(file);
        let config = Config::from(&options);
        let faults = config.faults(options.behind_proxy == Some(true));
        if faults.is_empty() {
            Ok(config)
        } else {
            Err(ConfigFaults(faults))
        }
    }

    /// Returns the same configuration with a clock that a test drives.
    #[doc(hidden)]
    #[must_use]
    pub fn with_test_clock(self, clock: &TestClock) -> Config {
        Config {
            test_clock: Some(clock.clone()),
            ..self
        }
    }

    fn faults(&self, behind_proxy: bool) -> Vec<String> {
        let mut faults = Vec::new();
        let listening = [
            ("listen", Some(self.listen)),
            ("admin-listen", self.admin_listen),
        ];
        for (name, address) in listening {
            if let Some(address) = address
                && !address.ip().to_canonical().is_loopback()
                && !behind_proxy
            {
                faults.push(format!(
                    "--{name} {address}: this address is public, and the \
                     server speaks plain HTTP; put a proxy with TLS in front of it and pass \
                     --behind-proxy, or listen on 127.0.0.1"
                ));
            }
        }
        faults.extend(self.timings.faults());
        let patience_ms = self.storage_patience_ms;
        if patience_ms == 0 || patience_ms > MS_MAX {
            faults.push(format!(
                "--storage-patience-ms {patience_ms}: expected 1 to {MS_MAX} (a day)"
            ));
        }
        for (name, ms) in [
            ("rejoin-grace-ms", self.rejoin_grace_ms),
            ("bot-pause-ms", self.bot_pause_ms),
            ("bot-beat-ms", self.bot_beat_ms),
        ] {
            if ms > MS_MAX {
                faults.push(format!("--{name} {ms}: expected at most {MS_MAX} (a day)"));
            }
        }
        for (name, n) in [
            ("token-days", self.token_ms),
            ("guests-per-hour", self.guests_per_hour.into()),
            ("messages-per-second", self.messages_per_second.into()),
            ("connections-max", self.connections_max as u64),
            (
                "connections-per-address",
                self.connections_per_address as u64,
            ),
        ] {
            if n == 0 {
                faults.push(format!("--{name} 0: expected at least 1"));
            }
        }
        faults.extend(self.origins.iter().filter_map(|it| origin_fault(it)));
        faults.extend(self.public_url.iter().filter_map(|it| origin_fault(it)));
        if let Some(url) = &self.database_url
            && let Err(fault) = store::Place::from_url(url)
        {
            faults.push(format!("--database-url: {fault}"));
        }
        faults
    }
}

fn origin_fault(origin: &str) -> Option<String> {
    let rest = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"));
    let sound = rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '?', '#', ' ']));
    (!sound).then(|| {
        format!(
            "the origin {origin:?}: expected a scheme and a host without a path, such as \
             \"https://play.example\""
        )
    })
}

fn read_file(path: &PathBuf) -> Result<Options, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("--config {shown}: cannot be read: {error}"))?;
    toml::from_str(&text).map_err(|error| format!("--config {shown}: {error}"))
}

impl Options {
    /// Returns these options, filled from `other` where they are not set.
    fn over(self, other: Options) -> Options {
        Options {
            config: self.config,
            listen: self.listen.or(other.listen),
            data: self.data.or(other.data),
            database_url: self.database_url.or(other.database_url),
            public_url: self.public_url.or(other.public_url),
            origins: self.origins.or(other.origins),
            behind_proxy: self.behind_proxy.or(other.behind_proxy),
            trusted_proxies: self.trusted_proxies.or(other.trusted_proxies),
            admin_listen: self.admin_listen.or(other.admin_listen),
            timing: other.timing.into_iter().chain(self.timing).collect(),
            rejoin_grace_ms: self.rejoin_grace_ms.or(other.rejoin_grace_ms),
            storage_patience_ms: self.storage_patience_ms.or(other.storage_patience_ms),
            bot_pause_ms: self.bot_pause_ms.or(other.bot_pause_ms),
            bot_beat_ms: self.bot_beat_ms.or(other.bot_beat_ms),
            start_tokens: self.start_tokens.or(other.start_tokens),
            stake: self.stake.or(other.stake),
            nickname_cost: self.nickname_cost.or(other.nickname_cost),
            daily_tokens_max: self.daily_tokens_max.or(other.daily_tokens_max),
            newcomer_tokens_max: self.newcomer_tokens_max.or(other.newcomer_tokens_max),
            daily_points_max: self.daily_points_max.or(other.daily_points_max),
            newcomer_points_max: self.newcomer_points_max.or(other.newcomer_points_max),
            token_days: self.token_days.or(other.token_days),
            guests_per_hour: self.guests_per_hour.or(other.guests_per_hour),
            messages_per_second: self.messages_per_second.or(other.messages_per_second),
            connections_max: self.connections_max.or(other.connections_max),
            connections_per_address: self
                .connections_per_address
                .or(other.connections_per_address),
            drain_seconds: self.drain_seconds.or(other.drain_seconds),
        }
    }
}

impl From<&Options> for Config {
    fn from(given: &Options) -> Config {
        let bounds = Bounds::default();
        Config {
            test_clock: None,
            listen: given
                .listen
                .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080))),
            data: given.data.clone().unwrap_or_else(|| "referee-data".into()),
            database_url: given.database_url.clone(),
            public_url: given.public_url.clone(),
            origins: given.origins.clone().unwrap_or_default(),
            trusted_proxies: Proxies::new(given.trusted_proxies.as_deref().unwrap_or_default()),
            admin_listen: given.admin_listen,
            timings: Timings(given.timing.clone()),
            rejoin_grace_ms: given.rejoin_grace_ms.unwrap_or(300_000),
            storage_patience_ms: given.storage_patience_ms.unwrap_or(1_000),
            bot_pause_ms: given.bot_pause_ms.unwrap_or(2_000),
            bot_beat_ms: given.bot_beat_ms.unwrap_or(700),
            start_tokens: given.start_tokens.unwrap_or(10),
            stake: given.stake.unwrap_or(1),
            nickname_cost: given.nickname_cost.unwrap_or(3),
            bounds: Bounds {
                tokens: given.daily_tokens_max.unwrap_or(bounds.tokens),
                newcomer_tokens: given.newcomer_tokens_max.unwrap_or(bounds.newcomer_tokens),
                points: given.daily_points_max.unwrap_or(bounds.points),
                newcomer_points: given.newcomer_points_max.unwrap_or(bounds.newcomer_points),
            },
            token_ms: Ms::from(given.token_days.unwrap_or(90)) * 24 * 3_600_000,
            guests_per_hour: given.guests_per_hour.unwrap_or(60),
            messages_per_second: given.messages_per_second.unwrap_or(20),
            connections_max: given.connections_max.unwrap_or(50_000),
            connections_per_address: given.connections_per_address.unwrap_or(100),
            drain_ms: given.drain_seconds.unwrap_or(20).saturating_mul(1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_override_the_file_and_the_file_overrides_the_defaults() {
        let file: Options =
            toml::from_str("stake = 5\ntiming = [\"step-ms=9\", \"turn-ms=8\"]").expect("reads");
        let flags = Options {
            stake: Some(7),
            timing: vec!["turn-ms=5".parse().expect("reads")],
            ..Options::default()
        };
        let config = Config::from(&flags.over(file));
        let pace = config.timings.policy::<catalog::Orcain>().pace;
        assert_eq!((config.stake, pace.turn_ms, pace.step_ms), (7, 5, 9));
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let options = Options {
            listen: Some(SocketAddr::from(([0, 0, 0, 0], 8080))),
            admin_listen: Some(SocketAddr::from(([192, 0, 2, 1], 9090))),
            timing: vec!["turn-ms=0".parse().expect("reads")],
            origins: Some(vec!["play.example".to_owned()]),
            database_url: Some("mysql://x".to_owned()),
            ..Options::default()
        };
        let faults = Config::resolve(options).expect_err("is invalid");
        assert_eq!(faults.0.len(), 5, "{faults}");
        assert!(faults.0[0].contains("--listen 0.0.0.0:8080"), "{faults}");
        assert!(
            faults.0[1].contains("--admin-listen 192.0.2.1:9090"),
            "{faults}"
        );
        assert!(faults.0[1].contains("--behind-proxy"), "{faults}");
    }

    #[test]
    fn an_unknown_option_in_the_file_is_named() {
        let fault = toml::from_str::<Options>("stakes = 5").expect_err("is unknown");
        assert!(fault.to_string().contains("stakes"));
    }
}
