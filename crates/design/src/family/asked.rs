//! What the settings ask of a fabric.

use std::path::Path;

use lightloom_request::{InputError, Key, Settings, setting};
use lightloom_topology::{CassetteId, TorId};

/// The edges of a fabric: (ToR, cassette that feeds it, cassette that it transmits into).
pub type Edges = Vec<(TorId, CassetteId, CassetteId)>;

/// Reads the edge list of a fabric with a fan-out.
pub type ReadEdges<'a> = &'a dyn Fn(&Path, u32) -> Result<Edges, InputError>;

/// What the settings ask of a fabric. A family reads its own from it.
pub(super) struct Asked<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// Fan-out of the splitters.
    pub p: Option<u32>,
    /// Number of columns.
    pub k: Option<u32>,
    /// The number of ToRs that the settings say, or else that of the racks of an inventory.
    pub tors: Option<u32>,
    /// The number of ToRs that the settings say.
    pub said_tors: Option<u32>,
    /// Reads an edge list.
    pub read_edges: ReadEdges<'a>,
}

impl Asked<'_> {
    /// The fan-out, which must be given.
    ///
    /// # Errors
    /// [`InputError`] if it is missing.
    pub(super) fn need_p(&self) -> Result<u32, InputError> {
        self.p.ok_or_else(|| {
            self.settings
                .refuse(&setting::fabric::P, "is missing; give the splitter's fan-out, such as 4")
        })
    }

    /// The number of ToRs, which must be given.
    ///
    /// # Errors
    /// [`InputError`] if it is missing.
    pub(super) fn need_tors(&self) -> Result<u32, InputError> {
        self.tors.ok_or_else(|| {
            self.settings.refuse(
                &setting::fabric::TORS,
                "is missing; give the number of ToRs, or an inventory",
            )
        })
    }

    pub(super) fn refuse_unused(&self, unused: &[&Key], family: &str) -> Result<(), InputError> {
        match unused.iter().find(|key| self.settings.has(key)) {
            Some(key) => {
                let message = format!("has no meaning when the family is {family}");
                Err(self.settings.refuse(key, message))
            }
            None => Ok(()),
        }
    }
}
