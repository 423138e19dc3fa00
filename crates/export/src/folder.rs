//! Writes folders of files in one step.
//!
//! The new files are written next to the folder and exchanged with it in one step of the file system.
//! Readers see either the complete old plan or the complete new one. The next run removes or restores what an
//! interrupted run left next to the folder. A lock keeps two runs from writing at the same time.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use lightloom_request::FolderError;
use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};

/// Above this number of files the whole file system is synchronised once, in place of each file.
const MANY: usize = 100;

/// The names of files that lightloom writes to a folder.
pub trait Known {
    /// Whether a file of this name may be replaced or removed.
    fn knows(&self, name: &str) -> bool;
}

impl<T: AsRef<[&'static str]>> Known for T {
    fn knows(&self, name: &str) -> bool {
        self.as_ref().contains(&name)
    }
}

/// Checks that `out` can be replaced: it is absent, empty, or holds only `known` files, with `mark`
/// among them. Also repairs what an interrupted run left.
///
/// # Errors
/// [`FolderError`] with the reason why the folder cannot be replaced.
pub fn check(out: &Path, known: &dyn Known, mark: &str) -> Result<(), FolderError> {
    let beside = Beside::of(out)?;
    if !beside.parent().is_dir() {
        return Ok(());
    }
    let _lock = Lock::take(&beside)?;
    beside.mend(known)?;
    refuse_foreign(&beside.out, known, mark)
}

/// Replaces `out` by a folder of exactly these files, in one step. `out` may hold `known` files.
/// Includes [`check`].
///
/// # Errors
/// [`FolderError`]. `out` is then unchanged.
pub fn write<N: AsRef<str>>(
    out: &Path,
    files: &[(N, Vec<u8>)],
    known: &dyn Known,
    mark: &str,
) -> Result<(), FolderError> {
    write_if(out, files, known, mark, &mut || true).map(|_| ())
}

/// Like [`write()`], but calls `go` when the new files are complete and stops if it returns `false`. Returns
/// whether the folder was replaced.
///
/// # Errors
/// [`FolderError`]. `out` is then unchanged.
pub fn write_if<N: AsRef<str>>(
    out: &Path,
    files: &[(N, Vec<u8>)],
    known: &dyn Known,
    mark: &str,
    go: &mut dyn FnMut() -> bool,
) -> Result<bool, FolderError> {
    if !go() {
        return Ok(false);
    }
    let beside = Beside::of(out)?;
    fs::create_dir_all(beside.parent()).map_err(io_at(beside.parent()))?;
    let _lock = Lock::take(&beside)?;
    beside.mend(known)?;
    refuse_foreign(&beside.out, known, mark)?;
    if let Err(error) = beside.fill(files) {
        let _ = remove_known(&beside.new, known);
        return Err(error);
    }
    if !go() {
        let _ = remove_known(&beside.new, known);
        return Ok(false);
    }
    if let Err(error) = beside.exchange() {
        let _ = remove_known(&beside.new, known);
        return Err(error);
    }
    // The plan is in place. Leftovers are removed now or by the next run.
    let _ = remove_known(&beside.new, known);
    let _ = remove_known(&beside.old, known);
    Ok(true)
}

/// The folder and its neighbours in the same parent folder, so that moves stay within one file system.
struct Beside {
    out: PathBuf,
    new: PathBuf,
    old: PathBuf,
    lock: PathBuf,
}

impl Beside {
    fn of(out: &Path) -> Result<Self, FolderError> {
        // A link is followed: the folder that it points to is replaced, not the link.
        let out = match fs::canonicalize(out) {
            Ok(found) => found,
            Err(_) if out.is_symlink() => return Err(FolderError::NotAFolder(out.to_path_buf())),
            Err(_) => out.to_path_buf(),
        };
        let name = out.file_name().ok_or_else(|| FolderError::NoName(out.clone()))?.to_os_string();
        let neighbour = |suffix: &str| {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(&name);
            hidden.push(suffix);
            out.with_file_name(hidden)
        };
        let (new, old) = (neighbour(".lightloom-new"), neighbour(".lightloom-old"));
        let lock = neighbour(".lightloom-lock");
        Ok(Self { out, new, old, lock })
    }

