//! Constructs that the source of a rules crate must not contain: the clock, files, sockets,
//! threads, the environment, unordered maps, `unsafe`, printing and, in games, floating point.
//!
//! Comments, strings and test code are exempt.

use std::collections::BTreeSet;

/// One forbidden word at its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) line: usize,
    pub(crate) word: String,
    pub(crate) reason: &'static str,
}

/// Modules of the standard library that a rules crate may not name.
const STD_MODULES: &[(&str, &str)] = &[
    ("time", "rules have no clock: time is an input"),
    ("fs", "rules do no I/O"),
    ("net", "rules do no I/O"),
    ("thread", "rules have no threads"),
    ("env", "rules do not read the environment"),
    ("process", "rules start no processes"),
];

const WORDS: &[(&str, &str)] = &[
    (
        "HashMap",
        "iteration order is not deterministic; use BTreeMap",
    ),
    (
        "HashSet",
        "iteration order is not deterministic; use BTreeSet",
    ),
    ("unsafe", "rules have no unsafe code"),
];

const MACROS: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];

const FLOATS: &[&str] = &["f32", "f64"];

/// Every forbidden word in one file.
pub(crate) fn scan(source: &str, floats: Floats) -> Vec<Finding> {
    let tokens = without_tests(&tokens(source));
    let mut findings = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        let after = &tokens[idx + 1..];
        if token.text == "std" {
            findings.extend(std_modules(after));
        }
        if let Some((_, reason)) = WORDS.iter().find(|(word, _)| *word == token.text) {
            findings.push(token.finding(token.text, reason));
        }
        if MACROS.contains(&token.text) && starts_with(after, &["!"]) {
            findings.push(token.finding(token.text, "rules print nothing"));
        }
        if floats == Floats::Forbidden && is_float(token.text) {
            findings.push(token.finding(token.text, "rules have no floating point"));
        }
    }
    findings
}

/// Every game that one file names: in an identifier of any case, or as a whole string.
pub(crate) fn names(source: &str, games: &BTreeSet<String>) -> Vec<Finding> {
    const REASON: &str = "generic code names no game; what belongs to one is in its folder";
    let tokens = without_tests(&tokens(source));
    let named = |text: &str| {
        let text = snake_case(text);
        games.iter().any(|game| text.contains(&format!("_{game}_")))
    };
    let found = tokens.iter().filter(|token| named(token.text));
    let mut findings: Vec<Finding> = found.map(|it| it.finding(it.text, REASON)).collect();
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    for (idx, line) in code.lines().enumerate() {
        let quoted = |game: &&String| line.contains(&format!("\"{game}\""));
        if let Some(game) = games
            .iter()
            .find(quoted)
            .filter(|_| !line.trim().starts_with("//"))
        {
            findings.push(Finding {
                line: idx + 1,
                word: format!("{game:?}"),
                reason: REASON,
            });
        }
    }
    findings
}

/// An identifier in snake case, with an underscore at both ends.
fn snake_case(identifier: &str) -> String {
    let mut words = String::from("_");
    let mut before = '_';
    for letter in identifier.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
        before = letter;
    }
    words.push('_');
    words
}

/// The permission of a crate to use floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    Allowed,
    Forbidden,
}

/// The forbidden modules named by a path whose `std` has just been read, in a group or alone.
fn std_modules(after: &[Token<'_>]) -> Vec<Finding> {
    if !starts_with(after, &["::"]) {
        return Vec::new();
    }
    let path = &after[1..];
    let heads = if starts_with(path, &["{"]) {
        group_heads(path)
    } else {
        path.first().into_iter().collect()
    };
    let mut findings = Vec::new();
    for head in heads {
        if let Some((_, reason)) = STD_MODULES.iter().find(|(name, _)| *name == head.text) {
            findings.push(head.finding(&format!("std::{}", head.text), reason));
        }
    }
    findings
}

/// The first word of each path in `{a::b, c, d::{e, f}}`: a, c, d.
fn group_heads<'t, 's>(group: &'t [Token<'s>]) -> Vec<&'t Token<'s>> {
    let mut depth = 0;
    let mut heads = Vec::new();
    for (idx, token) in group.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if depth == 1 && matches!(group[idx - 1].text, "{" | ",") => heads.push(token),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    heads
}

