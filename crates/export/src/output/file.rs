//! A single file that is replaced in one step, or a device, a pipe or a descriptor that is written.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use lightloom_request::InputError;
use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};

use super::beside::Beside;
use super::inputs::Inputs;
use super::place::{Place, parent_of, refuse};
use super::snapshot::Stamp;

/// What becomes of a file that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum There {
    /// It is replaced, and its rights stay.
    Replaced,
    /// It stays, and nothing is written.
    Stays,
}

/// A file that is being written. Until [`Self::commit`] what was at its path stays. If it is dropped before, nothing is
/// left of it.
#[derive(Debug)]
pub struct NewFile {
    out: Out,
}

#[derive(Debug)]
enum Out {
    Stream(File),
    StandardOutput,
    StandardError,
    Temporary(Temporary),
}

#[derive(Debug)]
struct Temporary {
    file: File,
    path: PathBuf,
    beside: Beside,
    place: PathBuf,
    there: There,
    before: Option<Stamp>,
    is_done: bool,
}

/// Where a path leads, if a file may be written there. A path to a file is free of links, so that equal paths are equal
/// files. `None`: it leads to a device, a pipe or a descriptor.
///
/// # Errors
/// [`io::Error`] if it leads nowhere, to a folder, to an input, into a folder of lightloom, or to a file that is
/// read-only, or has to stay.
pub fn check(path: &Path, there: There, inputs: &Inputs) -> io::Result<Option<PathBuf>> {
    match allowed(path, there, inputs)? {
        Place::File(place, _) => Ok(Some(place)),
        Place::StandardOutput | Place::StandardError | Place::Stream(_) => Ok(None),
    }
}

/// Where a path leads, if something may be written there.
fn allowed(path: &Path, there: There, inputs: &Inputs) -> io::Result<Place> {
    let place = Place::of(path)?;
    if let Place::File(place, metadata) = &place {
        refuse(place, metadata.as_ref(), inputs)?;
        if there == There::Stays && metadata.is_some() {
            let message = "it is there already; name another file, or remove it";
            return Err(io::Error::new(ErrorKind::AlreadyExists, message));
        }
    }
    Ok(place)
}

/// Writes a file as a whole.
///
/// # Errors
/// [`io::Error`] as [`check`], and those of the file system. What was there is then unchanged.
pub fn write(path: &Path, bytes: &[u8], there: There, inputs: &Inputs) -> io::Result<()> {
    let mut file = NewFile::create(path, there, inputs)?;
    file.fill(|out| out.write_all(bytes))?;
    file.commit()
}

impl NewFile {
    /// Makes the temporary, or opens the device, the pipe or the descriptor.
    ///
    /// # Errors
    /// As [`check`]; also if another run is writing the same file.
    pub fn create(path: &Path, there: There, inputs: &Inputs) -> io::Result<Self> {
        let out = match allowed(path, there, inputs)? {
            Place::StandardOutput => Out::StandardOutput,
            Place::StandardError => Out::StandardError,
            // What was written to a file behind a descriptor stays.
            Place::Stream(path) => Out::Stream(OpenOptions::new().append(true).open(path)?),
            Place::File(place, metadata) => {
                Out::Temporary(Temporary::create(place, metadata.as_ref(), there)?)
            }
        };
        Ok(Self { out })
    }

    /// Writes the content, once.
    ///
    /// # Errors
    /// Those of the content and of the file system.
    pub fn fill(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match &self.out {
            Out::Stream(file) => buffered(file, content),
            Out::StandardOutput => buffered(io::stdout().lock(), content),
            Out::StandardError => buffered(io::stderr().lock(), content),
            Out::Temporary(temporary) => {
                buffered(&temporary.file, content)?;
                temporary.file.sync_all()
            }
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// Those of the file system. Also if what is there has changed since the file was created, and would be lost.
    pub fn commit(self) -> io::Result<()> {
        match self.out {
            Out::Temporary(temporary) => temporary.commit(),
            Out::Stream(_) | Out::StandardOutput | Out::StandardError => Ok(()),
        }
    }
}

fn buffered(
    out: impl Write,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    content(&mut out)?;
    out.flush()
}

impl Temporary {
    fn create(place: PathBuf, old: Option<&Metadata>, there: There) -> io::Result<Self> {
        let beside = Beside::of(&place);
        let turn = beside.turn()?;
        for left in beside.leftovers(&turn)?.iter().filter(|left| !left.is_folder) {
            fs::remove_file(&left.path)?;
        }
        let (path, file) = beside.file(&turn)?;
        let before = old.map(Stamp::of);
        let new = Self { file, path, beside, place, there, before, is_done: false };
        if let Some(old) = old {
            new.file.set_permissions(old.permissions())?;
        }
        Ok(new)
    }

    fn commit(mut self) -> io::Result<()> {
        let _turn = self.beside.turn()?;
        if Stamp::at(&self.place)? != self.before {
            let message = "another program has written it meanwhile; what it wrote stays";
            return Err(io::Error::new(ErrorKind::ResourceBusy, message));
        }
        match self.there {
            There::Replaced => fs::rename(&self.path, &self.place)?,
            There::Stays => move_new(&self.path, &self.place)?,
        }
        self.is_done = true;
        File::open(parent_of(&self.place)).map_or(Ok(()), |parent| parent.sync_all())
    }
}

/// Opens a file that only serves as a lock, and makes it if it is not there. Its content stays, and it is no link, so
/// that a link that somebody planted harms nothing.
///
/// # Errors
/// Those of the file system; also if the path is a link or no file.
pub fn open_lock(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().write(true).create(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "it is no file"))
    }
}

/// The error of a file that was not written.
pub fn unwritten(path: &Path, error: &io::Error) -> InputError {
    InputError::new(format!("cannot be written: {error}")).in_file(path)
}

/// Moves a file to a place where nothing is.
pub(super) fn move_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        // File systems without this step still have links, which are made in one step too.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) if !from.is_dir() => {
            fs::hard_link(from, to)?;
            fs::remove_file(from)
        }
        // An empty folder is all that a folder can replace.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => fs::rename(from, to),
        Err(errno) => Err(errno.into()),
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_done {
            // Nothing else can be done about a file that cannot be removed. The next run for this place tries again.
            let _ = fs::remove_file(&self.path);
        }
    }
}
