//! Whether the labels of a plan tell its ports apart: no two ends share a label, no end has two.

use std::fmt;
use std::path::Path;

use lightloom_export::{Cable, Far, WiringPlan, cables, end_labels};

use crate::Error;
use crate::text::{Record, Table};

/// What stands between the two ends of a cable's label.
const BETWEEN: &str = " / ";

/// Where a fibre ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Port { tor: u32, port: u32 },
    Input { splitter: u32 },
    Output { splitter: u32, output: u32 },
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port { tor, port } => write!(f, "port {port} of ToR {tor}"),
            Self::Input { splitter } => write!(f, "the input of splitter {splitter}"),
            Self::Output { splitter, output } => {
                write!(f, "output {output} of splitter {splitter}")
            }
        }
    }
}

/// Labels of ends. All texts are in one string: a plan may have millions of them.
#[derive(Default)]
struct Labels {
    text: String,
    seen: Vec<Seen>,
}

#[derive(Clone, Copy)]
struct Seen {
    start: usize,
    end_of_text: usize,
    of: End,
    /// Where it stands in the file, or 0.
    line: u64,
}

impl Labels {
    fn add(&mut self, of: End, label: &str, line: u64) {
        let start = self.text.len();
        self.text.push_str(label);
        self.seen.push(Seen { start, end_of_text: self.text.len(), of, line });
    }

    /// Tells every label of two ends, and every end of two labels.
    fn judge(self, mut add: impl FnMut(u64, String)) {
        let Self { text, mut seen } = self;
        let label = |seen: &Seen| &text[seen.start..seen.end_of_text];
        seen.sort_unstable_by(|a, b| {
            label(a).cmp(label(b)).then(a.of.cmp(&b.of)).then(a.line.cmp(&b.line))
        });
        seen.dedup_by(|a, b| a.of == b.of && label(a) == label(b));
        for pair in seen.windows(2).filter(|pair| label(&pair[0]) == label(&pair[1])) {
            let (first, second) = (&pair[0], &pair[1]);
            add(
                second.line,
                format!("{:?} is the label of {} and of {}", label(first), first.of, second.of),
            );
        }
        seen.sort_by_key(|seen| seen.of);
        for pair in seen.windows(2).filter(|pair| pair[0].of == pair[1].of) {
            let (first, second) = (&pair[0], &pair[1]);
            let labels = format!("{:?} and {:?}", label(first), label(second));
            add(second.line, format!("{} has two labels, {labels}", first.of));
        }
    }
}

/// Proves the labels of a wiring plan.
///
/// # Errors
/// [`Error::PlanRejected`] with the first label that is of two ends, or end that has two.
pub(crate) fn prove(wires: &WiringPlan<'_>) -> Result<(), Error> {
    let mut labels = Labels::default();
    for cable in wires.cables() {
        let ((near, far), (near_label, far_label)) = (ends_of(cable), end_labels(wires, cable));
        labels.add(near, &near_label, 0);
        labels.add(far, &far_label, 0);
    }
    let mut first = None;
    labels.judge(|_, fault| first = first.take().or(Some(fault)));
    first.map_or(Ok(()), |fault| Err(Error::PlanRejected(format!("{}: {fault}", cables::FILE))))
}

/// The ends of a fibre, in the direction of the light.
fn ends_of(cable: &Cable) -> (End, End) {
    let splitter = cable.from.0;
    match cable.far {
        Far::SplitterInput => (End::Port { tor: splitter, port: 0 }, End::Input { splitter }),
        Far::Receiver { branch, tor, port } => {
            (End::Output { splitter, output: branch }, End::Port { tor: tor.0, port })
        }
    }
}

/// Checks the labels of `cables.csv` from its rows alone, and tells every fault.
pub(crate) fn check(path: &Path, table: &Table, mut add: impl FnMut(String)) {
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

/// The ends that the columns of a row name, in the direction of the light.
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
