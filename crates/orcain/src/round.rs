//! What two cards do to each other.

use crate::{ATTACK_DAMAGE, COUNTER_DAMAGE, Card, HEAL_POINTS, Slot};

/// Hit points after one step: heals first, up to the maximum, then damage, down to 0.
///
/// Swapping the seats swaps the result.
///
/// ```
/// use orcain::{Card, resolve_step};
///
/// // At full health a heal is lost before the attack lands.
/// assert_eq!(resolve_step([Some(Card::Heal), Some(Card::Attack)], [10, 10], 10), [8, 10]);
/// ```
#[inline]
pub fn resolve_step(cards: [Slot; 2], hp: [u8; 2], max_hp: u8) -> [u8; 2] {
    [
        hp_after(cards[0], cards[1], hp[0], max_hp),
        hp_after(cards[1], cards[0], hp[1], max_hp),
    ]
}

#[inline]
fn hp_after(own: Slot, other: Slot, hp: u8, max_hp: u8) -> u8 {
    let healed = if own == Some(Card::Heal) {
        hp.saturating_add(HEAL_POINTS).min(max_hp)
    } else {
        hp
    };
    healed.saturating_sub(damage(own, other))
}

#[inline]
fn damage(own: Slot, other: Slot) -> u8 {
    match (own, other) {
        (Some(Card::Defense | Card::Counter), Some(Card::Attack)) => 0,
        (_, Some(Card::Attack)) => ATTACK_DAMAGE,
        (Some(Card::Attack), Some(Card::Counter)) => COUNTER_DAMAGE,
        _ => 0,
    }
}
