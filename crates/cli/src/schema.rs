//! `referee schema`: prints JSON Schemas.

use catalog::{GameName, with_game};
use clap::builder::PossibleValuesParser;
use kernel::Describe;
use kernel::schema::{record_schema, snapshot_schema};

use crate::common::{Done, Failure, game_parser, print, print_json};

/// Print a JSON Schema, generated from the types that read and write the documents.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee schema record
  referee schema protocol-server
  referee schema protocol-client --game catan
  referee schema orcain-setup
  referee schema orcain-snapshot")]
pub(crate) struct Args {
    /// The schema to print.
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    name: String,
    /// Limit a protocol schema to matches of this game. Without it, the schema covers all games.
    #[arg(long, value_parser = game_parser())]
    game: Option<GameName>,
}

/// All schemas: the record, both sides of the live protocol, the HTTP API, and for each game its
/// setup, its snapshot and its words on the wire.
fn names() -> Vec<String> {
    let parts = ["setup", "snapshot", "words"];
    let of_game = |game: GameName| parts.map(|part| format!("{game}-{part}"));
    let mut names: Vec<String> = GameName::ALL.into_iter().flat_map(of_game).collect();
    names.extend(["http", "protocol-client", "protocol-server", "record"].map(str::to_owned));
    names
}

pub(crate) fn run(args: &Args) -> Done {
    let games = args.game.map_or(GameName::ALL.to_vec(), |game| vec![game]);
    match args.name.as_str() {
        "protocol-client" => return print_json(&wire::schema::client_schema(&games)),
        "protocol-server" => return print_json(&wire::schema::server_schema(&games)),
        name if args.game.is_some() => {
            return Err(Failure::Usage(format!(
                "--game applies only to protocol-client and protocol-server, not to {name}"
            )));
        }
        "record" => return print_json(&record_schema()),
        "http" => return print(server::openapi()),
        _ => {}
    }
    let Some((game, part)) = args.name.split_once('-') else {
        return Err(Failure::Wrong(format!(
            "there is no schema {:?}",
            args.name
        )));
    };
    let game: GameName = game.parse()?;
    with_game!(game, G => match part {
        "setup" => print_json(&G::setup_schema()),
        "words" => print_json(&wire::schema::words_schema(game)),
        _ => print_json(&snapshot_schema::<G>()),
    })
}
