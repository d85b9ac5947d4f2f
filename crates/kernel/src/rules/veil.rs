//! Secrets: described once, hidden in views and replaced in redrawn states.

use super::{Die, Rules};
use crate::Viewer;
use crate::rng::Generator;

/// Hides the secrets that [`Rules::secrets`] lists. In a view, each is replaced by a blank value; in
/// a redrawn state, by a random value that could be true.
pub struct Veil<'a> {
    /// The generator of a redrawn state; `None` for a view.
    rng: Option<&'a mut Generator>,
}

impl Veil<'_> {
    /// Hides dice.
    pub fn dice<'d>(&mut self, dice: impl IntoIterator<Item = &'d mut Die>) {
        for die in dice {
            self.value(die, Die::BLANK, |rng| Die::rolled(Die::ODDS.draw(rng)));
        }
    }

    /// Hides a value that does not depend on other secrets. A blank value is no secret and stays.
    pub fn value<T: PartialEq>(
        &mut self,
        value: &mut T,
        blank: T,
        draw: impl FnOnce(&mut Generator) -> T,
    ) {
        match &mut self.rng {
            None => *value = blank,
            Some(rng) if *value != blank => *value = draw(rng),
            Some(_) => {}
        }
    }

    /// Hides the order of values, such as the cards of all other hands and of the deck. A redrawn
    /// state has the same values in a random order.
    pub fn order<'v, T: Clone + 'v>(
        &mut self,
        values: impl IntoIterator<Item = &'v mut T>,
        blank: &T,
    ) {
        let mut places: Vec<&mut T> = values.into_iter().collect();
        let mut drawn: Vec<T> = match &self.rng {
            None => vec![blank.clone(); places.len()],
            Some(_) => places.iter().map(|place| (**place).clone()).collect(),
        };
        if let Some(rng) = &mut self.rng {
            rng.shuffle(&mut drawn);
        }
        for (place, value) in places.iter_mut().zip(drawn) {
            **place = value;
        }
    }
}

/// The state as a viewer may see it.
pub(super) fn view<R: Rules>(state: &R, viewer: Viewer) -> R {
    let mut view = state.clone();
    view.secrets(viewer, &mut Veil { rng: None });
    view
}

/// A state that agrees with this one in everything the viewer may know, with the rest drawn at
/// random.
pub(super) fn redrawn<R: Rules>(state: &R, viewer: Viewer, rng: &mut Generator) -> R {
    let mut redrawn = state.clone();
    redrawn.secrets(viewer, &mut Veil { rng: Some(rng) });
    redrawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{GeneratorKind, Seed};

    #[test]
    fn a_view_shows_blanks() {
        let mut veil = Veil { rng: None };
        let (mut dice, mut cards) = ([Die::showing(3), Die::BLANK], [1, 2, 3]);
        veil.dice(&mut dice);
        veil.order(&mut cards, &0);
        assert_eq!((dice, cards), ([Die::BLANK; 2], [0; 3]));
    }

    #[test]
    fn a_redrawn_state_has_other_secrets_of_the_same_kind() {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
        let mut veil = Veil {
            rng: Some(&mut rng),
        };
        let (mut seen, mut moved) = ([false; 7], false);
        for _ in 0..200 {
            let (mut dice, mut cards) = ([Die::showing(3), Die::BLANK], [1, 2, 3]);
            veil.dice(&mut dice);
            veil.order(&mut cards, &0);
            assert!(dice[1].is_blank(), "a die that is not rolled yet stays so");
            seen[usize::from(dice[0].face().unwrap_or(0))] = true;
            moved |= cards != [1, 2, 3];
            cards.sort_unstable();
            assert_eq!(cards, [1, 2, 3]);
        }
        assert_eq!(seen, [false, true, true, true, true, true, true]);
        assert!(moved);
    }
}
