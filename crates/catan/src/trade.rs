//! Offers to the opponent, and the composition of offers of several cards.
//!
//! A card for a card is one action. Any other offer is composed card by card: first the cards that
//! are given, then those that are asked for, each side in the order of the resources, then `send`.
//! So every offer has exactly one composition, and the mask allows only steps from which an offer
//! can still be sent.

use kernel::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::card::{at_least, count, covers, packed};
use crate::snapshot::Resources;
use crate::{Action, Catan, Hand, N_RESOURCES, Resource, Swap};

/// The maximum number of cards on each side of an offer: the price of the most expensive piece.
pub const OFFER_CARDS_MAX: u8 = 5;

/// The minimum number of cards in a composed offer. Smaller offers are a card for a card, which is
/// a separate action.
const COMPOSED_MIN: u8 = 3;

/// The cards that the player whose turn it is offers, and those requested in return.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Trade {
    /// The cards that the player whose turn it is gives.
    #[serde(with = "Resources")]
    pub offer: Hand,
    /// The cards that the player whose turn it is gets.
    #[serde(with = "Resources")]
    pub request: Hand,
}

/// A trade as a position stores it: three bits for each resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pending {
    offer: u16,
    request: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Offer,
    Request,
}

impl Trade {
    /// The actions that make this offer, in order: a single one for a card for a card, otherwise
    /// its composition. They can all be legal only if the trade has cards on both sides.
    pub fn actions(&self) -> impl Iterator<Item = Action> + use<> {
        let one = |cards: &Hand| (n_cards(cards) == 1).then(|| Resource::ALL[highest(cards)]);
        let pair = one(&self.offer).zip(one(&self.request));
        let swap = pair.and_then(|(give, get)| Swap::new(give, get));
        let composed = swap.is_none().then(|| self.composition());
        let composed = composed
            .into_iter()
            .flatten()
            .chain(swap.is_none().then_some(Action::SendOffer));
        swap.map(Action::OfferTrade).into_iter().chain(composed)
    }

    /// The steps that compose the offer, without `send`.
    pub(crate) fn composition(&self) -> impl Iterator<Item = Action> + use<> {
        let given = each_card(self.offer).map(Action::GiveCard);
        given.chain(each_card(self.request).map(Action::AskCard))
    }

    pub(crate) const NONE: Trade = Trade {
        offer: [0; N_RESOURCES],
        request: [0; N_RESOURCES],
    };

    pub(crate) fn is_none(&self) -> bool {
        *self == Trade::NONE
    }

    /// The same trade with one more card on a side.
    pub(crate) fn with(mut self, side: Side, resource: Resource) -> Trade {
        match side {
            Side::Offer => self.offer[resource as usize] += 1,
            Side::Request => self.request[resource as usize] += 1,
        }
        self
    }

    /// True if no resource is on both sides and neither side has too many cards.
    pub(crate) fn has_form(&self) -> bool {
        self.shared().is_none()
            && n_cards(&self.offer) <= OFFER_CARDS_MAX.into()
            && n_cards(&self.request) <= OFFER_CARDS_MAX.into()
    }

    /// A resource that is on both sides.
    pub(crate) fn shared(&self) -> Option<Resource> {
        let both = |kind: &Resource| {
            let kind = *kind as usize;
            self.offer[kind] > 0 && self.request[kind] > 0
        };
        Resource::ALL.into_iter().find(both)
    }

    /// True if both players hold the cards they would give.
    pub(crate) fn is_held(&self, own: &Hand, theirs: &Hand) -> bool {
        covers(own, &self.offer) && covers(theirs, &self.request)
    }

    /// True if a composition may end here.
    fn can_be_sent(&self) -> bool {
        let (given, asked) = (count(&self.offer), count(&self.request));
        given > 0 && asked > 0 && given + asked >= COMPOSED_MIN
    }

