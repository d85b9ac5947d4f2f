//! Numbers with a fixed number of decimals, without floating point.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use kernel::doc::{Faults, Node, Ranged};
use kernel::json::{Json, Real};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A number that is exact to `PLACES` decimals, stored as an integer count of the smallest unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Decimal<const PLACES: u32>(i64);

/// A length in light-years, exact to thousandths.
pub type Ly = Decimal<3>;
/// A share of a whole, exact to billionths.
pub type Share = Decimal<9>;

impl<const PLACES: u32> Decimal<PLACES> {
    /// The number of units in 1.
    pub const ONE: i64 = 10_i64.pow(PLACES);

    /// The number with this many units.
    pub const fn from_units(units: i64) -> Self {
        Decimal(units)
    }

    /// The decimal equal to this integer.
    pub const fn whole(number: i64) -> Self {
        Decimal(number * Self::ONE)
    }

    /// The number of units.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// The integer value, or `None` if there is a fraction.
    pub fn as_whole(self) -> Option<i64> {
        (self.0 % Self::ONE == 0).then_some(self.0 / Self::ONE)
    }
}

/// A number in plain decimal notation, split into units and a finer remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parsed<const PLACES: u32> {
    /// The number truncated to `PLACES` decimals.
    cut: Decimal<PLACES>,
    is_negative: bool,
    is_exact: bool,
    /// True if the nearest decimal is one unit farther from zero.
    rounds_away: bool,
}

/// The text is not a decimal number, or the number is too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotADecimal;

impl<const PLACES: u32> Parsed<PLACES> {
    /// Reads digits with an optional sign and an optional fraction.
    fn read(text: &str) -> Result<Parsed<PLACES>, NotADecimal> {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !plain(whole) || !plain(fraction) {
            return Err(NotADecimal);
        }
        let kept = fraction.get(..PLACES as usize).unwrap_or(fraction);
        let finer = &fraction[kept.len()..];
        let digits = format!("{whole}{kept:0<width$}", width = PLACES as usize);
        let units: i64 = digits.parse().map_err(|_| NotADecimal)?;
        Ok(Parsed {
            cut: Decimal(if is_negative { -units } else { units }),
            is_negative,
            is_exact: finer.bytes().all(|digit| digit == b'0'),
            rounds_away: finer.starts_with(|digit: char| digit >= '5'),
        })
    }

    /// True if the number, before any rounding, is between `low` and `high` inclusive.
    fn is_between(self, low: Decimal<PLACES>, high: Decimal<PLACES>) -> bool {
        match (self.is_exact, self.is_negative) {
            (true, _) => (low..=high).contains(&self.cut),
            (false, false) => low <= self.cut && self.cut < high,
            (false, true) => low < self.cut && self.cut <= high,
        }
    }

    fn nearest(self) -> Decimal<PLACES> {
        let away = if self.is_negative { -1 } else { 1 };
        Decimal(
            self.cut
                .0
                .saturating_add(away * i64::from(self.rounds_away)),
        )
    }
}

impl<const PLACES: u32> Decimal<PLACES> {
    /// Reads a JSON number between `low` and `high`. A number with more than `PLACES` decimals is
    /// rounded, with a warning.
    pub(crate) fn read_between(
        node: &Node<'_>,
        low: Self,
        high: Self,
        faults: &mut Faults,
    ) -> Option<Self> {
        let text = number(node, faults)?;
        let parsed = Parsed::read(&text).ok();
        let Some(parsed) = parsed.filter(|it| it.is_between(low, high)) else {
            let message = format!("expected a number from {low} to {high}, found {text:.40}");
            faults.at(node, "out_of_range", message);
            return None;
        };
        let nearest = parsed.nearest();
        if !parsed.is_exact {
            let message =
                format!("{text} has more than {PLACES} decimals; it is rounded to {nearest}");
            faults.warn(node, "rounded", message);
        }
        Some(nearest)
    }
}

impl<const PLACES: u32> Ranged for Decimal<PLACES> {
    const LEAST: i128 = (i64::MIN / Self::ONE) as i128;
    const MOST: i128 = (i64::MAX / Self::ONE) as i128;

    fn read_within(
        node: &Node<'_>,
        range: RangeInclusive<i128>,
        faults: &mut Faults,
    ) -> Option<Self> {
        let whole = |int: &i128| {
            let int = *int.clamp(&Self::LEAST, &Self::MOST);
            i64::try_from(int).ok().map(Self::whole)
        };
        Self::read_between(node, whole(range.start())?, whole(range.end())?, faults)
    }
}

/// A JSON number in plain decimal notation, with every digit that its author wrote.
pub(crate) fn number(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    match node.json() {
        Some(Json::Int(int)) => Some(int.to_string()),
        Some(Json::Real(real)) => {
            let plain = real.plain();
            if plain.is_none() {
                let most = Real::DIGITS_MAX;
                let expected = format!("a number of at most {most} digits and {most} decimals");
                return node.refuse("too_many_digits", &expected, faults);
            }
            plain
        }
        _ => node.refuse("wrong_type", "a number", faults),
    }
}

impl<const PLACES: u32> FromStr for Decimal<PLACES> {
    type Err = NotADecimal;

    /// Reads an exact number; more than `PLACES` decimals are an error.
    fn from_str(text: &str) -> Result<Self, NotADecimal> {
        let parsed = Parsed::read(text)?;
        parsed.is_exact.then_some(parsed.cut).ok_or(NotADecimal)
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
    /// Writes an integer, or text if there is a fraction: hashed documents hold no floats.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => whole.serialize(serializer),
            None => serializer.collect_str(self),
        }
    }
}

/// A number as a scenario file writes it: an integer if it is whole, otherwise without needless
/// zeros. Text that is no number stays text.
pub(crate) fn real(text: &str) -> Json {
    let Ok(written) = text.parse::<Real>() else {
        return Json::Text(text.to_owned());
    };
    let plain = written.plain();
    match plain.as_deref().map(|plain| (plain.parse(), plain.parse())) {
        Some((Ok(int), _)) => Json::Int(int),
        Some((_, Ok(number))) => Json::Real(number),
        _ => Json::Real(written),
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
    fn a_range_is_asked_before_rounding() {
        let is_between = |text: &str| {
            let parsed = Parsed::<3>::read(text).unwrap();
            parsed.is_between(Ly::whole(-1), Ly::whole(1))
        };
        for text in ["1", "-1", "0.99999", "-0.99999", "0", "1.000000"] {
            assert!(is_between(text), "{text}");
        }
        for text in ["1.00001", "-1.00001", "1.001", "-2"] {
            assert!(!is_between(text), "{text}");
        }
    }

    #[test]
    fn decimals_are_read_literally_and_rounded_when_too_fine() {
        assert_eq!("0.07".parse(), Ok(Share::from_units(70_000_000)));
        let nearest = |text: &str| Parsed::<3>::read(text).map(Parsed::nearest);
        assert_eq!(nearest("1.2345"), Ok(Ly::from_units(1235)));
        assert_eq!(nearest("-1.23449"), Ok(Ly::from_units(-1234)));
        assert_eq!("-1.5000".parse(), Ok(Ly::from_units(-1500)));
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
