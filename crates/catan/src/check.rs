//! Checks that a document describes a position that a match can reach.

use kernel::Seat;
use kernel::doc::{Faults, Node};

use crate::board::Board;
use crate::card::count;
use crate::setup::{BoardKind, DiceKind};
use crate::state::{
    CITIES_MAX, Due, LARGEST_ARMY_MIN, LONGEST_ROAD_MIN, ROADS_MAX, SETTLEMENTS_MAX, Win, bits,
};
use crate::topology::{AROUND, EDGES_AT, ENDS_SET, NONE};
use crate::{Catan, Dev, Ending, Phase, RESOURCE_CARDS, Resource};

/// Reports everything that does not hold.
pub(crate) fn position(at: &Catan, node: &Node<'_>, faults: &mut Faults) {
    let mut check = Check { at, node, faults };
    check.board();
    check.cards();
    for seat in Catan::SEATS {
        check.pieces(seat);
        check.network(seat);
    }
    check.sites();
    check.titles();
    check.setup();
    check.turn();
    check.phase();
    check.chance();
    check.discards();
    check.ending();
}

struct Check<'a> {
    at: &'a Catan,
    node: &'a Node<'a>,
    faults: &'a mut Faults,
}

impl Check<'_> {
    /// Reports a fault at a path unless `holds`.
    fn must(&mut self, holds: bool, path: &str, message: &str) {
        if holds {
            return;
        }
        let mut place = *self.node;
        for key in path.split('/') {
            place = match key.parse::<usize>() {
                Ok(idx) => place.item(idx),
                Err(_) => place.field(key),
            };
        }
        self.faults.at(&place, "contradiction", message);
    }

    fn board(&mut self) {
        let at = self.at;
        for (key, message) in at.board.faults() {
            self.must(false, &format!("board/{key}"), message);
        }
        let reference = at.setup.board == BoardKind::Reference;
        self.must(
            !reference || at.board == Board::reference(),
            "board",
            "the variant asks for the reference board, but the tiles differ from it",
        );
    }

    fn cards(&mut self) {
        for resource in Resource::ALL {
            let (n, name) = (self.at.resource_cards(resource), resource.name());
            let message = format!("bank and hands hold {n} {name} in total, expected 19");
            let path = format!("bank/resources/{name}");
            self.must(n == u32::from(RESOURCE_CARDS), &path, &message);
        }
        for dev in Dev::ALL {
            let ((n, expected), name) = (self.at.dev_cards(dev), dev.name());
            let message =
                format!("deck, hands and played cards hold {n} {name}, expected {expected}");
            self.must(n == expected, "bank/dev_deck", &message);
        }
    }

    fn pieces(&mut self, seat: Seat) {
        let player = self.at.player(seat);
        let limits = [
            ("roads", player.roads.count_ones(), ROADS_MAX),
            (
                "settlements",
                player.settlements.count_ones(),
                SETTLEMENTS_MAX,
            ),
            ("cities", player.cities.count_ones(), CITIES_MAX),
        ];
        for (key, n, most) in limits {
            let message = format!("found {n} {key}, a player has at most {most}");
            self.must(n <= most, &format!("players/{seat}/{key}"), &message);
        }
    }

    /// Every road connects to a building of its player, and every building has a road.
    fn network(&mut self, seat: Seat) {
        let player = self.at.player(seat);
        let mut held = player.buildings();
        let mut joined = 0;
        loop {
            let more = bits(held.into()).fold(0, |set, vertex| set | EDGES_AT[vertex]);
            let more = more & player.roads & !joined;
            if more == 0 {
                break;
            }
            joined |= more;
            held |= bits(more).fold(0, |set, edge| set | ENDS_SET[edge]);
        }
        let path = format!("players/{seat}/roads");
        let message = "a road is not connected to a building of its player";
        self.must(joined == player.roads, &path, message);
        let waits = match self.at.last_vertex {
            NONE => 0,
            vertex if seat == self.at.mover() => 1 << vertex,
            _ => 0,
        };
        let bare = player.buildings() & !player.reach;
        let path = format!("players/{seat}/settlements");
        let message = "a building has no road of its player next to it";
        self.must(bare == waits, &path, message);
    }

    /// One building per vertex, none adjacent to another, and one road per edge.
    fn sites(&mut self) {
        let [first, second] = &self.at.players;
        for (seat, player) in self.at.players.iter().enumerate() {
            let both = player.settlements & player.cities == 0;
            let path = format!("players/{seat}/cities");
            self.must(both, &path, "a vertex has a settlement and a city");
        }
        self.must(
            first.roads & second.roads == 0,
            "players/1/roads",
            "an edge has roads of both players",
        );
        self.must(
            first.buildings() & second.buildings() == 0,
            "players/1/settlements",
            "a vertex has buildings of both players",
        );
        let all = first.buildings() | second.buildings();
        let lonely = bits(all.into()).all(|vertex| all & AROUND[vertex] == 1 << vertex);
        let message = "two buildings are adjacent: at least one free vertex must separate them";
        self.must(lonely, "players", message);
    }

    fn titles(&mut self) {
        let (road, army) = (self.at.road_owner, self.at.army_owner);
        self.must(
            self.at.may_own_road(road),
            "longest_road_owner",
            "the owner must have the longest road, of at least five; below five there is no \
             owner, and a tie does not decide",
        );
        self.must(
            self.at.may_own_army(army),
            "largest_army_owner",
            "the owner must have the largest army, of at least three; below three there is no \
             owner, and a tie does not decide",
        );
    }

    /// During setup the pieces are exactly those placed so far.
    fn setup(&mut self) {
        let (at, n) = (self.at, self.at.n_placed);
        if n == 8 {
            let begun = at
                .players
                .iter()
                .all(|it| it.buildings().count_ones() >= 2 && it.roads.count_ones() >= 2);
            self.must(
                begun,
                "players",
                "each player has at least two buildings and two roads",
            );
            return;
        }
        let expected = [
            [u8::from(n >= 1) + u8::from(n >= 7), u8::from(n >= 2)],
            [
                u8::from(n >= 3) + u8::from(n >= 5),
                u8::from(n >= 4) + u8::from(n >= 6),
            ],
        ];
        for (idx, [n_settlements, n_roads]) in expected.into_iter().enumerate() {
            let player = &at.players[idx];
            let fits = player.settlements.count_ones() == u32::from(n_settlements)
                && player.roads.count_ones() == u32::from(n_roads)
                && player.cities == 0;
            let message = format!(
                "at this point of the setup the player has {n_settlements} settlements, \
                 {n_roads} roads and no city"
            );
            self.must(fits, &format!("players/{idx}"), &message);
            let paid = n_settlements == 2 || count(&player.hand) == 0;
            let path = format!("players/{idx}/resources");
            self.must(
                paid,
                &path,
                "no player has cards before the second settlement",
            );
            let devs = player.n_devs() + count(&player.played);
            let path = format!("players/{idx}/dev_cards");
            self.must(
                devs == 0,
                &path,
                "no player has development cards during setup",
            );
        }
        let desert = at.robber == at.board.desert();
        self.must(desert, "board/tiles", "the robber begins in the desert");
        let placed = at.last_vertex == NONE
            || at.player(at.mover()).settlements & (1 << at.last_vertex) != 0;
        let message = "the last vertex has no settlement of the player";
        self.must(placed, "turn/setup/last_vertex", message);
    }

    fn turn(&mut self) {
        let at = self.at;
        let playing = at.n_placed == 8;
        let counted = playing == (at.number > 0) && at.number <= at.setup.max_turns;
        let message = "turns count from 1 to max_turns; 0 is the setup";
        self.must(counted, "turn/number", message);
        let fits = !playing || at.current == 1 - (at.number % 2) as u8;
        self.must(
            fits,
            "turn/current_player",
            "player 0 has the odd turns and player 1 the even ones",
        );
        let thrown = at.rolled && !at.dice_due();
        let forced = at.chance == Some(Due::ForcedDice);
        let expected = at.number > 1 || (at.number == 1 && (thrown || forced));
        self.must(
            expected == (at.dice != [0, 0]),
            "turn/dice/last_roll",
            "null exactly before the first roll of the match; a forced roll is set at once",
        );
        self.must(
            playing || !at.rolled,
            "turn/rolled",
            "dice are not rolled during setup",
        );
        let turn = self.node.field("turn");
        let bag = turn.field("dice").field("bag");
        self.must(
            bag.exists() == (at.setup.dice == DiceKind::Bag36),
            "turn/dice",
            "the bag is present exactly when dice is bag36",
        );
        let offers = at.n_offers <= at.setup.offers_max() && (at.rolled || at.n_offers == 0);
        self.must(
            offers,
            "turn/offers_made",
            "more offers than the variant allows, or offers before the roll",
        );
        let mover = at.player(at.mover());
        let played = count(&mover.played) > 0;
        self.must(
            !at.dev_played || played,
            "turn/dev_card_played",
            "the player has not played any card",
        );
        for seat in Catan::SEATS {
            let may_buy = seat == at.mover() && thrown && playing;
            let none = count(&at.player(seat).new_devs) == 0;
            let path = format!("players/{seat}/new_dev_cards");
            let message = "only the player whose turn it is has new cards, and only after the roll";
            self.must(may_buy || none, &path, message);
        }
    }

    fn phase(&mut self) {
        let at = self.at;
        let seven = at.rolled && at.dice[0] + at.dice[1] == 7;
        let mover = at.player(at.mover());
        let playing = at.n_placed == 8;
        let thrown = at.rolled && !at.dice_due();
        let card = |dev: Dev| at.dev_played && mover.played[dev as usize] > 0;
        let fits = match at.phase {
            Phase::SetupSettlement => !playing && at.last_vertex == NONE,
            Phase::SetupRoad => !playing && at.last_vertex != NONE,
            Phase::Roll => playing && at.rolled == at.dice_due(),
            Phase::Discard => playing && at.robber_triggered,
            Phase::MoveRobber => playing && (at.robber_triggered || card(Dev::Knight)),
            Phase::Action | Phase::TradeResponse | Phase::TradeOffer => playing && thrown,
            Phase::RoadBuilding => playing && card(Dev::RoadBuilding),
            Phase::GameOver => true,
        };
        self.must(fits, "turn/phase", "the match cannot be in this phase here");
        self.must(
            (at.phase == Phase::GameOver) == at.ending.is_some(),
            "turn/phase",
            "GAME_OVER exactly when there is an outcome",
        );
        let waits = matches!(at.phase, Phase::Discard | Phase::MoveRobber);
        self.must(
            !at.robber_triggered || (seven && waits && at.chance.is_none()),
            "turn/dice/robber_triggered",
            "true from a seven until the robber is moved for it",
        );
        let left = ROADS_MAX.saturating_sub(mover.roads.count_ones());
        let free = u32::from(at.free_roads);
        let due = at.phase == Phase::RoadBuilding;
        self.must(
            due == (free > 0) && (!due || (free <= left && mover.road_spots != 0)),
            "turn/free_roads",
            "free roads are due exactly in ROAD_BUILDING, limited by pieces and edges",
        );
        self.trade();
    }

    fn trade(&mut self) {
        let at = self.at;
        let (own, theirs) = at.traders();
        let fits = match at.phase {
            Phase::TradeResponse => {
                let both = count(&at.trade().offer) > 0 && count(&at.trade().request) > 0;
                at.n_offers > 0 && both && at.trade().is_held(own, theirs)
            }
            Phase::TradeOffer => {
                at.n_offers < at.setup.offers_max() && at.trade().leads_on(own, theirs)
            }
            _ => at.trade().is_none(),
        };
        self.must(
            fits,
            "pending_trade",
            "an offer is present exactly in TRADE_RESPONSE and TRADE_OFFER, with cards that both \
             players have",
        );
    }

    fn chance(&mut self) {
        let at = self.at;
        let other = Catan::other(at.mover());
        let fits = match at.chance {
            None => true,
            Some(Due::Deal) => {
                at.n_placed == 0
                    && at.phase == Phase::SetupSettlement
                    && at.board == Board::reference()
                    && at.bag == 0
                    && at.last_vertex == NONE
            }
            Some(Due::Dice) => at.phase == Phase::Roll,
            Some(Due::ForcedDice) => at.phase == Phase::Roll && at.setup.test,
            Some(Due::Theft) => {
                let after = match at.phase {
                    Phase::Action => at.dev_played || at.dice[0] + at.dice[1] == 7,
                    Phase::Roll => !at.rolled && at.dev_played,
                    _ => false,
                };
                after && at.lives_at(other, at.robber) && count(&at.player(other).hand) > 0
            }
        };
        let message = "this chance cannot be pending here";
        self.must(fits, "pending_chance", message);
    }

    fn discards(&mut self) {
        let at = self.at;
        let due = at.discards.iter().any(|due| due.left > 0);
        self.must(
            due == (at.phase == Phase::Discard),
            "pending_discards",
            "cards must be discarded exactly in DISCARD",
        );
        if !due {
            return;
        }
        for seat in Catan::SEATS {
            let due = at.discards[seat.index()];
            let n_hand = count(&at.player(seat).hand);
            let first = seat == Seat::FIRST;
            let fits = if due.left == 0 {
                first || at.setup.discards(n_hand) == 0
            } else {
                let begun = due.left < due.total;
                due.left <= due.total
                    && at.setup.discards(n_hand + (due.total - due.left)) == due.total
                    && !(begun && !first && at.discards[0].left > 0)
            };
            let message = format!("player {seat} has a different number of cards to discard");
            self.must(fits, "pending_discards", &message);
        }
    }

    fn ending(&mut self) {
        let at = self.at;
        let target = at.setup.vp_to_win;
        let points = |seat: Seat| at.points(seat);
        let other = Catan::other(at.mover());
        self.must(
            points(other) < target || at.n_placed < 8,
            "players",
            "the waiting player has the points to win and would have won earlier",
        );
        let inside = at.chance == Some(Due::Theft)
            || matches!(at.phase, Phase::RoadBuilding | Phase::MoveRobber);
        let fits = match at.ending {
            None => inside || points(at.mover()) < target,
            Some(Ending::Won(seat, Win::Points)) => {
                seat == at.mover() && points(seat) >= target && at.n_placed == 8
            }
            Some(
                Ending::Won(_, Win::Disconnect | Win::Resign | Win::Timeout) | Ending::Void(_),
            ) => true,
            Some(Ending::TurnCap) => {
                at.number == at.setup.max_turns && at.rolled && points(at.mover()) < target
            }
        };
        let message = "the position does not fit this outcome, or should have ended";
        self.must(fits, "outcome", message);
    }
}

impl Catan {
    /// True if this may be the owner of the longest road, or if there may be none.
    pub(crate) fn may_own_road(&self, owner: Option<Seat>) -> bool {
        may_own(owner, self.players.map(|it| it.road_len), LONGEST_ROAD_MIN)
    }

    /// True if this may be the owner of the largest army, or if there may be none.
    pub(crate) fn may_own_army(&self, owner: Option<Seat>) -> bool {
        let armies = self.players.map(|it| it.played[Dev::Knight as usize]);
        may_own(owner, armies, LARGEST_ARMY_MIN)
    }
}

fn may_own(owner: Option<Seat>, sizes: [u8; 2], least: u8) -> bool {
    let best = sizes[0].max(sizes[1]);
    match owner {
        Some(seat) => sizes[seat.index()] == best && best >= least,
        None => best < least,
    }
}
