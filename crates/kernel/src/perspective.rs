//! A position through one seat's eyes.

use crate::rng::Generator;
use crate::{ActionId, Game, GameExt, Mask, Observe, Reason, Redraw, Seat, Viewer};

/// What an agent is handed: the position as its seat may know it.
///
/// The position itself is out of reach, so the compiler forbids an agent to peek. What
/// can be had is the view, the mask, the observation, and a position for search in which
/// all that the seat cannot know was drawn anew.
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

    /// Whose eyes these are.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the seat may know.
    pub fn view(&self) -> G::View {
        self.position.view(Viewer::Seat(self.seat))
    }

    /// What the seat may do, into a mask that is reused.
    #[inline]
    pub fn fill_legal(&self, mask: &mut Mask) {
        self.position.fill_legal(self.seat, mask);
    }

    /// Why the seat may not do this now; none when it may. Cheaper than a mask where a game
    /// has many actions.
    #[inline]
    pub fn refuse(&self, action: G::Action) -> Option<Reason> {
        self.position.refuse(self.seat, action)
    }

    /// The action with this id.
    #[inline]
    pub fn action(&self, id: ActionId) -> Option<G::Action> {
        self.position.action(id)
    }

    /// The id of an action.
    #[inline]
    pub fn action_id(&self, action: G::Action) -> ActionId {
        self.position.action_id(action)
    }

    /// A position to search in: like this one in all that the seat may know.
    pub fn redraw(&self, rng: &mut Generator) -> G
    where
        G: Redraw,
    {
        self.position.redraw(Viewer::Seat(self.seat), rng)
    }

    /// The seat's observation, into the caller's buffer.
    pub fn write_observation(&self, out: &mut [i16])
    where
        G: Observe,
    {
        self.position.write_observation(self.seat, out);
    }
}
