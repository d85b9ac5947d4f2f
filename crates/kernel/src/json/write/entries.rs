//! Where the entries of open objects stand in the buffer.

use std::cmp::Ordering;
use std::ops::Range;

use crate::json::{Json, read};

/// One entry of an object: from the quote of its key to the end of its value.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) start: usize,
    pub(super) key_end: usize,
    pub(super) end: usize,
}

impl Entry {
    /// The key as it is written, with its quotes.
    pub(super) fn key<'o>(&self, out: &'o [u8]) -> &'o [u8] {
        &out[self.start..self.key_end]
    }

    pub(super) fn range_from(&self, base: usize) -> Range<usize> {
        self.start - base..self.end - base
    }
}

/// A stack of entries: an open object owns those above where it began. The first few are held in
/// place, so that most documents need no allocation.
pub(super) struct Entries {
    few: [Entry; Entries::FEW],
    n_few: usize,
    /// Once there have been more than a few, all of them.
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

    pub(super) fn len(&self) -> usize {
        self.many.as_ref().map_or(self.n_few, Vec::len)
    }

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
    pub(super) fn since(&mut self, first: usize) -> &mut [Entry] {
        match &mut self.many {
            Some(many) => &mut many[first..],
            None => &mut self.few[first..self.n_few],
        }
    }

    pub(super) fn truncate(&mut self, first: usize) {
        match &mut self.many {
            Some(many) => many.truncate(first),
            None => self.n_few = first,
        }
    }
}

/// The order of two written keys by the code points they stand for.
pub(super) fn key_order(left: &[u8], right: &[u8]) -> Ordering {
    if left.contains(&b'\\') || right.contains(&b'\\') {
        return key_text(left).cmp(&key_text(right));
    }
    // Both end in a quote, which must not take part: a space sorts before it.
    left[..left.len() - 1].cmp(&right[..right.len() - 1])
}

/// The text of a written key.
pub(super) fn key_text(key: &[u8]) -> String {
    match read(key) {
        Ok(Json::Text(text)) => text,
        _ => String::new(),
    }
}
