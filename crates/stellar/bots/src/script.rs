//! Scripted opponents: rushes and turtles that follow one rule. A commander must beat them; they
//! are not offered to players.

use kernel::rng::Generator;
use kernel::{Agent, Mask, Perspective, Seat};
use stellar::{Action, Fleet, Goal, Stellar, SystemIdx, Verb, View};

/// An agent that follows one rule for its warships and one for its transports.
#[derive(Clone, Debug)]
pub struct Script {
    name: &'static str,
    warships: Rule,
    transports: Rule,
    queue: Vec<Action>,
    mask: Mask,
}

/// A destination, chosen in the same way every turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// Never move.
    Stay,
    /// The nearest hill; without a hill, the nearest home of a rival.
    Hill,
    /// The nearest home of a rival.
    RivalHome,
    /// The nearest system of a rival.
    RivalSystem,
    /// The nearest system that is not its own.
    NearestOther,
    /// Its own home.
    Home,
}

/// The scripts by name.
const SCRIPTS: [(&str, Rule, Rule); 6] = [
    ("rush-hill", Rule::Hill, Rule::Hill),
    ("rush-home", Rule::RivalHome, Rule::RivalHome),
    ("raid", Rule::RivalSystem, Rule::NearestOther),
    ("swarm", Rule::NearestOther, Rule::NearestOther),
    ("turtle", Rule::Stay, Rule::Stay),
    ("turtle-grab", Rule::Home, Rule::NearestOther),
];

impl Script {
    /// The names of all scripts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SCRIPTS.iter().map(|it| it.0)
    }

    /// The script with this name, if there is one.
    pub fn named(name: &str) -> Option<Script> {
        let found = SCRIPTS.iter().find(|it| it.0 == name);
        found.map(|&(name, warships, transports)| Script {
            name,
            warships,
            transports,
            queue: Vec::new(),
            mask: Mask::default(),
        })
    }

    fn write_orders(&mut self, view: &View) {
        self.queue.clear();
        for fleet in view.fleets.iter().filter(|it| it.order.is_none()) {
            self.command(view, fleet);
        }
        self.queue.push(Action::Done);
        self.queue.reverse();
    }

    fn command(&mut self, view: &View, fleet: &Fleet) {
        let (verb, rule) = match (fleet.has_army(), fleet.has_room()) {
            (true, _) => (Verb::Invade, self.transports),
            (false, true) => (Verb::Load, Rule::Home),
            (false, false) => (Verb::Move, self.warships),
        };
        let Some(here) = fleet.orbit() else { return };
        let Some(to) = rule.target(view, fleet) else {
            return;
        };
        if rule == Rule::Stay || (to == here && verb == Verb::Move) {
            return;
        }
        let steps = [
            Action::Fleet(fleet.rank),
            Action::Verb(verb),
            Action::System(to),
        ];
        self.queue.extend(steps);
        if verb == Verb::Invade {
            self.queue.push(Action::AnyBody);
        }
    }
}

impl Rule {
    fn target(self, view: &View, fleet: &Fleet) -> Option<SystemIdx> {
        let seat = view.seat.unwrap_or(Seat::FIRST);
        let galaxy = view.world().galaxy();
        let owner = |system: &SystemIdx| view.owners[system.index()];
        let rival = |system: &SystemIdx| owner(system).is_some_and(|it| it != seat);
        let is_home = |system: &SystemIdx| {
            Seat::first(view.world().n_seats())
                .any(|it| it != seat && galaxy.home(it) == Some(*system))
        };
        let is_hill = |system: &SystemIdx| {
            let mut goals = view.world().goals().iter();
            goals.any(|goal| matches!(goal, Goal::Hill(at, _) if at == system))
        };
        let nearest = |fits: &dyn Fn(&SystemIdx) -> bool| {
            let from = fleet.at(galaxy);
            let systems = galaxy.indices().filter(|it| fits(it));
            systems.min_by_key(|it| galaxy.at(*it).squared_to(from))
        };
        match self {
            Rule::Stay => None,
            Rule::Hill => nearest(&is_hill).or_else(|| nearest(&is_home)),
            Rule::RivalHome => nearest(&is_home),
            Rule::RivalSystem => nearest(&rival),
            Rule::NearestOther => nearest(&|it| owner(it) != Some(seat)),
            Rule::Home => galaxy.home(seat),
        }
    }
}

impl Agent<Stellar> for Script {
    fn name(&self) -> &str {
        self.name
    }

    fn begin(&mut self) {
        self.queue.clear();
    }

    /// Skips orders that are refused, such as a jump that is too far.
    fn choose(&mut self, seen: &Perspective<'_, Stellar>, rng: &mut Generator) -> Option<Action> {
        if self.queue.is_empty() {
            self.write_orders(&seen.view());
        }
        while let Some(action) = self.queue.pop() {
            if seen.refuse(action).is_none() {
                return Some(action);
            }
        }
        seen.fill_legal(&mut self.mask);
        seen.action(self.mask.sample(rng)?)
    }

    fn again(&self) -> Box<dyn Agent<Stellar>> {
        let mut again = self.clone();
        Agent::<Stellar>::begin(&mut again);
        Box::new(again)
    }
}
