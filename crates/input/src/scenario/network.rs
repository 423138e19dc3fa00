//! Reads the network of a scenario, with the files that it is made from.

use std::path::{Path, PathBuf};

use lightloom_request::InputError;
use lightloom_scenario::build::{Nodes, Overrides, Supplied};
use lightloom_scenario::said::NetworkRow;
use lightloom_scenario::scenario::{NetworkKind, Parameters};

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::scenario::placed::placed;
use crate::scenario::{design, links, sections};

/// The network of a scenario.
pub(super) struct NetworkRead {
    pub(super) nodes: Nodes,
    pub(super) files: Files,
    /// The plan folder that it is made from. `None`: it is made from a design, from a `plan.json` alone, or from
    /// something else.
    pub(super) folder: Option<PathBuf>,
}

/// Reads `[network]`. Paths are relative to `base`. `splitters`: those of a design are laid too.
pub(super) fn read(
    (root, base): (&Row<'_>, &Path),
    parameters: &Parameters,
    overrides: Overrides,
    splitters: bool,
) -> Result<NetworkRead, InputError> {
    let row = root.table("network", "network")?.ok_or_else(|| {
        root.refuse("network", "the section is missing; describe the network in [network]")
    })?;
    let said: NetworkRow = sections::read(&row)?;
    let file = said.file.as_ref().map(|file| base.join(&file.0));
    let (mut supplied, mut files, mut folder) = (Supplied::Nothing, Vec::new(), None);
    match (said.kind, file) {
        (Some(NetworkKind::EdgeList), Some(file)) => {
            let nodes = said.nodes.as_ref().map(|file| base.join(&file.0));
            let network;
            (network, files) = links::read(&row, (nodes, file), parameters.delay_per_m)?;
            supplied = Supplied::Links(network);
        }
        (Some(NetworkKind::Design), Some(file)) => {
            let opened = design::open(&row, file, overrides.memory)?;
            (files, folder) = (opened.files, opened.folder);
            supplied = Supplied::Plan { project: Box::new(opened.project), splitters };
        }
        _ => {}
    }
    let nodes = Nodes::build(&said, supplied, parameters, overrides);
    let nodes = nodes.map_err(|error| placed(root, error))?;
    Ok(NetworkRead { nodes, files, folder })
}
