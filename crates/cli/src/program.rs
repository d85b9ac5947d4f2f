//! Agents that run as external programs in any language: one line of JSON in, one line out.
//!
//! `docs/bots.md` describes the protocol. A program is started when it must first decide, in its
//! own process group. The group is killed when the agent is dropped, when the run fails, and when
//! this process receives a signal to stop.

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

/// Marks an agent's name as a command to run.
pub(crate) const PREFIX: &str = "exec:";

/// The protocol version, sent at the beginning of every match.
const PROTOCOL: u32 = 1;

pub(crate) struct Program {
    spec: Arc<Spec>,
    /// Locked only because agents must be `Sync`; the lock is never contended.
    pipe: Option<Mutex<Pipe>>,
    mask: Mask,
    /// Matches begun so far; sent to the program as `match_number`.
    n_begun: u64,
    /// True once the `begin` line of the current match was sent.
    greeted: bool,
    fault: Option<String>,
}

/// The command, and its time limit per decision.
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
    /// Parses a name that starts with [`PREFIX`]. The command is split at spaces, without a shell.
    pub(crate) fn named(name: &str, patience: Duration) -> Result<Program, String> {
        let command = name.strip_prefix(PREFIX).unwrap_or(name);
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if command.is_empty() {
            return Err(format!(
                "{name:?} names no program: expected {PREFIX}PROGRAM or \"{PREFIX}PROGRAM ARGUMENT ...\""
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

    /// Asks the program for a decision. `Ok(None)` lets the time run out.
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
                "it answered {id}, which is not among the {} legal ids it was given",
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

/// Reads an answer: the id of an action, alone or as `{"id": 7}`, or `null` to let the time run
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
            // Kills the program: its answers no longer count.
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
    fn any_other_answer_is_quoted_in_the_error() {
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
