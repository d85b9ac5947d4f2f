//! A place in a document.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::nearest::nearest;
use super::{Faults, push_step};
use crate::json::{Json, to_canonical};

/// A place in a document, with or without a value.
///
/// A node is two or three references and costs nothing to make. It does not carry its path: the
/// pointer is found by searching for the value from the root, and only when a fault is made.
///
/// The readers (`int_in`, `text` and so on) return `None` after they have recorded a fault. Asking
/// for fields of a value that is not an object reports that value once, not each field.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    root: &'a Json,
    place: Place<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Place<'a> {
    Here(&'a Json),
    /// The object or list has no such step. The last part is set once something inside was asked
    /// for: the place should have held an object or a list.
    Missing(&'a Json, Step<'a>, Option<&'static str>),
    /// The parent of the place is not an object, or not a list.
    WrongHolder(&'a Json, &'static str),
}

/// The form of an enum: the name of a variant, or an object whose one key names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The index of the name.
    Name(usize),
    /// The index of the key.
    Key(usize),
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

impl<'a> Node<'a> {
    /// The document itself.
    #[must_use]
    pub fn root(json: &'a Json) -> Node<'a> {
        let place = Place::Here(json);
        Node { root: json, place }
    }

    /// The place under `key`. Asked of a missing place, it returns that same place.
    #[must_use]
    pub fn field<'b>(&self, key: &'b str) -> Node<'b>
    where
        'a: 'b,
    {
        let place = match self.place {
            Place::Here(json @ Json::Object(entries)) => match entries.get(key) {
                Some(value) => Place::Here(value),
                None => Place::Missing(json, Step::Field(key), None),
            },
            Place::Here(other) => Place::WrongHolder(other, OBJECT),
            nowhere => nowhere.asked_for(OBJECT),
        };
        let root = self.root;
        Node { root, place }
    }

    /// The place of item `idx` of a list. Asked of a missing place, it returns that same place.
    #[must_use]
    pub fn item(&self, idx: usize) -> Node<'a> {
        let place = match self.place {
            Place::Here(json @ Json::List(items)) => match items.get(idx) {
                Some(value) => Place::Here(value),
                None => Place::Missing(json, Step::Item(idx), None),
            },
            Place::Here(other) => Place::WrongHolder(other, LIST),
            nowhere => nowhere.asked_for(LIST),
        };
        self.moved(place)
    }

    /// True if the place has a value, even `null`.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.json().is_some()
    }

    /// The value at this place, if any.
    #[must_use]
    pub fn json(&self) -> Option<&'a Json> {
        match self.place {
            Place::Here(json) => Some(json),
            _ => None,
        }
    }

    /// The JSON pointer of the place, `""` for the document.
    #[must_use]
    pub fn pointer(&self) -> String {
        let (end, last) = match self.place {
            Place::Here(json) | Place::WrongHolder(json, _) => (json, None),
            Place::Missing(json, step, _) => (json, Some(step)),
        };
        let mut steps = Vec::from_iter(last);
        push_way_back(self.root, end, &mut steps);
        let mut pointer = String::new();
        for step in steps.iter().rev() {
            match step {
                Step::Field(key) => push_step(&mut pointer, key),
                Step::Item(idx) => push_step(&mut pointer, &idx.to_string()),
            }
        }
        pointer
    }

    /// Reads an integer in `range`.
    pub fn int_in(&self, range: RangeInclusive<i64>, faults: &mut Faults) -> Option<i64> {
        let range = i128::from(*range.start())..=i128::from(*range.end());
        i64::try_from(self.integer_in(range, faults)?).ok()
    }

    /// Reads an integer in `range`, which may exceed the range of `i64`.
    pub(super) fn integer_in(
        &self,
        range: RangeInclusive<i128>,
        faults: &mut Faults,
    ) -> Option<i128> {
        const LEAST: i128 = i64::MIN as i128;
        const MOST: i128 = i64::MAX as i128;
        let expected = || match (*range.start(), *range.end()) {
            (LEAST, MOST) => "an integer".to_owned(),
            (low, MOST..) => format!("an integer of at least {low}"),
            (low, high) if low == high => format!("the integer {low}"),
            (low, high) => format!("an integer from {low} to {high}"),
        };
        match self.json() {
            Some(Json::Int(int)) if range.contains(int) => Some(*int),
            Some(Json::Int(_)) => self.refuse("out_of_range", &expected(), faults),
            Some(Json::Real(_)) => self.refuse("not_an_integer", &expected(), faults),
            _ => self.wrong_type(&expected(), faults),
        }
    }

    /// Reads a string and parses it. On failure the fault has this code and the message of the
    /// type's own parse error.
    pub fn parsed<T: FromStr<Err: fmt::Display>>(
        &self,
        code: &'static str,
        faults: &mut Faults,
    ) -> Option<T> {
        let value = self.text(faults)?.parse();
        value
            .map_err(|error: T::Err| faults.at(self, code, error.to_string()))
            .ok()
    }

    /// Reads `true` or `false`.
    pub fn bool(&self, faults: &mut Faults) -> Option<bool> {
        match self.json() {
            Some(Json::Bool(value)) => Some(*value),
            _ => self.wrong_type("true or false", faults),
        }
    }

    /// Reads a string.
    pub fn text(&self, faults: &mut Faults) -> Option<&'a str> {
        match self.json() {
            Some(Json::Text(text)) => Some(text),
            _ => self.wrong_type("a string", faults),
        }
    }

    /// Reads one of these strings and returns its index.
    pub fn one_of(&self, known: &[&str], faults: &mut Faults) -> Option<usize> {
        let Some(Json::Text(text)) = self.json() else {
            return self.wrong_type(&any_of(known), faults);
        };
        self.named(text, known, || any_of(known), faults)
    }

    /// Reads one of these strings, or an object with exactly one key, which is one of `keys`.
    pub fn name_or_key(
        &self,
        names: &[&str],
        keys: &[&str],
        faults: &mut Faults,
    ) -> Option<Choice> {
        let in_object = || format!("an object with {} as its one key", any_of(keys));
        let expected = || match names {
            [] => in_object(),
            _ => format!("{}, or {}", any_of(names), in_object()),
        };
        match self.json() {
            Some(Json::Text(text)) => {
                let idx = self.named(text, names, expected, faults)?;
                Some(Choice::Name(idx))
            }
            Some(Json::Object(entries)) if entries.len() == 1 => {
                let idx = keys.iter().position(|key| entries.contains_key(*key));
                let unknown = || self.refuse("unknown_value", &expected(), faults);
                idx.map(Choice::Key).or_else(unknown)
            }
            _ => self.wrong_type(&expected(), faults),
        }
    }

    /// The index of `text`, found at this place, among the known names.
    fn named(
        &self,
        text: &str,
        known: &[&str],
        expected: impl FnOnce() -> String,
        faults: &mut Faults,
    ) -> Option<usize> {
        let found = known.iter().position(|name| *name == text);
        if found.is_none() {
            let hint = nearest(text, known);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean {name:?}?"));
            let message = format!("expected {}, found {}{hint}", expected(), self.shown());
            faults.at(self, "unknown_value", message);
        }
        found
    }

    /// Reads a list and returns its items.
    pub fn list(&self, faults: &mut Faults) -> Option<Vec<Node<'a>>> {
        match self.json() {
            Some(Json::List(items)) => Some(
                items
                    .iter()
                    .map(|item| self.moved(Place::Here(item)))
                    .collect(),
            ),
            _ => self.wrong_type(LIST, faults),
        }
    }

    /// Reads a list of exactly `n` items.
    pub fn list_of_len(&self, n: usize, faults: &mut Faults) -> Option<Vec<Node<'a>>> {
        self.list_of(n..=n, faults)
    }

    /// Reads a list whose length is in the given range.
    pub fn list_of(
        &self,
        length: RangeInclusive<usize>,
        faults: &mut Faults,
    ) -> Option<Vec<Node<'a>>> {
        let expected = match (*length.start(), *length.end()) {
            (min, max) if min == max => format!("a list of {min}"),
            (0, max) => format!("a list of at most {max}"),
            (min, usize::MAX) => format!("a list of at least {min}"),
            (min, max) => format!("a list of {min} to {max}"),
        };
        match self.json() {
            Some(Json::List(items)) if !length.contains(&items.len()) => {
                self.refuse("wrong_length", &expected, faults)
            }
            Some(Json::List(_)) => self.list(faults),
            _ => self.wrong_type(&expected, faults),
        }
    }

    /// Reads an object with arbitrary keys and returns its entries in code-point order.
    pub fn entries(&self, faults: &mut Faults) -> Option<Vec<(&'a str, Node<'a>)>> {
        let Some(Json::Object(entries)) = self.json() else {
            return self.wrong_type(OBJECT, faults);
        };
        let node_of =
            |(key, value): (&'a String, &'a Json)| (key.as_str(), self.moved(Place::Here(value)));
        Some(entries.iter().map(node_of).collect())
    }

    /// Reads an unsigned 64-bit integer: a JSON integer or its decimal digits in a string, which is
    /// how documents write integers over 2^53.
    pub fn u64_text(&self, faults: &mut Faults) -> Option<u64> {
        let int = self.unsigned("an integer from 0 to 2^64 - 1", faults)?;
        let wide = || self.refuse("out_of_range", "an integer from 0 to 2^64 - 1", faults);
        u64::try_from(int).ok().or_else(wide)
    }

    /// Reads an unsigned 128-bit integer, spelled as in [`Node::u64_text`].
    pub fn u128_text(&self, faults: &mut Faults) -> Option<u128> {
        self.unsigned("an integer from 0 to 2^128 - 1", faults)
    }

    /// Reads the value with `read`, or returns `Some(None)` for `null`. A missing value is passed
    /// on to `read`, which refuses it.
    pub fn null_or<T>(
        &self,
        faults: &mut Faults,
        read: impl FnOnce(&Node<'a>, &mut Faults) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.json() {
            Some(Json::Null) => Some(None),
            _ => read(self, faults).map(Some),
        }
    }

    /// Like [`Node::null_or`], but a missing field or item counts as `null`.
    pub fn optional<T>(
        &self,
        faults: &mut Faults,
        read: impl FnOnce(&Node<'a>, &mut Faults) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.place {
            Place::Missing(_, _, None) => Some(None),
            _ => self.null_or(faults, read),
        }
    }

    /// Refuses a value that is not an object, and each field that is not `allowed`. Missing fields
    /// are reported by their own readers.
    pub fn only_fields(&self, allowed: &[&str], faults: &mut Faults) {
        self.only_fields_beside(allowed, &[], faults);
    }

    /// Like [`Node::only_fields`], but fields of `others` are accepted too; messages do not suggest
    /// those.
    pub fn only_fields_beside(&self, allowed: &[&str], others: &[&str], faults: &mut Faults) {
        let Some(Json::Object(entries)) = self.json() else {
            let _: Option<()> = self.wrong_type(OBJECT, faults);
            return;
        };
        for (key, value) in entries {
            if allowed.contains(&key.as_str()) || others.contains(&key.as_str()) {
                continue;
            }
            let hint = match nearest(key, allowed) {
                Some(name) => format!("did you mean {name:?}?"),
                None => format!("the fields are {}", allowed.join(", ")),
            };
            let message = format!("unknown field {}; {hint}", cut(&format!("{key:?}")));
            faults.once(&self.moved(Place::Here(value)), "unknown_field", message);
        }
    }

    /// Refuses each value that differs from `written`: the document of the value that was read
    /// here. Fields that are missing here, and fields of `others`, are not compared.
    pub fn must_repeat(&self, written: &Json, others: &[&str], faults: &mut Faults) {
        match (self.json(), written) {
            (Some(Json::Object(found)), Json::Object(fields)) => {
                for key in found.keys().filter(|key| !others.contains(&key.as_str())) {
                    let place = self.field(key);
                    match fields.get(key) {
                        Some(value) => place.must_repeat(value, &[], faults),
                        None => faults.at(&place, "surplus", "expected no such field here"),
                    }
                }
            }
            (Some(Json::List(found)), Json::List(items)) if found.len() == items.len() => {
                for (idx, item) in items.iter().enumerate() {
                    self.item(idx).must_repeat(item, &[], faults);
                }
            }
            (Some(found), _) if found != written => {
                let (expected, found) = (shown(written), shown(found));
                let message =
                    format!("the rest of the document gives {expected}, but here it says {found}");
                faults.at(self, "contradiction", message);
            }
            _ => {}
        }
    }

    /// Any value; only its absence is a fault.
    pub fn present(&self, faults: &mut Faults) -> Option<&'a Json> {
        self.json()
            .or_else(|| self.refuse("missing", "a value", faults))
    }

    /// Records that the place does not hold what was `expected`, and returns `None`.
    pub fn refuse<T>(&self, code: &'static str, expected: &str, faults: &mut Faults) -> Option<T> {
        match self.place {
            Place::Here(_) => {
                let message = format!("expected {expected}, found {}", self.shown());
                faults.once(self, code, message);
            }
            Place::Missing(_, _, holder) => {
                let expected = holder.unwrap_or(expected);
                let message = format!("expected {expected}, found nothing");
                faults.once(self, "missing", message);
            }
            Place::WrongHolder(holder, expected) => {
                let message = format!("expected {expected}, found {}", shown(holder));
                faults.once(self, "wrong_type", message);
            }
        }
        None
    }

    /// Records that the value is of another type than `expected`.
    fn wrong_type<T>(&self, expected: &str, faults: &mut Faults) -> Option<T> {
        self.refuse("wrong_type", expected, faults)
    }

    fn unsigned(&self, expected: &str, faults: &mut Faults) -> Option<u128> {
        let int = match self.json() {
            Some(Json::Int(int)) => u128::try_from(*int).ok(),
            Some(Json::Text(text)) if is_decimal(text) => text.parse().ok(),
            _ => return self.wrong_type(expected, faults),
        };
        int.or_else(|| self.refuse("out_of_range", expected, faults))
    }

    fn moved(&self, place: Place<'a>) -> Node<'a> {
        let root = self.root;
        Node { root, place }
    }

    fn shown(&self) -> String {
        self.json().map_or("nothing".to_owned(), shown)
    }
}

