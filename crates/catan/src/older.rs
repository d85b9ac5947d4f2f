//! Fields that documents of version 0.1 leave out.
//!
//! A field is filled in if the rest of the document determines it, or if no later decision depends
//! on it. Any other field is reported as undetermined.

use kernel::doc::{Faults, Node};
use kernel::json::{self, Json};
use kernel::{Departure, Seat};

use crate::board::Board;
use crate::card::count;
use crate::setup::{BoardKind, RawSetup, VariantSnapshot};
use crate::snapshot::Snapshot;
use crate::state::{Discard, Due, Player, ROADS_MAX, Win};
use crate::topology::NONE;
use crate::{Catan, Dev, Ending, Phase};

/// Fields that version 0.1 leaves out, with neutral values.
const NEUTRAL: &str = r#"{
    "largest_army_owner": null, "longest_road_owner": null, "outcome": null,
    "pending_discards": [], "pending_trade": null, "winner": null,
    "turn": {"dev_card_played": false, "free_roads": 0, "offers_made": 0, "rolled": false,
             "setup": null}
}"#;

/// A document of version 0.1 with a neutral value in place of each field that it leaves out; `None`
/// for later versions.
pub(crate) fn filled(node: &Node<'_>) -> Option<Json> {
    let version = node.field("schema_version");
    let version = version.json().and_then(Json::as_text)?;
    let mut document = node.json().filter(|_| version.starts_with("0.1."))?.clone();
    fill(&mut document, &json::read(NEUTRAL.as_bytes()).ok()?);
    let variant = json::from_value(&VariantSnapshot::of(&RawSetup::default())).ok()?;
    fill(&mut document, &Json::object([("variant", variant)]));
    Some(document)
}

fn fill(document: &mut Json, neutral: &Json) {
    let (Json::Object(fields), Json::Object(neutral)) = (document, neutral) else {
        return;
    };
    for (key, value) in neutral {
        match fields.get_mut(key) {
            Some(field) => fill(field, value),
            // A missing object is reported as a whole.
            None if matches!(value, Json::Object(_)) => {}
            None => drop(fields.insert(key.clone(), value.clone())),
        }
    }
}

/// Fills in the fields that a document of version 0.1 leaves out; `at` holds everything it states.
/// An undetermined field takes a value that contradicts nothing else, so that the later checks
/// report only true contradictions.
pub(crate) fn complete(at: &mut Catan, read: &Snapshot, node: &Node<'_>, faults: &mut Faults) {
    let lacks = |key: &str| !node.field(key).exists();
    let owners = [lacks("longest_road_owner"), lacks("largest_army_owner")];
    let points = read.players.each_ref().map(|it| it.victory_points);
    if let Some(question) = titles(at, owners, points) {
        let place = node.field("longest_road_owner");
        faults.at(&place, "undetermined", question);
    }
    for (path, fill) in FIELDS {
        let place = path.iter().fold(*node, |node, key| node.field(key));
        if !place.exists()
            && let Some(question) = fill(at)
        {
            faults.at(&place, "undetermined", question);
        }
    }
}

/// Fills in a field. Returns the question that the document leaves open, if there is one.
type Fill = fn(&mut Catan) -> Option<&'static str>;

const FIELDS: [(&[&str], Fill); 8] = [
    (&["variant", "board"], board),
    (&["turn", "setup"], setup),
    (&["pending_chance"], deal),
    (&["outcome"], outcome),
    (&["turn", "rolled"], rolled),
    (&["turn", "dev_card_played"], dev_card_played),
    (&["turn", "free_roads"], free_roads),
    (&["pending_discards"], discards),
];

/// The larger road and army own the titles. Between equal ones the points decide.
fn titles(at: &mut Catan, lacking: [bool; 2], points: [u8; 2]) -> Option<&'static str> {
    let owners = [None, Some(Seat::FIRST), Some(Seat::SECOND)];
    let pairs = owners
        .iter()
        .flat_map(|&road| owners.map(|army| (road, army)));
    let [no_road, no_army] = lacking;
    let mut possible: Vec<(Option<Seat>, Option<Seat>)> = pairs.collect();
    possible.retain(|&(road, army)| match no_road {
        true => at.may_own_road(road),
        false => road == at.road_owner,
    } && match no_army {
        true => at.may_own_army(army),
        false => army == at.army_owner,
    });
    let fits = |(road, army): &&(Option<Seat>, Option<Seat>)| {
        Catan::SEATS.into_iter().all(|seat| {
            let titles = u8::from(*road == Some(seat)) + u8::from(*army == Some(seat));
            at.player(seat).building_points() + 2 * titles == points[seat.index()]
        })
    };
    let fitting: Vec<_> = possible.iter().filter(fits).collect();
    let open = fitting.len() > 1;
    if let Some(owners) = fitting.first().copied().or(possible.first()) {
        (at.road_owner, at.army_owner) = *owners;
    }
    open.then_some(
        "both players have equal roads and equal armies, and the points fit either owner: name \
         the owners of both titles",
    )
}

