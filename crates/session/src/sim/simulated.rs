//! What a game must say to be simulated, and how its clients behave.

use kernel::{Discard, Game, GameExt, Seat, Turn};

use super::cells::{Cell, Phase};
use super::client::{Act, Deed};
use super::draw::Draws;
use super::fate::Habit;
use crate::{Live, Message, Ms};

/// How a game is simulated: what its rules are, and how its players behave.
pub trait Simulated: Sized + 'static {
    /// The game.
    type Game: Live;

    /// The mind of a client.
    type Mind: Mind<Self>;

    /// The phases that cells are counted in; the last two are [`Phase::PAUSED`] and
    /// [`Phase::OVER`].
    const PHASES: &'static [Phase];

    /// How long seats may decide, from the rules of the game and not from the session.
    const TURN_MS: Ms;

    /// About how many effects a match has: the process dies at one of these.
    const N_EFFECTS: u64;

    /// What a match starts from. Matches are short: a simulation is about their number.
    fn draw_setup(draws: &mut Draws) -> Setup<Self>;

    /// How two clients behave who want to reach a phase that is rare otherwise.
    fn rare_habits(_draws: &mut Draws) -> Option<Habit> {
        None
    }

    /// The phase of a position in play.
    fn phase(position: &Self::Game) -> Phase;

    /// Whether a fault can strike in a phase, where it can in general.
    fn can_suffer(_cell: Cell) -> bool {
        true
    }

    /// The actions that the record holds once this ask was taken.
    fn meant(ask: &Ask<Self>) -> Option<Vec<Action<Self>>>;

    /// A decision of a bot: of an open seat that has given nothing, at random.
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

    /// Whether a message to another seat or to the public shows what a seat has hidden so
    /// far. Up to the first such message, what one seat hides must show in no byte. None
    /// means that nothing can be hidden differently without changing what is public.
    const SHOWS: Option<Shows<Self>> = None;
}

/// Whether a message shows something that was hidden.
pub type Shows<S> = fn(&Message<<S as Simulated>::Game>) -> bool;

/// An ask of the simulated game.
pub type Ask<S> = <<S as Simulated>::Game as Live>::Ask;

/// An action of the simulated game.
pub type Action<S> = <<S as Simulated>::Game as Game>::Action;

/// A setup of the simulated game.
pub type Setup<S> = <<S as Simulated>::Game as Game>::Setup;

/// The part of a client that knows its game, from what it was sent and from nothing else.
pub trait Mind<S: Simulated> {
    /// A mind with a habit. What it hides comes from a stream of its own: another stream
    /// changes neither how many messages it sends nor when.
    fn new(habit: Habit, shape: Draws, hidden: Draws) -> Self;

    /// Takes a message.
    fn hear(&mut self, message: &Message<S::Game>) -> Notion;

    /// What to do about a decision that is wanted, and how long from now; an edge is at its
    /// deadline.
    fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)>;

    /// What to say.
    fn word(&mut self, act: Act) -> Word<S>;

    /// Some time has passed: what was asked and not answered is given up.
    fn wake(&mut self) {}
}

/// What a message means to a mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notion {
    /// Nothing.
    Nothing,
    /// A decision is wanted; its time is over then.
    Wanted(Option<Ms>),
    /// A decision that was begun continues.
    Continue,
}

/// What a mind says.
pub enum Word<S: Simulated> {
    /// Nothing.
    Nothing,
    /// A decision.
    Ask(Ask<S>),
    /// A question what could be done.
    Question(u64, Ask<S>),
}

/// What a match waits for, by the rules alone: the clock runs on while it is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    turn_number: u32,
    /// The seat that decides, where it is one.
    sole: Option<Seat>,
}

impl Decision {
    /// The decision that a position waits for; none while it waits for time alone.
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
