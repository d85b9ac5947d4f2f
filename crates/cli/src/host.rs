//! `referee host`: a match that another program drives, one line at a time.

use std::io::{self, BufRead, BufReader, Read, Write};

use bots::{Agent, NoAgent};
use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::doc::{Document, Faults, Named, Node};
use kernel::json::{self, Hash, Json};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{
    ActionId, Departure, Draw, GameExt, Mask, MatchId, Perspective, Recorded, Refusal, Seat,
    SeatSet, Source, Step, Table, TableSnapshot, Turn, notation,
};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::common::{self, Done, Failure, SetupArgs};

/// Let another program drive a match over standard input and output.
///
/// The driver is the host: it sees everything and may choose the outcome of chance.
#[derive(clap::Args)]
#[command(after_help = "Commands, one JSON object per line:
  {\"do\": \"open\", \"setup\": {}, \"seed\": \"1\", \"generator\": \"pcg64\"}
  {\"do\": \"open\", \"position\": \"turn.phase=ROLL ...\"}
  {\"do\": \"restore\", \"snapshot\": {...}}
  {\"do\": \"play\", \"player_id\": 0, \"action\": 411}
  {\"do\": \"chance\"}                       drawn by the table's generator
  {\"do\": \"chance\", \"draw\": [3, 4]}       chosen by the driver; nothing is drawn
  {\"do\": \"deadline\"}
  {\"do\": \"leave\", \"player_ids\": [0], \"cause\": \"resign\"}
  {\"do\": \"advise\", \"player_id\": 0, \"agent\": \"random\", \"seed\": \"1\"}
All fields of open except \"do\" are optional. A setup is a document or the name of a scenario that
ships with the game; without it, --setup or --scenario decides. A position is in the notation of
replay --notation, relative to the start of the setup. An answer has what the table waits for, the legal
actions by seat, and the events. For advise it also has the action that the agent would choose,
given what the seat may see. A command that cannot be carried out is answered with \"refused\" and
changes nothing.

Example:
  echo '{\"do\": \"open\"}' | referee host catan --snapshots
  echo '{\"do\": \"open\"}' | referee host stellar --scenario first_orders")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    #[command(flatten)]
    setup: SetupArgs,
    /// Include the snapshot and its hash in every answer.
    #[arg(long)]
    snapshots: bool,
}

/// The longest command in bytes. A snapshot of any game fits.
const COMMAND_BYTES_MAX: u64 = 16 << 20;

pub(crate) fn run(args: &Args) -> Done {
    with_game!(args.game, G => drive::<G>(args))
}

fn drive<G: Roster>(args: &Args) -> Done {
    let mut host = Host::<G>::new(args.setup.read::<G>()?);
    let mut input = BufReader::new(io::stdin().lock());
    let mut out = io::stdout().lock();
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        let mut limited = input.by_ref().take(COMMAND_BYTES_MAX + 1);
        let read = limited.read_until(b'\n', &mut line);
        if read.map_err(|error| format!("standard input: {error}"))? == 0 {
            return Ok(());
        }
        if line.len() as u64 > COMMAND_BYTES_MAX {
            let message = format!("the command is longer than {COMMAND_BYTES_MAX} bytes");
            return Err(Failure::Wrong(message));
        }
        answer.clear();
        host.answer(&line, args.snapshots, &mut answer);
        answer.push(b'\n');
        let told = out.write_all(&answer).and_then(|()| out.flush());
        told.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Wrong(format!("standard output: {error}")),
        })?;
    }
}

struct Host<G: Recorded> {
    /// The setup of a table that is opened without one.
    standard: G::Setup,
    table: Option<Table<G>>,
    mask: Mask,
    events: Vec<G::Event>,
    /// The setup of an opened table; `None` for one restored or opened at a position, as neither
    /// a snapshot nor a position contains it.
    setup: Option<G::Setup>,
    /// Agents that give advice, by name, prepared for the setup.
    advisers: Vec<(String, Box<dyn Agent<G>>)>,
    advice: Option<ActionId>,
}

impl<G: Recorded> Host<G> {
    fn new(standard: G::Setup) -> Host<G> {
        Host {
            standard,
            table: None,
            mask: Mask::default(),
            events: Vec::new(),
            setup: None,
            advisers: Vec::new(),
            advice: None,
        }
    }
}

enum Command<G: Recorded> {
    Open(Box<Table<G>>, Option<G::Setup>),
    Step(Step<G::Action>),
    /// Resolves chance with the table's generator.
    Draw,
    Advise {
        seat: Seat,
        agent: String,
        seed: Seed,
    },
}

/// The reason why a command is refused.
enum Unfit {
    Unreadable(String),
    Faults(Faults),
    NoTable,
    NoGenerator,
    NoSetup,
    NoAgent(NoAgent),
    NotToDecide(Seat),
    Refused(Refusal),
}

impl<G: Roster> Host<G> {
    /// Carries out one command and writes the answer to `out`.
    fn answer(&mut self, line: &[u8], snapshots: bool, out: &mut Vec<u8>) {
        self.events.clear();
        self.advice = None;
        let done = self.obey(line);
        let written = match (done, &self.table) {
            (Ok(()), Some(table)) => {
                let answer = answer_of(table, &mut self.mask, &self.events, snapshots);
                let answer = Answer {
                    advice: self.advice,
                    ..answer
                };
                json::write_canonical(&answer, out)
            }
            (Ok(()), None) => json::write_canonical(&Unfit::NoTable.described(), out),
            (Err(unfit), _) => json::write_canonical(&unfit.described(), out),
        };
        written.expect("an answer holds no floats");
    }

    fn obey(&mut self, line: &[u8]) -> Result<(), Unfit> {
        let document = json::read(line).map_err(|error| Unfit::Unreadable(error.to_string()))?;
        let command = Command::read(&document, self.table.as_ref(), &self.standard)?;
        let step = match command {
            Command::Open(table, setup) => {
                if setup != self.setup {
                    self.advisers.clear();
                }
                self.setup = setup;
                self.table = Some(*table);
                return Ok(());
            }
            Command::Advise { seat, agent, seed } => return self.advise(seat, &agent, &seed),
            Command::Step(step) => step,
            Command::Draw => {
                let table = self.table.as_mut().ok_or(Unfit::NoTable)?;
                if table.position().turn() != Turn::Chance {
                    return Err(Unfit::Refused(Refusal::NoChanceDue));
                }
                Step::Chance(table.draw().ok_or(Unfit::NoGenerator)?)
            }
        };
        let table = self.table.as_mut().ok_or(Unfit::NoTable)?;
        table.apply(step, &mut self.events).map_err(Unfit::Refused)
    }

    /// Stores the action that an agent would choose, given what the seat may see. Plays nothing.
    fn advise(&mut self, seat: Seat, name: &str, seed: &Seed) -> Result<(), Unfit> {
        let table = self.table.as_ref().ok_or(Unfit::NoTable)?;
        let position = table.position();
        if !position.turn().missing().contains(seat) {
            return Err(Unfit::NotToDecide(seat));
        }
        let setup = self.setup.as_ref().ok_or(Unfit::NoSetup)?;
        let idx = match self.advisers.iter().position(|(known, _)| known == name) {
            Some(idx) => idx,
            None => {
                let agent = G::agent(name, setup).map_err(Unfit::NoAgent)?;
                self.advisers.truncate(ADVISERS_MAX - 1);
                self.advisers.insert(0, (name.to_owned(), agent));
                0
            }
        };
        let agent = &mut self.advisers[idx].1;
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, seed);
        agent.begin();
        let action = agent.choose(&Perspective::new(position, seat), &mut rng);
        self.advice = action.map(|action| position.action_id(action));
        Ok(())
    }
}

/// The most agents that are kept prepared.
const ADVISERS_MAX: usize = 16;

const COMMANDS: [&str; 7] = [
    "open", "restore", "play", "chance", "deadline", "leave", "advise",
];

impl<G: Recorded> Command<G> {
    fn read(
        document: &Json,
        table: Option<&Table<G>>,
        standard: &G::Setup,
    ) -> Result<Command<G>, Unfit> {
        let mut faults = Faults::default();
        let node = Node::root(document);
        let kind = node.field("do").one_of(&COMMANDS, &mut faults);
        let command = match (kind, table) {
            (Some(0), _) => read_open(&node, standard, &mut faults),
            (Some(1), _) => {
                node.only_fields(&["do", "snapshot"], &mut faults);
                let snapshot = node.field("snapshot");
                match snapshot.present(&mut faults).map(Table::restore) {
                    Some(Ok(table)) => Some(Command::Open(Box::new(table), None)),
                    Some(Err(found)) => {
                        faults.extend_below(&snapshot, &found);
                        None
                    }
                    None => None,
                }
            }
            (Some(_), None) => return Err(Unfit::NoTable),
            (Some(kind), Some(table)) => read_step(kind, &node, table.position(), &mut faults),
            (None, _) => None,
        };
        faults.into_result(command).map_err(Unfit::Faults)
    }
}

fn read_open<G: Recorded>(
    node: &Node<'_>,
    standard: &G::Setup,
    faults: &mut Faults,
) -> Option<Command<G>> {
    node.only_fields(&["do", "generator", "position", "seed", "setup"], faults);
    let setup = node.field("setup").optional(faults, |place, faults| {
        let read = G::read_setup(place.present(faults)?);
        read.map_err(|found| faults.extend_below(place, &found))
            .ok()
    });
    let kind = node
        .field("generator")
        .optional(faults, GeneratorKind::read);
    let seed = node.field("seed").optional(faults, read_seed);
    let setup = setup?.unwrap_or_else(|| standard.clone());
    let position = node.field("position").optional(faults, |place, faults| {
        let read = notation::read(&G::start(&setup), place.text(faults)?);
        read.map_err(|found| faults.extend_below(place, &found))
            .ok()
    });
    let seed = seed?.unwrap_or(Seed::from(0));
    let mut identity = Generator::from_seed(GeneratorKind::Pcg64, &seed);
    let game_id = MatchId::draw(&mut identity);
    let generator = Generator::from_seed(kind?.unwrap_or(GeneratorKind::Pcg64), &seed);
    let source = Source::Open(generator);
    let (table, setup) = match position? {
        Some(position) => (Table::at(position, game_id, source), None),
        None => (Table::open(&setup, game_id, source), Some(setup)),
    };
    Some(Command::Open(Box::new(table), setup))
}

fn read_step<G: Recorded>(
    kind: usize,
    node: &Node<'_>,
    position: &G,
    faults: &mut Faults,
) -> Option<Command<G>> {
    match COMMANDS[kind] {
        "play" => {
            node.only_fields(&["action", "do", "player_id"], faults);
            let seat = read_seat(&node.field("player_id"), position, faults);
            let last = position.n_actions() as i64 - 1;
            let id = node.field("action").int_in(0..=last, faults)?;
            let action = position.action(ActionId::new(id as usize))?;
            Some(Command::Step(Step::Play(seat?, action)))
        }
        "chance" => {
            node.only_fields(&["do", "draw"], faults);
            let draw = node.field("draw");
            if !draw.exists() {
                return Some(Command::Draw);
            }
            let draw: Draw = position.decode_draw(&draw, faults)?;
            Some(Command::Step(Step::Chance(draw)))
        }
        "advise" => {
            node.only_fields(&["agent", "do", "player_id", "seed"], faults);
            let seat = read_seat(&node.field("player_id"), position, faults);
            let agent = node.field("agent").text(faults);
            let seed = node.field("seed").optional(faults, read_seed)?;
            Some(Command::Advise {
                seat: seat?,
                agent: agent?.to_owned(),
                seed: seed.unwrap_or(Seed::from(0)),
            })
        }
        "leave" => {
            node.only_fields(&["cause", "do", "player_ids"], faults);
            let cause = Departure::read(&node.field("cause"), faults);
            let mut seats = SeatSet::EMPTY;
            for seat in node.field("player_ids").list(faults)? {
                seats = seats.with(read_seat(&seat, position, faults)?);
            }
            Some(Command::Step(Step::Leave(seats, cause?)))
        }
        _ => {
            node.only_fields(&["do"], faults);
            Some(Command::Step(Step::Deadline))
        }
    }
}

fn read_seed(node: &Node<'_>, faults: &mut Faults) -> Option<Seed> {
    let parsed = node.text(faults)?.parse::<Seed>();
    parsed
        .map_err(|error| faults.at(node, "not_a_seed", error.to_string()))
        .ok()
}

fn read_seat<G: Recorded>(node: &Node<'_>, position: &G, faults: &mut Faults) -> Option<Seat> {
    let last = position.n_seats() as i64 - 1;
    Seat::new(node.int_in(0..=last, faults)? as usize)
}

impl Unfit {
    fn described(&self) -> Json {
        let (code, message) = match self {
            Unfit::Unreadable(message) => ("unreadable", message.clone()),
            Unfit::Faults(faults) => ("faulty", faults.to_string()),
            Unfit::NoTable => ("no_table", "open or restore a table first".to_owned()),
            Unfit::NoGenerator => (
                "no_generator",
                "this table's seed is not revealed: give the draw".to_owned(),
            ),
            Unfit::NoSetup => (
                "no_setup",
                "agents need the setup, which neither a snapshot nor a position contains: open \
                 the table with its setup alone"
                    .to_owned(),
            ),
            Unfit::NoAgent(error) => ("no_agent", error.to_string()),
            Unfit::NotToDecide(seat) => (
                "not_to_decide",
                format!("seat {seat} has nothing to decide"),
            ),
            Unfit::Refused(refusal) => (refusal.code(), refusal.to_string()),
        };
        let told = [
            ("code", Json::Text(code.to_owned())),
            ("message", Json::Text(message)),
        ];
        Json::object([("refused", Json::object(told))])
    }
}

/// The answer to a successful command.
#[derive(Serialize)]
struct Answer<S> {
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<ActionId>,
    events: Vec<&'static str>,
    legal: Legal,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<kernel::Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state_hash: Option<Hash>,
    /// `seat`, `sealed`, `chance`, `clock` or `over`.
    waits_for: &'static str,
}

struct Legal(Vec<(Seat, Vec<ActionId>)>);

impl Serialize for Legal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (seat, ids) in &self.0 {
            map.serialize_entry(&seat.index(), ids)?;
        }
        map.end()
    }
}

fn answer_of<'a, G: Recorded>(
    table: &'a Table<G>,
    mask: &mut Mask,
    events: &[G::Event],
    snapshots: bool,
) -> Answer<TableSnapshot<'a, G::Snapshot>> {
    let position = table.position();
    let turn = position.turn();
    let legal = turn.open().iter().map(|seat| {
        position.fill_legal(seat, mask);
        (seat, mask.iter().collect())
    });
    Answer {
        advice: None,
        events: events.iter().map(Named::name).collect(),
        legal: Legal(legal.collect()),
        outcome: turn.outcome(),
        snapshot: snapshots.then(|| table.snapshot()),
        state_hash: snapshots.then(|| table.state_hash()),
        waits_for: match turn {
            Turn::Seat(_) => "seat",
            Turn::Sealed(_) => "sealed",
            Turn::Chance => "chance",
            Turn::Clock => "clock",
            Turn::Over(_) => "over",
        },
    }
}
