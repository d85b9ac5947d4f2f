//! What a game must say to be simulated, and how its clients behave.

use kernel::{Discard, GameExt, Seat, Turn};

use super::cells::{Cell, Phase};
use super::client::{Act, Deed};
use super::draw::Draws;
use super::fate::Habit;
use crate::{Live, Message, Ms};

/// A game that can be simulated.
pub(super) trait Simulated: Live {
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
    fn draw_setup(draws: &mut Draws) -> Self::Setup;

    /// How two clients behave who want to reach a phase that is rare otherwise.
    fn rare_habits(_draws: &mut Draws) -> Option<Habit> {
        None
    }

    /// The phase of a position in play.
    fn phase(&self) -> Phase;

    /// Whether a fault can strike in a phase, where it can in general.
    fn can_suffer(_cell: Cell) -> bool {
        true
    }

    /// The actions that the record holds once this ask was taken.
    fn meant(ask: &Self::Ask) -> Option<Vec<Self::Action>>;

    /// A decision of a bot: of an open seat that has given nothing, at random.
    fn bot(&self, seat: Seat, draws: &mut Draws) -> Vec<Self::Action> {
        let mut trial = self.clone();
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
    const SHOWS: Option<fn(&Message<Self>) -> bool> = None;
}

/// The part of a client that knows its game, from what it was sent and from nothing else.
pub(super) trait Mind<G: Simulated> {
    /// A mind with a habit. What it hides comes from a stream of its own: another stream
    /// changes neither how many messages it sends nor when.
    fn new(habit: Habit, shape: Draws, hidden: Draws) -> Self;

    /// Takes a message.
    fn hear(&mut self, message: &Message<G>) -> Notion;

    /// What to do about a decision that is wanted, and how long from now; an edge is at its
    /// deadline.
    fn plan(&mut self, draws: &mut Draws) -> Vec<(Ms, Deed)>;

    /// What to say.
    fn word(&mut self, act: Act) -> Word<G>;

    /// Some time has passed: what was asked and not answered is given up.
    fn wake(&mut self) {}
}

/// What a message means to a mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notion {
    Nothing,
    /// A decision is wanted; its time is over then.
    Wanted(Option<Ms>),
    /// A decision that was begun continues.
    Continue,
}

/// What a mind says.
pub(super) enum Word<G: Simulated> {
    Nothing,
    /// A decision.
    Ask(G::Ask),
    /// A question what could be done.
    Question(u64, G::Ask),
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
    pub(super) fn of<G: Simulated>(position: &G) -> Option<Decision> {
        let sole = match position.turn() {
            Turn::Seat(seat) => Some(seat),
            Turn::Sealed(_) => None,
            Turn::Chance | Turn::Clock | Turn::Over(_) => return None,
        };
        let turn_number = position.turn_number();
        Some(Decision { turn_number, sole })
    }
}
