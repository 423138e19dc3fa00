//! How much memory the questions of a design take, from the counts of its fabric.
//!
//! Each coefficient is measured: the peak of the command's resident memory, without what it takes for a fabric of eight
//! ToRs, over the count. `scripts/memory-table` measures them again and compares; `docs/performance.md` has its table.

use lightloom_design::design::{Design, RouterChoice};
use lightloom_request::InputError;
use lightloom_routing::rows::LISTED_TORS;
use lightloom_topology::hall::Housing;
use lightloom_units::DataSize;

use crate::project::Project;

/// What is done with a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Its fabric and hall are built, and its ToRs are placed.
    Opened,
    /// Its router tells the relays of sources: the tables of all of them, where they are listed.
    Routed,
    /// Its cables are laid.
    Laid,
    /// The light of all its branches is followed.
    Budgeted,
    /// Its plan is made, proved and written.
    Planned,
    /// A written plan is read, and made again to compare.
    Verified,
    /// A repair of failures is found.
    Recovered,
    /// The repairs of all single failures are found.
    Repaired,
    /// What its switches need is counted.
    Counted,
    /// What its switches are told is written.
    Configured,
    /// Fabrics of all fan-outs are laid for its ToRs.
    Explored,
}

/// What the program itself takes, with its tables of parts: 14 MB, and 20 MB of a build for tests.
const PROGRAM: u64 = 16_000_000;
/// Bytes for each ToR with its rack and its rows of the router. `info --p 4 --k 8`: 214 B.
const TOR: u64 = 220;
/// Bytes more for each ToR whose splitter is in a frame. `info --p 4 --k 8 --housing zone`: 80 B.
const FRAMED_TOR: u64 = 80;
/// Bytes for each byte of the files of a written plan: they are read, made again and compared. 3.0 to 3.6 B.
const FILE_BYTE: u64 = 3;
/// Bytes for each rule that masks cover with few entries. `lint --p 4 --k 4`: 10 B.
const MASKED: u64 = 10;
/// Bytes for each relay of a source that a repair may change, over all repairs. `repairs`: 74 to 146 B.
const CHANGE: u64 = 90;
/// Bytes for each byte of an inventory's file, whose rows become racks. `info` of 100,000 and 300,000 racks: 19 to 24
/// B.
const TABLE_BYTE: u64 = 22;
/// The widest splitters of a search.
const WIDEST: u64 = 32;

/// Bytes that a piece of work takes for each part of a fabric, besides [`TOR`].
#[derive(Debug, Clone, Copy, Default)]
struct Each {
    /// For each fibre.
    fibre: u64,
    /// More for each fibre of a fabric with frames.
    framed: u64,
    /// More for each fibre of a fabric whose light is assessed.
    lit: u64,
    /// For each relay of each source in tables, in tenths of bytes.
    tenths_of_rule: u64,
    /// More for each ToR.
    tor: u64,
}

impl Work {
    /// What it takes for each part.
    fn each(self) -> Each {
        let none = Each::default();
        match self {
            Self::Opened => none,
            // `parallel --p 2 --tors 4000`: 4 B. `impact`, which has lists by relay too: 8 B.
            Self::Routed => Each { tenths_of_rule: 60, ..none },
            // `compare`: 170 to 197 B. `risk`: 235 B.
            Self::Laid => Each { fibre: 205, ..none },
            // `budget`: 465 to 490 B.
            Self::Budgeted => Each { fibre: 480, ..none },
            // `plan`: 1.16 to 1.25 kB, and 11 B a rule.
            Self::Planned => {
                Each { fibre: 1_200, framed: 100, lit: 50, tenths_of_rule: 110, ..none }
            }
            // `verify`, and all that opens a written plan: 2.54 to 2.62 kB, and 18 to 22 B a rule.
            Self::Verified => {
                Each { fibre: 2_580, framed: 100, lit: 50, tenths_of_rule: 200, ..none }
            }
            // `recover`: 195 to 268 B, and 16.5 B a rule.
            Self::Recovered => Each { fibre: 230, tenths_of_rule: 165, ..none },
            Self::Repaired => Each { fibre: 230, tenths_of_rule: 165, ..none },
            // `lint`: 26 to 27 B a rule.
            Self::Counted => Each { tor: 1_000, tenths_of_rule: 270, ..none },
            // `configs`: 8 to 12 kB a ToR, and 105 to 115 B a rule.
            Self::Configured => Each { tor: 8_000, tenths_of_rule: 1_050, ..none },
            // `explore`, for each fibre of the widest fabric: 1.02 to 1.17 kB.
            Self::Explored => Each { fibre: 1_100, ..none },
        }
    }

    /// The subject of a sentence about it.
    fn subject(self) -> &'static str {
        match self {
            Self::Opened => "the fabric with its hall",
            Self::Routed => "the tables of all sources",
            Self::Laid => "a list of all fibres",
            Self::Budgeted => "the budget of all branches",
            Self::Planned => "the plan",
            Self::Verified => "the written plan",
            Self::Recovered => "the recovery",
            Self::Repaired => "the list of all repairs",
            Self::Counted => "the list of what switches need",
            Self::Configured => "what switches are told",
            Self::Explored => "the search",
        }
    }
}

/// The counts of a design that its memory follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Number of ToRs.
    pub tors: u64,
    /// Number of fibres: branches and feeds.
    pub fibres: u64,
    /// Number of relays of all sources in tables. 0: they are not listed.
    pub rules: u64,
    /// Number of relays of all sources that masks cover.
    pub masked: u64,
    /// Whether the splitters are in frames.
    pub is_framed: bool,
    /// Whether the light of its branches is assessed.
    pub is_lit: bool,
}

