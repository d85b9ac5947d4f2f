//! A running program and the pipes to and from it.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::group;

/// The longest answer in bytes, newline included.
const ANSWER_BYTES_MAX: u64 = 64 << 10;

/// A running program. Separate threads read and write, so that a program that neither reads nor
/// answers cannot block the caller. Dropping the pipe kills the program.
pub(super) struct Pipe {
    child: Child,
    questions: SyncSender<String>,
    answers: Receiver<Result<String, String>>,
}

impl Pipe {
    pub(super) fn open(command: &[String]) -> Result<Pipe, String> {
        let program = command.first().map_or("", String::as_str);
        let mut child = Command::new(program)
            .args(command.iter().skip(1))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        group::enter(child.id());
        let (questions, to_ask) = sync_channel(1);
        let (answered, answers) = sync_channel(1);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::spawn(move || write_all(stdin, &to_ask));
            thread::spawn(move || read_all(stdout, &answered));
        }
        Ok(Pipe {
            child,
            questions,
            answers,
        })
    }

    /// Sends `lines` and waits up to `wait` for one line. Fails if the program has already written
    /// anything.
    pub(super) fn exchange(&mut self, lines: String, wait: Duration) -> Result<String, String> {
        if let Ok(early) = self.answers.try_recv() {
            return Err(match early {
                Ok(line) => format!(
                    "it wrote {:?} without being asked: expected one line for each \"decide\"",
                    line.chars().take(200).collect::<String>()
                ),
                Err(message) => self.with_status(message),
            });
        }
        // If the writer has stopped, the reader reports the reason below.
        let _ = self.questions.try_send(lines);
        match self.answers.recv_timeout(wait) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(message)) => Err(self.with_status(message)),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("it did not answer within {} ms", wait.as_millis()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(self.with_status("it closed its output".to_owned()))
            }
        }
    }

    /// Appends the program's exit status to a message, if it exits within two seconds.
    fn with_status(&mut self, message: String) -> String {
        // The program has closed its output, so it has exited or is about to.
        for _ in 0..1_000 {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("{message} ({status})"),
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        message
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        group::end(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        group::leave(self.child.id());
    }
}

fn write_all(mut stdin: ChildStdin, questions: &Receiver<String>) {
    while let Ok(lines) = questions.recv() {
        let written = stdin
            .write_all(lines.as_bytes())
            .and_then(|()| stdin.flush());
        if written.is_err() {
            return;
        }
    }
}

fn read_all(stdout: ChildStdout, answers: &SyncSender<Result<String, String>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let mut limited = stdout.by_ref().take(ANSWER_BYTES_MAX + 1);
        let answer = match limited.read_until(b'\n', &mut line) {
            Err(error) => Err(format!("its output cannot be read: {error}")),
            Ok(0) => Err("it closed its output".to_owned()),
            Ok(n) if n as u64 > ANSWER_BYTES_MAX => Err(format!(
                "its answer is longer than {ANSWER_BYTES_MAX} bytes"
            )),
            Ok(_) => String::from_utf8(line).map_err(|_| "its answer is not UTF-8".to_owned()),
        };
        let last = answer.is_err();
        if answers.send(answer).is_err() || last {
            return;
        }
    }
}
