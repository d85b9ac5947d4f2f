//! Nicknames: which texts are valid, and which of them count as the same name.
//!
//! Names follow Unicode Technical Standard 39. A name uses the characters that the standard
//! allows in identifiers and stays within its "highly restrictive" level, so it is written in
//! one script (or one of the usual East Asian combinations, with or without Latin). Two names that
//! a person cannot distinguish, in whatever case they are written, are the same name.

use std::collections::BTreeSet;
use std::fmt;

use session::Account;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection};

use crate::database::{Database, params};
use crate::{Denied, Deny, StoreError, Tx};

/// The minimum and maximum length, in UTF-16 code units, as browsers count.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=16;
/// Longer texts are refused unread.
const BYTES_MAX: usize = 256;
/// The maximum number of combining marks in a row.
const MARKS_MAX: usize = 2;

/// Names that would let a player pose as the operator or the server.
const RESERVED: &[&str] = &[
    "admin",
    "administrator",
    "anonymous",
    "bot",
    "deleted",
    "deleted player",
    "guest",
    "mod",
    "moderator",
    "nobody",
    "official",
    "operator",
    "owner",
    "player",
    "referee",
    "root",
    "server",
    "staff",
    "support",
    "system",
];

/// A nickname as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nickname {
    /// The name as it is displayed.
    pub shown: String,
    /// The name in lower case, for lookups.
    pub key: String,
}

/// The reason why a text cannot be a nickname.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadNickname {
    /// The text is too short or too long.
    Length,
    /// The text contains a character that is not allowed.
    Character(char),
    /// The text has too many combining marks in a row, or begins with one.
    Marks,
    /// The text mixes scripts whose letters look alike.
    MixedScripts,
    /// The text is the name of a bot, or one that the server reserves.
    Reserved,
}

impl fmt::Display for BadNickname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadNickname::Length => f.write_str("a nickname must have 3 to 16 characters"),
            BadNickname::Character(it) => write!(
                f,
                "a nickname may contain letters, digits, _, - and spaces, but not U+{:04X}",
                u32::from(*it)
            ),
            BadNickname::Marks => {
                f.write_str("a nickname may have at most 2 combining marks on a letter")
            }
            BadNickname::MixedScripts => {
                f.write_str("a nickname must not mix letters from different alphabets")
            }
            BadNickname::Reserved => f.write_str("this nickname is reserved: choose another"),
        }
    }
}

impl std::error::Error for BadNickname {}

impl Nickname {
    /// Parses a nickname. Leading and trailing spaces are dropped, and runs of spaces are
    /// collapsed. `reserved` names, such as those of bots, are refused in addition to the server's
    /// own.
    pub fn read<'a>(
        text: &str,
        reserved: impl IntoIterator<Item = &'a str>,
    ) -> Result<Nickname, BadNickname> {
        if text.len() > BYTES_MAX {
            return Err(BadNickname::Length);
        }
        let words: Vec<&str> = text.split(' ').filter(|it| !it.is_empty()).collect();
        let shown: String = words.join(" ").nfc().collect();
        if !LENGTH.contains(&shown.encode_utf16().count()) {
            return Err(BadNickname::Length);
        }
        check_characters(&shown)?;
        let letters: String = shown.chars().filter(|it| *it != ' ').collect();
        if !letters.check_restriction_level(RestrictionLevel::HighlyRestrictive) {
            return Err(BadNickname::MixedScripts);
        }
        let reserved = RESERVED.iter().copied().chain(reserved);
        if is_one_of(&shown, reserved) {
            return Err(BadNickname::Reserved);
        }
        Ok(Nickname {
            key: shown.to_lowercase(),
            shown,
        })
    }

    /// The appearances of the name. Two names that share one are the same name.
    pub fn looks(&self) -> BTreeSet<String> {
        looks(&self.shown)
    }
}