    /// True for a valid partial offer: its cards are in order, and further steps can lead to an
    /// offer that can be sent.
    pub(crate) fn leads_on(&self, own: &Hand, theirs: &Hand) -> bool {
        if !self.has_form() || !self.is_held(own, theirs) {
            return false;
        }
        let given = kinds(&self.offer);
        let askable = |given: u8| {
            let open = at_or_above(highest(&self.request)) & !given;
            let left = (0..N_RESOURCES).filter(|kind| open >> kind & 1 == 1);
            left.map(|kind| theirs[kind] - self.request[kind])
                .sum::<u8>()
        };
        match (count(&self.offer), count(&self.request)) {
            (0, _) => false,
            (1, 0) if askable(given) < 2 => {
                let second = at_or_above(highest(&self.offer)) & kinds(&left(own, &self.offer));
                let second = (0..N_RESOURCES).filter(|kind| second >> kind & 1 == 1);
                second
                    .into_iter()
                    .any(|kind| askable(given | 1 << kind) > 0)
            }
            (1, 1) | (_, 0) => askable(given) > 0,
            _ => true,
        }
    }

    /// The possible next steps, as a set: give a card of each resource, ask for a card of each,
    /// and send.
    pub(crate) fn steps(&self, own: &Hand, theirs: &Hand) -> u16 {
        let mut set = u16::from(self.can_be_sent()) << (2 * N_RESOURCES);
        for resource in Resource::ALL {
            for side in [Side::Offer, Side::Request] {
                let next = self.with(side, resource);
                if self.is_in_order(side, resource) && next.leads_on(own, theirs) {
                    set |= 1 << (side as usize * N_RESOURCES + resource as usize);
                }
            }
        }
        set
    }

    /// True if a card on this side comes after the cards already there.
    pub(crate) fn is_in_order(&self, side: Side, resource: Resource) -> bool {
        let before = match side {
            Side::Offer if self.request != [0; N_RESOURCES] => return false,
            Side::Offer => &self.offer,
            Side::Request => &self.request,
        };
        highest(before) <= resource as usize
    }
}

/// The set of resources that can begin a composition, from the resources of which each player
/// holds one and two. Equals [`Trade::steps`] of an empty offer, in few instructions.
#[inline]
pub(crate) fn beginnings(own: u64, theirs: u64) -> u8 {
    let (own_one, their_one) = (at_least(own, 1), at_least(theirs, 1));
    let rich = RICH[usize::from(their_one) << 5 | usize::from(at_least(theirs, 2))];
    let poor = own_one & !rich;
    let mut set = own_one & rich;
    if poor != 0 && their_one != 0 {
        let own_two = at_least(own, 2);
        for kind in 0..N_RESOURCES as u8 {
            // One card is left to ask for, so two must be given.
            let wanted = their_one & !(1 << kind);
            let more = (own_one & !(1 << kind) | own_two & (1 << kind)) & at_or_above(kind.into());
            if poor >> kind & 1 == 1 && wanted != 0 && more & !wanted != 0 {
                set |= 1 << kind;
            }
        }
    }
    set
}

/// Indexed by the sets of resources of which a player holds one and two: the resources besides
/// which the player holds at least two cards.
static RICH: [u8; 1024] = {
    let mut sets = [0; 1024];
    let mut idx = 0;
    while idx < 1024 {
        let (one, two) = ((idx >> 5) as u8, idx as u8 & 31);
        let mut kind = 0;
        while kind < N_RESOURCES {
            let others = !(1 << kind);
            if (one & others).count_ones() + (two & others).count_ones() >= 2 {
                sets[idx] |= 1 << kind;
            }
            kind += 1;
        }
        idx += 1;
    }
    sets
};

/// The cards one by one, in the order of the resources.
pub(crate) fn each_card(cards: Hand) -> impl Iterator<Item = Resource> {
    let each = Resource::ALL.into_iter().zip(cards);
    each.flat_map(|(kind, n)| std::iter::repeat_n(kind, n.into()))
}

/// The total number of cards, for counts of any size.
fn n_cards(cards: &Hand) -> u16 {
    cards.iter().map(|&n| u16::from(n)).sum()
}

fn kinds(cards: &Hand) -> u8 {
    at_least(packed(cards), 1)
}

/// The highest resource among some cards; 0 if there are none.
fn highest(cards: &Hand) -> usize {
    cards.iter().rposition(|&n| n > 0).unwrap_or(0)
}

fn at_or_above(kind: usize) -> u8 {
    31 << kind & 31
}

