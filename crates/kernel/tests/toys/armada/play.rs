//! The rules.

use kernel::doc::{Faults, Node};
use kernel::{
    ActionId, Departure, Draw, Game, Mask, Odds, Recorded, Sealed, Seat, SeatSet, Sink, Turn,
    Viewer,
};

use super::snapshot::Snapshot;
use super::{
    Action, Armada, Decision, End, Event, FACTIONS_MAX, FLEETS_MAX, FLEETS_START, Faction,
    SYSTEMS_MAX, Setup, View,
};

impl Game for Armada {
    const NAME: &'static str = "armada";
    const RULES_VERSION: &'static str = "1.0.0";

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(setup: &Setup) -> Armada {
        let mut armada = Armada {
            setup: *setup,
            turn: 1,
            factions: [Faction::default(); FACTIONS_MAX],
            alive: SeatSet::first(setup.n_factions.into()),
            done: SeatSet::EMPTY,
            battles: 0,
            end: None,
        };
        for seat in armada.alive.iter() {
            armada.factions[seat.index()].fleets[armada.home(seat)] = FLEETS_START;
        }
        armada
    }

    fn steps_max(setup: &Setup) -> u64 {
        let orders = u64::from(setup.n_factions) * (2 * u64::from(setup.n_systems) + 1);
        let clock = 1 + u64::from(setup.n_systems);
        u64::from(setup.max_turns) * (orders + clock) + u64::from(setup.n_factions)
    }

    fn n_seats(&self) -> usize {
        self.setup.n_factions.into()
    }

    fn turn(&self) -> Turn {
        if let Some(end) = self.end {
            return Turn::Over(end.outcome());
        }
        if self.battles != 0 {
            return Turn::Chance;
        }
        let open: SeatSet = self.alive.iter().filter(|it| self.is_open(*it)).collect();
        Turn::Sealed(Sealed {
            open,
            missing: open,
        })
    }

    fn turn_number(&self) -> u32 {
        self.turn.into()
    }

    fn present(&self) -> SeatSet {
        self.alive
    }

    fn n_actions(&self) -> usize {
        2 * usize::from(self.setup.n_systems) + 1
    }

    fn action_id(&self, action: Action) -> ActionId {
        self.id_of(action)
    }

