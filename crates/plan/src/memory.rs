//! How much memory the questions of a design take, from the counts of its fabric.
//!
//! Each coefficient is measured: the peak of the command's resident memory, without what it takes for a fabric of eight
//! ToRs, over the count. `scripts/memory-table` measures them again and compares; `docs/performance.md` has its table.

use lightloom_request::InputError;
use lightloom_topology::hall::Housing;
use lightloom_units::DataSize;

use crate::design::Design;
use crate::fabric_spec::FabricSpec;
use crate::project::Project;

/// What is done with a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Its fabric and hall are built, and its ToRs are placed.
    Opened,
    /// Its cables are laid.
    Laid,
    /// Its plan is made, proved and written.
    Planned,
    /// A written plan is read, and made again to compare.
    Verified,
    /// A repair of failures is found, with the tables of all sources.
    Recovered,
    /// The repairs of all single failures are found.
    Repaired,
    /// Fabrics of all fan-outs are laid for its ToRs.
    Explored,
}

/// What the program itself takes, with its tables of parts: 18 MB.
const PROGRAM: u64 = 18_000_000;
/// Bytes for each ToR with its rack and its rows of the router. `info --p 4 --k 8`: 214 B.
const TOR: u64 = 220;
/// Bytes for each fibre that is laid, with its cables. `budget` of a 16,4000-Kautz fabric: 470 B.
const LAID: u64 = 460;
/// Bytes for each fibre of a plan, with the lines of its files. `plan --p 4 --k 6`: 1.22 kB.
const PLANNED: u64 = 1_250;
/// Bytes more for each fibre of a plan whose light is assessed. `plan` of a 16,32-Kautz fabric: 310 B.
const LIT: u64 = 300;
/// Bytes more for each fibre of a plan with frames, which has sheets of modules. `bench/zone-16384.toml`: 250 B.
const FRAMED: u64 = 250;
/// Bytes for each fibre of a written plan: its files as they are, and as they are made again. `verify`: 2.6 kB.
const VERIFIED: u64 = 2_600;
/// Bytes for each pair of ToRs where tables of all sources are listed. `recover --p 32 --k 2`: 5 B.
const PAIR: u64 = 6;
/// Bytes for each pair of ToRs with the repairs of all failures. `repairs --p 4 --k 4`: 15 B.
const PAIR_REPAIRED: u64 = 15;
/// Bytes for each fibre of the widest fabric of a search, with the parts of all designs. `explore --tors 8192`: 970 B.
const EXPLORED: u64 = 1_050;
/// The widest splitters of a search.
const WIDEST: u64 = 32;

/// The counts of a design that its memory follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Number of ToRs.
    pub tors: u64,
    /// Number of fibres: branches and feeds.
    pub fibres: u64,
    /// Whether the splitters are in frames.
    pub is_framed: bool,
    /// Whether the light of its branches is assessed.
    pub is_lit: bool,
}

impl Counts {
    /// The counts of a design before its fabric is built. A ToR has at most as many branches as its splitter.
    pub fn of_design(design: &Design) -> Self {
        let tors = match &design.fabric {
            FabricSpec::Shufflecast(shape) => u64::from(shape.tors()),
            FabricSpec::Kautz { tors, .. } => u64::from(*tors),
            FabricSpec::Custom { edges, .. } => edges.len() as u64,
        };
        let fibres = tors.saturating_mul(u64::from(design.fabric.p()).saturating_add(1));
        let is_framed = design.scheme.housing == Housing::Zone;
        Self { tors, fibres, is_framed, is_lit: false }
    }

    /// The counts of a project.
    pub fn of(project: &Project) -> Self {
        Self {
            tors: project.fabric.tors() as u64,
            fibres: project.fabric.branch_fibres() + project.fabric.tors() as u64,
            is_framed: project.design.scheme.housing == Housing::Zone,
            is_lit: project.optics.is_some(),
        }
    }

    /// Estimate of the peak of the memory for a piece of work, with that of the program.
    pub fn memory(self, work: Work) -> DataSize {
        let Self { tors, fibres, is_framed, is_lit } = self;
        let more = u64::from(is_framed) * FRAMED + u64::from(is_lit) * LIT;
        let by_fibre = match work {
            Work::Opened | Work::Recovered | Work::Repaired => 0,
            Work::Laid => LAID,
            Work::Planned => PLANNED + more,
            Work::Verified => VERIFIED + more,
            Work::Explored => EXPLORED,
        };
        let fibres = match work {
            Work::Explored => tors.saturating_mul(WIDEST + 1),
            _ => fibres,
        };
        let by_pair = match work {
            Work::Recovered => PAIR,
            Work::Repaired => PAIR_REPAIRED,
            _ => 0,
        };
        let pairs = tors.saturating_mul(tors);
        let parts = [(fibres, by_fibre), (pairs, by_pair), (tors, TOR)];
        let sum = |sum: u64, (count, bytes): &(u64, u64)| {
            sum.saturating_add(count.saturating_mul(*bytes))
        };
        DataSize::from_bytes(parts.iter().fold(PROGRAM, sum))
    }
}

impl Work {
    /// The subject of a sentence about it.
    fn subject(self) -> &'static str {
        match self {
            Self::Opened => "the fabric with its hall",
            Self::Laid => "a list of all fibres",
            Self::Planned => "the plan",
            Self::Verified => "the written plan",
            Self::Recovered => "the recovery",
            Self::Repaired => "the list of all repairs",
            Self::Explored => "the search",
        }
    }
}

/// Refuses work on a design that needs more memory than it may take.
///
/// # Errors
/// [`InputError`] with the estimate and the setting to change.
pub fn check(design: &Design, counts: Counts, work: Work) -> Result<(), InputError> {
    design.memory.check(&design.settings, work.subject(), counts.memory(work))
}

impl Project {
    /// Refuses work that needs more memory than it may take.
    ///
    /// # Errors
    /// [`InputError`] with the estimate and the setting to change.
    pub fn check_memory(&self, work: Work) -> Result<(), InputError> {
        check(&self.design, Counts::of(self), work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Work; 7] = [
        Work::Opened,
        Work::Laid,
        Work::Planned,
        Work::Verified,
        Work::Recovered,
        Work::Repaired,
        Work::Explored,
    ];

    #[test]
    fn more_of_anything_needs_more() {
        for work in ALL {
            for tors in [1, 12, 4_096, 2_000_000] {
                for fibres in [1, 60, 1 << 24, 2_000_000_000] {
                    let counts = Counts { tors, fibres, is_framed: false, is_lit: false };
                    let needed = counts.memory(work);
                    assert!(
                        Counts { tors: 2 * tors, ..counts }.memory(work) > needed,
                        "{counts:?}"
                    );
                    let of_fibres = matches!(work, Work::Laid | Work::Planned | Work::Verified);
                    let twice = Counts { fibres: 2 * fibres, ..counts }.memory(work);
                    assert_eq!(twice > needed, of_fibres, "{counts:?}, {work:?}");
                    let of_sheets = matches!(work, Work::Planned | Work::Verified);
                    for more in
                        [Counts { is_framed: true, ..counts }, Counts { is_lit: true, ..counts }]
                    {
                        assert_eq!(more.memory(work) > needed, of_sheets, "{more:?}, {work:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn counts_beyond_all_numbers_need_the_most() {
        let counts = Counts { tors: u64::MAX, fibres: u64::MAX, is_framed: true, is_lit: true };
        for work in ALL {
            assert_eq!(counts.memory(work), DataSize::from_bytes(u64::MAX), "{work:?}");
        }
    }
}
