//! Reading values of scenarios from two dialects of JSON.

use kernel::doc::{Faults, Node};
use kernel::json::Json;

use super::Finding;
use crate::decimal::{Decimal, Parsed};

/// How decimals are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// As JSON numbers: scenario files.
    File,
    /// Those with a fraction as text, since hashed documents hold no floats: setups and
    /// snapshots.
    Canonical,
}

/// Reads values and collects what is wrong or odd about them.
pub(super) struct Reader {
    pub(super) dialect: Dialect,
    pub(super) faults: Faults,
    pub(super) warnings: Vec<Finding>,
}

/// The largest count of turns.
pub(super) const TURNS_LAST: i64 = i32::MAX as i64;

impl Reader {
    pub(super) fn new(dialect: Dialect) -> Reader {
        Reader {
            dialect,
            faults: Faults::default(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn error(&mut self, node: &Node<'_>, code: &'static str, message: String) {
        self.faults.at(node, code, message);
    }

    pub(super) fn warn(&mut self, node: &Node<'_>, code: &'static str, message: String) {
        self.warnings
            .push(Finding::warning(node.pointer(), code, message));
    }

    /// An integer in a range. In a file, `5.0` and `5e0` are integers, too.
    pub(super) fn int(&mut self, node: &Node<'_>, low: i64, high: i64) -> Option<i64> {
        let Some(Json::Real(real)) = node.json() else {
            return node.int_in(low..=high, &mut self.faults);
        };
        let whole = match self.dialect {
            Dialect::File => real.to_string().parse::<Decimal<0>>().ok(),
            Dialect::Canonical => None,
        };
        let Some(whole) = whole else {
            let message = format!("expected an integer from {low} to {high}, found {real}");
            self.error(node, "not_an_integer", message);
            return None;
        };
        if (low..=high).contains(&whole.units()) {
            return Some(whole.units());
        }
        let message = format!("expected an integer from {low} to {high}, found {real}");
        self.error(node, "out_of_range", message);
        None
    }

    /// A decimal; what is finer than its places is rounded, with a warning.
    pub(super) fn decimal<const PLACES: u32>(
        &mut self,
        node: &Node<'_>,
    ) -> Option<Decimal<PLACES>> {
        let text = match (node.json(), self.dialect) {
            (Some(Json::Int(int)), _) => int.to_string(),
            (Some(Json::Real(real)), Dialect::File) => real.to_string(),
            (Some(Json::Text(text)), Dialect::Canonical) => {
                return self.decimal_text(node, text);
            }
            _ => {
                let expected = match self.dialect {
                    Dialect::File => "a number",
                    Dialect::Canonical => "an integer, or a decimal as text",
                };
                return node.refuse("wrong_type", expected, &mut self.faults);
            }
        };
        match Parsed::read(&text) {
            Ok(Parsed::Exact(decimal)) => Some(decimal),
            Ok(Parsed::Rounded(decimal)) => {
                let message = format!(
                    "{text} has more than {PLACES} decimals; it is read as {decimal}, the nearest"
                );
                self.warn(node, "rounded", message);
                Some(decimal)
            }
            Err(_) => {
                let message = format!("expected a number of ordinary size, found {text:.40}");
                self.error(node, "out_of_range", message);
                None
            }
        }
    }

    /// The one spelling that a decimal has in a hashed document.
    fn decimal_text<const PLACES: u32>(
        &mut self,
        node: &Node<'_>,
        text: &str,
    ) -> Option<Decimal<PLACES>> {
        let read = text.parse::<Decimal<PLACES>>().ok();
        let canonical = |it: &Decimal<PLACES>| it.as_whole().is_none() && it.to_string() == text;
        read.filter(canonical).or_else(|| {
            let expected = "an integer, or a decimal with a fraction and no final zeros as text";
            node.refuse("not_a_decimal", expected, &mut self.faults)
        })
    }

    pub(super) fn bool(&mut self, node: &Node<'_>) -> Option<bool> {
        node.bool(&mut self.faults)
    }

    /// A flag that a file may leave out.
    pub(super) fn bool_or(&mut self, node: &Node<'_>, standard: bool) -> Option<bool> {
        match node.exists() || self.dialect == Dialect::Canonical {
            true => self.bool(node),
            false => Some(standard),
        }
    }

    /// A text of a bounded length that is not blank.
    pub(super) fn text(&mut self, node: &Node<'_>, n_chars_max: usize) -> Option<String> {
        let text = node.text(&mut self.faults)?;
        if text.trim().is_empty() {
            self.error(
                node,
                "blank",
                "expected a text that is not blank".to_owned(),
            );
            return None;
        }
        self.bounded(node, text, n_chars_max)
    }

    /// A text of a bounded length, which may be empty.
    pub(super) fn any_text(&mut self, node: &Node<'_>, n_chars_max: usize) -> Option<String> {
        let text = node.text(&mut self.faults)?;
        self.bounded(node, text, n_chars_max)
    }

    fn bounded(&mut self, node: &Node<'_>, text: &str, n_chars_max: usize) -> Option<String> {
        let n_chars = text.chars().count();
        if n_chars > n_chars_max {
            let message =
                format!("expected at most {n_chars_max} characters, found a text of {n_chars}");
            self.error(node, "too_long", message);
            return None;
        }
        Some(text.to_owned())
    }

    /// A value that may be left out. In a file, `null` is as good as nothing; a hashed
    /// document leaves it out.
    pub(super) fn optional<T>(
        &mut self,
        node: &Node<'_>,
        read: impl FnOnce(&mut Reader, &Node<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        match (node.json(), self.dialect) {
            (None, _) | (Some(Json::Null), Dialect::File) => Some(None),
            _ => read(self, node).map(Some),
        }
    }

    /// The items of a list that is not too long; an empty one where a file leaves it out and
    /// may.
    pub(super) fn items<'a>(
        &mut self,
        node: &Node<'a>,
        presence: Presence,
        n_max: usize,
    ) -> Option<Vec<Node<'a>>> {
        let may_miss = presence == Presence::Optional && self.dialect == Dialect::File;
        if may_miss && !node.exists() {
            return Some(Vec::new());
        }
        let items = node.list(&mut self.faults)?;
        if items.len() > n_max {
            let message = format!(
                "expected a list of at most {n_max}, found one of {}",
                items.len()
            );
            self.error(node, "too_many", message);
            return None;
        }
        Some(items)
    }
}

/// Whether a list may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Required,
    Optional,
}

/// All of them, or nothing after all were looked at.
pub(super) fn all<T>(values: Vec<Option<T>>) -> Option<Vec<T>> {
    values.into_iter().collect()
}
