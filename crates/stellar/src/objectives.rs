//! Victory conditions and the tie-break. They are checked after every other update of a turn.

use kernel::{Seat, SeatSet, Sink};

use crate::event::Event;
use crate::state::{Cause, Ending, Hold, Score, Stellar};
use crate::turn::Presence;
use crate::world::Goal;

/// The leader by the tie-break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    Control(Seat),
    Power(Seat),
    Nobody,
}

impl Stellar {
    /// Updates the count of every hill. The count grows while the same owner holds the system with
    /// a clean orbit, restarts for a new owner, and is reset when the orbit is not clean or nobody
    /// owns the system.
    pub(crate) fn count_hills(&mut self, presence: &Presence, events: &mut impl Sink<Event>) {
        for (idx, goal) in self.world.goals().iter().enumerate() {
            let Goal::Hill(system, _) = *goal else {
                continue;
            };
            let owner = self.owners[system.index()];
            let holder = owner.filter(|owner| presence.is_clean_for(system, *owner));
            let before = self.holds[idx];
            let hold = holder.map(|holder| Hold {
                holder,
                n_turns: match before {
                    Some(before) if before.holder == holder => before.n_turns.saturating_add(1),
                    _ => 1,
                },
            });
            self.holds[idx] = hold;
            if hold.is_some() || before.is_some() {
                events.push(Event::Hill {
                    condition: idx as u8,
                    holder,
                    n_turns: hold.map_or(0, |hold| hold.n_turns),
                });
            }
        }
    }

    /// True if the faction's survival is a condition of this match.
    pub(crate) fn must_survive(&self, seat: Seat) -> bool {
        let counts = |goal: &Goal| matches!(goal, Goal::Survival(_));
        self.world.survivors().contains(seat) && self.world.goals().iter().any(counts)
    }

    /// The ending that follows from the turn just resolved, if there is one: first the conditions
    /// in the order of their declaration, then the turn limit.
    pub(crate) fn decide(&self) -> Option<Ending> {
        let contenders: SeatSet = self
            .present
            .iter()
            .filter(|it| self.alive.contains(*it))
            .collect();
        if contenders.is_empty() {
            return Some(self.conclude(None, Cause::MutualAnnihilation));
        }
        for (idx, goal) in self.world.goals().iter().enumerate() {
            let satisfied = |seat: &Seat| self.satisfies(idx, *goal, *seat);
            let satisfied: SeatSet = contenders.iter().filter(satisfied).collect();
            if satisfied.is_empty() {
                continue;
            }
            // Between several, the tie-break decides, never the order of factions.
            let winner = match satisfied.sole() {
                Some(seat) => Some(seat),
                None => self.lead(satisfied).seat(),
            };
            return Some(self.conclude(winner, Cause::Condition(idx as u8)));
        }
        (self.turn >= self.world.last_turn()).then(|| {
            let lead = self.lead(self.present);
            self.conclude(lead.seat(), lead.cause())
        })
    }

    fn satisfies(&self, idx: usize, goal: Goal, seat: Seat) -> bool {
        match goal {
            Goal::Elimination => {
                let others = |it: &Option<Seat>| it.is_some_and(|owner| owner != seat);
                self.fleets.iter().all(|it| it.owner == seat) && !self.owners.iter().any(others)
            }
            Goal::Domination(wanted) => {
                let owned = self.owners.iter().filter(|it| **it == Some(seat));
                owned.count() >= wanted
            }
            Goal::Hill(_, wanted) => {
                let held = |hold: Hold| hold.holder == seat && hold.n_turns >= wanted;
                self.holds[idx].is_some_and(held)
            }
            Goal::Survival(turn) => self.turn >= turn && self.world.survivors().contains(seat),
        }
    }

    /// The tie-break: the most systems, then the most power among those tied. A faction that has
    /// nothing cannot lead.
    fn lead(&self, among: SeatSet) -> Lead {
        let scores: Vec<(Seat, Score)> = among.iter().map(|it| (it, self.score(it))).collect();
        let most = scores.iter().map(|(_, it)| it.n_systems).max().unwrap_or(0);
        let first: Vec<&(Seat, Score)> = scores
            .iter()
            .filter(|(_, it)| it.n_systems == most)
            .collect();
        if let [(seat, _)] = first.as_slice()
            && most > 0
        {
            return Lead::Control(*seat);
        }
        let power = first.iter().map(|(_, it)| it.power).max().unwrap_or(0);
        let mut strongest = first.iter().filter(|(_, it)| it.power == power);
        match (strongest.next(), strongest.next()) {
            (Some((seat, _)), None) if power > 0 => Lead::Power(*seat),
            _ => Lead::Nobody,
        }
    }

    pub(crate) fn conclude(&self, winner: Option<Seat>, cause: Cause) -> Ending {
        let seats = Seat::first(self.world.n_seats());
        Ending {
            winner,
            cause,
            turn: self.turn,
            scores: seats.map(|seat| self.score(seat)).collect(),
        }
    }
}

impl Lead {
    fn seat(self) -> Option<Seat> {
        match self {
            Lead::Control(seat) | Lead::Power(seat) => Some(seat),
            Lead::Nobody => None,
        }
    }

    fn cause(self) -> Cause {
        match self {
            Lead::Control(_) => Cause::Control,
            Lead::Power(_) => Cause::Power,
            Lead::Nobody => Cause::Draw,
        }
    }
}