impl Counts {
    /// The counts of a design before its fabric is built. A ToR has at most as many branches as its splitter.
    pub fn of_design(design: &Design) -> Self {
        let tors = design.fabric.described_tors();
        let fibres = tors.saturating_mul(u64::from(design.fabric.p()).saturating_add(1));
        let is_framed = design.scheme.housing == Housing::Zone;
        Self { tors, fibres, rules: 0, masked: 0, is_framed, is_lit: false }
    }

    /// The counts of a project.
    pub fn of(project: &Project) -> Self {
        let (tors, cassettes) = (project.fabric.tors(), project.fabric.cassettes());
        let is_listed = tors <= LISTED_TORS;
        Self {
            tors: tors as u64,
            fibres: project.fabric.branch_fibres() + tors as u64,
            rules: if is_listed { tors as u64 * cassettes as u64 } else { 0 },
            masked: 0,
            is_framed: project.design.scheme.housing == Housing::Zone,
            is_lit: project.optics.is_some(),
        }
    }

    /// The counts of a project whose switches are told the relays of all sources. In a Shufflecast masks cover them
    /// with few entries.
    pub fn of_tables(project: &Project, is_masked: bool) -> Self {
        let all = project.fabric.tors() as u64 * project.fabric.cassettes() as u64;
        let is_masked = is_masked && matches!(project.design.router, RouterChoice::Algorithm1);
        let (rules, masked) = if is_masked { (0, all) } else { (all, 0) };
        Self { rules, masked, ..Self::of(project) }
    }

    /// The counts of a project that grows to a number of ToRs.
    pub fn of_grown(project: &Project, tors: usize) -> Self {
        let now = Self::of(project);
        let grown = |count: u64| count.saturating_mul(tors as u64).div_ceil(now.tors.max(1));
        Self { tors: tors as u64, fibres: grown(now.fibres), rules: grown(grown(now.rules)), ..now }
    }

    /// Estimate of the peak of the memory for a piece of work, with that of the program.
    pub fn memory(self, work: Work) -> DataSize {
        let Self { tors, rules, masked, is_framed, is_lit, .. } = self;
        let Each { fibre, framed, lit, tenths_of_rule, tor } = work.each();
        let fibres = match work {
            Work::Explored => tors.saturating_mul(WIDEST + 1),
            _ => self.fibres,
        };
        // A failed relay, branch or ToR changes as many relays as a ToR has in tables.
        let changes = match work {
            Work::Repaired => fibres.saturating_add(tors).saturating_mul(rules / tors.max(1)),
            _ => 0,
        };
        let of_fibre = fibre + u64::from(is_framed) * framed + u64::from(is_lit) * lit;
        let of_tor = TOR + tor + u64::from(is_framed) * FRAMED_TOR;
        let parts = [
            fibres.saturating_mul(of_fibre),
            rules.saturating_mul(tenths_of_rule) / 10,
            masked.saturating_mul(MASKED),
            changes.saturating_mul(CHANGE),
            tors.saturating_mul(of_tor),
        ];
        DataSize::from_bytes(parts.into_iter().fold(PROGRAM, u64::saturating_add))
    }
}

/// Memory that the rows of an inventory with this many bytes need.
pub fn of_table(bytes: u64) -> DataSize {
    DataSize::from_bytes(PROGRAM.saturating_add(bytes.saturating_mul(TABLE_BYTE)))
}

/// Memory that is needed to check a written plan whose files have this many bytes in all.
pub fn of_files(bytes: u64) -> DataSize {
    DataSize::from_bytes(PROGRAM.saturating_add(bytes.saturating_mul(FILE_BYTE)))
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

    const ALL: [Work; 11] = [
        Work::Opened,
        Work::Routed,
        Work::Laid,
        Work::Budgeted,
        Work::Planned,
        Work::Verified,
        Work::Recovered,
        Work::Repaired,
        Work::Counted,
        Work::Configured,
        Work::Explored,
    ];

    const NONE: Counts =
        Counts { tors: 0, fibres: 0, rules: 0, masked: 0, is_framed: false, is_lit: false };

    #[test]
    fn more_of_anything_needs_more() {
        for work in ALL {
            let each = work.each();
            for tors in [1, 12, 4_096, 2_000_000] {
                for fibres in [1, 60, 1 << 24, 2_000_000_000] {
                    let rules = 3 * tors;
                    let counts = Counts { tors, fibres, rules, ..NONE };
                    let needed = counts.memory(work);
                    let more = |counts: Counts| counts.memory(work) > needed;
                    let larger = Counts { tors: 2 * tors, rules: 4 * rules, ..counts };
                    assert!(more(larger), "{work:?}, {counts:?}");
                    assert!(more(Counts { masked: 1, ..counts }), "{work:?}, {counts:?}");
                    assert!(more(Counts { is_framed: true, ..counts }), "{work:?}, {counts:?}");
                    let of_fibres = each.fibre > 0 && work != Work::Explored;
                    assert_eq!(
                        more(Counts { fibres: 2 * fibres, ..counts }),
                        of_fibres,
                        "{work:?}"
                    );
                    assert_eq!(more(Counts { is_lit: true, ..counts }), each.lit > 0, "{work:?}");
                    let of_rules = each.tenths_of_rule > 0;
                    assert_eq!(more(Counts { rules: 9 * tors, ..counts }), of_rules, "{work:?}");
                }
            }
        }
    }

    #[test]
    fn counts_beyond_all_numbers_need_the_most() {
        let most = u64::MAX;
        let counts = Counts { tors: most, fibres: most, rules: most, ..NONE };
        for work in ALL {
            assert_eq!(counts.memory(work), DataSize::from_bytes(most), "{work:?}");
        }
        assert_eq!(of_files(most), DataSize::from_bytes(most));
    }
}
