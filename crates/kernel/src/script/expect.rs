//! Compares a position with what a test expects.

use crate::doc::{Faults, Named};
use crate::json::{self, Json};
use crate::notation::{self, Change, Edit, pointer_to, read_all, value_text};
use crate::{Game, Recorded, Seat, SeatSet, Turn, Viewer};

/// Every expectation that does not hold, with what was found.
pub(super) fn failures<G: Recorded>(
    position: &G,
    events: &[G::Event],
    expected: &str,
) -> Vec<String> {
    let mut faults = Faults::default();
    let expectations = read_all(expected, &mut faults);
    let malformed = faults.iter().map(|fault| fault.message.clone());
    let failed = expectations
        .iter()
        .filter_map(|it| failure(position, events, it));
    malformed.chain(failed).collect()
}

fn failure<G: Recorded>(position: &G, events: &[G::Event], expected: &Edit) -> Option<String> {
    let path = expected.path.join(".");
    let wanted = match &expected.change {
        Change::Set(value) => Some(value),
        Change::Remove => None,
        Change::Add(_) | Change::Subtract(_) => {
            return Some(format!("{path}: an expectation has the form path=value"));
        }
    };
    let found = look_up(position, events, expected);
    if found.as_ref() == wanted {
        return None;
    }
    let shown = |value: Option<&Json>| value.map_or("nothing".to_owned(), value_text);
    let (wanted, found) = (shown(wanted), shown(found.as_ref()));
    Some(format!("{path}: expected {wanted}, found {found}"))
}

/// The value at the path of an expectation.
fn look_up<G: Recorded>(position: &G, events: &[G::Event], expected: &Edit) -> Option<Json> {
    let (first, below) = expected.path.split_first()?;
    let (document, path) = match (first.as_str(), viewer(first)) {
        ("events", _) => (Json::texts(events.iter().map(Named::name)), below),
        ("waits_for", _) => (Json::Text(waits_for(position)), below),
        (_, Some(viewer)) => (json::from_value(&position.view(viewer)).ok()?, below),
        (_, None) => (notation::document(position), expected.path.as_slice()),
    };
    document.pointer(&pointer_to(path)).cloned()
}

fn viewer(name: &str) -> Option<Viewer> {
    match name.strip_prefix("view")? {
        "" => Some(Viewer::Public),
        seat => Seat::new(seat.parse().ok()?).map(Viewer::Seat),
    }
}

fn waits_for<G: Game>(position: &G) -> String {
    let listed = |seats: SeatSet| {
        let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
        seats.join("+")
    };
    match position.turn() {
        Turn::Seat(seat) => format!("seat:{seat}"),
        Turn::Sealed(sealed) => format!("sealed:{}", listed(sealed.open)),
        Turn::Chance => "chance".to_owned(),
        Turn::Clock => "clock".to_owned(),
        Turn::Over(_) => "over".to_owned(),
    }
}
