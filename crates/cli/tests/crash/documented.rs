//! The commands in `docs/operations.md`, and the way in which a test runs each.

/// A documented command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Documented {
    pub(crate) line: String,
    pub(crate) how: How,
}

/// The way in which a documented command is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// As written, while a server runs under load.
    Beside,
    /// It starts a server.
    Server,
    /// It starts a server on a PostgreSQL database.
    PostgresServer,
    /// As written, with a PostgreSQL database.
    Postgres,
}

const KNOWN: &[(&str, How)] = &[
    ("referee serve", How::Server),
    (
        "referee serve --listen 127.0.0.1:9000 --data games",
        How::Server,
    ),
    (
        "referee serve --database-url \"$REFEREE_DATABASE_URL\"",
        How::PostgresServer,
    ),
    ("referee backup copy.sqlite", How::Beside),
    ("referee restore copy.sqlite --data restored", How::Beside),
    ("referee doctor --data restored", How::Beside),
    (
        "sqlite3 -cmd \".timeout 5000\" referee-data/referee.sqlite \".backup another.sqlite\"",
        How::Beside,
    ),
    (
        "sqlite3 -cmd \".timeout 5000\" referee-data/referee.sqlite \"SELECT count(*) FROM accounts\"",
        How::Beside,
    ),
    (SIGN_OUT, How::Beside),
    ("cp -r referee-data referee-data-copy", How::Beside),
    ("referee doctor", How::Beside),
    ("referee doctor --json", How::Beside),
    (
        "pg_dump --format=custom --file=copy.dump \"$REFEREE_DATABASE_URL\"",
        How::Postgres,
    ),
    (
        "pg_restore --clean --if-exists --dbname=\"$REFEREE_DATABASE_URL\" copy.dump",
        How::Postgres,
    ),
    ("referee ledger totals", How::Beside),
    ("referee ledger check", How::Beside),
    ("referee ledger account Grom", How::Beside),
    ("referee ledger entries Grom", How::Beside),
    (CORRECT, How::Beside),
    (
        "referee moderate ban Grom --days 7 --reason insults --operator ann",
        How::Beside,
    ),
    (
        "referee moderate unban Grom --reason appeal --operator ann",
        How::Beside,
    ),
    (
        "referee moderate mute Grom --reason insults --operator ann",
        How::Beside,
    ),
    (
        "referee moderate unmute Grom --reason appeal --operator ann",
        How::Beside,
    ),
    (RENAME, How::Beside),
    (VOID, How::Beside),
    ("referee moderate pair Gram Mila", How::Beside),
    (
        "referee moderate collusion --days 30 --least 10",
        How::Beside,
    ),
    ("referee moderate audit export audit.jsonl", How::Beside),
    (
        "referee moderate audit prune --older-than 365 --operator ann",
        How::Beside,
    ),
];

/// Signs the account Mallory out.
pub(crate) const SIGN_OUT: &str = "sqlite3 -cmd \".timeout 5000\" referee-data/referee.sqlite \"DELETE FROM tokens WHERE sign_in IN (SELECT id FROM sign_ins JOIN accounts USING (account) WHERE nickname_key = 'mallory')\"";
/// Gives the account Grom five tokens.
pub(crate) const CORRECT: &str =
    "referee ledger correct Grom --amount 5 --reason 'lost match' --operator ann --key ticket-118";

/// Voids a match that is over.
pub(crate) const VOID: &str = "referee moderate void \"$MATCH\" --reason cheating --operator ann";

/// Renames the account Grom.
pub(crate) const RENAME: &str =
    "referee moderate rename Grom Gram --reason offensive --operator ann";
/// Undoes [`RENAME`] for the next round of commands.
pub(crate) const RENAME_BACK: &str =
    "referee moderate rename Gram Grom --reason appeal --operator ann";

/// Every command in the document's code blocks, in order. Panics if the document has a command
/// that no test knows how to run, or lacks a known one.
pub(crate) fn documented() -> Vec<Documented> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
    let text = std::fs::read_to_string(path).unwrap();
    let found: Vec<Documented> = commands(&text).map(known).collect();
    for (line, _) in KNOWN {
        assert!(
            found.iter().any(|it| it.line == *line),
            "docs/operations.md no longer has {line:?}: remove it from this test"
        );
    }
    found
}

fn commands(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut in_block = false;
    text.lines().filter_map(move |line| {
        if line.starts_with("```") {
            in_block = !in_block;
            return None;
        }
        let command = line.split_once(" #").map_or(line, |(command, _)| command);
        let command = command.trim().to_owned();
        (in_block && !command.is_empty()).then_some(command)
    })
}

fn known(line: String) -> Documented {
    let how = KNOWN.iter().find(|(known, _)| *known == line);
    let (_, how) = how.unwrap_or_else(|| {
        panic!("docs/operations.md has {line:?}, which no test runs: add it to KNOWN")
    });
    Documented { line, how: *how }
}
