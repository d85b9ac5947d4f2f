//! The legal steps. Legality depends only on what the faction itself may know.

use kernel::{Mask, Reason, Seat};

use crate::action::{Action, Space};
use crate::constants::RETREAT_SHARES;
use crate::galaxy::SystemIdx;
use crate::state::{Draft, Fleet, Post, Stellar, Verb};

impl Stellar {
    /// True if the seat may give orders now.
    pub(crate) fn is_open(&self, seat: Seat) -> bool {
        let asked =
            self.present.contains(seat) && self.alive.contains(seat) && !self.done.contains(seat);
        asked && self.end.is_none() && self.battles.is_empty()
    }

    pub(crate) fn fill(&self, seat: Seat, mask: &mut Mask) {
        if !self.is_open(seat) {
            return;
        }
        let space = Space::of(&self.world);
        let mut allow = |action: Action| mask.allow(space.id(action));
        match self.drafted(seat) {
            None => {
                let fleets = self.fleets_of(seat).iter();
                let fleets = fleets.filter(|fleet| self.can_order(fleet));
                fleets.for_each(|fleet| allow(Action::Fleet(fleet.rank)));
                allow(Action::Done);
            }
            Some(fleet) => self.fill_draft(self.drafts[seat.index()], fleet, &mut allow),
        }
    }

    /// True if the mask allows this action. Avoids writing the mask, which matters to a faction
    /// that orders a thousand fleets.
    pub(crate) fn allows(&self, seat: Seat, action: Action) -> bool {
        if !self.is_open(seat) {
            return false;
        }
        let draft = self.drafts[seat.index()];
        match (self.drafted(seat), action) {
            (None, Action::Fleet(rank)) => {
                let fleet = self.fleet(seat, rank);
                fleet.is_some_and(|fleet| self.can_order(fleet))
            }
            (None, action) => action == Action::Done,
            (Some(fleet), Action::Verb(verb)) => {
                matches!(draft, Draft::Fleet(_)) && self.can(fleet, verb)
            }
            (Some(fleet), Action::Into(rank)) => {
                let other = self.fleet(seat, rank);
                matches!(draft, Draft::Verb(_, Verb::Merge))
                    && other.is_some_and(|other| joins(fleet, other))
            }
            (Some(fleet), Action::System(system)) => match draft {
                Draft::Verb(_, verb) => self.can_target(fleet, verb, system),
                _ => false,
            },
            (Some(fleet), _) => {
                let mut found = false;
                self.fill_draft(draft, fleet, &mut |it| found |= it == action);
                found
            }
        }
    }

    /// True if the fleet can be given any order.
    fn can_order(&self, fleet: &Fleet) -> bool {
        // The last verb is the cheapest to check.
        Verb::ALL.iter().rev().any(|verb| self.can(fleet, *verb))
    }

    /// Allows each step that can follow in an order that was started.
    fn fill_draft(&self, draft: Draft, fleet: &Fleet, allow: &mut impl FnMut(Action)) {
        match draft {
            Draft::Idle => {}
            Draft::Fleet(_) => {
                for verb in Verb::ALL {
                    if self.can(fleet, verb) {
                        allow(Action::Verb(verb));
                    }
                }
            }
            Draft::Verb(_, verb) => self.fill_objects(fleet, verb, allow),
            Draft::Target(_, _, system) => {
                let n_landable = self.galaxy().system(system).n_landable;
                (0..n_landable).for_each(|body| allow(Action::Body(body)));
                allow(Action::AnyBody);
            }
            Draft::From(_, from) => {
                if let Some(system) = fleet.orbit() {
                    let n_landable = self.galaxy().system(system).n_landable;
                    let others = (0..n_landable).filter(|body| *body != from);
                    others.for_each(|body| allow(Action::Body(body)));
                }
            }
        }
    }

    /// Allows each step that can follow a fleet and a verb.
    pub(crate) fn fill_objects(&self, fleet: &Fleet, verb: Verb, allow: &mut impl FnMut(Action)) {
        match verb {
            Verb::Move | Verb::Invade | Verb::Load | Verb::Unload => {
                self.for_each_target(fleet, verb, |system| allow(Action::System(system)));
            }
            Verb::Transfer => {
                if let Some(system) = fleet.orbit() {
                    let n_landable = self.galaxy().system(system).n_landable;
                    let manned = (0..n_landable).filter(|body| self.mans(fleet, system, *body));
                    manned.for_each(|body| allow(Action::Body(body)));
                }
            }
            Verb::Split => {
                let last = fleet.ships.iter().rposition(|it| it.leaves);
                let n_leaving = fleet.ships.iter().filter(|it| it.leaves).count();
                // In rising order, and at least one ship stays.
                let first = last.map_or(0, |last| last + 1);
                if n_leaving + 1 < fleet.ships.len() {
                    (first..fleet.ships.len()).for_each(|idx| allow(Action::Ship(idx as u16)));
                }
                if n_leaving > 0 {
                    allow(Action::End);
                }
            }
            Verb::Merge => {
                for other in self.partners(fleet) {
                    allow(Action::Into(other.rank));
                }
            }
            Verb::Retreat => {
                for (idx, share) in RETREAT_SHARES.iter().enumerate() {
                    if *share != fleet.retreat {
                        allow(Action::Share(idx as u8));
                    }
                }
            }
        }
    }

