//! Invariants of a match, whatever is played.

use kernel::{Conserve, Game, Seat};

use crate::card::count;
use crate::state::{CITIES_MAX, Due, ROADS_MAX, SETTLEMENTS_MAX, Win};
use crate::{
    BoardKind, Catan, DECK, DEV_CARDS, Dev, DiceKind, DiscardRule, Ending, RESOURCE_CARDS,
    RawSetup, Resource, Setup, Switch,
};

impl Conserve for Catan {
    /// 19 cards of each resource, 25 development cards of the right kinds, at most 15, 5 and 4
    /// pieces on distinct places, titles as the board gives them, and a win exactly when a player
    /// has the points.
    fn broken(&self) -> Option<String> {
        self.broken_cards()
            .or_else(|| self.broken_pieces())
            .or_else(|| self.broken_titles())
            .or_else(|| self.broken_end())
    }

    /// Derived fields equal what the pieces give.
    fn broken_in_depth(&self) -> Option<String> {
        let mut derived = *self;
        derived.derive();
        if derived != *self {
            return Some("the fields derived from the pieces are out of date".to_owned());
        }
        Dev::ALL.into_iter().find_map(|dev| {
            let (n, expected) = self.dev_cards(dev);
            let name = dev.name();
            (n != expected).then(|| format!("there are {n} {name} instead of {expected}"))
        })
    }

    /// Between them, the setups change every configurable rule.
    fn audited_setups() -> Vec<Setup> {
        let raw = RawSetup::default;
        [
            raw(),
            RawSetup {
                board: BoardKind::Random,
                player_trades: Switch::Off,
                ..raw()
            },
            RawSetup {
                board: BoardKind::Random,
                dice: DiceKind::Bag36,
                discard_rule: DiscardRule::ToThreshold,
                discard_threshold: 5,
                friendly_robber: true,
                vp_to_win: 12,
                ..raw()
            },
            RawSetup {
                discard_threshold: 3,
                trades_per_turn: 1,
                vp_to_win: 22,
                max_turns: 600,
                ..raw()
            },
        ]
        .map(|raw| Setup::try_from(raw).expect("these setups are valid"))
        .to_vec()
    }
}

impl Catan {
    /// The number of cards of a resource in the bank and in both hands.
    pub(crate) fn resource_cards(&self, resource: Resource) -> u32 {
        let [one, two] = &self.players;
        let places = [&self.bank, &one.hand, &two.hand];
        let n = places.map(|cards| u32::from(cards[resource as usize]));
        n.iter().sum()
    }

    /// The number of development cards of a kind in the deck, in both hands and among those played,
    /// and the number that there must be.
    pub(crate) fn dev_cards(&self, dev: Dev) -> (usize, usize) {
        let deck = &self.deck[..self.n_deck.into()];
        let mut n = deck.iter().filter(|&&card| card == dev as u8).count();
        for player in &self.players {
            for cards in [&player.devs, &player.new_devs, &player.played] {
                n += usize::from(cards[dev as usize]);
            }
        }
        match self.chance {
            Some(Due::Deal) => (n, 0),
            _ => (n, DECK[dev as usize].into()),
        }
    }

    fn broken_cards(&self) -> Option<String> {
        for resource in Resource::ALL {
            let (n, name) = (self.resource_cards(resource), resource.name());
            if n != u32::from(RESOURCE_CARDS) {
                return Some(format!("there are {n} {name} instead of 19"));
            }
        }
        let [one, two] = &self.players;
        let played = count(&one.played) + count(&two.played);
        let n = usize::from(self.n_deck + one.n_devs() + two.n_devs() + played);
        let dealt = self.chance != Some(Due::Deal);
        (dealt && n != DEV_CARDS).then(|| format!("there are {n} development cards instead of 25"))
    }

    fn broken_pieces(&self) -> Option<String> {
        for (seat, player) in self.players.iter().enumerate() {
            let within = player.roads.count_ones() <= ROADS_MAX
                && player.settlements.count_ones() <= SETTLEMENTS_MAX
                && player.cities.count_ones() <= CITIES_MAX
                && player.settlements & player.cities == 0;
            if !within {
                return Some(format!("player {seat} has more pieces than the game has"));
            }
        }
        let [one, two] = &self.players;
        let shared = one.roads & two.roads != 0 || one.buildings() & two.buildings() != 0;
        shared.then(|| "two pieces share a place".to_owned())
    }

    fn broken_titles(&self) -> Option<String> {
        let lens = self.players.map(|player| player.road_len);
        let armies = self.players.map(|it| it.played[Dev::Knight as usize]);
        if !self.may_own_road(self.road_owner) {
            return Some(format!(
                "the owner of the longest road does not fit the lengths {lens:?}"
            ));
        }
        (!self.may_own_army(self.army_owner))
            .then(|| format!("the owner of the largest army does not fit the sizes {armies:?}"))
    }

    /// A player with enough points on their own turn has won, once the action is complete.
    fn broken_end(&self) -> Option<String> {
        let wins = |seat: Seat| self.points(seat) >= self.setup.vp_to_win;
        match self.ending {
            Some(Ending::Won(seat, Win::Points)) if !wins(seat) => {
                Some(format!("player {seat} has won without the points"))
            }
            None if self.chance.is_none() && !self.line_open() && wins(self.mover()) => Some(
                format!("player {} has the points but has not won", self.mover()),
            ),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Draw, GameExt};

    use super::*;
    use crate::Setup;

    /// Corrupts a position in one way and returns true if that is detected.
    fn seen(spoil: impl FnOnce(&mut Catan)) -> bool {
        let mut at = Catan::start(&Setup::default());
        at.resolve(Draw(1), &mut kernel::Discard).unwrap();
        assert_eq!(at.broken().or_else(|| at.broken_in_depth()), None);
        spoil(&mut at);
        at.broken().or_else(|| at.broken_in_depth()).is_some()
    }

    // Promise: No card, piece or title of Catan is made or lost.
    #[test]
    fn every_broken_invariant_is_detected() {
        assert!(seen(|at| at.bank[0] -= 1), "a lost card");
        assert!(seen(|at| at.n_deck -= 1), "a lost development card");
        assert!(
            seen(|at| at.deck[3] = (at.deck[3] + 1) % 5),
            "a changed card"
        );
        assert!(
            seen(|at| at.players[0].roads = (1 << 16) - 1),
            "too many roads"
        );
        assert!(
            seen(|at| at.players[1].settlements = 0b111_111),
            "too many settlements"
        );
        assert!(
            seen(|at| at.players[1].cities = 0b11_111),
            "too many cities"
        );
        assert!(
            seen(|at| {
                at.players[0].settlements = 1;
                at.players[1].cities = 1;
            }),
            "two buildings on a vertex"
        );
        assert!(
            seen(|at| at.road_owner = Some(Seat::FIRST)),
            "an undeserved title"
        );
        assert!(
            seen(|at| at.players[0].played[0] = 3),
            "an army without its title"
        );
        assert!(seen(|at| at.players[0].reach = 1), "a stale derivation");
        assert!(
            seen(|at| at.setup.0.vp_to_win = 0),
            "points that do not win"
        );
        let won = Ending::Won(Seat::FIRST, Win::Points);
        assert!(seen(|at| at.ending = Some(won)), "a win without points");
    }
}
