//! The effect of two cards on each other.

use crate::{ATTACK_DAMAGE, COUNTER_DAMAGE, Card, HEAL_POINTS, Layout, Slot};

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

/// Returns the hit points after a whole round, by one look at a table for each player. `None` if
/// the table does not cover the layouts or the maximum.
#[inline]
pub(crate) fn resolve_round(layouts: [Layout; 2], hp: [u8; 2], max_hp: u8) -> Option<[u8; 2]> {
    let [one, two] = layouts;
    if max_hp < MAX_HP_MIN || !one.fits(N_STEPS) || !two.fits(N_STEPS) {
        return None;
    }
    let (one, two) = (one.number_of_three(), two.number_of_three());
    let change = |own: usize, other: usize| CHANGES[own & 127][other & 127].change();
    Some([
        change(one, two).apply(hp[0], max_hp),
        change(two, one).apply(hp[1], max_hp),
    ])
}

/// The number of slots of the layouts in the table. Shorter rounds have empty slots at the end,
/// which change nothing.
const N_STEPS: usize = 3;
const N_LAYOUTS: usize = 5usize.pow(N_STEPS as u32);

/// The least maximum of hit points for which a [`Change`] is exact: three attacks never reach 0 from
/// it, and three heals never reach it from 0.
const MAX_HP_MIN: u8 = 6;

/// The change of a player's hit points in a round. A step adds points up to a limit and takes points
/// down to 0; one such step after another is an addition between two limits again.
#[derive(Clone, Copy)]
struct Change {
    /// Points gained in all; negative if more were lost.
    gain: i8,
    /// The hit points of a player who began with none.
    least: u8,
    /// The points missing from the maximum of a player who began with it.
    missing: u8,
}

impl Change {
    const NONE: Change = Change {
        gain: 0,
        least: 0,
        missing: 0,
    };

    #[inline]
    fn apply(self, hp: u8, max_hp: u8) -> u8 {
        let hp = i32::from(hp) + i32::from(self.gain);
        let most = i32::from(max_hp) - i32::from(self.missing);
        hp.min(most).max(self.least.into()) as u8
    }

    /// This change followed by a step, for slot codes.
    const fn then(self, own: usize, other: usize) -> Change {
        let heal = if own == Card::Heal as usize + 1 {
            HEAL_POINTS
        } else {
            0
        };
        let damage = DAMAGE[own << 3 | other];
        Change {
            gain: self.gain + heal as i8 - damage as i8,
            least: (self.least + heal).saturating_sub(damage),
            missing: self.missing.saturating_sub(heal) + damage,
        }
    }

    const fn packed(self) -> Packed {
        let gain = (self.gain + Packed::GAIN_OFFSET) as u16;
        Packed(gain | (self.least as u16) << 4 | (self.missing as u16) << 8)
    }
}

/// A [`Change`] in two bytes, so that the table stays in the cache.
#[derive(Clone, Copy)]
struct Packed(u16);

impl Packed {
    /// The most points that a round takes.
    const GAIN_OFFSET: i8 = 6;

    #[inline]
    fn change(self) -> Change {
        Change {
            gain: (self.0 & 15) as i8 - Packed::GAIN_OFFSET,
            least: (self.0 >> 4 & 15) as u8,
            missing: (self.0 >> 8) as u8,
        }
    }
}

/// The change for the player of each layout against each other layout, by their numbers, with unused
/// entries up to a power of two.
static CHANGES: [[Packed; 128]; 128] = {
    let mut changes = [[Change::NONE.packed(); 128]; 128];
    let mut own = 0;
    while own < N_LAYOUTS {
        let mut other = 0;
        while other < N_LAYOUTS {
            let (mut change, mut place) = (Change::NONE, N_LAYOUTS / 5);
            while place > 0 {
                change = change.then(own / place % 5, other / place % 5);
                place /= 5;
            }
            changes[own][other] = change.packed();
            other += 1;
        }
        own += 1;
    }
    changes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_in_the_table_is_the_one_played_step_by_step() {
        let layouts = || (0..N_LAYOUTS).map(|number| Layout::from_number(number, N_STEPS));
        for max_hp in 1..=100 {
            for one in layouts() {
                for two in layouts() {
                    check([one, two], max_hp);
                }
            }
        }
    }

    /// Compares a round from all hit points. One player's do not affect the other's, so both begin
    /// with the same.
    fn check(layouts: [Layout; 2], max_hp: u8) {
        for hp in 0..=max_hp {
            let step = |hp, idx| resolve_codes(layouts.map(|it| it.code(idx)), hp, max_hp);
            let played = (0..N_STEPS).fold([hp; 2], step);
            let expected = (max_hp >= MAX_HP_MIN).then_some(played);
            assert_eq!(resolve_round(layouts, [hp; 2], max_hp), expected);
        }
    }

    #[test]
    fn a_layout_of_four_cards_is_not_in_the_table() {
        let four = Layout::new(&[Some(Card::Heal); 4]).unwrap();
        assert_eq!(resolve_round([four, Layout::EMPTY], [10; 2], 10), None);
        assert_eq!(resolve_round([Layout::EMPTY, four], [10; 2], 10), None);
    }
}
