//! Embeds the built browser client into the program, if there is one.
//!
//! `cargo xtask serve` builds `web/dist` first. Without it, the server's only page is its status
//! page.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let web = root.join("../../web").canonicalize()?;
    let dist = web.join("dist");
    let mut table = String::from("static ASSETS: &[Asset] = &[\n");
    // A missing path would make every build a new one, so the parent folder is watched until there
    // is something to embed.
    let watched = if dist.is_dir() { &dist } else { &web };
    println!("cargo::rerun-if-changed={}", watched.display());
    if dist.is_dir() {
        for file in files_below(&dist)? {
            write_asset(&mut table, &dist, &file)?;
        }
    }
    table.push_str("];\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("assets.rs"), table)
}

fn variable(name: &str) -> io::Result<String> {
    std::env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}

/// Returns all files below a folder, in a fixed order.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes one row of the table. Compressed copies are next to a file and belong to its row.
fn write_asset(table: &mut String, dist: &Path, file: &Path) -> io::Result<()> {
    let extension = file.extension().unwrap_or_default();
    if extension == "br" || extension == "gz" {
        return Ok(());
    }
    let below = file.strip_prefix(dist).map_err(io::Error::other)?;
    let path = format!("/{}", below.display()).replace('\\', "/");
    let bytes = fs::read(file)?;
    let mark = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let compressed = |ending: &str| {
        let copy = PathBuf::from(format!("{}.{ending}", file.display()));
        if copy.is_file() {
            format!("Some(include_bytes!({copy:?}))")
        } else {
            "None".to_owned()
        }
    };
    let (brotli, gzip) = (compressed("br"), compressed("gz"));
    writeln!(
        table,
        "    Asset {{ path: {path:?}, etag: \"\\\"{mark:016x}\\\"\", plain: include_bytes!({file:?}), \
         brotli: {brotli}, gzip: {gzip} }},"
    )
    .map_err(io::Error::other)
}
