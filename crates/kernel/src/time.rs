//! Points in time as written in records.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

const MS_PER_DAY: i64 = 86_400_000;
/// The last millisecond of the year 9999, since the text form has four digits for the year.
const MS_MAX: i64 = 253_402_300_799_999;

/// A point in UTC, to the millisecond, from 1970 to 9999.
///
/// The kernel has no clock: the driver of a table passes in the time. The text is
/// `2026-11-15T08:10:00Z`, with `.250` before the `Z` when there are milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The start time of simulated matches: they have a separate clock, so that the same seed gives
    /// the same record to the byte.
    pub const SIMULATED: Timestamp = Timestamp(946_684_800_000);

    /// Creates a timestamp from milliseconds since 1970, clamped to the range.
    pub fn from_ms(ms: i64) -> Timestamp {
        Timestamp(ms.clamp(0, MS_MAX))
    }

    /// Milliseconds since 1970.
    pub fn ms(self) -> i64 {
        self.0
    }

    /// The time `ms` milliseconds later, clamped to the range.
    #[must_use]
    pub fn plus_ms(self, ms: i64) -> Timestamp {
        Timestamp::from_ms(self.0.saturating_add(ms))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0.div_euclid(MS_PER_DAY));
        let ms = self.0.rem_euclid(MS_PER_DAY);
        let (hour, minute) = (ms / 3_600_000, ms / 60_000 % 60);
        let (second, ms) = (ms / 1000 % 60, ms % 1000);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if ms != 0 {
            write!(f, ".{ms:03}")?;
        }
        f.write_str("Z")
    }
}

/// The error for a string that is not a timestamp in the one form that records use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotATimestamp;

impl fmt::Display for NotATimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time such as 2026-11-15T08:10:00Z or 2026-11-15T08:10:00.250Z")
    }
}

impl FromStr for Timestamp {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Timestamp, NotATimestamp> {
        let number = |from: usize, to: usize| -> Option<i64> {
            let digits = text.get(from..to)?;
            let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| all_digits)
        };
        let ms = || -> Option<i64> {
            let days = days_since_1970(number(0, 4)?, number(5, 7)?, number(8, 10)?);
            let clock = (number(11, 13)? * 60 + number(14, 16)?) * 60 + number(17, 19)?;
            let ms = if text.len() > 20 { number(20, 23)? } else { 0 };
            Some(days * MS_PER_DAY + clock * 1000 + ms)
        };
        // Anything out of place changes when it is written again.
        ms().map(Timestamp::from_ms)
            .filter(|time| time.to_string() == text)
            .ok_or(NotATimestamp)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The date of a day counted from 1970. Years are taken to begin in March, so that the leap day is
/// the last of its year, and are grouped into 400-year cycles of equal length.
fn civil(days: i64) -> (i64, i64, i64) {
    let from_march_0000 = days + 719_468;
    let cycle = from_march_0000.div_euclid(146_097);
    let day_of_cycle = from_march_0000.rem_euclid(146_097);
    let leap_days = day_of_cycle / 1460 - day_of_cycle / 36_524 + day_of_cycle / 146_096;
    let year_of_cycle = (day_of_cycle - leap_days) / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = cycle * 400 + year_of_cycle + i64::from(month <= 2);
    (year, month, day)
}

/// The inverse of [`civil`].
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (cycle, year_of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_cycle = 365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    cycle * 146_097 + day_of_cycle - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_read_and_write() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (946_684_800_000, "2000-01-01T00:00:00Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (1_760_733_660_000, "2025-10-17T20:41:00Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59Z"),
            (MS_MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp(ms).to_string(), text);
            assert_eq!(text.parse(), Ok(Timestamp(ms)));
        }
    }

    #[test]
    fn every_day_for_a_century_round_trips() {
        for day in 0..36_600 {
            let time = Timestamp(day * MS_PER_DAY + 43_200_000);
            assert_eq!(time.to_string().parse(), Ok(time));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "now",
            "2025-10-17",
            "2025-10-17T20:41:00",
            "2025-02-29T00:00:00Z",
            "2025-10-17T24:00:00Z",
            "2025-10-17T20:41:00.000Z",
            "2025-10-17T20:41:00.25Z",
            "2025-10-17 20:41:00Z",
            "+025-10-17T20:41:00Z",
            "２025-10-17T20:41:00Z",
            "2025-10-17T20:41:00+02:00",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(NotATimestamp), "{text}");
        }
    }
}
