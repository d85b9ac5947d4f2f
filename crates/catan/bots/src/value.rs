//! The value of a position for a seat.

use catan::{Catan, DEV_COST, Dev, View};
use kernel::{Game, Perspective, Seat, Turn, Viewer};

use super::features::{Features, N_FEATURES, features, unseen_cards};
use super::ground::Ground;
use super::weights::WEIGHTS;
use kernel::Evaluation;

/// The value of a position for a seat: about the log-odds of winning, in millionths.
/// [`super::Fit::calibration`] measures how close it is.
pub(super) type Value = i64;

/// The value of a won match.
pub(super) const WON: Value = 1_000_000_000;

pub(super) type Weights = [i32; N_FEATURES];

/// Evaluates positions from one seat.
#[derive(Clone, Copy)]
pub(super) struct Eye<'a> {
    pub(super) ground: &'a Ground,
    pub(super) weights: &'a Weights,
    pub(super) seat: Seat,
}

impl<'a> Eye<'a> {
    pub(super) fn new(ground: &'a Ground, seat: Seat) -> Eye<'a> {
        Eye {
            ground,
            weights: &WEIGHTS,
            seat,
        }
    }

    /// The position as this seat sees it.
    pub(super) fn view(&self, position: &Catan) -> View {
        position.view(Viewer::Seat(self.seat))
    }

    /// The value of the current position.
    pub(super) fn value(&self, position: &Catan) -> Value {
        match position.turn() {
            Turn::Over(outcome) => Value::from(outcome.score(self.seat)) * WON,
            _ => self.value_of(&self.view(position)),
        }
    }

    /// The value of a view of a running match.
    pub(super) fn value_of(&self, view: &View) -> Value {
        weigh(
            self.weights,
            &features(self.ground, view, self.seat.index() & 1),
        )
    }

    /// The value of buying a development card here: the mean over all cards it may be.
    pub(super) fn value_of_card(&self, position: &Catan) -> Value {
        let me = self.seat.index() & 1;
        let mut view = self.view(position);
        let unseen = unseen_cards(&view, me);
        view.n_deck = view.n_deck.saturating_sub(1);
        let player = &mut view.players[me];
        player.n_dev_cards += 1;
        player.n_new_dev_cards += 1;
        for (kind, price) in DEV_COST.into_iter().enumerate() {
            player.resources[kind] -= price.min(player.resources[kind]);
            view.bank[kind] += price;
        }
        let Some(own) = player.own else {
            return self.value_of(&view);
        };
        let wins = position.points(self.seat) + 1 >= view.vp_to_win;
        let (mut sum, mut n) = (0, 0);
        for (kind, n_cards) in unseen.into_iter().enumerate().filter(|(_, n)| *n > 0) {
            let mut drawn = own;
            drawn.new_dev_cards[kind] += 1;
            view.players[me].own = Some(drawn);
            let value = match kind == Dev::VictoryPoint as usize && wins {
                true => WON,
                false => self.value_of(&view),
            };
            sum += value * Value::from(n_cards);
            n += Value::from(n_cards);
        }
        sum / n.max(1)
    }
}

pub(super) fn weigh(weights: &Weights, features: &Features) -> Value {
    let terms = weights.iter().zip(features);
    terms.map(|(w, f)| Value::from(*w) * Value::from(*f)).sum()
}

/// Maps a value to -1 to 1, in millionths, so that a certain win is not worth much more than a
/// likely one.
pub(super) fn squash(value: Value) -> i64 {
    value * 1_000_000 / (value.abs() + 2_000_000)
}

/// The winning chances of both players, as a seat sees them.
pub(super) fn evaluation(seen: &Perspective<'_, Catan>) -> Evaluation {
    let (view, seat) = (seen.view(), seen.seat());
    let own = match view.outcome {
        Some(outcome) => 500 + 500 * i64::from(outcome.score(seat)),
        None => chance_permille(Eye::new(&Ground::of(&view), seat).value_of(&view)),
    };
    let both = match seat {
        Seat::FIRST => [own, 1000 - own],
        _ => [1000 - own, own],
    };
    Evaluation {
        win_permille: both.map(|chance| chance as u16).to_vec(),
    }
}

/// The probability for these log-odds, in thousandths: the logistic function, interpolated
/// linearly between quarters.
fn chance_permille(value: Value) -> i64 {
    const QUARTER: Value = 250_000;
    const TABLE: [i64; 25] = [
        500, 562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953, 963, 971, 977, 982, 986,
        989, 991, 993, 995, 996, 997, 998,
    ];
    let size = value.abs().min(QUARTER * 24 - 1);
    let (idx, rest) = ((size / QUARTER) as usize, size % QUARTER);
    let chance = TABLE[idx] + (TABLE[idx + 1] - TABLE[idx]) * rest / QUARTER;
    if value < 0 { 1000 - chance } else { chance }
}