/// The cards left after removing some, which must be covered.
fn left(cards: &Hand, taken: &Hand) -> Hand {
    std::array::from_fn(|kind| cards[kind] - taken[kind])
}

impl From<Trade> for Pending {
    fn from(trade: Trade) -> Pending {
        let side = |cards: Hand| {
            let each = cards.into_iter().rev();
            each.fold(0, |bits, n| bits << 3 | u16::from(n & 7))
        };
        Pending {
            offer: side(trade.offer),
            request: side(trade.request),
        }
    }
}

impl From<Pending> for Trade {
    fn from(pending: Pending) -> Trade {
        let side = |bits: u16| std::array::from_fn(|kind| (bits >> (3 * kind) & 7) as u8);
        Trade {
            offer: side(pending.offer),
            request: side(pending.request),
        }
    }
}

impl Catan {
    /// The offer that awaits an answer or is being composed; empty if there is none.
    pub(crate) fn trade(&self) -> Trade {
        self.pending.into()
    }

    /// The cards of the player whose turn it is, and those of the opponent.
    pub(crate) fn traders(&self) -> (&Hand, &Hand) {
        let seat: Seat = self.mover();
        let other = Catan::other(seat);
        (&self.player(seat).hand, &self.player(other).hand)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Collects every offer that can be composed; false if a step leads to a dead end.
    fn compose(at: Trade, own: &Hand, theirs: &Hand, found: &mut BTreeSet<(Hand, Hand)>) -> bool {
        let steps = at.steps(own, theirs);
        let send = steps >> (2 * N_RESOURCES) & 1 == 1;
        if send {
            assert!(found.insert((at.offer, at.request)), "two ways to {at:?}");
        }
        let mut leads = send;
        for bit in (0..2 * N_RESOURCES).filter(|bit| steps >> bit & 1 == 1) {
            let side = [Side::Offer, Side::Request][bit / N_RESOURCES];
            let next = at.with(side, Resource::ALL[bit % N_RESOURCES]);
            assert!(compose(next, own, theirs, found), "{next:?} is a dead end");
            leads = true;
        }
        leads
    }

    /// All bundles of up to the maximum number of cards from a hand.
    fn bundles(hand: &Hand) -> Vec<Hand> {
        let mut all = vec![Hand::default()];
        for kind in 0..N_RESOURCES {
            let mut more = Vec::new();
            for bundle in &all {
                for n in 0..=hand[kind] {
                    let mut next = *bundle;
                    next[kind] = n;
                    more.push(next);
                }
            }
            all = more;
        }
        all.retain(|bundle| (1..=OFFER_CARDS_MAX).contains(&count(bundle)));
        all
    }

    #[test]
    fn every_offer_has_one_composition_and_no_step_leads_nowhere() {
        let mut rng = crate::board::expand(11);
        let mut n_offers = 0;
        for _ in 0..400 {
            let [own, theirs]: [Hand; 2] = std::array::from_fn(|_| {
                let most = 1 + rng.below(3);
                std::array::from_fn(|_| rng.below(most + 1) as u8)
            });
            let mut found = BTreeSet::new();
            compose(Trade::NONE, &own, &theirs, &mut found);
            let mut expected = BTreeSet::new();
            for offer in bundles(&own) {
                for request in bundles(&theirs) {
                    let trade = Trade { offer, request };
                    if trade.has_form() && count(&offer) + count(&request) > 2 {
                        expected.insert((offer, request));
                    }
                }
            }
            assert_eq!(found, expected, "{own:?} {theirs:?}");
            n_offers += found.len();
        }
        assert!(n_offers > 50_000, "{n_offers}");
    }

    #[test]
    fn the_quick_beginnings_are_the_first_steps() {
        let hands: Vec<Hand> = (0..243)
            .map(|n| std::array::from_fn(|kind| (n / 3usize.pow(kind as u32) % 3) as u8))
            .collect();
        for own in &hands {
            for theirs in &hands {
                let steps = Trade::NONE.steps(own, theirs);
                let quick = beginnings(packed(own), packed(theirs));
                assert_eq!(u16::from(quick), steps, "{own:?} {theirs:?}");
            }
        }
    }
}
