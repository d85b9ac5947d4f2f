//! The one way in which tests wait for a condition that no message announces.

use std::time::{Duration, Instant};

/// The timeout of any wait in a test. It is long, because the machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// The interval between checks of a condition.
pub(crate) const AGAIN_AFTER: Duration = Duration::from_millis(20);

/// Waits until a condition holds, by checking it repeatedly.
pub(crate) async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        tokio::time::sleep(AGAIN_AFTER).await;
    }
}
