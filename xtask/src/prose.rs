//! The prose lint: sentence shapes and words that readers stumble over, in comments, messages
//! and documents.

use std::path::Path;
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use crate::hygiene;

/// Files that contain prose.
const WRITTEN: &[&str] = &[
    "rs", "py", "ts", "mjs", "js", "svelte", "html", "md", "toml",
];

/// Files that quote the words they look for, and files that a program writes.
const EXEMPT: &[&str] = &["xtask/src/prose.rs", "web/src/generated", "testdata"];

/// Patterns of whole words, each with a plainer form.
const PHRASES: &[(&str, &str)] = &[
    ("anew", "again"),
    (
        "mend|mends|mended|mending",
        "fix, correct, restart or recover",
    ),
    ("pass(?:es|ed)? over", "ignore or skip"),
    ("(?:stands?|stood) still", "pause or wait"),
    ("told apart", "distinguish"),
    (
        "(?:is|are|was|were|be|been|being) told",
        "receives, learns, is shown",
    ),
    ("foretold", "predicted"),
    ("the own", "its own or your own"),
    ("(?:goes|went) on", "continues"),
    ("(?:came|comes?) of (?:them|that|all)", "the result"),
    ("(?:lets?|letting) go", "releases or removes"),
    ("dearer", "more expensive"),
    (
        "(?:client|page|player|seat|connection|spectator|everybody|nobody) hears?",
        "receives",
    ),
    (
        "(?:to|for|from|by|of|than|with|only|and|or|but) who \
         (?:is|was|has|plays|leaves|waits|comes|left|holds|asked|sits|does|did)",
        "a noun before \"who\"",
    ),
    ("whilst|amongst|upon|nought", "a plainer word"),
    (
        "colours?|behaviours?|harbours?|neighbours?|honours?|honoured|defence|licences?|centred?",
        "American spelling",
    ),
    (
        r"(?:\w+(?:al|im|an|dom|mar|or|er)|\w*recogn)is(?:e|es|ed|ing|ation|ations)",
        "American spelling, with a z",
    ),
];

/// Words that the patterns match and that are right.
const RIGHT: &[&str] = &["otherwise", "likewise", "expertise", "exercise", "arise"];

/// Sentences that start with one of these have no subject, unless they are questions.
const HEADLESS: &[&str] = &["Who", "What", "Which", "Whoever", "Whatever"];

/// Prints every finding; false when there is one.
pub(crate) fn run() -> Result<bool> {
    let faults = faults()?;
    for fault in &faults {
        println!("{fault}");
    }
    println!("{} findings", faults.len());
    Ok(faults.is_empty())
}

/// Every finding in the project's own prose, with its place.
pub(crate) fn faults() -> Result<Vec<String>> {
    let texts = hygiene::read(WRITTEN)?;
    let own = texts.iter().filter(|(path, _)| !is_exempt(path));
    Ok(own.flat_map(|(path, text)| faults_in(path, text)).collect())
}

fn is_exempt(path: &Path) -> bool {
    EXEMPT.iter().any(|exempt| path.starts_with(exempt))
}

fn faults_in(path: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for passage in passages(path, text) {
        faults.extend(passage.phrases());
        faults.extend(passage.headless());
    }
    faults.sort();
    faults.dedup();
    let place = |(line, fault): (usize, String)| format!("{}:{line}: {fault}", path.display());
    faults.into_iter().map(place).collect()
}

/// Consecutive lines of prose, joined, so that no phrase hides in a line break.
#[derive(Default)]
struct Passage {
    text: String,
    /// The offset in the text at which each line starts, and the line's number in the file.
    starts: Vec<(usize, usize)>,
}

impl Passage {
    fn push(&mut self, number: usize, line: &str) {
        self.starts.push((self.text.len(), number));
        self.text.push_str(&without_code(line));
        self.text.push(' ');
    }

    fn line_at(&self, at: usize) -> usize {
        let before = self.starts.iter().take_while(|(start, _)| *start <= at);
        before.last().map_or(0, |(_, number)| *number)
    }

    fn phrases(&self) -> Vec<(usize, String)> {
        static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
            let compiled = PHRASES
                .iter()
                .map(|(pattern, advice)| (regex(&format!(r"(?i)\b(?:{pattern})\b")), *advice));
            compiled.collect()
        });
        let mut faults = Vec::new();
        for (pattern, advice) in PATTERNS.iter() {
            for found in pattern.find_iter(&self.text) {
                let words = found.as_str().to_lowercase();
                if !RIGHT.contains(&words.as_str()) {
                    let fault = format!("\"{words}\"; plainer: {advice}");
                    faults.push((self.line_at(found.start()), fault));
                }
            }
        }
        faults
    }

    fn headless(&self) -> Vec<(usize, String)> {
        let mut faults = Vec::new();
        for (at, sentence) in sentences(&self.text) {
            let mut words = sentence.split_whitespace();
            let first = words.next().unwrap_or_default();
            // A word or two are a label, such as the head of a column.
            let is_clause = words.count() >= 2;
            if HEADLESS.contains(&first) && is_clause && !sentence.ends_with('?') {
                let fault = format!("a sentence starts with \"{first}\"; start with its subject");
                faults.push((self.line_at(at), fault));
            }
        }
        faults
    }
}

