//! The interface between a game and the simulator, and the behavior of the game's clients.

use kernel::{Discard, Game, GameExt, Seat, Turn};

use super::cells::{Cell, Phase};
use super::client::{Act, Deed};
use super::draw::Draws;
use super::fate::Habit;
use crate::{Live, Message, Ms};

/// A game that can be simulated, with the behavior of its players.
pub trait Simulated: Sized + 'static {
    /// The rules.
    type Game: Live;

    /// The part of a client that knows the game.
    type Mind: Mind<Self>;

    /// The phases in which faults are counted; the last two are [`Phase::PAUSED`] and
    /// [`Phase::OVER`].
    const PHASES: &'static [Phase];

    /// The time for a decision, taken from the rules of the game and not from the session.
    const TURN_MS: Ms;

    /// The approximate number of effects in a match; the process dies at one of these.
    const N_EFFECTS: u64;

    /// Draws the setup of a match. It should make matches short, so that many can be simulated.
    fn draw_setup(draws: &mut Draws) -> Setup<Self>;

    /// A habit for both clients that leads to a phase that is otherwise rare, if there is one.
    fn rare_habits(_draws: &mut Draws) -> Option<Habit> {
        None
    }

    /// The phase of a live position.
    fn phase(position: &Self::Game) -> Phase;

    /// True if a fault that can strike in this kind of phase can strike in this one.
    fn can_suffer(_cell: Cell) -> bool {
        true
    }

    /// The actions that the record holds once this ask was accepted; `None` if it leaves none
    /// there.
    fn meant(ask: &Ask<Self>) -> Option<Vec<Action<Self>>>;

    /// A random decision of a bot in a seat that must still decide.
    fn bot(position: &Self::Game, seat: Seat, draws: &mut Draws) -> Vec<Action<Self>> {
        let mut trial = position.clone();
        let mut actions = Vec::new();
        while actions.is_empty() || trial.line_open_for(seat) {
            let legal: Vec<_> = trial.legal(seat).iter().collect();
            let action = trial.action(draws.pick(&legal));
            let played = action.filter(|&it| trial.play(seat, it, &mut Discard).is_ok());
            let Some(action) = played else {
                break;
            };
            actions.push(action);
        }
        actions
    }

    /// Returns true if a message to another seat or to the public shows what a seat has hidden so
    /// far. Up to the first such message, no byte may depend on what one seat hides. `None` means
    /// that nothing can be hidden differently without changing what is public.
    const SHOWS: Option<Shows<Self>> = None;
}

/// Returns true if a message shows something that was hidden.
pub type Shows<S> = fn(&Message<<S as Simulated>::Game>) -> bool;

/// An ask of the simulated game.
pub type Ask<S> = <<S as Simulated>::Game as Live>::Ask;

/// An action of the simulated game.
pub type Action<S> = <<S as Simulated>::Game as Game>::Action;

/// A setup of the simulated game.
pub type Setup<S> = <<S as Simulated>::Game as Game>::Setup;

/// The part of a client that knows its game, only from the messages that it received.
pub trait Mind<S: Simulated> {
    /// A mind with a habit. It draws its secrets from `hidden`: another stream must change
    /// neither the number of its messages nor their times.
    fn new(habit: Habit, shape: Draws, hidden: Draws) -> Self;

    /// Handles a message.
    fn receive(&mut self, message: &Message<S::Game>) -> Notion;

    /// The actions to take for a decision that is due, each with its delay. [`Deed::Edge`] acts at
    /// the deadline.
    fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)>;

    /// The message to send.
    fn word(&mut self, act: Act) -> Word<S>;

    /// Notes that some time has passed: a question without an answer is given up.
    fn wake(&mut self) {}
}

/// The meaning of a message to a mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notion {
    /// The message requires nothing.
    Nothing,
    /// A decision is due, by this deadline if there is one.
    Wanted(Option<Ms>),
    /// A decision that was begun continues.
    Continue,
}

/// A message that a mind wants to send.
pub enum Word<S: Simulated> {
    /// Nothing is sent.
    Nothing,
    /// A decision.
    Ask(Ask<S>),
    /// A question about what could follow.
    Question(u64, Ask<S>),
}

/// The decision that a match waits for, by the rules alone. While it stays the same, the clock
/// keeps running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    turn_number: u32,
    /// The seat that decides, if it is only one.
    sole: Option<Seat>,
}

impl Decision {
    /// The decision that a position waits for; `None` while it waits for time alone.
    pub(super) fn of(position: &impl Game) -> Option<Decision> {
        let sole = match position.turn() {
            Turn::Seat(seat) => Some(seat),
            Turn::Sealed(_) => None,
            Turn::Chance | Turn::Clock | Turn::Over(_) => return None,
        };
        let turn_number = position.turn_number();
        Some(Decision { turn_number, sole })
    }
}
