//! What a result was made from.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::scenario::{ParameterReport, Scenario};

/// What a result was made from: with the same, anybody gets the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestReport {
    /// The version of lightloom.
    pub version: String,
    /// All files that were read, the scenario first.
    pub files: Vec<FileReport>,
    /// The seed of traffic; also that of losses, marking and path choice, where a run is one of one.
    pub seed: u64,
    /// All constants in force.
    pub parameters: Vec<ParameterReport>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    /// Its name, without its folder.
    pub name: String,
    /// SHA-256 of its text, without a byte order mark.
    pub sha256: String,
}

impl ManifestReport {
    pub fn new(scenario: &Scenario) -> Self {
        let file = |(path, text): &(PathBuf, String)| FileReport {
            name: name(path),
            sha256: hex(&Sha256::digest(text.as_bytes())),
        };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: scenario.files.iter().map(file).collect(),
            seed: scenario.seed,
            parameters: scenario.parameters.in_force.clone(),
        }
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().replace(char::is_control, "?")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
