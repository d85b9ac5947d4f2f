//! The part of MessagePack that documents need: nil, booleans, 64-bit integers, strings, lists, and
//! objects with string keys.

use std::collections::BTreeMap;
use std::fmt;

use kernel::json::{DEPTH_MAX, Json};

/// Writes the document as MessagePack, with each value in its shortest form and keys sorted. A real
/// number, which no snapshot contains, is written as a float.
pub fn write(document: &Json) -> Vec<u8> {
    let mut out = Vec::new();
    push(document, &mut out);
    out
}

fn push(value: &Json, out: &mut Vec<u8>) {
    match value {
        Json::Null => out.push(0xC0),
        Json::Bool(value) => out.push(0xC2 + u8::from(*value)),
        Json::Int(int) => push_int(*int, out),
        Json::Real(real) => {
            out.push(0xCB);
            out.extend(real.to_f64().to_be_bytes());
        }
        Json::Text(text) => push_text(text, out),
        Json::List(items) => {
            push_head(items.len(), (0x90, 16), [None, Some(0xDC), Some(0xDD)], out);
            items.iter().for_each(|item| push(item, out));
        }
        Json::Object(fields) => {
            let wide = [None, Some(0xDE), Some(0xDF)];
            push_head(fields.len(), (0x80, 16), wide, out);
            for (key, value) in fields {
                push_text(key, out);
                push(value, out);
            }
        }
    }
}

fn push_text(text: &str, out: &mut Vec<u8>) {
    let wide = [Some(0xD9), Some(0xDA), Some(0xDB)];
    push_head(text.len(), (0xA0, 32), wide, out);
    out.extend(text.as_bytes());
}

/// Writes a length: in the head itself, or after it in 1, 2 or 4 bytes.
fn push_head(len: usize, (fixed, below): (u8, usize), wide: [Option<u8>; 3], out: &mut Vec<u8>) {
    match (len, wide) {
        (len, _) if len < below => out.push(fixed + len as u8),
        (0..=0xFF, [Some(head), ..]) => out.extend([head, len as u8]),
        (0..=0xFFFF, [_, Some(head), _]) => {
            out.push(head);
            out.extend((len as u16).to_be_bytes());
        }
        (_, [_, _, head]) => {
            out.push(head.unwrap_or(0xDF));
            out.extend((len as u32).to_be_bytes());
        }
    }
}

fn push_int(int: i128, out: &mut Vec<u8>) {
    match int {
        0..=0x7F => out.push(int as u8),
        -0x20..0 => out.push(int as i8 as u8),
        0x80..=0xFF => out.extend([0xCC, int as u8]),
        0x100..=0xFFFF => push_wide(0xCD, &(int as u16).to_be_bytes(), out),
        0x1_0000..=0xFFFF_FFFF => push_wide(0xCE, &(int as u32).to_be_bytes(), out),
        0x1_0000_0000.. => push_wide(0xCF, &(int as u64).to_be_bytes(), out),
        -0x80..-0x20 => push_wide(0xD0, &(int as i8).to_be_bytes(), out),
        -0x8000..-0x80 => push_wide(0xD1, &(int as i16).to_be_bytes(), out),
        -0x8000_0000..-0x8000 => push_wide(0xD2, &(int as i32).to_be_bytes(), out),
        _ => push_wide(0xD3, &(int as i64).to_be_bytes(), out),
    }
}

fn push_wide(head: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(head);
    out.extend(bytes);
}

/// The reason bytes are not a document in MessagePack, and the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The offset of the byte, from 0.
    pub offset: usize,
    /// The fault described in a sentence.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads one document. Refuses, with the place: truncated input, bytes after the document, invalid
/// UTF-8, keys that are not strings or occur twice, raw bytes and extensions, and more than
/// [`DEPTH_MAX`] levels.
pub fn read(bytes: &[u8]) -> Result<Json, ReadError> {
    let mut reader = Reader {
        bytes,
        at: 0,
        depth: 0,
    };
    let document = reader.value()?;
    if reader.at < bytes.len() {
        return Err(reader.wrong("unexpected bytes follow the document"));
    }
    Ok(document)
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    depth: usize,
}

