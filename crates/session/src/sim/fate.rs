//! What a simulated match will suffer, drawn before it begins.

use catalog::Orcain;
use kernel::fair::Opening;
use kernel::{Game, GameId, Seat, SeatSet};

use super::draw::Draws;
use crate::{Account, Live, Ms, Policy, Terms};

/// The stake of every simulated match.
pub(super) const STAKE: u64 = 1;

/// What happens to the host of a match.
#[derive(Clone, Debug)]
pub(super) struct Fate {
    /// The numbers of the effects at which the process dies, and whether before them.
    pub(super) crashes: Vec<(u64, bool)>,
    /// How often stored bytes rot while the host is down, in a thousand crashes.
    pub(super) rot_permille: u64,
    pub(super) habits: [Habit; 2],
    /// When storage takes no writes, and for how long.
    pub(super) outage: Option<(Ms, Ms)>,
}

/// How a client behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Habit {
    /// Drafts, then mostly confirms.
    Steady,
    /// Does nothing in half of the rounds.
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
    /// Never attacks before sudden death, so that matches get there.
    Patient,
}

impl Fate {
    pub(super) fn draw(draws: &mut Draws) -> Fate {
        let n_crashes = draws.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 2]);
        let crashes = (0..n_crashes).map(|_| (draws.within(0, 150), draws.permille(500)));
        let crashes = crashes.collect();
        let rot_permille = if draws.permille(100) { 1000 } else { 0 };
        let habits = if draws.permille(80) {
            [Habit::Patient; 2]
        } else {
            [draw_habit(draws), draw_habit(draws)]
        };
        let lasts = draws.pick(&[300, 1_200, 5_000, 30_000, 58_000]);
        let outage = draws
            .permille(150)
            .then(|| (draws.within(0, 60_000), lasts));
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

/// What is agreed for a simulated match: between people without grace, with grace, or
/// against a bot.
pub(super) fn terms(draws: &mut Draws) -> Terms<Orcain> {
    let people = SeatSet::first(2);
    let standard = <Orcain as Live>::POLICY;
    let policy: Policy = match draws.within(0, 9) {
        0..4 => standard.with_people(people),
        4..8 => standard.with_people(people).with_grace(5_000, 12_000),
        _ => standard.with_people(SeatSet::only(Seat::FIRST)),
    };
    let mut id = [0; 16];
    id[..8].copy_from_slice(&draws.next().to_le_bytes());
    id[8..].copy_from_slice(&draws.next().to_le_bytes());
    Terms {
        game_id: GameId::from_random_bytes(id),
        setup: <Orcain as Game>::Setup::default(),
        accounts: vec![Account(100), Account(200)],
        names: Vec::new(),
        stake: STAKE,
        policy,
        opening: Opening::new(draws.bytes32(), draws.bytes32()),
    }
}
