//! Inputs of a result.

use std::path::{Path, PathBuf};

use lightloom_units::text::shown_path;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use lightloom_scenario::scenario::{ParameterReport, Scenario};

/// Inputs of a result. Equal inputs give equal bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestReport {
    /// Version of lightloom.
    pub version: String,
    /// All files that were read, scenario first.
    pub files: Vec<FileReport>,
    /// Seed of the traffic. In a single run also the seed of losses, marking and path choice.
    pub seed: u64,
    /// All parameters in force.
    pub parameters: Vec<ParameterReport>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    /// Name of the file, without its folder.
    pub name: String,
    /// SHA-256 of what is in it; of a text without its byte order mark.
    pub sha256: String,
}

impl ManifestReport {
    /// The inputs of a scenario's results.
    pub fn new(scenario: &Scenario) -> Self {
        let file = |(path, bytes): &(PathBuf, Vec<u8>)| FileReport {
            name: name(path),
            sha256: hex(&Sha256::digest(bytes)),
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
    shown_path(Path::new(path.file_name().unwrap_or_default()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
