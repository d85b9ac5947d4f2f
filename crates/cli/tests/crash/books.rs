//! What is left on the disk, checked without the server.

use std::collections::BTreeMap;
use std::path::Path;

use catalog::Orcain;
use kernel::record;
use serde_json::Value;
use session::Event;
use store::{BookFault, MatchFilter, MatchState, Place, Store, StoredMatch, Totals};

use crate::player::Acked;

/// All that is on the disk.
pub(crate) struct Audit {
    matches: Vec<(StoredMatch, Vec<u8>)>,
    faults: Vec<BookFault>,
    totals: Totals,
}

/// What every account begins with.
pub(crate) const START_TOKENS: u64 = 100_000;

impl Audit {
    pub(crate) fn of(data: &Path) -> Audit {
        let mut store = Store::open_reader(&Place::Sqlite(data.join("referee.sqlite"))).unwrap();
        let read = store.read(|tx| {
            let mut matches = Vec::new();
            let mut filter = MatchFilter::default();
            loop {
                let page = tx.matches(&filter, 500)?;
                let Some(last) = page.last() else { break };
                filter.before = Some(last.number);
                for stored in page {
                    let events = tx.events(stored.game_id)?;
                    let lines = events.iter().map(|it| Event::lines(it).unwrap());
                    matches.push((stored, lines.collect::<Vec<_>>().concat()));
                }
            }
            let (faults, totals) = (tx.check_books()?, tx.totals()?);
            Ok(Audit {
                matches,
                faults,
                totals,
            })
        });
        read.unwrap()
    }

    pub(crate) fn n_matches(&self) -> usize {
        self.matches.len()
    }

    /// No token made or lost, every match ended once, every acknowledged layout there.
    pub(crate) fn check(&self, acked: &[Acked], issued: u64) {
        assert!(self.faults.is_empty(), "{:?}", self.faults);
        assert_eq!(self.totals.issued, issued);
        assert_eq!(self.totals.escrow, 0);
        assert_eq!(self.totals.players + self.totals.burned, self.totals.issued);
        let mut layouts: BTreeMap<String, Vec<(u64, String, Value)>> = BTreeMap::new();
        for (stored, lines) in &self.matches {
            assert!(
                matches!(stored.state, MatchState::Over | MatchState::Void),
                "{stored:?}"
            );
            let report = record::verify::<Orcain>(lines);
            assert!(
                report.is_ok_and(|it| it.outcome.is_some()),
                "{}",
                stored.game_id
            );
            layouts.insert(stored.game_id.to_string(), layouts_of(lines));
        }
        for ack in acked {
            let kind = match ack.kind {
                "draft" => "LAYOUT_DRAFT",
                _ => "LAYOUT_CONFIRM",
            };
            let stored = layouts.get(&ack.match_id);
            let stored = stored.unwrap_or_else(|| panic!("the match of {ack:?} is lost"));
            let wanted = (ack.seat, kind.to_owned(), ack.layout.clone());
            assert!(
                stored.contains(&wanted),
                "{ack:?} was acknowledged and is lost"
            );
        }
    }
}

fn layouts_of(lines: &[u8]) -> Vec<(u64, String, Value)> {
    let lines = lines
        .split(|byte| *byte == b'\n')
        .filter(|it| !it.is_empty());
    let read = |line: &[u8]| -> Option<(u64, String, Value)> {
        let line: Value = serde_json::from_slice(line).ok()?;
        let layout = line.get("payload")?.get("layout")?.clone();
        Some((
            line["player_id"].as_u64()?,
            line["type"].as_str()?.to_owned(),
            layout,
        ))
    };
    lines.filter_map(read).collect()
}
