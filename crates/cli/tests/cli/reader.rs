//! Reads the files of a plan as anyone could, knowing only the columns that are promised.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bench::Bench;

/// The files of a plan.
pub(crate) const FILES: [&str; 16] = [
    "acceptance.csv",
    "bom.csv",
    "cables.csv",
    "cords.csv",
    "elevations.svg",
    "floor-plan.svg",
    "labels.csv",
    "maps.csv",
    "modules.csv",
    "plan.json",
    "ports.csv",
    "pull-sheet.csv",
    "rules.json",
    "strands.csv",
    "trunks.csv",
    "work-packages.csv",
];

/// A row of a sheet, by column.
pub(crate) type Row = BTreeMap<String, String>;

/// The rows of a sheet.
pub(crate) fn sheet(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("a sheet");
    let rows: Result<Vec<Row>, csv::Error> = reader.deserialize().collect();
    rows.expect("a sheet of even rows")
}

/// A cell that must be a whole number.
pub(crate) fn number(row: &Row, column: &str) -> usize {
    row[column].parse().unwrap_or_else(|_| panic!("{column} in {row:?}"))
}

/// A cell in metres, as whole micrometres.
pub(crate) fn micrometres(row: &Row, column: &str) -> u64 {
    let cell = &row[column];
    let (whole, part) = cell.split_once('.').unwrap_or((cell, ""));
    format!("{whole}{part:0<6}").parse().unwrap_or_else(|_| panic!("{column} in {row:?}"))
}

/// A plan, read from its folder.
pub(crate) struct Plan {
    pub(crate) cables: Vec<Row>,
    pub(crate) ports: Vec<Row>,
    pub(crate) bom: Vec<Row>,
    pub(crate) pull: Vec<Row>,
    pub(crate) rules: BTreeMap<usize, BTreeSet<usize>>,
    pub(crate) accept: Value,
    pub(crate) via: Value,
    pub(crate) document: Value,
}

impl Plan {
    pub(crate) fn read(bench: &Bench, folder: &str) -> Self {
        let path = |name: &str| bench.path(folder).join(name);
        let json = |name: &str| -> Value {
            serde_json::from_slice(&fs::read(path(name)).expect("a file")).expect("JSON")
        };
        let rules = json("rules.json");
        let lists: BTreeMap<usize, Vec<usize>> =
            serde_json::from_value(rules["relays"].clone()).expect("relay lists");
        Self {
            cables: sheet(&path("cables.csv")),
            ports: sheet(&path("ports.csv")),
            bom: sheet(&path("bom.csv")),
            pull: sheet(&path("pull-sheet.csv")),
            rules: lists.into_iter().map(|(tor, list)| (tor, list.into_iter().collect())).collect(),
            accept: rules["accept"].clone(),
            via: rules["via"].clone(),
            document: json("plan.json"),
        }
    }

    pub(crate) fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Row> {
        self.cables.iter().filter(move |row| row["kind"] == kind)
    }

    /// (from, to) of every branch fibre.
    pub(crate) fn branches(&self) -> Vec<(usize, usize)> {
        self.of_kind("branch").map(|row| (number(row, "from_tor"), number(row, "to_tor"))).collect()
    }

    /// The rack of each ToR by its number, from ports.csv.
    pub(crate) fn names(&self) -> BTreeMap<usize, String> {
        self.ports.iter().map(|row| (number(row, "tor"), row["name"].clone())).collect()
    }
}
