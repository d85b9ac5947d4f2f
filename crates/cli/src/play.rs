//! `referee play`: a match in the terminal.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bots::Agent;
use bots::simulate::Streams;
use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::fair::Opening;
use kernel::record::{Origin, Recorder};
use kernel::rng::{ChaCha20, Generator, Seed, SeedSequence};
use kernel::{
    Departure, Describe, GameExt, MatchId, Perspective, Recorded, SEATS_MAX, Seat, SeatSet, Step,
    Timestamp, Turn, Viewer,
};

use crate::common::{self, Done, Failure, SetupArgs, print};
use crate::simulate::{Patience, seat_agent};

/// Play a game in the terminal against an agent.
///
/// At the prompt, type an action, `?` to list the legal ones, `wait` to let the time run out, or
/// `resign`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee play orcain
  referee play orcain --against random --seat 1 --out match.jsonl")]
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

fn run_game<G: Roster + Describe>(args: &Args) -> Done {
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
    print(format!("{}: {}", G::NAME, G::SUMMARY))?;
    let mut names = vec![against; n_seats];
    names[seat.index()] = "you";
    if let Origin::Committed(opening) = &chance.origin {
        print(format!("Seed commitment: {}", opening.commitment()))?;
    }
    let recorder = Recorder::begin(&setup, chance.game_id, chance.origin, &names, now());
    let mut sitting = Sitting {
        recorder,
        seat,
        agent,
        agent_rngs: chance.agents,
        out,
        shown: String::new(),
    };
    let played = sitting.play();
    sitting.write(&args.out)?;
    played?;
    match &args.out {
        Some(file) => print(format!(
            "The record is in {0}. Check it with: referee verify {0}",
            file.display()
        )),
        None => Ok(()),
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

/// The person's answer at the prompt.
enum Wish<A> {
    Play(A),
    Wait,
    Resign,
}

struct Sitting<G: Recorded> {
    recorder: Recorder<G>,
    seat: Seat,
    agent: Box<dyn Agent<G>>,
    agent_rngs: Vec<Generator>,
    out: Option<File>,
    shown: String,
}

impl<G: Recorded> Sitting<G> {
    fn play(&mut self) -> Done {
        loop {
            self.show()?;
            let turn = self.recorder.table().position().turn();
            if matches!(turn, Turn::Over(_)) {
                return Ok(());
            }
            let missing = turn.missing();
            let mut acted = false;
            for seat in missing.without(self.seat).iter() {
                let seen = Perspective::new(self.recorder.table().position(), seat);
                let rng = &mut self.agent_rngs[seat.index()];
                if let Some(action) = self.agent.choose(&seen, rng) {
                    self.step(Step::Play(seat, action))?;
                    acted = true;
                } else if let Some(message) = self.agent.fault() {
                    return Err(Failure::Wrong(format!("the opponent failed: {message}")));
                }
            }
            if missing.contains(self.seat) {
                match self.ask()? {
                    Wish::Play(action) => self.step(Step::Play(self.seat, action))?,
                    Wish::Wait => self.step(Step::Deadline)?,
                    Wish::Resign => {
                        self.step(Step::Leave(SeatSet::only(self.seat), Departure::Resign))?;
                    }
                }
            } else if !acted {
                self.step(Step::Deadline)?;
            }
        }
    }

    fn step(&mut self, step: Step<G::Action>) -> Done {
        self.recorder.apply(step, now())?;
        let lines = self.recorder.take();
        match &mut self.out {
            Some(file) => Ok(file.write_all(&lines)?),
            None => Ok(()),
        }
    }

    /// Writes the rest of the record.
    fn write(self, file: &Option<PathBuf>) -> Done {
        let rest = self.recorder.finish();
        if let (Some(mut out), Some(file)) = (self.out, file) {
            let written = out.write_all(&rest).and_then(|()| out.sync_all());
            written.map_err(|error| format!("{}: {error}", file.display()))?;
        }
        Ok(())
    }

    /// Prints the lines of the view that have changed.
    fn show(&mut self) -> Done {
        let position = self.recorder.table().position();
        let view = position.view(Viewer::Seat(self.seat)).to_string();
        for line in view.lines() {
            if !self.shown.lines().any(|old| old == line) {
                print(line)?;
            }
        }
        self.shown = view;
        Ok(())
    }

    /// Prompts until the answer is valid. End of input resigns.
    fn ask(&self) -> Result<Wish<G::Action>, Failure> {
        loop {
            eprint!("your action (? for help) > ");
            io::stderr().flush()?;
            let mut answer = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut answer)? == 0 {
                return Ok(Wish::Resign);
            }
            match String::from_utf8_lossy(&answer).trim() {
                "" => {}
                "?" => self.help()?,
                "wait" => return Ok(Wish::Wait),
                "resign" => return Ok(Wish::Resign),
                text => match self.find(text) {
                    Some(action) => return Ok(Wish::Play(action)),
                    None => print(format!("{text:?} is not legal now; ? lists legal actions"))?,
                },
            }
        }
    }

    /// Finds a legal action by its text or by the part after the colon. If several match, the one
    /// with the highest id wins, as it is the most final.
    fn find(&self, text: &str) -> Option<G::Action> {
        let position = self.recorder.table().position();
        let wanted = text.to_lowercase();
        let fits = |action: &G::Action| {
            let own = action.to_string().to_lowercase();
            own == wanted || own.rsplit_once(':').is_some_and(|(_, end)| end == wanted)
        };
        let legal = position.legal(self.seat);
        let actions = legal.iter().filter_map(|id| position.action(id));
        actions.filter(fits).last()
    }

    fn help(&self) -> Done {
        let position = self.recorder.table().position();
        let legal = position.legal(self.seat);
        let texts: Vec<String> = legal
            .iter()
            .filter_map(|id| position.action(id))
            .map(|action| action.to_string())
            .collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0) + 2;
        for row in texts.chunks((76 / width).max(1)) {
            let cells: String = row.iter().map(|text| format!("{text:<width$}")).collect();
            print(format!("  {}", cells.trim_end()))?;
        }
        if let Some(action) = legal.iter().last().and_then(|id| position.action(id)) {
            let entry = position.encode(&[action]);
            print(format!("  {action} is {} {}", entry.kind, entry.payload))?;
        }
        print("  or: wait (let the time run out), resign")
    }
}
