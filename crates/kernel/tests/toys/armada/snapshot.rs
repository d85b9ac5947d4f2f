//! A position as a document.

use kernel::doc::{Document, Faults, Node};
use kernel::{Seat, SeatSet, SnapshotOf, Table};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Armada, End, FACTIONS_MAX, Faction, SYSTEMS_MAX, Setup};
use crate::toys::int;

/// A position as a document.
#[derive(Serialize, JsonSchema)]
pub struct Snapshot {
    #[schemars(with = "Vec<u8>")]
    alive: SeatSet,
    battles: Vec<usize>,
    #[schemars(with = "Vec<u8>")]
    done: SeatSet,
    end: Option<EndDocument>,
    factions: Vec<FactionDocument>,
    setup: Setup,
    turn: u16,
}

#[derive(Serialize, JsonSchema)]
struct FactionDocument {
    chosen: Option<u8>,
    fleets: Vec<u8>,
    orders: Vec<Option<u8>>,
}

#[derive(Serialize, JsonSchema)]
struct EndDocument {
    by: &'static str,
    #[schemars(with = "Vec<u8>")]
    winners: SeatSet,
}

const ENDS: [&str; 3] = ["last", "most", "void"];

impl SnapshotOf<Armada> for Snapshot {
    fn of(armada: &Armada) -> Snapshot {
        let n_systems = armada.systems().len();
        let document = |faction: &Faction| FactionDocument {
            chosen: faction.chosen,
            fleets: faction.fleets[..n_systems].to_vec(),
            orders: faction.orders[..n_systems].to_vec(),
        };
        let factions = &armada.factions[..armada.setup.n_factions.into()];
        Snapshot {
            alive: armada.alive,
            battles: bits(armada.battles).collect(),
            done: armada.done,
            end: armada.end.map(EndDocument::of),
            factions: factions.iter().map(document).collect(),
            setup: armada.setup,
            turn: armada.turn,
        }
    }

    /// Reads a position and refuses one that play cannot reach.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Armada> {
        let mut keys = vec![
            "alive", "battles", "done", "end", "factions", "setup", "turn",
        ];
        keys.extend(Table::<Armada>::KEYS);
        node.only_fields(&keys, faults);
        let setup = Setup::read(&node.field("setup"), faults);
        let alive = read_seats(&node.field("alive"), faults);
        let battles = read_rising(&node.field("battles"), SYSTEMS_MAX, faults);
        let done = read_seats(&node.field("done"), faults);
        let end = node.field("end").null_or(faults, read_end);
        let factions = read_factions(&node.field("factions"), setup.as_ref(), faults);
        let turn = int(node, "turn", 1..=500, faults);
        let armada = Armada {
            setup: setup?,
            turn: turn?,
            factions: factions?,
            alive: alive?,
            done: done?,
            battles: battles?.iter().map(|system| 1 << system).sum(),
            end: end?,
        };
        armada.check(node, faults);
        Some(armada)
    }
}

impl EndDocument {
    fn of(end: End) -> EndDocument {
        let (by, winners) = match end {
            End::Last(seat) => (ENDS[0], SeatSet::only(seat)),
            End::Most(seats) => (ENDS[1], seats),
            End::Void => (ENDS[2], SeatSet::EMPTY),
        };
        EndDocument { by, winners }
    }
}

impl Armada {
    /// Checks the constraints between the fields.
    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        let mut must = |holds: bool, key: &str, message: &str| {
            if !holds {
                faults.at(&node.field(key), "contradiction", message);
            }
        };
        let seats = SeatSet::first(self.setup.n_factions.into());
        must(self.alive.is_subset(seats), "alive", "no such seat exists");
        must(
            self.done.is_subset(self.alive),
            "done",
            "only living factions can give orders",
        );
        must(
            self.end.is_some() || !self.alive.is_subset(self.done) || self.battles != 0,
            "done",
            "once all are done, the fleets must have moved",
        );
        must(
            self.turn <= self.setup.max_turns,
            "turn",
            "this turn is after the last one",
        );
        let fitting = |seat: Seat| self.fits(seat);
        must(
            Seat::first(FACTIONS_MAX).all(fitting),
            "factions",
            "a faction has fleets exactly while it is alive, and orders only for them, to \
             neighboring systems",
        );
        let meeting = self.systems().filter(|it| self.held_by(*it).len() > 1);
        must(
            meeting.eq(bits(self.battles)),
            "battles",
            "a battle is due exactly where several factions are",
        );
        let ends = match self.end {
            None => self.alive.len() > 1,
            Some(End::Last(seat)) => self.alive.sole() == Some(seat),
            Some(End::Most(seats)) => {
                self.turn == self.setup.max_turns && seats == self.leaders() && self.alive.len() > 1
            }
            Some(End::Void) => self.alive.is_empty(),
        };
        must(ends, "end", "this position does not end this way");
    }

    fn fits(&self, seat: Seat) -> bool {
        let faction = self.faction(seat);
        let commanded = |system: usize| faction.fleets[system] > 0 && self.battles == 0;
        let chosen = faction.chosen.is_none_or(|system| {
            let system = usize::from(system);
            commanded(system) && faction.orders[system].is_none() && !self.done.contains(seat)
        });
        let mut orders = faction.orders.iter().enumerate();
        let near = |(system, order): (usize, &Option<u8>)| {
            order.is_none_or(|to| commanded(system) && self.beside(system).contains(&to.into()))
        };
        let beaten = faction.n_fleets() == 0;
        let fights_on = self.battles != 0;
        chosen && orders.all(near) && (beaten != self.alive.contains(seat) || fights_on)
    }
}

