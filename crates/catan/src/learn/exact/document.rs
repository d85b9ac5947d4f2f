//! Conversion between `aux`, the tensors and a snapshot document.

use crate::topology::{N_EDGES, N_TILES, N_VERTICES, PORT_EDGES};
use crate::{N_DEVS, N_RESOURCES};
use kernel::Seat;
use kernel::doc::{Fault, Faults};
use kernel::json::Json;

use super::{
    AUX_LEN, DEVS, DUES, LANDS, META_UNITS, NONE, PHASES, PORTS, REASONS, RESOURCES, at, block,
    block_mut, meta,
};

const BOARDS: [&str; 2] = ["reference", "random"];
const DICE: [&str; 2] = ["uniform", "bag36"];
const DISCARDS: [&str; 2] = ["half_floor", "to_threshold"];
const SWITCH: [&str; 2] = ["on", "off"];

/// Writes the parts of a snapshot that the tensors leave out.
pub(super) fn write_aux(snapshot: &Json, seat: Seat, aux: &mut [u8; AUX_LEN]) {
    let look = |pointer: &str| snapshot.pointer(pointer).unwrap_or(&Json::Null);
    let number = |pointer: &str| byte(look(pointer));
    for (idx, kind) in items(look("/board/ports")).enumerate() {
        block_mut(aux, "ports")[idx] = name_idx(kind.get("type"), &PORTS);
    }
    let has_robber = |tile: &Json| tile.get("has_robber").and_then(Json::as_bool) == Some(true);
    let robber = items(look("/board/tiles")).position(has_robber);
    let mut put = |name: &str, values: &[u8]| block_mut(aux, name).copy_from_slice(values);
    put("robber", &[robber.map_or(NONE, |tile| tile as u8)]);
    put("current_player", &[number("/turn/current_player")]);
    let roll = look("/turn/dice/last_roll");
    let die = |idx: usize| roll.as_list().map_or(0, |dice| byte(&dice[idx]));
    put("dice", &[die(0), die(1)]);
    put("robber_triggered", &[number("/turn/dice/robber_triggered")]);
    put("rolled", &[number("/turn/rolled")]);
    put("dev_card_played", &[number("/turn/dev_card_played")]);
    put("free_roads", &[number("/turn/free_roads")]);
    put("offers_made", &[number("/turn/offers_made")]);
    put("turn_number", &word(look("/turn/number")));
    let setup = look("/turn/setup");
    put("setup_round", &[setup.get("round").map_or(0, byte)]);
    let vertex = setup.get("last_vertex").filter(|it| !it.is_null());
    put("setup_vertex", &[vertex.map_or(NONE, byte)]);
    let due = snapshot.get("pending_chance");
    put("pending_chance", &[name_idx(due, &DUES)]);
    put("pending_discards", &discards(look("/pending_discards")));
    let trade = look("/pending_trade");
    let sides = ["offer", "request"].map(|key| {
        let cards = trade.get(key);
        RESOURCES.map(|kind| cards.and_then(|it| it.get(kind)).map_or(0, byte))
    });
    put("pending_trade", sides.as_flattened());
    put("bag", &bag(look("/turn/dice/bag")));
    let counts = |field: &str| {
        let player = |idx: usize| look(&format!("/players/{idx}/{field}")).clone();
        [player(0), player(1)].map(|cards| DEVS.map(|kind| cards.get(kind).map_or(0, byte)))
    };
    put("dev_cards", counts("dev_cards").as_flattened());
    put("new_dev_cards", counts("new_dev_cards").as_flattened());
    let played = counts("played_dev_cards").map(|[a, b, c, d, _]| [a, b, c, d]);
    put("played_dev_cards", played.as_flattened());
    put(
        "road_lengths",
        &[0, 1].map(|idx: usize| number(&format!("/players/{idx}/longest_road_len"))),
    );
    put("outcome", &outcome(look("/outcome"), look("/winner")));
    put("variant", &variant(look("/variant")));
    put("seat", &[seat.index() as u8]);
    let deck = block_mut(aux, "dev_deck");
    deck.fill(NONE);
    for (place, card) in deck.iter_mut().zip(items(look("/bank/dev_deck"))) {
        *place = name_idx(Some(card), &DEVS);
    }
}

