//! Where a path leads, and why nothing may be written there.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use lightloom_units::text::shown_path;

use super::inputs::Inputs;
use super::kinds;
use super::mark::Listing;

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

/// Where a path leads.
#[derive(Debug)]
pub(super) enum Place {
    /// Standard output of this process.
    StandardOutput,
    /// Standard error of this process.
    StandardError,
    /// Something that is written and never replaced: a device, a pipe, an open descriptor.
    Stream(PathBuf),
    /// A regular file, or none yet. No part of this path is a link.
    File(PathBuf, Option<Metadata>),
}

impl Place {
    /// Follows a path. Links to files are followed; links to descriptors lead to what is open there.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut at = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            let no_name = || io::Error::new(ErrorKind::InvalidInput, "the path names no file");
            let name = at.file_name().ok_or_else(no_name)?.to_os_string();
            let parent = fs::canonicalize(parent_of(&at))?;
            at = parent.join(&name);
            if let Some(number) = descriptor(&at) {
                return Ok(match number {
                    1 => Self::StandardOutput,
                    2 => Self::StandardError,
                    _ => Self::Stream(at),
                });
            }
            let metadata = match fs::symlink_metadata(&at) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Self::File(at, None));
                }
                Err(error) => return Err(error),
            };
            let kind = metadata.file_type();
            if kind.is_symlink() && is_descriptor(&at) {
                return Ok(Self::Stream(at));
            } else if kind.is_symlink() {
                at = parent.join(fs::read_link(&at)?);
            } else if kind.is_file() {
                return Ok(Self::File(at, Some(metadata)));
            } else if kind.is_dir() {
                return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder; name a file"));
            } else if kind.is_block_device() {
                let message = "it is a disk, and what it holds would be lost; name a file";
                return Err(io::Error::new(ErrorKind::InvalidInput, message));
            } else {
                return Ok(Self::Stream(at));
            }
        }
        Err(io::Error::new(ErrorKind::InvalidInput, "its links lead in a circle"))
    }
}

/// The folder of a path.
pub(super) fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path is an entry of `/proc/*/fd`. The kernel answers links there itself: their texts need not be paths.
fn is_descriptor(at: &Path) -> bool {
    at.starts_with("/proc") && parent_of(at).ends_with("fd")
}

/// The number of a descriptor of this process. `None`: the path is none.
fn descriptor(at: &Path) -> Option<u32> {
    let own = PathBuf::from(format!("/proc/{}/fd", std::process::id()));
    let number = at.strip_prefix(own).ok()?;
    number.to_str()?.parse().ok()
}

/// Why a file at a place must not be written.
///
/// # Errors
/// What is wrong, and what to do.
pub(super) fn refuse(place: &Path, there: Option<&Metadata>, inputs: &Inputs) -> io::Result<()> {
    let refuse = |message: String| Err(io::Error::new(ErrorKind::PermissionDenied, message));
    if let Some(metadata) = there {
        if inputs.named(metadata).is_some() {
            return refuse("it is a file that this run reads; name another".into());
        }
        // A file that must not be written is not replaced either, which the folder's rights would allow.
        if metadata.permissions().readonly() {
            return refuse("it is read-only".into());
        }
    }
    match inside(parent_of(place)) {
        Some(folder) => {
            let folder = shown_path(folder);
            refuse(format!(
                "it would lie in the folder {folder}, which has the files of lightloom and no other; write it elsewhere"
            ))
        }
        None => Ok(()),
    }
}

/// The folder of lightloom that a folder is or lies in, with a list of its files or from before there were lists.
pub(super) fn inside(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| {
        Listing::is_in(folder)
            || kinds::ALL.iter().any(|kind| kind.is_older(|name| folder.join(name).is_file()))
    })
}
