//! A folder of files that is replaced in one step.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use lightloom_request::FolderError;
use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};

use super::beside::{Beside, Leftover, Turn};
use super::file::move_new;
use super::kind::{Edited, Kind, Terms};
use super::mark::{Differs, Listing, MARK};
use super::place::{inside, parent_of};
use super::snapshot::Snapshot;

/// Above this number of files the whole file system is synchronised once, in place of each file.
const MANY: usize = 100;

/// Checks that `out` can be replaced: it is absent, empty, or a folder of this kind whose files are as they were
/// written. Also repairs what a killed run left.
///
/// # Errors
/// [`FolderError`] with the reason why the folder cannot be replaced.
pub fn check(out: &Path, terms: Terms<'_>) -> Result<(), FolderError> {
    let place = Target::of(out)?;
    if place.beside.parent().is_dir() {
        let turn = place.turn()?;
        place.mend(terms.kind, &turn)?;
    }
    place.snapshot(terms).map(drop)
}

/// Replaces `out` by a folder of exactly these files and their list, in one step. Includes [`check`].
///
/// # Errors
/// [`FolderError`]. `out` is then unchanged.
pub fn write<N: AsRef<str>>(
    out: &Path,
    files: &[(N, Vec<u8>)],
    terms: Terms<'_>,
) -> Result<(), FolderError> {
    write_if(out, files, terms, &mut || true).map(|_| ())
}

/// Like [`write()`], but calls `go` when the new files are complete and stops if it returns `false`. Returns
/// whether the folder was replaced.
///
/// # Errors
/// [`FolderError`]. `out` is then unchanged.
pub fn write_if<N: AsRef<str>>(
    out: &Path,
    files: &[(N, Vec<u8>)],
    terms: Terms<'_>,
    go: &mut dyn FnMut() -> bool,
) -> Result<bool, FolderError> {
    if !go() {
        return Ok(false);
    }
    let target = Target::of(out)?;
    let parent = target.beside.parent();
    fs::create_dir_all(parent).map_err(io_at(parent))?;
    let new = {
        let turn = target.turn()?;
        target.mend(terms.kind, &turn)?;
        let before = target.snapshot(terms)?;
        let (path, lock) = target.beside.folder(&turn).map_err(io_at(parent))?;
        New { path, before, kind: *terms.kind, _lock: lock }
    };
    new.fill(files)?;
    if !go() {
        return Ok(false);
    }
    new.exchange(&target)?;
    Ok(true)
}

/// The folder to replace.
struct Target {
    place: PathBuf,
    beside: Beside,
}

/// A folder beside the one that it replaces. If it is dropped it is removed, with what it has then.
struct New {
    path: PathBuf,
    before: Option<Snapshot>,
    kind: Kind,
    /// Tells other runs that it is in use.
    _lock: File,
}

impl Target {
    fn of(out: &Path) -> Result<Self, FolderError> {
        // A link is followed: the folder that it points to is replaced, not the link.
        let place = match fs::canonicalize(out) {
            Ok(found) => found,
            Err(_) if out.is_symlink() => return Err(FolderError::NotAFolder(out.to_path_buf())),
            Err(_) => {
                let name = out.file_name().ok_or_else(|| FolderError::NoName(out.to_path_buf()))?;
                // Folders above it that are not there yet are made.
                let parent = fs::canonicalize(parent_of(out));
                parent
                    .map_or_else(|_| std::path::absolute(out), |parent| Ok(parent.join(name)))
                    .map_err(io_at(out))?
            }
        };
        if place.file_name().is_none() {
            return Err(FolderError::NoName(place));
        }
        if let Some(folder) = inside(parent_of(&place)) {
            let folder = folder.to_path_buf();
            return Err(FolderError::Inside { path: place, folder });
        }
        Ok(Self { beside: Beside::of(&place), place })
    }

    fn turn(&self) -> Result<Turn, FolderError> {
        self.beside.turn().map_err(io_at(self.beside.parent()))
    }

    /// Removes what killed runs left. If one was killed between the two steps that a file system without an exchange
    /// needs, the old folder is put back.
    fn mend(&self, kind: &Kind, turn: &Turn) -> Result<(), FolderError> {
        let left = self.beside.leftovers(turn).map_err(|error| match error.kind() {
            ErrorKind::ResourceBusy => FolderError::Busy(self.place.clone()),
            _ => io_at(self.beside.parent())(error),
        })?;
        for Leftover { path, is_folder, .. } in left {
            let moved = path.join(MOVED);
            if is_folder && !self.place.exists() && moved.exists() {
                fs::remove_file(&moved).map_err(io_at(&moved))?;
                move_new(&path, &self.place).map_err(io_at(&self.place))?;
            } else if is_folder {
                remove_known(&path, kind).map_err(io_at(&path))?;
            }
        }
        Ok(())
    }

    /// What is there, if it may be replaced.
    fn snapshot(&self, terms: Terms<'_>) -> Result<Option<Snapshot>, FolderError> {
        let path = || self.place.clone();
        if self.place.exists() && !self.place.is_dir() {
            return Err(FolderError::NotAFolder(path()));
        }
        let Some(found) = Snapshot::at(&self.place).map_err(io_at(&self.place))? else {
            return Ok(None);
        };
        if let Some(input) = terms.inputs.in_folder(&self.place) {
            return Err(FolderError::Read { path: path(), input: input.to_path_buf() });
        }
        if found.is_read_only() {
            return Err(FolderError::ReadOnly(path()));
        }
        self.refuse_foreign(&found, terms)?;
        Ok(Some(found))
    }

