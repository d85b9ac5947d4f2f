//! One change to a document.

use super::scan::Scanner;
use super::text::value_text;
use crate::doc::{Fault, Faults, push_step};
use crate::json::Json;

/// The word for a key that an object does not have.
pub(super) const ABSENT: &str = "absent";

/// A change of one place in a document.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Edit {
    /// Keys and list indices from the root.
    pub(crate) path: Vec<String>,
    pub(crate) change: Change,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Change {
    Set(Json),
    /// The key is absent.
    Remove,
    /// Adds a number to an integer, or appends an item to a list.
    Add(Json),
    /// Subtracts a number from an integer, or removes the first equal item of a list.
    Subtract(Json),
}

/// Reads the edits of a text and reports each malformed one.
pub(crate) fn read_all(text: &str, faults: &mut Faults) -> Vec<Edit> {
    let mut edits = Vec::new();
    for part in parts(text) {
        match read(part) {
            Ok(edit) => edits.push(edit),
            Err(expected) => {
                let message = format!("expected {expected} in {part:?}");
                faults.push(Fault::new("", "malformed_edit", message));
            }
        }
    }
    edits
}

/// Splits a text at the spaces that are in neither quotes nor brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut in_quotes, mut escaped, mut depth) = (false, false, 0_usize);
    let is_gap = |letter: char| {
        match letter {
            '"' if !escaped => in_quotes = !in_quotes,
            '[' | '{' if !in_quotes => depth += 1,
            ']' | '}' if !in_quotes => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = in_quotes && !escaped && letter == '\\';
        letter.is_whitespace() && !in_quotes && depth == 0
    };
    text.split(is_gap).filter(|part| !part.is_empty()).collect()
}

/// Reads one edit; an error says what was expected.
fn read(text: &str) -> Result<Edit, String> {
    let mut scanner = Scanner::new(text);
    let path = scanner.path()?;
    let change: fn(Json) -> Change = if scanner.takes("+=") {
        Change::Add
    } else if scanner.takes("-=") {
        Change::Subtract
    } else if scanner.takes("=") {
        Change::Set
    } else {
        return Err("=, += or -= after the path".to_owned());
    };
    let removes = scanner.rest() == ABSENT && matches!(change(Json::Null), Change::Set(_));
    let change = match removes {
        true => Change::Remove,
        false => change(scanner.last_value()?),
    };
    Ok(Edit { path, change })
}

impl Edit {
    /// Changes the document, or reports why that is not possible.
    pub(super) fn apply(&self, document: &mut Json, faults: &mut Faults) {
        if let Err(fault) = self.try_apply(document) {
            faults.push(fault);
        }
    }

    fn try_apply(&self, document: &mut Json) -> Result<(), Fault> {
        let Some((last, parents)) = self.path.split_last() else {
            return Err(Fault::new("", "malformed_edit", "expected a path"));
        };
        let mut holder = document;
        for (idx, key) in parents.iter().enumerate() {
            holder = item_mut(holder, key).ok_or_else(|| no_place(&self.path[..=idx]))?;
        }
        match (&self.change, holder) {
            (Change::Set(value), Json::Object(entries)) => {
                entries.insert(last.clone(), value.clone());
                Ok(())
            }
            (Change::Remove, Json::Object(entries)) => {
                let removed = entries.remove(last);
                removed.map(drop).ok_or_else(|| no_place(&self.path))
            }
            (change, holder) => {
                let place = item_mut(holder, last).ok_or_else(|| no_place(&self.path))?;
                let changed = change.applied_to(place);
                changed.map_err(|message| {
                    Fault::new(pointer_to(&self.path), "impossible_edit", message)
                })
            }
        }
    }
}

impl Change {
    /// Changes a value that exists and stays where it is.
    fn applied_to(&self, place: &mut Json) -> Result<(), String> {
        match (self, place) {
            (Change::Set(value), place) => *place = value.clone(),
            (Change::Remove, _) => {
                return Err(
                    "an item of a list cannot be absent: use -= or write the whole list".to_owned(),
                );
            }
            (Change::Add(more), Json::List(items)) => items.push(more.clone()),
            (Change::Subtract(less), Json::List(items)) => {
                let idx = items.iter().position(|item| item == less);
                let missing = || format!("the list has no item {}", value_text(less));
                items.remove(idx.ok_or_else(missing)?);
            }
            (Change::Add(more), Json::Int(int)) => *int = sum(*int, more, 1)?,
            (Change::Subtract(less), Json::Int(int)) => *int = sum(*int, less, -1)?,
            (_, other) => {
                let found = value_text(other);
                return Err(format!("expected an integer or a list, found {found}"));
            }
        }
        Ok(())
    }
}

fn sum(int: i128, other: &Json, sign: i128) -> Result<i128, String> {
    let other_int = other
        .as_int()
        .ok_or_else(|| format!("expected an integer to add, found {}", value_text(other)))?;
    int.checked_add(sign * other_int)
        .ok_or_else(|| "the sum is too large".to_owned())
}

fn item_mut<'a>(holder: &'a mut Json, key: &str) -> Option<&'a mut Json> {
    match holder {
        Json::Object(entries) => entries.get_mut(key),
        Json::List(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    }
}

fn no_place(path: &[String]) -> Fault {
    let message = "the position has nothing at this place";
    Fault::new(pointer_to(path), "no_such_place", message)
}

/// The JSON pointer of a path.
pub(crate) fn pointer_to(path: &[String]) -> String {
    let mut pointer = String::new();
    for key in path {
        push_step(&mut pointer, key);
    }
    pointer
}
