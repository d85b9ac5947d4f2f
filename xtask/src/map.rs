//! The map of the crates in ARCHITECTURE.md, made from their manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata};

/// The document that holds the map.
pub(crate) const DOCUMENT: &str = "ARCHITECTURE.md";

const BEGIN: &str = "<!-- The map is made by `cargo xtask codegen` from the manifests. -->\n";
const END: &str = "<!-- End of the map. -->\n";

/// A crate of the workspace.
#[derive(Clone, Debug)]
struct Crate {
    folder: String,
    about: String,
    uses: BTreeSet<String>,
}

/// The document with the map as the manifests have it now.
pub(crate) fn document(metadata: &Metadata) -> Result<String> {
    let text = fs::read_to_string(DOCUMENT).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let places = text.split_once(BEGIN).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(END)?;
        Some((head, tail))
    });
    let (head, tail) = places.with_context(|| format!("{DOCUMENT} has no place for the map"))?;
    let map = write(crates(metadata));
    Ok(format!("{head}{BEGIN}{map}{END}{tail}"))
}

fn crates(metadata: &Metadata) -> BTreeMap<String, Crate> {
    let packages = metadata.workspace_packages();
    let own: BTreeSet<&str> = packages.iter().map(|it| it.name.as_str()).collect();
    let members = packages.iter().map(|package| {
        let folder = package.manifest_path.parent();
        let folder = folder.and_then(|it| it.strip_prefix(&metadata.workspace_root).ok());
        let uses = package.dependencies.iter();
        let uses = uses.filter(|it| it.kind == DependencyKind::Normal && own.contains(&*it.name));
        let member = Crate {
            folder: folder.map_or_else(String::new, ToString::to_string),
            about: package.description.clone().unwrap_or_default(),
            uses: uses.map(|it| it.name.clone()).collect(),
        };
        (package.name.to_string(), member)
    });
    members.collect()
}

/// A row for each crate, below all that it uses.
fn write(mut left: BTreeMap<String, Crate>) -> String {
    let mut map = String::from("| crate | purpose | uses |\n| --- | --- | --- |\n");
    while !left.is_empty() {
        let is_next = |it: &Crate| !it.uses.iter().any(|used| left.contains_key(used));
        let next = left.iter().find(|(_, it)| is_next(it));
        // Cargo refuses a circle of crates, so there is always one.
        let Some(name) = next.map(|(name, _)| name.clone()) else {
            break;
        };
        if let Some(Crate {
            folder,
            about,
            uses,
        }) = left.remove(&name)
        {
            let uses = uses.into_iter().map(|it| format!("`{it}`"));
            let uses = uses.collect::<Vec<_>>().join(", ");
            map.push_str(&format!("| `{folder}` | {about} | {uses} |\n"));
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_stands_below_all_that_it_uses() {
        let member = |folder: &str, uses: &[&str]| Crate {
            folder: folder.to_owned(),
            about: format!("About {folder}"),
            uses: uses.iter().map(|it| (*it).to_owned()).collect(),
        };
        let crates = BTreeMap::from([
            ("a".to_owned(), member("crates/a", &["b", "c"])),
            ("b".to_owned(), member("crates/b", &["c"])),
            ("c".to_owned(), member("crates/c", &[])),
        ]);
        let map = write(crates);
        let rows: Vec<&str> = map.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| `crates/c` | About crates/c |  |",
                "| `crates/b` | About crates/b | `c` |",
                "| `crates/a` | About crates/a | `b`, `c` |",
            ]
        );
    }
}