impl<'a> Place<'a> {
    /// The same place after something was asked for that only a `holder` could contain.
    fn asked_for(self, holder: &'static str) -> Place<'a> {
        match self {
            Place::Missing(json, step, None) => Place::Missing(json, step, Some(holder)),
            other => other,
        }
    }
}

/// The names as a list for messages.
pub(crate) fn any_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match quoted.as_slice() {
        [only] => only.clone(),
        _ => format!("one of {}", quoted.join(", ")),
    }
}

const OBJECT: &str = "an object";
const LIST: &str = "a list";

/// A value in short form, for a message.
fn shown(json: &Json) -> String {
    match json {
        Json::Real(real) => cut(real.as_str()),
        Json::List(items) => format!("a list of {}", items.len()),
        Json::Object(_) => OBJECT.to_owned(),
        Json::Text(text) => cut(&format!("{text:?}")),
        Json::Null | Json::Bool(_) | Json::Int(_) => {
            let bytes = to_canonical(json).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }
}

fn cut(text: &str) -> String {
    const SHOWN_MAX: usize = 60;
    if text.chars().count() <= SHOWN_MAX {
        return text.to_owned();
    }
    text.chars().take(SHOWN_MAX).chain("…".chars()).collect()
}

/// True for digits in the canonical spelling of an integer: no sign, no leading zero.
fn is_decimal(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}

/// Appends the steps from `to` back to `from`; returns false and appends nothing if `from` does not
/// contain `to`.
fn push_way_back<'a>(from: &'a Json, to: &Json, steps: &mut Vec<Step<'a>>) -> bool {
    if std::ptr::eq(from, to) {
        return true;
    }
    let mut leads = |step: Step<'a>, value: &'a Json| {
        let found = push_way_back(value, to, steps);
        if found {
            steps.push(step);
        }
        found
    };
    match from {
        Json::List(items) => {
            let mut items = items.iter().enumerate();
            items.any(|(idx, item)| leads(Step::Item(idx), item))
        }
        Json::Object(entries) => {
            let mut entries = entries.iter();
            entries.any(|(key, value)| leads(Step::Field(key), value))
        }
        _ => false,
    }
}