    fn action(&self, id: ActionId) -> Option<Action> {
        self.with_id(id)
    }

    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        if !self.is_open(seat) {
            return;
        }
        let faction = self.faction(seat);
        if let Some(chosen) = faction.chosen {
            for target in self.beside(chosen.into()) {
                mask.allow(self.id_of(Action::Target(target as u8)));
            }
            return;
        }
        for system in self.systems() {
            if faction.fleets[system] > 0 && faction.orders[system].is_none() {
                mask.allow(self.id_of(Action::Choose(system as u8)));
            }
        }
        mask.allow(self.id_of(Action::Done));
    }

    fn play_trusted(&mut self, seat: Seat, action: Action, events: &mut impl Sink<Event>) {
        let faction = &mut self.factions[seat.index()];
        match action {
            Action::Choose(system) => faction.chosen = Some(system),
            Action::Target(target) => {
                if let Some(from) = faction.chosen.take() {
                    faction.orders[usize::from(from)] = Some(target);
                }
                events.push(Event::Ordered(seat));
            }
            Action::Done => {
                self.done = self.done.with(seat);
                self.move_if_all_done(events);
            }
        }
    }

    fn odds(&self) -> Odds {
        Odds::Seed
    }

    /// Fights the battle in the lowest system that has one. A faction's chance to win is
    /// proportional to its fleets there, and the winner keeps some of them.
    fn resolve_trusted(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        let system = self.battles.trailing_zeros() as usize;
        let fought = self.held_by(system);
        let winner = self.winner(system, draw);
        for seat in fought.iter() {
            let fleets = &mut self.factions[seat.index()].fleets[system];
            let n_kept = 1 + ((draw.0 >> 32) % u64::from(*fleets)) as u8;
            *fleets = if seat == winner { n_kept } else { 0 };
        }
        events.push(Event::Fought {
            system: system as u8,
            fought,
            winner,
        });
        self.battles &= self.battles - 1;
        if self.battles == 0 {
            self.end_turn(events);
        }
    }

    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        self.move_all(events);
    }

    fn leave_trusted(&mut self, seats: SeatSet, _: Departure, events: &mut impl Sink<Event>) {
        for seat in seats.iter() {
            self.eliminate(seat, events);
        }
        match (self.alive.is_empty(), self.alive.sole()) {
            (true, _) => self.finish(End::Void, events),
            (_, Some(seat)) => self.finish(End::Last(seat), events),
            _ => self.move_if_all_done(events),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn line_open_for(&self, seat: Seat) -> bool {
        self.end.is_none() && self.faction(seat).chosen.is_some()
    }
}

impl Recorded for Armada {
    const SNAPSHOT_VERSION: &'static str = "1.0.0";
    type Snapshot = Snapshot;
    type Decision = Decision;
}

impl Armada {
    /// The system where a faction starts and builds.
    fn home(&self, seat: Seat) -> usize {
        seat.index() * usize::from(self.setup.n_systems) / usize::from(self.setup.n_factions)
    }

    fn is_open(&self, seat: Seat) -> bool {
        let asked = self.alive.contains(seat) && !self.done.contains(seat);
        asked && self.end.is_none() && self.battles == 0
    }

    fn move_if_all_done(&mut self, events: &mut impl Sink<Event>) {
        if self.alive.is_subset(self.done) {
            self.move_all(events);
        }
    }

    /// Moves all fleets at once; those without an order stay.
    fn move_all(&mut self, events: &mut impl Sink<Event>) {
        for faction in &mut self.factions {
            let mut moved = [0; SYSTEMS_MAX];
            for (system, &n) in faction.fleets.iter().enumerate() {
                moved[faction.orders[system].map_or(system, usize::from)] += n;
            }
            faction.fleets = moved;
            faction.forget_orders();
        }
        self.done = SeatSet::EMPTY;
        events.push(Event::Moved { turn: self.turn });
        let meets = |system: &usize| self.held_by(*system).len() > 1;
        self.battles = self.systems().filter(meets).map(|it| 1 << it).sum();
        if self.battles == 0 {
            self.end_turn(events);
        }
    }

    fn winner(&self, system: usize, draw: Draw) -> Seat {
        let fleets = |seat: Seat| u64::from(self.faction(seat).fleets[system]);
        let n_all: u64 = self.held_by(system).iter().map(fleets).sum();
        let mut rank = (draw.0 & 0xffff_ffff) % n_all;
        for seat in self.held_by(system).iter() {
            match rank.checked_sub(fleets(seat)) {
                Some(rest) => rank = rest,
                None => return seat,
            }
        }
        unreachable!("the rank is below the number of fleets")
    }

    fn end_turn(&mut self, events: &mut impl Sink<Event>) {
        let beaten = |seat: &Seat| self.faction(*seat).n_fleets() == 0;
        let beaten: SeatSet = self.alive.iter().filter(beaten).collect();
        for seat in beaten.iter() {
            self.eliminate(seat, events);
        }
        if let Some(seat) = self.alive.sole() {
            return self.finish(End::Last(seat), events);
        }
        if self.turn == self.setup.max_turns {
            return self.finish(End::Most(self.leaders()), events);
        }
        self.turn += 1;
        for seat in self.alive.iter() {
            let home = self.home(seat);
            let faction = &mut self.factions[seat.index()];
            let builds = faction.fleets[home] > 0 && faction.n_fleets() < FLEETS_MAX;
            faction.fleets[home] += u8::from(builds);
        }
    }

    /// The factions with the most fleets; empty when all have equally many.
    pub(super) fn leaders(&self) -> SeatSet {
        let fleets = |seat: Seat| self.faction(seat).n_fleets();
        let most = self.alive.iter().map(fleets).max();
        let leaders: SeatSet = self
            .alive
            .iter()
            .filter(|seat| Some(fleets(*seat)) == most)
            .collect();
        if leaders == self.alive {
            SeatSet::EMPTY
        } else {
            leaders
        }
    }

    fn eliminate(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        self.factions[seat.index()] = Faction::default();
        self.alive = self.alive.without(seat);
        self.done = self.done.without(seat);
        events.push(Event::Eliminated(seat));
    }

    fn finish(&mut self, end: End, events: &mut impl Sink<Event>) {
        self.end = Some(end);
        events.push(Event::Ended);
    }
}
