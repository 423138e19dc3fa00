//! Traces: the way of light of single branches, hop by hop, with places, cables, labels, lengths and losses.

mod hops;
mod named;
mod over_trays;
mod report;

use lightloom_plan::budget::{Asked, BudgetOptions, pad_text, traced};
use lightloom_plan::laid::check_size;
use lightloom_plan::project::Project;
use lightloom_power_cost::Case;
use lightloom_request::Error;
use lightloom_watch::Watch;

use crate::branches::{Ends, branch};
use crate::trace::hops::Light;

pub use named::branches_named;
pub use over_trays::{FibreArrays, OverTrays, over_trays};
pub use report::{
    CableHop, CableName, Hop, HopReport, ThingHop, ThingName, TraceReport, TracedBranch,
    TracedFibre, TrayPart,
};

/// Follows the light of branches from their transmitters to their receivers.
///
/// # Errors
/// [`lightloom_request::InputError`] if a branch is not there, if there are too many fibres to list, or if the
/// catalogue lacks the optics.
pub fn trace(
    project: &Project,
    wanted: &[Ends],
    options: &BudgetOptions,
    watch: Watch<'_>,
) -> Result<TraceReport, Error> {
    check_size(project)?;
    let wanted: Vec<Ends> =
        wanted.iter().map(|&ends| branch(project, ends)).collect::<Result<_, _>>()?;
    let laid = project.laid()?;
    let (chosen, assumed) = laid.optics_or_assumed()?;
    let case = options.case.unwrap_or(Case::Worst);
    let wires = laid.plant();
    let alternatives = project.alternatives(&chosen)?;
    let asked =
        Asked { chosen: &chosen, alternatives: &alternatives, case, threads: options.threads()? };
    let light = Light { optics: &chosen.optics, case };
    let lights = traced(wires, &wanted, &asked, watch)?;
    let branches = lights.into_iter().filter_map(|lit| light.follow(wires, lit)).collect();
    Ok(TraceReport {
        case,
        transceiver: chosen.optics.transceiver.name.clone(),
        splitter: chosen.optics.splitter.name.clone(),
        pad: pad_text(&chosen.optics),
        assumed,
        branches,
    })
}
