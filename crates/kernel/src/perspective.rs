//! A position through one seat's eyes.

use crate::rng::Generator;
use crate::{ActionId, Choices, Game, GameExt, Mask, Observe, Reason, Redraw, Seat, Viewer};

/// The position as its seat may know it: the input of an agent.
///
/// The position itself is private, so the compiler prevents an agent from peeking. An agent gets
/// the view, the mask, the observation, and a position for search in which everything that the seat
/// cannot know has been redrawn.
pub struct Perspective<'a, G> {
    position: &'a G,
    seat: Seat,
}

impl<'a, G: Game> Perspective<'a, G> {
    /// The position through this seat's eyes.
    #[inline]
    pub fn new(position: &'a G, seat: Seat) -> Perspective<'a, G> {
        Perspective { position, seat }
    }

    /// The seat whose perspective this is.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The seat's view of the position.
    pub fn view(&self) -> G::View {
        self.position.view(Viewer::Seat(self.seat))
    }

    /// Fills a reusable mask with the seat's legal actions.
    #[inline]
    pub fn fill_legal(&self, mask: &mut Mask) {
        self.position.fill_legal(self.seat, mask);
    }

    /// The seat's legal actions, if the game has them prepared.
    #[inline]
    pub fn choices(&self) -> Option<&'static Choices<G::Action>> {
        self.position.choices(self.seat)
    }

    /// The reason the seat cannot take this action now; `None` when it can. Cheaper than a mask
    /// where a game has many actions.
    #[inline]
    pub fn refuse(&self, action: G::Action) -> Option<Reason> {
        self.position.refuse(self.seat, action)
    }

    /// The action with this id; `None` when no action has this id.
    #[inline]
    pub fn action(&self, id: ActionId) -> Option<G::Action> {
        self.position.action(id)
    }

    /// The id of an action.
    #[inline]
    pub fn action_id(&self, action: G::Action) -> ActionId {
        self.position.action_id(action)
    }

    /// A position to search in: it agrees with this one in everything the seat may know.
    pub fn redraw(&self, rng: &mut Generator) -> G
    where
        G: Redraw,
    {
        self.position.redraw(Viewer::Seat(self.seat), rng)
    }

    /// Writes the seat's observation into the caller's buffer.
    pub fn write_observation(&self, out: &mut [i16])
    where
        G: Observe,
    {
        self.position.write_observation(self.seat, out);
    }
}
