//! `referee scenario new` and `generate`.

use std::io::{self, BufRead, Write as _};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use stellar::Percentage;
use stellar::scenario::{Blueprint, Homes, Scenario, Symmetry, Topology};

use super::hand_out;
use crate::common::{Done, Failure};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The title. If omitted, the command asks for all values.
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    generate: GenerateArgs,
}

#[derive(clap::Args, Clone)]
pub(crate) struct GenerateArgs {
    /// The shape of the galaxy.
    #[arg(long, default_value = "ring", value_parser = PossibleValuesParser::new(Topology::NAMES))]
    topology: String,
    /// The symmetry of the galaxy [default: rotational if the systems can be divided evenly among
    /// the factions, otherwise none, with fair homes if there are any].
    #[arg(long, value_parser = PossibleValuesParser::new(Symmetry::NAMES))]
    symmetry: Option<String>,
    /// Number of systems.
    #[arg(long, default_value_t = 60)]
    systems: u32,
    /// Number of factions, 2 to 8.
    #[arg(long, default_value_t = 2)]
    factions: u8,
    /// The seed of the galaxy, stored in the scenario.
    #[arg(long, default_value_t = 0)]
    seed: u32,
    /// Store no seed: each match draws a galaxy of its own.
    #[arg(long)]
    open_galaxy: bool,
    /// The last turn.
    #[arg(long, default_value_t = 100)]
    turns: u32,
    /// The share of systems that wins, greater than 0 and at most 1.
    #[arg(long, default_value = "0.6")]
    domination: String,
    /// The file to write [default: standard output].
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn generate(args: &GenerateArgs) -> Done {
    let title = format!("{} of {} systems", capital(&args.topology), args.systems);
    hand_out(&make(&title, args)?, args.out.as_deref(), args.seed)
}

pub(crate) fn run(args: &Args) -> Done {
    let (title, generate) = match &args.title {
        Some(title) => (title.clone(), args.generate.clone()),
        None => ask_all(args.generate.clone())?,
    };
    let scenario = make(&title, &generate)?;
    hand_out(&scenario, generate.out.as_deref(), generate.seed)
}

/// Asks for the values of all flags. An empty answer keeps the value shown.
fn ask_all(mut args: GenerateArgs) -> Result<(String, GenerateArgs), Failure> {
    let title = ask("Title", "New war")?;
    args.topology = ask(
        "Topology (spiral, cluster, ring, scattered)",
        &args.topology,
    )?;
    args.systems = ask_number("Systems", args.systems)?;
    args.factions = ask_number("Factions (2 to 8)", u32::from(args.factions))?
        .try_into()
        .map_err(|_| "expected 2 to 8 factions")?;
    args.turns = ask_number("Last turn", args.turns)?;
    args.domination = ask("Share of systems that wins", &args.domination)?;
    Ok((title, args))
}

fn ask(what: &str, standard: &str) -> Result<String, Failure> {
    eprint!("{what} [{standard}]: ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(match answer.trim() {
        "" => standard.to_owned(),
        given => given.to_owned(),
    })
}

fn ask_number(what: &str, standard: u32) -> Result<u32, Failure> {
    let answer = ask(what, &standard.to_string())?;
    let number = answer.parse();
    number.map_err(|_| Failure::Wrong(format!("{what}: expected a number, found {answer:?}")))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn make(title: &str, args: &GenerateArgs) -> Result<Scenario, Failure> {
    let topology = Topology::ALL.iter().find(|it| it.name() == args.topology);
    let topology = *topology.ok_or_else(|| format!("there is no topology {:?}", args.topology))?;
    let domination: Percentage = args
        .domination
        .parse()
        .map_err(|_| format!("expected a share such as 0.6, found {:?}", args.domination))?;
    let blueprint = Blueprint {
        title: title.to_owned(),
        topology,
        n_systems: args.systems,
        n_factions: args.factions,
        seed: args.seed,
        n_turns: args.turns,
        domination,
    };
    let mut scenario = blueprint.build().map_err(|error| error.to_string())?;
    if args.open_galaxy {
        scenario.generation.fixed_seed = None;
    }
    let symmetry = Symmetry::ALL
        .into_iter()
        .find(|it| Some(it.name()) == args.symmetry.as_deref());
    if let Some(symmetry) = symmetry {
        scenario.generation.symmetry = symmetry;
        scenario.generation.homes = match symmetry {
            Symmetry::None => Homes::Fair,
            Symmetry::Mirror | Symmetry::Rotational => Homes::default(),
        };
    }
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use kernel::json::{self, Json};
    use stellar::scenario;

    use super::*;

    #[test]
    fn generated_scenarios_are_valid_for_every_topology_and_number_of_factions() {
        for topology in Topology::NAMES {
            for factions in 2..=8 {
                let args = GenerateArgs {
                    topology: (*topology).to_owned(),
                    systems: 40 + u32::from(factions) * 10,
                    symmetry: None,
                    factions,
                    seed: 5,
                    open_galaxy: false,
                    turns: 50,
                    domination: "0.55".to_owned(),
                    out: None,
                };
                let Ok(made) = make("Test War 2", &args) else {
                    panic!("{topology} {factions}");
                };
                let text = serde_json::to_string(&made.document(scenario::Dialect::File)).unwrap();
                let document: Json = json::read(text.as_bytes()).unwrap();
                let (report, galaxy) = stellar::survey(&document, 0);
                assert!(report.findings.is_empty(), "{:?}", report.findings);
                assert_eq!(galaxy.unwrap().n_systems(), args.systems as usize);
                assert_eq!(made.id, "test_war_2");
            }
        }
    }
}
