//! The effect of two cards on each other.

use crate::{ATTACK_DAMAGE, COUNTER_DAMAGE, Card, HEAL_POINTS, Slot};

/// Returns the hit points after one step: heals first, up to the maximum, then damage, down to 0.
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
    let code = |slot: Slot| slot.map_or(0, |card| card as usize + 1);
    resolve_codes(cards.map(code), hp, max_hp)
}

/// The same for slot codes: 0 for an empty slot, otherwise the card's id plus one.
#[inline]
pub(crate) fn resolve_codes([one, two]: [usize; 2], [hp_0, hp_1]: [u8; 2], max_hp: u8) -> [u8; 2] {
    [
        hp_after(one, two, hp_0, max_hp),
        hp_after(two, one, hp_1, max_hp),
    ]
}

#[inline]
fn hp_after(own: usize, other: usize, hp: u8, max_hp: u8) -> u8 {
    let heal = HEAL_POINTS * u8::from(own == Card::Heal as usize + 1);
    // Hit points above the maximum, which no match has, are not lowered by doing nothing.
    let healed = hp.saturating_add(heal).min(max_hp.max(hp));
    healed.saturating_sub(DAMAGE[(own << 3 | other) & 63])
}

/// The damage to the player of a card against another, at `own << 3 | other`. A table instead of
/// branches, since the processor would mispredict on random cards.
static DAMAGE: [u8; 64] = {
    let mut damage = [0; 64];
    let [nothing, attack, heal, counter] = [
        0,
        Card::Attack as usize + 1,
        Card::Heal as usize + 1,
        Card::Counter as usize + 1,
    ];
    damage[nothing << 3 | attack] = ATTACK_DAMAGE;
    damage[attack << 3 | attack] = ATTACK_DAMAGE;
    damage[heal << 3 | attack] = ATTACK_DAMAGE;
    damage[attack << 3 | counter] = COUNTER_DAMAGE;
    damage
};