    /// The fleet of the order that is being composed.
    pub(crate) fn drafted(&self, seat: Seat) -> Option<&Fleet> {
        let rank = self.drafts[seat.index()].rank()?;
        self.fleet(seat, rank)
    }

    /// True if the fleet can be given any order with this verb.
    pub(crate) fn can(&self, fleet: &Fleet, verb: Verb) -> bool {
        if verb == Verb::Retreat {
            return fleet.new_retreat.is_none();
        }
        let (Some(system), None) = (fleet.orbit(), fleet.order) else {
            return false;
        };
        match verb {
            Verb::Move => {
                let reach = fleet.reach_mly(self.unlimited_fuel());
                self.galaxy().nearest_distance(system) <= reach
            }
            Verb::Invade => fleet.has_army(),
            Verb::Unload => fleet.has_army() && self.any_target(fleet, verb),
            Verb::Load => fleet.has_room() && self.any_target(fleet, verb),
            Verb::Transfer => {
                let n_landable = self.galaxy().system(system).n_landable;
                let manned = || (0..n_landable).any(|body| self.mans(fleet, system, body));
                n_landable > 1 && fleet.has_room() && manned()
            }
            Verb::Split => fleet.ships.len() > 1 && self.has_free_slot(fleet.owner),
            Verb::Merge => self.partners(fleet).next().is_some(),
            Verb::Retreat => false,
        }
    }

    /// True if a fleet in orbit can be sent to this system. False for a system that does not exist.
    pub(crate) fn can_target(&self, fleet: &Fleet, verb: Verb, wanted: SystemIdx) -> bool {
        let Some(from) = fleet.orbit() else {
            return false;
        };
        if wanted.index() >= self.galaxy().n_systems() {
            return false;
        }
        let reach = fleet.reach_mly(self.unlimited_fuel());
        let squared = self.galaxy().at(wanted).squared_to(self.galaxy().at(from));
        let fits = match verb {
            Verb::Move => wanted != from,
            Verb::Invade => true,
            Verb::Unload => self.owner(wanted) == Some(fleet.owner),
            Verb::Load => {
                let mut own = self.armies_of(fleet.owner).iter();
                own.any(|it| matches!(it.post, Post::Ground(at, _) if at == wanted))
            }
            Verb::Transfer | Verb::Split | Verb::Merge | Verb::Retreat => false,
        };
        fits && squared <= reach * reach
    }

    fn any_target(&self, fleet: &Fleet, verb: Verb) -> bool {
        let mut any = false;
        self.for_each_target(fleet, verb, |_| any = true);
        any
    }

    /// Calls `each` for every system that a fleet in orbit can be sent to.
    fn for_each_target(&self, fleet: &Fleet, verb: Verb, mut each: impl FnMut(SystemIdx)) {
        let Some(from) = fleet.orbit() else { return };
        let reach = fleet.reach_mly(self.unlimited_fuel());
        let (galaxy, at) = (self.galaxy(), self.galaxy().at(from));
        // Distances are rounded up, so comparing squares gives the same result.
        let near = |system: SystemIdx| galaxy.at(system).squared_to(at) <= reach * reach;
        match verb {
            Verb::Move => galaxy.for_each_within(at, reach, |system, _| {
                if system != from {
                    each(system);
                }
            }),
            Verb::Invade => galaxy.for_each_within(at, reach, |system, _| each(system)),
            Verb::Unload => {
                galaxy.for_each_within(at, reach, |system, _| {
                    if self.owner(system) == Some(fleet.owner) {
                        each(system);
                    }
                });
            }
            Verb::Load => {
                let first = self.armies.partition_point(|it| it.owner < fleet.owner);
                let own = self.armies[first..].iter();
                let own = own.take_while(|it| it.owner == fleet.owner);
                let posts = own.filter_map(|it| match it.post {
                    Post::Ground(system, _) => Some(system),
                    Post::Aboard => None,
                });
                posts.filter(|it| near(*it)).for_each(&mut each);
            }
            Verb::Transfer | Verb::Split | Verb::Merge | Verb::Retreat => {}
        }
    }

    /// True if the fleet's faction has an army on the body.
    pub(crate) fn mans(&self, fleet: &Fleet, system: SystemIdx, body: u8) -> bool {
        let first = self.armies.partition_point(|it| it.owner < fleet.owner);
        let own = self.armies[first..].iter();
        let mut own = own.take_while(|it| it.owner == fleet.owner);
        own.any(|it| it.post == Post::Ground(system, body))
    }

