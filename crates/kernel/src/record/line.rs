//! One action of a record.

use schemars::JsonSchema;
use serde::Serialize;

use super::SCHEMA_VERSION;
use super::header::read_hash;
use crate::doc::{Document, Faults, Node};
use crate::json::{Hash, Json};
use crate::{Departure, GameId, Seat, SeatSet, Timestamp, Version};

/// The type of a line that chance leads, as when the first position waits for it.
pub const CHANCE: &str = "CHANCE";
/// The type of a line for time that ran out.
pub const DEADLINE: &str = "DEADLINE";
/// The type of a line for seats that left.
pub const LEAVE: &str = "LEAVE";

/// One action: a seat's decision, chance, the clock or a departure, with the chance that
/// it brought about.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ActionLine {
    /// From 1, rising by one.
    pub action_id: u32,
    /// Which match it is.
    pub game_id: GameId,
    /// What belongs to the type.
    pub payload: Json,
    /// Who decided; nobody for chance and clock, nor when several seats left at once.
    pub player_id: Option<Seat>,
    /// What came of it.
    pub result: ActionResult,
    /// The version of the record's format.
    pub schema_version: String,
    /// When it was accepted.
    pub timestamp_utc: Timestamp,
    /// The turn in which it was accepted.
    pub turn_number: u32,
    /// The game's type of the action, or one of the extension types `CHANCE`, `DEADLINE` and
    /// `LEAVE`, which every game has. A reader of the game's own types skips lines of these: they
    /// hold no action of the game.
    #[serde(rename = "type")]
    pub kind: String,
}

/// What came of an action.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ActionResult {
    /// How the chance that the action brought about came out, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Json>,
    /// The names of the events, in order.
    pub events: Vec<String>,
    /// The hash of the snapshot after it.
    pub state_hash: Hash,
}

impl ActionLine {
    const FIELDS: [&'static str; 9] = [
        "action_id",
        "game_id",
        "payload",
        "player_id",
        "result",
        "schema_version",
        "timestamp_utc",
        "turn_number",
        "type",
    ];
}

impl Document for ActionLine {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<ActionLine> {
        node.only_fields(&ActionLine::FIELDS, faults);
        let u32_max = i64::from(u32::MAX);
        let action_id = node.field("action_id").int_in(0..=u32_max, faults);
        let game_id = GameId::read(&node.field("game_id"), faults);
        let payload = node.field("payload").present(faults).cloned();
        let player_id = node
            .field("player_id")
            .null_or(faults, |node, faults| read_seat(node, faults));
        let result = ActionResult::read(&node.field("result"), faults);
        let schema = node.field("schema_version");
        let schema_version = Version::read_supported(&schema, SCHEMA_VERSION, faults);
        let timestamp_utc = read_timestamp(&node.field("timestamp_utc"), faults);
        let turn_number = node.field("turn_number").int_in(0..=u32_max, faults);
        let kind = node.field("type").text(faults).map(str::to_owned);
        Some(ActionLine {
            action_id: u32::try_from(action_id?).ok()?,
            game_id: game_id?,
            payload: payload?,
            player_id: player_id?,
            result: result?,
            schema_version: schema_version?.to_string(),
            timestamp_utc: timestamp_utc?,
            turn_number: u32::try_from(turn_number?).ok()?,
            kind: kind?,
        })
    }
}

impl Document for ActionResult {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<ActionResult> {
        node.only_fields(&["chance", "events", "state_hash"], faults);
        let chance = read_chance(&node.field("chance"), faults);
        let events = read_events(&node.field("events"), faults);
        let state_hash = read_hash(&node.field("state_hash"), faults);
        Some(ActionResult {
            chance: chance?,
            events: events?,
            state_hash: state_hash?,
        })
    }
}

fn read_chance(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Json>> {
    if !node.exists() {
        return Some(Vec::new());
    }
    let draws = node.list(faults)?;
    Some(
        draws
            .iter()
            .filter_map(|draw| draw.json().cloned())
            .collect(),
    )
}

fn read_events(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<String>> {
    let names = node.list(faults)?;
    names
        .iter()
        .map(|name| name.text(faults).map(str::to_owned))
        .collect()
}

fn read_timestamp(node: &Node<'_>, faults: &mut Faults) -> Option<Timestamp> {
    let time = node.text(faults)?.parse::<Timestamp>();
    time.map_err(|error| faults.at(node, "not_a_timestamp", error.to_string()))
        .ok()
}

pub(super) fn read_seat(node: &Node<'_>, faults: &mut Faults) -> Option<Seat> {
    let idx = node.int_in(0..=15, faults)?;
    Seat::new(usize::try_from(idx).ok()?)
}

/// The payload of a departure.
pub(super) fn leave_payload(seats: SeatSet, cause: Departure) -> Json {
    let ids = seats.iter().map(|seat| Json::Int(seat.index() as i128));
    Json::object([
        ("cause", Json::Text(cause.code().to_owned())),
        ("seats", Json::List(ids.collect())),
    ])
}

/// The inverse of [`leave_payload`].
pub(super) fn read_leave(node: &Node<'_>, faults: &mut Faults) -> Option<(SeatSet, Departure)> {
    node.only_fields(&["cause", "seats"], faults);
    let codes = Departure::ALL.map(Departure::code);
    let cause = node.field("cause").one_of(&codes, faults);
    let list = node.field("seats");
    let seats: Option<Vec<Seat>> = list
        .list(faults)?
        .iter()
        .map(|seat| read_seat(seat, faults))
        .collect();
    let seats = seats?;
    if !seats.is_sorted_by(|one, next| one < next) {
        faults.at(&list, "out_of_order", "expected each seat once, rising");
        return None;
    }
    Some((seats.into_iter().collect(), Departure::ALL[cause?]))
}
