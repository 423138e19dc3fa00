//! Temporaries beside the place that they are for, and what killed runs left of them.
//!
//! A temporary gets a random name, and is made only if no file has that name. Another user cannot put a file or a link
//! there before. A run locks its temporary while it uses it. The system releases the lock of a run that is killed. The
//! next run for the same place finds the temporary without a lock, and removes it. A run locks the folder itself for
//! each short step in it, so that two runs never do such steps at once. That lock leaves no file behind.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;

use super::place::parent_of;
use crate::hash::sha256;

/// What all names of temporaries have before their random digits.
const OURS: &str = ".lightloom-";
/// Number of random hexadecimal digits.
const DIGITS: usize = 16;
/// The longest name whose temporaries have it as a part, in bytes. File systems allow 255 for all.
const LONGEST: usize = 200;
/// The number of times that a folder's lock is asked for. A run of lightloom holds it for a moment only, so that after
/// ten seconds the holder is another program.
const ASKED: u32 = 1_000;
/// The time between two of these requests.
const BETWEEN: Duration = Duration::from_millis(10);

/// The names of temporaries for a place.
#[derive(Debug)]
pub(super) struct Beside {
    parent: PathBuf,
    /// What is before the random digits.
    start: OsString,
}

/// The lock of the folder that a place is in. Other runs wait until it is dropped.
pub(super) struct Turn(#[expect(dead_code, reason = "is held")] Option<File>);

/// A temporary that a killed run left.
pub(super) struct Leftover {
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
    /// Held until the leftover is removed, so that two runs do not do it at once.
    _lock: File,
}

impl Beside {
    pub(super) fn of(place: &Path) -> Self {
        let name = place.file_name().unwrap_or_default();
        let mut start = OsString::from(".");
        if name.len() <= LONGEST {
            start.push(name);
        } else {
            start.push(&sha256(name.as_encoded_bytes())[..DIGITS]);
        }
        start.push(OURS);
        Self { parent: parent_of(place).to_path_buf(), start }
    }

    /// The folder that the place is in.
    pub(super) fn parent(&self) -> &Path {
        &self.parent
    }

    /// Waits for the other runs that are at a short step in the same folder.
    ///
    /// # Errors
    /// Those of the file system. Also if another program holds a lock of the folder for ten seconds.
    pub(super) fn turn(&self) -> io::Result<Turn> {
        // Nothing can be listed in a folder that may not be read. Its rights allow to write into it all the same.
        let Ok(folder) = File::open(&self.parent) else { return Ok(Turn(None)) };
        for _ in 0..ASKED {
            match folder.try_lock() {
                Ok(()) => return Ok(Turn(Some(folder))),
                Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN),
                // Some network file systems lock no folders. Renames are single steps there too.
                Err(TryLockError::Error(_)) => return Ok(Turn(None)),
            }
        }
        let message =
            "another program keeps its folder locked; end that program, or write elsewhere";
        Err(io::Error::new(ErrorKind::ResourceBusy, message))
    }

    /// What killed runs left for this place.
    ///
    /// # Errors
    /// [`ErrorKind::ResourceBusy`] if a run for the same place is at work.
    pub(super) fn leftovers(&self, _turn: &Turn) -> io::Result<Vec<Leftover>> {
        let Ok(entries) = fs::read_dir(&self.parent) else { return Ok(Vec::new()) };
        let mut left = Vec::new();
        for entry in entries.filter_map(Result::ok).filter(|entry| self.owns(&entry.file_name())) {
            let path = entry.path();
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let is_folder = metadata.is_dir();
            if !is_folder && !is_own_file(&metadata) {
                continue;
            }
            let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
            let Ok(lock) = OpenOptions::new().read(true).custom_flags(flags).open(&path) else {
                continue;
            };
            match lock.try_lock() {
                Ok(()) if metadata.uid() == own_user() => {
                    left.push(Leftover { path, is_folder, _lock: lock });
                }
                Err(TryLockError::WouldBlock) => {
                    let message = "another run is writing to it; wait for that one to end";
                    return Err(io::Error::new(ErrorKind::ResourceBusy, message));
                }
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(left)
    }

    /// Whether a name is one that [`Self::fresh`] makes.
    fn owns(&self, name: &OsStr) -> bool {
        let name = name.as_encoded_bytes().strip_prefix(self.start.as_encoded_bytes());
        let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
        name.is_some_and(|digits| digits.len() == DIGITS && digits.iter().all(is_digit))
    }

    /// A path that most probably nothing has.
    pub(super) fn fresh(&self) -> io::Result<PathBuf> {
        let random = getrandom::u64().map_err(io::Error::other)?;
        let mut name = self.start.clone();
        name.push(format!("{random:016x}"));
        Ok(self.parent.join(name))
    }

    /// A new empty file, locked, with the rights that the user's mask gives.
    pub(super) fn file(&self, _turn: &Turn) -> io::Result<(PathBuf, File)> {
        self.made(|path| {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o666).open(path)?;
            lock(&file).map(|()| file)
        })
    }

    /// A new empty folder, locked, with the rights that the user's mask gives.
    pub(super) fn folder(&self, _turn: &Turn) -> io::Result<(PathBuf, File)> {
        self.made(|path| {
            DirBuilder::new().mode(0o777).create(path)?;
            let folder = File::open(path)?;
            lock(&folder).map(|()| folder)
        })
    }

    fn made(&self, make: impl Fn(&Path) -> io::Result<File>) -> io::Result<(PathBuf, File)> {
        loop {
            let path = self.fresh()?;
            match make(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Locks a temporary that was just made. No other run has opened it. An error comes from a file system without locks.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::AlreadyExists.into()),
    }
}

/// Whether it is a file that this user made, and that has no other name.
fn is_own_file(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.nlink() == 1 && metadata.uid() == own_user()
}

fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
