//! The time that the host could run and write while a match waited for a decision.

use super::super::simulated::Decision;
use crate::Ms;

/// The waits of a match, each with the event that opened it.
pub(super) struct Waits {
    /// The time that a decision may take.
    pub(super) turn_ms: Ms,
    waits: Vec<Wait>,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Wait {
    version: u64,
    decision: Option<Decision>,
    /// The time for which the host had run and written when the event became durable.
    pub(super) began: Option<Ms>,
    /// True if nothing has disturbed the clock since then.
    pub(super) undisturbed: bool,
}

impl Waits {
    pub(super) fn new(turn_ms: Ms) -> Waits {
        Waits {
            turn_ms,
            waits: Vec::new(),
        }
    }

    pub(super) fn begin(&mut self, version: u64, decision: Option<Decision>, undisturbed: bool) {
        self.waits.push(Wait {
            version,
            decision,
            began: None,
            undisturbed,
        });
    }

    /// Notes that the clock may have stopped.
    pub(super) fn disturb(&mut self) {
        for wait in &mut self.waits {
            wait.undisturbed = false;
        }
    }

    /// Notes that events up to this one are durable.
    pub(super) fn announce(&mut self, version: u64, up_ms: Ms) {
        let opened = |wait: &&mut Wait| wait.began.is_none();
        for wait in self.waits.iter_mut().rev().take_while(opened) {
            if wait.version <= version {
                wait.began = Some(up_ms);
            }
        }
    }

    /// Forgets the waits of events after this one, which no longer exist.
    pub(super) fn keep(&mut self, n_events: u64) {
        self.waits.retain(|wait| wait.version <= n_events);
    }

    pub(super) fn current(&self) -> Option<Wait> {
        self.waits
            .last()
            .copied()
            .filter(|it| it.decision.is_some())
    }

    /// The reason why a wait that ends now was too short, if it was.
    pub(super) fn too_short(&self, up_ms: Ms) -> Option<String> {
        match self.waits.last()?.began {
            None => Some("a wait ended before it was announced".to_owned()),
            Some(began) if up_ms - began < self.turn_ms => {
                Some(format!("a wait lasted {} ms", up_ms - began))
            }
            Some(_) => None,
        }
    }
}
