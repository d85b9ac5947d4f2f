//! `referee snapshot`: checks snapshots and converts them between formats.

use std::path::{Path, PathBuf};

use catalog::{GameName, with_game};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use envelope::{Envelope, Format};
use kernel::doc::Fault;
use kernel::json::{self, Json};
use kernel::{Recorded, Table};
use serde::Serialize;

use crate::common::{self, Done, Failure, print, print_json};

/// Check a snapshot, or convert it to JSON, MessagePack or NPZ.
///
/// With --out, convert it to JSON, MessagePack or NPZ. The document and its hash are the same in
/// every format.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee snapshot saved.npz
  referee snapshot saved.json --out saved.msgpack --format msgpack
  referee replay match.jsonl --to 40 --json > state.json
  referee snapshot state.json --game catan --out state.npz --format npz")]
pub(crate) struct Args {
    /// An envelope in any format, a bare snapshot, or the output of `replay --json`.
    file: PathBuf,
    /// The game, if the file does not name it.
    #[arg(long, value_parser = common::game_parser())]
    game: Option<GameName>,
    /// Write an envelope to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format of the envelope.
    #[arg(long, default_value = "json", value_parser = format_parser())]
    format: Format,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::NAMES).map(|name| {
        let place = Format::NAMES.iter().position(|known| *known == name);
        Format::ALL[place.unwrap_or(0)]
    })
}

pub(crate) fn run(args: &Args) -> Done {
    let shown = args.file.display();
    let bytes = std::fs::read(&args.file).map_err(|error| format!("{shown}: {error}"))?;
    let envelope = open(&bytes, args.game).map_err(|why| format!("{shown}: {why}"))?;
    let game: GameName = envelope
        .game()
        .parse()
        .map_err(|error| format!("{shown}: {error}"))?;
    if args.game.is_some_and(|named| named != game) {
        return Err(Failure::Wrong(format!("{shown} is a snapshot of {game}")));
    }
    let told = with_game!(game, G => check::<G>(&envelope))
        .map_err(|why| format!("{shown} is not a snapshot of {game}:\n{why}"))?;
    if let Some(out) = &args.out {
        write(&envelope, args.format, out)?;
    }
    if args.json {
        print_json(&told)
    } else {
        let warnings = told.warnings.iter().map(|it| format!("\nwarning {it}"));
        let warnings: String = warnings.collect();
        print(format!("{}\n{}{warnings}", told.position, told.state_hash))
    }
}

#[derive(Serialize)]
struct Told {
    game: &'static str,
    position: String,
    state_hash: json::Hash,
    warnings: Vec<Fault>,
}

/// Reads an envelope, or wraps a bare document in one.
fn open(bytes: &[u8], game: Option<GameName>) -> Result<Envelope, String> {
    if let Ok(document) = json::read(bytes) {
        let bare = match &document {
            _ if document.get("format").is_some() => None,
            _ if document.get("schema_version").is_some() => Some(&document),
            _ => document.get("snapshot"),
        };
        if let Some(snapshot) = bare.cloned() {
            return enclose(snapshot, game);
        }
    }
    Envelope::read(bytes)
        .map(|(_, envelope)| envelope)
        .map_err(|faults| format!("this is not an envelope:\n{faults}"))
}

fn enclose(snapshot: Json, game: Option<GameName>) -> Result<Envelope, String> {
    match game {
        Some(game) => Ok(Envelope::new(game.as_str(), snapshot)),
        None => Err("a bare snapshot does not name its game: pass --game".to_owned()),
    }
}

/// Reads the snapshot by the rules of its game. The hash is that of the document as given, so a
/// snapshot in an older format keeps its hash.
fn check<G: Recorded>(envelope: &Envelope) -> Result<Told, String> {
    let (table, warnings) = Table::<G>::restore_with_warnings(envelope.snapshot())
        .map_err(|faults| faults.to_string())?;
    let state_hash = envelope.state_hash().map_err(|error| error.to_string())?;
    Ok(Told {
        game: G::NAME,
        position: table.position().to_string(),
        state_hash,
        warnings,
    })
}

fn write(envelope: &Envelope, format: Format, out: &Path) -> Done {
    let bytes = envelope.write(format)?;
    std::fs::write(out, bytes)
        .map_err(|error| Failure::Wrong(format!("{}: {error}", out.display())))
}
