//! The store itself: migrations, claims, transactions.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough over the lifetime of a transaction"
)]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Home, accounts, assert_books, game_id, new_account, new_match, payout};
use store::{
    Account, Denied, LedgerAccount, MovedFile, NewEvent, Place, Posted, Store, StoreError,
};

on_both! {
    fn a_store_is_created_and_opened_again(home: &Home) {
        assert!(Store::open_reader(&home.place).is_err());
        let made = accounts(&mut home.writer(), 1);
        let mut again = home.open();
        let row = again.read(|tx| tx.account(made[0])).unwrap();
        assert_eq!(row.unwrap().tokens, 10);
        home.reader().ping().unwrap();
        again.checkpoint().unwrap();
    }

    fn a_newer_schema_is_refused(home: &Home) {
        drop(home.open());
        home.meddle("INSERT INTO schema_version (version) VALUES (9)");
        let newer = Store::open(&home.place).err();
        assert!(matches!(newer, Some(StoreError::Newer { found: 9, .. })), "{newer:?}");
        assert_eq!(Store::open_reader(&home.place).err(), newer);
    }

    fn a_store_without_a_claim_does_not_write(home: &Home) {
        let mut store = home.open();
        assert_eq!(store.commit(|_| Ok(())), Err(StoreError::NotClaimed));
    }

    // Promise: One process writes at a time.
    fn a_writer_is_fenced_by_a_later_claim(home: &Home) {
        let mut first = home.writer();
        let made = accounts(&mut first, 2);
        home.unlock();
        let mut second = home.open();
        let epoch = second.claim(2).unwrap();
        let late = first.commit(|tx| tx.attempt(|tx| tx.open_match(&new_match(1, &made, 1))));
        assert_eq!(late, Err(StoreError::Fenced));
        assert!(StoreError::Fenced.is_fatal());
        let opened = second.commit(|tx| tx.attempt(|tx| tx.open_match(&new_match(1, &made, 1))));
        assert_eq!(opened.unwrap(), Ok(Posted::New));
        home.unlock();
        assert!(home.open().claim(3).unwrap() > epoch);
        assert_books(&mut home.reader());
    }

    fn a_denial_rolls_back_only_its_part(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 4);
        let (first, poor, last) = store
            .commit(|tx| {
                let first = tx.attempt(|tx| tx.open_match(&new_match(1, &made[..2], 4)))?;
                let poor = tx.attempt(|tx| {
                    tx.set_profile(made[2], "ru", "mage")?;
                    tx.open_match(&new_match(2, &made[2..], 11))
                })?;
                let last = tx.attempt(|tx| tx.open_match(&new_match(3, &made[2..], 10)))?;
                Ok((first, poor, last))
            })
            .unwrap();
        assert_eq!((first, last), (Ok(Posted::New), Ok(Posted::New)));
        assert_eq!(
            poor,
            Err(Denied::NotEnoughTokens { account: made[2], balance: 10, needed: 11 })
        );
        let row = store.read(|tx| tx.account(made[2])).unwrap().unwrap();
        assert_eq!((row.avatar.as_str(), row.tokens), ("orc", 0));
        let open = store.read(|tx| tx.open_matches()).unwrap();
        assert_eq!(open.len(), 2);
        assert_books(&mut store);
    }

    // Promise: A transaction takes effect whole or not at all.
    fn a_failure_that_the_work_ignores_still_rolls_it_back(home: &Home) {
        let mut store = home.writer();
        let stray = NewEvent { game_id: game_id(1), version: 1, bytes: b"x" };
        let done = store.commit(|tx| {
            tx.attempt(|tx| tx.create_account(&new_account(0)))?.unwrap();
            tx.append(stray).ok();
            Ok(())
        });
        assert!(matches!(done, Err(StoreError::Rejected { .. })), "{done:?}");
        let totals = store.read(|tx| tx.totals()).unwrap();
        assert_eq!(totals.issued, 0);
        accounts(&mut store, 1);
    }

    // Promise: A transaction takes effect whole or not at all.
    fn a_crash_in_a_transaction_loses_all_of_it(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let crashed = catch_unwind(AssertUnwindSafe(|| {
            store.commit(|tx| {
                tx.attempt(|tx| tx.open_match(&new_match(1, &made, 5)))?.unwrap();
                tx.append(NewEvent { game_id: game_id(1), version: 1, bytes: b"x" })?;
                assert!(made.is_empty(), "the process dies here");
                Ok(())
            })
        }));
        assert!(crashed.is_err());
        drop(store);
        let mut store = home.writer();
        assert_eq!(store.read(|tx| tx.open_matches()).unwrap(), []);
        assert_eq!(store.read(|tx| tx.events(game_id(1))).unwrap(), [[0_u8; 0]; 0]);
        let pot = LedgerAccount::Escrow(game_id(1));
        assert_eq!(store.read(|tx| tx.balance(pot)).unwrap(), 0);
        assert_books(&mut store);
    }

    // Promise: No token is made or lost in storage, whatever is asked twice and in any order.
    fn the_books_are_exact_at_every_instant_that_a_reader_can_observe(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let mut reader = home.reader();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for nth in 0..60 {
                    store.commit(|tx| tx.attempt(|tx| tx.open_match(&new_match(nth, &made, 3)))).unwrap().unwrap();
                    let seats = [Some(made[(nth % 2) as usize]), Some(made[0])];
                    store.commit(|tx| {
                        tx.settle(&payout(nth, 6), &seats, 20)?;
                        tx.finish_match(game_id(nth), &common::ending(None))
                    }).unwrap();
                    // Paid back, so that nobody runs out of tokens.
                    let back = store::Transfer {
                        key: format!("back:{nth}"),
                        kind: store::TransferKind::Correction,
                        game_id: None,
                        legs: store::Legs::pay(
                            LedgerAccount::Player(made[(nth % 2) as usize]),
                            LedgerAccount::Player(made[(nth % 2 == 0) as usize]),
                            3,
                        ).unwrap(),
                        at: 1,
                        memo: String::new(),
                        operator: None,
                    };
                    store.commit(|tx| tx.attempt(|tx| tx.transfer(&back))).unwrap().unwrap();
                }
            });
            let mut n_looks = 0;
            while !writer.is_finished() {
                assert_books(&mut reader);
                n_looks += 1;
            }
            writer.join().unwrap();
            assert!(n_looks > 0);
        });
        assert_books(&mut reader);
    }

    fn an_operator_can_write_while_the_writer_runs(home: &Home) {
        let mut writer = home.writer();
        let made = accounts(&mut writer, 1);
        let mut operator = home.open();
        let correction = common::correction(made[0], 5, "a");
        operator.maintain(|tx| tx.attempt(|tx| tx.correct(&correction))).unwrap().unwrap();
        writer.commit(|tx| tx.touch(made[0], 77)).unwrap();
        let row = operator.read(|tx| tx.account(made[0])).unwrap().unwrap();
        assert_eq!((row.tokens, row.last_seen_at), (15, 77));
    }
}

