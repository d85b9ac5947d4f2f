//! The rules between crates: allowed dependencies, and constructs that rules crates must not use.
//!
//! The structural absences that `ARCHITECTURE.md` lists are checked here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use cargo_metadata::{DependencyKind, Metadata};

use crate::files;
use crate::source::{self, Floats};
use crate::step::{capture, cargo};

/// The generic crates of the workspace and, for each, the crates of ours that it uses: these and no
/// others, from the lowest up. Games are not listed here: the catalog lists them. Tests may
/// use any crate.
const USES: &[(&str, &[&str])] = &[
    ("document", &[]),
    (KERNEL, &["document"]),
    (GAMES, &[KERNEL]),
    ("envelope", &[KERNEL]),
    ("learn", &[KERNEL]),
    ("bots", &[KERNEL, "learn"]),
    ("session", &[KERNEL]),
    (BOTS_OF_A_GAME, &[KERNEL, GAMES, "bots", "session"]),
    (CATALOG, &[KERNEL, "bots", "session", GAMES, BOTS_OF_A_GAME]),
    ("dataset", &[KERNEL, "envelope", "learn", "bots"]),
    (
        "python",
        &[KERNEL, GAMES, CATALOG, "learn", "bots", "dataset"],
    ),
    ("wire", &[KERNEL, CATALOG, "session"]),
    ("store", &[KERNEL, "session"]),
    (
        "server",
        &[KERNEL, CATALOG, "bots", "session", "wire", "store"],
    ),
    (
        "cli",
        &[
            KERNEL, GAMES, "envelope", CATALOG, "learn", "bots", "session", "wire", "store",
            "server", "dataset",
        ],
    ),
    ("xtask", &[]),
];

/// The crate below all games.
const KERNEL: &str = "kernel";

/// The crate that lists the games: it uses each of them and its bots.
const CATALOG: &str = "catalog";

/// In [`USES`]: each game, or at least one of them.
const GAMES: &str = "a game";

/// In [`USES`]: the bots of a game.
const BOTS_OF_A_GAME: &str = "the bots of a game";

/// The suffix that the crate of a game's bots adds to the game's name.
const BOTS: &str = "-bots";

/// The crate whose `clippy.toml` the games copy. It alone may hold floats: it writes JSON numbers.
const MODEL: &str = KERNEL;

/// Crates from outside that a rules crate may use.
const RULES_MAY_USE: &[&str] = &[
    "arrayvec",
    "bitflags",
    "hex",
    "itoa",
    "rand_chacha",
    "rand_core",
    "schemars",
    "serde",
    "serde_json",
    "sha2",
    "smallvec",
    "thiserror",
    "uuid",
];

/// Crates that no dependency of a rules crate may use, each with the reason.
const RULES_MAY_NOT_REACH: &[(&str, &str)] = &[
    ("async-std", "I/O and threads"),
    ("chrono", "the clock"),
    ("crossbeam-channel", "threads"),
    ("crossbeam-utils", "threads"),
    ("fastrand", "randomness that no record keeps"),
    ("getrandom", "randomness that no record keeps"),
    ("hyper", "sockets"),
    ("instant", "the clock"),
    ("jiff", "the clock"),
    ("memmap2", "files"),
    ("mio", "sockets"),
    ("notify", "files"),
    ("quanta", "the clock"),
    ("rand", "randomness that no record keeps"),
    ("rayon", "threads"),
    ("rayon-core", "threads"),
    ("reqwest", "sockets"),
    ("rustix", "I/O"),
    ("smol", "I/O and threads"),
    ("socket2", "sockets"),
    ("tempfile", "files"),
    ("time", "the clock"),
    ("tokio", "I/O and threads"),
    ("walkdir", "files"),
    ("web-time", "the clock"),
];

/// The only crates that may reach tokio.
const MAY_REACH_TOKIO: &[&str] = &["store", "server", "cli"];

/// Those of them that must not name it: plain threads call them, and only a dependency of theirs
/// contains a runtime.
const MAY_NOT_NAME_TOKIO: &[&str] = &["store"];

