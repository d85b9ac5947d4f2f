//! Sign-ins, their tokens and tickets, recovery codes, and deleted accounts.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough over the lifetime of a transaction"
)]

mod common;

use common::{accounts, assert_books, ending, game_id, new_account, new_match, payout};
use store::{
    Account, DELETED_PLAYER, Denied, Deny, Invitation, LedgerAccount, MatchResult, NewAccount,
    Nickname, Posted, ROTATION_OVERLAP_MS, RankBy, Rating, ResultRow, SIGN_INS_PER_ACCOUNT_MAX,
    SignIn, SignInId, Store, Tx,
};
use uuid::Uuid;

fn attempt<T>(
    store: &mut Store,
    work: impl Fn(&mut Tx<'_>) -> Result<T, Deny>,
) -> Result<T, Denied> {
    store.commit(|tx| tx.attempt(|tx| work(tx))).unwrap()
}

fn hash(nth: u8) -> [u8; 32] {
    [nth; 32]
}

fn sign_in(nth: u8, account: Account, at: u64) -> SignIn {
    SignIn {
        id: SignInId(nth.into()),
        account,
        created_at: at,
        last_seen_at: at,
        expires_at: at + 100,
        proven_at: None,
        agent: "Firefox, Linux".to_owned(),
    }
}

/// Begins sign-ins, each with the token of the same number.
fn begin(store: &mut Store, new: &[SignIn]) {
    let begun = store.commit(|tx| {
        new.iter()
            .try_for_each(|it| tx.begin_sign_in(it, &hash(it.id.0 as u8)).map(drop))
    });
    begun.unwrap();
}

/// The sign-in that a token belongs to, if it is valid.
fn opens(store: &mut Store, nth: u8, now: u64) -> Option<u64> {
    let used = store
        .read(|tx| tx.sign_in_of_token(&hash(nth), now))
        .unwrap();
    used.map(|it| it.sign_in.id.0)
}

on_both! {
    fn a_token_is_valid_until_its_sign_in_expires_or_ends(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        begin(&mut store, &[sign_in(1, made[0], 10), sign_in(2, made[0], 20), sign_in(3, made[1], 20)]);
        assert_eq!(opens(&mut store, 1, 109), Some(1));
        assert_eq!(opens(&mut store, 1, 110), None);
        assert_eq!(opens(&mut store, 9, 50), None);
        let listed = store.read(|tx| tx.sign_ins(made[0], 50)).unwrap();
        assert_eq!(listed, [sign_in(2, made[0], 20), sign_in(1, made[0], 10)]);
        let foreign = store.commit(|tx| tx.end_sign_in(made[1], SignInId(1))).unwrap();
        assert!(!foreign, "an account cannot end another's sign-in");
        assert!(store.commit(|tx| tx.end_sign_in(made[0], SignInId(1))).unwrap());
        assert_eq!((opens(&mut store, 1, 50), opens(&mut store, 2, 50)), (None, Some(2)));
        begin(&mut store, &[sign_in(4, made[0], 30)]);
        let ended = store.commit(|tx| tx.end_sign_ins_but(made[0], Some(SignInId(4)))).unwrap();
        assert_eq!(ended, [SignInId(2)]);
        assert_eq!((opens(&mut store, 2, 50), opens(&mut store, 4, 50)), (None, Some(4)));
        assert_eq!(store.commit(|tx| tx.prune_sign_ins(120)).unwrap(), 2, "a token and its sign-in");
        assert_eq!((opens(&mut store, 3, 50), opens(&mut store, 4, 50)), (None, Some(4)));
    }

    fn using_a_token_extends_its_sign_in(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        begin(&mut store, &[sign_in(1, made[0], 10)]);
        for now in [100, 190, 280] {
            assert_eq!(opens(&mut store, 1, now), Some(1), "{now}");
            store.commit(|tx| tx.use_token(&hash(1), now, now + 100)).unwrap();
        }
        assert_eq!(opens(&mut store, 1, 380), None);
    }

    fn an_old_token_works_until_its_successor_is_used(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let later = 20 + ROTATION_OVERLAP_MS;
        begin(&mut store, &[SignIn { expires_at: 2 * later, ..sign_in(1, made[0], 10) }]);
        let rotate = |store: &mut Store, old, new| {
            store.commit(|tx| tx.rotate_token(&hash(old), &hash(new), later)).unwrap()
        };
        let succeeds = |store: &mut Store, nth| {
            let used = store.read(|tx| tx.sign_in_of_token(&hash(nth), later)).unwrap();
            used.map(|it| it.succeeds)
        };
        assert_eq!(rotate(&mut store, 1, 5), Some(SignInId(1)));
        // The response was lost: the client has only the old token, and tries again.
        assert_eq!(opens(&mut store, 1, later), Some(1));
        assert_eq!(rotate(&mut store, 1, 6), Some(SignInId(1)));
        assert_eq!((succeeds(&mut store, 1), succeeds(&mut store, 6)), (Some(false), Some(true)));
        store.commit(|tx| tx.use_token(&hash(6), later, 2 * later)).unwrap();
        assert_eq!(opens(&mut store, 1, later), None);
        assert_eq!(rotate(&mut store, 1, 7), None);
        // Two tabs rotated at the same moment: neither signs out the other.
        assert_eq!((succeeds(&mut store, 5), succeeds(&mut store, 6)), (Some(false), Some(false)));
        for nth in 10..20 {
            rotate(&mut store, 6, nth);
        }
        let live = (1..20).filter(|nth| opens(&mut store, *nth, later).is_some()).count();
        assert_eq!(live, 4, "a sign-in keeps at most its maximum of tokens");
    }

    fn the_number_of_sign_ins_is_limited(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let most = SIGN_INS_PER_ACCOUNT_MAX as u8;
        let all: Vec<SignIn> = (1..=most).map(|nth| sign_in(nth, made[0], nth.into())).collect();
        begin(&mut store, &all);
        let over = store.commit(|tx| tx.begin_sign_in(&sign_in(99, made[0], 0), &hash(99))).unwrap();
        assert_eq!(over, [SignInId(1)], "the one unused the longest, and not the new one");
        assert_eq!((opens(&mut store, 1, 50), opens(&mut store, 99, 50)), (None, Some(99)));
    }

    fn a_ticket_is_valid_once_and_only_briefly(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 1);
        let long = SignIn { expires_at: u64::MAX, ..sign_in(1, made[0], 10) };
        begin(&mut store, &[long, sign_in(2, made[0], 10)]);
        store.commit(|tx| {
            tx.add_ticket(&hash(1), SignInId(1), 1_000, 11_000)?;
            tx.add_ticket(&hash(2), SignInId(1), 1_000, 11_000)?;
            tx.add_ticket(&hash(3), SignInId(1), 1_000, u64::MAX)?;
            tx.add_ticket(&hash(4), SignInId(2), 50, 60)?;
            tx.end_sign_in(made[0], SignInId(2))?;
            tx.add_ticket(&hash(5), SignInId(2), 50, 60)
        }).unwrap();
        let take = |store: &mut Store, nth, now| {
            let taken = store.commit(|tx| tx.take_ticket(&hash(nth), now)).unwrap();
            taken.map(|it| it.id.0)
        };
        assert_eq!(take(&mut store, 1, 10_999), Some(1));
        assert_eq!(take(&mut store, 1, 10_999), None);
        assert_eq!(take(&mut store, 2, 11_000), None);
        assert_eq!(take(&mut store, 3, 31_000), None);
        assert_eq!((take(&mut store, 4, 55), take(&mut store, 5, 55)), (None, None));
    }

    fn a_recovery_code_works_once_and_ends_all_sign_ins(home: &Home) {
        let mut store = home.writer();
        let made = accounts(&mut store, 2);
        begin(&mut store, &[sign_in(1, made[0], 10)]);
        attempt(&mut store, |tx| tx.set_login(made[0], "ork", "old")).unwrap();
        store.commit(|tx| {
            tx.set_recovery_codes(made[0], &[hash(50), hash(51)], 10)?;
            tx.set_recovery_codes(made[0], &[hash(60), hash(61)], 11)
        }).unwrap();
        let recover = |store: &mut Store, code, login| {
            attempt(store, |tx| tx.recover(&hash(code), login, "new"))
        };
        assert_eq!(recover(&mut store, 50, "ork"), Ok(None), "new codes end the old ones");
        assert_eq!(recover(&mut store, 60, "elf"), Ok(None), "the login is not the account's");
        assert_eq!(opens(&mut store, 1, 50), Some(1), "a wrong attempt changes nothing");
        assert_eq!(recover(&mut store, 60, "ork"), Ok(Some((made[0], vec![SignInId(1)]))));
        assert_eq!(opens(&mut store, 1, 50), None);
        assert_eq!(recover(&mut store, 60, "ork"), Ok(None), "a code works once");
        assert_eq!(store.read(|tx| tx.n_recovery_codes(made[0])).unwrap(), 1);
        let row = store.read(|tx| tx.account(made[0])).unwrap().unwrap();
        assert_eq!(row.password_hash.as_deref(), Some("new"));
        // An account without a login gets one, if it is free.
        store.commit(|tx| tx.set_recovery_codes(made[1], &[hash(70)], 11)).unwrap();
        assert_eq!(recover(&mut store, 70, "ork"), Err(Denied::LoginTaken));
        assert_eq!(recover(&mut store, 70, "elf"), Ok(Some((made[1], vec![]))));
    }

    fn a_deleted_account_keeps_its_transfers_but_no_personal_data(home: &Home) {
        let mut store = home.writer();
        let new = NewAccount {
            nickname: Some(Nickname::read("Ork", []).unwrap()),
            telegram_user_id: Some(5),
            login: Some("ork".to_owned()),
            password_hash: Some("hash".to_owned()),
            ..new_account(0)
        };
        let account = attempt(&mut store, |tx| tx.create_account(&new)).unwrap();
        let made = accounts(&mut store, 2);
        assert_eq!(made[0], account);
        begin(&mut store, &[sign_in(1, account, 10)]);
        let opened = attempt(&mut store, |tx| tx.open_match(&new_match(1, &made, 1)));
        assert_eq!(opened, Ok(Posted::New));
        let rating = Rating { league: 1, rating: 1_600.0, deviation: 50.0, volatility: 0.06, n_rated: 3 };
        store.commit(|tx| {
            tx.set_recovery_codes(account, &[hash(50)], 10)?;
            tx.set_rating(game_id(1), account, "orcain", &rating)?;
            tx.add_result(&ResultRow {
                game_id: game_id(1), account: made[1], opponent: Some("Ork".to_owned()),
                result: MatchResult::Win, reason: "resign".to_owned(), rounds: 3,
                league_delta: 0, league_after: 0, rating_after: 1_500.0, newcomer: false, at: 20,
            }).map(drop)
        }).unwrap();
        attempt(&mut store, |tx| tx.add_invitation(&Invitation {
            code_hash: hash(80), game: "orcain".to_owned(), stake: 1, creator: account,
            created_at: 10, expires_at: 900, options: "{}".to_owned(),
        })).unwrap();
        let delete = |store: &mut Store| {
            attempt(store, |tx| tx.delete_account(account, Uuid::from_bytes([9; 16]), 30))
        };
        let seated = Denied::AlreadySeated { account, game_id: game_id(1) };
        assert_eq!(delete(&mut store), Err(seated));
        let seats = [Some(made[0]), Some(made[1])];
        store.commit(|tx| {
            tx.finish_match(game_id(1), &ending(Some(made[1])))?;
            tx.settle(&payout(1, 2), &seats, 25)
        }).unwrap();
        let before = store.read(|tx| tx.entries(LedgerAccount::Player(account), None, 99)).unwrap();
        assert_eq!(delete(&mut store), Ok(vec![SignInId(1)]));
        let row = store.read(|tx| tx.account(account)).unwrap().unwrap();
        assert_eq!(
            (row.nickname, row.login, row.password_hash, row.telegram_user_id, row.tokens),
            (None, None, None, None, 0)
        );
        assert_ne!(row.public_id, new.public_id);
        assert_eq!(opens(&mut store, 1, 50), None);
        let gone = store.read(|tx| Ok((
            tx.account_by_public_id(new.public_id)?,
            tx.account_by_login("ork")?,
            tx.rating(account, "orcain")?,
            tx.invitation(&hash(80), 50)?,
            tx.leaderboard("orcain", RankBy::League, 0, 9)?.len(),
            tx.n_recovery_codes(account)?,
        ))).unwrap();
        assert_eq!(gone, (None, None, None, None, 0, 0));
        let theirs = store.read(|tx| tx.history(made[1], None, 9)).unwrap();
        assert_eq!(theirs[0].result.opponent.as_deref(), Some(DELETED_PLAYER));
        let seats = store.read(|tx| tx.stored_match(game_id(1))).unwrap().unwrap().seats;
        assert_eq!(seats[0].name, DELETED_PLAYER);
        let after = store.read(|tx| tx.entries(LedgerAccount::Player(account), None, 99)).unwrap();
        assert_eq!(after[1..], before[..], "transfers stay; the remaining tokens are burned");
        assert_books(&mut store);
        // The name is available again.
        let again = NewAccount { nickname: new.nickname.clone(), ..new_account(7) };
        attempt(&mut store, |tx| tx.create_account(&again)).unwrap();
    }
}