/// Builds the snapshot document of a position from both halves.
pub(super) fn position(
    numbers: &[i16],
    aux: &[u8; AUX_LEN],
    names: [&str; 2],
    faults: &mut Faults,
) -> Option<Json> {
    let values = &numbers[at::METADATA..at::END];
    let phase = values[meta::PHASE] / META_UNITS[meta::PHASE];
    let phase = named(
        &PHASES,
        phase.try_into().ok(),
        "/observation/metadata",
        faults,
    );
    let owner = |idx: usize| match values[idx] {
        value if value < 0 => Json::Null,
        value => int(value / META_UNITS[idx]),
    };
    let deck = block(aux, "dev_deck")
        .iter()
        .take_while(|&&card| card != NONE);
    let mut deck_names = Vec::new();
    for &card in deck {
        deck_names.push(named(&DEVS, Some(card), "/aux/dev_deck", faults)?);
    }
    if int(values[meta::DECK_LEFT] / META_UNITS[meta::DECK_LEFT])
        != Json::Int(deck_names.len() as i128)
    {
        let message = "the observation and aux have different decks";
        faults.push(Fault::new("/observation/metadata", "disagrees", message));
    }
    let (outcome, winner) = outcome_of(aux, faults)?;
    let mut document = vec![
        (
            "bank",
            Json::object([
                ("dev_deck", Json::List(deck_names)),
                ("resources", resources(&numbers[at::BANK..at::METADATA])),
            ]),
        ),
        ("board", board(numbers, aux, faults)?),
        ("discard_pile", Json::object([("dev_cards", pile(aux))])),
        ("largest_army_owner", owner(meta::ARMY_OWNER)),
        ("longest_road_owner", owner(meta::ROAD_OWNER)),
        ("outcome", outcome),
        ("pending_discards", pending_discards(aux)),
        ("pending_trade", pending_trade(aux)),
        (
            "players",
            Json::List(vec![
                player(numbers, aux, 0, names[0]),
                player(numbers, aux, 1, names[1]),
            ]),
        ),
        ("turn", turn(aux, phase?)),
        ("variant", variant_of(aux, faults)?),
        ("winner", winner),
    ];
    match block(aux, "pending_chance")[0] {
        NONE => {}
        due => document.push((
            "pending_chance",
            named(&DUES, Some(due), "/aux/pending_chance", faults)?,
        )),
    }
    let own = |(key, value): (&str, Json)| (key.to_owned(), value);
    Some(Json::Object(document.into_iter().map(own).collect()))
}

fn board(numbers: &[i16], aux: &[u8; AUX_LEN], faults: &mut Faults) -> Option<Json> {
    let robber = usize::from(block(aux, "robber")[0]);
    let tile = |idx: usize| {
        let row = &numbers[idx * 6..idx * 6 + 6];
        let land = row[..5].iter().position(|&value| value > 0).unwrap_or(5);
        Json::object([
            ("has_robber", Json::Bool(idx == robber)),
            (
                "pip_number",
                if row[5] > 0 { int(row[5]) } else { Json::Null },
            ),
            ("resource", Json::Text(LANDS[land].to_owned())),
            ("tile_id", Json::Int(idx as i128)),
        ])
    };
    let mut ports = Vec::new();
    for (idx, &kind) in block(aux, "ports").iter().enumerate() {
        ports.push(Json::object([
            ("edge_id", Json::Int(PORT_EDGES[idx].into())),
            ("port_id", Json::Int(idx as i128)),
            ("type", named(&PORTS, Some(kind), "/aux/ports", faults)?),
        ]));
    }
    Some(Json::object([
        ("ports", Json::List(ports)),
        ("tiles", Json::List((0..N_TILES).map(tile).collect())),
    ]))
}

