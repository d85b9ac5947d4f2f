//! `referee play`: a match in the terminal.

mod line;
mod sitting;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bots::simulate::Streams;
use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::fair::Opening;
use kernel::live::Live;
use kernel::record::{Origin, Recorder};
use kernel::rng::{ChaCha20, Generator, Seed, SeedSequence};
use kernel::terminal::Terminal;
use kernel::{MatchId, SEATS_MAX, Seat, Timestamp};

use crate::common::{self, Done, Failure, SetupArgs, print};
use crate::simulate::{Patience, seat_agent};
use sitting::{Finish, Sitting};

/// Play a game in the terminal against an agent.
///
/// At the prompt, type an action, or `help` for the rules and the legal actions, `show` for the
/// whole position, `wait` to let the time run out, `resign` to lose the match, or `quit` to leave it
/// without a result. At the end of the input the match is left as by `quit`; at a terminal, the
/// first end of input only asks.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee play orcain
  referee play orcain --against random --seat 1 --out match.jsonl
  referee play stellar --scenario first_orders")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    /// The agent in the other seats [default: the strongest].
    #[arg(long)]
    against: Option<String>,
    /// Your seat.
    #[arg(long, default_value_t = 0)]
    seat: usize,
    /// A non-negative integer of up to 4096 bits, for a repeatable match [default: a random seed,
    /// committed to before the match and revealed after it].
    #[arg(long, value_parser = common::parse_seed, allow_hyphen_values = true)]
    seed: Option<Seed>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Write the record to this new file, move by move.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    patience: Patience,
}

pub(crate) fn run(args: &Args) -> Done {
    with_game!(args.game, G => run_game::<G>(args))
}

fn run_game<G: Roster + Terminal + Live>(args: &Args) -> Done {
    let mut chance = Chance::new(args.seed.as_ref())?;
    let setup = G::draw_setup(&args.setup.read::<G>()?, &mut chance.setup);
    let n_seats = G::start(&setup).n_seats();
    let Some(seat) = Seat::new(args.seat).filter(|seat| seat.index() < n_seats) else {
        let (seat, last) = (args.seat, n_seats - 1);
        return Err(Failure::Usage(format!(
            "there is no seat {seat}: seats are numbered 0 to {last}"
        )));
    };
    let strongest = G::AGENTS.last().map_or("random", |(name, _)| name);
    let against = args.against.as_deref().unwrap_or(strongest);
    let agent = seat_agent::<G>(against, &setup, args.patience)?;
    let out = args.out.as_deref().map(create).transpose()?;
    let rules = G::how_to_play(&setup);
    print(format!("{}: {}\n{rules}", G::TITLE, G::SUMMARY))?;
    print("Also: help, show, wait, resign, quit.\n")?;
    let mut names = vec![against; n_seats];
    names[seat.index()] = "you";
    if let Origin::Committed(opening) = &chance.origin {
        print(format!("Seed commitment: {}", opening.commitment()))?;
    }
    let recorder = Recorder::begin(&setup, chance.game_id, chance.origin, &names, now());
    let mut sitting = Sitting::new(recorder, seat, agent, chance.agents, out, rules);
    let played = sitting.play();
    sitting.write(&args.out)?;
    close(played?, args.out.as_deref())
}

/// Says what became of the match and where its record is.
fn close(finish: Finish, file: Option<&Path>) -> Done {
    if finish == Finish::Left {
        print("You left the match. It has no result: nobody won or lost.")?;
    }
    let Some(file) = file else { return Ok(()) };
    let file = file.display();
    match finish {
        Finish::Over => print(format!(
            "The record is in {file}. Check it with: referee verify {file}"
        )),
        Finish::Left => print(format!("The record so far is in {file}, without an end.")),
    }
}

/// Creates the record file before the match begins, so that a bad path costs no match.
fn create(file: &Path) -> Result<File, Failure> {
    let created = File::options().write(true).create_new(true).open(file);
    created.map_err(|error| Failure::Wrong(format!("{}: {error}", file.display())))
}

fn now() -> Timestamp {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Timestamp::from_ms(since_1970.map_or(0, |it| it.as_millis() as i64))
}

/// The sources of randomness of a match, and its id.
struct Chance {
    origin: Origin,
    /// Draws the parts that the setup leaves open.
    setup: Generator,
    /// By seat.
    agents: Vec<Generator>,
    game_id: MatchId,
}

impl Chance {
    fn new(seed: Option<&Seed>) -> Result<Chance, Failure> {
        if let Some(seed) = seed {
            // The same streams as in the first match of a simulation with this seed.
            let mut streams = Streams::new(&SeedSequence::new(seed, &[]), 0);
            return Ok(Chance {
                origin: Origin::Open(streams.chance().clone()),
                setup: streams.setup(),
                agents: Seat::first(SEATS_MAX)
                    .map(|seat| streams.agent(seat))
                    .collect(),
                game_id: MatchId::draw(&mut streams.identity()),
            });
        }
        let origin = Origin::Committed(Opening::new(random()?, random()?));
        let generator = || Ok(Generator::ChaCha20(ChaCha20::from_key(random()?)));
        Ok(Chance {
            origin,
            setup: generator()?,
            game_id: MatchId::draw(&mut generator()?),
            agents: (0..SEATS_MAX)
                .map(|_| generator())
                .collect::<Result<_, Failure>>()?,
        })
    }
}

fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| format!("no system randomness: {error}"))?;
    Ok(bytes)
}
