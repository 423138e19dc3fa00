//! Folders whose files are written together, all or none.

use std::path::PathBuf;

/// The files of a folder: name and content in bytes.
pub type Files = Vec<(&'static str, Vec<u8>)>;

/// Why a folder was not written. Its old content is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path does not end in a folder name.
    #[error("{}: name a folder to write to, such as plan/", .0.display())]
    NoName(PathBuf),
    /// The path is a file or a broken link.
    #[error("{}: this is a file, or a link that leads nowhere; name a folder to write to", .0.display())]
    NotAFolder(PathBuf),
    /// The folder holds an entry that lightloom did not write.
    #[error("{}: holds {found:?}, which is no file of a plan; choose an empty or new folder", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Name of the first foreign entry.
        found: String,
    },
    /// Another run is writing the same folder.
    #[error("{}: another run is writing to it; wait for that one to end", .0.display())]
    Busy(PathBuf),
    /// An operation of the file system failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path that was written or moved.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
}
