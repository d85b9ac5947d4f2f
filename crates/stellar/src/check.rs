//! Consistency checks between the parts of a restored position.

use std::collections::BTreeSet;

use kernel::doc::{Faults, Node};
use kernel::{Seat, SeatSet};

use crate::constants::{ARMY_BROKEN, ARMY_STRENGTH, MORALE_FULL, MORALE_LEAST, ShipKind};
use crate::galaxy::SystemIdx;
use crate::state::{Cause, Draft, Fleet, Fought, Mission, Order, Place, Post, Stellar, Verb};
use crate::world::Goal;

/// Reports every contradiction in a position that was read from a document.
pub(crate) fn check(at: &Stellar, node: &Node<'_>, faults: &mut Faults) {
    let mut checker = Checker {
        at,
        node,
        faults,
        sound: true,
    };
    checker.sizes();
    if checker.sound {
        checker.places();
    }
    if checker.sound {
        checker.order();
        checker.armies();
        checker.ships();
        checker.phase();
    }
    if checker.sound {
        checker.orders();
        checker.drafts();
        checker.end();
    }
}

struct Checker<'a, 'n, 'f> {
    at: &'a Stellar,
    node: &'a Node<'n>,
    faults: &'f mut Faults,
    sound: bool,
}

impl Checker<'_, '_, '_> {
    fn must(&mut self, holds: bool, key: &str, message: &str) {
        if !holds {
            self.sound = false;
            self.faults
                .at(&self.node.field(key), "contradiction", message);
        }
    }

    fn seats(&self) -> SeatSet {
        SeatSet::first(self.at.world.n_seats())
    }

    fn sizes(&mut self) {
        let at = self.at;
        let n_systems = at.galaxy().n_systems();
        self.must(
            at.owners.len() == n_systems,
            "owners",
            "expected one owner per system",
        );
        let n_goals = at.world.goals().len();
        self.must(
            at.holds.len() == n_goals,
            "holds",
            "expected one hold per condition",
        );
        let seats = self.seats();
        self.must(at.alive.is_subset(seats), "alive", "no such faction");
        self.must(at.present.is_subset(seats), "present", "no such faction");
        let owners = at.owners.iter().flatten().all(|it| seats.contains(*it));
        self.must(owners, "owners", "no such faction");
        let fleets = at.fleets.iter().all(|it| seats.contains(it.owner));
        self.must(fleets, "fleets", "no such faction");
        let armies = at.armies.iter().all(|it| seats.contains(it.owner));
        self.must(armies, "armies", "no such faction");
        let hills = at.holds.iter().zip(at.world.goals()).all(|(hold, goal)| {
            let fits = |holder| seats.contains(holder);
            hold.is_none_or(|it| {
                matches!(goal, Goal::Hill(..)) && fits(it.holder) && it.n_turns <= at.turn
            })
        });
        self.must(
            hills,
            "holds",
            "only a hill can be held, and no longer than the match lasts",
        );
        let in_time = at.turn <= at.world.last_turn();
        self.must(in_time, "turn", "this turn is after the last one");
    }

    fn is_system(&self, system: SystemIdx) -> bool {
        system.index() < self.at.galaxy().n_systems()
    }

    fn has_body(&self, system: SystemIdx, body: u8) -> bool {
        self.is_system(system) && body < self.at.galaxy().system(system).n_landable
    }

    fn places(&mut self) {
        let at = self.at;
        let fleets = at.fleets.iter().all(|fleet| {
            let system = match fleet.place {
                Place::Orbit(system) => system,
                Place::Moving { to, .. } => to,
            };
            let body = match fleet.mission {
                Mission::Invade(body) | Mission::Unload(body) => body,
                Mission::None | Mission::Load => None,
            };
            self.is_system(system) && body.is_none_or(|body| self.has_body(system, body))
        });
        self.must(fleets, "fleets", "no such system or body");
        let armies = at.armies.iter().all(|army| match army.post {
            Post::Ground(system, body) => self.has_body(system, body),
            Post::Aboard => true,
        });
        self.must(armies, "armies", "no such system or body");
        let battles = at.battles.iter().all(|it| self.is_system(*it));
        self.must(battles, "battles", "no such system");
        let fought = at.fought.iter().all(|it| self.is_system(it.system));
        self.must(fought, "fought", "no such system");
    }

    fn order(&mut self) {
        let at = self.at;
        let rising = at
            .fleets
            .is_sorted_by(|a, b| (a.owner, a.rank) < (b.owner, b.rank));
        self.must(rising, "fleets", "fleets must be sorted by owner and rank");
        let slots = at.world.fleet_slots();
        let fit = at.fleets.iter().all(|it| usize::from(it.rank) < slots);
        self.must(fit, "fleets", "a faction has too many fleets");
        let rising = at
            .armies
            .is_sorted_by(|a, b| (a.owner, a.rank) < (b.owner, b.rank));
        self.must(rising, "armies", "armies must be sorted by owner and rank");
        let rising = at.battles.is_sorted_by(|a, b| a < b);
        self.must(rising, "battles", "battles must be sorted by system");
        let rising = at.fought.is_sorted_by(|a, b| a.system < b.system);
        self.must(rising, "fought", "battles must be sorted by system");
    }

    fn armies(&mut self) {
        let fit = self.at.armies.iter().all(|it| {
            (ARMY_BROKEN + 1..=ARMY_STRENGTH).contains(&it.strength)
                && (MORALE_LEAST..=MORALE_FULL).contains(&it.morale)
        });
        self.must(fit, "armies", "strength or morale is out of range");
    }

    /// Ships are sorted, belong to one fleet each, and carry each embarked army once.
    fn ships(&mut self) {
        let at = self.at;
        let mut known = BTreeSet::new();
        let mut aboard = BTreeSet::new();
        let mut fit = true;
        for fleet in &at.fleets {
            fit &= !fleet.ships.is_empty();
            fit &= fleet.ships.is_sorted_by(|a, b| a.rank < b.rank);
            for ship in &fleet.ships {
                fit &= known.insert((fleet.owner, ship.rank));
                fit &= usize::from(ship.rank) < at.world.ship_slots();
                if let Some(rank) = ship.army {
                    fit &= ship.kind == ShipKind::TroopTransport;
                    fit &= aboard.insert((fleet.owner, rank));
                }
            }
        }
        self.must(
            fit,
            "fleets",
            "a ship is listed twice, out of order or carries too much",
        );
        let embarked = at.armies.iter().filter(|it| it.post == Post::Aboard);
        let embarked: BTreeSet<(Seat, u16)> = embarked.map(|it| (it.owner, it.rank)).collect();
        let message = "each embarked army must be aboard exactly one ship";
        self.must(embarked == aboard, "armies", message);
    }

    /// Checks what belongs to the order phase and what to the battle phase.
    fn phase(&mut self) {
        let at = self.at;
        let fighting = !at.battles.is_empty();
        let seats = self.seats();
        let having: SeatSet = seats.iter().filter(|it| at.has_anything(*it)).collect();
        let alive = match fighting {
            true => having.is_subset(at.alive),
            false => having == at.alive,
        };
        self.must(
            alive,
            "alive",
            "a faction is alive exactly when it has a fleet or a system",
        );
        let sealed = |fleet: &Fleet| fleet.order.is_some() || fleet.new_retreat.is_some();
        let idle = at.done.is_empty()
            && at.drafts.iter().all(|it| *it == Draft::Idle)
            && !at.fleets.iter().any(sealed);
        let ordering = !fighting && at.end.is_none();
        let message = "orders exist only before battles and before the end of the match";
        self.must(ordering || idle, "fleets", message);
        let in_order = at.fleets.iter().all(|fleet| {
            let broke_off = fleet.breaks_off
                && (!fighting || !at.fought.iter().any(|it| Some(it.system) == fleet.orbit()));
            let waits = !fighting && fleet.orbit().is_some() && fleet.mission != Mission::None;
            !broke_off && !waits
        });
        self.must(
            in_order,
            "fleets",
            "a fleet has state that belongs to another phase",
        );
        let presence = at.presence();
        let meet = |system: &SystemIdx| presence.is_contested(*system);
        let moored = at.fleets.iter().all(|fleet| {
            fleet.orbit().is_some()
                || at
                    .system_of(fleet)
                    .is_none_or(|it| !at.battles.contains(&it))
        });
        let met = at.battles.iter().all(meet) && moored;
        self.must(
            met,
            "battles",
            "a battle needs ships of several factions in orbit",
        );
        let before = |it: &Fought| at.battles.first().is_some_and(|first| it.system < *first);
        let fought = at.fought.iter().all(before);
        self.must(fought, "fought", "battles must be fought in system order");
        self.must(
            at.end.is_none() || !fighting,
            "battles",
            "no battle can be due after the end",
        );
        let contenders = at.contenders();
        let open = at.end.is_some()
            || (at.present.len() > 1 && !contenders.is_empty())
                && (fighting || !contenders.is_subset(at.done));
        self.must(
            open,
            "done",
            "the turn should have been resolved: every faction is done",
        );
        self.must(
            at.done.is_subset(contenders),
            "done",
            "only a faction that is still playing can give orders",
        );
    }

    fn orders(&mut self) {
        let at = self.at;
        let fit = at.fleets.iter().all(|fleet| {
            let gives = at.present.contains(fleet.owner) && at.alive.contains(fleet.owner);
            let order = fleet
                .order
                .is_none_or(|order| gives && fits(at, fleet, order));
            let share = fleet
                .new_retreat
                .is_none_or(|it| gives && it != fleet.retreat);
            let splitting = at.drafts[fleet.owner.index()] == Draft::Verb(fleet.rank, Verb::Split);
            let leaves = fleet.order == Some(Order::Split) || splitting;
            let n_leaving = fleet.ships.iter().filter(|it| it.leaves).count();
            order && share && (n_leaving == 0 || leaves) && n_leaving < fleet.ships.len()
        });
        self.must(fit, "fleets", "a fleet has an order that was never legal");
        for seat in self.seats().iter() {
            let own = at.fleets_of(seat);
            let n_splits = own
                .iter()
                .filter(|it| it.order == Some(Order::Split))
                .count();
            let room = own.len() + n_splits <= at.world.fleet_slots();
            self.must(room, "fleets", "a faction has too many fleets");
        }
    }

    fn drafts(&mut self) {
        let at = self.at;
        for seat in Seat::first(at.world.n_seats()) {
            let draft = at.drafts[seat.index()];
            if draft == Draft::Idle {
                continue;
            }
            let fleet = at.drafted(seat);
            let fits = at.is_open(seat) && fleet.is_some_and(|it| draft_fits(at, it, draft));
            self.must(fits, "drafts", "this draft was never legal");
        }
    }

    fn end(&mut self) {
        let at = self.at;
        let Some(end) = &at.end else { return };
        let fits = match end.cause {
            Cause::Void => *end == at.conclude(None, Cause::Void) && at.present.is_empty(),
            Cause::Forfeit => {
                let left = at.present.sole();
                left.is_some() && *end == at.conclude(left, Cause::Forfeit)
            }
            _ => at.decide().as_ref() == Some(end),
        };
        self.must(fits, "end", "this ending does not match the position");
    }
}

