//! The server's time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use session::Ms;
use tokio::sync::watch;

/// Wall time at the start of the process, continued by a monotonic clock, so a change of the
/// machine's time moves no deadline. The deadlines of matches and sockets use it. A test can
/// advance it instead of waiting.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    began: Instant,
    began_ms: Ms,
    /// The time a test has added. Without it, the clock runs at the machine's pace.
    test: Option<TestClock>,
}

/// A test's control over a clock. It can be handed from one server to the next, so time that a test
/// lets pass has passed for the next server too.
#[doc(hidden)]
#[derive(Clone, Default, Debug)]
pub struct TestClock(watch::Sender<Ms>);

impl TestClock {
    /// Advances the clock: everything due by the new time happens now.
    pub fn advance(&self, ms: Ms) {
        self.0.send_modify(|ahead_ms| *ahead_ms += ms);
    }
}

impl Clock {
    pub(crate) fn start(test: Option<TestClock>) -> Clock {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Clock {
            began: Instant::now(),
            began_ms: since.map_or(0, |it| it.as_millis() as Ms),
            test,
        }
    }

    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> Ms {
        self.unadvanced() + self.ahead_ms()
    }

    /// Milliseconds since 1970 without a test's advances. It measures how long a write takes, which
    /// no test can speed up.
    pub(crate) fn unadvanced(&self) -> Ms {
        self.began_ms + self.began.elapsed().as_millis() as Ms
    }

    /// The instant of this time for timers, unless the clock is advanced before then.
    pub(crate) fn instant(&self, at: Ms) -> tokio::time::Instant {
        let after = at.saturating_sub(self.began_ms + self.ahead_ms());
        (self.began + Duration::from_millis(after)).into()
    }

    /// Subscribes to advances of the clock.
    pub(crate) fn advances(&self) -> Advances {
        Advances(self.test.as_ref().map(|test| test.0.subscribe()))
    }

    fn ahead_ms(&self) -> Ms {
        self.test.as_ref().map_or(0, |test| *test.0.borrow())
    }
}

/// A subscription to advances of a clock. Outside of tests there are none, and waiting costs
/// nothing.
pub(crate) struct Advances(Option<watch::Receiver<Ms>>);

impl Advances {
    /// Waits until the clock is advanced. Timers set before then must be set again.
    pub(crate) async fn next(&mut self) {
        let changed = match &mut self.0 {
            Some(advanced) => advanced.changed().await.is_ok(),
            None => false,
        };
        if !changed {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_advance_is_reported_once_and_moves_timers_of_later_clocks() {
        let test = TestClock::default();
        let clock = Clock::start(Some(test.clone()));
        let (mut advances, due) = (clock.advances(), clock.now() + 60_000);
        assert!(clock.instant(due) > tokio::time::Instant::now());
        test.advance(60_000);
        advances.next().await;
        assert!(clock.now() >= due && clock.unadvanced() < due);
        assert!(clock.instant(due) <= tokio::time::Instant::now());
        assert!(Clock::start(Some(test)).now() >= due);
        let again = tokio::time::timeout(Duration::ZERO, advances.next()).await;
        assert!(again.is_err());
    }
}
