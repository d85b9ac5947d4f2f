//! Files that are made of the code: the protocol's document and the browser client's types.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::step::cargo;
use crate::typescript::Types;

const PROTOCOL: &str = "docs/protocol.md";
const PROTOCOL_TYPES: &str = "web/src/generated/protocol.ts";
const HTTP_TYPES: &str = "web/src/generated/http.ts";
/// The games whose words have a file of their own: Orcain's stand in the protocol's.
const GAME_TYPES: [(&str, &str); 2] = [
    ("catan", "web/src/generated/catan.ts"),
    ("stellar", "web/src/generated/stellar.ts"),
];

/// Writes every generated file anew; or only compares, and says whether all are as they would
/// be written.
pub(crate) fn run(check: bool) -> Result<bool> {
    if check {
        let faults = stale()?;
        println!("{}", faults.join("\n"));
        return Ok(faults.is_empty());
    }
    for (path, text) in files()? {
        fs::write(path, text).with_context(|| format!("cannot write {path}"))?;
        println!("wrote {path}");
    }
    Ok(true)
}

/// Every generated file that is not what the code makes now, each as one sentence.
pub(crate) fn stale() -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in files()? {
        if fs::read_to_string(Path::new(path)).ok() != Some(text) {
            faults.push(format!(
                "{path} is not what the code makes now: run `cargo xtask codegen`."
            ));
        }
    }
    Ok(faults)
}

fn files() -> Result<Vec<(&'static str, String)>> {
    let document = printed(&["--package", "wire", "--example", "protocol"])?;
    let mut protocol = Types::default();
    protocol.add_document("ServerMessage", &schema("protocol-server")?)?;
    protocol.add_document("ClientMessage", &schema("protocol-client")?)?;
    let mut http = Types::default();
    let openapi = schema("http")?;
    let schemas = openapi
        .pointer("/components/schemas")
        .and_then(Value::as_object);
    for (name, schema) in schemas.context("the OpenAPI document has no types")? {
        http.add(name, schema)?;
    }
    let mut written = vec![
        (PROTOCOL, document),
        (
            PROTOCOL_TYPES,
            protocol.write("Referee's own protocol, with Orcain's words.")?,
        ),
        (HTTP_TYPES, http.write("What is asked over HTTP.")?),
    ];
    for (game, path) in GAME_TYPES {
        let mut words = Types::default();
        words.add_document("GameWords", &schema(&format!("{game}-words"))?)?;
        written.push((
            path,
            words.write(&format!("The words of {game} over the wire."))?,
        ));
    }
    Ok(written)
}

fn schema(name: &str) -> Result<Value> {
    let text = printed(&["--package", "cli", "--", "schema", name])?;
    serde_json::from_str(&text).with_context(|| format!("`referee schema {name}` is no JSON"))
}

/// What a program of ours prints.
fn printed(args: &[&str]) -> Result<String> {
    let mut run = cargo(&["run", "--quiet"]);
    let output = run.args(args).output().context("cannot run cargo")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "cargo run {} failed:\n{said}",
        args.join(" ")
    );
    String::from_utf8(output.stdout).context("the output is no text")
}
