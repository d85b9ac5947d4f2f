//! Fields that documents of version 0.1 leave out.
//!
//! A field is filled in if the rest of the document determines it, or if no later decision depends
//! on it. Any other field is reported as undetermined.

use std::collections::BTreeMap;

use kernel::doc::{Faults, Node};
use kernel::json::Json;
use kernel::{Departure, Seat};

use crate::board::Board;
use crate::card::count;
use crate::restore::Claims;
use crate::setup::BoardKind;
use crate::state::{Discard, Due, LARGEST_ARMY_MIN, LONGEST_ROAD_MIN, ROADS_MAX, Win};
use crate::topology::NONE;
use crate::{Catan, Dev, Ending, Phase};

/// The document with a neutral value in place of each field that version 0.1 leaves out.
pub(crate) fn filled(document: &Json) -> Json {
    let mut filled = document.clone();
    let Json::Object(fields) = &mut filled else {
        return filled;
    };
    let fill = |fields: &mut BTreeMap<String, Json>, key: &str, value: Json| {
        fields.entry(key.to_owned()).or_insert(value);
    };
    fill(fields, "pending_discards", Json::List(Vec::new()));
    for key in [
        "largest_army_owner",
        "longest_road_owner",
        "outcome",
        "pending_trade",
        "winner",
    ] {
        fill(fields, key, Json::Null);
    }
    if let Some(Json::Object(turn)) = fields.get_mut("turn") {
        fill(turn, "setup", Json::Null);
        for key in ["dev_card_played", "rolled"] {
            fill(turn, key, Json::Bool(false));
        }
        for key in ["free_roads", "offers_made"] {
            fill(turn, key, Json::Int(0));
        }
    }
    filled
}

/// Fills in the fields that a document of version 0.1 leaves out; `at` holds everything it states.
/// An undetermined field takes a value that contradicts nothing else, so that the later checks
/// report only true contradictions.
pub(crate) fn complete(at: &mut Catan, claims: &mut Claims, node: &Node<'_>, faults: &mut Faults) {
    let mut older = Older {
        at,
        claims,
        node,
        faults,
    };
    older.board();
    older.setup();
    older.titles();
    older.outcome();
    older.rolled();
    older.dev_card_played();
    older.free_roads();
    older.discards();
}

struct Older<'a> {
    at: &'a mut Catan,
    claims: &'a mut Claims,
    node: &'a Node<'a>,
    faults: &'a mut Faults,
}

