//! The weights of the features: set by hand, then tuned by matches between variations (`cargo run
//! --release -p catan-bots --example weights`) on random boards, so that no single opening
//! dominates.

use super::value::Weights;

/// Millionths of log-odds per unit of a feature, in the order of [`super::features::NAMES`].
#[rustfmt::skip]
pub(super) const WEIGHTS: Weights = [
    4332, // points
    0, // points_squared
    2000, // near_win
    30000, // brick
    30000, // lumber
    20000, // wool
    28120, // grain
    40000, // ore
    5848, // root_production
    51, // production_to_go
    15000, // blocked
    40000, // variety
    2000, // any_port
    5000, // own_port
    20000, // hand
    0, // hand_over
    40000, // to_city
    40000, // to_settlement
    40000, // to_card
    5000, // spots
    10000, // spot_here
    7000, // spot_near
    4000, // spot_far
    20000, // road_len
    500, // road_claim
    500, // army_claim
    80000, // knights_played
    800, // knights_held
    600, // road_building_held
    600, // plenty_held
    700, // monopoly_held
    144, // cities_left
    0, // settlements_left
    0, // speed
    54350, // turn_before_throw
    50000, // turn_after_throw
];
