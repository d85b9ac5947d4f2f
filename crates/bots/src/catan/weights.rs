//! What each feature is worth. Written by `cargo run --release -p bots --example catan_weights`.

use super::value::Weights;

/// Millionths of a logarithm of odds for each unit of a feature, in the order of
/// [`super::features::NAMES`].
pub(super) const WEIGHTS: Weights = [
    4000, 0, 2000, 30000, 30000, 20000, 40000, 40000, 4000, 0, 15000, 40000, 2000, 5000, 30000,
    5000, 30000, 30000, 20000, 20000, 20000, 15000, 8000, 20000, 500, 500, 20000, 1000, 1000, 1200,
    1200, 0, 0, 10000, 50000, 50000,
];
