//! From a document to a position: every value first, then how they fit together.

use kernel::doc::{Document, Faults, Node};
use kernel::{Seat, SeatSet, Table};

use crate::check;
use crate::constants::{FACTIONS_MAX, RETREAT_SHARES, ShipKind};
use crate::galaxy::SystemIdx;
use crate::setup::Setup;
use crate::snapshot::CAUSES;
use crate::space::Point;
use crate::state::{
    Army, Cause, Draft, Ending, Fleet, Hold, Mission, Order, Place, Post, Score, Ship, Stellar,
    Verb,
};

/// Reads a position; what cannot have come from play is refused.
pub(crate) fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Stellar> {
    let mut keys = vec![
        "alive", "armies", "battles", "done", "drafts", "end", "fleets", "fought", "holds",
        "owners", "present", "setup", "turn",
    ];
    keys.extend(Table::<Stellar>::KEYS);
    node.only_fields(&keys, faults);
    let setup = Setup::read(&node.field("setup"), faults);
    let alive = seats(&node.field("alive"), faults);
    let armies = list(&node.field("armies"), faults, army);
    let battles = list(&node.field("battles"), faults, system);
    let done = seats(&node.field("done"), faults);
    let drafts = list(&node.field("drafts"), faults, draft);
    let end = node.field("end").null_or(faults, ending);
    let fleets = list(&node.field("fleets"), faults, fleet);
    let fought = list(&node.field("fought"), faults, fought);
    let holds = read_holds(&node.field("holds"), setup.as_ref(), faults);
    let owners = list(&node.field("owners"), faults, |it, faults| {
        it.null_or(faults, seat)
    });
    let present = seats(&node.field("present"), faults);
    let turn = node.field("turn").int_in(1..=i64::from(i32::MAX), faults);
    let mut all = [Draft::Idle; FACTIONS_MAX];
    let (setup, given) = (setup?, drafts?);
    if given.len() != setup.world().n_seats() {
        let message = format!("expected a list of {}", setup.world().n_seats());
        faults.at(&node.field("drafts"), "wrong_length", message);
        return None;
    }
    all[..given.len()].copy_from_slice(&given);
    let at = Stellar {
        world: setup.world(),
        turn: turn? as u32,
        owners: owners?,
        fleets: fleets?,
        armies: armies?,
        holds: holds?,
        present: present?,
        alive: alive?,
        done: done?,
        drafts: all,
        battles: battles?,
        fought: fought?,
        end: end?,
    };
    let n_faults = faults.len();
    check::check(&at, node, faults);
    (faults.len() == n_faults).then_some(at)
}

/// The counts of hills. A save from before there were any starts them at 0, and is told so.
fn read_holds(
    node: &Node<'_>,
    setup: Option<&Setup>,
    faults: &mut Faults,
) -> Option<Vec<Option<Hold>>> {
    if !node.exists() {
        let message = "this save has no counts of turns on a hill: they start at 0";
        faults.warn(node, "counts_start_at_zero", message);
        return Some(vec![None; setup?.world().goals().len()]);
    }
    list(node, faults, |it, faults| it.null_or(faults, hold))
}

