//! `kind = "design"`: the racks of a design or of a plan, joined by packet switches.
//!
//! Every ToR of the design is a leaf with the name of its rack. It has hosts and one link to every spine.
//! If the spines have a rack in the hall, those links are as long as their way along the trays. With a
//! `[[group]]`, every ToR also has its splitter.

use std::path::{Path, PathBuf};

use lightloom_plan::document::PlanDocument;
use lightloom_plan::project::Project;
use lightloom_request::setting;
use lightloom_request::{InputError, Memory, Request, Texts};
use lightloom_topology::electrical::{
    Link, MAX_HOSTS, MAX_LINKS, Network, NetworkError, edge_list,
};
use lightloom_topology::hall::Place;
use lightloom_topology::{RackId, TorId};
use lightloom_units::Span;

use crate::plan_folder::{self, WrittenPlan};
use crate::rows::Row;
use crate::scenario::fields::{along, delay, rate};
use crate::scenario::limits::{LONGEST_SPAN, within};
use crate::{open, text};

/// The racks of a design.
pub(super) struct Racks {
    pub(super) network: Network,
    pub(super) project: Project,
    /// Every file that the design reads.
    pub(super) files: Vec<(PathBuf, String)>,
    /// The plan folder that the scenario names. `None`: it names a design, or a `plan.json` alone.
    pub(super) folder: Option<PathBuf>,
}

/// Reads the `file`, a design or a plan folder, and builds the network.
pub(super) fn read(
    row: &Row<'_>,
    base: &Path,
    per_m: Span,
    memory: Memory,
) -> Result<Racks, InputError> {
    let file = row.text("file")?.ok_or_else(|| row.missing("file", "\"design.toml\""))?;
    let path = base.join(file);
    let (folder, (project, files)) = match plan_of(&path, row.texts()) {
        Some(plan) => ((plan != path).then_some(path), planned(row, &plan, memory)?),
        None => (None, designed(row, path, memory)?),
    };
    let each = row.required_number("hosts_per_tor", "16")? as usize;
    let spines = row.required_number("spines", "4")? as usize;
    let uplink = rate(row, "rate")?.ok_or_else(|| row.missing("rate", "\"100 Gb/s\""))?;
    let host_rate = rate(row, "host_rate")?.unwrap_or(uplink);
    let short = delay(row, per_m)?;
    let spine_rack = row.text("spine_rack")?.map(|name| rack(row, &project, name)).transpose()?;

    let tors = project.fabric().tors();
    if each == 0 || tors.saturating_mul(each) > MAX_HOSTS as usize {
        let error = NetworkError::Hosts(tors as u64 * each as u64);
        return Err(row.refuse("hosts_per_tor", error));
    }
    if tors.saturating_mul(spines.saturating_add(each)) > MAX_LINKS as usize {
        let message = format!(
            "found {spines}, with {tors} ToRs and {each} hosts each; a network has at most {MAX_LINKS} links"
        );
        return Err(row.refuse("spines", message));
    }
    let names: Vec<&str> = project.fabric().tor_ids().map(|tor| project.tor_name(tor)).collect();
    let hosts: Vec<String> = names
        .iter()
        .flat_map(|rack| (0..each).map(move |host| format!("{rack} host {host}")))
        .collect();
    let switches = names.iter().map(|&name| name.to_owned());
    let switches: Vec<String> = switches.chain((0..spines).map(|i| format!("spine {i}"))).collect();
    let mut links: Vec<Link> = Vec::new();
    for tor in 0..tors {
        let leaf = hosts.len() + tor;
        links.extend((0..each).map(|host| (tor * each + host, leaf, host_rate, short)));
    }
    for tor in project.fabric().tor_ids() {
        let long = spine_rack.map_or(short, |rack| to_spine(&project, tor, rack, per_m));
        let long = within(row, "spine_rack", long, (Span::from_ps(1), LONGEST_SPAN))?;
        let leaf = hosts.len() + tor.index();
        let first = hosts.len() + tors;
        links.extend((0..spines).map(|spine| (leaf, first + spine, uplink, long)));
    }
    let network = edge_list(&hosts, &switches, &links).map_err(|error| {
        let field = if spines == 0 { "spines" } else { "file" };
        row.refuse(field, error)
    })?;
    Ok(Racks { network, project, files, folder })
}

/// The `plan.json` of a plan folder, if a path names one or the other.
fn plan_of(path: &Path, texts: &Texts) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == PlanDocument::FILE) {
        return Some(path.to_path_buf());
    }
    let inside = path.join(PlanDocument::FILE);
    (texts.get(&inside).is_some() || path.is_dir()).then_some(inside)
}

/// A project with its files.
type Opened = (Project, Vec<(PathBuf, String)>);

/// Opens a plan. `plan.json` has all of it.
fn planned(row: &Row<'_>, file: &Path, memory: Memory) -> Result<Opened, InputError> {
    let folder = WrittenPlan { folder: file.parent().unwrap_or(Path::new("")), memory };
    plan_folder::check_sizes(folder, &[PlanDocument::FILE])?;
    let text = text::read_up_to(row.texts(), file, 4 << 30);
    let text = text.map_err(|error| row.of_file("file", file, error))?;
    let project = plan_folder::opened(&plan_folder::parse(file, &text)?, file, memory)?;
    Ok((project, vec![(file.to_path_buf(), text)]))
}

fn designed(row: &Row<'_>, path: PathBuf, memory: Memory) -> Result<Opened, InputError> {
    let texts = row.texts().clone();
    let request = Request { design: Some(path.clone()), flags: Vec::new(), texts };
    // What the run may take goes before what the design file says.
    let request = match memory {
        Memory::Allowed(most) => {
            request.say(&setting::machine::MEMORY, format!("{} B", most.as_bytes()).as_str())
        }
        Memory::Left(_) | Memory::Unknown => request,
    };
    let project = open::project(&request).map_err(|error| row.of_file("file", &path, error))?;
    let files = files(&project, path, row.texts())?;
    Ok((project, files))
}

/// The rack with a name.
fn rack(row: &Row<'_>, project: &Project, name: &str) -> Result<RackId, InputError> {
    project.rack(name).map_err(|error| row.refuse("spine_rack", error.message))
}

/// The delay along the trays from a ToR to the top of a rack.
fn to_spine(project: &Project, tor: TorId, rack: RackId, per_m: Span) -> Span {
    let hall = &project.site().hall;
    let place = |rack| Place { rack, height: hall.tor_height(rack) };
    let from = project.site().placement.rack(tor);
    along(hall.route(place(from), place(rack)).length, per_m)
}

/// The files that the design reads.
fn files(
    project: &Project,
    design: PathBuf,
    texts: &Texts,
) -> Result<Vec<(PathBuf, String)>, InputError> {
    let settings = &project.design().settings;
    let mut paths = vec![design];
    for setting in [&setting::hall::INVENTORY, &setting::fabric::EDGES] {
        paths.extend(settings.path(setting)?);
    }
    paths.extend(settings.path(&setting::hall::KEEP)?.map(|plan| plan.join(PlanDocument::FILE)));
    paths.into_iter().map(|path| text::read(texts, &path).map(|text| (path, text))).collect()
}
