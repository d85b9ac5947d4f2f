//! Numbers that are no 64-bit integers, exactly as they are written.

use std::fmt;
use std::str::FromStr;

use super::Json;
use super::read;

/// A number as its document spells it, such as `0.5`, `1e3` or an integer beyond 64 bits.
///
/// The text is kept, so no digit is lost. Two numbers are equal if they are spelled the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Real(Box<str>);

impl Real {
    /// The maximum number of digits before the decimal point, and after it, in [`Real::plain`].
    /// Every finite float has fewer.
    pub const DIGITS_MAX: usize = 400;

    /// A number that the caller has found to be one.
    pub(super) fn spelled(text: &str) -> Real {
        Real(text.into())
    }

    /// The number as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest float; infinite if the number is too large.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// The exact number without an exponent and without needless zeros, such as `-0.05` or `1200`.
    /// `None` if it has more than [`Real::DIGITS_MAX`] digits before or after the decimal point, or
    /// is not finite.
    #[must_use]
    pub fn plain(&self) -> Option<String> {
        let (sign, number) = match self.0.strip_prefix('-') {
            Some(number) => ("-", number),
            None => ("", &*self.0),
        };
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let n_leading = digits.len() - digits.trim_start_matches('0').len();
        let significant = digits.trim_matches('0');
        if significant.is_empty() {
            return Some("0".to_owned());
        }
        // The number is 0.SIGNIFICANT times ten to the power of `point`.
        let shift = i64::try_from(whole.len()).ok()? - i64::try_from(n_leading).ok()?;
        let point = exponent.parse::<i64>().ok()?.checked_add(shift)?;
        let n_decimals = i64::try_from(significant.len()).ok()?.checked_sub(point)?;
        let most = Self::DIGITS_MAX as i64;
        if point > most || n_decimals > most {
            return None;
        }
        let n_zeros = point.min(0).unsigned_abs() as usize;
        let n_whole = point.max(0) as usize;
        let padded = format!("{}{significant:0<n_whole$}", "0".repeat(n_zeros));
        let (whole, fraction) = padded.split_at(n_whole);
        let whole = if whole.is_empty() { "0" } else { whole };
        Some(match fraction {
            "" => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{fraction}"),
        })
    }
}

/// The shortest spelling that gives the same float. A float that is not finite is spelled as Rust
/// spells it, which is no JSON.
impl From<f64> for Real {
    fn from(float: f64) -> Real {
        Real(format!("{float:?}").into())
    }
}

/// The text is not spelled as JSON spells a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotANumber;

impl FromStr for Real {
    type Err = NotANumber;

    /// Reads a number in the grammar of JSON, with or without a fraction.
    fn from_str(text: &str) -> Result<Real, NotANumber> {
        let is_tight = !text.contains(char::is_whitespace);
        match read(text.as_bytes()) {
            Ok(Json::Int(_) | Json::Real(_)) if is_tight => Ok(Real::spelled(text)),
            _ => Err(NotANumber),
        }
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Option<String> {
        text.parse::<Real>().unwrap().plain()
    }

    #[test]
    fn the_plain_form_has_every_digit_and_no_exponent() {
        for (text, wanted) in [
            ("0.5", "0.5"),
            ("0.50000000000000001", "0.50000000000000001"),
            ("-12.500", "-12.5"),
            ("5.0", "5"),
            ("5e0", "5"),
            ("12e2", "1200"),
            ("1.2E+1", "12"),
            ("1.25e1", "12.5"),
            ("5e-3", "0.005"),
            ("100e-3", "0.1"),
            ("0.00e9999999999999999999", "0"),
            ("-0.0", "0"),
            ("18446744073709551616", "18446744073709551616"),
        ] {
            assert_eq!(plain(text).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_number_with_too_many_digits_has_no_plain_form() {
        for text in ["1e400", "1e-401", "1e9999999999999999999", "1e-9999999999"] {
            assert_eq!(plain(text), None, "{text}");
        }
        assert_eq!(plain("1e399").map(|it| it.len()), Some(400));
        assert_eq!(plain("1e-400").map(|it| it.len()), Some(402));
        assert_eq!(Real::from(f64::NAN).plain(), None);
        assert_eq!(Real::from(f64::INFINITY).plain(), None);
    }

    #[test]
    fn every_float_has_a_plain_form_that_gives_it_back() {
        for float in [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 0.1, 2.5e-323] {
            let plain = Real::from(float).plain().unwrap();
            assert_eq!(plain.parse(), Ok(float), "{float:?}");
        }
    }

    #[test]
    fn only_json_numbers_are_parsed() {
        for text in [
            "", "+1", ".5", "1.", "inf", "NaN", " 1", "1 ", "01", "true", "0x1",
        ] {
            assert_eq!(text.parse::<Real>(), Err(NotANumber), "{text}");
        }
    }
}