fn player(numbers: &[i16], aux: &[u8; AUX_LEN], idx: usize, name: &str) -> Json {
    let seat = idx as i16;
    let of_value = |from: usize, n: usize, value: i16| {
        let all = numbers[from..from + n].iter().enumerate();
        let own = all.filter(|(_, found)| **found == value);
        Json::List(own.map(|(id, _)| Json::Int(id as i128)).collect())
    };
    let cards = |name: &str| &block(aux, name)[idx * N_DEVS..(idx + 1) * N_DEVS];
    let (devs, new) = (cards("dev_cards"), cards("new_dev_cards"));
    let n_played = N_DEVS - 1;
    let played = &block(aux, "played_dev_cards")[idx * n_played..(idx + 1) * n_played];
    let hidden = devs[N_DEVS - 1].saturating_add(new[N_DEVS - 1]);
    let list = |value: Json| value.as_list().map_or(0, <[Json]>::len);
    let settlements = of_value(at::SITES, N_VERTICES, seat);
    let cities = of_value(at::SITES, N_VERTICES, seat + 2);
    let titles = [meta::ROAD_OWNER, meta::ARMY_OWNER].into_iter();
    let owned = |idx: &usize| numbers[at::METADATA + idx] == seat * META_UNITS[*idx];
    let points =
        list(settlements.clone()) + 2 * list(cities.clone()) + 2 * titles.filter(owned).count();
    Json::object([
        ("cities", cities),
        ("dev_cards", dev_counts(devs)),
        ("hidden_victory_points", Json::Int(hidden.into())),
        ("largest_army_size", Json::Int(played[0].into())),
        (
            "longest_road_len",
            Json::Int(block(aux, "road_lengths")[idx].into()),
        ),
        ("name", Json::Text(name.to_owned())),
        ("new_dev_cards", dev_counts(new)),
        ("played_dev_cards", dev_counts(played)),
        ("player_id", Json::Int(idx as i128)),
        (
            "resources",
            resources(&numbers[at::HANDS + idx * N_RESOURCES..][..N_RESOURCES]),
        ),
        ("roads", of_value(at::ROADS, N_EDGES, seat)),
        ("settlements", settlements),
        ("victory_points", Json::Int(points as i128)),
    ])
}

fn turn(aux: &[u8; AUX_LEN], phase: Json) -> Json {
    let number = |name: &str| Json::Int(block(aux, name)[0].into());
    let flag = |name: &str| Json::Bool(block(aux, name)[0] != 0);
    let dice = block(aux, "dice");
    let last_roll = match dice {
        [0, 0] => Json::Null,
        dice => Json::List(dice.iter().map(|&die| Json::Int(die.into())).collect()),
    };
    let mut throws = vec![
        ("last_roll", last_roll),
        ("robber_triggered", flag("robber_triggered")),
    ];
    if block(aux, "variant")[1] == 1 {
        throws.push(("bag", bag_of(block(aux, "bag"))));
    }
    let own = |(key, value): (&str, Json)| (key.to_owned(), value);
    let turn = block(aux, "turn_number");
    let vertex = block(aux, "setup_vertex")[0];
    let setup = match block(aux, "setup_round")[0] {
        0 => Json::Null,
        round => Json::object([
            (
                "last_vertex",
                if vertex == NONE {
                    Json::Null
                } else {
                    Json::Int(vertex.into())
                },
            ),
            ("round", Json::Int(round.into())),
        ]),
    };
    Json::object([
        ("current_player", number("current_player")),
        ("dev_card_played", flag("dev_card_played")),
        ("dice", Json::Object(throws.into_iter().map(own).collect())),
        ("free_roads", number("free_roads")),
        (
            "number",
            Json::Int(u16::from_be_bytes([turn[0], turn[1]]).into()),
        ),
        ("offers_made", number("offers_made")),
        ("phase", phase),
        ("rolled", flag("rolled")),
        ("setup", setup),
    ])
}

