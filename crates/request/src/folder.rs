//! Folders of files that are written as one.

use std::path::PathBuf;

/// The files that make up a folder, by name.
pub type Files = Vec<(&'static str, Vec<u8>)>;

/// Why a folder was not written. What it held before is untouched.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path ends in nothing that could be a folder's name.
    #[error("{}: name a folder to write to, such as plan/", .0.display())]
    NoName(PathBuf),
    /// The path is a file, or a link that leads nowhere.
    #[error("{}: this is a file, or a link that leads nowhere; name a folder to write to", .0.display())]
    NotAFolder(PathBuf),
    /// The folder holds something that was not written by lightloom.
    #[error("{}: holds {found:?}, which is no file of a plan; choose an empty or new folder", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// The first foreign entry.
        found: String,
    },
    /// Another run is writing the same folder.
    #[error("{}: another run is writing to it; wait for that one to end", .0.display())]
    Busy(PathBuf),
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// What was being written or moved.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}