impl Older<'_> {
    fn lacks(&self, path: &[&str]) -> bool {
        let place = path.iter().fold(*self.node, |node, key| node.field(key));
        !place.exists()
    }

    fn undetermined(&mut self, path: &[&str], message: &str) {
        let place = path.iter().fold(*self.node, |node, key| node.field(key));
        self.faults.at(&place, "undetermined", message);
    }

    /// A board that differs from the reference board was random.
    fn board(&mut self) {
        if self.lacks(&["variant", "board"]) && self.at.board != Board::reference() {
            self.at.setup.0.board = BoardKind::Random;
        }
    }

    /// The pieces on the board give the number of placements. The settlement whose road comes next
    /// is the only one without a road.
    fn setup(&mut self) {
        let at = &mut *self.at;
        let placed = at.players.iter();
        let placed = placed.map(|it| it.settlements.count_ones() + it.roads.count_ones());
        let placed = placed.sum::<u32>().min(8) as u8;
        let begun = match at.phase {
            Phase::SetupSettlement | Phase::SetupRoad => true,
            Phase::GameOver => at.number == 0,
            _ => false,
        };
        if self.lacks(&["turn", "setup"]) && begun {
            let at = &mut *self.at;
            at.n_placed = placed;
            let player = at.player(at.mover());
            let bare = player.settlements & !player.reach;
            at.last_vertex = match bare.count_ones() {
                1 => bare.trailing_zeros() as u8,
                _ => NONE,
            };
            self.claims.round = (placed < 8).then_some(1 + placed / 4);
        }
        let at = &mut *self.at;
        let undealt = at.n_deck == 0 && at.phase == Phase::SetupSettlement && at.n_placed == 0;
        if undealt && self.lacks(&["pending_chance"]) {
            self.at.chance = Some(Due::Deal);
        }
    }

    /// The larger road and army own the titles. Between equal ones the points decide.
    fn titles(&mut self) {
        let at = &*self.at;
        let owners = |key: &str, stated: Option<Seat>, sizes: [u8; 2], least: u8| {
            if self.lacks(&[key]) {
                candidates(sizes, least)
            } else {
                vec![stated]
            }
        };
        let lens = at.players.map(|it| it.road_len);
        let armies = at.players.map(|it| it.played[Dev::Knight as usize]);
        let roads = owners("longest_road_owner", at.road_owner, lens, LONGEST_ROAD_MIN);
        let armies = owners(
            "largest_army_owner",
            at.army_owner,
            armies,
            LARGEST_ARMY_MIN,
        );
        let pairs = roads.iter().flat_map(|&road| {
            let armies = armies.iter();
            armies.map(move |&army| (road, army))
        });
        let pairs: Vec<_> = pairs.collect();
        let fits = |(road, army): &(Option<Seat>, Option<Seat>)| {
            Catan::SEATS.into_iter().all(|seat| {
                let titles = u8::from(*road == Some(seat)) + u8::from(*army == Some(seat));
                let points = at.player(seat).building_points() + 2 * titles;
                points == self.claims.points[seat.index()]
            })
        };
        let fitting: Vec<_> = pairs.iter().copied().filter(fits).collect();
        if fitting.len() > 1 {
            let message = "both players have equal roads and equal armies, and the points fit \
                           either owner: name the owners of both titles";
            self.undetermined(&["longest_road_owner"], message);
        }
        if let Some(&(road, army)) = fitting.first().or(pairs.first()) {
            (self.at.road_owner, self.at.army_owner) = (road, army);
        }
    }

    /// A finished match was won by points if a player has them; other endings leave no trace on
    /// the board.
    fn outcome(&mut self) {
        let at = &*self.at;
        if self.lacks(&["outcome"]) && at.phase == Phase::GameOver {
            let mover = at.mover();
            let won = at.points(mover) >= at.setup.vp_to_win;
            let capped = at.number == at.setup.max_turns;
            self.at.ending = Some(if won {
                Ending::Won(mover, Win::Points)
            } else if capped {
                Ending::TurnCap
            } else {
                let message = "the match is over without the points to win: state its outcome";
                self.undetermined(&["outcome"], message);
                Ending::Void(Departure::Cancel)
            });
        }
        if self.lacks(&["winner"]) {
            self.claims.winner = match self.at.ending {
                Some(Ending::Won(seat, _)) => Some(seat),
                _ => None,
            };
        }
    }

    fn rolled(&mut self) {
        if !self.lacks(&["turn", "rolled"]) {
            return;
        }
        let at = &*self.at;
        let by_card = at.robber_by_knight() || at.phase == Phase::RoadBuilding;
        let bought = count(&at.player(at.mover()).new_devs) > 0;
        let rolled = match at.phase {
            Phase::SetupSettlement | Phase::SetupRoad => Some(false),
            Phase::Roll => Some(at.dice_due()),
            _ if at.number <= 1 => Some(at.dice != [0, 0]),
            _ if by_card && !bought => None,
            // Nothing depends on it after the end.
            _ => Some(true),
        };
        if rolled.is_none() {
            let message = "a development card may be played before or after the dice: state it";
            self.undetermined(&["turn", "rolled"], message);
        }
        self.at.rolled = rolled.unwrap_or(true);
    }

    fn dev_card_played(&mut self) {
        if !self.lacks(&["turn", "dev_card_played"]) {
            return;
        }
        let at = &*self.at;
        let mover = at.player(at.mover());
        let by_theft = at.chance == Some(Due::Theft)
            && (at.phase == Phase::Roll || at.dice[0] + at.dice[1] != 7);
        let by_card = at.robber_by_knight() || at.phase == Phase::RoadBuilding || by_theft;
        // Without a card that may be played this turn, nothing depends on it.
        let idle = count(&mover.devs) == mover.devs[Dev::VictoryPoint as usize];
        let never = count(&mover.played) == 0;
        if !by_card && !never && !idle && at.ending.is_none() {
            let message = "the player has played cards and holds a playable one: state \
                           whether one was played in this turn";
            self.undetermined(&["turn", "dev_card_played"], message);
        }
        self.at.dev_played = by_card;
    }

    fn free_roads(&mut self) {
        if self.at.phase != Phase::RoadBuilding || !self.lacks(&["turn", "free_roads"]) {
            return;
        }
        let roads = self.at.player(self.at.mover()).roads.count_ones();
        if roads + 1 < ROADS_MAX {
            let message = "one or two free roads may be due: state how many";
            self.undetermined(&["turn", "free_roads"], message);
        }
        self.at.free_roads = 1;
    }

    /// Player 0 discards first. A hand can still be too large after its discard, so two large
    /// hands do not show whether player 0 has discarded.
    fn discards(&mut self) {
        if self.at.phase != Phase::Discard || !self.lacks(&["pending_discards"]) {
            return;
        }
        let at = &mut *self.at;
        at.discards = at.players.map(|player| {
            let total = at.setup.discards(count(&player.hand));
            Discard { total, left: total }
        });
        if at.discards.iter().all(|due| due.left > 0) {
            let message = "both hands are too large: state who still has to discard";
            self.undetermined(&["pending_discards"], message);
        }
    }
}

/// The possible owners of a title.
fn candidates(sizes: [u8; 2], least: u8) -> Vec<Option<Seat>> {
    let [first, second] = sizes;
    if first.max(second) < least {
        vec![None]
    } else if first > second {
        vec![Some(Seat::FIRST)]
    } else if second > first {
        vec![Some(Seat::SECOND)]
    } else {
        vec![Some(Seat::FIRST), Some(Seat::SECOND)]
    }
}
