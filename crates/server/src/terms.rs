//! What was agreed before a match, as it is stored beside its events.

use kernel::doc::{self, Document, Faults, Node};
use kernel::fair::Opening;
use kernel::json::{self, Json};
use kernel::{GameId, Seat, SeatSet};
use serde::Serialize;
use session::{Account, Live, Pace, Policy, Terms};

/// The terms as a document.
#[derive(Serialize)]
struct Stored<'a, S> {
    setup: &'a S,
    accounts: Vec<u64>,
    names: &'a [String],
    stake: u64,
    turn_ms: u64,
    first_step_ms: u64,
    step_ms: u64,
    misses_max: Option<u8>,
    grace_ms: u64,
    pause_budget_ms: u64,
    pauses_max: u16,
    people: SeatSet,
    in_flight_max: u64,
}

const KEYS: [&str; 13] = [
    "setup",
    "accounts",
    "names",
    "stake",
    "turn_ms",
    "first_step_ms",
    "step_ms",
    "misses_max",
    "grace_ms",
    "pause_budget_ms",
    "pauses_max",
    "people",
    "in_flight_max",
];

/// Terms as text. The seed is not in it: it is kept apart.
pub(crate) fn write<G: Live>(terms: &Terms<G>) -> String {
    let policy = &terms.policy;
    let stored = Stored {
        setup: &terms.setup,
        accounts: terms.accounts.iter().map(|account| account.0).collect(),
        names: &terms.names,
        stake: terms.stake,
        turn_ms: policy.pace.turn_ms,
        first_step_ms: policy.pace.first_step_ms,
        step_ms: policy.pace.step_ms,
        misses_max: policy.misses_max,
        grace_ms: policy.grace_ms,
        pause_budget_ms: policy.pause_budget_ms,
        pauses_max: policy.pauses_max,
        people: policy.people,
        in_flight_max: policy.in_flight_max,
    };
    serde_json::to_string(&stored).unwrap_or_default()
}

/// The seed and its salt as they are stored.
pub(crate) fn write_secret(opening: &Opening) -> Vec<u8> {
    serde_json::to_vec(opening).unwrap_or_default()
}

/// The seed and its salt again.
pub(crate) fn read_secret(bytes: &[u8]) -> Result<Opening, String> {
    let json = json::read(bytes).map_err(|error| error.to_string())?;
    doc::parse(&json).map_err(|faults| faults.one_line())
}

/// Terms from text, with all that is wrong with it.
pub(crate) fn read<G: Live>(
    game_id: GameId,
    text: &str,
    secret: &[u8],
) -> Result<Terms<G>, String> {
    let json = json::read(text.as_bytes()).map_err(|error| error.to_string())?;
    let opening = read_secret(secret)?;
    let mut faults = Faults::default();
    let terms = read_node(game_id, opening, &Node::root(&json), &mut faults);
    faults
        .into_result(terms)
        .map_err(|faults| faults.one_line())
}

fn read_node<G: Live>(
    game_id: GameId,
    opening: Opening,
    node: &Node<'_>,
    faults: &mut Faults,
) -> Option<Terms<G>> {
    node.only_fields(&KEYS, faults);
    let mut int = |key: &str, max: i64| node.field(key).int_in(0..=max, faults).map(|it| it as u64);
    let numbers = [
        int("stake", i64::MAX),
        int("turn_ms", i64::MAX),
        int("first_step_ms", i64::MAX),
        int("step_ms", i64::MAX),
        int("grace_ms", i64::MAX),
        int("pause_budget_ms", i64::MAX),
        int("pauses_max", u16::MAX.into()),
        int("in_flight_max", i64::MAX),
    ];
    let setup = G::Setup::read(&node.field("setup"), faults);
    let accounts = read_list(&node.field("accounts"), faults, |it, faults| {
        it.int_in(0..=i64::MAX, faults).map(|it| Account(it as u64))
    });
    let names = read_list(&node.field("names"), faults, |it, faults| {
        it.text(faults).map(str::to_owned)
    });
    let people = read_list(&node.field("people"), faults, |it, faults| {
        let seat = it.int_in(0..=15, faults)?;
        Seat::new(seat as usize)
    });
    let misses = node.field("misses_max");
    let misses_max = match misses.json() {
        Some(Json::Null) => None,
        _ => Some(misses.int_in(0..=255, faults)? as u8),
    };
    let [
        stake,
        turn_ms,
        first_step_ms,
        step_ms,
        grace_ms,
        pause_budget_ms,
        pauses_max,
        in_flight_max,
    ] = numbers;
    Some(Terms {
        game_id,
        setup: setup?,
        accounts: accounts?,
        names: names?,
        stake: stake?,
        policy: Policy {
            pace: Pace {
                turn_ms: turn_ms?,
                first_step_ms: first_step_ms?,
                step_ms: step_ms?,
            },
            misses_max,
            grace_ms: grace_ms?,
            pause_budget_ms: pause_budget_ms?,
            pauses_max: pauses_max? as u16,
            people: people?.into_iter().collect(),
            in_flight_max: in_flight_max?,
        },
        opening,
    })
}

fn read_list<T>(
    node: &Node<'_>,
    faults: &mut Faults,
    read: impl Fn(&Node<'_>, &mut Faults) -> Option<T>,
) -> Option<Vec<T>> {
    let items = node.list(faults)?;
    items.iter().map(|item| read(item, faults)).collect()
}

#[cfg(test)]
mod tests {
    use catalog::Orcain;

    use super::*;

    fn terms() -> Terms<Orcain> {
        Terms {
            game_id: GameId::from_random_bytes([3; 16]),
            setup: Default::default(),
            accounts: vec![Account(4), Account(9)],
            names: vec!["ann".to_owned(), String::new()],
            stake: 2,
            policy: Orcain::POLICY
                .with_people(SeatSet::only(Seat::SECOND))
                .with_grace(5, 15),
            opening: Opening::new([1; 32], [2; 32]),
        }
    }

    #[test]
    fn terms_round_trip() {
        let terms = terms();
        let secret = write_secret(&terms.opening);
        let again = read::<Orcain>(terms.game_id, &write(&terms), &secret).expect("reads");
        assert_eq!(format!("{terms:?}"), format!("{again:?}"));
        assert_eq!(again.opening, terms.opening);
    }

    #[test]
    fn damaged_terms_are_refused_and_do_not_panic() {
        let terms = terms();
        let secret = write_secret(&terms.opening);
        let text = write(&terms);
        for at in 0..text.len() {
            let cut = read::<Orcain>(terms.game_id, &text[..at], &secret);
            assert!(cut.is_err(), "cut at {at}");
        }
        assert!(read::<Orcain>(terms.game_id, &text, b"{}").is_err());
    }
}
