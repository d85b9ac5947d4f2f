//! Agents that are programs of their own, in any language: a line of JSON in, a line out.
//!
//! The protocol is in `docs/bots.md`. A program is started when it is first asked, in a
//! process group of its own, and the group is ended when the agent goes, when the run fails
//! and when this program is told to stop.

mod group;
mod pipe;

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bots::Agent;
use kernel::rng::Generator;
use kernel::{ActionId, Mask, Perspective, Recorded};
use serde::Serialize;
use serde_json::Value;

use pipe::Pipe;

/// How a name says that the rest is a command.
pub(crate) const PREFIX: &str = "exec:";

/// The version of the protocol, told at the beginning of every match.
const PROTOCOL: u32 = 1;

/// A program that decides for a seat.
pub(crate) struct Program {
    spec: Arc<Spec>,
    /// Behind a lock only because agents are shared between threads; it is never waited for.
    pipe: Option<Mutex<Pipe>>,
    mask: Mask,
    /// Matches begun so far, told to the program.
    n_begun: u64,
    /// Whether the program knows that the match has begun.
    greeted: bool,
    fault: Option<String>,
}

/// What is run, and how long it may think.
struct Spec {
    name: String,
    command: Vec<String>,
    patience: Duration,
}

/// The first line of a match.
#[derive(Serialize)]
struct Begin {
    #[serde(rename = "type")]
    kind: &'static str,
    protocol: u32,
    game: &'static str,
    rules_version: &'static str,
    match_number: u64,
    player_id: usize,
}

/// The line that asks for a decision.
#[derive(Serialize)]
struct Decide<V> {
    #[serde(rename = "type")]
    kind: &'static str,
    player_id: usize,
    view: V,
    legal: Vec<Legal>,
    time_ms: u64,
}

#[derive(Serialize)]
struct Legal {
    id: ActionId,
    action: String,
}

impl Program {
    /// The agent that a name with [`PREFIX`] means: words apart by spaces, no shell.
    pub(crate) fn named(name: &str, patience: Duration) -> Result<Program, String> {
        let command = name.strip_prefix(PREFIX).unwrap_or(name);
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if command.is_empty() {
            return Err(format!(
                "{name:?} names no program: write {PREFIX}PROGRAM, or \"{PREFIX}PROGRAM ARGUMENT ...\""
            ));
        }
        group::end_all_on_signals()?;
        Ok(Program::of(Arc::new(Spec {
            name: name.to_owned(),
            command,
            patience,
        })))
    }

    fn of(spec: Arc<Spec>) -> Program {
        Program {
            spec,
            pipe: None,
            mask: Mask::default(),
            n_begun: 0,
            greeted: false,
            fault: None,
        }
    }

    /// Asks the program; the error says what went wrong.
    fn ask<G: Recorded>(&mut self, seen: &Perspective<'_, G>) -> Result<Option<G::Action>, String> {
        if self.pipe.is_none() {
            self.pipe = Some(Mutex::new(Pipe::open(&self.spec.command)?));
        }
        let mut lines = String::new();
        if !self.greeted {
            push_line(&mut lines, &self.begin_line::<G>(seen))?;
            self.greeted = true;
        }
        push_line(&mut lines, &self.decide_line(seen))?;
        let Some(Ok(pipe)) = self.pipe.as_mut().map(Mutex::get_mut) else {
            return Err("it is not running".to_owned());
        };
        let answer = pipe.exchange(lines, self.spec.patience)?;
        match read_answer(&answer)? {
            None => Ok(None),
            Some(id) if self.mask.allows(id) => Ok(seen.action(id)),
            Some(id) => Err(format!(
                "it answered {id}, which is not among the {} legal ids it was told",
                self.mask.count()
            )),
        }
    }

    fn begin_line<G: Recorded>(&self, seen: &Perspective<'_, G>) -> Begin {
        Begin {
            kind: "begin",
            protocol: PROTOCOL,
            game: G::NAME,
            rules_version: G::RULES_VERSION,
            match_number: self.n_begun,
            player_id: seen.seat().index(),
        }
    }

    fn decide_line<G: Recorded>(&mut self, seen: &Perspective<'_, G>) -> Decide<G::View> {
        seen.fill_legal(&mut self.mask);
        let legal = self.mask.iter().filter_map(|id| {
            let action = seen.action(id)?.to_string();
            Some(Legal { id, action })
        });
        Decide {
            kind: "decide",
            player_id: seen.seat().index(),
            view: seen.view(),
            legal: legal.collect(),
            time_ms: u64::try_from(self.spec.patience.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

fn push_line(lines: &mut String, value: &impl Serialize) -> Result<(), String> {
    let json = serde_json::to_string(value).map_err(|error| error.to_string())?;
    writeln!(lines, "{json}").map_err(|error| error.to_string())
}

/// An answer is the id of a legal action, alone or as `{"id": 7}`; `null` lets the time run
/// out.
fn read_answer(line: &str) -> Result<Option<ActionId>, String> {
    let wrong = || {
        let shown: String = line.chars().take(200).collect();
        format!(
            "it answered {shown:?}: an answer is the id of a legal action (7 or {{\"id\": 7}}), \
             or null to let the time run out"
        )
    };
    let value: Value = serde_json::from_str(line).map_err(|_| wrong())?;
    let id = match &value {
        Value::Object(fields) => fields.get("id").ok_or_else(wrong)?,
        other => other,
    };
    match id {
        Value::Null => Ok(None),
        id => {
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            let id = id.ok_or_else(wrong)?;
            Ok(Some(ActionId::new(id as usize)))
        }
    }
}

impl<G: Recorded> Agent<G> for Program {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn begin(&mut self) {
        self.n_begun += 1;
        self.greeted = false;
    }

    fn choose(&mut self, seen: &Perspective<'_, G>, _: &mut Generator) -> Option<G::Action> {
        if self.fault.is_some() {
            return None;
        }
        let asked = self.ask(seen);
        asked.unwrap_or_else(|message| {
            self.fault = Some(message);
            // Whatever it does now, nobody listens.
            self.pipe = None;
            None
        })
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Program::of(Arc::clone(&self.spec)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_an_id_an_object_with_one_or_null() {
        let id = |n| Ok(Some(ActionId::new(n)));
        assert_eq!(read_answer("7"), id(7));
        assert_eq!(read_answer(" {\"id\": 7, \"why\": \"best\"} "), id(7));
        assert_eq!(read_answer("null"), Ok(None));
        assert_eq!(read_answer("{\"id\": null}"), Ok(None));
    }

    #[test]
    fn any_other_answer_is_told_back() {
        for line in [
            "",
            "roll",
            "-1",
            "1.5",
            "[7]",
            "{}",
            "{\"id\": \"7\"}",
            "99999999999",
        ] {
            let fault = read_answer(line).unwrap_err();
            assert!(
                fault.contains("the id of a legal action"),
                "{line}: {fault}"
            );
        }
    }
}
