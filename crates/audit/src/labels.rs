//! Checks that the labels of `cables.csv` distinguish all ports.

use std::path::Path;

use lightloom_export::cables;
use lightloom_input::text::{Record, Table};
use lightloom_plan::labels::{End, Labels};

/// Separator between the two ends of a cable's label. No name in a label has it.
const BETWEEN: &str = " / ";

/// Checks the labels of `cables.csv` from its rows alone. `add` receives every error.
pub fn check(path: &Path, table: &Table, mut add: impl FnMut(String)) {
    let name = cables::FILE;
    let mut labels = Labels::default();
    for record in table.records(path) {
        let line = record.line();
        let near = record.raw("near_label");
        match (near.split_once(BETWEEN), listed_ends(&record)) {
            (Some((here, there)), Some((from, to))) if !there.contains(BETWEEN) => {
                if record.raw("far_label") != format!("{there}{BETWEEN}{here}") {
                    add(format!("{name}:{line}: far_label is not near_label turned round"));
                }
                labels.add(from, here, line);
                labels.add(to, there, line);
            }
            (_, None) => add(format!("{name}:{line}: an end is no port and no splitter")),
            _ => {
                add(format!("{name}:{line}: near_label is {near:?}; expected two ends, near / far"))
            }
        }
    }
    labels.judge(|line, fault| add(format!("{name}:{line}: {fault}")));
}

/// The ends in the columns of a row, in the direction of the light.
fn listed_ends(record: &Record<'_>) -> Option<(End, End)> {
    let number = |column: &str| record.cell(column).parse::<u32>().ok();
    let port = |tor: &str, port: &str| Some(End::Port { tor: number(tor)?, port: number(port)? });
    let splitter = number("splitter")?;
    match record.cell("kind") {
        "feed" => Some((port("from_tor", "from_port")?, End::Input { splitter })),
        "branch" => {
            Some((End::Output { splitter, output: number("branch")? }, port("to_tor", "to_port")?))
        }
        _ => None,
    }
}
