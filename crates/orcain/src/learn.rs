//! Orcain's observation in both sights.

use kernel::learn::{Form, Frame, Learn, Sight};
use kernel::{Observe, Seat};

use crate::Orcain;

impl Learn for Orcain {
    const OBSERVATION_VERSION: &'static str = "1.0.0";
    const FRAMES: &'static [Frame] = &[Frame::Given];
    const SIGHTS: &'static [Sight] = &Sight::ALL;

    /// The full form shows the opponent's slots, including hidden ones.
    fn write_form(&self, seat: Seat, form: Form, out: &mut [i16]) {
        match form.sight {
            Sight::Honest => self.write_observation(seat, out),
            Sight::Full => self.write_full_observation(seat, out),
        }
    }

    #[inline]
    fn write_bytes(&self, seat: Seat, form: Form, out: &mut [u8]) -> bool {
        if form.sight == Sight::Honest {
            self.write_observation_bytes(seat, out);
        }
        form.sight == Sight::Honest
    }
}
