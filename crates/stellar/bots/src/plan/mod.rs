//! Planning the orders of one turn.

mod campaign;
mod decoys;
mod reach;
mod troops;
mod war;

use std::collections::BTreeMap;

use kernel::Seat;
use kernel::rng::Generator;
use stellar::constants::{RETREAT_SHARES, Role, ShipKind};
use stellar::scenario::Profile;
use stellar::{Action, Fleet, Goal, SystemIdx, Verb, View};

use self::reach::Near;
use super::Skill;
use super::survey::{Memory, Site, lurking_power, sites};

/// The preferences of a profile.
struct Weights {
    /// The ratio of own to foreign power at which it attacks, in percent.
    odds: u32,
    /// The value of own systems in danger.
    defend: u32,
    /// The value of foreign systems to war fleets.
    strike: u32,
    /// The retreat threshold, as an index into the list of thresholds.
    retreat: u8,
}

impl Weights {
    fn of(profile: Profile) -> Weights {
        let (odds, defend, strike, retreat) = match profile {
            Profile::Aggressive => (100, 40, 34, 1),
            Profile::Balanced => (125, 50, 26, 2),
            Profile::Defensive => (150, 70, 14, 2),
        };
        Weights {
            odds,
            defend,
            strike,
            retreat,
        }
    }
}

pub(super) struct Plan<'a> {
    view: &'a View,
    seat: Seat,
    weights: Weights,
    skill: Skill,
    sites: Vec<Site>,
    rng: &'a mut Generator,
    /// By rank: true for fleets that this plan gives an order.
    ordered: Vec<bool>,
    n_ordered: usize,
    /// By rank: true for fleets with an order that prevents others from merging into them.
    acts: Vec<bool>,
    pressing: bool,
    /// Hills where decoys break a rival's count, so that war fleets need not.
    decoyed: Vec<SystemIdx>,
    /// True if holding some system wins.
    has_hill: bool,
    /// True if each transport acts alone.
    spreads: bool,
    /// An empty list of systems within reach, with its allocation.
    spare: Vec<Near>,
    /// Systems that matter at any distance.
    landmarks: Vec<SystemIdx>,
    /// The first war fleet of each orbit and kind.
    flagships: BTreeMap<(SystemIdx, bool), u16>,
}

/// The maximum number of foreign and of endangered systems among the landmarks.
const LANDMARKS: usize = 16;

/// Retreat thresholds, as indices into the list of thresholds.
const RETREAT_NEVER: u8 = 0;
const RETREAT_EARLY: u8 = 3;

/// Until this turn a commander expects that a rival may have sent everything to a hill out of sight.
const WARY_TURNS: u32 = 20;

/// Scores are compared in parts of a point, so that few of them are equal and the order in which
/// systems are visited, which follows the compass, decides nothing.
const PARTS: u32 = 256;

