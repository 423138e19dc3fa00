//! `work-packages.csv`: who does what, when and where.

use std::collections::BTreeMap;

use lightloom_plant::{CableKind, Plant};
use lightloom_topology::RowId;
use lightloom_units::{Length, named_enum};

use crate::papers::place::is_switch;
use crate::sheet::Sheet;

/// The file's name in a plan folder.
pub const FILE: &str = "work-packages.csv";

/// Number of crews. Assumed.
const CREWS: usize = 2;
/// Parts of a shift that the schedule counts in.
const SHIFT: u64 = 1_000;

named_enum! {
    /// Kinds of work, in their order within a row.
    #[derive(PartialOrd, Ord)]
    pub enum Task {
        /// Shelves and modules are mounted.
        Mount = "mount shelves and modules",
        /// Trunks are pulled from this row.
        Trunks = "pull trunks",
        /// Cords are pulled to other rows.
        Beyond = "pull cords to other rows",
        /// Cords are laid within the row.
        Within = "lay cords within the row",
        /// Branches that end in this row are measured.
        Measure = "measure branches",
    }
}

impl Task {
    /// Things or cables that a crew does in a shift. Assumed: counts of experienced crews with pre-terminated parts.
    const fn per_shift(self) -> u64 {
        match self {
            Self::Mount => 80,
            Self::Trunks => 12,
            Self::Beyond => 60,
            Self::Within => 150,
            Self::Measure => 200,
        }
    }
}

/// One task in one row.
#[derive(Default)]
struct Package {
    count: u64,
    length: Length,
}

/// The content of the file: one row a package, in the order of the work. A package starts when its crew is free and
/// the packages before it in its row are done. Measuring starts when all cables are laid.
pub fn csv(plant: &Plant<'_>) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "package",
        "task",
        "row",
        "crew",
        "first_shift",
        "last_shift",
        "things",
        "length_m",
    ]);
    let hall = plant.site().hall;
    let mut free = [0; CREWS];
    let mut row_done: BTreeMap<RowId, u64> = BTreeMap::new();
    let mut all_laid = 0;
    for (number, (&(task, row), package)) in (1..).zip(&packages(plant)) {
        let earliest = match task {
            Task::Measure => all_laid,
            _ => row_done.get(&row).copied().unwrap_or(0),
        };
        // Of equal crews, the first.
        let crew = (0..CREWS).min_by_key(|&crew| free[crew].max(earliest)).unwrap_or(0);
        let start = free[crew].max(earliest);
        let end = start + (package.count * SHIFT).div_ceil(task.per_shift()).max(1);
        free[crew] = end;
        row_done.insert(row, end);
        if task != Task::Measure {
            all_laid = all_laid.max(end);
        }
        sheet.row([
            format!("W{number}").into(),
            task.name().into(),
            hall.row_name(row).into(),
            (crew + 1).to_string().into(),
            (start / SHIFT + 1).to_string().into(),
            ((end - 1) / SHIFT + 1).to_string().into(),
            package.count.to_string().into(),
            package.length.to_metres_string().into(),
        ]);
    }
    sheet.into_bytes()
}

/// All packages, task by task and row by row.
fn packages(plant: &Plant<'_>) -> BTreeMap<(Task, RowId), Package> {
    let mut packages: BTreeMap<(Task, RowId), Package> = BTreeMap::new();
    let mut add = |task, row, length: Length| {
        let package = packages.entry((task, row)).or_default();
        package.count += 1;
        package.length = package.length + length;
    };
    let hall = plant.site().hall;
    for thing in plant.things().iter().filter(|thing| !is_switch(thing.kind)) {
        add(Task::Mount, hall.rack(thing.rack).row, Length::ZERO);
    }
    for cable in plant.cables() {
        let [near, far] = cable.ends.map(|end| plant.row(end.thing));
        let task = match cable.kind {
            CableKind::Trunk(_) => Task::Trunks,
            CableKind::Cord(..) if near == far => Task::Within,
            CableKind::Cord(..) => Task::Beyond,
        };
        add(task, near, cable.length);
    }
    for fibre in plant.fibres().iter().filter(|fibre| !fibre.is_feed()) {
        let rack = plant.site().placement.rack(fibre.tor());
        add(Task::Measure, hall.rack(rack).row, Length::ZERO);
    }
    packages
}
