//! `referee replay`: replays a record and shows its states.

use std::path::{Path, PathBuf};

use catalog::with_game;
use kernel::record::{ActionLine, Line, LogEntry, Replay};
use kernel::{Recorded, Viewer, notation};
use serde::Serialize;

use crate::common::{Done, Failure, Next, RecordFile, game_of, print};

/// Replay a record and show its states.
///
/// Everything up to the shown state is checked.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee replay match.jsonl
  referee replay match.jsonl --to 0
  referee replay match.jsonl --to 12 --json
  referee replay match.jsonl --to 12 --json --log
  referee replay match.jsonl --to 12 --notation
  referee replay match.jsonl --step --json")]
pub(crate) struct Args {
    /// The record file.
    file: PathBuf,
    /// Stop after this action; 0 is the starting position.
    #[arg(long, value_name = "N")]
    to: Option<u32>,
    /// Show every action.
    #[arg(long)]
    step: bool,
    /// Print JSON: the action's number, the snapshot after it and its hash. With --step, print
    /// one such object per line, from the start.
    #[arg(long)]
    json: bool,
    /// Include the actions so far in the snapshot, as its `log`.
    #[arg(long, requires = "json", conflicts_with = "step")]
    log: bool,
    /// Print only the position, as one line that lists what differs from the start of the
    /// standard setup.
    #[arg(long, conflicts_with_all = ["json", "step"])]
    notation: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let named = |fault| format!("{}: {fault}", args.file.display());
    let mut record = RecordFile::open(&args.file).map_err(named)?;
    let header = record.header().map_err(named)?;
    let game = game_of(&header).map_err(named)?;
    with_game!(game, G => {
        let replay = Replay::<G>::begin(&header).map_err(named)?;
        show_record(args, &mut record, replay)
    })
}

fn show_record<G: Recorded>(args: &Args, record: &mut RecordFile, mut replay: Replay<G>) -> Done {
    if args.step {
        show_step(args, &replay, None)?;
    }
    let mut log = args.log.then(Vec::new);
    while args.to != Some(replay.n_actions()) {
        let next = record.next().map_err(|fault| located(&args.file, &fault))?;
        let line = match next {
            Next::Line(Line::Action(line)) => line,
            Next::Line(Line::Closing(closing)) => {
                let closed = replay.close(&closing, record.reader.n_lines());
                closed.map_err(|fault| located(&args.file, &fault))?;
                continue;
            }
            Next::Line(Line::Header(_)) => continue,
            Next::Torn(fault) => {
                eprintln!("referee: warning: {}", located(&args.file, &fault));
                break;
            }
            Next::End => break,
        };
        let played = replay.advance(&line, record.reader.n_lines()).map(|_| ());
        played.map_err(|fault| located(&args.file, &fault))?;
        if args.step {
            show_step(args, &replay, Some(&line))?;
        }
        if let Some(log) = &mut log {
            log.push(LogEntry::from(&*line));
        }
    }
    check_reached(args, replay.n_actions())?;
    if args.step {
        Ok(())
    } else {
        show_state(args, &replay, log.as_deref())
    }
}

fn located(file: &Path, fault: &kernel::record::RecordFault) -> String {
    format!("{}: {fault}", file.display())
}

fn check_reached(args: &Args, n_actions: u32) -> Done {
    match args.to {
        Some(to) if to > n_actions => Err(Failure::Wrong(format!(
            "{} has {n_actions} actions, so there is no state after action {to}",
            args.file.display()
        ))),
        _ => Ok(()),
    }
}

#[derive(Serialize)]
struct State<S> {
    action_id: u32,
    snapshot: S,
    state_hash: kernel::json::Hash,
}

fn show_step<G: Recorded>(args: &Args, replay: &Replay<G>, line: Option<&ActionLine>) -> Done {
    if args.json {
        return print(serde_json::to_string(&state(replay, None))?);
    }
    let position = replay.table().position();
    let Some(line) = line else {
        return print(format!("{:>5}  start  {position}", 0));
    };
    let who = line
        .player_id
        .map_or("-".to_owned(), |seat| seat.to_string());
    let chance: String = line
        .result
        .chance
        .iter()
        .map(|draw| format!(" → {draw}"))
        .collect();
    let (id, kind, payload) = (line.action_id, &line.kind, &line.payload);
    print(format!(
        "{id:>5}  seat {who}  {kind} {payload}{chance}\n       {position}"
    ))
}

fn show_state<G: Recorded>(args: &Args, replay: &Replay<G>, log: Option<&[LogEntry]>) -> Done {
    if args.json {
        return crate::common::print_json(&state(replay, log));
    }
    let table = replay.table();
    if args.notation {
        let base = G::start(&G::Setup::default());
        return print(notation::write(&base, table.position()));
    }
    print(format!(
        "after action {}: {}",
        replay.n_actions(),
        table.position()
    ))?;
    print(table.position().view(Viewer::Public).to_string().trim_end())?;
    print(table.state_hash())
}

fn state<'a, G: Recorded>(
    replay: &'a Replay<G>,
    log: Option<&'a [LogEntry]>,
) -> State<impl Serialize + 'a> {
    let table = replay.table();
    State {
        action_id: replay.n_actions(),
        snapshot: match log {
            Some(log) => table.snapshot_with_log(log),
            None => table.snapshot(),
        },
        state_hash: table.state_hash(),
    }
}