/// A destination and its value.
#[derive(Clone, Copy)]
struct Choice {
    system: SystemIdx,
    score: u32,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        view: &'a View,
        profile: Profile,
        skill: Skill,
        memory: &Memory,
        rng: &'a mut Generator,
    ) -> Plan<'a> {
        let seat = view.seat.unwrap_or(Seat::FIRST);
        let mut weights = Weights::of(profile);
        let last = view.world().last_turn();
        // In the last fifth of the match only owned systems count.
        let pressing = view.turn + last / 5 >= last;
        let survives = |goal: &Goal| matches!(goal, Goal::Survival(_));
        if view.world().goals().iter().any(survives) {
            match view.world().survivors().contains(seat) {
                true => (weights.defend, weights.odds) = (weights.defend + 30, weights.odds + 25),
                false => weights.strike += 20,
            }
        }
        if pressing {
            weights.odds = weights.odds * 9 / 10;
        }
        let lurking = match skill {
            Skill::Full if view.turn < WARY_TURNS => lurking_power(view, seat),
            _ => 0,
        };
        let sites = sites(view, seat, memory, lurking);
        Plan {
            spreads: spreads(view),
            spare: Vec::new(),
            landmarks: landmarks(view, seat, &sites),
            flagships: flagships(view),
            sites,
            view,
            seat,
            weights,
            skill,
            rng,
            ordered: vec![false; view.world().fleet_slots()],
            n_ordered: 0,
            acts: vec![false; view.world().fleet_slots()],
            pressing,
            decoyed: Vec::new(),
            has_hill: view
                .world()
                .goals()
                .iter()
                .any(|it| matches!(it, Goal::Hill(..))),
        }
    }

    /// Writes all orders in the order in which they are played.
    pub(super) fn write(mut self, out: &mut Vec<Action>) {
        let (mut war, mut empty, mut loaded) = (Vec::new(), Vec::new(), Vec::new());
        let view = self.view;
        for fleet in &view.fleets {
            if self.slips() {
                continue;
            }
            self.set_retreat(fleet, out);
            if fleet.orbit().is_none() || fleet.order.is_some() {
                continue;
            }
            if self.ordered[usize::from(fleet.rank)] || self.split(fleet, out) {
                continue;
            }
            match kind_of(fleet) {
                Kind::War => war.push(fleet),
                Kind::Empty => empty.push(fleet),
                Kind::Loaded => loaded.push(fleet),
            }
        }
        if self.skill == Skill::Full && self.has_hill {
            let mut transports: Vec<&Fleet> = loaded.iter().chain(&empty).copied().collect();
            self.send_decoys(&mut transports, &war, out);
            let spare = |fleet: &&Fleet| transports.iter().any(|it| it.rank == fleet.rank);
            loaded.retain(spare);
            empty.retain(spare);
        }
        self.command_fleets(&war, out);
        for fleet in empty {
            self.command_empty(fleet, out);
        }
        if self.sees_hills() {
            self.garrison_hills(&mut loaded, out);
        }
        loaded.retain(|fleet| !self.command_loaded(fleet, out));
        self.assault(&loaded, out);
        out.push(Action::Done);
    }

    /// True if the commander coordinates its fleets.
    fn is_able(&self) -> bool {
        self.skill > Skill::Easy
    }

    /// True if the commander thinks of landing on hills this turn.
    fn sees_hills(&mut self) -> bool {
        match self.skill {
            Skill::Easy => false,
            Skill::Medium => self.rng.below(100) < 30,
            Skill::Full => true,
        }
    }

    /// True if the commander overlooks this fleet.
    fn slips(&mut self) -> bool {
        match self.skill {
            Skill::Easy => self.rng.below(100) < 60,
            Skill::Medium => self.rng.below(100) < 40,
            Skill::Full => false,
        }
    }

    /// A score in parts of a point, with an error that depends on the skill.
    fn judged(&mut self, score: u32) -> u32 {
        let noise = match self.skill {
            Skill::Easy => 100,
            Skill::Medium => 40,
            Skill::Full => 4,
        };
        let parts = 100 * PARTS + self.rng.below(noise * u64::from(PARTS)) as u32;
        score * parts / 100
    }

    fn set_retreat(&mut self, fleet: &Fleet, out: &mut Vec<Action>) {
        let idx = match (kind_of(fleet), self.skill) {
            (_, Skill::Easy) => return,
            // A decoy keeps the threshold that it was sent with.
            (Kind::Loaded | Kind::Empty, Skill::Full) if self.contests(fleet) => return,
            (Kind::Loaded | Kind::Empty, _) => RETREAT_EARLY,
            // A fleet that breaks off leaves the hill to its rival.
            (Kind::War, _) if self.has_hill => RETREAT_NEVER,
            (Kind::War, _) => self.weights.retreat,
        };
        if fleet.retreat != RETREAT_SHARES[usize::from(idx)] && fleet.order.is_none() {
            let steps = [
                Action::Fleet(fleet.rank),
                Action::Verb(Verb::Retreat),
                Action::Share(idx),
            ];
            out.extend(steps);
        }
    }

    /// Separates short-range ships, escorts from transports, and transports from each other.
    fn split(&mut self, fleet: &Fleet, out: &mut Vec<Action>) -> bool {
        if self.skill == Skill::Easy || fleet.ships.len() < 2 {
            return false;
        }
        let slots = self.view.world().fleet_slots();
        if self.view.fleets.len() + self.n_ordered >= slots {
            return false;
        }
        let is = |role: Role| move |kind: ShipKind| kind.class().role == role;
        let leaving: Vec<u16> = match kind_of(fleet) {
            Kind::War => places(fleet, is(Role::Striker)),
            Kind::Loaded | Kind::Empty => {
                let escorts = places(fleet, |kind| kind != ShipKind::TroopTransport);
                if escorts.is_empty() && self.spreads {
                    let half = fleet.ships.len() / 2;
                    (0..half as u16).collect()
                } else {
                    escorts
                }
            }
        };
        if leaving.is_empty() || leaving.len() == fleet.ships.len() {
            return false;
        }
        out.extend([Action::Fleet(fleet.rank), Action::Verb(Verb::Split)]);
        out.extend(leaving.into_iter().map(Action::Ship));
        out.push(Action::End);
        self.note(fleet.rank);
        true
    }

    fn note(&mut self, rank: u16) {
        self.ordered[usize::from(rank)] = true;
        self.acts[usize::from(rank)] = true;
        self.n_ordered += 1;
    }

    fn odds(&self, own: u32, foreign: u32) -> bool {
        own * 100 >= foreign * self.weights.odds
    }

    fn order(&mut self, fleet: &Fleet, verb: Verb, to: SystemIdx, out: &mut Vec<Action>) {
        out.extend([
            Action::Fleet(fleet.rank),
            Action::Verb(verb),
            Action::System(to),
        ]);
        if matches!(verb, Verb::Invade | Verb::Unload) {
            out.push(Action::AnyBody);
        }
        self.note(fleet.rank);
        self.sites[to.index()].claimed |= verb == Verb::Invade;
    }
}