/// A list; every item is looked at.
fn list<T>(
    node: &Node<'_>,
    faults: &mut Faults,
    mut read: impl FnMut(&Node<'_>, &mut Faults) -> Option<T>,
) -> Option<Vec<T>> {
    let items = node.list(faults)?;
    let values: Vec<Option<T>> = items.iter().map(|item| read(item, faults)).collect();
    values.into_iter().collect()
}

fn int<T: TryFrom<i64>>(node: &Node<'_>, key: &str, max: i64, faults: &mut Faults) -> Option<T> {
    T::try_from(node.field(key).int_in(0..=max, faults)?).ok()
}

fn optional_int<T: TryFrom<i64>>(
    node: &Node<'_>,
    key: &str,
    max: i64,
    faults: &mut Faults,
) -> Option<Option<T>> {
    node.field(key).null_or(faults, |it, faults| {
        T::try_from(it.int_in(0..=max, faults)?).ok()
    })
}

const RANKS: i64 = u16::MAX as i64;

fn seat(node: &Node<'_>, faults: &mut Faults) -> Option<Seat> {
    let idx = node.int_in(0..=FACTIONS_MAX as i64 - 1, faults)?;
    Seat::new(idx as usize)
}

fn seats(node: &Node<'_>, faults: &mut Faults) -> Option<SeatSet> {
    let seats = list(node, faults, seat)?;
    if !seats.is_sorted_by(|a, b| a < b) {
        faults.at(node, "not_rising", "expected different seats, rising");
        return None;
    }
    Some(seats.into_iter().collect())
}

fn system(node: &Node<'_>, faults: &mut Faults) -> Option<SystemIdx> {
    let idx = node.int_in(0..=RANKS, faults)?;
    Some(SystemIdx(idx as u16))
}

fn fought(node: &Node<'_>, faults: &mut Faults) -> Option<(SystemIdx, u64)> {
    node.only_fields(&["seed", "system"], faults);
    let at = system(&node.field("system"), faults);
    let seed = node.field("seed");
    let text = seed.text(faults).and_then(|text| {
        let number: Option<u64> = text.parse().ok();
        let canonical = number.filter(|it| it.to_string() == text);
        canonical.or_else(|| seed.refuse("out_of_range", "a 64-bit number as text", faults))
    });
    Some((at?, text?))
}

fn hold(node: &Node<'_>, faults: &mut Faults) -> Option<Hold> {
    node.only_fields(&["holder", "turns"], faults);
    let holder = seat(&node.field("holder"), faults);
    let n_turns = node.field("turns").int_in(1..=u32::MAX.into(), faults);
    Some(Hold {
        holder: holder?,
        n_turns: n_turns? as u32,
    })
}

fn army(node: &Node<'_>, faults: &mut Faults) -> Option<Army> {
    node.only_fields(
        &["body", "morale", "owner", "rank", "strength", "system"],
        faults,
    );
    let body = optional_int::<u8>(node, "body", 7, faults);
    let morale = int(node, "morale", RANKS, faults);
    let owner = seat(&node.field("owner"), faults);
    let rank = int(node, "rank", RANKS, faults);
    let strength = int(node, "strength", RANKS, faults);
    let at = optional_int::<u16>(node, "system", RANKS, faults);
    let post = match (at?, body?) {
        (Some(system), Some(body)) => Post::Ground(SystemIdx(system), body),
        (None, None) => Post::Aboard,
        _ => {
            let message = "an army stands on a body of a system, or on neither";
            faults.at(node, "contradiction", message);
            return None;
        }
    };
    Some(Army {
        owner: owner?,
        rank: rank?,
        strength: strength?,
        morale: morale?,
        post,
    })
}

fn fleet(node: &Node<'_>, faults: &mut Faults) -> Option<Fleet> {
    node.only_fields(
        &[
            "at",
            "breaks_off",
            "mission",
            "order",
            "owner",
            "rank",
            "retreat",
            "retreat_next",
            "ships",
            "system",
        ],
        faults,
    );
    let at = node.field("at").null_or(faults, point);
    let breaks_off = node.field("breaks_off").bool(faults);
    let mission = mission(&node.field("mission"), faults);
    let order = node.field("order").null_or(faults, order);
    let owner = seat(&node.field("owner"), faults);
    let rank = int(node, "rank", RANKS, faults);
    let retreat = share(&node.field("retreat"), faults);
    let next = node.field("retreat_next").null_or(faults, share);
    let ships = list(&node.field("ships"), faults, ship);
    let system = system(&node.field("system"), faults);
    Some(Fleet {
        owner: owner?,
        rank: rank?,
        place: match (at?, system?) {
            (None, system) => Place::Orbit(system),
            (Some(at), to) => Place::Moving { at, to },
        },
        mission: mission?,
        retreat: retreat?,
        ships: ships?,
        order: order?,
        new_retreat: next?,
        breaks_off: breaks_off?,
    })
}

/// Places of fleets lie within the bounds of what scenarios can hold.
fn point(node: &Node<'_>, faults: &mut Faults) -> Option<Point> {
    let items = node.list_of_len(3, faults)?;
    let far = 200_000_000;
    let read: Vec<Option<i64>> = items
        .iter()
        .map(|it| it.int_in(-far..=far, faults))
        .collect();
    let read: Option<Vec<i64>> = read.into_iter().collect();
    let [x, y, z] = <[i64; 3]>::try_from(read?).ok()?.map(|it| it as i32);
    Some(Point { x, y, z })
}

fn share(node: &Node<'_>, faults: &mut Faults) -> Option<u8> {
    let share = node.int_in(0..=100, faults)? as u8;
    if !RETREAT_SHARES.contains(&share) {
        let message = format!("expected one of {RETREAT_SHARES:?}, found {share}");
        faults.at(node, "out_of_range", message);
        return None;
    }
    Some(share)
}

fn ship(node: &Node<'_>, faults: &mut Faults) -> Option<Ship> {
    node.only_fields(
        &[
            "army",
            "fuel",
            "hull",
            "interceptors",
            "kind",
            "leaves",
            "missiles",
            "rank",
            "torpedoes",
        ],
        faults,
    );
    let kind = node.field("kind").one_of(&ShipKind::NAMES, faults);
    let kind = kind.and_then(|idx| ShipKind::ALL.get(idx).copied());
    // Without a kind the rest is looked at by the widest bounds.
    let most = |of: fn(&crate::constants::Class) -> i64, widest: i64| {
        kind.map_or(widest, |kind| of(kind.class()))
    };
    let army = optional_int(node, "army", RANKS, faults);
    let fuel = int(node, "fuel", most(|it| it.tank, i32::MAX.into()), faults);
    let hull = node.field("hull");
    let hull = hull.int_in(1..=most(|it| it.hull.into(), RANKS), faults);
    let interceptors = int(
        node,
        "interceptors",
        most(|it| it.interceptors.into(), 255),
        faults,
    );
    let leaves = node.field("leaves").bool(faults);
    let missiles = int(
        node,
        "missiles",
        most(|it| it.missiles.0.into(), 255),
        faults,
    );
    let rank = int(node, "rank", RANKS, faults);
    let torpedoes = int(
        node,
        "torpedoes",
        most(|it| it.torpedoes.0.into(), 255),
        faults,
    );
    Some(Ship {
        rank: rank?,
        kind: kind?,
        hull: hull? as u16,
        fuel: fuel?,
        missiles: missiles?,
        torpedoes: torpedoes?,
        interceptors: interceptors?,
        army: army?,
        leaves: leaves?,
    })
}

/// The words of a list; every word that is none is named.
fn words<'a>(node: &Node<'a>, faults: &mut Faults) -> Option<Vec<&'a str>> {
    let items = node.list(faults)?;
    let words: Vec<Option<&str>> = items.iter().map(|it| it.text(faults)).collect();
    words.into_iter().collect()
}

