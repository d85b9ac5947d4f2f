//! Stellar Fleet for learning: its observation.

use kernel::learn::{Form, Frame, Learn, Sight};
use kernel::{Observe, Seat};

use crate::Stellar;

impl Learn for Stellar {
    const OBSERVATION_VERSION: &'static str = "1.0.0";
    const FRAMES: &'static [Frame] = &[Frame::Given];
    const SIGHTS: &'static [Sight] = &[Sight::Honest];

    fn write_form(&self, seat: Seat, _: Form, out: &mut [i16]) {
        self.write_observation(seat, out);
    }
}
