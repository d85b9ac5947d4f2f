//! The course of a match between a person and agents.

use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use bots::Agent;
use kernel::live::Live;
use kernel::record::Recorder;
use kernel::rng::Generator;
use kernel::terminal::Terminal;
use kernel::{Departure, GameExt, Perspective, Seat, SeatSet, Step, Turn, Viewer};

use super::{line, now};
use crate::common::{Done, Failure, print};

/// A match at the terminal.
pub(super) struct Sitting<G: Terminal> {
    recorder: Recorder<G>,
    seat: Seat,
    agent: Box<dyn Agent<G>>,
    /// By seat.
    agent_rngs: Vec<Generator>,
    out: Option<File>,
    rules: String,
    /// The text of the view that was printed last.
    shown: String,
    /// The turn whose map was printed last.
    mapped: Option<u32>,
}

/// The way a sitting ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finish {
    /// The match is over.
    Over,
    /// The person left a match that is not over.
    Left,
}

/// The person's answer at the prompt.
enum Wish<A> {
    Play(Vec<A>),
    Wait,
    Resign,
    Quit,
}

impl<G: Terminal + Live> Sitting<G> {
    pub(super) fn new(
        recorder: Recorder<G>,
        seat: Seat,
        agent: Box<dyn Agent<G>>,
        agent_rngs: Vec<Generator>,
        out: Option<File>,
        rules: String,
    ) -> Sitting<G> {
        Sitting {
            recorder,
            seat,
            agent,
            agent_rngs,
            out,
            rules,
            shown: String::new(),
            mapped: None,
        }
    }

    /// Plays until the match is over or the person leaves it.
    pub(super) fn play(&mut self) -> Result<Finish, Failure> {
        loop {
            self.show_news()?;
            let turn = self.recorder.table().position().turn();
            if matches!(turn, Turn::Over(_)) {
                return Ok(Finish::Over);
            }
            let acted = self.play_agents(turn.missing().without(self.seat))?;
            // A person may change a decision for as long as the seat is open.
            if turn.open().contains(self.seat) {
                match self.ask()? {
                    Wish::Play(actions) => {
                        for action in actions {
                            self.step(Step::Play(self.seat, action))?;
                        }
                    }
                    Wish::Wait => self.step(Step::Deadline)?,
                    Wish::Resign => {
                        self.step(Step::Leave(SeatSet::only(self.seat), Departure::Resign))?;
                    }
                    Wish::Quit => return Ok(Finish::Left),
                }
            } else if !acted {
                self.step(Step::Deadline)?;
            }
        }
    }

    /// Lets the agents in these seats decide; true if one of them did.
    fn play_agents(&mut self, seats: SeatSet) -> Result<bool, Failure> {
        let mut acted = false;
        for seat in seats.iter() {
            let seen = Perspective::new(self.recorder.table().position(), seat);
            let rng = &mut self.agent_rngs[seat.index()];
            if let Some(action) = self.agent.choose(&seen, rng) {
                self.step(Step::Play(seat, action))?;
                acted = true;
            } else if let Some(message) = self.agent.fault() {
                return Err(Failure::Wrong(format!("the opponent failed: {message}")));
            }
        }
        Ok(acted)
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
    pub(super) fn write(self, file: &Option<PathBuf>) -> Done {
        let rest = self.recorder.finish();
        if let (Some(mut out), Some(file)) = (self.out, file) {
            let written = out.write_all(&rest).and_then(|()| out.sync_all());
            written.map_err(|error| format!("{}: {error}", file.display()))?;
        }
        Ok(())
    }

    fn view(&self) -> G::View {
        let position = self.recorder.table().position();
        position.view(Viewer::Seat(self.seat))
    }

    /// Prints the lines of the view that have changed, and the map when a turn begins.
    fn show_news(&mut self) -> Done {
        let view = self.view();
        let turn = self.recorder.table().position().turn_number();
        if self.mapped.is_none() {
            print_part(G::legend(&view))?;
        }
        if self.mapped != Some(turn) {
            print_part(G::map(&view))?;
            self.mapped = Some(turn);
        }
        let text = view.to_string();
        for line in text.lines() {
            if !self.shown.lines().any(|old| old == line) {
                print(line)?;
            }
        }
        self.shown = text;
        Ok(())
    }

    /// Prints everything that the person may see.
    fn show_all(&self) -> Done {
        let view = self.view();
        print_part(G::legend(&view))?;
        print_part(G::map(&view))?;
        print(view.to_string().trim_end())
    }

    /// Prompts until the answer is valid. At the end of the input the person quits; at a terminal,
    /// only when the input ends twice in a row.
    fn ask(&self) -> Result<Wish<G::Action>, Failure> {
        let position = self.recorder.table().position();
        let mut is_final = !io::stdin().is_terminal();
        loop {
            eprint!("your action (or help) > ");
            io::stderr().flush()?;
            let mut answer = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut answer)? == 0 {
                if is_final {
                    return Ok(Wish::Quit);
                }
                is_final = true;
                print(END_OF_INPUT)?;
                continue;
            }
            is_final = !io::stdin().is_terminal();
            let answer = String::from_utf8_lossy(&answer);
            match answer.trim().to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.help()?,
                "show" => self.show_all()?,
                "wait" => return Ok(Wish::Wait),
                "resign" => return Ok(Wish::Resign),
                "quit" => return Ok(Wish::Quit),
                _ => match line::read(position, self.seat, answer.trim()) {
                    Ok(actions) => return Ok(Wish::Play(actions)),
                    Err(refusal) => print(refusal)?,
                },
            }
        }
    }

    /// Prints the rules, the legal actions and the other commands.
    fn help(&self) -> Done {
        print(format!("{}Legal now:", self.rules))?;
        let position = self.recorder.table().position();
        let legal = position.legal(self.seat);
        let actions = legal.iter().filter_map(|id| position.action(id));
        let text = |action: G::Action| match position.names(action).first() {
            Some(name) => format!("{action} ({name})"),
            None => action.to_string(),
        };
        let texts: Vec<String> = actions.map(text).collect();
        let width = texts.iter().map(|it| it.chars().count()).max();
        let width = width.unwrap_or(0) + 2;
        for row in texts.chunks((76 / width).max(1)) {
            let cells: String = row.iter().map(|text| format!("{text:<width$}")).collect();
            print(format!("  {}", cells.trim_end()))?;
        }
        print(COMMANDS)
    }
}

const END_OF_INPUT: &str = "
End of input. Type resign to lose the match; type quit, or end the input again, to leave it without a
result.";

const COMMANDS: &str = "\
An action can be typed without the part before the colon.
  help    this text
  show    the whole position
  wait    lets the time run out
  resign  loses the match
  quit    leaves the match without a result";

fn print_part(part: Option<String>) -> Done {
    match part {
        Some(part) => print(part.trim_end_matches('\n')),
        None => Ok(()),
    }
}
