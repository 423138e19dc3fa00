//! A plan: made, proved, written, opened and verified again; its cables, hall and bill.

#[cfg(feature = "system")]
pub use crate::folders::opening::open_written;
#[cfg(feature = "system")]
pub use crate::folders::plan::{check_out, plan};
pub use crate::in_memory::effort::SearchEffort;
pub use crate::in_memory::place::{
    PlaceGround, PlaceOptions, place, place_ground, placed, placement_csv,
};
pub use crate::in_memory::plan::{PlanFiles, Planned, plan_files};
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::{plan, verify_folder};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// plan(&open(&request)?, &folder, Watch::quiet())?;
/// assert!(verify_folder(&folder, Watch::quiet())?.good);
///
/// // A rule is deleted by hand.
/// let rules = folder.join("rules.json");
/// let text = std::fs::read_to_string(&rules).expect("it was written");
/// std::fs::write(&rules, text.replacen("[0,", "[", 1)).expect("it can be written");
/// let report = verify_folder(&folder, Watch::quiet())?;
/// assert!(!report.good && !report.first_faults.is_empty());
/// # Ok::<(), lightloom::Error>(())
/// ```
#[cfg(feature = "system")]
pub use lightloom_audit::verify_folder;
pub use lightloom_audit::{VerifyReport, verify_texts};
pub use lightloom_design::assumption::{Assumed, Assumption};
pub use lightloom_design::family::{Custom, FabricSpec, Kautz};
pub use lightloom_design::inventory::{InventoryNote, InventoryReport};
pub use lightloom_export::plan::{PLAN_FILES, declared_sheets};
/// # Examples
/// ```
/// # use lightloom::{Request, open, setting};
/// # use lightloom::plan::{document, restore};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let project = open(&request)?;
/// let text = document(&project)?;
/// // The same project, later or on another machine.
/// let again = restore(&text)?;
/// assert!(again.same_as(&project));
/// # Ok::<(), lightloom::InputError>(())
/// ```
pub use lightloom_input::again::{document, restore};
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::{open_plan, plan};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// let project = open(&request)?;
/// plan(&project, &folder, Watch::quiet())?;
/// let (again, plan_json) = open_plan(&folder)?;
/// assert!(again.same_as(&project) && plan_json.starts_with('{'));
/// # Ok::<(), lightloom::Error>(())
/// ```
pub use lightloom_input::placing::rack_groups as read_rack_groups;
pub use lightloom_input::plan_folder::{WrittenPlan, open as open_plan};
pub use lightloom_plan::bill::{CostRange, MissingReport, TotalReport, UnplacedReport};
pub use lightloom_plan::bom::BomItem;
pub use lightloom_plan::cabling::{CablingReport, OrderReport, PullReport, TrunkReport};
pub use lightloom_plan::document::PlanDocument;
pub use lightloom_plan::facts::{
    DoubledReport, FabricFacts, InfoReport, LoadReport, OneMoreHopReport,
};
pub use lightloom_plan::housings::{HousingReport, NoHousing};
pub use lightloom_plan::prove::{Optical, PlanReport};
pub use lightloom_plan::provenance::{CatalogueReport, PriceReport, RowKind, RowReport};
pub use lightloom_plan::totals::{OneTotal, PartGroup, PartSum, TotalName};
pub use lightloom_plan::trays::{TrayReport, Warning, WarningKind};
pub use lightloom_plan::trees::{FabricReport, RulesReport, TreeReport};
pub use lightloom_plan::verify::{Sample, Verification};
pub use lightloom_power_cost::parts::Provenance;
pub use lightloom_power_cost::price::{PriceBasis, PriceCase, PriceRank};
pub use lightloom_power_cost::{Accounting, MissingValue};
pub use lightloom_qap::Progress as PlaceProgress;
pub use lightloom_studies::arrays::{
    PlaceArrays, RelaySets, TreeArrays, edge_array, place_arrays, rack_lengths, relay_sets,
    tree_arrays,
};
pub use lightloom_studies::finding::{Found, find};
pub use lightloom_studies::floor::{
    Fibre, FloorRack, FloorReport, FloorRoom, FloorRow, FloorWay, StretchArrays, floor, stretches,
    tray_stretches,
};
pub use lightloom_studies::many::{ManyTrees, trees};
pub use lightloom_studies::parallel::{
    ForbiddenReport, LimitReport, ParallelReport, ParallelSoFar, most_parallel, parallel,
};
pub use lightloom_studies::place::{
    CordReport, PlaceFigures, PlaceObjective, PlaceReport, PlaceRow, RackCosts, cords,
};
pub use lightloom_tables::table::{Declared, DeclaredColumn, Kind};
pub use lightloom_topology::hall::{Cabling, Housing, PathwayKind};
