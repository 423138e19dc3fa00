//! All fibres with their lengths and margins, and what lies over each stretch of a tray.

use std::collections::BTreeMap;

use lightloom_plan::budget::{BudgetOptions, db, lights};
use lightloom_plan::laid::check_size;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plant::end_labels::fibre_label;
use lightloom_plant::{Far, Plant};
use lightloom_power_cost::Case;
use lightloom_request::Error;
use lightloom_topology::TorId;
use lightloom_topology::hall::{Stretch, TrayId};
use lightloom_units::Length;
use lightloom_watch::Watch;

use crate::floor::Fibre;

/// Every fibre, as columns: by transmitting ToR, each feed before its branches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FibreArrays {
    /// The fibres by their ends.
    pub fibre: Vec<Fibre>,
    /// Their labels.
    pub label: Vec<String>,
    /// Their lengths, in metres.
    pub length_m: Vec<f64>,
    /// The margin of a branch, and the least margin of a feed's branches, in dB. `None`: it is unknown.
    pub margin_db: Vec<Option<f64>>,
}

impl FibreArrays {
    /// The position of a fibre.
    pub fn position(&self, (from, to): Fibre) -> Option<usize> {
        let first = self.fibre.partition_point(|(other, _)| *other < from);
        let of_sender = self.fibre[first..].iter().take_while(|(other, _)| *other == from);
        Some(first + of_sender.into_iter().position(|(_, receiver)| *receiver == to)?)
    }
}

/// All fibres, and what lies over each stretch of a tray, as columns. The stretches are those of
/// [`tray_stretches`](crate::floor::tray_stretches) for the whole design, in the same order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OverTrays {
    /// Every fibre.
    pub fibres: FibreArrays,
    /// Name of the tray or way of each stretch.
    pub tray: Vec<String>,
    /// Length of the longest fibre over each stretch, in metres. 0: only dark fibres of trunks lie there.
    pub longest_m: Vec<f64>,
    /// Least margin of the fibres over each stretch, in dB. `None`: no margin is known.
    pub least_margin_db: Vec<Option<f64>>,
}

/// All fibres with their lengths and margins, and what lies over each stretch of a tray.
///
/// # Errors
/// As [`Project::budget`].
pub fn over_trays(
    project: &Project,
    options: &BudgetOptions,
    watch: Watch<'_>,
) -> Result<OverTrays, Error> {
    check_size(project)?;
    project.check_memory(Work::Budgeted)?;
    let laid = project.laid()?;
    let (chosen, _) = laid.optics_or_assumed()?;
    let wires = laid.plant();
    let case = options.case.unwrap_or(Case::Worst);
    let lights = lights(wires, &chosen, case, options.threads()?, watch)?;
    let margins: BTreeMap<(TorId, TorId), Option<f64>> =
        lights.branches.iter().map(|lit| (lit.ends, lit.light.margin.map(db))).collect();
    let fibres = all_fibres(wires, &margins);
    let stretches = wires.tray_fill().stretches();
    let mut over = OverTrays {
        tray: stretches.iter().map(|stretch| wires.tray_name(stretch.run.tray)).collect(),
        longest_m: vec![0.0; stretches.len()],
        least_margin_db: vec![None; stretches.len()],
        fibres,
    };
    over.lay(wires, &stretches);
    Ok(over)
}

impl OverTrays {
    /// Lays every fibre over the stretches of its trays.
    fn lay(&mut self, wires: &Plant, stretches: &[Stretch]) {
        let starts: Vec<(TrayId, Length)> =
            stretches.iter().map(|stretch| (stretch.run.tray, stretch.run.from)).collect();
        for (id, _) in wires.numbered() {
            let (length, margin) =
                (self.fibres.length_m[id.index()], self.fibres.margin_db[id.index()]);
            for run in wires.runs(id) {
                let first = starts.partition_point(|start| *start < (run.tray, run.from));
                let last = starts.partition_point(|start| *start < (run.tray, run.to));
                for at in first..last {
                    self.longest_m[at] = self.longest_m[at].max(length);
                    self.least_margin_db[at] = least(self.least_margin_db[at], margin);
                }
            }
        }
    }
}

fn all_fibres(wires: &Plant, margins: &BTreeMap<(TorId, TorId), Option<f64>>) -> FibreArrays {
    let mut arrays = FibreArrays::default();
    for fibre in wires.fibres() {
        let (to, margin) = match fibre.far {
            Far::SplitterInput => {
                let sent = margins.range((fibre.from, TorId(0))..=(fibre.from, TorId(u32::MAX)));
                (None, sent.fold(None, |so_far, (_, &margin)| least(so_far, margin)))
            }
            Far::Receiver { tor, .. } => {
                (Some(tor), margins.get(&(fibre.from, tor)).copied().flatten())
            }
        };
        arrays.fibre.push((fibre.from, to));
        arrays.label.push(fibre_label(&wires.site().fabric, fibre));
        arrays.length_m.push(fibre.length.as_m());
        arrays.margin_db.push(margin);
    }
    arrays
}

/// The smaller one of two values, of those that are known.
fn least(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
