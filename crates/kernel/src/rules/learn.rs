//! Observations and redrawn positions.

use super::{Numbers, Position, Rules, veil};
use crate::learn::{Form, Frame, Learn, Sight};
use crate::rng::Generator;
use crate::{Layout, Observe, Redraw, Seat, Viewer};

impl<R: Rules> Redraw for Position<R> {
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Position<R> {
        Position {
            state: veil::redrawn(&self.state, viewer, rng),
            ..*self
        }
    }
}

impl<R: Rules> Observe for Position<R> {
    fn observation(setup: &R::Setup) -> Layout {
        let mut blocks = Vec::new();
        R::start(setup).observe(Seat::FIRST, &mut Numbers::declare(&mut blocks));
        Layout { blocks }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        self.state.observe(seat, &mut Numbers::write(out));
    }
}

impl<R: Rules> Learn for Position<R> {
    const OBSERVATION_VERSION: &'static str = R::OBSERVATION_VERSION;
    const FRAMES: &'static [Frame] = &[Frame::Given];
    const SIGHTS: &'static [Sight] = &[Sight::Honest];

    fn write_form(&self, seat: Seat, _: Form, out: &mut [i16]) {
        self.state.observe(seat, &mut Numbers::write(out));
    }
}
