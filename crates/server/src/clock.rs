//! The server's time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use session::Ms;

/// Wall time as it was when the process began, carried on by a clock that never jumps: a
/// change of the machine's time moves no deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    began_ms: Ms,
}

impl Clock {
    /// A clock that is ahead of the machine's by this much.
    pub(crate) fn start_ahead(ahead_ms: Ms) -> Clock {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Clock {
            began: Instant::now(),
            began_ms: ahead_ms + since.map_or(0, |it| it.as_millis() as Ms),
        }
    }

    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> Ms {
        self.began_ms + self.began.elapsed().as_millis() as Ms
    }

    /// When this time comes, for timers.
    pub(crate) fn instant(&self, at: Ms) -> tokio::time::Instant {
        let after = Duration::from_millis(at.saturating_sub(self.began_ms));
        (self.began + after).into()
    }
}
