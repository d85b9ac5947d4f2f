//! Catan in the simulator: turns, answers out of turn, and dice.
//!
//! No secret can be varied here without changing public facts: the opponent sees every decision,
//! and the order of the deck comes from the same generator as the dice.

use catan::{Action, Catan, RawSetup};
use kernel::live::Ms;
use kernel::words::Words;
use session::sim::{Cell, Composer, Draws, Fault, Phase, PhaseKind, Simulated, Wordy};

/// The initial settlements and roads.
const PLACEMENT: Phase = Phase::new("Placement", PhaseKind::Deciding, 120);
const TURN: Phase = Phase::new("Turn", PhaseKind::Deciding, 15);
/// A discard after a seven or an answer to an offer, often by the player whose turn it is not.
const REPLY: Phase = Phase::new("Reply", PhaseKind::Deciding, 120);

/// The simulator's driver for Catan.
pub struct Simulation;

impl Simulated for Simulation {
    type Game = Catan;
    type Mind = Composer<Simulation>;

    const PHASES: &'static [Phase] = &[PLACEMENT, TURN, REPLY, Phase::PAUSED, Phase::OVER];
    const TURN_MS: Ms = 60_000;
    const N_EFFECTS: u64 = 400;

    fn draw_setup(draws: &mut Draws) -> catan::Setup {
        let raw = RawSetup {
            board: draws.pick(&[catan::BoardKind::Reference, catan::BoardKind::Random]),
            dice: draws.pick(&[catan::DiceKind::Uniform, catan::DiceKind::Bag36]),
            discard_threshold: draws.pick(&[2, 4, 7]),
            player_trades: draws.pick(&[catan::Switch::On, catan::Switch::Off]),
            max_turns: draws.pick(&[2, 4, 6, 8, 16]),
            vp_to_win: draws.pick(&[3, 3, 4]),
            ..RawSetup::default()
        };
        catan::Setup::try_from(raw).unwrap_or_default()
    }

    fn phase(position: &Catan) -> Phase {
        use catan::Phase::*;
        match position.phase() {
            SetupSettlement | SetupRoad => PLACEMENT,
            Discard | MoveRobber | TradeResponse => REPLY,
            Roll | Action | RoadBuilding | TradeOffer | GameOver => TURN,
        }
    }

    /// A decision in words is accepted as a whole or refused.
    fn can_suffer((fault, _): Cell) -> bool {
        fault != Fault::AdjustedAsk
    }

    /// A record counts the cards of a discard but does not keep their order.
    fn meant(ask: &Words<Action>) -> Option<Vec<Action>> {
        let mut actions = ask.actions();
        if let Some(Action::Discard(_)) = actions.first() {
            actions.sort_by_key(|action| action.id());
        }
        Some(actions)
    }
}

impl Wordy for Simulation {
    /// Builds and buys what it can, and sometimes trades.
    fn choose(legal: &[String], shape: &mut Draws, _: &mut Draws) -> usize {
        let good = [
            "city", "settle", "road:", "buy", "knight", "roads", "offer", "accept", "send",
        ];
        let is_good = |word: &String| good.iter().any(|it| word.starts_with(it));
        let found = legal.iter().position(is_good);
        let any = shape.within(0, legal.len() as u64 - 1) as usize;
        let ends = legal.iter().position(|word| word == "end");
        match (found, ends) {
            (Some(found), _) if shape.permille(700) => found,
            (_, Some(ends)) if shape.permille(600) => ends,
            _ => any,
        }
    }

    fn is_whole(word: &str) -> bool {
        let begins = ["knight", "roads", "discard", "free-road", "give", "ask"];
        !begins.iter().any(|it| word.starts_with(it))
    }

    /// A corner that is almost never in reach.
    fn illegal() -> Action {
        Action::BuildSettlement(53)
    }
}