/// Files of generic crates that name a game, each with the reason.
const MAY_NAME_A_GAME: &[(&str, &str)] = &[
    (
        "crates/cli/src/load/",
        "Orcain is the default game, and old clients play it",
    ),
    (
        "crates/cli/src/scenario",
        "scenarios are documents of Stellar Fleet",
    ),
    (
        "crates/python/src/documents.rs",
        "scenarios are documents of Stellar Fleet",
    ),
    (
        "crates/python/src/tensors.rs",
        "the exact tensors are Catan's",
    ),
    (
        "crates/server/src/http/scenarios.rs",
        "scenarios are documents of Stellar Fleet",
    ),
    (
        "crates/server/src/old_clients.rs",
        "old clients play Orcain",
    ),
    (
        "crates/wire/src/document/",
        "the document of the old events",
    ),
    ("crates/wire/src/old/", "old clients play Orcain"),
];

/// Every broken rule, each as one sentence.
pub(crate) fn faults(metadata: &Metadata) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let members = members(metadata)?;
    let games = Games::of(&members);
    faults.extend(naming_faults(&games)?);
    for member in &members {
        faults.extend(edge_faults(member, &games));
        faults.extend(reach_faults(member, &games));
        if games.is_rules(&member.name) {
            faults.extend(outside_faults(member));
            let folder = Path::new("crates").join(&member.name);
            faults.extend(source_faults(&member.name, &folder.join("src"))?);
            faults.extend(lint_faults(
                &member.name,
                fs::read_to_string(folder.join("clippy.toml"))
                    .ok()
                    .as_deref(),
                fs::read_to_string(format!("crates/{MODEL}/clippy.toml"))
                    .ok()
                    .as_deref(),
            ));
        }
    }
    Ok(faults)
}

/// One crate of the workspace and its dependencies.
#[derive(Default)]
struct Member {
    name: String,
    /// Crates of ours that its manifest names, for building or for use.
    ours: Vec<String>,
    /// Crates from outside that its manifest names for use.
    outside: Vec<String>,
    /// Names of all crates linked when it is used, with all its features, on any platform.
    reached: BTreeSet<String>,
}

/// The names of all games.
struct Games(BTreeSet<String>);

impl Games {
    /// The games that the catalog holds: what it uses beside the generic crates and the bots.
    fn of(members: &[Member]) -> Games {
        let catalog = members.iter().find(|member| member.name == CATALOG);
        let held = catalog.into_iter().flat_map(|catalog| &catalog.ours);
        let is_generic = |name: &str| USES.iter().any(|(known, _)| *known == name);
        let games = held.filter(|name| !is_generic(name) && !name.ends_with(BOTS));
        Games(games.cloned().collect())
    }

    /// Whether the crate holds rules: pure, deterministic, without I/O.
    fn is_rules(&self, name: &str) -> bool {
        name == KERNEL || self.0.contains(name)
    }

    /// Whether a file is code that must serve any game: it is in the sources of a crate that is
    /// neither a game nor the catalog, and no test.
    fn is_generic(&self, path: &Path) -> bool {
        let mut parts = path.iter().skip(1).map(|part| part.to_string_lossy());
        let (folder, below) = (parts.next(), parts.next());
        let named = folder.is_some_and(|it| *it == *CATALOG || self.0.contains(it.as_ref()));
        let is_rust = path.extension().is_some_and(|ext| ext == "rs");
        is_rust && !named && below.is_some_and(|it| it == "src") && !is_test(path)
    }

    /// The name under which [`USES`] has the crate.
    fn place<'a>(&self, name: &'a str) -> &'a str {
        match name.strip_suffix(BOTS) {
            Some(game) if self.0.contains(game) => BOTS_OF_A_GAME,
            _ if self.0.contains(name) => GAMES,
            _ => name,
        }
    }

    /// Whether the crate is a game, and not that of the bots that use it.
    fn is_foreign(&self, member: &str, used: &str) -> bool {
        let own = member.strip_suffix(BOTS);
        self.place(member) == BOTS_OF_A_GAME && self.place(used) == GAMES && own != Some(used)
    }
}

// Promise: Dependencies between crates are those that the architecture allows, and no others.
/// Edges that [`USES`] lacks, and edges in it that do not exist.
fn edge_faults(member: &Member, games: &Games) -> Vec<String> {
    let name = &member.name;
    let place = games.place(name);
    let Some((_, uses)) = USES.iter().find(|(known, _)| *known == place) else {
        return vec![format!(
            "The crate {name} has no place in the architecture: a game belongs into the catalog, \
             any other crate with the crates it uses to USES in xtask/src/architecture.rs."
        )];
    };
    let added = member
        .ours
        .iter()
        .filter(|used| !uses.contains(&games.place(used)) || games.is_foreign(name, used));
    let added = added.map(|used| {
        format!("{name} may not use {used}: USES in xtask/src/architecture.rs has no such edge.")
    });
    let used: BTreeSet<&str> = member.ours.iter().map(|used| games.place(used)).collect();
    let gone = uses.iter().filter(|it| !used.contains(*it));
    let gone = gone.map(|it| {
        format!("{name} does not use {it}: take the edge out of USES in xtask/src/architecture.rs.")
    });
    added.chain(gone).collect()
}

