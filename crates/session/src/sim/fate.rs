//! The faults of a simulated match, drawn before it begins.

use crate::Live;
use kernel::Game;
use kernel::fair::Opening;
use kernel::{MatchId, Seat, SeatSet};

use super::draw::Draws;
use super::simulated::Simulated;
use crate::{Account, Ms, Terms};

/// The faults of a match's host, and the habits of its clients.
#[derive(Clone, Debug)]
pub(super) struct Fate {
    /// The numbers of the effects at which the process dies, and whether it dies before them.
    pub(super) crashes: Vec<(u64, bool)>,
    /// The chance that stored bytes rot while the host is down, per thousand crashes.
    pub(super) rot_permille: u64,
    pub(super) habits: Vec<Habit>,
    /// The start and the length of the storage outage, if there is one.
    pub(super) outage: Option<(Ms, Ms)>,
}

/// The behavior of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    /// Tries things out, then usually decides.
    Steady,
    /// Often does nothing.
    Absent,
    /// Never does anything.
    Gone,
    /// Sends nonsense.
    Noisy,
    /// Loses the connection again and again.
    Flapping,
    /// Has a connection with a latency of seconds.
    Slow,
    /// Acts at the last instant.
    Late,
    /// Plays so that the match reaches a phase that is otherwise rare.
    Patient,
}

impl Fate {
    pub(super) fn draw<S: Simulated>(n_seats: usize, draws: &mut Draws) -> Fate {
        let n_crashes = draws.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 2]);
        let crashes = (0..n_crashes).map(|_| (draws.within(0, S::N_EFFECTS), draws.permille(500)));
        let crashes = crashes.collect();
        let rot_permille = if draws.permille(100) { 1000 } else { 0 };
        let rare = S::rare_habits(draws);
        let habits = (0..n_seats).map(|_| rare.unwrap_or_else(|| draw_habit(draws)));
        let habits = habits.collect();
        let lasts = draws.pick(&[300, 1_200, 5_000, 30_000, 58_000]);
        let outage = draws
            .permille(150)
            .then(|| (draws.within(0, 3 * S::TURN_MS), lasts));
        Fate {
            crashes,
            rot_permille,
            habits,
            outage,
        }
    }
}

fn draw_habit(draws: &mut Draws) -> Habit {
    match draws.within(0, 99) {
        0..50 => Habit::Steady,
        50..62 => Habit::Absent,
        62..66 => Habit::Gone,
        66..76 => Habit::Noisy,
        76..84 => Habit::Flapping,
        84..92 => Habit::Slow,
        _ => Habit::Late,
    }
}

/// Draws the terms of a simulated match.
pub(super) fn terms<S: Simulated>(draws: &mut Draws) -> Terms<S::Game> {
    let setup = S::draw_setup(draws);
    let n_seats = <S::Game>::start(&setup).n_seats();
    let table = Seating::draw(n_seats, draws);
    let standard = <S::Game>::POLICY.with_people(table.people);
    let policy = match table.manner {
        Manner::Apart => standard,
        Manner::Graced => standard.with_grace(5_000, 12_000),
        Manner::OneScreen => standard.at_one_screen(),
    };
    let mut id = [0; 16];
    id[..8].copy_from_slice(&draws.bits().to_le_bytes());
    id[8..].copy_from_slice(&draws.bits().to_le_bytes());
    Terms {
        game_id: MatchId::from_random_bytes(id),
        setup,
        accounts: table.accounts,
        names: Vec::new(),
        stake: draws.pick(&[0, 1, 1, 7]),
        policy,
        opening: Opening::new(draws.bytes32(), draws.bytes32()),
    }
}

/// The people and bots in the seats.
struct Seating {
    accounts: Vec<Option<Account>>,
    people: SeatSet,
    manner: Manner,
}

/// The way people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Each has a screen, and the game's standard policy applies.
    Apart,
    /// Lost connections have a short grace period.
    Graced,
    /// All share one screen.
    OneScreen,
}

impl Seating {
    fn draw(n_seats: usize, draws: &mut Draws) -> Seating {
        let own = |seat: Seat| Some(Account(100 * (seat.index() as u64 + 1)));
        let mut seating = Seating {
            accounts: Seat::first(n_seats).map(own).collect(),
            people: SeatSet::first(n_seats),
            manner: Manner::Apart,
        };
        match draws.within(0, 19) {
            0..7 => {}
            7..14 => seating.manner = Manner::Graced,
            14..16 => {
                seating.manner = Manner::OneScreen;
                seating.accounts = vec![own(Seat::FIRST); n_seats];
            }
            // Bots play against one person or several.
            16..19 => {
                let n_people = draws.within(1, n_seats as u64 - 1);
                seating.people = SeatSet::first(n_people as usize);
                seating.accounts[n_people as usize..].fill(None);
            }
            // Two of several people share a screen; of two, one plays for both.
            _ => {
                seating.manner = Manner::Graced;
                seating.accounts[1] = seating.accounts[0];
            }
        }
        seating
    }
}