/// `f64` itself or a literal that ends in it, as `0f64` and `1_f32` do and `0xf32` does not.
fn is_float(word: &str) -> bool {
    let literal = word.starts_with(|c: char| c.is_ascii_digit()) && !word.starts_with("0x");
    FLOATS
        .iter()
        .any(|float| word == *float || (literal && word.ends_with(float)))
}

/// A word, a number, `::` or one other character.
#[derive(Clone, Copy, Debug)]
struct Token<'s> {
    text: &'s str,
    line: usize,
}

impl Token<'_> {
    fn finding(&self, word: &str, reason: &'static str) -> Finding {
        Finding {
            line: self.line,
            word: word.to_owned(),
            reason,
        }
    }
}

fn starts_with(tokens: &[Token<'_>], texts: &[&str]) -> bool {
    tokens.len() >= texts.len() && tokens.iter().zip(texts).all(|(t, text)| t.text == *text)
}

/// Leaves out every item marked `#[cfg(test)]`, and all of a file marked so as a whole.
fn without_tests<'s>(tokens: &[Token<'s>]) -> Vec<Token<'s>> {
    const ITEM: &[&str] = &["#", "[", "cfg", "(", "test", ")", "]"];
    const FILE: &[&str] = &["#", "!", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut rest = tokens;
    while let Some((first, tail)) = rest.split_first() {
        if starts_with(rest, FILE) {
            break;
        }
        if starts_with(rest, ITEM) {
            rest = after_item(&rest[ITEM.len()..]);
            continue;
        }
        kept.push(*first);
        rest = tail;
    }
    kept
}

/// The tokens after an item: after its `;`, or after the brace that closes its body.
fn after_item<'t, 's>(tokens: &'t [Token<'s>]) -> &'t [Token<'s>] {
    let mut depth = 0;
    for (idx, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token.text, ";" | "}") {
            return &tokens[idx + 1..];
        }
    }
    &[]
}

/// Cuts source into tokens and drops comments, strings and characters.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (len, is_token) = next_token(rest, first);
        let (text, tail) = rest.split_at(len);
        if is_token {
            tokens.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = tail;
    }
    tokens
}

/// The length of the first element of `rest`, and true if it is a token to keep.
fn next_token(rest: &str, first: char) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment_len(rest), false);
    }
    if let Some(len) = string_len(rest).or_else(|| char_len(rest)) {
        return (len, false);
    }
    if is_word(first) {
        return (rest.find(|c| !is_word(c)).unwrap_or(rest.len()), true);
    }
    if rest.starts_with("::") {
        return (2, true);
    }
    (first.len_utf8(), !first.is_whitespace())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn block_comment_len(rest: &str) -> usize {
    let mut depth = 0;
    let mut idx = 0;
    while idx < rest.len() {
        let here = &rest.as_bytes()[idx..];
        if here.starts_with(b"/*") {
            depth += 1;
            idx += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            idx += 2;
            if depth == 0 {
                return idx;
            }
        } else {
            idx += 1;
        }
    }
    rest.len()
}

/// The length of a string literal of any kind: `"…"`, `b"…"`, `r#"…"#`, `br"…"`, `c"…"`.
fn string_len(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""]
        .into_iter()
        .find(|prefix| rest.starts_with(prefix))?;
    let body = &rest[prefix.len()..];
    if prefix.ends_with('r') {
        let n_hashes = body.len() - body.trim_start_matches('#').len();
        let text = body[n_hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(n_hashes));
        let end = text
            .find(&close)
            .map_or(text.len(), |idx| idx + close.len());
        return Some(prefix.len() + n_hashes + 1 + end);
    }
    let text = body.strip_prefix('"')?;
    Some(prefix.len() + 1 + escaped_len(text, '"'))
}

/// The length of a character literal; none for a lifetime.
fn char_len(rest: &str) -> Option<usize> {
    let text = rest.strip_prefix('\'')?;
    let first = text.chars().next()?;
    let closed = first == '\\' || text[first.len_utf8()..].starts_with('\'');
    closed.then(|| 1 + escaped_len(text, '\''))
}

