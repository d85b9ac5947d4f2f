//! `referee moderate`: runs every command in docs/operations.md exactly as written there.
//!
//! Promise: Every decision of an operator is in the audit log, and a running server sees it.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

use std::path::Path;
use std::process::{Command, Output};

use store::{Account, NewAccount, Nickname, Place, Store};
use tempfile::TempDir;
use uuid::Uuid;

fn referee(data: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(line.split_whitespace())
        .current_dir(data)
        .env("REFEREE_DATA", data)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

fn ok(data: &Path, line: &str) -> String {
    let output = referee(data, line);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{line}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn wrong(data: &Path, line: &str) -> String {
    let output = referee(data, line);
    assert_ne!(output.status.code(), Some(0), "{line}");
    text(&output.stderr)
}

/// A database with two accounts.
fn database() -> TempDir {
    let data = TempDir::new().unwrap();
    let place = Place::Sqlite(data.path().join("referee.sqlite"));
    let mut store = Store::open(&place).unwrap();
    store.claim(1).unwrap();
    for (nth, name) in [(1, "Grom"), (2, "Mila")] {
        let new = NewAccount {
            public_id: Uuid::from_u128(nth),
            at: 5,
            nickname: Some(Nickname::read(name, []).unwrap()),
            language: "en".to_owned(),
            avatar: "orc".to_owned(),
            telegram_user_id: None,
            login: None,
            password_hash: None,
            tokens_granted: 10,
        };
        let made = store.commit(|tx| tx.attempt(|tx| tx.create_account(&new)));
        assert_eq!(made.unwrap(), Ok(Account(nth as u64)));
    }
    data
}

#[test]
fn every_documented_command_works_and_is_in_the_audit_log() {
    let home = database();
    let data = home.path();
    let banned = ok(
        data,
        "moderate ban Grom --days 7 --reason insults --operator ann",
    );
    assert!(
        banned.starts_with("ban: ") && banned.ends_with("for 7 days"),
        "{banned}"
    );
    ok(data, "moderate unban Grom --reason appeal --operator ann");
    let none = ok(data, "moderate unban Grom --reason appeal --operator ann");
    assert!(none.starts_with("nothing done"), "{none}");
    ok(data, "moderate mute Grom --reason insults --operator ann");
    ok(data, "moderate unmute Grom --reason appeal --operator ann");
    ok(
        data,
        "moderate rename Grom Gram --reason offensive --operator ann",
    );
    let taken = wrong(data, "moderate rename Gram MiIa --reason x --operator ann");
    assert!(taken.contains("this nickname is taken"), "{taken}");
    let reserved = wrong(data, "moderate rename Gram Admin --reason x --operator ann");
    assert!(reserved.contains("reserved"), "{reserved}");
    ok(
        data,
        "moderate rename Gram --reason offensive --operator ann",
    );
    let none = ok(data, "moderate pair 1 Mila");
    assert_eq!(none, "no matches between these accounts");
    assert_eq!(
        ok(data, "moderate collusion --days 30 --least 10"),
        "no pairs met that often"
    );
    let unknown = "moderate void 7e3a2c2c-9a1f-4c4a-8d8a-1ef6adf1b4c3 --reason x --operator ann";
    assert!(wrong(data, unknown).contains("there is no match"));
    assert!(
        wrong(data, "moderate void x --reason x --operator ann").contains("not the id of a match")
    );
    assert!(
        wrong(data, "moderate ban Nobody --reason x --operator ann").contains("no account matches")
    );
    assert_eq!(
        ok(data, "moderate audit export audit.jsonl"),
        "exported 6 rows to audit.jsonl"
    );
    let lines = std::fs::read_to_string(data.join("audit.jsonl")).unwrap();
    let kinds: Vec<String> = lines
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["kind"].to_string())
        .collect();
    assert_eq!(
        kinds.join(" ").replace('"', ""),
        "moderate_ban moderate_unban moderate_mute moderate_unmute moderate_rename moderate_rename"
    );
    assert!(wrong(data, "moderate audit export audit.jsonl").contains("exists"));
    assert_eq!(
        ok(data, "moderate audit prune --older-than 365 --operator ann"),
        "pruned 0 rows"
    );
    assert_eq!(
        ok(data, "moderate audit prune --older-than 0 --operator ann"),
        "pruned 6 rows"
    );
    assert!(ok(data, "ledger check").contains("the audit log is intact"));
}
