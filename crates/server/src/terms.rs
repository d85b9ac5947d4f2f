//! The terms agreed before a match, as stored next to its events.

use kernel::MatchId;
use kernel::SeatSet;
use kernel::doc::{self, Document, Faults, Node};
use kernel::fair::Opening;
use kernel::json;
use serde::Serialize;
use session::{Account, Live, Pace, Policy, Terms};

/// The terms as a document. The seed is stored separately.
#[derive(Serialize, Document)]
struct Stored<S: Document> {
    setup: S,
    #[document(read_with = read_accounts)]
    accounts: Vec<Option<u64>>,
    names: Vec<String>,
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

/// Writes terms as text.
pub(crate) fn write<G: Live>(terms: &Terms<G>) -> String {
    let policy = &terms.policy;
    let stored = Stored {
        setup: terms.setup.clone(),
        accounts: terms.accounts.iter().map(|it| it.map(|it| it.0)).collect(),
        names: terms.names.clone(),
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

/// Writes the seed and its salt for storage.
pub(crate) fn write_secret(opening: &Opening) -> Vec<u8> {
    serde_json::to_vec(opening).unwrap_or_default()
}

/// Reads the seed and its salt from storage.
pub(crate) fn read_secret(bytes: &[u8]) -> Result<Opening, String> {
    let json = json::read(bytes).map_err(|error| error.to_string())?;
    doc::parse(&json).map_err(|faults| faults.one_line())
}

/// Reads terms from text. The error lists everything wrong with it.
pub(crate) fn read<G: Live>(
    game_id: MatchId,
    text: &str,
    secret: &[u8],
) -> Result<Terms<G>, String> {
    let json = json::read(text.as_bytes()).map_err(|error| error.to_string())?;
    let opening = read_secret(secret)?;
    let stored: Stored<G::Setup> = doc::parse(&json).map_err(|faults| faults.one_line())?;
    Ok(Terms {
        game_id,
        setup: stored.setup,
        accounts: stored.accounts.iter().map(|it| it.map(Account)).collect(),
        names: stored.names,
        stake: stored.stake,
        policy: Policy {
            pace: Pace {
                turn_ms: stored.turn_ms,
                first_step_ms: stored.first_step_ms,
                step_ms: stored.step_ms,
            },
            misses_max: stored.misses_max,
            grace_ms: stored.grace_ms,
            pause_budget_ms: stored.pause_budget_ms,
            pauses_max: stored.pauses_max,
            people: stored.people,
            in_flight_max: stored.in_flight_max,
        },
        opening,
    })
}

/// The accounts by seat. Older matches have a 0 instead of null for a bot.
fn read_accounts(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Option<u64>>> {
    let accounts = Vec::<Option<u64>>::read(node, faults)?;
    let given = accounts.into_iter().map(|it| it.filter(|&it| it != 0));
    Some(given.collect())
}

#[cfg(test)]
mod tests {
    use catalog::Orcain;
    use kernel::Seat;

    use super::*;

    fn terms() -> Terms<Orcain> {
        Terms {
            game_id: MatchId::from_random_bytes([3; 16]),
            setup: Default::default(),
            accounts: vec![None, Some(Account(9))],
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
    fn a_zero_in_older_terms_is_a_bot() {
        let terms = terms();
        let older = write(&terms).replace("\"accounts\":[null,9]", "\"accounts\":[0,9]");
        let secret = write_secret(&terms.opening);
        let again = read::<Orcain>(terms.game_id, &older, &secret).expect("reads");
        assert!(older.contains("[0,9]"));
        assert_eq!(again.accounts, terms.accounts);
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