/// The length up to and including the closing quote; escaped quotes do not close.
fn escaped_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (idx, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return idx + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words found, each with its line: `2:HashMap 5:unsafe`.
    fn check(source: &str, expected: &str) {
        let found: Vec<String> = scan(source, Floats::Forbidden)
            .iter()
            .map(|f| format!("{}:{}", f.line, f.word))
            .collect();
        assert_eq!(found.join(" "), expected, "in {source:?}");
    }

    #[test]
    fn a_game_is_found_in_identifiers_and_as_a_whole_string() {
        let games = ["chess".to_owned()].into();
        let source = "// chess\nuse catalog::OldChess;\nmatch name {\n    \"chess\" => 1,\n    \
                      \"play chess\" => 2,\n}\n#[cfg(test)]\nmod tests {\n    use chess::Chess;\n}\n";
        let found: Vec<(usize, String)> = names(source, &games)
            .into_iter()
            .map(|it| (it.line, it.word))
            .collect();
        assert_eq!(
            found,
            [(2, "OldChess".to_owned()), (4, "\"chess\"".to_owned())]
        );
        let games = ["night_race".to_owned(), "go".to_owned()].into();
        let found = names(
            "fn gone(NightRace: Cargo, OLD_GO: u8, night: Race) {}",
            &games,
        );
        let found: Vec<String> = found.into_iter().map(|it| it.word).collect();
        assert_eq!(found, ["NightRace", "OLD_GO"]);
    }

    #[test]
    fn every_forbidden_module_is_found() {
        check("use std::time::Instant;", "1:std::time");
        check("let t = std::fs::read(p);", "1:std::fs");
        check("use std::net::TcpStream;", "1:std::net");
        check("std::thread::spawn(f);", "1:std::thread");
        check("std :: env :: var(v);", "1:std::env");
        check("use std::process;", "1:std::process");
    }

    #[test]
    fn a_module_in_a_group_is_found() {
        check(
            "use std::{\n    fmt,\n    fs::File,\n    collections::{BTreeMap, env},\n    time,\n};",
            "3:std::fs 5:std::time",
        );
    }

    #[test]
    fn every_forbidden_word_is_found() {
        check(
            "let m: HashMap<u8, u8>;\nHashSet::new()",
            "1:HashMap 2:HashSet",
        );
        check("unsafe { x() }", "1:unsafe");
        check(
            "println!(\"x\"); eprintln!(); dbg!(1);",
            "1:println 1:eprintln 1:dbg",
        );
    }

    #[test]
    fn floats_are_found_as_types_and_as_suffixes() {
        check("fn f(x: f64) -> f32", "1:f64 1:f32");
        check("let x = 1f64 + 2.5_f32;", "1:1f64 1:5_f32");
        check("let x = 0xf32; let as_f64 = 1;", "");
    }

    #[test]
    fn floats_are_allowed_where_they_are_allowed() {
        assert_eq!(scan("fn f(x: f64)", Floats::Allowed), []);
    }

    #[test]
    fn comments_strings_and_longer_names_are_free() {
        check(
            "// unsafe\n/// a HashMap\n/* f64 /* std::fs */ unsafe */",
            "",
        );
        check(
            r####"let s = "unsafe \" f64"; let r = r#"HashMap " unsafe"#;"####,
            "",
        );
        check(
            r#"let b = b"unsafe"; let c = '"'; let d = '\''; let e = b'"';"#,
            "",
        );
        check(
            "#![forbid(unsafe_code)] struct MyHashMap; fn println() {}",
            "",
        );
        check("fn f<'a>(x: &'a str) { unsafe {} }", "1:unsafe");
    }

    #[test]
    fn words_after_a_string_are_found_at_their_line() {
        check("let s = \"a\nb\";\nunsafe {}", "3:unsafe");
        check("let s = 'é'; unsafe {}", "1:unsafe");
    }

    #[test]
    fn test_code_is_free_and_what_follows_it_is_not() {
        check(
            "#[cfg(test)]\nmod tests { use std::fs; fn f() { unsafe {} } }",
            "",
        );
        check("#[cfg(test)]\nmod tests;\nunsafe {}", "3:unsafe");
        check(
            "#[cfg(test)] fn f(x: [u8; 3]) { unsafe {} }\nunsafe {}",
            "2:unsafe",
        );
        check("#![cfg(test)]\nunsafe {}", "");
        check("#[cfg(not(test))] mod live { unsafe {} }", "1:unsafe");
    }
}
