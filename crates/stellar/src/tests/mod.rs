//! Named cases of the rules, in positions set up by hand.

mod objectives;
mod resolutions;
mod rules;

use kernel::json::{self, Json};
use kernel::{Draw, Game, GameExt, Recorded, Seat, SeatSet, Step, Turn, Viewer};

use crate::action::Action;
use crate::constants::ShipKind;
use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::scenario::{self, Scenario};
use crate::setup::Setup;
use crate::state::{Army, Cause, Fleet, Mission, Place, Post, Ship, Stellar, Verb};

const BLUE: Seat = Seat::FIRST;
const RED: Seat = Seat::SECOND;

fn green() -> Seat {
    Seat::new(2).unwrap()
}

/// A position and the events of its steps.
struct Desk {
    at: Stellar,
    events: Vec<Event>,
}

/// A scenario of `n_factions` without fleets or territory, with `n_systems` systems far apart.
fn bare(n_factions: usize, n_systems: u32, victory: &str, cap: Option<u32>) -> Scenario {
    let factions: Vec<String> = ["blue", "red", "green", "gold"][..n_factions]
        .iter()
        .map(|id| {
            format!(
                "{{\"id\": \"{id}\", \"name\": \"{id}\", \"colorHex\": \"#123456\", \
                 \"isPlayable\": true}}"
            )
        })
        .collect();
    let cap = cap.map_or(String::new(), |cap| format!("\"maxTurns\": {cap}"));
    let text = format!(
        "{{\"schemaVersion\": 1, \"id\": \"bare\",
          \"meta\": {{\"title\": \"Bare\", \"description\": \"\", \"difficulty\": 1}},
          \"generation\": {{\"systemCount\": {n_systems}, \"radius\": 250,
            \"topology\": \"scattered\", \"minimumSystemSpacingLy\": 40}},
          \"setup\": {{\"factions\": [{}], \"startingDistribution\": \"none\",
            \"initialFleets\": [{}]}},
          \"objectives\": {{\"victory\": {victory}, \"constraints\": {{{cap}}}}},
          \"rules\": {{\"fogOfWar\": true, \"useAdvancedCombat\": true, \"aiEnabled\": true,
            \"totalWar\": true}}}}",
        factions.join(", "),
        // Reserves ranks for ships and fleets; the fleets themselves are removed.
        ["blue", "red", "green", "gold"][..n_factions]
            .iter()
            .map(|id| {
                let ships = ["\"frigate\""; 12].join(", ");
                format!(
                    "{{\"ownerFactionId\": \"{id}\", \"spawnLocation\": \"random\", \
                     \"ships\": [{ships}]}}"
                )
            })
            .collect::<Vec<_>>()
            .join(", "),
    );
    let report = scenario::examine(&json::read(text.as_bytes()).unwrap());
    report
        .scenario
        .unwrap_or_else(|| panic!("{:?}", report.findings))
}

impl Desk {
    fn of(scenario: Scenario) -> Desk {
        Desk::with(&Setup::new(scenario, 1).unwrap())
    }

    fn with(setup: &Setup) -> Desk {
        let mut at = Stellar::start(setup);
        at.fleets.clear();
        at.armies.clear();
        at.alive = SeatSet::EMPTY;
        Desk {
            at,
            events: Vec::new(),
        }
    }

    fn new(n_factions: usize, n_systems: u32, victory: &str, cap: Option<u32>) -> Desk {
        Desk::of(bare(n_factions, n_systems, victory, cap))
    }

    /// Gives systems to a faction.
    fn own(mut self, seat: Seat, systems: std::ops::Range<u16>) -> Desk {
        for system in systems {
            self.at.owners[usize::from(system)] = Some(seat);
        }
        self.at.alive = self.at.alive.with(seat);
        self
    }

    /// Puts a fleet into orbit.
    fn fleet(mut self, seat: Seat, system: u16, kinds: &[ShipKind]) -> Desk {
        let own = self.at.fleets_of(seat);
        let first: u16 = own.iter().map(|it| it.ships.len() as u16).sum();
        let ships = (first..)
            .zip(kinds)
            .map(|(rank, kind)| Ship::new(rank, *kind, None));
        let fleet = Fleet {
            owner: seat,
            rank: own.len() as u16,
            place: Place::Orbit(SystemIdx(system)),
            mission: Mission::None,
            retreat: 0,
            ships: ships.collect(),
            order: None,
            new_retreat: None,
            breaks_off: false,
        };
        let at = self.at.fleets.partition_point(|it| it.owner <= seat);
        self.at.fleets.insert(at, fleet);
        self.at.alive = self.at.alive.with(seat);
        self
    }

