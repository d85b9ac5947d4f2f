//! Numbers with a fixed number of decimals, without floating point.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use kernel::json::Json;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A number that is exact to `PLACES` decimals: an integer count of the last one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Decimal<const PLACES: u32>(i64);

/// A length in light-years, exact to thousandths.
pub type Ly = Decimal<3>;
/// A share of a whole, exact to billionths.
pub type Share = Decimal<9>;

impl<const PLACES: u32> Decimal<PLACES> {
    /// How many units make one.
    pub const ONE: i64 = 10_i64.pow(PLACES);

    /// The number with this many units.
    pub const fn from_units(units: i64) -> Self {
        Decimal(units)
    }

    /// A whole number.
    pub const fn whole(number: i64) -> Self {
        Decimal(number * Self::ONE)
    }

    /// How many units it has.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// The whole number it is, if it is one.
    pub fn as_whole(self) -> Option<i64> {
        (self.0 % Self::ONE == 0).then_some(self.0 / Self::ONE)
    }
}

/// A text read as a decimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parsed<const PLACES: u32> {
    /// It is exactly this.
    Exact(Decimal<PLACES>),
    /// It has more decimals; this is the nearest.
    Rounded(Decimal<PLACES>),
}

/// The text is no decimal number, or one that is too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotADecimal;

impl<const PLACES: u32> Parsed<PLACES> {
    /// Reads plain decimal notation: digits, perhaps a sign before and a fraction after.
    pub(crate) fn read(text: &str) -> Result<Parsed<PLACES>, NotADecimal> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !plain(whole) || !plain(fraction) {
            return Err(NotADecimal);
        }
        let kept = fraction.get(..PLACES as usize).unwrap_or(fraction);
        let dropped = &fraction[kept.len()..];
        let whole: i64 = whole.parse().map_err(|_| NotADecimal)?;
        let padded = format!("{kept:0<width$}", width = PLACES as usize);
        let part: i64 = if padded.is_empty() {
            0
        } else {
            padded.parse().map_err(|_| NotADecimal)?
        };
        let units = whole
            .checked_mul(Decimal::<PLACES>::ONE)
            .and_then(|units| units.checked_add(part));
        let up = i64::from(dropped.starts_with(|digit: char| digit >= '5'));
        let units = units
            .and_then(|units| units.checked_add(up))
            .ok_or(NotADecimal)?;
        let decimal = Decimal(if negative { -units } else { units });
        Ok(if dropped.bytes().all(|digit| digit == b'0') {
            Parsed::Exact(decimal)
        } else {
            Parsed::Rounded(decimal)
        })
    }
}

impl<const PLACES: u32> FromStr for Decimal<PLACES> {
    type Err = NotADecimal;

    /// Reads an exact number; more decimals than there are places are refused.
    fn from_str(text: &str) -> Result<Self, NotADecimal> {
        match Parsed::read(text)? {
            Parsed::Exact(decimal) => Ok(decimal),
            Parsed::Rounded(_) => Err(NotADecimal),
        }
    }
}

impl<const PLACES: u32> fmt::Display for Decimal<PLACES> {
    /// The shortest text: no trailing zeros, no point without decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (units, one) = (self.0.unsigned_abs(), Self::ONE.unsigned_abs());
        let (whole, part) = (units / one, units % one);
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let part = format!("{part:0width$}", width = PLACES as usize);
        write!(f, "{sign}{whole}.{}", part.trim_end_matches('0'))
    }
}

impl<const PLACES: u32> Serialize for Decimal<PLACES> {
    /// A whole number, or a text: documents that are hashed have no floats.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => whole.serialize(serializer),
            None => serializer.collect_str(self),
        }
    }
}

/// A number as a scenario file spells it.
pub(crate) fn real(text: &str) -> Json {
    match (text.parse(), text.parse()) {
        (Ok(int), _) => Json::Int(int),
        (_, Ok(number)) => Json::Real(number),
        _ => Json::Text(text.to_owned()),
    }
}

impl<const PLACES: u32> JsonSchema for Decimal<PLACES> {
    fn schema_name() -> Cow<'static, str> {
        format!("Decimal{PLACES}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_back(units in -1_000_000_000_000i64..1_000_000_000_000) {
            let number = Ly::from_units(units);
            prop_assert_eq!(number.to_string().parse(), Ok(number));
        }
    }

    #[test]
    fn decimals_are_read_literally_and_rounded_when_too_fine() {
        assert_eq!("0.07".parse(), Ok(Share::from_units(70_000_000)));
        assert_eq!(
            Parsed::read("1.2345"),
            Ok(Parsed::Rounded(Ly::from_units(1235)))
        );
        assert_eq!(
            Parsed::read("-1.5000"),
            Ok(Parsed::Exact(Ly::from_units(-1500)))
        );
        assert_eq!("1.2345".parse::<Ly>(), Err(NotADecimal));
        for text in [
            "",
            ".",
            "-",
            "1e3",
            "inf",
            "NaN",
            "9223372036854775807",
            "+1",
            ".5",
        ] {
            assert_eq!(Parsed::<3>::read(text), Err(NotADecimal), "{text}");
        }
    }
}