/// True if the fleet can have been given this order.
fn fits(at: &Stellar, fleet: &Fleet, order: Order) -> bool {
    let Some(from) = fleet.orbit() else {
        return false;
    };
    let n_landable = |system: SystemIdx| at.galaxy().system(system).n_landable;
    let goes = |verb: Verb, to: SystemIdx, body: Option<u8>| {
        let known = to.index() < at.galaxy().n_systems();
        known && body.is_none_or(|it| it < n_landable(to)) && at.can_target(fleet, verb, to)
    };
    match order {
        Order::Move(to) => goes(Verb::Move, to, None),
        Order::Load(to) => fleet.has_room() && goes(Verb::Load, to, None),
        Order::Invade(to, body) => fleet.has_army() && goes(Verb::Invade, to, body),
        Order::Unload(to, body) => fleet.has_army() && goes(Verb::Unload, to, body),
        Order::Transfer(from_body, to) => {
            let known = from_body < n_landable(from) && to < n_landable(from);
            known && from_body != to && fleet.has_room() && at.mans(fleet, from, from_body)
        }
        Order::Split => fleet.ships.iter().any(|it| it.leaves),
        Order::Merge(into) => at.fleet(fleet.owner, into).is_some_and(|other| {
            other.order == Some(Order::Receive) && other.orbit() == Some(from)
        }),
        Order::Receive => {
            let joins = |other: &Fleet| {
                other.order == Some(Order::Merge(fleet.rank)) && other.orbit() == Some(from)
            };
            at.fleets_of(fleet.owner).iter().any(joins)
        }
    }
}

/// True if an order for this fleet can have been started like this.
fn draft_fits(at: &Stellar, fleet: &Fleet, draft: Draft) -> bool {
    match draft {
        Draft::Idle => true,
        Draft::Fleet(_) => Verb::ALL.iter().any(|verb| at.can(fleet, *verb)),
        Draft::Verb(_, verb) => at.can(fleet, verb),
        Draft::Target(_, verb, to) => {
            let known = to.index() < at.galaxy().n_systems();
            known && at.can(fleet, verb) && at.can_target(fleet, verb, to)
        }
        Draft::From(_, from) => {
            let orbit = fleet.orbit();
            at.can(fleet, Verb::Transfer) && orbit.is_some_and(|it| at.mans(fleet, it, from))
        }
    }
}
