//! The share of all systems that wins, exactly as its author wrote it.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use kernel::doc::{Document, Faults, Node};
use kernel::json::Real;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::decimal::{self, NotADecimal};

/// A share of a whole, above 0 and up to 1, with as many decimals as it needs, up to
/// [`Real::DIGITS_MAX`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Percentage {
    /// The digits after `0.` without trailing zeros; empty for 1.
    decimals: Box<str>,
}

impl Percentage {
    /// The smallest integer that is at least this share of `n`.
    pub fn of(&self, n: usize) -> usize {
        if self.decimals.is_empty() {
            return n;
        }
        let (mut carry, mut has_rest) = (0, false);
        for digit in self.decimals.bytes().rev() {
            let product = usize::from(digit - b'0') * n + carry;
            has_rest |= !product.is_multiple_of(10);
            carry = product / 10;
        }
        carry + usize::from(has_rest)
    }
}

impl FromStr for Percentage {
    type Err = NotADecimal;

    /// Reads plain decimal notation, such as `0.6`, of at most [`Real::DIGITS_MAX`] decimals.
    fn from_str(text: &str) -> Result<Percentage, NotADecimal> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let decimals = fraction.trim_end_matches('0');
        let is_plain = decimals.bytes().all(|digit| digit.is_ascii_digit())
            && decimals.len() <= Real::DIGITS_MAX;
        let is_share = match whole {
            "0" => !decimals.is_empty(),
            "1" => decimals.is_empty(),
            _ => false,
        };
        let decimals = decimals.into();
        (is_share && is_plain)
            .then_some(Percentage { decimals })
            .ok_or(NotADecimal)
    }
}

impl fmt::Display for Percentage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.decimals {
            "" => f.write_str("1"),
            decimals => write!(f, "0.{decimals}"),
        }
    }
}

impl Document for Percentage {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Percentage> {
        let text = decimal::number(node, faults)?;
        let read = text.parse().ok();
        if read.is_none() {
            let message = format!("expected a share above 0 and up to 1, found {text:.40}");
            faults.at(node, "percentage_out_of_range", message);
        }
        read
    }
}

impl Serialize for Percentage {
    /// Writes an integer, or text if there is a fraction: hashed documents hold no floats.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.decimals.is_empty() {
            true => serializer.serialize_u8(1),
            false => serializer.collect_str(self),
        }
    }
}

impl JsonSchema for Percentage {
    fn schema_name() -> Cow<'static, str> {
        "Percentage".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn share(text: &str) -> Percentage {
        text.parse().unwrap()
    }

    #[test]
    fn a_share_of_any_precision_is_rounded_up_exactly() {
        assert_eq!(share("0.3333333333333333").of(3), 1);
        assert_eq!(share("0.3333333333333334").of(3), 2);
        assert_eq!(share("0.33333333333333333333333333333333333334").of(3), 2);
        assert_eq!(share("0.07").of(100), 7);
        assert_eq!(share("0.29").of(100), 29);
        assert_eq!(share("0.000000000000000000000000001").of(20_000), 1);
        assert_eq!(share("1.00").of(20_000), 20_000);
        assert_eq!(share("0.5").of(0), 0);
    }

    #[test]
    fn only_shares_are_read() {
        for text in [
            "", "0", "0.0", "1.1", "2", "-0.5", ".5", "0.5x", "5e-1", "inf",
        ] {
            assert_eq!(text.parse::<Percentage>(), Err(NotADecimal), "{text}");
        }
        assert_eq!(share("0.750").to_string(), "0.75");
        assert_eq!(share("1.000").to_string(), "1");
    }

    proptest! {
        #[test]
        fn the_threshold_is_that_of_fractions(units in 1u128..=1_000_000_000, n in 0usize..20_001) {
            let text = match units {
                1_000_000_000 => "1".to_owned(),
                _ => format!("0.{units:09}"),
            };
            let wanted = (n as u128 * units).div_ceil(1_000_000_000);
            prop_assert_eq!(share(&text).of(n) as u128, wanted);
        }
    }
}
