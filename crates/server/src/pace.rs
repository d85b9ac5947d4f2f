//! Time limits for a client that sends a request's body or reads a response.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// Measures how fast a client sends or reads.
pub(crate) struct Pace {
    patience: Patience,
    /// The start of the current wait, and the timer that ends it.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    moved_at: Instant,
}

/// The client took too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooSlow;

impl Pace {
    /// Allows a client to make the server wait for `most` at a stretch. If it does so repeatedly,
    /// its bytes must also move at `bytes_per_second` or faster.
    pub(crate) fn new(most: Duration, bytes_per_second: u32) -> Pace {
        Pace {
            patience: Patience {
                most,
                bytes_per_second: bytes_per_second.into(),
                left: most,
            },
            waiting: None,
            moved_at: Instant::now(),
        }
    }

    /// Notes that the server waits for the client. Wakes the task at the time limit.
    pub(crate) fn wait(&mut self, context: &mut Context<'_>) -> Result<(), TooSlow> {
        let now = Instant::now();
        let by = now + self.patience.left;
        let (_, timer) = self
            .waiting
            .get_or_insert_with(|| (now, Box::pin(tokio::time::sleep_until(by))));
        match timer.as_mut().poll(context) {
            Poll::Ready(()) => Err(TooSlow),
            Poll::Pending => Ok(()),
        }
    }

    /// Notes that bytes have moved.
    pub(crate) fn moved(&mut self, n_bytes: usize) {
        let now = Instant::now();
        match self.waiting.take() {
            Some((since, _)) => self.patience.waited(now - since),
            None => self.patience.regain(now - self.moved_at),
        }
        self.patience.earn(n_bytes);
        self.moved_at = now;
    }
}

/// The time a client may still make the server wait. It shrinks while the server waits. It grows
/// back, up to its start value, while the server does not wait and with each byte that moves.
struct Patience {
    most: Duration,
    bytes_per_second: f64,
    left: Duration,
}

impl Patience {
    fn waited(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    fn regain(&mut self, time: Duration) {
        self.left = self.left.saturating_add(time).min(self.most);
    }

    fn earn(&mut self, n_bytes: usize) {
        self.regain(Duration::from_secs_f64(
            n_bytes as f64 / self.bytes_per_second,
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often a client with ten seconds of patience may wait a second and then move this
    /// many bytes.
    fn n_waits(n_bytes: usize) -> usize {
        let mut patience = Patience {
            most: Duration::from_secs(10),
            bytes_per_second: 16_384.0,
            left: Duration::from_secs(10),
        };
        let waits = (0..1_000).take_while(|_| {
            patience.waited(Duration::from_secs(1));
            let kept = patience.left > Duration::ZERO;
            patience.earn(n_bytes);
            kept
        });
        waits.count()
    }

    #[test]
    fn a_trickle_times_out_like_silence_but_a_steady_rate_does_not() {
        assert_eq!(n_waits(0), 9);
        assert_eq!(n_waits(1), 10);
        assert_eq!(n_waits(8_192), 18);
        assert_eq!(n_waits(16_384), 1_000);
    }

    #[tokio::test]
    async fn a_client_that_does_not_move_is_too_slow() {
        let mut pace = Pace::new(Duration::from_millis(20), 1_000);
        let slow = std::future::poll_fn(|context| match pace.wait(context) {
            Err(slow) => Poll::Ready(slow),
            Ok(()) => Poll::Pending,
        });
        assert_eq!(slow.await, TooSlow);
    }
}
