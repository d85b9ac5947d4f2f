//! Buffers that the caller owns and a batch writes.

use kernel::Mask;

use crate::Fault;

/// The required size of each buffer of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// The number of values in all observations.
    pub observation: usize,
    /// The number of bytes in all masks.
    pub mask: usize,
    /// The number of rewards: one for each seat of each environment.
    pub reward: usize,
    /// The number of environments; flags have one value for each.
    pub envs: usize,
    /// The number of rows, each with an observation, a mask and an action.
    pub rows: usize,
}

/// The destination of observations.
pub enum Values<'a> {
    /// None: no observations are written.
    Nothing,
    /// Bytes.
    U8(&'a mut [u8]),
    /// Floats.
    F32(&'a mut [f32]),
}

/// The buffers that a step writes. Row-major, one environment after another.
pub struct Buffers<'a> {
    /// One observation for each row.
    pub observation: Values<'a>,
    /// 1 for legal and 0 for illegal actions, for each row. All 0 if no seat decides.
    pub mask: &'a mut [u8],
    /// The reward of each seat of each environment in this step.
    pub reward: &'a mut [f32],
    /// True if the rules ended the match in this step.
    pub terminated: &'a mut [bool],
    /// True if the match was cut off by its hard limit in this step.
    pub truncated: &'a mut [bool],
    /// The seat that decides in each row; -1 if none does.
    pub to_play: &'a mut [i8],
    /// With resets in the same step: the last observation of each row whose match ended. Other
    /// rows are left unchanged.
    pub last: Values<'a>,
}

impl Values<'_> {
    fn len(&self) -> Option<usize> {
        match self {
            Values::Nothing => None,
            Values::U8(values) => Some(values.len()),
            Values::F32(values) => Some(values.len()),
        }
    }

    fn again(&mut self) -> Values<'_> {
        match self {
            Values::Nothing => Values::Nothing,
            Values::U8(values) => Values::U8(values),
            Values::F32(values) => Values::F32(values),
        }
    }

    fn split(&mut self, at: usize) -> (Values<'_>, Values<'_>) {
        match self {
            Values::Nothing => (Values::Nothing, Values::Nothing),
            Values::U8(values) => {
                let (left, right) = values.split_at_mut(at);
                (Values::U8(left), Values::U8(right))
            }
            Values::F32(values) => {
                let (left, right) = values.split_at_mut(at);
                (Values::F32(left), Values::F32(right))
            }
        }
    }
}

impl Buffers<'_> {
    /// Reborrows the same buffers.
    pub fn again(&mut self) -> Buffers<'_> {
        Buffers {
            observation: self.observation.again(),
            mask: &mut *self.mask,
            reward: &mut *self.reward,
            terminated: &mut *self.terminated,
            truncated: &mut *self.truncated,
            to_play: &mut *self.to_play,
            last: self.last.again(),
        }
    }

    /// Refuses buffers of the wrong size, listing every fault.
    pub(crate) fn check(&self, room: &Room) -> Result<(), Fault> {
        let mut faults = Vec::new();
        let mut check = |what: &str, found: Option<usize>, right: usize| {
            if let Some(found) = found.filter(|&found| found != right) {
                faults.push(format!("{what} has {found} values, expected {right}"));
            }
        };
        check("observation", self.observation.len(), room.observation);
        check("last", self.last.len(), room.observation);
        check("mask", Some(self.mask.len()), room.mask);
        check("reward", Some(self.reward.len()), room.reward);
        check("terminated", Some(self.terminated.len()), room.envs);
        check("truncated", Some(self.truncated.len()), room.envs);
        check("to_play", Some(self.to_play.len()), room.rows);
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Fault::Sizes(faults)),
        }
    }

    /// Splits the buffers into those of the first environments, which have this size, and the
    /// rest.
    pub(crate) fn split(&mut self, room: &Room) -> (Buffers<'_>, Buffers<'_>) {
        let (seen, seen_after) = self.observation.split(room.observation);
        let (last, last_after) = self.last.split(room.observation);
        let (mask, mask_after) = self.mask.split_at_mut(room.mask);
        let (reward, reward_after) = self.reward.split_at_mut(room.reward);
        let (ended, ended_after) = self.terminated.split_at_mut(room.envs);
        let (cut, cut_after) = self.truncated.split_at_mut(room.envs);
        let (asked, asked_after) = self.to_play.split_at_mut(room.rows);
        let first = Buffers {
            observation: seen,
            mask,
            reward,
            terminated: ended,
            truncated: cut,
            to_play: asked,
            last,
        };
        let rest = Buffers {
            observation: seen_after,
            mask: mask_after,
            reward: reward_after,
            terminated: ended_after,
            truncated: cut_after,
            to_play: asked_after,
            last: last_after,
        };
        (first, rest)
    }
}

/// Writes a mask as bytes: 1 for legal and 0 for illegal actions. The slice must have one byte for
/// each action.
#[inline]
pub fn write_mask(mask: &Mask, out: &mut [u8]) {
    let words = mask.words();
    let (whole, rest) = out.as_chunks_mut::<64>();
    for (word, out) in words.iter().zip(&mut *whole) {
        *out = spread(*word);
    }
    let Some(word) = words.get(whole.len()) else {
        return;
    };
    // Eight at a time: a copy of variable length would be a function call that costs more.
    let bytes = word.to_le_bytes();
    let (eights, last) = rest.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(bytes) {
        *eight = SPREAD[usize::from(byte)].to_le_bytes();
    }
    let byte = bytes[eights.len() & 7];
    for (bit, out) in last.iter_mut().enumerate() {
        *out = byte >> bit & 1;
    }
}

/// The bits of a word as bytes, the lowest first.
#[inline]
fn spread(word: u64) -> [u8; 64] {
    let mut out = [0; 64];
    let (eights, _) = out.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(word.to_le_bytes()) {
        *eight = SPREAD[usize::from(byte)].to_le_bytes();
    }
    out
}

/// The bits of a byte as bytes, the lowest first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Refuses a slice of the wrong length.
pub(crate) fn check_len(what: &str, n_found: usize, n_right: usize) -> Result<(), Fault> {
    if n_found == n_right {
        return Ok(());
    }
    let message = format!("{what} has {n_found} values, expected {n_right}");
    Err(Fault::Sizes(vec![message]))
}
