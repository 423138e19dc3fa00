//! Folders whose files are written together, all or none.

use std::path::PathBuf;

use lightloom_units::text::{shown, shown_path};

/// The files of a folder: name and content in bytes.
pub type Files = Vec<(&'static str, Vec<u8>)>;

/// Why a folder was not written. Its old content is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path does not end in a folder name.
    #[error("{}: name a folder to write to, such as plan/", shown_path(.0))]
    NoName(PathBuf),
    /// The path is a file or a broken link.
    #[error("{}: this is a file, or a link that leads nowhere; name a folder to write to", shown_path(.0))]
    NotAFolder(PathBuf),
    /// The folder holds an entry that lightloom did not write.
    #[error(
        "{}: holds {found:?}, which lightloom did not write there; choose an empty or new folder",
        shown_path(path)
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Name of the first foreign entry.
        found: String,
    },
    /// A file of the folder has been changed since lightloom wrote it.
    #[error(
        "{}: {found:?} was changed after lightloom wrote it, and would be lost; choose another folder, or remove this \
            one",
        shown_path(path)
    )]
    Edited {
        /// The folder.
        path: PathBuf,
        /// Name of the first file that was changed.
        found: String,
    },
    /// The folder holds something else of lightloom.
    #[error(
        "{}: is a folder of lightloom of another kind ({}, not {wanted}); choose another folder",
        shown_path(path),
        shown(found)
    )]
    OtherKind {
        /// The folder.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What was to be written.
        wanted: &'static str,
    },
    /// The folder would lie in another one of lightloom.
    #[error(
        "{}: would lie in the folder {}, which has the files of lightloom and no other; write it elsewhere",
        shown_path(path),
        shown_path(folder)
    )]
    Inside {
        /// The folder to write.
        path: PathBuf,
        /// The folder that it would lie in.
        folder: PathBuf,
    },
    /// The run reads a file of the folder.
    #[error(
        "{}: holds {}, which this run reads; choose another folder",
        shown_path(path),
        shown_path(input)
    )]
    Read {
        /// The folder.
        path: PathBuf,
        /// The file that is read.
        input: PathBuf,
    },
    /// The rights of the folder forbid every user to write into it.
    #[error("{}: is read-only; choose another folder, or allow to write into it", shown_path(.0))]
    ReadOnly(PathBuf),
    /// Somebody has changed the folder while the new files were made.
    #[error("{}: was changed meanwhile, and stays as it is; look at it, and run again", shown_path(.0))]
    Changed(PathBuf),
    /// Another run is writing the same folder.
    #[error("{}: another run is writing to it; wait for that one to end", shown_path(.0))]
    Busy(PathBuf),
    /// An operation of the file system failed.
    #[error("{}: {error}", shown_path(path))]
    Io {
        /// The path that was written or moved.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
}
