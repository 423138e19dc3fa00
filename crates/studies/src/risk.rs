//! Worst cases: parts that fail together, and pairs of relays whose loss isolates ToRs.

use lightloom_design::rates::Rates;
use lightloom_plan::impact::too_large;
use lightloom_plan::laid::Laid;
use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError};
use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::fault_signalling::{heard_at_transmit_ports, most_silenced, silenced};
use lightloom_routing::risk::{CuttingPairs, GroupLoss, GroupRisk, cutting_pairs};
use lightloom_routing::rows::LISTED_TORS;
use lightloom_topology::{Fabric, TorId};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::common::common_causes;
use crate::outages::{self, OutageReport};

/// Largest number of listed pairs.
const LISTED_PAIRS: usize = 100;

/// Groups of parts that fail together, worst first, and pairs of relays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RiskReport {
    /// Groups of parts that share a tray, a way, a row of racks or a housing.
    pub groups: Vec<GroupReport>,
    /// Pairs of failed relays.
    pub pairs: PairReport,
    /// Effect of link fault signalling, which groups and pairs count in. `None`: it is off.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault_signalling: Option<RiskCascade>,
    /// Outages by failure rates of parts, as far as these are known.
    pub outages: OutageReport,
}

/// Effect of link fault signalling on the risk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RiskCascade {
    /// Number of ToRs.
    pub transmitters: usize,
    /// Number of transmitters that silence other ToRs if they fail alone. Each is a group.
    pub silencing: usize,
    /// Largest number of other ToRs that one of them silences.
    pub most_silenced: usize,
    /// The pairs with link fault signalling off.
    pub pairs_without: PairReport,
}

/// A group of parts that fail together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupReport {
    /// `tray …`, `way …`, `racks of …`, `housing …`, `switch in …` if it is several logical ToRs, or with link fault
    /// signalling `transmitter of ToR …`.
    pub group: String,
    /// Number of fibres, ToRs or splitters in the group.
    pub parts: usize,
    /// Pairs of a source and another ToR, both with power, that no rules can connect any more.
    pub cut_off: usize,
    /// Sources that can still transmit but lose another ToR with power until they are repaired.
    pub sources_hit: usize,
    /// Sources that can no longer transmit. They do not count in `sources_hit`.
    pub failed_sources: usize,
    /// The group where link fault signalling silences further ToRs. `None`: it is off.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault_signalling: Option<GroupCascade>,
}

/// Effect of link fault signalling on a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupCascade {
    /// Number of ToRs that it silences.
    pub silenced: usize,
    /// `cut_off` with link fault signalling off.
    pub cut_off_without: usize,
    /// `sources_hit` with link fault signalling off.
    pub sources_hit_without: usize,
    /// `failed_sources` with link fault signalling off.
    pub failed_sources_without: usize,
}

/// Pairs of relays whose loss isolates ToRs permanently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairReport {
    /// Number of pairs tried.
    pub tried: usize,
    /// Whether all pairs were tried. Otherwise they were drawn with a fixed seed.
    pub exhaustive: bool,
    /// Number of pairs that isolate ToRs.
    pub cutting: usize,
    /// The first of these pairs.
    pub listed: Vec<(TorId, TorId)>,
}

/// As [`of_laid`], of a project that is laid for it.
///
/// # Errors
/// As [`of_laid`], and as [`Project::laid`].
pub fn risk(project: &Project, rates: &Rates, watch: Watch<'_>) -> Result<RiskReport, Error> {
    refuse_unlisted(project)?;
    of_laid(&project.laid()?, rates, watch)
}

/// Refuses a fabric whose tables of all sources are not listed, and a plan around failures.
fn refuse_unlisted(project: &Project) -> Result<(), Error> {
    project.refuse_repaired()?;
    if project.fabric().tors() > LISTED_TORS { Err(too_large().into()) } else { Ok(()) }
}

/// The ToRs that link fault signalling silences if these relays fail.
fn silenced_by(project: &Project, relays: &[TorId]) -> Vec<TorId> {
    let failures: Vec<Failure> = relays.iter().copied().map(Failure::Relay).collect();
    let damage = Damage::new(project.fabric(), &failures).expect("the relays are of this fabric");
    silenced(&damage).into_keys().collect()
}

