//! The files that a scenario is read from.

use std::path::PathBuf;

/// Paths of files, with their texts.
pub(super) type Files = Vec<(PathBuf, String)>;