impl<'b> Reader<'b> {
    fn wrong(&self, message: impl Into<String>) -> ReadError {
        ReadError {
            offset: self.at,
            message: message.into(),
        }
    }

    fn take(&mut self, n: usize) -> Result<&'b [u8], ReadError> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..n) else {
            let message = format!("{n} bytes are declared, but only {} are left", rest.len());
            return Err(self.wrong(message));
        };
        self.at += n;
        Ok(taken)
    }

    /// Reads an unsigned big-endian number of `n_bytes` bytes.
    fn number(&mut self, n_bytes: usize) -> Result<u64, ReadError> {
        let bytes = self.take(n_bytes)?;
        Ok(bytes
            .iter()
            .fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn value(&mut self) -> Result<Json, ReadError> {
        let head = self.take(1)?[0];
        match head {
            0x00..=0x7F => Ok(Json::Int(head.into())),
            0xE0..=0xFF => Ok(Json::Int((head as i8).into())),
            0x80..=0x8F => self.object(usize::from(head & 15)),
            0x90..=0x9F => self.list(usize::from(head & 15)),
            0xA0..=0xBF => self.text(usize::from(head & 31)).map(Json::Text),
            0xC0 => Ok(Json::Null),
            0xC2 | 0xC3 => Ok(Json::Bool(head == 0xC3)),
            0xCA => {
                let bits = self.number(4)? as u32;
                Ok(Json::Real(f64::from(f32::from_bits(bits)).into()))
            }
            0xCB => Ok(Json::Real(f64::from_bits(self.number(8)?).into())),
            0xCC..=0xCF => {
                let n_bytes = 1 << (head - 0xCC);
                Ok(Json::Int(self.number(n_bytes)?.into()))
            }
            0xD0..=0xD3 => {
                let n_bytes = 1 << (head - 0xD0);
                let unused = 64 - 8 * n_bytes as u32;
                let int = (self.number(n_bytes)? << unused) as i64 >> unused;
                Ok(Json::Int(int.into()))
            }
            0xD9..=0xDB => {
                let len = self.number(1 << (head - 0xD9))?;
                self.text(len as usize).map(Json::Text)
            }
            0xDC | 0xDD => {
                let len = self.number(2 << (head - 0xDC))?;
                self.list(len as usize)
            }
            0xDE | 0xDF => {
                let len = self.number(2 << (head - 0xDE))?;
                self.object(len as usize)
            }
            _ => {
                self.at -= 1;
                Err(self.wrong(format!("no value in a document begins with {head:#04x}")))
            }
        }
    }

    fn text(&mut self, len: usize) -> Result<String, ReadError> {
        let began = self.at;
        let bytes = self.take(len)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(ReadError {
                offset: began + error.valid_up_to(),
                message: "this is not UTF-8".to_owned(),
            }),
        }
    }

    fn list(&mut self, len: usize) -> Result<Json, ReadError> {
        self.enter(len)?;
        let mut items = Vec::new();
        for _ in 0..len {
            items.push(self.value()?);
        }
        self.depth -= 1;
        Ok(Json::List(items))
    }

    fn object(&mut self, len: usize) -> Result<Json, ReadError> {
        self.enter(len)?;
        let mut fields = BTreeMap::new();
        for _ in 0..len {
            let began = self.at;
            let wrong = |message: String| ReadError {
                offset: began,
                message,
            };
            let Json::Text(key) = self.value()? else {
                return Err(wrong("a key must be a string".to_owned()));
            };
            if fields.contains_key(&key) {
                return Err(wrong(format!("the key {key:?} occurs twice")));
            }
            fields.insert(key, self.value()?);
        }
        self.depth -= 1;
        Ok(Json::Object(fields))
    }

    /// Enters a list or an object. Every item takes at least one byte, so a length beyond the
    /// remaining bytes is refused before any memory is allocated for it.
    fn enter(&mut self, len: usize) -> Result<(), ReadError> {
        if self.depth == DEPTH_MAX {
            let message = format!("lists and objects are nested more than {DEPTH_MAX} levels deep");
            return Err(self.wrong(message));
        }
        let n_left = self.bytes.len() - self.at;
        if len > n_left {
            let message = format!("{len} items are declared, but only {n_left} bytes are left");
            return Err(self.wrong(message));
        }
        self.depth += 1;
        Ok(())
    }
}
