//! Documented server commands start as written.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::documented::{How, documented};
use crate::operators::shell;
use crate::process::http;

/// Starts every documented server with these variables in a separate folder, and signs up with
/// each.
pub(crate) fn start_documented(how: How, variables: &[(&str, &str)]) -> usize {
    let commands = documented();
    let commands = commands.iter().filter(|it| it.how == how);
    commands
        .map(|command| {
            let home = tempfile::tempdir().unwrap();
            let mut server = Server(start(home.path(), &command.line, variables));
            let out = BufReader::new(server.0.stdout.take().unwrap());
            let at = out.lines().find_map(|line| {
                let line = line.ok()?;
                line.split_once("listening on http://")?.1.parse().ok()
            });
            let at = at.unwrap_or_else(|| panic!("{:?} is not listening", command.line));
            assert!(
                http(at, "POST", "/auth/guest", "").is_some(),
                "{}",
                command.line
            );
        })
        .count()
}

fn start(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Child {
    shell(folder, &format!("exec {line}"), variables)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn documented_servers_start_as_written() {
    let free = [("REFEREE_LISTEN", "127.0.0.1:0")];
    assert!(start_documented(How::Server, &free) >= 2);
}
