//! `cargo xtask new-game`: a small complete game to start from.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;

use crate::step::{capture, cargo};
use crate::test::metadata;
use crate::{architecture, codegen, instructions, tools};

/// The files of the game, with their templates. The first is the manifest.
const FILES: [(&str, &str); 5] = [
    (
        "crates/%name%/Cargo.toml",
        include_str!("../template/Cargo.toml.txt"),
    ),
    (
        "crates/%name%/src/lib.rs",
        include_str!("../template/lib.rs.txt"),
    ),
    (
        "crates/%name%/tests/conformance.rs",
        include_str!("../template/conformance.rs.txt"),
    ),
    (
        "crates/%name%/tests/rules.rs",
        include_str!("../template/rules.rs.txt"),
    ),
    (
        "docs/rules/%name%.md",
        include_str!("../template/rules.md.txt"),
    ),
];

/// The lints that every rules crate has.
const LINTS: &str = "crates/kernel/clippy.toml";

const WORKSPACE: &str = "Cargo.toml";
const CATALOG_MANIFEST: &str = "crates/catalog/Cargo.toml";
const CATALOG: &str = "crates/catalog/src/lib.rs";
const FUZZ: &str = "fuzz/Cargo.toml";

/// The longest name of a game.
const NAME_MAX: usize = 24;

/// Creates the game, registers it and writes the generated files. A bad name changes nothing.
pub(crate) fn run(name: &str) -> Result<bool> {
    let faults = faults(name)?;
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    let written = files(name)?;
    for (path, text) in &written {
        if let Some(folder) = Path::new(path).parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {folder:?}"))?;
        }
        fs::write(path, text).with_context(|| format!("cannot write {path}"))?;
        println!("wrote {path}");
    }
    follow()?;
    println!(
        "{} is a game now. Its rules are in crates/{name}/src/lib.rs; docs/tutorial.md explains \
         them. After each change, run `cargo nextest run -p {name}`.",
        title(name)
    );
    Ok(true)
}

/// Updates everything that follows from the catalog: lock files, golden records, generated files,
/// instruction counts.
fn follow() -> Result<()> {
    let mut lock = cargo(&["metadata", "--format-version=1", "--manifest-path", FUZZ]);
    lock.arg("--quiet");
    must(lock, "cannot update fuzz/Cargo.lock")?;
    tools::NEXTEST.ensure()?;
    let mut golden = cargo(&["nextest", "run", "--workspace", "--all-features"]);
    golden.arg("--test=golden").env("BLESS", "1");
    must(golden, "cannot write the golden records")?;
    codegen::run(false)?;
    instructions::bless_missing()
}

fn must(command: Command, fault: &str) -> Result<()> {
    let captured = capture(command)?;
    ensure!(captured.ok, "{fault}:\n{}", captured.text);
    Ok(())
}

/// Every file to write, with its text.
fn files(name: &str) -> Result<Vec<(String, String)>> {
    let mut files: Vec<(String, String)> = FILES
        .iter()
        .map(|(path, text)| (filled(path, name), filled(text, name)))
        .collect();
    let read = |path: &str| fs::read_to_string(path).with_context(|| format!("cannot read {path}"));
    files.push((format!("crates/{name}/clippy.toml"), read(LINTS)?));
    let dependency = format!("{name} = {{ path = \"crates/{name}\" }}");
    let workspace = with_line(&read(WORKSPACE)?, "[workspace.dependencies]", &dependency)?;
    files.push((WORKSPACE.to_owned(), workspace));
    let dependency = format!("{name}.workspace = true");
    let manifest = with_line(&read(CATALOG_MANIFEST)?, "[dependencies]", &dependency)?;
    files.push((CATALOG_MANIFEST.to_owned(), manifest));
    let line = format!("    {}: {name}, \"A race with a die.\";", camel(name));
    let catalog = with_line(&read(CATALOG)?, "games! { ($)", &line)?;
    files.push((CATALOG.to_owned(), catalog));
    Ok(files)
}

fn filled(text: &str, name: &str) -> String {
    text.replace("%name%", name)
        .replace("%Name%", &camel(name))
        .replace("%Title%", &title(name))
}

/// The text with a line added to the block under a heading, in alphabetical order. The block ends at
/// an empty line or a brace.
fn with_line(text: &str, heading: &str, line: &str) -> Result<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|it| *it == heading);
    let first = at.with_context(|| format!("there is no line {heading:?}"))? + 1;
    let n_kept = lines[first..].iter().take_while(|it| {
        let ends = it.is_empty() || it.starts_with('}');
        !ends && it.trim_start() < line.trim_start()
    });
    let at = first + n_kept.count();
    lines.insert(at, line);
    Ok(lines.join("\n") + "\n")
}