/// A board that differs from the reference board was random.
fn board(at: &mut Catan) -> Option<&'static str> {
    if at.board != Board::reference() {
        at.setup.0.board = BoardKind::Random;
    }
    None
}

/// The pieces on the board give the number of placements. The settlement whose road comes next is
/// the only one without a road.
fn setup(at: &mut Catan) -> Option<&'static str> {
    let begun = match at.phase {
        Phase::SetupSettlement | Phase::SetupRoad => true,
        Phase::GameOver => at.number == 0,
        _ => false,
    };
    if begun {
        let pieces = |it: &Player| it.settlements.count_ones() + it.roads.count_ones();
        let n_placed: u32 = at.players.iter().map(pieces).sum();
        at.n_placed = n_placed.min(8) as u8;
        let player = at.player(at.mover());
        let bare = player.settlements & !player.reach;
        at.last_vertex = match bare.count_ones() {
            1 => bare.trailing_zeros() as u8,
            _ => NONE,
        };
    }
    None
}

fn deal(at: &mut Catan) -> Option<&'static str> {
    if at.n_deck == 0 && at.phase == Phase::SetupSettlement && at.n_placed == 0 {
        at.chance = Some(Due::Deal);
    }
    None
}

/// A finished match was won by points if a player has them; other endings leave no trace on the
/// board.
fn outcome(at: &mut Catan) -> Option<&'static str> {
    let mover = at.mover();
    let ending = match at.phase {
        Phase::GameOver if at.points(mover) >= at.setup.vp_to_win => {
            Some(Ending::Won(mover, Win::Points))
        }
        Phase::GameOver if at.number == at.setup.max_turns => Some(Ending::TurnCap),
        Phase::GameOver => None,
        _ => return None,
    };
    at.ending = ending.or(Some(Ending::Void(Departure::Cancel)));
    let question = "the match is over without the points to win: state its outcome";
    ending.is_none().then_some(question)
}

fn rolled(at: &mut Catan) -> Option<&'static str> {
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
    at.rolled = rolled.unwrap_or(true);
    let question = "a development card may be played before or after the dice: state it";
    rolled.is_none().then_some(question)
}

fn dev_card_played(at: &mut Catan) -> Option<&'static str> {
    let mover = at.player(at.mover());
    let by_theft =
        at.chance == Some(Due::Theft) && (at.phase == Phase::Roll || at.dice[0] + at.dice[1] != 7);
    let by_card = at.robber_by_knight() || at.phase == Phase::RoadBuilding || by_theft;
    // Without a card that may be played this turn, nothing depends on it.
    let idle = count(&mover.devs) == mover.devs[Dev::VictoryPoint as usize];
    let open = !by_card && count(&mover.played) > 0 && !idle && at.ending.is_none();
    at.dev_played = by_card;
    open.then_some(
        "the player has played cards and holds a playable one: state whether one was played in \
         this turn",
    )
}

fn free_roads(at: &mut Catan) -> Option<&'static str> {
    if at.phase != Phase::RoadBuilding {
        return None;
    }
    at.free_roads = 1;
    let open = at.player(at.mover()).roads.count_ones() + 1 < ROADS_MAX;
    open.then_some("one or two free roads may be due: state how many")
}

/// Player 0 discards first. A hand can still be too large after its discard, so two large hands do
/// not show whether player 0 has discarded.
fn discards(at: &mut Catan) -> Option<&'static str> {
    if at.phase != Phase::Discard {
        return None;
    }
    at.discards = at.players.map(|player| {
        let total = at.setup.discards(count(&player.hand));
        Discard { total, left: total }
    });
    let open = at.discards.iter().all(|due| due.left > 0);
    open.then_some("both hands are too large: state who still has to discard")
}