    fn refuse_foreign(&self, there: &Snapshot, terms: Terms<'_>) -> Result<(), FolderError> {
        let names: Vec<String> =
            there.names().map(|name| name.to_string_lossy().into_owned()).collect();
        let foreign = |found: &str| {
            Err(FolderError::Foreign { path: self.place.clone(), found: found.to_owned() })
        };
        let Some(first) = names.first() else { return Ok(()) };
        let Some(listing) = Listing::read(&self.place).map_err(io_at(&self.place))? else {
            return match names.iter().find(|name| !(terms.kind.knows)(name)) {
                None if terms.kind.is_older(|name| names.iter().any(|found| found == name)) => {
                    Ok(())
                }
                unknown => foreign(unknown.unwrap_or(first)),
            };
        };
        if listing.kind != terms.kind.name {
            let (path, found) = (self.place.clone(), listing.kind);
            return Err(FolderError::OtherKind { path, found, wanted: terms.kind.name });
        }
        for name in names.iter().filter(|name| *name != MARK) {
            match listing.differs(&self.place, name).map_err(io_at(&self.place.join(name)))? {
                Some(Differs::Unlisted) => return foreign(name),
                Some(Differs::Edited) if terms.edited == Edited::Stays => {
                    let (path, found) = (self.place.clone(), name.clone());
                    return Err(FolderError::Edited { path, found });
                }
                Some(Differs::Edited) | None => {}
            }
        }
        Ok(())
    }
}

/// A file in a folder that was moved away while another takes its place. No kind of folder has one.
const MOVED: &str = ".lightloom-moved";

impl New {
    fn fill<N: AsRef<str>>(&self, files: &[(N, Vec<u8>)]) -> Result<(), FolderError> {
        // Thousands of small files reach the disk much sooner together than one by one.
        let is_many = files.len() > MANY;
        let write = |name: &str, bytes: &[u8]| {
            let path = self.path.join(name);
            let write = || -> io::Result<()> {
                let mut file = File::create_new(&path)?;
                file.write_all(bytes)?;
                if is_many { Ok(()) } else { file.sync_all() }
            };
            write().map_err(io_at(&path))
        };
        for (name, bytes) in files {
            write(name.as_ref(), bytes)?;
        }
        write(MARK, Listing::of(self.kind.name, files).text().as_bytes())?;
        let folder = File::open(&self.path).map_err(io_at(&self.path))?;
        if is_many {
            syncfs(&folder).map_err(|errno| io_at(&self.path)(errno.into()))?;
        }
        folder.sync_all().map_err(io_at(&self.path))
    }

    /// Takes the place of the old folder, unless somebody has changed that meanwhile.
    fn exchange(&self, target: &Target) -> Result<(), FolderError> {
        let _turn = target.turn()?;
        let (place, at) = (&target.place, io_at(&target.place));
        if Snapshot::at(place).map_err(&at)? != self.before {
            return Err(FolderError::Changed(place.clone()));
        }
        if self.before.is_none() {
            move_new(&self.path, place).map_err(&at)?;
            return sync_folder(parent_of(place));
        }
        match renameat_with(CWD, &self.path, CWD, place, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                return self.replace_in_two_steps(target);
            }
            Err(errno) => return Err(at(errno.into())),
        }
        // Somebody may have written between the look and the exchange.
        if Snapshot::at(&self.path).map_err(&at)? != self.before {
            renameat_with(CWD, &self.path, CWD, place, RenameFlags::EXCHANGE)
                .map_err(|errno| at(errno.into()))?;
            return Err(FolderError::Changed(place.clone()));
        }
        sync_folder(parent_of(place))
    }

    /// For a file system without an exchange. [`Target::mend`] repairs what is left if the run is killed between the
    /// steps.
    fn replace_in_two_steps(&self, target: &Target) -> Result<(), FolderError> {
        let (place, at) = (&target.place, io_at(&target.place));
        let old = target.beside.fresh().map_err(&at)?;
        File::create_new(place.join(MOVED)).map_err(&at)?;
        fs::rename(place, &old).map_err(&at)?;
        fs::rename(&self.path, place).map_err(&at)?;
        sync_folder(parent_of(place))?;
        remove_known(&old, &self.kind).map_err(&at)
    }
}

impl Drop for New {
    /// Removes the old folder where the new one has taken its place, or else the new one.
    fn drop(&mut self) {
        // The next run for the same place tries again.
        let _ = remove_known(&self.path, &self.kind);
    }
}

/// Removes a folder that lightloom wrote. Files that it did not write stay, and the folder with them.
fn remove_known(path: &Path, kind: &Kind) -> io::Result<()> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut is_empty = true;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let is_known =
            name.to_str().is_some_and(|name| [MARK, MOVED].contains(&name) || (kind.knows)(name));
        if is_known && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        } else {
            is_empty = false;
        }
    }
    if is_empty { fs::remove_dir(path) } else { Ok(()) }
}

fn sync_folder(path: &Path) -> Result<(), FolderError> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(io_at(path))
}

fn io_at(path: &Path) -> impl Fn(io::Error) -> FolderError + use<> {
    let path = path.to_path_buf();
    move |error| FolderError::Io { path: path.clone(), error }
}