/// True while many systems are free, so that each transport acts alone.
fn spreads(view: &View) -> bool {
    let free = view.owners.iter().filter(|it| it.is_none()).count();
    let transports = view.fleets.iter().filter(|it| kind_of(it) != Kind::War);
    free > transports.count()
}

/// Hills, own systems in danger, and the foreign systems nearest to own ones.
fn landmarks(view: &View, seat: Seat, sites: &[Site]) -> Vec<SystemIdx> {
    let galaxy = view.world().galaxy();
    let is_hill = |idx: &SystemIdx| sites[idx.index()].bonus >= 60;
    let mut found: Vec<SystemIdx> = galaxy.indices().filter(is_hill).collect();
    let endangered = |idx: &SystemIdx| {
        let site = &sites[idx.index()];
        view.owners[idx.index()] == Some(seat) && (site.threat > 0 || site.garrison > 0)
    };
    found.extend(galaxy.indices().filter(endangered).take(LANDMARKS));
    let own = galaxy.home(seat).map(|idx| galaxy.at(idx));
    let own = own.or_else(|| view.fleets.first().map(|it| it.at(galaxy)));
    if let Some(own) = own {
        let foreign = |idx: &SystemIdx| view.owners[idx.index()].is_some_and(|it| it != seat);
        let mut foreign: Vec<(i64, SystemIdx)> = galaxy
            .indices()
            .filter(foreign)
            .map(|idx| (galaxy.at(idx).squared_to(own), idx))
            .collect();
        foreign.sort_unstable();
        found.extend(foreign.iter().take(LANDMARKS).map(|it| it.1));
    }
    found
}

/// The war fleet with the lowest rank for each orbit and kind, if it has no order.
fn flagships(view: &View) -> BTreeMap<(SystemIdx, bool), u16> {
    let mut found = BTreeMap::new();
    for fleet in view.fleets.iter().filter(|it| it.order.is_none()) {
        if let (Some(orbit), Kind::War) = (fleet.orbit(), kind_of(fleet)) {
            found
                .entry((orbit, has_strikers(fleet)))
                .or_insert(fleet.rank);
        }
    }
    found
}

fn has_strikers(fleet: &Fleet) -> bool {
    let mut ships = fleet.ships.iter();
    ships.any(|ship| ship.kind.class().role == Role::Striker)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    War,
    Loaded,
    Empty,
}

fn kind_of(fleet: &Fleet) -> Kind {
    let has_transport = fleet
        .ships
        .iter()
        .any(|it| it.kind == ShipKind::TroopTransport);
    match (has_transport, fleet.has_army()) {
        (false, _) => Kind::War,
        (true, true) => Kind::Loaded,
        (true, false) => Kind::Empty,
    }
}

/// The indices of a fleet's ships of some kind.
fn places(fleet: &Fleet, is: impl Fn(ShipKind) -> bool) -> Vec<u16> {
    let ships = (0u16..).zip(&fleet.ships);
    ships
        .filter(|(_, it)| is(it.kind))
        .map(|(idx, _)| idx)
        .collect()
}