    /// Puts an army on a body.
    fn army(mut self, seat: Seat, system: u16, body: u8) -> Desk {
        let rank = self.at.armies_of(seat).len() as u16;
        let at = self.at.armies.partition_point(|it| it.owner <= seat);
        let army = Army::new(seat, rank, Post::Ground(SystemIdx(system), body));
        self.at.armies.insert(at, army);
        self
    }

    /// Puts an army into each transport of the faction's last fleet.
    fn load(mut self, seat: Seat) -> Desk {
        let n_armies = self.at.armies_of(seat).len() as u16;
        let fleet = self
            .at
            .fleets
            .iter_mut()
            .rfind(|it| it.owner == seat)
            .unwrap();
        let empty = fleet.ships.iter_mut().filter(|it| it.has_room());
        let mut ranks = Vec::new();
        for (rank, ship) in (n_armies..).zip(empty) {
            ship.army = Some(rank);
            ranks.push(rank);
        }
        let at = self.at.armies.partition_point(|it| it.owner <= seat);
        let new = ranks
            .into_iter()
            .map(|rank| Army::new(seat, rank, Post::Aboard));
        self.at.armies.splice(at..at, new);
        self
    }

    fn step(&mut self, step: Step<Action>) {
        let result = self.at.apply(step, &mut self.events);
        result.unwrap_or_else(|refusal| panic!("{step:?} in {}: {refusal}", self.at));
        self.is_sound();
    }

    /// Applies a step without checking that the position before it is reachable.
    fn step_loose(&mut self, step: Step<Action>) {
        assert_eq!(self.at.apply(step, &mut self.events), Ok(()));
    }

    /// Checks that the position survives a round trip through its snapshot.
    fn is_sound(&self) {
        let document = json::from_value(&self.at.snapshot()).unwrap();
        let mut faults = kernel::doc::Faults::default();
        let node = kernel::doc::Node::root(&document);
        let read = Stellar::restore(&node, &mut faults);
        assert_eq!(read.as_ref(), Some(&self.at), "{faults}");
    }

    fn order(&mut self, seat: Seat, steps: &[Action]) -> &mut Desk {
        for action in steps {
            self.step(Step::Play(seat, *action));
        }
        self
    }

    fn go(&mut self, seat: Seat, rank: u16, verb: Verb, to: u16) -> &mut Desk {
        let to = Action::System(SystemIdx(to));
        self.order(seat, &[Action::Fleet(rank), Action::Verb(verb), to]);
        if matches!(verb, Verb::Invade | Verb::Unload) {
            self.order(seat, &[Action::AnyBody]);
        }
        self
    }

    /// Resolves the turn, each battle from its own seed.
    fn resolve(&mut self) -> &mut Desk {
        self.step(Step::Deadline);
        let mut seed = 7;
        while self.at.turn() == Turn::Chance {
            self.step(Step::Chance(Draw(seed)));
            seed += 1;
        }
        self
    }

    /// Resolves from an unreachable position: a faction that has nothing is marked alive, so that
    /// the end of the turn eliminates it.
    fn resolve_unsound(&mut self) {
        let done = self.at.apply(Step::Deadline, &mut self.events);
        assert_eq!(done, Ok(()));
        self.is_sound();
    }

    fn resolve_turns(&mut self, n_turns: u32) -> &mut Desk {
        for _ in 0..n_turns {
            self.resolve();
        }
        self
    }

    /// The winner, the cause and the last turn, once the match is over.
    fn end(&self) -> Option<(Option<Seat>, Cause, u32)> {
        self.at.ending().map(|it| (it.winner, it.cause, it.turn))
    }

    fn is_over(&self) -> bool {
        self.at.ending().is_some()
    }

    fn view(&self, viewer: Viewer) -> Json {
        json::from_value(&self.at.view(viewer)).unwrap()
    }

    fn happened(&self, event: &Event) -> bool {
        self.events.contains(event)
    }
}

/// The codes of the findings in the base document with these objectives.
fn codes(objectives: &str) -> Vec<String> {
    scenario::examine(&with_objectives(objectives)).codes()
}

fn with_objectives(objectives: &str) -> Json {
    let table = include_str!("../../../../testdata/stellar/scenarios.json");
    let table = json::read(table.as_bytes()).unwrap();
    let mut base = table.get("base").unwrap().clone();
    let objectives = json::read(objectives.as_bytes()).unwrap();
    if let Json::Object(fields) = &mut base {
        fields.insert("objectives".to_owned(), objectives);
    }
    base
}