    fn partners<'a>(&'a self, fleet: &'a Fleet) -> impl Iterator<Item = &'a Fleet> {
        let own = self.fleets_of(fleet.owner).iter();
        own.filter(move |other| joins(fleet, other))
    }

    /// True if the faction can have one more fleet, counting those that ordered splits will make.
    fn has_free_slot(&self, seat: Seat) -> bool {
        let own = self.fleets_of(seat);
        let n_splits = own
            .iter()
            .filter(|it| it.order == Some(crate::Order::Split))
            .count();
        own.len() + n_splits < self.world.fleet_slots()
    }

    pub(crate) fn unlimited_fuel(&self) -> bool {
        self.world.scenario().rules.unlimited_fuel
    }

    /// The reason a step is illegal, as specific as the position allows.
    pub(crate) fn reason(&self, seat: Seat, action: Action) -> Reason {
        let draft = self.drafts[seat.index()];
        let fleet = self.drafted(seat);
        Reason(match (draft, action) {
            (Draft::Idle, Action::Fleet(rank)) => match self.fleet(seat, rank) {
                None => "no_such_fleet",
                Some(_) => "fleet_already_ordered",
            },
            (Draft::Idle, _) => "choose_a_fleet_first",
            (_, Action::Fleet(_) | Action::Done) => "finish_the_order_first",
            (Draft::Fleet(_), Action::Verb(verb)) => match fleet {
                Some(fleet) => self.cannot(fleet, verb),
                None => "no_such_fleet",
            },
            (Draft::Fleet(_), _) => "choose_a_verb_first",
            (Draft::Verb(_, verb), Action::System(system)) => match fleet {
                Some(fleet) => self.cannot_go(fleet, verb, system),
                None => "no_such_fleet",
            },
            (Draft::Verb(_, Verb::Transfer), Action::Body(_)) => "no_army_there",
            (Draft::Verb(_, Verb::Split), Action::Ship(_)) => "not_a_proper_part",
            (Draft::Verb(_, Verb::Split), Action::End) => "name_a_ship_first",
            (Draft::Verb(_, Verb::Merge), Action::Into(_)) => "fleet_not_beside",
            (Draft::Verb(_, Verb::Retreat), Action::Share(_)) => "already_so",
            (Draft::Target(..) | Draft::From(..), Action::Body(_)) => "no_such_body",
            _ => "does_not_belong_here",
        })
    }

    pub(crate) fn cannot(&self, fleet: &Fleet, verb: Verb) -> &'static str {
        if verb == Verb::Retreat || fleet.order.is_some() {
            return "fleet_already_ordered";
        }
        if fleet.orbit().is_none() {
            return "not_in_orbit";
        }
        match verb {
            Verb::Move => "insufficient_fuel",
            Verb::Invade => "no_army_aboard",
            Verb::Unload if !fleet.has_army() => "no_army_aboard",
            Verb::Unload => "no_own_system_in_reach",
            Verb::Load | Verb::Transfer if !fleet.has_room() => "no_empty_transport",
            Verb::Load | Verb::Transfer => "no_army_there",
            Verb::Split if fleet.ships.len() < 2 => "one_ship_only",
            Verb::Split => "too_many_fleets",
            Verb::Merge | Verb::Retreat => "fleet_not_beside",
        }
    }

    fn cannot_go(&self, fleet: &Fleet, verb: Verb, system: SystemIdx) -> &'static str {
        let Some(from) = fleet.orbit() else {
            return "not_in_orbit";
        };
        let distance = self.galaxy().at(from).distance_to(self.galaxy().at(system));
        if distance > crate::constants::JUMP_MAX_MLY {
            return "too_far";
        }
        if distance > fleet.reach_mly(self.unlimited_fuel()) {
            return "insufficient_fuel";
        }
        match verb {
            Verb::Move => "already_there",
            Verb::Unload => "not_your_system",
            Verb::Load => "no_army_there",
            _ => "does_not_belong_here",
        }
    }
}

/// True if a fleet can merge into another of the same owner: both are in the same orbit, and the
/// target has no order or is already being merged into.
fn joins(fleet: &Fleet, other: &Fleet) -> bool {
    other.rank != fleet.rank
        && matches!(other.order, None | Some(crate::Order::Receive))
        && fleet.orbit().is_some()
        && other.orbit() == fleet.orbit()
}

impl Draft {
    /// The rank of the fleet that is being ordered.
    pub(crate) fn rank(self) -> Option<u16> {
        match self {
            Draft::Idle => None,
            Draft::Fleet(rank)
            | Draft::Verb(rank, _)
            | Draft::Target(rank, _, _)
            | Draft::From(rank, _) => Some(rank),
        }
    }
}
