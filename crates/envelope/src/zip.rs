//! The part of the zip format that NumPy needs: stored or deflated files, no encryption.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::BYTES_MAX;
use crate::crc::crc32;

/// The maximum number of files in a zip file.
const FILES_MAX: usize = 64;
const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
const DEFLATED: u16 = 8;
/// The earliest date that a zip file can store, so that the same files give the same bytes.
const DAY_ONE: u16 = 0x0021;
const LEVEL: u8 = 6;

/// A file's name and its contents, or the description of a fault in them.
pub(crate) type Read = (String, Result<Vec<u8>, String>);

/// Writes the files, deflated.
pub(crate) fn write(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let packed = compress_to_vec(contents, LEVEL);
        let mut about = Vec::new();
        for field in [20, 0, DEFLATED, 0, DAY_ONE] {
            about.extend(u16::to_le_bytes(field));
        }
        for field in [crc32(contents), packed.len() as u32, contents.len() as u32] {
            about.extend(field.to_le_bytes());
        }
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0; 2]);
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend([20, 0]);
        directory.extend(&about);
        directory.extend([0; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(LOCAL.to_le_bytes());
        out.extend(about);
        out.extend(name.as_bytes());
        out.extend(packed);
    }
    let began = out.len() as u32;
    let n_files = (files.len() as u16).to_le_bytes();
    out.extend(&directory);
    out.extend(END.to_le_bytes());
    out.extend([0; 4]);
    out.extend(n_files);
    out.extend(n_files);
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(began.to_le_bytes());
    out.extend([0; 2]);
    out
}

/// Reads every file in the directory. A fault of the archive is an error; a fault of one file is
/// returned in place of its contents.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Read>, String> {
    let end = find_end(bytes).ok_or("the zip file has no end record: it is truncated")?;
    let n_files = usize::from(u16_at(bytes, end + 10).ok_or(CUT)?);
    if n_files > FILES_MAX {
        return Err(format!(
            "the zip file contains {n_files} files, but at most {FILES_MAX} are allowed"
        ));
    }
    let mut at = u32_at(bytes, end + 16).ok_or(CUT)? as usize;
    let mut files: Vec<Read> = Vec::new();
    for _ in 0..n_files {
        let entry = Entry::read(bytes, at).ok_or("the zip file's directory is damaged")?;
        at = entry.next;
        if files.iter().any(|(name, _)| *name == entry.name) {
            return Err(format!("the zip file contains {:?} twice", entry.name));
        }
        let contents = entry.contents(bytes);
        files.push((entry.name, contents));
    }
    Ok(files)
}

const CUT: &str = "the zip file is truncated";

/// The position of the end record, which has 22 bytes and a comment.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(0xFFFF);
    (first..=last)
        .rev()
        .find(|&at| u32_at(bytes, at) == Some(END))
}

struct Entry {
    name: String,
    flags: u16,
    method: u16,
    crc: u32,
    n_packed: usize,
    n_bytes: usize,
    local: usize,
    next: usize,
}

impl Entry {
    fn read(bytes: &[u8], at: usize) -> Option<Entry> {
        if u32_at(bytes, at)? != CENTRAL {
            return None;
        }
        let len = |offset: usize| u16_at(bytes, at + offset).map(usize::from);
        let size = |offset: usize| u32_at(bytes, at + offset).map(|it| it as usize);
        let (n_name, n_extra, n_comment) = (len(28)?, len(30)?, len(32)?);
        let name = bytes.get(at + 46..at + 46 + n_name)?;
        Some(Entry {
            name: std::str::from_utf8(name).ok()?.to_owned(),
            flags: u16_at(bytes, at + 8)?,
            method: u16_at(bytes, at + 10)?,
            crc: u32_at(bytes, at + 16)?,
            n_packed: size(20)?,
            n_bytes: size(24)?,
            local: size(42)?,
            next: at + 46 + n_name + n_extra + n_comment,
        })
    }

    fn contents(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        if self.flags & 1 == 1 {
            return Err("the file is encrypted".to_owned());
        }
        if self.n_bytes > BYTES_MAX {
            return Err(format!("the file has more than {BYTES_MAX} bytes"));
        }
        let packed = self
            .packed(bytes)
            .ok_or("the file is not where the directory says")?;
        let contents = match self.method {
            0 => packed.to_vec(),
            DEFLATED => decompress_to_vec_with_limit(packed, self.n_bytes)
                .map_err(|error| format!("the file cannot be inflated: {error}"))?,
            method => {
                return Err(format!(
                    "the file is compressed with the unknown method {method}"
                ));
            }
        };
        if contents.len() != self.n_bytes || crc32(&contents) != self.crc {
            return Err("the file is damaged: its checksum does not match".to_owned());
        }
        Ok(contents)
    }

    fn packed<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        if u32_at(bytes, self.local)? != LOCAL {
            return None;
        }
        let n_name = usize::from(u16_at(bytes, self.local + 26)?);
        let n_extra = usize::from(u16_at(bytes, self.local + 28)?);
        let began = self.local + 30 + n_name + n_extra;
        bytes.get(began..began.checked_add(self.n_packed)?)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}
