//! Checks that the labels of a plan distinguish its ports: no two ends share a label, and no end has two
//! labels.

use std::fmt;

use lightloom_request::Error;

use lightloom_plant::end_labels::end_labels;
use lightloom_plant::{Far, Fibre, Plant};

/// End of a fibre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// A port of a ToR.
    Port {
        /// The ToR.
        tor: u32,
        /// Number of the port.
        port: u32,
    },
    /// The input of a splitter.
    Input {
        /// The ToR whose splitter it is.
        splitter: u32,
    },
    /// An output of a splitter.
    Output {
        /// The ToR whose splitter it is.
        splitter: u32,
        /// Number of the output.
        output: u32,
    },
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

/// Labels of ends. All texts are in one string, because a plan may have millions of labels.
#[derive(Default)]
pub struct Labels {
    text: String,
    seen: Vec<Seen>,
}

#[derive(Clone, Copy)]
struct Seen {
    start: usize,
    end_of_text: usize,
    of: End,
    /// Line in the file. 0: no file.
    line: u64,
}

impl Labels {
    /// Adds a label of an end. `line` is its line in the file, or 0.
    pub fn add(&mut self, of: End, label: &str, line: u64) {
        let start = self.text.len();
        self.text.push_str(label);
        self.seen.push(Seen { start, end_of_text: self.text.len(), of, line });
    }

    /// Reports every label of two ends, and every end with two labels. `add` receives the line and the
    /// message.
    pub fn judge(self, mut add: impl FnMut(u64, String)) {
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
/// [`Error::PlanRejected`] with the first label of two ends, or the first end with two labels.
pub fn prove(wires: &Plant) -> Result<(), Error> {
    let mut labels = Labels::default();
    for (id, fibre) in wires.numbered() {
        let ((near, far), (near_label, far_label)) = (ends_of(wires, fibre), end_labels(wires, id));
        labels.add(near, &near_label, 0);
        labels.add(far, &far_label, 0);
    }
    let mut first = None;
    labels.judge(|_, fault| first = first.take().or(Some(fault)));
    first.map_or(Ok(()), |fault| Err(Error::PlanRejected(format!("cables.csv: {fault}"))))
}

/// The ends of a fibre, in the direction of the light.
fn ends_of(wires: &Plant, cable: &Fibre) -> (End, End) {
    let splitter = cable.from.0;
    match cable.far {
        Far::SplitterInput => {
            let port = wires.site().fabric.transmit_port(cable.from);
            (End::Port { tor: splitter, port }, End::Input { splitter })
        }
        Far::Receiver { branch, tor, port } => {
            (End::Output { splitter, output: branch }, End::Port { tor: tor.0, port })
        }
    }
}
