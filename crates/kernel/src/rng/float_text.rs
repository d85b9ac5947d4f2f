//! Cached floats as text, since documents contain no floats: exact, as Python's `float.hex()`
//! writes them.

use crate::doc::{Faults, Node};
use crate::json::Json;

/// A finite float by its bits, so that two are equal exactly if they are written the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Float(u64);

impl Float {
    /// The string that `float.hex()` returns.
    pub(super) fn to_hex(self) -> String {
        let sign = if self.0 >> 63 == 1 { "-" } else { "" };
        let exponent = (self.0 >> 52 & 0x7ff) as i64;
        let fraction = self.0 & FRACTION;
        match (exponent, fraction) {
            (0, 0) => format!("{sign}0x0.0p+0"),
            (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
            _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent - 1023),
        }
    }

    /// Reads a string that `float.hex()` returns for a finite float, and nothing else.
    pub(super) fn from_hex(text: &str) -> Option<Float> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (1 << 63, digits),
            None => (0, text),
        };
        if digits == "0x0.0p+0" {
            return Some(Float(sign));
        }
        let (fraction, exponent) = digits.get(4..)?.split_once('p')?;
        let fraction = u64::from_str_radix(fraction, 16).ok()?;
        let exponent = match digits.get(..4)? {
            "0x0." => 0,
            _ => exponent.parse::<i64>().ok()?.checked_add(1023)?,
        };
        let bits = u64::try_from(exponent).ok()?.checked_shl(52)? | fraction;
        let float = Float(sign | bits);
        (exponent < 0x7ff && float.to_hex() == text).then_some(float)
    }

    pub(super) fn is_zero(self) -> bool {
        self.0 << 1 == 0
    }

    /// Reads a finite float: a number, or the string that `float.hex()` returns.
    pub(super) fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Float> {
        let float = match node.json() {
            Some(Json::Real(real)) if real.to_f64().is_finite() => {
                Some(Float(real.to_f64().to_bits()))
            }
            Some(Json::Int(int)) if int.unsigned_abs() <= 1 << 53 => {
                Some(Float((*int as f64).to_bits()))
            }
            Some(Json::Text(text)) => Float::from_hex(text),
            _ => None,
        };
        float.or_else(|| {
            node.refuse(
                "bad_float",
                "a number, or a string in the form of float.hex()",
                faults,
            )
        })
    }
}

const FRACTION: u64 = (1 << 52) - 1;
