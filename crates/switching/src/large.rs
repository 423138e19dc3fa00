//! The relay rules of fabrics that are too large for tables of all sources: they are made one row at a time.
//!
//! What a switch holds then decides what can be told. In a Shufflecast, masks on the codes of ToRs cover all sources of
//! a relay with a few entries. One entry for each source would be a quarter of all sources at each ToR and more.

use std::collections::BTreeSet;

use lightloom_plan::project::Project;
use lightloom_plan::routes::router_kind;
use lightloom_request::{Error, InputError};
use lightloom_routing::rows::{LISTED_TORS, RouterKind};
use lightloom_routing::switch::{Purpose, SwitchTable, Told};
use lightloom_routing::{RelayRows, Tree};
use lightloom_topology::TorId;

use crate::encoding::Encoding;

/// The most rules of all sources that are held in memory, to be covered by masks.
const MOST_RULES: u64 = 1 << 26;

/// For each ToR of a fabric with more than [`LISTED_TORS`] ToRs, the sources that it relays, and the most hops.
///
/// # Errors
/// [`Error`] if the encoding does not serve a fabric of this size. It names the one that does, with its size.
pub(crate) fn rules(
    project: &Project,
    encoding: Encoding,
    mut rows: RelayRows<'_>,
) -> Result<(Vec<Vec<TorId>>, u32), Error> {
    let fabric = project.fabric();
    let (tors, cassettes) = (fabric.tors(), fabric.cassettes());
    let rules = tors as u64 * cassettes as u64;
    if project.recovery().is_some() {
        let message = format!(
            "found a repaired plan of {tors} ToRs; repairs are computed up to {LISTED_TORS}"
        );
        return Err(InputError::new(message).into());
    }
    if !has_masks(project) {
        let message = format!(
            "found {tors} ToRs, which relay by {rules} rules; above {LISTED_TORS} ToRs switches are told of a \
             Shufflecast only, whose codes masks cover with few entries"
        );
        return Err(InputError::new(message).into());
    }
    if !is_masked(encoding) {
        let entries = masked_entries(project, &mut rows);
        let message = format!(
            "found {encoding} for {tors} ToRs, which relay by {rules} rules; above {LISTED_TORS} ToRs take {}, which \
             has {entries} entries that relay at ToR 0 in place of {}",
            Encoding::Masked,
            2 * rules / tors as u64,
        );
        return Err(InputError::new(message).in_option("encoding").into());
    }
    if rules > MOST_RULES {
        let message = format!(
            "found {tors} ToRs, which relay by {rules} rules; switches are told of up to {MOST_RULES} rules, which are \
             held in memory to be covered by masks"
        );
        return Err(InputError::new(message).into());
    }
    let mut lists: Vec<Vec<TorId>> = vec![Vec::new(); tors];
    let mut max_hops = 0;
    for source in fabric.tor_ids() {
        let row = rows.row(source, cassettes);
        let tree = Tree::new(fabric, source, &row);
        let tree = tree.map_err(|error| Error::PlanRejected(error.to_string()))?;
        max_hops = max_hops.max(tree.total_hops().max);
        for relay in row {
            lists[relay.index()].push(source);
        }
    }
    Ok((lists, max_hops))
}

/// Whether masks cover the sources of a relay with few entries.
fn has_masks(project: &Project) -> bool {
    matches!(router_kind(project.design()), RouterKind::Algorithm1(_))
}

pub(crate) fn is_masked(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Masked | Encoding::MaskedDestination)
}

/// Number of entries that relay at ToR 0, with masks.
fn masked_entries(project: &Project, rows: &mut RelayRows<'_>) -> usize {
    let (fabric, tor) = (project.fabric(), TorId(0));
    let (cassettes, into) = (fabric.cassettes(), fabric.transmits_into(tor).index());
    let mut relays = |source: &TorId| rows.row(*source, cassettes)[into] == tor;
    let planned: Vec<TorId> = fabric.tor_ids().filter(|source| relays(source)).collect();
    let (encoding, returning) = (Encoding::Masked, BTreeSet::from([tor]));
    let told =
        Told { tor, planned: &planned, relays: &planned, accept: None, returning: &returning };
    let table = SwitchTable::new(fabric, &encoding.codes(project), encoding.matching(), told);
    table.entries.iter().filter(|entry| entry.purpose == Purpose::Relay).count()
}
