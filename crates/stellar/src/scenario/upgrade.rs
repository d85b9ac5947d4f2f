//! Conversion from the older shape of objectives to the current one.

use std::collections::BTreeMap;

use kernel::json::Json;

use super::Finding;
use crate::decimal::real;

/// The result of upgrading a document.
#[derive(Clone, PartialEq, Debug)]
pub struct Upgraded {
    /// The document in the current shape; `None` if its meaning is unclear.
    pub document: Option<Json>,
    /// True if the document was of the older shape.
    pub changed: bool,
    /// A warning for each change, and an error for each failure.
    pub findings: Vec<Finding>,
}

/// Converts a document of the older shape (`win`, `value`, `maxTurns`) to the current one. A
/// document of the current shape is returned unchanged; one that mixes both is refused.
pub fn upgrade(document: &Json) -> Upgraded {
    let mut upgraded = Upgraded {
        document: Some(document.clone()),
        changed: false,
        findings: Vec::new(),
    };
    let Some(Json::Object(objectives)) = document.get("objectives") else {
        return upgraded;
    };
    let older = ["win", "maxTurns"].map(|key| objectives.contains_key(key));
    let newer = ["victory", "constraints"].map(|key| objectives.contains_key(key));
    if !older.contains(&true) {
        return upgraded;
    }
    if newer.contains(&true) {
        let message = "this mixes the older shape (win, maxTurns) with the current one \
                       (victory, constraints); use only the current one";
        upgraded.fail("/objectives", "mixed_shapes", message);
        return upgraded;
    }
    upgraded.changed = true;
    let current = upgraded.objectives(objectives);
    if let Some(Json::Object(root)) = &mut upgraded.document {
        root.insert("objectives".to_owned(), current);
    }
    upgraded
}

impl Upgraded {
    fn warn(&mut self, pointer: &str, code: &'static str, message: &str) {
        let finding = Finding::warning(pointer, code, message.to_owned());
        self.findings.push(finding);
    }

    fn fail(&mut self, pointer: &str, code: &'static str, message: &str) {
        self.document = None;
        let finding = Finding::error(pointer, code, message.to_owned());
        self.findings.push(finding);
    }

    fn objectives(&mut self, older: &BTreeMap<String, Json>) -> Json {
        let mut current = older.clone();
        let is_limit = |it: &Json| *it != Json::Int(0) && !it.is_null();
        let given = current.remove("maxTurns");
        let limit = given.clone().filter(is_limit);
        if let Some(limit) = &limit {
            let constraints = Json::object([("maxTurns", limit.clone())]);
            current.insert("constraints".to_owned(), constraints);
        }
        if given.is_some() {
            let message = match limit {
                Some(_) => "maxTurns is now in constraints",
                None => "0 meant no limit; constraints.maxTurns is now omitted instead",
            };
            self.warn("/objectives/maxTurns", "upgraded_max_turns", message);
        }
        if let Some(win) = current.remove("win") {
            let message = "win is now called victory";
            self.warn("/objectives/win", "upgraded_win", message);
            let victory = self.victory(win, limit.as_ref());
            current.insert("victory".to_owned(), victory);
        }
        Json::Object(current)
    }

    fn victory(&mut self, win: Json, limit: Option<&Json>) -> Json {
        let Json::List(items) = win else {
            return win;
        };
        let items = items.into_iter().enumerate();
        Json::List(
            items
                .map(|(idx, it)| self.condition(idx, it, limit))
                .collect(),
        )
    }

    fn condition(&mut self, idx: usize, older: Json, limit: Option<&Json>) -> Json {
        let pointer = format!("/objectives/win/{idx}");
        let Json::Object(mut current) = older else {
            return older;
        };
        let newer = ["percentage", "systemId", "turnsHeld", "turns"];
        if let Some(key) = newer.iter().find(|key| current.contains_key(**key)) {
            let message = format!("{key:?} belongs to the current shape; win takes value");
            self.fail(&format!("{pointer}/{key}"), "mixed_shapes", &message);
            return Json::Object(current);
        }
        let value = current.remove("value");
        let kind = current
            .get("type")
            .and_then(Json::as_text)
            .unwrap_or("")
            .to_owned();
        let mut set = |key: &str, value: Json| {
            current.insert(key.to_owned(), value);
        };
        match kind.as_str() {
            "elimination" => {
                if value.is_some() {
                    let message = "elimination takes no value; the value is dropped";
                    self.warn(&pointer, "upgraded_elimination", message);
                }
            }
            "domination" => {
                let message = "value (in percent) is now percentage (from 0 to 1)";
                self.warn(&pointer, "upgraded_domination", message);
                set("percentage", percentage(value));
            }
            "king_of_the_hill" => {
                let message =
                    "value is now systemId; holding it for one turn (turnsHeld 1) wins, as before";
                self.warn(&pointer, "upgraded_king_of_the_hill", message);
                if let Some(system) = value {
                    set("systemId", system);
                }
                set("turnsHeld", Json::Int(1));
            }
            "survival" => match value.or_else(|| limit.cloned()) {
                Some(turns) => {
                    let message = "the length of survival is now given by turns";
                    self.warn(&pointer, "upgraded_survival", message);
                    set("turns", turns);
                }
                None => {
                    let message = "survival has neither value nor maxTurns, so its length is \
                                   unknown; give turns";
                    self.fail(&pointer, "survival_without_length", message);
                }
            },
            _ => {
                if let Some(value) = value {
                    set("value", value);
                }
            }
        }
        Json::Object(current)
    }
}

/// Converts percent to a share, exactly. A value that is not a number stays as it is and is refused
/// later.
fn percentage(value: Option<Json>) -> Json {
    let text = match &value {
        None => return real("0.5"),
        Some(Json::Int(int)) => int.to_string(),
        Some(Json::Real(number)) if let Some(plain) = number.plain() => plain,
        Some(_) => return value.unwrap_or(Json::Null),
    };
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let padded = format!("{whole:0>3}");
    let (ones, hundredths) = padded.split_at(padded.len() - 2);
    real(&format!("{sign}{ones}.{hundredths}{fraction}"))
}