    fn parent(&self) -> &Path {
        self.out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Repairs what an interrupted run left: an incomplete new folder, an old folder that was not removed,
    /// or, if the exchange needs two steps, an old folder that was moved away without a replacement.
    fn mend(&self, known: &dyn Known) -> Result<(), FolderError> {
        if self.old.exists() && !self.out.exists() {
            fs::rename(&self.old, &self.out).map_err(io_at(&self.out))?;
        }
        remove_known(&self.old, known)?;
        remove_known(&self.new, known)
    }

    fn fill<N: AsRef<str>>(&self, files: &[(N, Vec<u8>)]) -> Result<(), FolderError> {
        fs::create_dir(&self.new).map_err(io_at(&self.new))?;
        // Thousands of small files reach the disk much sooner together than one by one.
        let is_many = files.len() > MANY;
        for (name, bytes) in files {
            let path = self.new.join(name.as_ref());
            let write = |path: &Path| -> io::Result<()> {
                let mut file = File::create_new(path)?;
                file.write_all(bytes)?;
                if is_many { Ok(()) } else { file.sync_all() }
            };
            write(&path).map_err(io_at(&path))?;
        }
        if is_many {
            let folder = File::open(&self.new).map_err(io_at(&self.new))?;
            syncfs(&folder).map_err(|errno| io_at(&self.new)(errno.into()))?;
        }
        sync_folder(&self.new)
    }

    fn exchange(&self) -> Result<(), FolderError> {
        if self.out.exists() {
            match renameat_with(CWD, &self.new, CWD, &self.out, RenameFlags::EXCHANGE) {
                Ok(()) => {}
                // A file system without an exchange needs two steps. mend() repairs an interruption between
                // them.
                Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                    fs::rename(&self.out, &self.old).map_err(io_at(&self.out))?;
                    fs::rename(&self.new, &self.out).map_err(io_at(&self.out))?;
                }
                Err(errno) => return Err(io_at(&self.out)(errno.into())),
            }
        } else {
            fs::rename(&self.new, &self.out).map_err(io_at(&self.out))?;
        }
        sync_folder(self.parent())
    }
}

/// Lock of a folder. It is released when the value is dropped, or when the process ends.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(beside: &Beside) -> Result<Self, FolderError> {
        let (path, at) = (&beside.lock, io_at(&beside.lock));
        loop {
            let file = File::create(path).map_err(&at)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => {
                    return Err(FolderError::Busy(beside.out.clone()));
                }
                Err(fs::TryLockError::Error(error)) => return Err(at(error)),
            }
            // The last holder may have removed the file between opening and locking it.
            let held = file.metadata().map_err(&at)?.ino();
            if fs::metadata(path).is_ok_and(|found| found.ino() == held) {
                return Ok(Self { path: path.clone(), _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while still locked. If that fails, an empty hidden file remains, which does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

fn refuse_foreign(out: &Path, known: &dyn Known, mark: &str) -> Result<(), FolderError> {
    if !out.exists() {
        return Ok(());
    }
    if !out.is_dir() {
        return Err(FolderError::NotAFolder(out.to_path_buf()));
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(out).map_err(io_at(out))? {
        names.push(entry.map_err(io_at(out))?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    let foreign = names.iter().find(|name| !known.knows(name));
    let unmarked = names.first().filter(|_| !names.iter().any(|name| name == mark));
    match foreign.or(unmarked) {
        Some(found) => Err(FolderError::Foreign { path: out.to_path_buf(), found: found.clone() }),
        None => Ok(()),
    }
}

/// Removes a folder that lightloom wrote. A folder with other files is kept and reported.
fn remove_known(path: &Path, known: &dyn Known) -> Result<(), FolderError> {
    if !path.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(io_at(path))? {
        let entry = entry.map_err(io_at(path))?;
        if entry.file_name().to_str().is_some_and(|name| known.knows(name)) {
            fs::remove_file(entry.path()).map_err(io_at(&entry.path()))?;
        }
    }
    fs::remove_dir(path).map_err(io_at(path))
}

fn sync_folder(path: &Path) -> Result<(), FolderError> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(io_at(path))
}

fn io_at(path: &Path) -> impl Fn(io::Error) -> FolderError + use<> {
    let path = path.to_path_buf();
    move |error| FolderError::Io { path: path.clone(), error }
}