/// The numbers of the set bits, in ascending order.
fn bits(set: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |bit| set & (1 << bit) != 0)
}

/// Reads distinct numbers below a bound, in ascending order.
fn read_rising(node: &Node<'_>, bound: usize, faults: &mut Faults) -> Option<Vec<usize>> {
    let items = node.list(faults)?;
    let numbers: Vec<Option<i64>> = items
        .iter()
        .map(|item| item.int_in(0..=bound as i64 - 1, faults))
        .collect();
    let numbers: Option<Vec<usize>> = numbers
        .into_iter()
        .map(|number| usize::try_from(number?).ok())
        .collect();
    let numbers = numbers?;
    if !numbers.is_sorted_by(|a, b| a < b) {
        faults.at(
            node,
            "not_rising",
            "expected distinct numbers in ascending order",
        );
        return None;
    }
    Some(numbers)
}

fn read_seats(node: &Node<'_>, faults: &mut Faults) -> Option<SeatSet> {
    let numbers = read_rising(node, FACTIONS_MAX, faults)?;
    numbers.into_iter().map(Seat::new).collect()
}

fn read_end(node: &Node<'_>, faults: &mut Faults) -> Option<End> {
    node.only_fields(&["by", "winners"], faults);
    let by = node.field("by").one_of(&ENDS, faults);
    let winners = read_seats(&node.field("winners"), faults);
    let (by, winners) = (by?, winners?);
    match (by, winners.sole()) {
        (0, Some(seat)) => Some(End::Last(seat)),
        (1, _) => Some(End::Most(winners)),
        (2, None) if winners.is_empty() => Some(End::Void),
        _ => {
            faults.at(node, "contradiction", "the winners do not match the end");
            None
        }
    }
}

/// Reads the factions even if the setup is broken, with the widest bounds.
fn read_factions(
    node: &Node<'_>,
    setup: Option<&Setup>,
    faults: &mut Faults,
) -> Option<[Faction; FACTIONS_MAX]> {
    let items = match setup {
        Some(setup) => node.list_of_len(setup.n_factions.into(), faults)?,
        None => node.list(faults)?,
    };
    let read: Vec<Option<Faction>> = items
        .iter()
        .map(|item| read_faction(item, setup, faults))
        .collect();
    let mut factions = [Faction::default(); FACTIONS_MAX];
    for (faction, read) in factions.iter_mut().zip(read) {
        *faction = read?;
    }
    Some(factions)
}

fn read_faction(node: &Node<'_>, setup: Option<&Setup>, faults: &mut Faults) -> Option<Faction> {
    node.only_fields(&["chosen", "fleets", "orders"], faults);
    let n_systems = setup.map_or(SYSTEMS_MAX, |setup| setup.n_systems.into());
    let system = |node: &Node<'_>, faults: &mut Faults| {
        u8::try_from(node.int_in(0..=n_systems as i64 - 1, faults)?).ok()
    };
    let chosen = node.field("chosen").null_or(faults, system);
    let fleets = read_systems(&node.field("fleets"), setup, faults, |node, faults| {
        u8::try_from(node.int_in(0..=20, faults)?).ok()
    });
    let orders = read_systems(&node.field("orders"), setup, faults, |node, faults| {
        node.null_or(faults, system)
    });
    Some(Faction {
        fleets: fleets?,
        orders: orders?,
        chosen: chosen?,
    })
}

/// Reads a value for each system; systems that the setup does not have stay empty.
fn read_systems<T: Copy + Default>(
    node: &Node<'_>,
    setup: Option<&Setup>,
    faults: &mut Faults,
    read: impl Fn(&Node<'_>, &mut Faults) -> Option<T>,
) -> Option<[T; SYSTEMS_MAX]> {
    let items = match setup {
        Some(setup) => node.list_of_len(setup.n_systems.into(), faults)?,
        None => node.list(faults)?,
    };
    let values: Vec<Option<T>> = items.iter().map(|item| read(item, faults)).collect();
    let mut systems = [T::default(); SYSTEMS_MAX];
    for (own, value) in systems.iter_mut().zip(values) {
        *own = value?;
    }
    Some(systems)
}