fn check_characters(shown: &str) -> Result<(), BadNickname> {
    let mut n_marks = MARKS_MAX;
    for it in shown.chars() {
        let is_mark = is_combining_mark(it);
        let is_joiner = matches!(it, '\u{200c}' | '\u{200d}');
        let is_plain = it.is_alphanumeric() || is_mark || matches!(it, '_' | '-');
        if it != ' ' && (is_joiner || !is_plain || !it.identifier_allowed()) {
            return Err(BadNickname::Character(it));
        }
        // A name, or a word in it, must not begin with a combining mark.
        n_marks = match (is_mark, it) {
            (true, _) => n_marks + 1,
            (false, ' ') => MARKS_MAX,
            (false, _) => 0,
        };
        if n_marks > MARKS_MAX {
            return Err(BadNickname::Marks);
        }
    }
    Ok(())
}

/// True if a name looks like one of these, ignoring separators.
fn is_one_of<'a>(shown: &str, mut names: impl Iterator<Item = &'a str>) -> bool {
    let bare = |text: &str| looks(&text.replace([' ', '_', '-'], ""));
    let own = bare(shown);
    names.any(|name| !own.is_disjoint(&bare(name)))
}

/// The skeletons of a text as it is written, in lower case and in upper case, because letters of
/// two scripts may look alike in one case only.
fn looks(text: &str) -> BTreeSet<String> {
    let plain: String = text.nfkc().collect();
    let forms = [fold(&plain), plain.to_uppercase(), plain];
    forms.iter().map(|form| look(form)).collect()
}

/// A skeleton without case. A capital I looks like a small l, so i and l are one letter here.
fn look(text: &str) -> String {
    let bare: String = skeleton(text).collect();
    let folded: String = fold(&bare).nfkc().collect();
    folded.replace('i', "l")
}

fn fold(text: &str) -> String {
    text.to_uppercase().to_lowercase().replace('ς', "σ")
}

impl Tx<'_> {
    /// Denies a name that looks like another account's.
    pub(crate) fn check_looks(
        &mut self,
        own: Option<Account>,
        name: &Nickname,
    ) -> Result<(), Deny> {
        // A name from an older schema may have no looks stored.
        self.check_free("nickname_key", &name.key, own, Denied::NicknameTaken)?;
        for look in name.looks() {
            let sql = "SELECT account FROM nickname_looks WHERE look = $1";
            let holder = self.value::<Account>(sql, params![&look])?;
            if holder.is_some() && holder != own {
                return Err(Denied::NicknameTaken.into());
            }
        }
        Ok(())
    }

    /// Stores the looks of an account's name, which replace the old ones.
    pub(crate) fn claim_looks(
        &mut self,
        account: Account,
        name: &Nickname,
    ) -> Result<(), StoreError> {
        self.drop_looks(account)?;
        for look in name.looks() {
            let sql = "INSERT INTO nickname_looks (look, account) VALUES ($1, $2)";
            self.execute(sql, params![&look, account])?;
        }
        Ok(())
    }

    pub(crate) fn drop_looks(&mut self, account: Account) -> Result<(), StoreError> {
        let sql = "DELETE FROM nickname_looks WHERE account = $1";
        self.execute(sql, params![account]).map(drop)
    }
}

