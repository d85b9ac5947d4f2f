//! The rules as an implementation of the kernel's traits.

use kernel::doc::Faults;
use kernel::json::Json;
use kernel::rng::Generator;
use kernel::{
    ActionId, Conserve, Departure, Draw, Game, Mask, Odds, Reason, Recorded, Sealed, Seat, SeatSet,
    Sink, Turn, Viewer,
};

use crate::action::{Action, Space};
use crate::entry::Decision;
use crate::event::Event;
use crate::setup::Setup;
use crate::shipped;
use crate::snapshot::Snapshot;
use crate::state::{Cause, Draft, Stellar};
use crate::view::View;

impl Game for Stellar {
    const NAME: &'static str = "stellar";
    const RULES_VERSION: &'static str = "1.0.0";

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(setup: &Setup) -> Stellar {
        Stellar::first(setup)
    }

    /// Each fleet gets at most one order and one retreat threshold. An order has at most four steps
    /// in addition to the ships that a split names. There is at most one battle per system.
    fn steps_max(setup: &Setup) -> u64 {
        let world = setup.world();
        let orders = 8 * world.fleet_slots() as u64 + world.ship_slots() as u64 + 2;
        let per_turn = world.n_seats() as u64 * orders + 1 + world.galaxy().n_systems() as u64;
        u64::from(world.last_turn()) * per_turn + world.n_seats() as u64
    }

    fn n_seats(&self) -> usize {
        self.world.n_seats()
    }

    fn turn(&self) -> Turn {
        if let Some(end) = &self.end {
            return Turn::Over(end.outcome(&self.world));
        }
        if !self.battles.is_empty() {
            return Turn::Chance;
        }
        let open: SeatSet = self.present.iter().filter(|it| self.is_open(*it)).collect();
        Turn::Sealed(Sealed {
            open,
            missing: open,
        })
    }

    fn turn_number(&self) -> u32 {
        self.turn
    }

    /// The tie-break: systems, then hull.
    fn progress(&self, seat: Seat) -> Option<u32> {
        let score = self.score(seat);
        let hull = (score.power / 100).min(999) as u32;
        Some(score.n_systems * 1000 + hull)
    }

    fn present(&self) -> SeatSet {
        self.present
    }

    fn n_actions(&self) -> usize {
        Space::of(&self.world).n_actions()
    }

    fn action_id(&self, action: Action) -> ActionId {
        Space::of(&self.world).id(action)
    }

    fn action(&self, id: ActionId) -> Option<Action> {
        Space::of(&self.world).action(id)
    }

    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        self.fill(seat, mask);
    }

    fn refuse(&self, seat: Seat, action: Action) -> Option<Reason> {
        (!self.allows(seat, action)).then(|| self.reason(seat, action))
    }

    fn play_trusted(&mut self, seat: Seat, action: Action, events: &mut impl Sink<Event>) {
        self.compose(seat, action, events);
        if action == Action::Done {
            self.resolve_if_all_done(events);
        }
    }

    fn odds(&self) -> Odds {
        Odds::Seed
    }

    fn resolve_trusted(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        self.fight_next(draw, events);
    }

    /// Complete orders count; an unfinished one is dropped.
    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        self.resolve_orders(events);
    }

    /// A faction that leaves gives no more orders and cannot win; its forces stay where they are.
    fn leave_trusted(&mut self, seats: SeatSet, _: Departure, events: &mut impl Sink<Event>) {
        for seat in seats.iter() {
            self.present = self.present.without(seat);
            self.done = self.done.without(seat);
            events.push(Event::Left { seat });
        }
        let ending = match (self.present.is_empty(), self.present.sole()) {
            (true, _) => Some(self.conclude(None, Cause::Void)),
            (_, Some(seat)) => Some(self.conclude(Some(seat), Cause::Forfeit)),
            _ if self.contenders().is_empty() => {
                Some(self.conclude(None, Cause::MutualAnnihilation))
            }
            _ => None,
        };
        match ending {
            Some(ending) => {
                self.forget_orders();
                self.finish(ending, events);
            }
            None => {
                for seat in seats.iter() {
                    self.forget_orders_of(seat);
                }
                self.resolve_if_all_done(events);
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn line_open_for(&self, seat: Seat) -> bool {
        self.end.is_none() && self.drafts[seat.index()] != Draft::Idle
    }
}

/// Reading a snapshot back checks the consistency of a position.
impl Conserve for Stellar {}

impl Recorded for Stellar {
    const SNAPSHOT_VERSION: &'static str = "1.0.0";
    const SCENARIOS: &'static [&'static str] = &shipped::NAMES;
    type Snapshot = Snapshot;
    type Decision = Decision;

    fn read_setup(document: &Json) -> Result<Setup, Faults> {
        Setup::examine(document)
    }

    fn leaves_open(setup: &Setup) -> bool {
        setup.leaves_galaxy_open()
    }

    fn draw_setup(setup: &Setup, rng: &mut Generator) -> Setup {
        setup.draw_galaxy(rng)
    }

    fn ending_document(&self) -> Option<Json> {
        let ending = self.end.as_ref()?;
        Some(ending.document(&self.world))
    }
}

impl Stellar {
    /// The factions that can still win.
    pub(crate) fn contenders(&self) -> SeatSet {
        self.present
            .iter()
            .filter(|it| self.alive.contains(*it))
            .collect()
    }

    fn resolve_if_all_done(&mut self, events: &mut impl Sink<Event>) {
        if self.contenders().is_subset(self.done) {
            self.resolve_orders(events);
        }
    }

    fn forget_orders(&mut self) {
        for seat in Seat::first(self.world.n_seats()) {
            self.forget_orders_of(seat);
        }
        self.done = SeatSet::EMPTY;
    }

    fn forget_orders_of(&mut self, seat: Seat) {
        self.drafts[seat.index()] = Draft::Idle;
        for fleet in self.fleets.iter_mut().filter(|it| it.owner == seat) {
            fleet.order = None;
            fleet.new_retreat = None;
            fleet.ships.iter_mut().for_each(|ship| ship.leaves = false);
        }
    }
}