fn outside_faults(member: &Member) -> Vec<String> {
    let name = &member.name;
    member
        .outside
        .iter()
        .filter(|used| !RULES_MAY_USE.contains(&used.as_str()))
        .map(|used| {
            format!(
                "{name} holds rules and may not use {used}: if it is pure, add it to \
                 RULES_MAY_USE in xtask/src/architecture.rs."
            )
        })
        .collect()
}

// Promise: Rules crates have no clock, I/O, threads, environment, hash-map order, floats or `unsafe`.
fn reach_faults(member: &Member, games: &Games) -> Vec<String> {
    let name = &member.name;
    let mut faults = Vec::new();
    if games.is_rules(name) {
        for (reached, brings) in RULES_MAY_NOT_REACH {
            if member.reached.contains(*reached) {
                faults.push(format!(
                    "{name} holds rules and reaches {reached}, which brings {brings}: see \
                     `cargo tree -p {name} -e normal --all-features --target all -i {reached}`."
                ));
            }
        }
    } else if member.reached.contains("tokio") && !MAY_REACH_TOKIO.contains(&name.as_str()) {
        faults.push(format!(
            "{name} reaches tokio, which only {} may: see `cargo tree -p {name} -e normal -i tokio`.",
            MAY_REACH_TOKIO.join(" and ")
        ));
    }
    let names_tokio = member.outside.iter().any(|used| used == "tokio");
    if names_tokio && MAY_NOT_NAME_TOKIO.contains(&name.as_str()) {
        faults.push(format!(
            "{name} uses tokio, but is called from plain threads: take it out of its Cargo.toml."
        ));
    }
    faults
}

// Promise: Rules crates have no clock, I/O, threads, environment, hash-map order, floats or `unsafe`.
fn source_faults(name: &str, src: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in files::under(src)? {
        if path.extension().is_none_or(|ext| ext != "rs") || is_test(path.strip_prefix(src)?) {
            continue;
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for finding in source::scan(&text, floats(name)) {
            let source::Finding { line, word, reason } = finding;
            faults.push(format!("{}:{line}: {word}: {reason}", path.display()));
        }
    }
    Ok(faults)
}

// Promise: Generic code names no game.
/// Generic code that names a game, and permissions that nothing needs.
fn naming_faults(games: &Games) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut unused: BTreeSet<&str> = MAY_NAME_A_GAME.iter().map(|(path, _)| *path).collect();
    for path in files::under(Path::new("crates"))? {
        if !games.is_generic(&path) {
            continue;
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let found = source::names(&text, &games.0);
        let permitted = MAY_NAME_A_GAME
            .iter()
            .find(|(place, _)| path.to_string_lossy().starts_with(place));
        match permitted {
            Some((place, _)) if !found.is_empty() => {
                unused.remove(place);
            }
            Some(_) => {}
            None => faults.extend(found.iter().map(|source::Finding { line, word, reason }| {
                format!("{}:{line}: {word}: {reason}", path.display())
            })),
        }
    }
    let unused = unused.into_iter();
    faults.extend(unused.map(|place| {
        format!(
            "{place} names no game: take it out of MAY_NAME_A_GAME in xtask/src/architecture.rs."
        )
    }));
    Ok(faults)
}

/// The places in generic code that hold this name, as if a game were called so.
pub(crate) fn mentions(name: &str) -> Result<Vec<String>> {
    let games = Games(BTreeSet::from([name.to_owned()]));
    let mut places = Vec::new();
    for path in files::under(Path::new("crates"))? {
        if games.is_generic(&path) && !is_of_a_game(&path) {
            let text = fs::read_to_string(&path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            let found = source::names(&text, &games.0).into_iter();
            places.extend(found.map(|it| format!("{}:{}", path.display(), it.line)));
        }
    }
    Ok(places)
}

/// True if the file belongs to a crate that [`USES`] does not name: a game.
fn is_of_a_game(path: &Path) -> bool {
    let folder = path.iter().nth(1).map(|it| it.to_string_lossy());
    !folder.is_some_and(|folder| USES.iter().any(|(known, _)| *known == folder))
}

fn floats(name: &str) -> Floats {
    if name == MODEL {
        Floats::Allowed
    } else {
        Floats::Forbidden
    }
}

/// Whether a path inside `src` is test code: `tests.rs`, `play_tests.rs` or anything in `tests/`.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| {
        let part = part.to_string_lossy();
        let stem = part.trim_end_matches(".rs");
        stem == "tests" || stem.ends_with("_tests")
    })
}

