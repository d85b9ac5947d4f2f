//! The strict reader.

use std::collections::BTreeMap;
use std::fmt;

use super::{DEPTH_MAX, Json, Real};

/// Reads one JSON document strictly by RFC 8259.
///
/// Refuses, with the place: anything after the document, invalid UTF-8, a key that the object
/// already has, half a surrogate pair, more than [`DEPTH_MAX`] levels. As in Python, `-0` is the
/// integer 0. Numbers with a fraction or an exponent and integers beyond 64 bits become
/// [`Json::Real`], which keeps their text.
pub fn read(bytes: &[u8]) -> Result<Json, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        ReadError::at(bytes, offset, "this is not UTF-8".to_owned())
    })?;
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    reader
        .document()
        .map_err(|(offset, message)| ReadError::at(bytes, offset, message))
}

/// The reason a text is not a JSON document, and the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The character within the line, from 1.
    pub column: usize,
    /// The fault described in a sentence.
    pub message: String,
}

impl ReadError {
    fn at(bytes: &[u8], offset: usize, message: String) -> ReadError {
        let before = &bytes[..offset.min(bytes.len())];
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        ReadError {
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            column: 1 + String::from_utf8_lossy(&before[line_start..])
                .chars()
                .count(),
            message,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadError {
            line,
            column,
            message,
        } = self;
        write!(f, "line {line}, column {column}: {message}")
    }
}

impl std::error::Error for ReadError {}

/// A byte offset and the fault there.
type Refusal = (usize, String);

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<Json, Refusal> {
        self.skip_space();
        let value = self.value()?;
        self.skip_space();
        match self.peek() {
            None => Ok(value),
            Some(_) => self.refuse("expected nothing after the document"),
        }
    }

    fn value(&mut self) -> Result<Json, Refusal> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, Refusal>) -> Result<Json, Refusal> {
        if self.depth == DEPTH_MAX {
            let message = format!("lists and objects are nested more than {DEPTH_MAX} levels deep");
            return Err((self.at, message));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_space();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn list(&mut self) -> Result<Json, Refusal> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Json::List(items));
            }
            if !self.take(b',') {
                return self.refuse("expected a comma or the end of the list");
            }
            self.skip_space();
        }
    }

    fn object(&mut self) -> Result<Json, Refusal> {
        let mut entries = BTreeMap::new();
        if self.take(b'}') {
            return Ok(Json::Object(entries));
        }
        loop {
            let key_at = self.at;
            if self.peek() != Some(b'"') {
                return self.refuse("expected a key in double quotes");
            }
            let key = self.string()?;
            if entries.contains_key(&key) {
                return Err((key_at, "this object already has the same key".to_owned()));
            }
            self.skip_space();
            if !self.take(b':') {
                return self.refuse("expected a colon after the key");
            }
            self.skip_space();
            let value = self.value()?;
            entries.insert(key, value);
            self.skip_space();
            if self.take(b'}') {
                return Ok(Json::Object(entries));
            }
            if !self.take(b',') {
                return self.refuse("expected a comma or the end of the object");
            }
            self.skip_space();
        }
    }

    fn word(&mut self) -> Result<Json, Refusal> {
        let words = [
            ("null", Json::Null),
            ("true", Json::Bool(true)),
            ("false", Json::Bool(false)),
        ];
        for (word, value) in words {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.refuse("expected a value")
    }

    fn number(&mut self) -> Result<Json, Refusal> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits("expected a digit")?;
        } else if matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.refuse("a number must not have a leading zero");
        }
        let whole = self.at;
        if self.take(b'.') {
            self.digits("expected a digit after the decimal point")?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits("expected a digit in the exponent")?;
        }
        let text = &self.text[start..self.at];
        if self.at == whole
            && let Ok(int) = text.parse::<i128>()
            && (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&int)
        {
            return Ok(Json::Int(int));
        }
        Ok(Json::Real(Real::spelled(text)))
    }

    fn digits(&mut self, expected: &str) -> Result<(), Refusal> {
        let rest = &self.text.as_bytes()[self.at..];
        let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if n_digits == 0 {
            return self.refuse(expected);
        }
        self.at += n_digits;
        Ok(())
    }

    fn string(&mut self) -> Result<String, Refusal> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let n_plain = rest
                .bytes()
                .take_while(|byte| *byte >= b' ' && *byte != b'"' && *byte != b'\\')
                .count();
            string.push_str(&rest[..n_plain]);
            self.at += n_plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(_) => return self.refuse("a control character must be escaped"),
                None => return self.refuse("expected the closing quote of a string"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Refusal> {
        let start = self.at;
        self.at += 1;
        let plain = match self.peek() {
            Some(quoted @ (b'"' | b'\\' | b'/')) => char::from(quoted),
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                self.at += 1;
                return self.code_point(start);
            }
            _ => return Err((start, "unknown escape sequence".to_owned())),
        };
        self.at += 1;
        Ok(plain)
    }

    /// The character of `\uXXXX`, or of two of them for a character beyond the Basic Multilingual
    /// Plane.
    fn code_point(&mut self, start: usize) -> Result<char, Refusal> {
        let first = self.unit()?;
        if let Some(plain) = char::from_u32(first) {
            return Ok(plain);
        }
        if first < 0xdc00 && self.take(b'\\') && self.take(b'u') {
            let second = self.unit()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).ok_or((start, HALF_A_PAIR.to_owned()));
            }
        }
        Err((start, HALF_A_PAIR.to_owned()))
    }

    fn unit(&mut self) -> Result<u32, Refusal> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return self.refuse("expected four hex digits");
            };
            unit = unit << 4 | digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Refuses the character at this place and names it.
    fn refuse<T>(&self, expected: &str) -> Result<T, Refusal> {
        let message = match self.text[self.at..].chars().next() {
            None => format!("{expected}, found the end of the text"),
            Some(found) => format!("{expected}, found {found:?}"),
        };
        Err((self.at, message))
    }
}

const HALF_A_PAIR: &str = "half of a surrogate pair is not a character";
