//! Pieces on the map as text. Items are separated by `;`:
//!
//! - `blue owns 0..3`: systems 0, 1 and 2 belong to blue;
//! - `red fleet 5: cruiser frigate*2`: a new fleet in orbit of system 5. `troop_transport+` carries
//!   an army;
//! - `red army 5.0`: a new army on body 0 of system 5;
//! - anything else is an edit in the notation of positions, such as `turn=5`.

use std::collections::BTreeSet;

use kernel::Recorded;
use kernel::doc::Listed;
use kernel::json::{self, Json};
use stellar::Stellar;
use stellar::constants::{ARMY_STRENGTH, MORALE_FULL, ShipKind};

/// The edits that leave only these pieces on the map of `base`.
pub(crate) fn only(base: &Stellar, pieces: &str) -> String {
    let n_systems = base.galaxy().n_systems();
    let board = Board {
        owners: vec![Json::Null; n_systems],
        fleets: Vec::new(),
        armies: Vec::new(),
    };
    board.with(pieces)
}

/// The edits that add these pieces to the position `base`.
pub(crate) fn more(base: &Stellar, pieces: &str) -> String {
    let document = json::from_value(&base.snapshot()).unwrap();
    let list = |key: &str| document.get(key).and_then(Json::as_list).unwrap().to_vec();
    let board = Board {
        owners: list("owners"),
        fleets: list("fleets"),
        armies: list("armies"),
    };
    board.with(pieces)
}

struct Board {
    owners: Vec<Json>,
    fleets: Vec<Json>,
    armies: Vec<Json>,
}

impl Board {
    fn with(mut self, pieces: &str) -> String {
        let mut edits = String::new();
        for item in pieces.split(';').map(str::trim) {
            let mut words = item.splitn(3, ' ');
            let seat = words.next().and_then(faction);
            match (seat, words.next(), words.next()) {
                (Some(seat), Some("owns"), Some(range)) => self.own(seat, range),
                (Some(seat), Some("fleet"), Some(fleet)) => self.fleet(seat, fleet),
                (Some(seat), Some("army"), Some(post)) => {
                    let (system, body) = post.split_once('.').unwrap();
                    self.army(seat, int(system), int(body));
                }
                _ => edits.extend([" ", item]),
            }
        }
        let key = |piece: &Json| (number(piece, "owner"), number(piece, "rank"));
        self.fleets.sort_by_key(key);
        self.armies.sort_by_key(key);
        let alive = Json::List(self.alive());
        let [owners, fleets, armies] = [self.owners, self.fleets, self.armies].map(Json::List);
        format!("owners={owners} fleets={fleets} armies={armies} alive={alive}{edits}")
    }

    fn own(&mut self, seat: i128, range: &str) {
        let (first, end) = range.split_once("..").unwrap();
        let (first, end): (usize, usize) = (first.parse().unwrap(), end.parse().unwrap());
        self.owners[first..end].fill(Json::Int(seat));
    }

    fn fleet(&mut self, seat: i128, text: &str) {
        let (system, ships) = text.split_once(": ").unwrap();
        let own = self.fleets.iter().filter(|it| number(it, "owner") == seat);
        let (rank, mut n_ships) = (own.clone().count() as i128, 0);
        n_ships += own
            .map(|it| it.get("ships").and_then(Json::as_list).unwrap().len() as i128)
            .sum::<i128>();
        let mut listed = Vec::new();
        for word in ships.split_whitespace() {
            let (word, n_times) = word.split_once('*').unwrap_or((word, "1"));
            for _ in 0..n_times.parse().unwrap() {
                let army = word.ends_with('+').then(|| {
                    self.army(seat, Json::Null, Json::Null);
                    self.n_armies(seat) - 1
                });
                listed.push(ship(word.trim_end_matches('+'), n_ships, army));
                n_ships += 1;
            }
        }
        self.fleets.push(Json::object([
            ("at", Json::Null),
            ("breaks_off", Json::Bool(false)),
            ("mission", Json::texts(["none"])),
            ("order", Json::Null),
            ("owner", Json::Int(seat)),
            ("rank", Json::Int(rank)),
            ("retreat", Json::Int(0)),
            ("retreat_next", Json::Null),
            ("ships", Json::List(listed)),
            ("system", int(system)),
        ]));
    }

    fn army(&mut self, seat: i128, system: Json, body: Json) {
        let rank = self.n_armies(seat);
        self.armies.push(Json::object([
            ("body", body),
            ("morale", Json::Int(MORALE_FULL.into())),
            ("owner", Json::Int(seat)),
            ("rank", Json::Int(rank)),
            ("strength", Json::Int(ARMY_STRENGTH.into())),
            ("system", system),
        ]));
    }

    fn n_armies(&self, seat: i128) -> i128 {
        let own = self.armies.iter().filter(|it| number(it, "owner") == seat);
        own.count() as i128
    }

    /// The factions with a system or a fleet.
    fn alive(&self) -> Vec<Json> {
        let owners = self.owners.iter().filter_map(Json::as_int);
        let fleets = self.fleets.iter().map(|it| number(it, "owner"));
        let seats: BTreeSet<i128> = owners.chain(fleets).collect();
        seats.into_iter().map(Json::Int).collect()
    }
}

fn ship(kind: &str, rank: i128, army: Option<i128>) -> Json {
    let kinds = ShipKind::LIST.iter();
    let kind = kinds.copied().find(|it| it.to_string() == kind).unwrap();
    let class = kind.class();
    Json::object([
        ("army", army.map_or(Json::Null, Json::Int)),
        ("fuel", Json::Int(class.tank.into())),
        ("hull", Json::Int(class.hull.into())),
        ("interceptors", Json::Int(class.interceptors.into())),
        ("kind", Json::Text(kind.to_string())),
        ("leaves", Json::Bool(false)),
        ("missiles", Json::Int(class.missiles.0.into())),
        ("rank", Json::Int(rank)),
        ("torpedoes", Json::Int(class.torpedoes.0.into())),
    ])
}

fn faction(name: &str) -> Option<i128> {
    let idx = ["blue", "red", "green"].iter().position(|it| *it == name);
    idx.map(|idx| idx as i128)
}

fn int(text: &str) -> Json {
    Json::Int(text.parse().unwrap())
}

fn number(piece: &Json, key: &str) -> i128 {
    piece.get(key).and_then(Json::as_int).unwrap()
}
