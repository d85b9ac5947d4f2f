//! The server's log, kept so that tests can read it and failed tests can show it.

use std::io;
use std::sync::{Mutex, Once, PoisonError};

use tracing_subscriber::filter::LevelFilter;

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Keeps everything logged in this process from now on.
pub(crate) fn keep() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(LevelFilter::DEBUG)
            .with_writer(|| Keeper)
            .init();
    });
}

/// Everything logged in this process so far.
pub(crate) fn text() -> String {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&kept).into_owned()
}

/// The lines that contain this text.
pub(crate) fn lines_with(text: &str) -> Vec<String> {
    self::text()
        .lines()
        .filter(|line| line.contains(text))
        .map(str::to_owned)
        .collect()
}

struct Keeper;

impl io::Write for Keeper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