// Promise: One process writes at a time.
#[test]
fn a_second_process_learns_which_process_holds_the_database_file() {
    let home = Home::sqlite();
    let first = home.writer();
    let refused = home.open().claim(2).unwrap_err();
    let StoreError::InUse { pid, .. } = &refused else {
        panic!("{refused:?}");
    };
    assert_eq!(*pid, Some(std::process::id()));
    assert!(
        refused
            .to_string()
            .contains(&std::process::id().to_string())
    );
    drop(first);
    home.open().claim(3).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_the_database_file() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::sqlite();
    drop(home.open());
    let store::Place::Sqlite(path) = &home.place else {
        unreachable!()
    };
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_file_that_is_not_a_database_is_refused() {
    let home = Home::sqlite();
    let store::Place::Sqlite(path) = &home.place else {
        unreachable!()
    };
    std::fs::write(
        path,
        "not a database, but long enough to be read as one ".repeat(200),
    )
    .unwrap();
    let error = Store::open(&home.place).err().unwrap();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}

// Promise: Nothing is committed to files that cannot be found again.
#[test]
fn a_writer_acknowledges_nothing_after_its_files_were_moved() {
    for suffix in ["", "-wal", "-shm"] {
        for found in [MovedFile::Nothing, MovedFile::Another] {
            let home = Home::sqlite();
            let Place::Sqlite(path) = &home.place else {
                unreachable!()
            };
            let mut store = home.writer();
            accounts(&mut store, 1);
            store.checkpoint().unwrap();
            let file = format!("{}{suffix}", path.display());
            std::fs::rename(&file, format!("{file}.moved")).unwrap();
            if found == MovedFile::Another {
                std::fs::copy(format!("{file}.moved"), &file).unwrap();
            }
            let saved = format!("{}.rescued-{}", path.display(), std::process::id());
            let moved = StoreError::Moved {
                path: file,
                found,
                saved: Some(saved.clone()),
            };
            assert!(moved.is_fatal());
            assert_eq!(store.commit(|_| Ok(())), Err(moved.clone()));
            assert_eq!(store.checkpoint(), Err(moved));
            // Nothing that was committed is lost with the files.
            let mut saved = Store::open_reader(&Place::Sqlite(saved.into())).unwrap();
            let row = saved.read(|tx| tx.account(Account(1))).unwrap();
            assert_eq!(row.unwrap().tokens, 10);
        }
    }
}

#[test]
fn a_missing_database_is_not_created_again() {
    let home = Home::sqlite();
    let Place::Sqlite(path) = &home.place else {
        unreachable!()
    };
    drop(home.writer());
    std::fs::remove_file(path).unwrap();
    let refused = Store::open(&home.place).err().unwrap();
    assert!(refused.to_string().contains("is missing"), "{refused}");
    assert!(!path.exists());
    home.unlock();
    home.open();
    let log = format!("{}-wal", path.display());
    std::fs::remove_file(path).unwrap();
    std::fs::write(log, "committed").unwrap();
    assert!(Store::open(&home.place).is_err());
}
