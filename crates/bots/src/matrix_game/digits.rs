//! The number types of a tableau: `f64`, or a pair of them with twice the digits for games where
//! one is not precise enough.

/// The operations that pivoting needs.
///
/// Tests and choices look only at the nearest `f64`: its relative precision is enough for them. The
/// sums need the extra digits.
pub(super) trait Digits: Copy {
    /// Reduced costs above minus this count as settled.
    const COST_TOLERANCE: f64;
    /// Smaller entries count as zeros blurred by rounding.
    const PIVOT_MIN: f64;
    /// The amount a basic variable may dip below zero to allow a larger pivot, and the minimum gain
    /// of a pivot that counts as progress.
    const DIP_MAX: f64;

    fn from_f64(number: f64) -> Self;
    fn to_f64(self) -> f64;
    fn divided_by(self, divisor: Self) -> Self;
    /// `self - a * b`.
    fn less_product(self, a: Self, b: Self) -> Self;
}

impl Digits for f64 {
    const COST_TOLERANCE: f64 = 1e-13;
    const PIVOT_MIN: f64 = 1e-11;
    const DIP_MAX: f64 = 1e-13;

    fn from_f64(number: f64) -> Self {
        number
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn divided_by(self, divisor: Self) -> Self {
        self / divisor
    }

    fn less_product(self, a: Self, b: Self) -> Self {
        self - a * b
    }
}

/// An unevaluated sum, `tail` at most half a unit in the last place of `head`:
/// about 31 decimal digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Double {
    head: f64,
    tail: f64,
}

impl Digits for Double {
    const COST_TOLERANCE: f64 = 1e-17;
    const PIVOT_MIN: f64 = 1e-20;
    const DIP_MAX: f64 = 1e-18;

    fn from_f64(number: f64) -> Self {
        Self {
            head: number,
            tail: 0.0,
        }
    }

    fn to_f64(self) -> f64 {
        self.head
    }

    fn divided_by(self, divisor: Self) -> Self {
        let first = self.head / divisor.head;
        let rest = self.less_product(Self::from_f64(first), divisor);
        let second = rest.head / divisor.head;
        let rest = rest.less_product(Self::from_f64(second), divisor);
        let (head, tail) = sum_ordered(first, second);
        let (head, tail) = sum_ordered(head, tail + rest.head / divisor.head);
        Self { head, tail }
    }

    fn less_product(self, a: Self, b: Self) -> Self {
        let (product, lost) = product(a.head, b.head);
        let (product, lost) = sum_ordered(product, lost + (a.head * b.tail + a.tail * b.head));
        let (head, head_lost) = sum(self.head, -product);
        let (tail, tail_lost) = sum(self.tail, -lost);
        let (head, head_lost) = sum_ordered(head, head_lost + tail);
        let (head, tail) = sum_ordered(head, head_lost + tail_lost);
        Self { head, tail }
    }
}

/// `a + b` and its rounding error (Knuth).
fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The same for `|a| >= |b|` (Dekker).
fn sum_ordered(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// `a * b` and its rounding error (Dekker), without a fused operation.
fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = halves(a);
    let (b_high, b_low) = halves(b);
    let lost = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    (product, lost)
}

/// A number as the sum of two with at most 26 bits each (Veltkamp).
fn halves(a: f64) -> (f64, f64) {
    let spread = 134_217_729.0 * a;
    let high = spread - (spread - a);
    (high, a - high)
}
