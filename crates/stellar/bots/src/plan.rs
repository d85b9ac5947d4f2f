//! Planning the orders of one turn.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kernel::Seat;
use kernel::rng::Generator;
use stellar::constants::{RETREAT_SHARES, Role, ShipKind};
use stellar::scenario::Profile;
use stellar::{Action, Fleet, Goal, Point, SystemIdx, Verb, View};

use super::Skill;
use super::survey::{Memory, Site, fleet_power, sites};

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
    /// True if each transport acts alone.
    spreads: bool,
    /// Systems that matter at any distance.
    landmarks: Vec<SystemIdx>,
    /// The first war fleet of each orbit and kind.
    flagships: BTreeMap<(SystemIdx, bool), u16>,
}

/// The radius in which a fleet looks for targets, in thousandths of a light-year.
const HORIZON: i64 = 80_000;
/// The maximum number of foreign and of endangered systems among the landmarks.
const LANDMARKS: usize = 16;

/// Scores are compared in parts of a point, so that few of them are equal and the order in which
/// systems are visited, which follows the compass, decides nothing.
const PARTS: u32 = 256;

/// A system within reach of a fleet.
#[derive(Clone, Copy)]
struct Near {
    system: SystemIdx,
    turns: u32,
    squared: i64,
}

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
        let sites = sites(view, seat, memory);
        Plan {
            spreads: spreads(view),
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
        }
    }

    /// Writes all orders in the order in which they are played.
    pub(super) fn write(mut self, out: &mut Vec<Action>) {
        let mut landing: Vec<&Fleet> = Vec::new();
        for fleet in &self.view.fleets {
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
                Kind::War => self.command_war(fleet, out),
                Kind::Empty => self.command_empty(fleet, out),
                Kind::Loaded => {
                    if !self.command_loaded(fleet, out) {
                        landing.push(fleet);
                    }
                }
            }
        }
        self.assault(&landing, out);
        out.push(Action::Done);
    }

    /// True if the commander overlooks this fleet.
    fn slips(&mut self) -> bool {
        match self.skill {
            Skill::Easy => self.rng.below(100) < 60,
            Skill::Medium => self.rng.below(100) < 20,
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
            (Kind::Loaded | Kind::Empty, _) => 3,
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

    /// The systems around a fleet and the landmarks, if within reach, with the turns it takes to
    /// get there.
    fn nearby(&self, fleet: &Fleet) -> Vec<Near> {
        let mut found = self.within(fleet, HORIZON);
        let Some(way) = Way::of(fleet, self.view) else {
            return found;
        };
        let galaxy = self.view.world().galaxy();
        for &landmark in &self.landmarks {
            let squared = galaxy.at(landmark).squared_to(way.at);
            if squared > HORIZON * HORIZON && squared <= way.reach * way.reach {
                found.push(way.to(landmark, squared));
            }
        }
        found
    }

    /// Every system within reach, with the turns it takes to get there.
    fn everywhere(&self, fleet: &Fleet) -> Vec<Near> {
        self.within(fleet, i64::from(i32::MAX))
    }

    fn within(&self, fleet: &Fleet, range: i64) -> Vec<Near> {
        let mut found = Vec::new();
        if let Some(way) = Way::of(fleet, self.view) {
            let galaxy = self.view.world().galaxy();
            let range = way.reach.min(range);
            galaxy.for_each_within(way.at, range, |idx, squared| {
                found.push(way.to(idx, squared));
            });
        }
        found
    }

    fn reaches(&self, fleet: &Fleet, to: SystemIdx) -> bool {
        let galaxy = self.view.world().galaxy();
        Way::of(fleet, self.view)
            .is_some_and(|way| galaxy.at(to).squared_to(way.at) <= way.reach * way.reach)
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

    /// Sends a loaded transport to the best system that it can take alone.
    fn command_loaded(&mut self, fleet: &Fleet, out: &mut Vec<Action>) -> bool {
        let nearby = self.nearby(fleet);
        let choice = self.best_landing(fleet, &nearby).or_else(|| {
            let everywhere = self.everywhere(fleet);
            self.best_landing(fleet, &everywhere)
        });
        match choice {
            Some(choice) => {
                self.order(fleet, Verb::Invade, choice.system, out);
                true
            }
            None => false,
        }
    }

    fn best_landing(&mut self, fleet: &Fleet, among: &[Near]) -> Option<Choice> {
        let strength = self.strength(fleet);
        let own = fleet_power(fleet);
        let mut best: Option<Choice> = None;
        for &Near { system, turns, .. } in among {
            let site = self.sites[system.index()];
            let owner = self.view.owners[system.index()];
            let held = owner == Some(self.seat) && site.garrison == 0;
            if held || site.claimed || site.garrison * 3 / 2 > strength {
                continue;
            }
            if site.threat > 0 && !self.odds(own + site.guard, site.threat) {
                continue;
            }
            let worth = 10 + site.bonus + if owner.is_some() { 6 } else { 0 };
            let score = self.judged(worth * 100 / (turns + 2));
            if best.is_none_or(|best| score > best.score) {
                best = Some(Choice { system, score });
            }
        }
        best
    }

    fn strength(&self, fleet: &Fleet) -> u32 {
        let armies = &self.view.armies;
        let aboard = |rank: u16| {
            let key = (self.seat, rank);
            let found = armies.binary_search_by_key(&key, |it| (it.owner, it.rank));
            found.map_or(0, |idx| armies[idx].power() as u32)
        };
        fleet
            .ships
            .iter()
            .filter_map(|it| it.army)
            .map(aboard)
            .sum()
    }

    /// Loads an empty transport where it is, or sends it to the nearest armies.
    fn command_empty(&mut self, fleet: &Fleet, out: &mut Vec<Action>) {
        let nearby = self.nearby(fleet);
        let choice = self.best_loading(&nearby);
        let choice = choice.or_else(|| self.best_loading(&self.everywhere(fleet)));
        if let Some(choice) = choice {
            self.order(fleet, Verb::Load, choice.system, out);
            let site = &mut self.sites[choice.system.index()];
            site.n_armies -= 1;
        }
    }

    /// The best place to load; of equally good ones, the nearest.
    fn best_loading(&self, among: &[Near]) -> Option<Choice> {
        let mut best: Option<(u32, Reverse<i64>, SystemIdx)> = None;
        for &Near {
            system,
            turns,
            squared,
        } in among
        {
            let site = self.sites[system.index()];
            let danger = site.garrison > 0 || site.threat > site.guard;
            if site.n_armies == 0 || danger {
                continue;
            }
            // The hill is never left empty, and the last army of a home stays.
            let home = self.view.world().galaxy().home(self.seat) == Some(system);
            if (site.bonus >= 60 || home) && site.n_armies == 1 {
                continue;
            }
            let score = 1000 / (turns + 1) + if site.n_armies > 1 { 100 } else { 0 };
            best = best.max(Some((score, Reverse(squared), system)));
        }
        best.map(|(score, _, system)| Choice { system, score })
    }

    /// War fleets merge, defend, strike, guard, or go for supplies.
    fn command_war(&mut self, fleet: &Fleet, out: &mut Vec<Action>) {
        if self.join(fleet, out) {
            return;
        }
        let Some(here) = fleet.orbit() else { return };
        if self.is_worn(fleet) && self.skill > Skill::Easy {
            return self.seek_supplies(fleet, here, out);
        }
        let power = fleet_power(fleet);
        let mut best = Choice {
            system: here,
            score: self.war_score(here, 0, power, here) * PARTS,
        };
        for Near { system, turns, .. } in self.nearby(fleet) {
            let score = self.war_score(system, turns, power, here);
            let score = self.judged(score);
            if system != here && score > best.score {
                best = Choice { system, score };
            }
        }
        if best.system != here {
            self.sites[best.system.index()].guard += power;
            self.order(fleet, Verb::Move, best.system, out);
        }
    }

    /// The value of a system to a war fleet.
    fn war_score(&self, system: SystemIdx, turns: u32, power: u32, here: SystemIdx) -> u32 {
        let site = self.sites[system.index()];
        let owner = self.view.owners[system.index()];
        let other_guard = match system == here {
            true => site.guard.saturating_sub(power),
            false => site.guard,
        };
        let together = power + other_guard;
        if site.threat > 0 && !self.odds(together, site.threat) {
            return 0;
        }
        let mut worth = 1;
        if owner == Some(self.seat) && (site.threat > 0 || site.garrison > 0) {
            worth += self.weights.defend;
        }
        if site.threat > 0 {
            worth += 15;
        }
        if owner.is_some_and(|it| it != self.seat) {
            worth += self.weights.strike + if self.pressing { 10 } else { 0 };
        }
        if site.bonus >= 60 && other_guard == 0 {
            worth += 45;
        }
        if site.claimed && owner != Some(self.seat) {
            worth += 6;
        }
        // One fleet is enough to guard a system.
        if other_guard > site.threat * 2 && site.threat == 0 {
            worth /= 3;
        }
        worth * 100 / (turns + 2)
    }

    /// Merges into the first fleet of its kind in the same orbit.
    fn join(&mut self, fleet: &Fleet, out: &mut Vec<Action>) -> bool {
        let Some(orbit) = fleet.orbit().filter(|_| self.skill > Skill::Easy) else {
            return false;
        };
        let Some(&partner) = self.flagships.get(&(orbit, has_strikers(fleet))) else {
            return false;
        };
        if partner == fleet.rank || self.acts[usize::from(partner)] {
            return false;
        }
        let steps = [
            Action::Fleet(fleet.rank),
            Action::Verb(Verb::Merge),
            Action::Into(partner),
        ];
        out.extend(steps);
        self.note(fleet.rank);
        self.ordered[usize::from(partner)] = true;
        true
    }

    /// True if the fleet has lost half its hull, or has little fuel left.
    fn is_worn(&self, fleet: &Fleet) -> bool {
        let full: u32 = fleet
            .ships
            .iter()
            .map(|it| u32::from(it.kind.class().hull))
            .sum();
        let left: u32 = fleet.ships.iter().map(|it| u32::from(it.hull)).sum();
        let unlimited = self.view.world().scenario().rules.unlimited_fuel;
        let short = fleet
            .ships
            .iter()
            .map(|it| it.kind.class().range_mly())
            .min();
        let low = fleet.reach_mly(unlimited) * 3 < short.unwrap_or(0).min(200_000);
        left * 2 < full || (low && !unlimited)
    }

    fn seek_supplies(&mut self, fleet: &Fleet, here: SystemIdx, out: &mut Vec<Action>) {
        let safe = |site: &Site| site.threat == 0;
        let own = |it: &Near| {
            let idx = it.system.index();
            self.view.owners[idx] == Some(self.seat) && safe(&self.sites[idx])
        };
        let nearest = |among: Vec<Near>| {
            let own = among.into_iter().filter(own);
            own.min_by_key(|it| (it.turns, it.squared, it.system))
        };
        let nearest = nearest(self.nearby(fleet)).or_else(|| nearest(self.everywhere(fleet)));
        if let Some(nearest) = nearest.filter(|it| it.system != here) {
            self.order(fleet, Verb::Move, nearest.system, out);
        }
    }

    /// Transports that found no target alone gather to take a garrison together.
    fn assault(&mut self, waiting: &[&Fleet], out: &mut Vec<Action>) {
        let Some(first) = waiting.first() else { return };
        let Some(target) = self.assault_target(first) else {
            return;
        };
        let needed = self.sites[target.index()].garrison * 3 / 2;
        let Some(staging) = self.staging(target) else {
            return;
        };
        let gathered: Vec<&&Fleet> = waiting
            .iter()
            .filter(|it| it.orbit() == Some(staging))
            .collect();
        let strength: u32 = gathered.iter().map(|it| self.strength(it)).sum();
        let goes = strength >= needed;
        for fleet in waiting {
            let there = fleet.orbit() == Some(staging);
            let reached = |to: SystemIdx| self.reaches(fleet, to);
            if there && goes && reached(target) {
                self.order(fleet, Verb::Invade, target, out);
            } else if !there && reached(staging) {
                self.order(fleet, Verb::Move, staging, out);
            }
        }
    }

    /// The weakest foreign system nearby, preferably one that own warships already besiege.
    fn assault_target(&mut self, fleet: &Fleet) -> Option<SystemIdx> {
        let galaxy = self.view.world().galaxy();
        let at = fleet.at(galaxy);
        let mut best: Option<Choice> = None;
        for idx in galaxy.indices() {
            let site = self.sites[idx.index()];
            let foreign = self.view.owners[idx.index()].is_some_and(|it| it != self.seat);
            if !foreign || site.claimed || !self.odds(site.guard, site.threat) {
                continue;
            }
            let distance = galaxy.at(idx).squared_to(at).isqrt() / 1000;
            let besieged = u32::from(site.guard > 0) * 300;
            let ease = 100_000 / (site.garrison / 10 + 500);
            let score = (1000 + besieged + 5 * site.bonus + ease) * 100 / (distance as u32 + 40);
            if best.is_none_or(|best| score > best.score) {
                best = Some(Choice { system: idx, score });
            }
        }
        best.map(|it| it.system)
    }

    /// The safe own system nearest to a target.
    fn staging(&self, target: SystemIdx) -> Option<SystemIdx> {
        let galaxy = self.view.world().galaxy();
        let at = galaxy.at(target);
        let own = galaxy.indices().filter(|idx| {
            let site = &self.sites[idx.index()];
            self.view.owners[idx.index()] == Some(self.seat)
                && site.threat <= site.guard
                && site.garrison == 0
        });
        own.min_by_key(|idx| galaxy.at(*idx).squared_to(at))
    }
}

/// The position, reach and speed of a fleet.
struct Way {
    from: SystemIdx,
    at: Point,
    reach: i64,
    speed: i64,
}

impl Way {
    fn of(fleet: &Fleet, view: &View) -> Option<Way> {
        let from = fleet.orbit()?;
        let unlimited = view.world().scenario().rules.unlimited_fuel;
        Some(Way {
            from,
            at: view.world().galaxy().at(from),
            reach: fleet.reach_mly(unlimited),
            speed: fleet.speed_mly().max(1),
        })
    }

    fn to(&self, system: SystemIdx, squared: i64) -> Near {
        let turns = (squared.isqrt() / self.speed) as u32 + u32::from(system != self.from);
        Near {
            system,
            turns,
            squared,
        }
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