/// A number as a record of words spells it.
fn number(word: &str) -> Option<u16> {
    let number: u16 = word.parse().ok()?;
    (number.to_string() == word).then_some(number)
}

fn body(word: &str) -> Option<Option<u8>> {
    match word {
        "any" => Some(None),
        word => number(word)?.try_into().ok().map(Some),
    }
}

fn mission(node: &Node<'_>, faults: &mut Faults) -> Option<Mission> {
    let words = words(node, faults)?;
    let mission = match words.as_slice() {
        ["none"] => Some(Mission::None),
        ["invade", on] => body(on).map(Mission::Invade),
        ["load"] => Some(Mission::Load),
        ["unload", on] => body(on).map(Mission::Unload),
        _ => None,
    };
    mission.or_else(|| node.refuse("unknown_value", "a mission in words", faults))
}

fn order(node: &Node<'_>, faults: &mut Faults) -> Option<Order> {
    let words = words(node, faults)?;
    let system = |word: &str| number(word).map(SystemIdx);
    let order = match words.as_slice() {
        ["move", to] => system(to).map(Order::Move),
        ["load", to] => system(to).map(Order::Load),
        ["invade", to, on] => system(to)
            .zip(body(on))
            .map(|(to, on)| Order::Invade(to, on)),
        ["unload", to, on] => system(to)
            .zip(body(on))
            .map(|(to, on)| Order::Unload(to, on)),
        ["transfer", from, to] => match (body(from), body(to)) {
            (Some(Some(from)), Some(Some(to))) => Some(Order::Transfer(from, to)),
            _ => None,
        },
        ["split"] => Some(Order::Split),
        ["merge", into] => number(into).map(Order::Merge),
        ["receive"] => Some(Order::Receive),
        _ => None,
    };
    order.or_else(|| node.refuse("unknown_value", "an order in words", faults))
}

