//! A view as text for the terminal: the state of the match, the forces, a map and its names.

mod forces;
mod map;

use std::fmt;

use kernel::Seat;
use kernel::terminal::Terminal;

use crate::action::Action;
use crate::galaxy::SystemIdx;
use crate::setup::Setup;
use crate::state::Stellar;
use crate::view::View;
use crate::world::Goal;

impl Terminal for Stellar {
    fn how_to_play(_: &Setup) -> String {
        HOW_TO_PLAY.to_owned()
    }

    /// Systems have names and ids.
    fn names(&self, action: Action) -> Vec<String> {
        match action {
            Action::System(idx) => {
                let system = self.galaxy().system(idx);
                vec![system.name.clone(), system.id.clone()]
            }
            _ => Vec::new(),
        }
    }

    fn map(view: &View) -> Option<String> {
        Some(map::draw(view))
    }

    fn legend(view: &View) -> Option<String> {
        Some(map::names(view))
    }
}

const HOW_TO_PLAY: &str = "\
Every faction gives sealed orders for the same turn; then all of them are carried out. Fleets fly
between systems in straight lines. Fleets of different factions that meet fight. Armies aboard troop
transports take systems: a system belongs to the faction whose troops hold it.
An order is a fleet, a verb and what the verb needs, on one line. Systems go by number or name:
  0 move 12           fleet 0 flies to system 12
  0 move Vega         the same, by name
  0 invade Vega any   lands its armies there; any lets the rules choose the planet or moon
  0 load 12           picks up armies; 0 unload 12 any puts them down in your own system
  0 split 1 2 end     ships 1 and 2 of the fleet (counted from 0) form a new fleet
  0 merge 3           joins fleet 3 in the same orbit
  0 retreat 50        breaks off battles when your side is below 50 % of its strength
  done                ends your orders for this turn
";

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn {} of {}", self.turn, self.world.last_turn())?;
        for seat in Seat::first(self.world.n_seats()) {
            let is_own = self.seat == Some(seat);
            let note = match (is_own, self.alive.contains(seat)) {
                (_, false) => " (gone)",
                (true, true) => " (you)",
                (false, true) => "",
            };
            let (mark, id) = (map::mark(seat), self.world.faction_id(seat));
            write!(f, " · {mark} {id}{note} {}", self.n_owned(seat))?;
        }
        writeln!(f)?;
        for idx in 0..self.world.goals().len() {
            writeln!(f, "  {}", self.goal(idx))?;
        }
        self.write_forces(f)?;
        match self.outcome() {
            Some(outcome) => writeln!(f, "Over: {outcome}"),
            None => Ok(()),
        }
    }
}

impl View {
    /// A condition in words, with the progress toward it.
    fn goal(&self, idx: usize) -> String {
        match self.world.goals()[idx] {
            Goal::Elimination => "To win: be the only faction with a fleet or a system.".to_owned(),
            Goal::Domination(n_systems) => format!("To win: own {n_systems} systems."),
            Goal::Hill(system, n_turns) => {
                let held = match self.holds[idx] {
                    Some(hold) => {
                        let holder = self.world.faction_id(hold.holder);
                        format!("{holder} has held it for {}", hold.n_turns)
                    }
                    None => "nobody holds it".to_owned(),
                };
                let hill = self.named(system);
                format!("To win: hold {hill} for {n_turns} turns in a row; {held}.")
            }
            Goal::Survival(turn) => {
                let survivors = self.world.survivors().iter();
                let ids: Vec<&str> = survivors.map(|it| self.world.faction_id(it)).collect();
                format!("{} wins by surviving turn {turn}.", ids.join(" or "))
            }
        }
    }

    /// A system by number and name.
    fn named(&self, idx: SystemIdx) -> String {
        format!("{} {}", idx.0, self.world.galaxy().system(idx).name)
    }
}

/// A distance in light-years, rounded to tenths.
fn light_years(distance_mly: i64) -> String {
    let tenths = (distance_mly + 50) / 100;
    format!("{}.{} ly", tenths / 10, tenths % 10)
}