/// The ToRs whose dead transmitter silences others.
fn silencing_transmitters(project: &Project) -> impl Iterator<Item = TorId> {
    let heard = heard_at_transmit_ports(project.fabric());
    heard.filter(|&tor| !silenced_by(project, &[tor]).is_empty())
}

fn group_report(
    project: &Project,
    risk: &GroupRisk,
    group: &str,
    failures: &[Failure],
) -> Result<GroupReport, Error> {
    let loss = |failures: &[Failure]| -> Result<GroupLoss, InputError> {
        let damage = Damage::new(project.fabric(), failures).map_err(InputError::new)?;
        Ok(risk.of(&damage))
    };
    let all = project.failures(failures).map_err(InputError::new)?;
    let GroupLoss { cut_off, sources_hit, failed_sources } = loss(&all)?;
    let fault_signalling = if project.platform().cascades() {
        let without = loss(failures)?;
        Some(GroupCascade {
            silenced: all.len() - failures.len(),
            cut_off_without: without.cut_off,
            sources_hit_without: without.sources_hit,
            failed_sources_without: without.failed_sources,
        })
    } else {
        None
    };
    Ok(GroupReport {
        group: group.to_owned(),
        parts: failures.len(),
        cut_off,
        sources_hit,
        failed_sources,
        fault_signalling,
    })
}

/// Ranks groups of parts and pairs of relays by their losses, and counts outages by the rates that are known.
///
/// # Errors
/// [`InputError`] if the tables are too large to list, or if the plan goes around failures.
pub fn of_laid(laid: &Laid, rates: &Rates, watch: Watch<'_>) -> Result<RiskReport, Error> {
    let project = laid.project();
    refuse_unlisted(project)?;
    let rows = project.relay_rows()?;
    let tables = rows.tables().ok_or_else(too_large)?;
    let risk = GroupRisk::new(project.fabric(), tables);
    let groups = groups(laid);
    let mut reports = Vec::with_capacity(groups.len());
    for (done, (group, failures)) in groups.iter().enumerate() {
        watch.progress(done as u64, groups.len() as u64)?;
        reports.push(group_report(project, &risk, group, failures)?);
    }
    reports.sort_by_key(|group| std::cmp::Reverse((group.cut_off, group.sources_hit, group.parts)));
    let outages = outages::of(laid, rates, watch)?;
    let alone = pairs(project.fabric(), |_, _| Vec::new());
    if !project.platform().cascades() {
        return Ok(RiskReport { groups: reports, pairs: alone, fault_signalling: None, outages });
    }
    let fault_signalling = RiskCascade {
        transmitters: project.fabric().tors(),
        silencing: silencing_transmitters(project).count(),
        most_silenced: most_silenced(project.fabric()),
        pairs_without: alone,
    };
    let pairs = pairs(project.fabric(), |a, b| silenced_by(project, &[a, b]));
    Ok(RiskReport { groups: reports, pairs, fault_signalling: Some(fault_signalling), outages })
}

/// Groups of parts that fail together. With link fault signalling, also each transmitter that silences other ToRs.
fn groups(laid: &Laid) -> Vec<(String, Vec<Failure>)> {
    let project = laid.project();
    let mut groups: Vec<(String, Vec<Failure>)> =
        common_causes(laid).into_iter().map(|(_, group, failures)| (group, failures)).collect();
    if project.platform().cascades() {
        groups.extend(
            silencing_transmitters(project)
                .map(|tor| (format!("transmitter of ToR {tor}"), vec![Failure::Transmitter(tor)])),
        );
    }
    groups
}

fn pairs(fabric: &Fabric, silenced: impl Fn(TorId, TorId) -> Vec<TorId>) -> PairReport {
    let CuttingPairs { tried, exhaustive, pairs } = cutting_pairs(fabric, silenced);
    let cutting = pairs.len();
    let mut listed = pairs;
    listed.truncate(LISTED_PAIRS);
    PairReport { tried, exhaustive, cutting, listed }
}