fn pending_discards(aux: &[u8; AUX_LEN]) -> Json {
    let each = block(aux, "pending_discards").chunks_exact(2).enumerate();
    let due = each.filter(|(_, due)| due[0] > 0).map(|(idx, due)| {
        Json::object([
            ("left", Json::Int(due[0].into())),
            ("player_id", Json::Int(idx as i128)),
            ("total", Json::Int(due[1].into())),
        ])
    });
    Json::List(due.collect())
}

fn pending_trade(aux: &[u8; AUX_LEN]) -> Json {
    let trade = block(aux, "pending_trade");
    if trade.iter().all(|&n| n == 0) {
        return Json::Null;
    }
    let cards: Vec<i16> = trade.iter().map(|&n| n.into()).collect();
    let (offer, request) = cards.split_at(N_RESOURCES);
    let proposer = block(aux, "current_player")[0];
    Json::object([
        ("offer", resources(offer)),
        ("partner", Json::Int(1 - i128::from(proposer))),
        ("proposer", Json::Int(proposer.into())),
        ("request", resources(request)),
    ])
}

fn pile(aux: &[u8; AUX_LEN]) -> Json {
    let played = block(aux, "played_dev_cards");
    let n = N_DEVS - 1;
    let mut names = Vec::new();
    for kind in 0..n {
        let n_cards = usize::from(played[kind]) + usize::from(played[n + kind]);
        names.extend(vec![Json::Text(DEVS[kind].to_owned()); n_cards]);
    }
    Json::List(names)
}

fn outcome_of(aux: &[u8; AUX_LEN], faults: &mut Faults) -> Option<(Json, Json)> {
    let (reason, winner) = (block(aux, "outcome")[0], block(aux, "outcome")[1]);
    if reason == NONE {
        return Some((Json::Null, Json::Null));
    }
    let Some((reason, result, truncated)) = REASONS.get(usize::from(reason)) else {
        let message = format!("there is no reason {reason}");
        faults.push(Fault::new("/aux/outcome", "unknown_value", message));
        return None;
    };
    let winner = Some(winner)
        .filter(|&winner| winner != NONE)
        .map(|winner| Json::Int(winner.into()));
    let outcome = Json::object([
        ("reason", Json::Text((*reason).to_owned())),
        ("result", Json::Text((*result).to_owned())),
        ("truncated", Json::Bool(*truncated)),
        ("winners", Json::List(winner.clone().into_iter().collect())),
    ]);
    Some((outcome, winner.unwrap_or(Json::Null)))
}

fn variant_of(aux: &[u8; AUX_LEN], faults: &mut Faults) -> Option<Json> {
    let values = block(aux, "variant");
    let mut choice =
        |names: &[&str], idx: usize| named(names, Some(values[idx]), "/aux/variant", faults);
    let mut variant = Json::object([
        ("board", choice(&BOARDS, 0)?),
        ("dice", choice(&DICE, 1)?),
        ("discard_rule", choice(&DISCARDS, 2)?),
        ("discard_threshold", Json::Int(values[3].into())),
        ("friendly_robber", Json::Bool(values[4] & 1 != 0)),
        (
            "max_turns",
            Json::Int(u16::from_be_bytes([values[5], values[6]]).into()),
        ),
        ("player_trades", choice(&SWITCH, 7)?),
        ("trades_per_turn", Json::Int(values[8].into())),
        ("vp_to_win", Json::Int(values[9].into())),
    ]);
    if let (Json::Object(fields), true) = (&mut variant, values[4] & 2 != 0) {
        fields.insert("test".to_owned(), Json::Bool(true));
    }
    Some(variant)
}

