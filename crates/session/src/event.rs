//! Events as they are stored: lines of the record, with the facts that recovery needs.

use std::borrow::Cow;
use std::fmt;

use kernel::json::Hash;
use kernel::{SEATS_MAX, Seat, SeatSet};

use crate::clock::{Pause, SeatClock};
use crate::{Clock, Ms, Settlement, Wait};

/// One event of a match as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The number of the event, from 1, without gaps.
    pub version: u64,
    /// The bytes to store. The seal of each event covers all events before it.
    pub bytes: Vec<u8>,
    /// The settlement, if this is the closing event. It takes effect in the transaction that stores
    /// the event: either both are durable or neither is.
    pub settlement: Option<Settlement>,
}

impl Event {
    /// The lines of the record that a stored event holds. Concatenated, they are the record of the
    /// match.
    pub fn lines(bytes: &[u8]) -> Result<Vec<u8>, Corrupt> {
        Body::read(bytes).map(|(body, _)| body.lines)
    }

    /// Checks that these are all events of a match from the first on, exactly as they were stored:
    /// numbers, times and seals. The rules are not checked.
    pub fn check_all<B: AsRef<[u8]>>(events: &[B]) -> Result<(), Corrupt> {
        if events.is_empty() {
            return Err(Corrupt {
                version: 1,
                message: "there are no events: the match never began".to_owned(),
            });
        }
        let mut link = Link::default();
        for bytes in events {
            link.follow(bytes.as_ref())?;
        }
        Ok(())
    }
}

/// The end of a chain of stored events.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Link {
    pub(crate) version: u64,
    pub(crate) at: Ms,
    pub(crate) seal: Seal,
}

impl Link {
    /// Reads the next event and checks its seal, number and time.
    pub(crate) fn follow(&mut self, bytes: &[u8]) -> Result<Body, Corrupt> {
        let version = self.version + 1;
        let corrupt = |message: &str| Corrupt {
            version,
            message: message.to_owned(),
        };
        let (body, found) = Body::read(bytes).map_err(|fault| corrupt(&fault.message))?;
        let content = &bytes[..bytes.len() - SEAL_BYTES];
        if found != seal(&self.seal, content) {
            return Err(corrupt(
                "the seal is broken: this event or one before it was changed",
            ));
        }
        if body.version != version {
            return Err(corrupt(
                "the number does not follow that of the previous event",
            ));
        }
        if body.at < self.at {
            return Err(corrupt("the time is before that of the previous event"));
        }
        *self = Link {
            version,
            at: body.at,
            seal: found,
        };
        Ok(body)
    }
}

/// The reason why stored events cannot be trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corrupt {
    /// The first version that is wrong.
    pub version: u64,
    /// A sentence that says what is wrong.
    pub message: String,
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {}", self.version, self.message)
    }
}

impl std::error::Error for Corrupt {}

/// The content of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Body {
    pub(crate) version: u64,
    /// The session's time.
    pub(crate) at: Ms,
    pub(crate) happened: Happened,
    /// The answer that is sent once this event is durable.
    pub(crate) ack: Option<Ack>,
    /// The clock after the event.
    pub(crate) clock: Clock,
    /// The lines of the record, if the event has any.
    pub(crate) lines: Vec<u8>,
}

/// The subject of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Happened {
    /// A step of the record, or its header.
    Step,
    /// The match pauses, or continues if nobody is absent.
    Presence { absent: SeatSet },
    /// The host restarted, or storage is back.
    Recovered { down_ms: Ms },
}

/// The answer to a numbered message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ack {
    pub(crate) seat: Seat,
    pub(crate) client_seq: u64,
    pub(crate) code: Option<Cow<'static, str>>,
    pub(crate) taken: bool,
}

/// The hash that ties an event to all events before it.
pub(crate) type Seal = [u8; SEAL_BYTES];
pub(crate) const SEAL_BYTES: usize = 16;

/// The seal of an event, given that of the previous one.
pub(crate) fn seal(before: &Seal, content: &[u8]) -> Seal {
    let hash = Hash::of_parts(&[before, content]);
    let mut seal = Seal::default();
    seal.copy_from_slice(&hash.as_bytes()[..SEAL_BYTES]);
    seal
}

impl Body {
    /// The bytes to store, and the seal at their end.
    pub(crate) fn write(&self, before: &Seal) -> (Vec<u8>, Seal) {
        let mut out = Vec::with_capacity(160 + self.lines.len());
        put(&mut out, self.version);
        put(&mut out, self.at);
        let (kind, value) = match self.happened {
            Happened::Step => (0, 0),
            Happened::Presence { absent } => (1, bits(absent)),
            Happened::Recovered { down_ms } => (2, down_ms),
        };
        out.push(kind);
        put(&mut out, value);
        write_ack(self.ack.as_ref(), &mut out);
        write_clock(&self.clock, &mut out);
        put(&mut out, self.lines.len() as u64);
        out.extend_from_slice(&self.lines);
        let seal = seal(before, &out);
        out.extend_from_slice(&seal);
        (out, seal)
    }

    /// Reads stored bytes and their seal, which the caller must check.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Body, Seal), Corrupt> {
        let mut reader = Bytes(bytes);
        let version = reader.u64().unwrap_or(0);
        read(version, &mut reader).ok_or_else(|| Corrupt {
            version,
            message: "the bytes are truncated or changed".to_owned(),
        })
    }
}