/// The sentences of a text, with their offsets in it.
fn sentences(text: &str) -> Vec<(usize, &str)> {
    static ENDS: LazyLock<Regex> = LazyLock::new(|| regex(r"[.!?:;|]+(?:\s+|$)"));
    let mut from = 0;
    let mut sentences = Vec::new();
    for end in ENDS.find_iter(text) {
        sentences.push((from, text[from..end.end()].trim()));
        from = end.end();
    }
    sentences.push((from, text[from..].trim()));
    sentences
}

/// The paragraphs of a document; the comments and quoted texts of code.
fn passages(path: &Path, text: &str) -> Vec<Passage> {
    let is_document = path
        .extension()
        .is_some_and(|it| it == "md" || it == "html");
    let mut passages: Vec<Passage> = Vec::new();
    let mut continues = false;
    let mut in_block = false;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim();
        let toggles = match is_document {
            true => bare.starts_with("```"),
            false => bare.matches("\"\"\"").count() == 1,
        };
        in_block ^= toggles;
        let prose = match is_document {
            true => (!in_block && !toggles).then_some(bare),
            false if in_block || toggles => Some(bare.trim_matches('"')),
            false => comment(bare),
        };
        match prose.filter(|prose| !prose.is_empty()) {
            Some(prose) => {
                let prose_only = without_marks(prose);
                let starts_item = is_document && prose_only.len() < prose.len();
                if !continues || starts_item {
                    passages.push(Passage::default());
                }
                if let Some(passage) = passages.last_mut() {
                    passage.push(number, prose_only);
                }
                continues = true;
            }
            None => {
                continues = false;
                if !is_document {
                    passages.extend(quoted(line).map(|text| {
                        let mut passage = Passage::default();
                        passage.push(number, text);
                        passage
                    }));
                }
            }
        }
    }
    passages
}

/// The text of a line that is a comment and nothing else.
fn comment(bare: &str) -> Option<&str> {
    let marks = ["///", "//!", "//", "# ", "* ", "<!--"];
    let text = marks.iter().find_map(|mark| bare.strip_prefix(mark))?;
    Some(text.trim())
}

/// A paragraph without the mark of a heading, a list or a table.
fn without_marks(prose: &str) -> &str {
    prose.trim_start_matches(['#', '-', '*', '|', '>', '_', ' '])
}

/// The texts in double quotes or backticks that have more than one word.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    static QUOTES: LazyLock<Regex> =
        LazyLock::new(|| regex(r#""((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`"#));
    let texts = QUOTES.captures_iter(line);
    texts
        .filter_map(|it| it.get(1).or_else(|| it.get(2)))
        .map(|it| it.as_str())
        .filter(|text| text.contains(' '))
}

/// A line of prose in which code counts for nothing.
fn without_code(line: &str) -> String {
    static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"`[^`]*`"));
    CODE.replace_all(line, "code").into_owned()
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<String> {
        faults_in(Path::new(path), text)
    }

    #[test]
    fn phrases_are_found_across_line_breaks() {
        let text = "/// The client is\n/// told so.\nfn f() {}\n";
        let found = faults("a.rs", text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("a.rs:1: \"is told\""), "{found:?}");
    }

    #[test]
    fn sentences_without_a_subject_are_found() {
        for text in [
            "/// What a city costs.\n",
            "/// Good. Who leaves a match loses.\n",
            "    bail!(\"Who leaves a match loses\");\n",
        ] {
            assert_eq!(faults("a.rs", text).len(), 1, "{text}");
        }
        assert_eq!(faults("a.md", "- What comes next, is next.\n").len(), 1);
        assert_eq!(
            faults("a.py", "\"\"\"Good.\nWhat it is worth.\n\"\"\"\n").len(),
            1
        );
    }

    #[test]
    fn questions_code_and_identifiers_are_not_prose() {
        for text in [
            "/// What does a city cost?\n",
            "let mended = anew(1);\n",
            "/// `mended` is a field.\n",
            "let name = \"harbour\";\n",
        ] {
            assert_eq!(faults("a.rs", text), Vec::<String>::new(), "{text}");
        }
        assert!(faults("a.md", "```\nWhat a mended day.\n```\n").is_empty());
    }

    #[test]
    fn paragraphs_and_items_are_separate() {
        let text = "The page\n\n- hears nothing\n";
        assert!(faults("a.md", text).is_empty());
    }
}
