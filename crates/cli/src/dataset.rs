//! `referee dataset`: exports matches as NumPy arrays.

use std::path::PathBuf;

use catalog::Roster;
use catalog::{GameName, with_game};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dataset::{Fault, GAMES_MAX, Manifest, Number, Options, SHARD_ROWS, SHARD_ROWS_MAX, SelfPlay};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::rng::Seed;
use learn::{Form, Frame, Learn, Sight};

use crate::common::{self, Done, Failure, SetupArgs, print, print_json, thousands};
use crate::simulate::{Patience, n_threads, progress_style, seat_agents};

/// Export self-play or recorded matches as NumPy arrays.
///
/// The same arguments produce the same bytes for any number of threads. The dataset is written
/// completely or not at all.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee dataset catan --seats heuristic,random --games 1000 --seed 1 --out data
  referee dataset orcain --games 100000 --dtype float32 --shard-rows 10000 --out data
  referee dataset orcain --records records --out data
  referee dataset catan --records one.jsonl two.jsonl --out data --json")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    /// Number of matches to play.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(GAMES_MAX)), required_unless_present = "records")]
    games: Option<u32>,
    /// The agent of each seat, separated by commas. A single name plays all seats.
    #[arg(long, value_delimiter = ',', default_value = "random")]
    seats: Vec<String>,
    /// A non-negative integer of up to 4096 bits.
    #[arg(long, default_value = "0", value_parser = common::parse_seed, allow_hyphen_values = true)]
    seed: Seed,
    #[command(flatten)]
    setup: SetupArgs,
    /// Read recorded matches instead: record files, or folders of them (*.jsonl).
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "seats", "seed", "setup", "scenario"])]
    records: Vec<PathBuf>,
    /// The folder to write, which must be empty or not exist yet.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Close a shard at the end of the match with which it reaches this many rows.
    #[arg(long, value_name = "N", default_value_t = SHARD_ROWS as u32, value_parser = clap::value_parser!(u32).range(1..=SHARD_ROWS_MAX as i64))]
    shard_rows: u32,
    /// The number type of observations.
    #[arg(long, default_value = "uint8", value_parser = one_of(Number::NAMES, Number::ALL))]
    dtype: Number,
    /// The information in observations: what the seat may know, or what all seats know together.
    #[arg(long, default_value = "honest", value_parser = one_of(Sight::NAMES, Sight::ALL))]
    sight: Sight,
    /// The numbering of seats in observations: the game's, or relative to the observing seat.
    #[arg(long, default_value = "given", value_parser = one_of(Frame::NAMES, Frame::ALL))]
    frame: Frame,
    /// Number of threads [default: one per processor].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    patience: Patience,
    /// Print the dataset's manifest as JSON.
    #[arg(long)]
    json: bool,
}

/// Parses one of `names` into the value at the same index of `all`.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    names: [&'static str; N],
    all: [T; N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| {
        let idx = names.iter().position(|known| *known == name);
        idx.map(|idx| all[idx]).ok_or("an unknown name")
    })
}

pub(crate) fn run(args: &Args) -> Done {
    let manifest = with_game!(args.game, G => make::<G>(args))?;
    if args.json {
        return print_json(&manifest);
    }
    let n_bytes = manifest.shards.iter().map(|shard| shard.n_bytes).sum();
    print(format!(
        "{} · {} rows of {} matches in {} shards, {} bytes\n{}",
        manifest.game,
        thousands(manifest.n_rows),
        thousands(manifest.n_episodes),
        thousands(manifest.shards.len() as u64),
        thousands(n_bytes),
        args.out.display()
    ))
}

fn make<G: Roster + Learn>(args: &Args) -> Result<Manifest, Failure> {
    let options = Options {
        form: Form {
            sight: args.sight,
            frame: args.frame,
        },
        number: args.dtype,
        shard_rows: args.shard_rows as usize,
        n_threads: n_threads(args.threads),
    };
    let bar = progress(args);
    let done = |n_matches| bar.set_position(n_matches);
    let made = match args.games {
        None => {
            let files = dataset::record_files(&args.records).map_err(|fault| failure(&fault))?;
            dataset::from_records::<G>(&files, &options, &args.out, &done)
        }
        Some(n_games) => {
            let setup = args.setup.read::<G>()?;
            let play = SelfPlay {
                agents: &seat_agents::<G>(&args.seats, &setup, args.patience)?,
                setup: &setup,
                n_games,
                seed: args.seed.clone(),
            };
            dataset::self_play(&play, &options, &args.out, &done)
        }
    };
    bar.finish_and_clear();
    made.map_err(|fault| failure(&fault))
}

/// A bar for self-play, or a spinner for records, whose number is not known in advance.
fn progress(args: &Args) -> ProgressBar {
    match args.games {
        Some(n_games) => ProgressBar::new(n_games.into()).with_style(progress_style()),
        None => {
            let template = "{spinner} {human_pos} matches · {per_sec}";
            let style = ProgressStyle::with_template(template);
            ProgressBar::no_length()
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        }
    }
}

fn failure(fault: &Fault) -> Failure {
    match fault {
        Fault::Options(_) => Failure::Usage(fault.to_string()),
        Fault::Files(_) | Fault::Records(_) | Fault::Play(_) => Failure::Wrong(fault.to_string()),
    }
}