fn lint_faults(name: &str, found: Option<&str>, model: Option<&str>) -> Vec<String> {
    let Some(found) = found else {
        return vec![format!(
            "{name} holds rules and has no clippy.toml: copy crates/{MODEL}/clippy.toml beside \
             its manifest."
        )];
    };
    let mut faults = Vec::new();
    if !found.contains("disallowed-types") || !found.contains("disallowed-methods") {
        faults.push(format!(
            "crates/{name}/clippy.toml forbids no types or no methods."
        ));
    }
    if model != Some(found) {
        faults.push(format!(
            "crates/{name}/clippy.toml differs from crates/{MODEL}/clippy.toml: copy it."
        ));
    }
    faults
}

/// Reads the workspace's crates.
fn members(metadata: &Metadata) -> Result<Vec<Member>> {
    let packages = metadata.workspace_packages();
    let names: BTreeSet<&str> = packages.iter().map(|p| p.name.as_str()).collect();
    let mut members = Vec::new();
    for package in packages {
        let mut member = Member {
            name: package.name.to_string(),
            reached: reached(&package.name)?,
            ..Member::default()
        };
        for dependency in &package.dependencies {
            if dependency.kind == DependencyKind::Development {
                continue;
            }
            if names.contains(dependency.name.as_str()) {
                member.ours.push(dependency.name.clone());
            } else if dependency.kind == DependencyKind::Normal {
                member.outside.push(dependency.name.clone());
            }
        }
        members.push(member);
    }
    Ok(members)
}

/// The crates that one crate links when it is built alone. `cargo metadata` cannot list them: it
/// mixes in the features that tests and other crates turn on.
fn reached(name: &str) -> Result<BTreeSet<String>> {
    let tree = capture(cargo(&[
        "tree",
        "--quiet",
        "--package",
        name,
        "--edges",
        "normal",
        "--all-features",
        "--target",
        "all",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]))?;
    ensure!(tree.ok, "cargo tree failed for {name}:\n{}", tree.text);
    Ok(crate_names(&tree.text))
}

