//! Invariants that hold after every match.

use catalog::Orcain;
use kernel::record::{self, Chance};
use serde_json::Value;

use super::house::House;
use super::player::Player;

/// The expected end of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) result: &'static str,
    pub(crate) reason: &'static str,
    /// The tokens of both players afterwards.
    pub(crate) tokens: [u64; 2],
}

impl End {
    pub(crate) fn won_by_first(reason: &'static str) -> End {
        End {
            result: "win",
            reason,
            tokens: [11, 9],
        }
    }

    pub(crate) fn won_by_second(reason: &'static str) -> End {
        End {
            result: "win",
            reason,
            tokens: [9, 11],
        }
    }

    /// Both stakes are returned.
    pub(crate) fn even(result: &'static str, reason: &'static str) -> End {
        End {
            result,
            reason,
            tokens: [10, 10],
        }
    }

    /// The pot is burned.
    pub(crate) fn burned(reason: &'static str) -> End {
        End {
            result: "all_lose",
            reason,
            tokens: [9, 9],
        }
    }
}

impl House {
    /// Checks everything that must be true after the first match of two new accounts: what both
    /// received, their balances, the ledger, and the record against the commitment.
    pub(crate) async fn check_settled(&self, a: &Player, b: &Player, end: End) {
        for (player, tokens) in [(a, end.tokens[0]), (b, end.tokens[1])] {
            if let Some(told) = told_end(player) {
                assert_eq!(told["outcome"]["reason"], end.reason, "{told}");
                assert_eq!(told["outcome"]["result"], end.result, "{told}");
                assert_eq!(told["tokens"], tokens, "{told}");
            }
            assert!(player.n_heard("match_end") <= 1);
            assert_eq!(self.tokens(&player.guest).await, tokens);
        }
        self.check_books();
        self.check_record(a, end).await;
    }

    /// Checks that the ledger and its totals are exact: no token was created or lost.
    pub(crate) fn check_books(&self) {
        let (faults, totals) = self.home.read(|tx| Ok((tx.check_books()?, tx.totals()?)));
        assert_eq!(faults, []);
        let there = totals.players + totals.escrow + totals.burned;
        assert_eq!(there, totals.issued, "{totals:?}");
    }

    pub(crate) fn n_burned(&self) -> u64 {
        self.home.read(|tx| Ok(tx.totals()?.burned))
    }

    /// Checks that the record can be downloaded, verifies, and reveals the committed seed.
    pub(crate) async fn check_record(&self, player: &Player, end: End) {
        let answer = self.record_of(player).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let report = record::verify::<Orcain>(&answer.body).unwrap();
        assert_eq!(report.game_id, player.match_id);
        assert_eq!(report.chance, Chance::Revealed);
        let outcome = report.outcome.unwrap();
        assert_eq!(outcome.reason.0, end.reason);
        assert_eq!(outcome.verdict.code(), end.result);
        let header: Value = serde_json::from_slice(first_line(&answer.body)).unwrap();
        let promised = header.to_string().contains(&player.commitment);
        assert!(promised, "{} is not in {header}", player.commitment);
        let page = self.get(&format!("/api/matches/{}", player.match_id)).await;
        assert_eq!(page.json()["commitment"], player.commitment.as_str());
    }

    pub(crate) async fn record_of(&self, player: &Player) -> super::http::Answer {
        let path = format!("/api/matches/{}/record", player.match_id);
        self.get(&path).await
    }

    /// Checks that the record of a running match is refused: it would reveal hidden information.
    pub(crate) async fn check_record_is_refused(&self, player: &Player) {
        let answer = self.record_of(player).await;
        assert_eq!(answer.status, 409, "{}", answer.text());
        assert_eq!(answer.json()["error"], "match_running");
    }
}

/// The `match_end` that a player received, if any.
fn told_end(player: &Player) -> Option<Value> {
    let is_end = |text: &&String| text.starts_with("{\"type\":\"match_end\"");
    let text = player.heard.iter().find(is_end)?;
    serde_json::from_str(text).ok()
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == b'\n').next().unwrap_or(bytes)
}
