//! Reads paths and values.

use std::collections::BTreeMap;

use super::text::is_word;
use crate::json::{self, DEPTH_MAX, Json};

/// Reads a text that is one value; an error says what was expected.
#[cfg(feature = "conformance")]
pub(crate) fn value(text: &str) -> Result<Json, String> {
    Scanner::new(text).last_value()
}

/// Reads a text from left to right. An error says what was expected.
pub(super) struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text }
    }

    /// The part that has not been read.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Skips `prefix` if it is next.
    pub(super) fn takes(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Keys separated by dots.
    pub(super) fn path(&mut self) -> Result<Vec<String>, String> {
        let mut path = Vec::new();
        loop {
            path.push(self.key()?);
            if !self.takes(".") {
                return Ok(path);
            }
        }
    }

    /// A value with nothing after it.
    pub(super) fn last_value(&mut self) -> Result<Json, String> {
        let value = self.value(0)?;
        match self.rest {
            "" => Ok(value),
            rest => Err(format!("the end before {rest:?}")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > DEPTH_MAX {
            return Err(format!("at most {DEPTH_MAX} levels"));
        }
        self.skip_spaces();
        match self.rest.chars().next() {
            Some('[') => self.list(depth),
            Some('{') => self.object(depth),
            Some('"') => self.quoted().map(Json::Text),
            _ => self.bare(),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        self.members("[", "]", |scanner| {
            items.push(scanner.value(depth + 1)?);
            Ok(())
        })?;
        Ok(Json::List(items))
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut entries = BTreeMap::new();
        self.members("{", "}", |scanner| {
            scanner.skip_spaces();
            let key = scanner.key()?;
            scanner.skip_spaces();
            if !scanner.takes(":") {
                return Err(format!("a colon after the key {key:?}"));
            }
            let value = scanner.value(depth + 1)?;
            match entries.insert(key.clone(), value) {
                None => Ok(()),
                Some(_) => Err(format!("the key {key:?} once")),
            }
        })?;
        Ok(Json::Object(entries))
    }

    /// Members between brackets, separated by commas.
    fn members(
        &mut self,
        open: &str,
        close: &str,
        mut member: impl FnMut(&mut Scanner<'a>) -> Result<(), String>,
    ) -> Result<(), String> {
        self.takes(open);
        self.skip_spaces();
        if self.takes(close) {
            return Ok(());
        }
        loop {
            member(self)?;
            self.skip_spaces();
            if self.takes(close) {
                return Ok(());
            }
            if !self.takes(",") {
                return Err(format!("a comma or {close}"));
            }
        }
    }

    /// A number, `true`, `false`, `null` or a string without quotes.
    fn bare(&mut self) -> Result<Json, String> {
        let ends = |letter: char| letter.is_whitespace() || ",[]{}\"=".contains(letter);
        let len = self.rest.find(ends).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(len);
        if token.is_empty() {
            return Err("a value".to_owned());
        }
        self.rest = rest;
        let value = json::read(token.as_bytes());
        Ok(value.unwrap_or_else(|_| Json::Text(token.to_owned())))
    }

    fn key(&mut self) -> Result<String, String> {
        if self.rest.starts_with('"') {
            return self.quoted();
        }
        let is_end = |letter: char| !is_word(letter.encode_utf8(&mut [0; 4]));
        let len = self.rest.find(is_end).unwrap_or(self.rest.len());
        // The hyphen of `-=` belongs to the operator.
        let is_operator = self.rest[..len].ends_with('-') && self.rest[len..].starts_with('=');
        let (key, rest) = self.rest.split_at(len - usize::from(is_operator));
        if key.is_empty() {
            return Err("a key".to_owned());
        }
        self.rest = rest;
        Ok(key.to_owned())
    }

    fn quoted(&mut self) -> Result<String, String> {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, letter)| {
            let ends = *letter == '"' && !escaped;
            escaped = *letter == '\\' && !escaped;
            ends
        });
        let (end, _) = end.ok_or("a closing quote")?;
        let (quoted, rest) = self.rest.split_at(end + 1);
        self.rest = rest;
        match json::read(quoted.as_bytes()) {
            Ok(Json::Text(text)) => Ok(text),
            _ => Err(format!("a JSON string instead of {quoted}")),
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }
}
