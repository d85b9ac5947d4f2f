//! Accounts, nicknames, ratings, invitations, the audit log.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough over the lifetime of a transaction"
)]

mod common;

use common::{accounts, assert_books, correction, game_id, new_account};
use store::{
    Account, AuditFault, Denied, Deny, Invitation, LedgerAccount, NewAccount, NewAudit, Nickname,
    NicknameSet, Posted, RankBy, Rating, Store, Tx,
};

fn attempt<T>(
    store: &mut Store,
    work: impl Fn(&mut Tx<'_>) -> Result<T, Deny>,
) -> Result<T, Denied> {
    store.commit(|tx| tx.attempt(|tx| work(tx))).unwrap()
}

fn nickname(shown: &str) -> Nickname {
    Nickname::read(shown, []).unwrap()
}

fn tokens(store: &mut Store, account: Account) -> u64 {
    store
        .read(|tx| tx.account(account))
        .unwrap()
        .unwrap()
        .tokens
}

fn hash(nth: u8) -> [u8; 32] {
    [nth; 32]
}

on_both! {
    fn an_account_is_found_by_each_of_its_names(home: &Home) {
        let mut store = home.writer();
        let new = NewAccount {
            nickname: Some(nickname("Ork_1")),
            telegram_user_id: Some(-5),
            login: Some("ork".to_owned()),
            password_hash: Some("$argon2".to_owned()),
            ..new_account(3)
        };
        let account = attempt(&mut store, |tx| tx.create_account(&new)).unwrap();
        let row = store.read(|tx| tx.account(account)).unwrap();
        assert_eq!(row.as_ref().unwrap().nickname, new.nickname);
        let found = store.read(|tx| Ok([
            tx.account_by_public_id(new.public_id)?,
            tx.account_by_login("ork")?,
            tx.account_by_telegram(-5)?,
            tx.find_accounts("ork_", 5)?.pop(),
            tx.find_accounts(&new.public_id.to_string(), 5)?.pop(),
            tx.find_accounts(&account.0.to_string(), 5)?.pop(),
        ])).unwrap();
        assert!(found.iter().all(|it| *it == row), "{found:?}");
        assert_eq!(store.read(|tx| tx.find_accounts("o%", 5)).unwrap(), []);
        assert_eq!(store.read(|tx| tx.account(Account(99))).unwrap(), None);
    }

    fn creating_an_account_twice_grants_tokens_once(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        assert_eq!(accounts(&mut store, 2), made);
        assert_eq!(store.read(|tx| tx.totals()).unwrap().issued, 20);
    }

    fn names_that_are_taken_are_denied(home: &Home) {
        let mut store = home.writer();
        let first = NewAccount {
            nickname: Some(nickname("Ork")),
            telegram_user_id: Some(5),
            login: Some("ork".to_owned()),
            ..new_account(0)
        };
        attempt(&mut store, |tx| tx.create_account(&first)).unwrap();
        let plain = new_account(1);
        for (new, denied) in [
            (NewAccount { nickname: Some(nickname("ORK")), ..plain.clone() }, Denied::NicknameTaken),
            (NewAccount { nickname: Some(nickname("0rk")), ..plain.clone() }, Denied::NicknameTaken),
            (NewAccount { login: first.login.clone(), ..plain.clone() }, Denied::LoginTaken),
            (NewAccount { telegram_user_id: Some(5), ..plain.clone() }, Denied::TelegramTaken),
        ] {
            assert_eq!(attempt(&mut store, |tx| tx.create_account(&new)), Err(denied));
        }
        let second = attempt(&mut store, |tx| tx.create_account(&plain)).unwrap();
        let login = attempt(&mut store, |tx| tx.set_login(second, "ork", "x"));
        assert_eq!(login, Err(Denied::LoginTaken));
        attempt(&mut store, |tx| tx.set_login(second, "elf", "x")).unwrap();
        attempt(&mut store, |tx| tx.set_password(second, "y")).unwrap();
        let row = store.read(|tx| tx.account(second)).unwrap().unwrap();
        assert_eq!(row.password_hash.as_deref(), Some("y"));
        let nobody = attempt(&mut store, |tx| tx.set_password(Account(9), "y"));
        assert_eq!(nobody, Err(Denied::UnknownAccount { account: Account(9) }));
    }

    fn a_nickname_and_its_price_take_effect_together(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        let set = |store: &mut Store, name: &str, cost| {
            attempt(store, |tx| tx.set_nickname(made[0], &nickname(name), cost, 1))
        };
        assert_eq!(set(&mut store, "Ork", 0), Ok(NicknameSet { charged: 0, tokens: 10 }));
        assert_eq!(set(&mut store, "ORK", 0), Ok(NicknameSet { charged: 0, tokens: 10 }));
        assert_eq!(set(&mut store, "Elf", 3), Ok(NicknameSet { charged: 3, tokens: 7 }));
        let dear = Denied::NotEnoughTokens { account: made[0], balance: 7, needed: 8 };
        assert_eq!(set(&mut store, "Troll", 8), Err(dear));
        attempt(&mut store, |tx| tx.set_nickname(made[1], &nickname("Mila"), 0, 1)).unwrap();
        for taken in ["mila", "rniIa", "Mi1a"] {
            assert_eq!(set(&mut store, taken, 3), Err(Denied::NicknameTaken), "{taken}");
        }
        let row = store.read(|tx| tx.account(made[0])).unwrap().unwrap();
        assert_eq!((row.nickname, row.tokens), (Some(nickname("Elf")), 7));
        assert_eq!(store.read(|tx| tx.balance(LedgerAccount::Burn)).unwrap(), 3);
        assert_books(&mut store);
    }

    fn an_invitation_is_accepted_once(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let invitation = |nth: u8| Invitation {
            code_hash: hash(nth),
            game: "orcain".to_owned(),
            stake: 2,
            creator: made[0],
            created_at: 10,
            expires_at: 20,
            options: "{}".to_owned(),
        };
        attempt(&mut store, |tx| tx.add_invitation(&invitation(1))).unwrap();
        let again = attempt(&mut store, |tx| tx.add_invitation(&invitation(1)));
        assert_eq!(again, Err(Denied::CodeTaken));
        let seen = store.read(|tx| tx.invitation(&hash(1), 19)).unwrap();
        assert_eq!(seen, Some(invitation(1)));
        assert_eq!(store.read(|tx| tx.invitation(&hash(1), 20)).unwrap(), None);
        let take = |store: &mut Store| store.commit(|tx| tx.take_invitation(&hash(1), 19)).unwrap();
        assert_eq!(take(&mut store), Some(invitation(1)));
        assert_eq!(take(&mut store), None);
        for nth in 0..16 {
            attempt(&mut store, |tx| tx.add_invitation(&invitation(nth))).unwrap();
        }
        let one_more = attempt(&mut store, |tx| tx.add_invitation(&invitation(99)));
        assert!(matches!(one_more, Err(Denied::TooMany { most: 16, .. })), "{one_more:?}");
        assert_eq!(store.commit(|tx| tx.prune_invitations(20)).unwrap(), 16);
    }

    fn a_leaderboard_is_in_order(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 3);
        let rating = |league, rating| Rating {
            league,
            rating,
            deviation: 350.0,
            volatility: 0.06,
            n_rated: 1,
        };
        store.commit(|tx| {
            tx.set_rating(game_id(1), made[0], "orcain", &rating(1, 1.0))?;
            tx.set_rating(game_id(1), made[0], "orcain", &rating(5, 1500.5))?;
            tx.set_rating(game_id(1), made[1], "orcain", &rating(5, 1600.0))?;
            tx.set_rating(game_id(1), made[2], "orcain", &rating(9, 1400.0))?;
            tx.set_rating(game_id(1), made[2], "catan", &rating(0, 1.0))
        }).unwrap();
        let order = |store: &mut Store, by, offset| {
            let rows = store.read(|tx| tx.leaderboard("orcain", by, offset, 10)).unwrap();
            rows.iter().map(|row| row.account).collect::<Vec<_>>()
        };
        assert_eq!(order(&mut store, RankBy::League, 0), [made[2], made[1], made[0]]);
        assert_eq!(order(&mut store, RankBy::Rating, 1), [made[0], made[2]]);
        let own = store.read(|tx| tx.rating(made[0], "orcain")).unwrap();
        assert_eq!(own, Some(rating(5, 1500.5)));
        assert_eq!(store.read(|tx| tx.rating(made[0], "catan")).unwrap(), None);
    }

    fn a_correction_is_a_compensating_transfer_and_is_audited(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let more = correction(made[0], 5, "ticket 7");
        assert_eq!(attempt(&mut store, |tx| tx.correct(&more)), Ok(Posted::New));
        assert_eq!(attempt(&mut store, |tx| tx.correct(&more)), Ok(Posted::Known));
        assert_eq!(tokens(&mut store, made[0]), 15);
        let other = correction(made[0], 6, "ticket 7");
        let refused = attempt(&mut store, |tx| tx.correct(&other)).unwrap_err();
        let said = refused.to_string();
        assert!(said.contains("player:1 +5") && said.contains("player:1 +6"), "{said}");
        let less = correction(made[0], -15, "ticket 8");
        assert_eq!(attempt(&mut store, |tx| tx.correct(&less)), Ok(Posted::New));
        let broke = correction(made[0], -1, "ticket 9");
        assert!(attempt(&mut store, |tx| tx.correct(&broke)).is_err());
        let player = LedgerAccount::Player(made[0]);
        let entries = store.read(|tx| tx.entries(player, None, 10)).unwrap();
        let amounts: Vec<i64> = entries.iter().map(|entry| entry.amount).collect();
        assert_eq!(amounts, [-15, 5, 10]);
        assert_eq!(entries[0].operator.as_deref(), Some("ada"));
        let older = store.read(|tx| tx.entries(player, Some(entries[1].number), 10)).unwrap();
        assert_eq!(older.len(), 1);
        let audit = store.read(|tx| tx.audit_rows(Some(made[0]), None, 10)).unwrap();
        assert_eq!(audit.len(), 2);
        assert!(audit[0].payload.contains("ticket 8"));
        assert_books(&mut store);
    }

    // Promise: Changed books and a changed audit log are found.
    fn tampering_with_the_audit_log_is_detected(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let add = |store: &mut Store, n: u64| {
            store.commit(|tx| {
                (0..n).try_for_each(|at| {
                    let account = (at % 2 == 0).then_some(made[0]);
                    tx.audit(NewAudit { at, account, kind: "seen", payload: "{}" })
                })
            }).unwrap();
        };
        let check = |store: &mut Store| store.read(|tx| tx.check_audit()).unwrap();
        assert_eq!(check(&mut store).unwrap().number, 0);
        add(&mut store, 5);
        assert_eq!(check(&mut store).unwrap().number, 5);
        for (tamper, undo, fault) in [
            (
                "UPDATE audit SET payload = '{1}' WHERE number = 3",
                "UPDATE audit SET payload = '{}' WHERE number = 3",
                AuditFault::Changed { number: 3 },
            ),
            (
                "UPDATE audit SET account = NULL WHERE number = 1",
                "UPDATE audit SET account = 1 WHERE number = 1",
                AuditFault::Changed { number: 1 },
            ),
            (
                "UPDATE audit SET number = 50 WHERE number = 2",
                "UPDATE audit SET number = 2 WHERE number = 50",
                AuditFault::Missing { number: 2 },
            ),
            (
                "UPDATE audit_head SET number = 3",
                "UPDATE audit_head SET number = 5",
                AuditFault::Head { number: 5 },
            ),
            (
                "DELETE FROM audit WHERE number = 5",
                "SELECT 1",
                AuditFault::Missing { number: 5 },
            ),
        ] {
            home.meddle(tamper);
            assert_eq!(check(&mut store), Err(fault));
            home.meddle(undo);
        }
    }
}