fn draft(node: &Node<'_>, faults: &mut Faults) -> Option<Draft> {
    let words = words(node, faults)?;
    let verb = |word: &str| {
        let idx = Verb::NAMES.iter().position(|name| *name == word)?;
        Verb::ALL.get(idx).copied()
    };
    let draft = match words.as_slice() {
        [] => Some(Draft::Idle),
        [rank] => number(rank).map(Draft::Fleet),
        [rank, does] => number(rank)
            .zip(verb(does))
            .map(|(rank, does)| Draft::Verb(rank, does)),
        [rank, "transfer", from] => match (number(rank), body(from)) {
            (Some(rank), Some(Some(from))) => Some(Draft::From(rank, from)),
            _ => None,
        },
        [rank, does @ ("invade" | "unload"), to] => match (number(rank), verb(does), number(to)) {
            (Some(rank), Some(does), Some(to)) => Some(Draft::Target(rank, does, SystemIdx(to))),
            _ => None,
        },
        _ => None,
    };
    draft.or_else(|| node.refuse("unknown_value", "the begin of an order in words", faults))
}

fn ending(node: &Node<'_>, faults: &mut Faults) -> Option<Ending> {
    node.only_fields(&["cause", "condition", "scores", "turn", "winner"], faults);
    let cause = node.field("cause").one_of(&CAUSES, faults);
    let condition = optional_int::<u8>(node, "condition", 15, faults);
    let scores = list(&node.field("scores"), faults, score);
    let turn = int(node, "turn", u32::MAX.into(), faults);
    let winner = node.field("winner").null_or(faults, seat);
    let cause = match (cause?, condition?) {
        (0, Some(idx)) => Cause::Condition(idx),
        (1, None) => Cause::Control,
        (2, None) => Cause::Power,
        (3, None) => Cause::Draw,
        (4, None) => Cause::MutualAnnihilation,
        (5, None) => Cause::Forfeit,
        (6, None) => Cause::Void,
        _ => {
            let message = "a condition has its number, and nothing else has one";
            faults.at(&node.field("condition"), "contradiction", message);
            return None;
        }
    };
    Some(Ending {
        winner: winner?,
        cause,
        turn: turn?,
        scores: scores?,
    })
}

fn score(node: &Node<'_>, faults: &mut Faults) -> Option<Score> {
    node.only_fields(&["power", "systems"], faults);
    let power = int(node, "power", i64::MAX, faults);
    let n_systems = int(node, "systems", u32::MAX.into(), faults);
    Some(Score {
        n_systems: n_systems?,
        power: power?,
    })
}
