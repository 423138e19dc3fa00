//! `work-packages.csv`: who does what, when and where.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_design::work::Work;
use lightloom_plant::{CableKind, Plant, ThingId};
use lightloom_tables::table::Kind::{Real, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_topology::hall::Hall;
use lightloom_topology::{RackId, RowId};
use lightloom_units::{Length, named_enum};

use crate::papers::place::is_switch;

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

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
    /// Things or cables that a crew does in a shift.
    const fn per_shift(self, work: &Work) -> u32 {
        match self {
            Self::Mount => work.modules_per_shift,
            Self::Trunks => work.trunks_per_shift,
            Self::Beyond => work.cords_between_rows_per_shift,
            Self::Within => work.cords_within_row_per_shift,
            Self::Measure => work.measurements_per_shift,
        }
    }
}

/// Where a crew works: in a row, or at one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Row(RowId),
    Frame(RackId),
}

impl Place {
    fn of(plant: &Plant, thing: ThingId) -> Self {
        let rack = plant.thing(thing).rack;
        if plant.site().hall.rack(rack).role.is_frame() {
            Self::Frame(rack)
        } else {
            Self::Row(plant.row(thing))
        }
    }

    fn name(self, hall: &Hall) -> String {
        match self {
            Self::Row(row) => hall.row_name(row),
            Self::Frame(rack) => format!("frame {}", hall.rack(rack).name),
        }
    }
}

/// One task in one place.
#[derive(Default)]
struct Package {
    count: u64,
    length: Length,
    /// Places at the other ends of its cables.
    others: BTreeSet<Place>,
}

/// The rows of the file.
pub struct Packages;

impl Rows for Packages {
    type Row<'a> = Row;
    type Given<'a> = &'a Hall;
}

/// A package, and when it is done.
pub struct Row {
    number: usize,
    task: Task,
    place: Place,
    /// From 0.
    crew: usize,
    /// In parts of a shift.
    start: u64,
    end: u64,
    things: u64,
    length: Length,
}

type Col = Column<Packages>;

/// The columns.
pub const TABLE: Table<Packages> = Table {
    file: "work-packages.csv",
    about: "each package of work, in the order of the work. A package starts when its crew is free, the packages \
            before it in its place are done, and the modules at the other ends of its cables are mounted. Measuring \
            starts when all cables are laid",
    columns: &[
        Col::new("package", Text, "its name", |_, row, cell| {
            cell.show(format_args!("W{}", row.number))
        }),
        Col::new("task", Text, "what is done", |_, row, cell| cell.text(row.task.name())),
        Col::new("place", Text, "a row, or a frame", |hall, row, cell| {
            cell.text(&row.place.name(hall))
        }),
        Col::new("crew", Whole, "who does it, from 1", |_, row, cell| cell.show(row.crew + 1)),
        Col::new("first_shift", Whole, "the shift in which it begins, from 1", |_, row, cell| {
            cell.show(row.start / SHIFT + 1);
        }),
        Col::new("last_shift", Whole, "the shift in which it ends", |_, row, cell| {
            cell.show((row.end - 1) / SHIFT + 1);
        }),
        Col::new("things", Whole, "things or cables of it", |_, row, cell| cell.show(row.things)),
        Col::new("length_m", Real, "length of its cables together, in metres", |_, row, cell| {
            cell.text(&row.length.to_metres_string());
        }),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant, work: &Work) -> Vec<u8> {
    TABLE.csv(&plant.site().hall, scheduled(plant, work))
}

/// All packages in their order, with the crew and the time of each.
fn scheduled(plant: &Plant, work: &Work) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut free = vec![0; work.crews as usize];
    let (mut done, mut mounted): (BTreeMap<Place, u64>, BTreeMap<Place, u64>) = Default::default();
    let mut all_laid = 0;
    for (number, ((task, place), package)) in (1..).zip(packages(plant)) {
        let after = |times: &BTreeMap<Place, u64>, place| times.get(place).copied().unwrap_or(0);
        let earliest = match task {
            Task::Measure => all_laid,
            _ => {
                let others = package.others.iter().map(|other| after(&mounted, other));
                others.max().unwrap_or(0).max(after(&done, &place))
            }
        };
        // Of equal crews, the first.
        let crew = (0..free.len()).min_by_key(|&crew| free[crew].max(earliest)).unwrap_or(0);
        let start = free[crew].max(earliest);
        let end = start + (package.count * SHIFT).div_ceil(task.per_shift(work).into()).max(1);
        free[crew] = end;
        done.insert(place, end);
        if task == Task::Mount {
            mounted.insert(place, end);
        }
        if task != Task::Measure {
            all_laid = all_laid.max(end);
        }
        let (things, length) = (package.count, package.length);
        rows.push(Row { number, task, place, crew, start, end, things, length });
    }
    rows
}

/// All packages, task by task and place by place.
fn packages(plant: &Plant) -> BTreeMap<(Task, Place), Package> {
    let mut packages: BTreeMap<(Task, Place), Package> = BTreeMap::new();
    let mut add = |task, place, other: Option<Place>, length: Length| {
        let package = packages.entry((task, place)).or_default();
        package.count += 1;
        package.length = package.length + length;
        package.others.extend(other);
    };
    let hall = &plant.site().hall;
    for (id, _) in
        (0..).map(ThingId).zip(plant.things()).filter(|(_, thing)| !is_switch(thing.kind))
    {
        add(Task::Mount, Place::of(plant, id), None, Length::ZERO);
    }
    for cable in plant.cables() {
        let [near, far] = cable.ends.map(|end| Place::of(plant, end.thing));
        let rows = cable.ends.map(|end| plant.row(end.thing));
        let task = match cable.kind {
            CableKind::Trunk(_) => Task::Trunks,
            CableKind::Cord(..) if rows[0] == rows[1] => Task::Within,
            CableKind::Cord(..) => Task::Beyond,
        };
        add(task, near, Some(far), cable.length);
    }
    for fibre in plant.fibres().iter().filter(|fibre| !fibre.is_feed()) {
        let rack = plant.site().placement.rack(fibre.tor());
        add(Task::Measure, Place::Row(hall.rack(rack).row), None, Length::ZERO);
    }
    packages
}
