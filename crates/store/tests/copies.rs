//! Backups of the embedded database, and databases restored from them.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
#![allow(dead_code, reason = "each test program uses some of the common part")]

mod common;

use std::fs;
use std::path::Path;

use common::{Home, accounts};
use store::{Account, CopyFault, InTheWay, Place, Store, back_up, restore};

fn database(home: &Home) -> &Path {
    match &home.place {
        Place::Sqlite(path) => path,
        Place::Postgres(_) => unreachable!(),
    }
}

fn has_account(path: &Path, account: Account) -> bool {
    let mut store = Store::open_reader(&Place::Sqlite(path.into())).unwrap();
    store.read(|tx| tx.account(account)).unwrap().is_some()
}

fn replace() -> InTheWay {
    InTheWay::Replace {
        suffix: ".old".to_owned(),
    }
}

#[test]
fn a_restored_database_replaces_the_old_one_which_is_kept() {
    let home = Home::sqlite();
    let path = database(&home);
    drop(home.open());
    let backup = path.with_file_name("backup.db");
    back_up(path, &backup, &InTheWay::Refuse).unwrap();
    let made = accounts(&mut home.writer(), 1);

    let refused = restore(&backup, path, &InTheWay::Refuse);
    assert!(
        matches!(refused, Err(CopyFault::Present { .. })),
        "{refused:?}"
    );
    assert!(has_account(path, made[0]));

    let restored = restore(&backup, path, &replace()).unwrap();
    let kept = restored.kept.unwrap();
    assert_eq!(kept, path.with_file_name("referee.db.old"));
    assert!(has_account(&kept, made[0]));
    assert!(!has_account(path, made[0]));
}

#[test]
fn a_database_is_restored_where_there_was_none() {
    let home = Home::sqlite();
    let path = database(&home);
    let made = accounts(&mut home.writer(), 1);
    let elsewhere = path.with_file_name("elsewhere.db");
    let restored = restore(path, &elsewhere, &replace()).unwrap();
    assert_eq!(restored.kept, None);
    assert!(has_account(&elsewhere, made[0]));
}

#[test]
fn a_copy_that_fails_its_checks_leaves_no_file_behind() {
    let home = Home::sqlite();
    let path = database(&home);
    accounts(&mut home.writer(), 1);
    home.meddle("UPDATE balances SET amount = 7 WHERE account = 'player:1'");
    let backup = path.with_file_name("backup.db");
    let refused = back_up(path, &backup, &InTheWay::Refuse);
    assert!(
        matches!(refused, Err(CopyFault::Unsound { .. })),
        "{refused:?}"
    );
    for file in fs::read_dir(path.parent().unwrap()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(name.starts_with("referee.db"), "{name}");
    }
}
