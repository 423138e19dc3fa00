//! Reads files as text: checks sizes and decodes.

use std::path::Path;

use lightloom_request::{InputError, Key, Message, Texts};

use crate::text::lines::line_at;

/// Largest text file, in bytes. Inventories of a million racks are smaller.
const MAX_BYTES: u64 = 256 << 20;

/// Reads the text of a file: a regular file of at most 256 MiB, UTF-8 or UTF-16 with a byte order mark,
/// without NUL.
///
/// # Errors
/// [`InputError`] if the file cannot be read, is too large or is not text.
pub fn read(texts: &Texts, path: &Path) -> Result<String, InputError> {
    read_up_to(texts, path, MAX_BYTES)
}

/// Like [`read`], for a file of at most `most` bytes.
///
/// # Errors
/// As [`read`].
pub fn read_up_to(texts: &Texts, path: &Path, most: u64) -> Result<String, InputError> {
    read_within(texts, path, Limit { most, setting: None })
}

/// Like [`read_up_to`], where a setting gives the limit.
///
/// # Errors
/// As [`read`].
pub fn read_up_to_setting(
    texts: &Texts,
    path: &Path,
    most: u64,
    setting: &Key,
) -> Result<String, InputError> {
    read_within(texts, path, Limit { most, setting: Some(setting) })
}

/// Reads a regular file on disk that is no text, of at most `most` bytes, and notes it.
///
/// # Errors
/// [`InputError`] if the file cannot be read or is too large.
pub fn bytes_up_to(texts: &Texts, path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    let bytes = from_disk(path, Limit { most, setting: None })?;
    texts.note(path);
    Ok(bytes)
}

/// The names of the files in the folder of a path. None of a folder that cannot be read.
#[cfg(feature = "folders")]
pub fn beside(path: &Path) -> Vec<std::ffi::OsString> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect()
}

/// A build without folders has none.
#[cfg(not(feature = "folders"))]
pub fn beside(_: &Path) -> Vec<std::ffi::OsString> {
    Vec::new()
}

/// The first bytes of a file on disk, at most 16. None of a file that is not there.
#[cfg(feature = "folders")]
pub fn head(path: &Path) -> Vec<u8> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    if let Some(file) = file.and_then(|_| std::fs::File::open(path).ok()) {
        // What cannot be read is told where all of it is read.
        let _ = file.take(16).read_to_end(&mut bytes);
    }
    bytes
}

/// A build without folders reads no file.
#[cfg(not(feature = "folders"))]
pub fn head(_: &Path) -> Vec<u8> {
    Vec::new()
}

/// The size of a file on disk, in bytes. 0: there is none.
#[cfg(feature = "folders")]
pub fn size_on_disk(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// A build without folders reads no file.
#[cfg(not(feature = "folders"))]
pub fn size_on_disk(_: &Path) -> u64 {
    0
}

/// Largest size of a file.
#[derive(Clone, Copy)]
struct Limit<'a> {
    /// In bytes.
    most: u64,
    /// The setting that raises it.
    setting: Option<&'a Key>,
}

impl Limit<'_> {
    fn check(self, path: &Path, found: u64) -> Result<(), InputError> {
        let Self { most, setting } = self;
        if found <= most {
            return Ok(());
        }
        let told = match most % (1 << 20) {
            0 => format!("{} MiB", most >> 20),
            _ => format!("{most} bytes"),
        };
        let message = Message::new(format!("has {found} bytes; a file of at most {told} is read"));
        let message = match setting {
            Some(key) => {
                // Without a blank, so that it can be typed as one word.
                let enough = format!("{}MiB", found.div_ceil(1 << 20));
                message
                    .text("; if it is what it should be, raise the limit with ")
                    .setting(key, Some(enough))
            }
            None => message,
        };
        Err(InputError::mentioning(message).in_file(path))
    }
}

fn read_within(texts: &Texts, path: &Path, limit: Limit<'_>) -> Result<String, InputError> {
    match texts.get(path) {
        Some(text) => {
            limit.check(path, text.len() as u64)?;
            checked(path, text.into_bytes())
        }
        None => {
            let text = checked(path, from_disk(path, limit)?)?;
            texts.keep(path, &text);
            Ok(text)
        }
    }
}

/// Reads a regular file on disk.
#[cfg(feature = "folders")]
fn from_disk(path: &Path, limit: Limit<'_>) -> Result<Vec<u8>, InputError> {
    use std::io::Read as _;
    let fail = |message: String| InputError::new(message).in_file(path);
    let metadata =
        std::fs::metadata(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(fail("is not a regular file; name a file".into()));
    }
    limit.check(path, metadata.len())?;
    let mut bytes = Vec::new();
    let file =
        std::fs::File::open(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    // The file may grow during the read, and files of the kernel have more than the length that they tell.
    file.take(limit.most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| fail(format!("cannot be read: {error}")))?;
    limit.check(path, bytes.len() as u64)?;
    Ok(bytes)
}

/// Refuses every file: a build without folders has no disk.
#[cfg(not(feature = "folders"))]
fn from_disk(path: &Path, _: Limit<'_>) -> Result<Vec<u8>, InputError> {
    let message = "is not in memory, and this build reads no files; give its text with the request";
    Err(InputError::new(message).in_file(path))
}

/// Decodes bytes without their byte order mark: UTF-8, or UTF-16 if the mark says so. Refuses NUL.
///
/// All other encodings are refused. Bytes do not show whether they are Windows-1252, Latin-2 or another code
/// page, and a wrong guess would change names.
fn checked(path: &Path, bytes: Vec<u8>) -> Result<String, InputError> {
    let mut text = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf_16(path, rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf_16(path, rest, u16::from_be_bytes)?,
        _ => utf_8(path, bytes)?,
    };
    if let Some(at) = text.bytes().position(|b| b == 0) {
        let message = "found a NUL byte; this is no text file, or it is UTF-16 without its byte \
                       order mark; save it as UTF-8 text";
        let line = line_at(text.as_bytes(), at);
        return Err(InputError::new(message).in_file(path).at_line(line));
    }
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

fn utf_8(path: &Path, bytes: Vec<u8>) -> Result<String, InputError> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let message = if bytes[..at].contains(&0) {
            "found a NUL byte; this is no text file; save it as UTF-8 text"
        } else {
            "found bytes that are not UTF-8; save the file as UTF-8 text (in a spreadsheet: CSV UTF-8)"
        };
        InputError::new(message).in_file(path).at_line(line_at(bytes, at))
    })
}

fn utf_16(path: &Path, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, InputError> {
    let refuse = |text: &str| {
        let message = "found bytes that are not UTF-16, as the first two say that they are; save the \
                       file as UTF-8 text";
        InputError::new(message).in_file(path).at_line(line_at(text.as_bytes(), text.len()))
    };
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    for decoded in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        match decoded {
            Ok(c) => text.push(c),
            Err(_) => return Err(refuse(&text)),
        }
    }
    if odd.is_empty() { Ok(text) } else { Err(refuse(&text)) }
}
