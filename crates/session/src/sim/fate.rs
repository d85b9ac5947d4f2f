//! What a simulated match will suffer, drawn before it begins.

use crate::Live;
use kernel::Game;
use kernel::fair::Opening;
use kernel::{GameId, Seat, SeatSet};

use super::draw::Draws;
use super::simulated::Simulated;
use crate::{Account, Ms, Terms};

/// What happens to the host of a match.
#[derive(Clone, Debug)]
pub(super) struct Fate {
    /// The numbers of the effects at which the process dies, and whether before them.
    pub(super) crashes: Vec<(u64, bool)>,
    /// How often stored bytes rot while the host is down, in a thousand crashes.
    pub(super) rot_permille: u64,
    /// By seat.
    pub(super) habits: Vec<Habit>,
    /// When storage takes no writes, and for how long.
    pub(super) outage: Option<(Ms, Ms)>,
}

/// How a client behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    /// Tries, then mostly decides.
    Steady,
    /// Often does nothing.
    Absent,
    /// Does nothing, ever.
    Gone,
    /// Sends what makes no sense.
    Noisy,
    /// Loses the connection again and again.
    Flapping,
    /// Has a connection that takes seconds.
    Slow,
    /// Acts at the last instant.
    Late,
    /// Plays so that the match gets into a phase that is rare otherwise.
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

/// What is agreed for a simulated match.
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
        game_id: GameId::from_random_bytes(id),
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

/// How people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Each at a screen of their own, by the game's standard policy.
    Apart,
    /// With a short grace for lost connections.
    Graced,
    /// All at one screen.
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
            // Bots, beside one person or several.
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
