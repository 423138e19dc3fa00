//! The files of a plan folder.

use lightloom_plan::bill;
use lightloom_plan::document::PlanDocument;
use lightloom_plan::project::Project;
use lightloom_plan::prove::{Proved, Tables};
use lightloom_request::Files;
use lightloom_tables::table::Declared;

use crate::papers::{cords, labels, maps, modules, strands, trunks, work};
use crate::pictures::{elevations, floor_plan};
use crate::rules::Rules;
use crate::{acceptance, as_built, bom, cables, growth, ports, pull_sheet, rules};

/// Names of the files of a plan folder.
pub const PLAN_FILES: [&str; 16] = [
    cables::FILE,
    ports::FILE,
    bom::FILE,
    pull_sheet::FILE,
    rules::FILE,
    PlanDocument::FILE,
    acceptance::FILE,
    cords::FILE,
    trunks::FILE,
    modules::FILE,
    strands::FILE,
    maps::FILE,
    labels::FILE,
    work::FILE,
    floor_plan::FILE,
    elevations::FILE,
];

/// Names of the further files of a plan that grew or shrank.
pub const GROWTH_FILES: [&str; 2] = [growth::CORDS, growth::STAGES];

/// File of repairs of a plan, one per line.
pub const REPAIRS: &str = "repairs.jsonl";
/// File with the line of each failure in [`REPAIRS`].
pub const INDEX: &str = "index.json";

/// Names of all files that a plan folder may have.
pub fn known_files() -> Vec<&'static str> {
    PLAN_FILES.into_iter().chain(GROWTH_FILES).chain([as_built::FILE]).collect()
}

/// The sheets whose columns are declared, each as its file has them.
pub fn declared_sheets() -> Vec<Declared> {
    vec![
        cables::TABLE.declared(),
        ports::TABLE.declared(),
        bom::TABLE.declared(),
        pull_sheet::TABLE.declared(),
        acceptance::TABLE.declared(),
        cords::TABLE.declared(),
        trunks::TABLE.declared(),
        modules::TABLE.declared(),
        strands::TABLE.declared(),
        maps::TABLE.declared(),
        labels::TABLE.declared(),
        work::TABLE.declared(),
        growth::TABLE.declared(),
        as_built::TABLE.declared(),
    ]
}

/// Names of the files of this project's plan.
pub fn files_of(project: &Project) -> Vec<&'static str> {
    let growth = project.origin().is_some().then_some(GROWTH_FILES);
    let built = (!project.as_built().is_empty()).then_some(as_built::FILE);
    PLAN_FILES.into_iter().chain(growth.into_iter().flatten()).chain(built).collect()
}

/// The files of a proved plan.
pub fn files(proved: &Proved) -> Files {
    let (project, wires) = (proved.laid.project(), proved.laid.plant());
    let rules_file = match &proved.tables {
        Tables::Listed { relays, accept, via } => rules::json(Rules { relays, accept, via }),
        Tables::Router(name) => rules::router_json(*name),
    };
    let on_fibres = bill::on_fibres(project.optics());
    let document = PlanDocument::new(project, &proved.report);
    let mut files: Files = vec![
        (cables::FILE, cables::csv(wires, &on_fibres)),
        (ports::FILE, ports::csv(wires)),
        (bom::FILE, bom::csv(&proved.lines, project.design().spares_percent)),
        (pull_sheet::FILE, pull_sheet::csv(wires)),
        (rules::FILE, rules_file),
        (PlanDocument::FILE, document.to_bytes()),
        (acceptance::FILE, acceptance::csv(wires, project.optics())),
        (cords::FILE, cords::csv(wires)),
        (trunks::FILE, trunks::csv(wires)),
        (modules::FILE, modules::csv(wires)),
        (strands::FILE, strands::csv(wires)),
        (maps::FILE, maps::csv(wires)),
        (labels::FILE, labels::csv(wires)),
        (work::FILE, work::csv(wires, &project.design().work)),
        (floor_plan::FILE, floor_plan::file(&proved.laid)),
        (elevations::FILE, elevations::file(&proved.laid)),
    ];
    if let Some(change) = &proved.change {
        files.push((growth::CORDS, growth::csv(&change.cords)));
        files.push((growth::STAGES, growth::json(&change.staging)));
    }
    if let Some(built) = &proved.built {
        files.push((as_built::FILE, as_built::csv(built)));
    }
    files
}
