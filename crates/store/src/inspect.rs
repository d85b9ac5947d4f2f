//! Checks of everything that is stored.

use session::Event;

use crate::database::{Database, Dialect, Row};
use crate::on_sqlite::Sqlite;
use crate::{MatchFilter, MatchState, PAGE_MAX, Store, StoreError, Tx, schema};

/// The result of one check of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The subject of the check, in one word.
    pub subject: &'static str,
    /// A summary, or the faults and what to do about them.
    pub verdict: Result<String, String>,
}

/// The maximum number of faults that are reported for one part.
const FAULTS_MAX: usize = 5;

impl Store {
    /// Checks everything that is stored, one part after another, each as of one instant. It reads
    /// the whole database, and does not hold up writers.
    pub fn inspect(&mut self) -> Vec<Check> {
        let mut checks = Vec::new();
        match self.dialect() {
            Dialect::Sqlite => {
                checks.push(self.check("schema", sqlite_schema));
                checks.push(self.check("pages", pages));
            }
            Dialect::Postgres => checks.push(self.check("schema", any_schema)),
        }
        checks.push(self.check("books", books));
        checks.push(self.check("audit", audit));
        checks.push(self.check("events", events));
        checks
    }

    fn check(
        &mut self,
        subject: &'static str,
        work: impl FnOnce(&mut Tx<'_>) -> Result<Result<String, String>, StoreError>,
    ) -> Check {
        let verdict = self.read(work);
        Check {
            subject,
            verdict: verdict.unwrap_or_else(|error| Err(error.to_string())),
        }
    }
}

/// The version was checked when the store was opened.
fn any_schema(tx: &mut Tx<'_>) -> Result<Result<String, String>, StoreError> {
    let writer: Option<u64> = tx.value("SELECT epoch FROM writer WHERE id = 1", &[])?;
    let well = format!("version {}", schema::KNOWN);
    let faults = match writer {
        Some(_) => Vec::new(),
        None => vec!["the writer row is missing".to_owned()],
    };
    Ok(verdict(well, faults, "restore a backup"))
}

/// The program's own tables and indexes must be unchanged; others may exist.
fn sqlite_schema(tx: &mut Tx<'_>) -> Result<Result<String, String>, StoreError> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    let read = |mut row: Row| Ok((row.take()?, row.take()?));
    let found: Vec<(String, String)> = tx.rows(sql, &[], read)?;
    let mut made = Sqlite::in_memory()?;
    schema::migrate(&mut made)?;
    let made = made.query(sql, &[])?.into_iter().map(read);
    let made: Vec<(String, String)> = made.collect::<Result<_, _>>()?;
    let changed = made.iter().filter(|it| !found.contains(it));
    let changed: Vec<String> = changed
        .map(|(name, _)| format!("{name} is missing or changed"))
        .collect();
    if changed.is_empty() {
        return any_schema(tx);
    }
    Ok(verdict(String::new(), changed, "restore a backup"))
}

fn pages(tx: &mut Tx<'_>) -> Result<Result<String, String>, StoreError> {
    let mut faults: Vec<String> = tx.rows("PRAGMA integrity_check", &[], |mut row| row.take())?;
    faults.retain(|it| it != "ok");
    let dangling = "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1";
    faults.extend(tx.rows(dangling, &[], |mut row| {
        let (table, n): (String, u64) = (row.take()?, row.take()?);
        Ok(format!(
            "{n} rows of {table} refer to rows that are missing"
        ))
    })?);
    let n_pages: u64 = tx
        .value("SELECT page_count FROM pragma_page_count", &[])?
        .unwrap_or(0);
    Ok(verdict(
        format!("{n_pages} pages, all intact"),
        faults,
        "stop the server and restore a backup",
    ))
}

fn books(tx: &mut Tx<'_>) -> Result<Result<String, String>, StoreError> {
    let faults = tx.check_books()?.iter().map(ToString::to_string).collect();
    let totals = tx.totals()?;
    Ok(verdict(
        format!(
            "{} tokens with players, {} in open pots, {} burned, {} issued",
            totals.players, totals.escrow, totals.burned, totals.issued
        ),
        faults,
        "stop the server and compare with a backup",
    ))
}

fn audit(tx: &mut Tx<'_>) -> Result<Result<String, String>, StoreError> {
    Ok(match tx.check_audit()? {
        Ok(head) => Ok(format!("{} rows in one chain", head.number)),
        Err(fault) => Err(fault.to_string()),
    })
}

/// A match that was quarantined for damaged events before is counted, but is not a new finding.
fn events(tx: &mut Tx<'_>) -> Result<Result<String, String>, StoreError> {
    let (mut n_events, mut n_matches, mut n_open, mut n_quarantined) = (0, 0, 0, 0);
    let mut faults = Vec::new();
    let mut filter = MatchFilter::default();
    loop {
        let page = tx.matches(&filter, PAGE_MAX)?;
        let Some(last) = page.last() else { break };
        filter.before = Some(last.number);
        for stored in page {
            let events = tx.events(stored.game_id)?;
            n_events += events.len();
            n_matches += 1;
            n_open += usize::from(stored.state == MatchState::Open);
            if stored.state == MatchState::Quarantined {
                n_quarantined += 1;
            } else if let Err(fault) = Event::check_all(&events) {
                faults.push(format!("match {}: {fault}", stored.game_id));
            }
        }
    }
    Ok(verdict(
        format!(
            "{n_events} events of {n_matches} matches, {n_open} open, {n_quarantined} quarantined"
        ),
        faults,
        "an open match like this is quarantined at the next start; compare with a backup",
    ))
}

fn verdict(well: String, mut faults: Vec<String>, what_to_do: &str) -> Result<String, String> {
    let n_faults = faults.len();
    if n_faults == 0 {
        return Ok(well);
    }
    faults.truncate(FAULTS_MAX);
    let more = match n_faults - faults.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Err(format!("{}{more}; {what_to_do}", faults.join(", ")))
}