/// The first word of each line.
fn crate_names(tree: &str) -> BTreeSet<String> {
    tree.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn member(name: &str, ours: &[&str], outside: &[&str], reached: &[&str]) -> Member {
        Member {
            name: name.to_owned(),
            ours: strings(ours),
            outside: strings(outside),
            reached: strings(reached).into_iter().collect(),
        }
    }

    fn games() -> Games {
        Games(strings(&["chess", "go"]).into_iter().collect())
    }

    /// A crate for this row of `USES`.
    fn example(place: &'static str) -> &'static str {
        match place {
            GAMES => "chess",
            BOTS_OF_A_GAME => "chess-bots",
            name => name,
        }
    }

    /// The crates that `USES` gives a crate, with a game's name where it says so.
    fn intended(uses: &[&'static str]) -> Vec<&'static str> {
        uses.iter().map(|name| example(name)).collect()
    }

    #[test]
    fn the_intended_graph_has_no_faults() {
        for (name, uses) in USES {
            let member = member(example(name), &intended(uses), &[], &[]);
            assert_eq!(edge_faults(&member, &games()), strings(&[]));
        }
    }

    #[test]
    fn an_edge_that_is_not_there_is_a_fault() {
        for (name, uses) in USES.iter().filter(|(_, uses)| !uses.is_empty()) {
            let member = member(example(name), &intended(&uses[1..]), &[], &[]);
            assert_eq!(edge_faults(&member, &games()).len(), 1, "{name}");
        }
    }

    #[test]
    fn the_table_names_only_crates_above() {
        for (idx, (name, uses)) in USES.iter().enumerate() {
            for used in *uses {
                let below = USES[..idx].iter().any(|(known, _)| known == used);
                assert!(below, "{name} uses {used}, which is not above it");
            }
        }
    }

    #[test]
    fn the_games_are_what_the_catalog_holds() {
        let uses = ["go", "go-bots", "hex", "kernel", "bots"];
        let catalog = member("catalog", &uses, &[], &[]);
        let games = Games::of(&[member("chess", &["kernel"], &[], &[]), catalog]);
        assert_eq!(games.0, strings(&["go", "hex"]).into_iter().collect());
        assert!(games.is_rules("hex") && games.is_rules("kernel"));
        assert!(!games.is_rules("catalog") && !games.is_rules("checkers"));
    }

    #[test]
    fn an_edge_between_games_is_refused() {
        let faults = edge_faults(&member("chess", &["kernel", "go"], &[], &[]), &games());
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("chess may not use go"));
        let uses = ["kernel", "bots", "go"];
        let faults = edge_faults(&member("chess-bots", &uses, &[], &[]), &games());
        assert!(
            faults[0].starts_with("chess-bots may not use go"),
            "{faults:?}"
        );
    }

    #[test]
    fn generic_code_is_that_of_no_game_and_no_test() {
        let is_generic = |path: &str| games().is_generic(Path::new(path));
        assert!(is_generic("crates/server/src/room.rs"));
        assert!(!is_generic("crates/server/tests/room.rs"));
        assert!(!is_generic("crates/server/src/room/tests.rs"));
        assert!(!is_generic("crates/chess/src/play.rs"));
        assert!(!is_generic("crates/chess/bots/src/lib.rs"));
        assert!(!is_generic("crates/catalog/src/lib.rs"));
        assert!(!is_generic("crates/server/src/page.html"));
    }

    #[test]
    fn an_edge_upwards_is_refused() {
        for (name, used) in [
            ("document", "kernel"),
            ("envelope", "bots"),
            ("store", "server"),
            ("xtask", "kernel"),
        ] {
            let faults = edge_faults(&member(name, &[used], &[], &[]), &games());
            assert!(faults[0].starts_with(&format!("{name} may not use {used}")));
        }
    }

    #[test]
    fn an_unknown_crate_is_told_where_to_go() {
        let faults = edge_faults(&member("checkers", &[], &[], &[]), &games());
        assert!(faults[0].contains("a game belongs into the catalog"));
    }

    #[test]
    fn a_rules_crate_may_not_use_an_unlisted_crate() {
        let faults = outside_faults(&member("catan", &[], &["serde", "petgraph"], &[]));
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("may not use petgraph"));
    }

    #[test]
    fn a_rules_crate_may_not_reach_the_clock_threads_or_entropy() {
        for (name, _) in RULES_MAY_NOT_REACH {
            let member = member("chess", &[], &[], &["serde", name]);
            let faults = reach_faults(&member, &games());
            assert_eq!(faults.len(), 1, "{name}");
        }
    }

    #[test]
    fn only_the_store_the_server_and_the_program_reach_tokio() {
        for name in ["learn", "bots", "python", "session", "xtask"] {
            let member = member(name, &[], &[], &["tokio"]);
            assert_eq!(reach_faults(&member, &games()).len(), 1);
        }
        for name in MAY_REACH_TOKIO {
            let member = member(name, &[], &[], &["tokio"]);
            assert_eq!(reach_faults(&member, &games()), strings(&[]));
        }
    }

    #[test]
    fn the_store_reaches_tokio_only_through_others() {
        let member = member("store", &[], &["tokio"], &["tokio"]);
        let faults = reach_faults(&member, &games());
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("store uses tokio"));
    }

    #[test]
    fn floats_are_for_the_kernel_alone() {
        assert!(floats("kernel") == Floats::Allowed);
        assert!(floats("chess") == Floats::Forbidden);
    }

    #[test]
    fn lints_must_be_there_and_be_the_model() {
        let model = "disallowed-types = []\ndisallowed-methods = []\n";
        assert_eq!(lint_faults("catan", Some(model), Some(model)), strings(&[]));
        assert_eq!(lint_faults("catan", None, Some(model)).len(), 1);
        let other = format!("{model}# more\n");
        assert_eq!(lint_faults("catan", Some(&other), Some(model)).len(), 1);
        assert_eq!(lint_faults("kernel", Some(""), Some("")).len(), 1);
    }

    #[test]
    fn test_files_are_told_from_code() {
        assert!(is_test(Path::new("tests.rs")));
        assert!(is_test(Path::new("tests/play.rs")));
        assert!(is_test(Path::new("play_tests.rs")));
        assert!(!is_test(Path::new("contests.rs")));
    }

    #[test]
    fn names_are_read_from_a_tree() {
        let tree = "kernel v0.1.0 (/r/crates/kernel)\nserde v1.0.229\nserde v1.0.229 (*)\n\n";
        assert_eq!(
            crate_names(tree),
            strings(&["kernel", "serde"]).into_iter().collect()
        );
    }
}
