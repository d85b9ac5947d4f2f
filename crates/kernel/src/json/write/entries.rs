//! The places of open objects' entries in the buffer.

use std::cmp::Ordering;
use std::ops::Range;

use crate::json::{Json, read};

/// One entry of an object: from the quote of its key to the end of its value.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) start: usize,
    pub(super) key_end: usize,
    pub(super) end: usize,
    /// True if the key is written with escapes.
    escaped: bool,
    /// The first bytes of the key, most significant first.
    prefix: u64,
}

impl Entry {
    /// An entry whose key, with its quotes, is everything in `out` from `start` on.
    #[inline]
    pub(super) fn begun(start: usize, escaped: bool, out: &[u8]) -> Entry {
        Entry {
            start,
            key_end: out.len(),
            end: 0,
            escaped,
            prefix: prefix(&out[start + 1..out.len() - 1]),
        }
    }

    /// The order of two entries by the code points of their keys.
    #[inline]
    pub(super) fn key_order(&self, other: &Entry, out: &[u8]) -> Ordering {
        if !self.escaped && !other.escaped && self.prefix != other.prefix {
            return self.prefix.cmp(&other.prefix);
        }
        let (left, right) = (self.key(out), other.key(out));
        if self.escaped || other.escaped {
            return key_text(left).cmp(&key_text(right));
        }
        // Exclude the closing quotes: a space sorts before a quote.
        left[..left.len() - 1].cmp(&right[..right.len() - 1])
    }

    /// The key as it is written, with its quotes.
    #[inline]
    pub(super) fn key<'o>(&self, out: &'o [u8]) -> &'o [u8] {
        &out[self.start..self.key_end]
    }

    #[inline]
    pub(super) fn range_from(&self, base: usize) -> Range<usize> {
        self.start - base..self.end - base
    }
}

/// A stack of entries: an open object owns those above its start. The first few are stored inline,
/// so that most documents need no allocation.
pub(super) struct Entries {
    few: [Entry; Entries::FEW],
    n_few: usize,
    /// All entries, once there have been more than a few.
    many: Option<Vec<Entry>>,
}

impl Entries {
    pub(super) const FEW: usize = 48;

    pub(super) fn new() -> Entries {
        Entries {
            few: [Entry::default(); Entries::FEW],
            n_few: 0,
            many: None,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.many.as_ref().map_or(self.n_few, Vec::len)
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        if let Some(many) = &mut self.many {
            many.push(entry);
        } else if let Some(free) = self.few.get_mut(self.n_few) {
            *free = entry;
            self.n_few += 1;
        } else {
            let mut many = Vec::with_capacity(4 * Entries::FEW);
            many.extend_from_slice(&self.few);
            many.push(entry);
            self.many = Some(many);
        }
    }

    /// The entries of the object that began at `first`.
    #[inline]
    pub(super) fn since(&mut self, first: usize) -> &mut [Entry] {
        match &mut self.many {
            Some(many) => &mut many[first..],
            None => &mut self.few[first..self.n_few],
        }
    }

    #[inline]
    pub(super) fn truncate(&mut self, first: usize) {
        match &mut self.many {
            Some(many) => many.truncate(first),
            None => self.n_few = first,
        }
    }
}

/// The first eight bytes, padded with zeros: a plain key has no zero byte, so two prefixes sort
/// like their keys. Short keys are read in two overlapping halves.
#[inline]
fn prefix(key: &[u8]) -> u64 {
    if let Some(first) = key.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk()) {
        let (first, last) = (u32::from_be_bytes(*first), u32::from_be_bytes(*last));
        let tail = u64::from(last) << (8 * (8 - key.len())) & u64::from(u32::MAX);
        return u64::from(first) << 32 | tail;
    }
    let bytes = key.iter().chain([&0; 3]).take(3);
    bytes.fold(0, |prefix, byte| prefix << 8 | u64::from(*byte)) << 40
}

/// The text of a written key.
pub(super) fn key_text(key: &[u8]) -> String {
    match read(key) {
        Ok(Json::Text(text)) => text,
        _ => String::new(),
    }
}
