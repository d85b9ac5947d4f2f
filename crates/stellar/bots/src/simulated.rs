//! Stellar Fleet for the simulator: sealed orders of two to eight seats, and matches that continue
//! after a seat leaves.

use std::sync::LazyLock;

use kernel::live::{Live, Ms};
use kernel::words::Words;
use kernel::{Game, GameExt, Seat, SeatSet};
use session::Message;
use session::sim::{Cell, Composer, Draws, Fault, Phase, PhaseKind, Shows, Simulated, Wordy};
use stellar::{Action, Setup, Stellar, SystemIdx, Verb, scenario};

const ORDERS: Phase = Phase::new("Orders", PhaseKind::Deciding, 60);
/// Orders after a seat has left the match.
const DEPLETED: Phase = Phase::new("Depleted", PhaseKind::Deciding, 150);

/// Small galaxies for every number of seats.
static SETUPS: LazyLock<Vec<Setup>> = LazyLock::new(|| {
    let seats = 2..=8;
    let setups = seats.flat_map(|n_seats| (0..3).filter_map(move |nth| small(n_seats, nth)));
    setups.collect()
});

/// The simulation of Stellar Fleet.
pub struct Simulation;

impl Simulated for Simulation {
    type Game = Stellar;
    type Mind = Composer<Simulation>;

    const PHASES: &'static [Phase] = &[ORDERS, DEPLETED, Phase::PAUSED, Phase::OVER];
    const TURN_MS: Ms = 120_000;
    const N_EFFECTS: u64 = 400;

    fn draw_setup(draws: &mut Draws) -> Setup {
        let nth = draws.within(0, SETUPS.len() as u64 - 1) as usize;
        SETUPS[nth].clone()
    }

    fn phase(position: &Stellar) -> Phase {
        if position.present().len() == position.n_seats() {
            ORDERS
        } else {
            DEPLETED
        }
    }

    /// A request in words is accepted as it is or refused, never adjusted.
    fn can_suffer((fault, _): Cell) -> bool {
        fault != Fault::AdjustedAsk
    }

    fn meant(ask: &Words<Action>) -> Option<Vec<Action>> {
        Some(ask.actions())
    }

    /// Sometimes gives an order, then ends the turn.
    fn bot(position: &Stellar, seat: Seat, draws: &mut Draws) -> Vec<Action> {
        let fleet = position
            .legal(seat)
            .iter()
            .find_map(|id| position.action(id));
        let below = Action::Share(draws.within(0, 2) as u8);
        let retreat = Verb::Retreat;
        let order = fleet.map(|fleet| vec![fleet, Action::Verb(retreat), below]);
        let order = order.filter(|words| is_legal(position, seat, words));
        let order = order.filter(|_| draws.permille(500));
        order.unwrap_or(vec![Action::Done])
    }

    const SHOWS: Option<Shows<Simulation>> = Some(shows);
}

fn is_legal(position: &Stellar, seat: Seat, words: &[Action]) -> bool {
    let mut trial = position.clone();
    let mut words = words.iter();
    words.all(|&word| trial.play(seat, word, &mut kernel::Discard).is_ok())
}

/// True if the first turn is over, or the match is.
fn shows(message: &Message<Stellar>) -> bool {
    match message {
        Message::News { events, .. } => events.iter().any(Stellar::calls_for_standing),
        Message::Standing { view, .. } => view.turn > 1 || view.ending.is_some(),
        Message::Over { .. } => true,
        _ => false,
    }
}

impl Wordy for Simulation {
    /// Gives an order every other time, then ends the turn. Destinations and retreat thresholds are
    /// the hidden part.
    fn choose(legal: &[String], shape: &mut Draws, hidden: &mut Draws) -> usize {
        let done = legal.iter().position(|word| word == "done");
        if let Some(done) = done.filter(|_| shape.permille(500)) {
            return done;
        }
        let any_body = legal.iter().position(|word| word == "body:any");
        if let Some(any_body) = any_body {
            return any_body;
        }
        let target = |word: &String| word.starts_with("system:") || word.starts_with("below:");
        let last = legal.len() as u64 - 1;
        if legal.iter().all(target) {
            hidden.within(0, last) as usize
        } else {
            shape.within(0, last) as usize
        }
    }

    /// `system:` is not included: more words may follow it, depending on the verb.
    fn is_whole(word: &str) -> bool {
        word == "done" || word == "end" || word.starts_with("below:")
    }

    /// No order begins with a system.
    fn illegal() -> Action {
        Action::System(SystemIdx(0))
    }
}

/// A galaxy with two systems per seat, short distances and a few turns.
fn small(n_seats: usize, nth: u32) -> Option<Setup> {
    let list = |item: fn(usize) -> String| -> String {
        let items: Vec<String> = (0..n_seats).map(item).collect();
        items.join(",")
    };
    let factions = list(|idx| {
        format!(
            r##"{{"id":"f{idx}","name":"F{idx}","colorHex":"#3b82f{idx}","isPlayable":true,"aiProfile":"balanced"}}"##
        )
    });
    let fleets = list(|idx| {
        format!(
            r#"{{"ownerFactionId":"f{idx}","spawnLocation":"home_system","ships":["cruiser","frigate"],"withArmies":false}},
            {{"ownerFactionId":"f{idx}","spawnLocation":"home_system","ships":["troop_transport"],"withArmies":true}}"#
        )
    });
    let (n_systems, n_turns, fog) = (2 * n_seats + 2, 2 + nth, nth != 1);
    // The third variant is about survival.
    let goal = if nth == 2 {
        r#"{"type":"survival","turns":3}"#
    } else {
        r#"{"type":"domination","percentage":0.6}"#
    };
    let document = format!(
        r#"{{"schemaVersion":1,"id":"small","meta":{{"title":"Small","description":"For simulations.","difficulty":1}},
        "generation":{{"systemCount":{n_systems},"radius":40,"topology":"scattered","minimumSystemSpacingLy":3}},
        "setup":{{"factions":[{factions}],"startingDistribution":"scattered","initialFleets":[{fleets}]}},
        "objectives":{{"victory":[{{"type":"elimination"}},{goal}],
        "constraints":{{"maxTurns":{n_turns}}}}},
        "rules":{{"fogOfWar":{fog},"useAdvancedCombat":true,"aiEnabled":true,"totalWar":true,"unlimitedFuel":true}}}}"#
    );
    let document = kernel::json::read(document.as_bytes()).ok()?;
    let scenario = scenario::examine(&document).scenario?;
    Setup::with_survivors(scenario, nth, SeatSet::first(n_seats)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_galaxy_for_every_number_of_seats() {
        let mut n_seats: Vec<usize> = SETUPS
            .iter()
            .map(|it| Stellar::start(it).n_seats())
            .collect();
        n_seats.dedup();
        assert_eq!(n_seats, [2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(SETUPS.len(), 21);
    }
}
