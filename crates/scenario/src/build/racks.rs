//! `kind = "design"`: the racks of a design or of a plan, joined by packet switches.
//!
//! Every ToR of the design is a leaf with the name of its rack. It has hosts and one link to every spine.
//! If the spines have a rack in the hall, those links are as long as their way along the trays. With a
//! `[[group]]`, every ToR also has its splitter.

use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_topology::electrical::{
    CircuitCore, Link, MAX_HOSTS, MAX_LINKS, Network, NetworkError, edge_list,
};
use lightloom_topology::hall::Place as InHall;
use lightloom_topology::{RackId, TorId};
use lightloom_units::Span;

use crate::build::delay;
use crate::build::uplinks::circuit_switches;
use crate::said::limits::LONGEST_SPAN;
use crate::said::{NetworkRow, Row as _};

/// The network that joins the racks of a plan.
pub(super) fn network(
    row: &NetworkRow,
    project: &Project,
    per_m: Span,
) -> Result<Network, InputError> {
    let place = NetworkRow::place();
    let needed = |field, said: Option<u32>, example| {
        said.map(|said| said as usize).ok_or_else(|| place.missing(field, example))
    };
    let each = needed("hosts_per_tor", row.hosts_per_tor, "16")?;
    if row.circuit_switches.is_some() {
        return circuits(row, project, each, per_m);
    }
    let spines = needed("spines", row.spines, "4")?;
    let uplink = row.rate.ok_or_else(|| place.missing("rate", "\"100 Gb/s\""))?;
    let host_rate = row.host_rate.unwrap_or(uplink);
    let short = delay::of_links(row, per_m)?;
    let spine_rack = row.spine_rack.as_ref().map(|name| rack(project, name)).transpose()?;

    let tors = project.fabric().tors();
    if each == 0 || tors.saturating_mul(each) > MAX_HOSTS as usize {
        let error = NetworkError::Hosts(tors as u64 * each as u64);
        return Err(place.refuse("hosts_per_tor", error));
    }
    if tors.saturating_mul(spines.saturating_add(each)) > MAX_LINKS as usize {
        let message = format!(
            "found {spines}, with {tors} ToRs and {each} hosts each; a network has at most {MAX_LINKS} links"
        );
        return Err(place.refuse("spines", message));
    }
    let (hosts, switches) = names(project, each);
    let switches: Vec<String> =
        switches.into_iter().chain((0..spines).map(|i| format!("spine {i}"))).collect();
    let mut links: Vec<Link> = Vec::new();
    for tor in 0..tors {
        let leaf = hosts.len() + tor;
        links.extend((0..each).map(|host| (tor * each + host, leaf, host_rate, short)));
    }
    for tor in project.fabric().tor_ids() {
        let long = spine_rack.map_or(short, |rack| to_spine(project, tor, rack, per_m));
        let long = place.within("spine_rack", long, (Span::from_ps(1), LONGEST_SPAN))?;
        let leaf = hosts.len() + tor.index();
        let first = hosts.len() + tors;
        links.extend((0..spines).map(|spine| (leaf, first + spine, uplink, long)));
    }
    edge_list(&hosts, &switches, &links).map_err(|error| {
        let field = if spines == 0 { "spines" } else { "file" };
        place.refuse(field, error)
    })
}

/// Names of the hosts, rack by rack, and of the racks.
fn names(project: &Project, each: usize) -> (Vec<String>, Vec<String>) {
    let racks = project.fabric().tor_ids().map(|tor| project.own_tor_name(tor));
    let racks: Vec<String> = racks.collect();
    let of =
        |rack: &String| (0..each).map(|host| format!("{rack} host {host}")).collect::<Vec<_>>();
    (racks.iter().flat_map(of).collect(), racks)
}

/// The racks of a design, joined by circuit switches in place of spines.
fn circuits(
    row: &NetworkRow,
    project: &Project,
    each: usize,
    per_m: Span,
) -> Result<Network, InputError> {
    let place = NetworkRow::place();
    for (field, is_said) in
        [("spines", row.spines.is_some()), ("spine_rack", row.spine_rack.is_some())]
    {
        if is_said {
            let message =
                "is given together with circuit_switches; a design has spines or circuits";
            return Err(place.refuse(field, message));
        }
    }
    let tors = project.fabric().tors();
    if each == 0 || tors.saturating_mul(each) > MAX_HOSTS as usize {
        let error = NetworkError::Hosts(tors as u64 * each as u64);
        return Err(place.refuse("hosts_per_tor", error));
    }
    let rate = row.rate.ok_or_else(|| place.missing("rate", "\"100 Gb/s\""))?;
    let delay = delay::of_links(row, per_m)?;
    let (hosts, tors) = names(project, each);
    let switches = circuit_switches(row, tors.len())?;
    let host = (row.host_rate.unwrap_or(rate), delay);
    CircuitCore { hosts: &hosts, tors: &tors, switches, circuit: (rate, delay), host }
        .network()
        .map_err(|error| place.refuse("circuit_switches", error))
}

/// The rack with a name.
fn rack(project: &Project, name: &str) -> Result<RackId, InputError> {
    project.rack(name).map_err(|error| NetworkRow::place().refuse("spine_rack", error.message))
}

/// The delay along the trays from a ToR to the top of a rack.
fn to_spine(project: &Project, tor: TorId, rack: RackId, per_m: Span) -> Span {
    let hall = project.site().hall;
    let place = |rack| InHall { rack, height: hall.tor_height(rack) };
    let from = project.site().placement.rack(tor);
    delay::along(hall.route(place(from), place(rack)).length, per_m)
}
