//! Limits for the exploration of designs.

use lightloom_power_cost::Case;
use lightloom_power_cost::parts::MOST_PORTS;
use lightloom_request::InputError;
use lightloom_request::choices::Criterion;
use lightloom_units::Money;

use crate::explore::report::DesignReport;

/// Largest number of ToRs. Every design is wired twice.
pub(super) const MOST_TORS: usize = 32_768;

/// Largest limit on cables. A plan lists at most this number of fibres.
const MOST_CABLES: usize = 1 << 24;

/// Limits of designs. `None`: no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExploreOptions {
    /// Largest number of hops to the farthest ToR.
    pub max_hops: Option<u32>,
    /// Smallest number of sources at line rate at the same time.
    pub parallel_sources: Option<usize>,
    /// Largest number of ports per ToR.
    pub ports_per_tor: Option<usize>,
    /// Largest number of cables between different rows. It may be 0.
    pub max_cables: Option<u64>,
    /// Highest fill of the fullest tray, in percent of its cross-section. A plan has at most 100.
    pub max_tray_percent: Option<u32>,
    /// Largest cost, such as `500000 USD`.
    pub max_cost: Option<Money>,
    /// The case in which the light must close (default: worst).
    pub case: Option<Case>,
    /// Quantity by which designs are ranked (default: cost).
    pub rank_by: Option<Criterion>,
}

impl ExploreOptions {
    /// The case in which the light must close.
    pub fn case(&self) -> Case {
        self.case.unwrap_or(Case::Worst)
    }

    /// Quantity by which designs are ranked.
    pub fn rank_by(&self) -> Criterion {
        self.rank_by.unwrap_or(Criterion::Cost)
    }
}

/// Checked limits.
#[derive(Debug, Clone)]
pub struct Limits {
    pub(super) max_hops: Option<u32>,
    pub(super) parallel_sources: Option<usize>,
    pub(super) ports_per_tor: Option<usize>,
    pub(super) max_cables: Option<u64>,
    pub(super) max_tray_percent: Option<u32>,
    pub(super) max_cost: Option<Money>,
    pub(super) case: Case,
    pub(super) rank_by: Criterion,
}

impl Limits {
    /// Checks options.
    ///
    /// # Errors
    /// [`InputError`] at the first wrong option.
    pub fn read(options: &ExploreOptions) -> Result<Self, InputError> {
        let max_cost = options.max_cost;
        if let Some(found) = max_cost.filter(|cost: &Money| cost.as_micros() <= 0) {
            let message = format!("found {found}; expected more than 0, such as \"500000 USD\"");
            return Err(InputError::new(message).in_option("max_cost"));
        }
        Ok(Self {
            max_hops: within("max_hops", options.max_hops, 1, MOST_TORS)?,
            parallel_sources: within("parallel_sources", options.parallel_sources, 1, MOST_TORS)?,
            ports_per_tor: within("ports_per_tor", options.ports_per_tor, 1, MOST_PORTS)?,
            max_cables: within("max_cables", options.max_cables, 0, MOST_CABLES)?,
            max_tray_percent: within("max_tray_percent", options.max_tray_percent, 1, 100)?,
            max_cost,
            case: options.case(),
            rank_by: options.rank_by(),
        })
    }
}

/// Checks a limit. The least is 1 where with 0 no design or every design would pass.
fn within<T>(
    option: &'static str,
    said: Option<T>,
    least: usize,
    most: usize,
) -> Result<Option<T>, InputError>
where
    T: Copy + std::fmt::Display + TryInto<usize>,
{
    match said {
        Some(found) if !found.try_into().is_ok_and(|found| (least..=most).contains(&found)) => {
            let message = format!("found {found}; expected {least} to {most}");
            Err(InputError::new(message).in_option(option))
        }
        _ => Ok(said),
    }
}

impl Limits {
    /// The limits that a design breaks, in sentences with the excess.
    pub(super) fn broken_by(&self, design: &DesignReport) -> Vec<String> {
        let mut broken = Vec::new();
        let mut check = |bad: bool, reason: &dyn Fn() -> String| {
            if bad {
                broken.push(reason());
            }
        };
        if let Some(most) = self.max_hops {
            check(design.max_hops > most, &|| {
                format!("{} hops, more than {most}", design.max_hops)
            });
        }
        if let Some(least) = self.parallel_sources {
            let found = design.parallel_sources;
            check(found.is_none_or(|found| found < least), &|| match found {
                Some(found) => format!("{found} parallel sources, fewer than {least}"),
                None => "the number of parallel sources is not computed at this size".into(),
            });
        }
        if let Some(most) = self.ports_per_tor {
            check(design.ports_per_tor > most, &|| {
                format!("{} ports a ToR, more than {most}", design.ports_per_tor)
            });
        }
        if let Some(most) = self.max_cables {
            check(design.cables_beyond_rows > most, &|| {
                format!("{} cables between rows, more than {most}", design.cables_beyond_rows)
            });
        }
        if let Some(most) = self.max_tray_percent {
            let found = design.fullest_tray_percent;
            check(found > f64::from(most), &|| {
                format!("the fullest tray is filled to {found:.2} %, more than {most} %")
            });
        }
        if let Some(most) = self.max_cost {
            match design.cost {
                // The sum that counts decides; that prices may exceed it is told.
                Some(cost) if cost > most => {
                    check(true, &|| format!("costs {cost}, more than {most}"))
                }
                _ => check(!design.cost_compares, &|| {
                    "its cost is not known: prices are missing".into()
                }),
            }
        }
        broken
    }
}