/// Everything that is wrong with a name, each as one sentence.
fn faults(name: &str) -> Result<Vec<String>> {
    let mut faults = spelling_faults(name);
    if faults.is_empty() {
        let taken = [format!("crates/{name}"), format!("docs/rules/{name}.md")];
        let taken = taken.into_iter().filter(|it| Path::new(it).exists());
        faults.extend(taken.map(|it| format!("{it} exists: choose another name.")));
        let metadata = metadata()?;
        if is_package(&metadata, name) {
            faults.push(format!(
                "{name} is a package that the project uses: choose another name."
            ));
        }
        faults.extend(architecture::mentions(name)?.first().map(|place| {
            format!(
                "{name} is a word of generic code, which must not name a game ({place}): choose \
                 another name."
            )
        }));
    }
    Ok(faults)
}

fn spelling_faults(name: &str) -> Vec<String> {
    let letters = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    let mut faults = Vec::new();
    let begins = name.starts_with(|it: char| it.is_ascii_lowercase());
    let joined = !name.contains("__") && !name.ends_with('_');
    if !begins || !joined || !name.chars().all(letters) {
        faults.push(format!(
            "{name:?} is no name for a game: use lowercase letters, digits and single underscores \
             between them, beginning with a letter, such as night_race."
        ));
    }
    if name.len() > NAME_MAX {
        faults.push(format!("{name:?} is longer than {NAME_MAX} letters."));
    }
    if name.ends_with("_bots") || KEYWORDS.contains(&name) {
        faults.push(format!(
            "{name:?} has another meaning: choose another name."
        ));
    }
    faults
}

/// Words that cannot be the name of a Rust crate or mean something else to cargo or the program.
const KEYWORDS: [&str; 50] = [
    "abstract", "all", "as", "async", "await", "become", "box", "break", "const", "continue",
    "core", "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen",
    "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
    "pub", "ref", "return", "self", "static", "std", "struct", "super", "test", "trait", "true",
    "try", "type", "unsafe", "use", "where",
];

fn is_package(metadata: &Metadata, name: &str) -> bool {
    let same = |it: &str| it.replace('-', "_") == name;
    metadata.packages.iter().any(|package| same(&package.name))
}

/// The name of the type: `night_race` is `NightRace`.
fn camel(name: &str) -> String {
    words(name).collect()
}

/// The name for people: `night_race` is `Night Race`.
fn title(name: &str) -> String {
    words(name).collect::<Vec<_>>().join(" ")
}

fn words(name: &str) -> impl Iterator<Item = String> {
    name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_names_are_refused_with_every_reason() {
        for good in ["pig", "night_race", "go2"] {
            assert_eq!(spelling_faults(good), Vec::<String>::new(), "{good}");
        }
        for bad in [
            "",
            "Pig",
            "2go",
            "_pig",
            "pig_",
            "night__race",
            "night-race",
            "pïg",
            "../pig",
        ] {
            assert_eq!(spelling_faults(bad).len(), 1, "{bad}");
        }
        for bad in ["match", "pig_bots", "a_game_with_a_name_that_is_long"] {
            assert_eq!(spelling_faults(bad).len(), 1, "{bad}");
        }
        assert_eq!(spelling_faults("A_game_with_a_name_that_is_long").len(), 2);
    }

    #[test]
    fn a_line_is_added_in_alphabetical_order() {
        let text = "[a]\n\n[b]\nx = 1\nz = 1\n\n[c]\ny = 2\n";
        let added = |line| with_line(text, "[b]", line).unwrap();
        assert_eq!(
            added("y = 1"),
            "[a]\n\n[b]\nx = 1\ny = 1\nz = 1\n\n[c]\ny = 2\n"
        );
        assert_eq!(
            added("zz = 1"),
            "[a]\n\n[b]\nx = 1\nz = 1\nzz = 1\n\n[c]\ny = 2\n"
        );
        assert!(with_line(text, "[d]", "y").is_err());
    }

    #[test]
    fn the_template_is_filled_in() {
        for (path, text) in FILES {
            let (path, text) = (filled(path, "night_race"), filled(text, "night_race"));
            assert!(path.contains("night_race"), "{path}");
            assert!(!text.contains('%') && text.contains("Night Race"), "{path}");
        }
    }
}