/// Stores the looks of every name in an older schema. If two names look the same, the older account
/// gets the looks. The other keeps its name, but cannot choose it again after changing it.
pub(crate) fn fill_looks(db: &mut dyn Database) -> Result<(), StoreError> {
    let named = "SELECT account, nickname FROM accounts WHERE nickname IS NOT NULL \
                 ORDER BY created_at, account";
    for mut row in db.query(named, &[])? {
        let (account, shown): (Account, String) = (row.take()?, row.take()?);
        for look in looks(&shown) {
            let sql = "INSERT INTO nickname_looks (look, account) VALUES ($1, $2) \
                       ON CONFLICT DO NOTHING";
            db.execute(sql, params![&look, account])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Nickname, BadNickname> {
        Nickname::read(text, ["heuristic"])
    }

    fn same(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|it| read(it).expect(it).looks());
        !one.is_disjoint(&other)
    }

    #[test]
    fn spaces_are_collapsed_and_the_name_is_composed() {
        let name = read("  Grom   the_2nd ").expect("is valid");
        assert_eq!(
            (name.shown.as_str(), name.key.as_str()),
            ("Grom the_2nd", "grom the_2nd")
        );
        assert_eq!(read("Rene\u{301}").expect("is valid").shown, "René");
    }

    #[test]
    fn names_in_one_script_are_valid() {
        for good in [
            "Гром",
            "Ελένη",
            "山田太郎",
            "ひらがなA",
            "김철수",
            "محمد",
            "שלום",
            "नमस्ते",
            "Ngọc",
            "O-Ren_2",
        ] {
            assert!(read(good).is_ok(), "{good:?}: {:?}", read(good));
        }
    }

    // Promise: No two accounts have names that a person cannot tell apart.
    #[test]
    fn names_that_a_person_cannot_tell_apart_are_the_same() {
        for (one, other) in [
            ("paypal", "paypaI"),
            ("paypal", "PAYPAL"),
            ("paypal", "paypa1"),
            ("сосо", "coco"),
            ("ВОВ", "BOB"),
            ("вов", "ВОВ"),
            ("modern", "modem"),
            ("Grom0", "GromO"),
            ("Straße", "STRASSE"),
            ("ΣΟΦΟΣ", "σοφος"),
        ] {
            assert!(same(one, other), "{one} and {other}");
        }
        for (one, other) in [("Grom", "Grim"), ("Гром", "Гримм"), ("Grom1", "Grom2")] {
            assert!(!same(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn invisible_and_odd_characters_are_refused() {
        for (text, fault) in [
            ("a\u{200b}bc", '\u{200b}'),
            ("a\u{200d}bc", '\u{200d}'),
            ("ab\u{202e}c", '\u{202e}'),
            ("ab\u{3164}c", '\u{3164}'),
            ("a\u{ad}bc", '\u{ad}'),
            ("a\u{0}bc", '\u{0}'),
            ("ab\u{a0}c", '\u{a0}'),
            ("ab\tc", '\t'),
            ("a<b>c", '<'),
            ("a.b.c", '.'),
            ("𝔸𝔸𝔸", '𝔸'),
            ("ａｂｃ", 'ａ'),
            ("ab😀", '😀'),
        ] {
            assert_eq!(read(text), Err(BadNickname::Character(fault)), "{text:?}");
        }
        assert_eq!(read("Zaq\u{301}\u{301}\u{301}"), Err(BadNickname::Marks));
        assert_eq!(read("\u{301}abc"), Err(BadNickname::Marks));
    }

    #[test]
    fn mixed_scripts_are_refused() {
        for text in ["pаypal", "Grοm", "Гpом", "abcש"] {
            assert_eq!(read(text), Err(BadNickname::MixedScripts), "{text:?}");
        }
    }

    #[test]
    fn lengths_outside_the_limits_are_refused() {
        for text in [
            "",
            "ab",
            "   ab  ",
            "12345678901234567",
            &"x".repeat(100_000),
        ] {
            assert_eq!(read(text), Err(BadNickname::Length));
        }
    }

    #[test]
    fn reserved_names_and_their_look_alikes_are_refused() {
        for text in [
            "admin",
            "Admin",
            "ADMlN",
            "_ad_min_",
            "a d m i n",
            "аdmin",
            "Referee",
            "Heuristic",
            "Deleted player",
            "M0DERAT0R",
        ] {
            let refused = read(text);
            assert!(
                matches!(
                    refused,
                    Err(BadNickname::Reserved | BadNickname::MixedScripts)
                ),
                "{text:?}: {refused:?}"
            );
        }
        assert!(read("administer").is_ok());
    }
}