fn read(version: u64, reader: &mut Bytes<'_>) -> Option<(Body, Seal)> {
    let at = reader.u64()?;
    let (kind, value) = (reader.u8()?, reader.u64()?);
    let happened = match kind {
        0 => Happened::Step,
        1 => Happened::Presence {
            absent: seats(value)?,
        },
        2 => Happened::Recovered { down_ms: value },
        _ => return None,
    };
    let ack = read_ack(reader)?;
    let clock = read_clock(reader)?;
    let n_lines = usize::try_from(reader.u64()?).ok()?;
    let lines = reader.take(n_lines)?.to_vec();
    let seal: Seal = reader.take(SEAL_BYTES)?.try_into().ok()?;
    let body = Body {
        version,
        at,
        happened,
        ack,
        clock,
        lines,
    };
    reader.0.is_empty().then_some((body, seal))
}

fn write_ack(ack: Option<&Ack>, out: &mut Vec<u8>) {
    let Some(ack) = ack else {
        out.push(0);
        return;
    };
    out.extend_from_slice(&[1, ack.seat.index() as u8, u8::from(ack.taken)]);
    put(out, ack.client_seq);
    let code = ack.code.as_deref().unwrap_or("");
    out.push(code.len().min(255) as u8);
    out.extend_from_slice(&code.as_bytes()[..code.len().min(255)]);
}

fn read_ack(reader: &mut Bytes<'_>) -> Option<Option<Ack>> {
    if reader.u8()? == 0 {
        return Some(None);
    }
    let seat = Seat::new(reader.u8()?.into())?;
    let taken = reader.u8()? != 0;
    let client_seq = reader.u64()?;
    let n_code = reader.u8()?.into();
    let code = std::str::from_utf8(reader.take(n_code)?).ok()?;
    let code = (!code.is_empty()).then(|| Cow::Owned(code.to_owned()));
    Some(Some(Ack {
        seat,
        client_seq,
        code,
        taken,
    }))
}

fn write_clock(clock: &Clock, out: &mut Vec<u8>) {
    let (kind, value) = match clock.wait {
        Wait::Until(deadline) => (0, deadline),
        Wait::Held(left) => (1, left),
        Wait::Opening(opening) => (1, opening.wait_ms),
        Wait::Over => (2, 0),
    };
    out.push(kind);
    put(out, value);
    let pause = clock.pause.unwrap_or(Pause {
        since: 0,
        absent: SeatSet::EMPTY,
    });
    put(out, pause.since);
    put(out, bits(pause.absent));
    out.push(clock.seats.len() as u8);
    for seat in &clock.seats {
        put(out, seat.paused_ms);
        put(out, seat.away_until);
        out.extend_from_slice(&seat.n_pauses.to_le_bytes());
        out.push(seat.n_missed);
    }
}

fn read_clock(reader: &mut Bytes<'_>) -> Option<Clock> {
    let (kind, value) = (reader.u8()?, reader.u64()?);
    let wait = match kind {
        0 => Wait::Until(value),
        1 => Wait::Held(value),
        2 => Wait::Over,
        _ => return None,
    };
    let (since, absent) = (reader.u64()?, seats(reader.u64()?)?);
    let n_seats = reader.u8()?;
    let seats: Option<Vec<SeatClock>> = (0..n_seats).map(|_| read_seat(reader)).collect();
    Some(Clock {
        wait,
        pause: (!absent.is_empty()).then_some(Pause { since, absent }),
        seats: seats?,
        restart: None,
        stopped: None,
        held_at: 0,
        charges: Vec::new(),
    })
}

fn read_seat(reader: &mut Bytes<'_>) -> Option<SeatClock> {
    let (paused_ms, away_until) = (reader.u64()?, reader.u64()?);
    let n_pauses = u16::from_le_bytes(reader.take(2)?.try_into().ok()?);
    Some(SeatClock {
        paused_ms,
        n_pauses,
        away_until,
        n_missed: reader.u8()?,
    })
}

fn put(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn bits(seats: SeatSet) -> u64 {
    seats.iter().fold(0, |bits, seat| bits | 1 << seat.index())
}

fn seats(bits: u64) -> Option<SeatSet> {
    let seats = Seat::first(SEATS_MAX).filter(|seat| bits >> seat.index() & 1 == 1);
    (bits >> SEATS_MAX == 0).then(|| seats.collect())
}

/// The bytes that are left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u64(&mut self) -> Option<u64> {
        let bytes = self.take(8)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Body {
        let mut clock = Clock::new(2);
        clock.wait = Wait::Until(900);
        clock.pause(Seat::SECOND, 5, 70);
        let clock = clock.stored(5, 5);
        Body {
            version: 3,
            at: 5,
            happened: Happened::Presence {
                absent: SeatSet::only(Seat::SECOND),
            },
            ack: Some(Ack {
                seat: Seat::FIRST,
                client_seq: 9,
                code: Some("invalid_layout".into()),
                taken: false,
            }),
            clock,
            lines: b"a line\n".to_vec(),
        }
    }

    #[test]
    fn an_event_round_trips() {
        let (bytes, seal) = body().write(&Seal::default());
        assert_eq!(Body::read(&bytes), Ok((body(), seal)));
        assert_eq!(Event::lines(&bytes), Ok(b"a line\n".to_vec()));
    }

    #[test]
    fn a_changed_or_missing_byte_breaks_the_seal() {
        let (bytes, _) = body().write(&Seal::default());
        for at in 0..bytes.len() {
            assert!(Body::read(&bytes[..at]).is_err());
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let content = &changed[..changed.len() - SEAL_BYTES];
            let read = Body::read(&changed);
            let sound = read.is_ok_and(|(_, found)| found == seal(&Seal::default(), content));
            assert!(!sound, "byte {at}");
        }
    }
}