fn variant(variant: &Json) -> [u8; 10] {
    let field = |key: &str| variant.get(key).unwrap_or(&Json::Null);
    let [high, low] = word(field("max_turns"));
    [
        name_idx(variant.get("board"), &BOARDS),
        name_idx(variant.get("dice"), &DICE),
        name_idx(variant.get("discard_rule"), &DISCARDS),
        byte(field("discard_threshold")),
        byte(field("friendly_robber")) | byte(field("test")) << 1,
        high,
        low,
        name_idx(variant.get("player_trades"), &SWITCH),
        byte(field("trades_per_turn")),
        byte(field("vp_to_win")),
    ]
}

fn outcome(outcome: &Json, winner: &Json) -> [u8; 2] {
    let text = |key: &str| outcome.get(key).and_then(Json::as_text);
    let is_it = |(reason, result, _): &(&str, &str, bool)| {
        text("reason") == Some(reason) && text("result") == Some(result)
    };
    let reason = REASONS.iter().position(is_it);
    let winner = if winner.is_null() { NONE } else { byte(winner) };
    [reason.map_or(NONE, |idx| idx as u8), winner]
}

fn discards(due: &Json) -> [u8; 4] {
    let mut out = [0; 4];
    for due in items(due) {
        let field = |key: &str| due.get(key).map_or(0, byte);
        let first = 2 * usize::from(field("player_id") & 1);
        out[first] = field("left");
        out[first + 1] = field("total");
    }
    out
}

fn bag(throws: &Json) -> [u8; 5] {
    let mut bits = 0u64;
    for throw in items(throws) {
        let die = |idx: usize| throw.as_list().map_or(1, |dice| byte(&dice[idx]));
        let outcome = u32::from(die(0).max(1) - 1) * 6 + u32::from(die(1).max(1) - 1);
        bits |= 1 << outcome;
    }
    let [a, b, c, d, e, ..] = bits.to_le_bytes();
    [a, b, c, d, e]
}

fn bag_of(bytes: &[u8]) -> Json {
    let mut throws = Vec::new();
    for outcome in (0..36).filter(|outcome| bytes[outcome / 8] >> (outcome % 8) & 1 == 1) {
        let faces = [outcome / 6 + 1, outcome % 6 + 1];
        throws.push(Json::List(
            faces.map(|face| Json::Int(face as i128)).to_vec(),
        ));
    }
    Json::List(throws)
}

fn resources(cards: &[i16]) -> Json {
    let pairs = RESOURCES.iter().zip(cards);
    Json::Object(
        pairs
            .map(|(name, &n)| ((*name).to_owned(), int(n)))
            .collect(),
    )
}

fn dev_counts(cards: &[u8]) -> Json {
    let pairs = DEVS.iter().zip(cards);
    let entry = |(name, &n): (&&str, &u8)| ((*name).to_owned(), Json::Int(n.into()));
    Json::Object(pairs.map(entry).collect())
}

fn named(names: &[&str], idx: Option<u8>, place: &str, faults: &mut Faults) -> Option<Json> {
    let name = idx.and_then(|idx| names.get(usize::from(idx)));
    if name.is_none() {
        let message = format!("expected the index of one of {}", names.join(", "));
        faults.push(Fault::new(place, "unknown_value", message));
    }
    name.map(|name| Json::Text((*name).to_owned()))
}

fn int(value: i16) -> Json {
    Json::Int(value.into())
}

fn items(list: &Json) -> std::slice::Iter<'_, Json> {
    list.as_list().unwrap_or_default().iter()
}

/// A small integer or a flag.
fn byte(value: &Json) -> u8 {
    match value {
        Json::Bool(flag) => u8::from(*flag),
        Json::Int(int) => (*int).clamp(0, 255) as u8,
        _ => 0,
    }
}

fn word(value: &Json) -> [u8; 2] {
    let int = value.as_int().unwrap_or(0).clamp(0, 65_535);
    (int as u16).to_be_bytes()
}

fn name_idx(name: Option<&Json>, names: &[&str]) -> u8 {
    let text = name.and_then(Json::as_text);
    let idx = names.iter().position(|name| text == Some(name));
    idx.map_or(NONE, |idx| idx as u8)
}
