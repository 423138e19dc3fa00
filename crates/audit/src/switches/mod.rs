//! What switches say of themselves, against the configurations that they were given.
//!
//! Everything is read from two folders: that of the configurations, and that of what was read back from the switches.

mod entry;
mod sheets;

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_dialects::dialect::Dialect;
use lightloom_dialects::folder::{
    MANIFEST, Manifest, PORTS, TableSizes, logical_switch_name, switch_name,
};
use lightloom_dialects::openflow::{FIRST_STAGE, reason_of};
use lightloom_input::text;
use lightloom_request::{InputError, Texts};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::faults::Faults;
use crate::folder::MAX_BYTES;
use crate::switches::entry::{Flow, FlowKey, IGNORED, flows, groups};

/// What was read back from the switches of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SwitchesReport {
    /// Whether there are no differences: in tables, in neighbours, or in probes.
    pub good: bool,
    /// Number of differences.
    pub faults: usize,
    /// The first differences.
    pub first_faults: Vec<String>,
    /// Number of switches that carry the stamp of their rules, and have exactly these rules.
    pub right: usize,
    /// Switches that were not read back.
    pub not_read: Vec<TorId>,
    /// Switches with other rules, or without their stamp.
    pub drifted: Vec<TorId>,
    /// Packets that the first stages counted, by what their entries are for. A sum above 2^64 - 1 is that number.
    pub packets: BTreeMap<String, u64>,
    /// Number of ports whose neighbour was read back. `None`: no neighbours were read.
    pub neighbours: Option<usize>,
    /// Number of ports that should hear a ToR and are not listed. `None`: no neighbours were read.
    pub not_heard: Option<usize>,
    /// Number of probes that were read back. `None`: no probes were read.
    pub probes: Option<usize>,
    /// What switches report that is not compared.
    pub ignored: Vec<String>,
}

/// What is read back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadBackOptions {
    /// Whether `neighbours.csv` lists only what was heard: a port without a row is then no difference.
    pub partial: bool,
}

/// Compares configurations for OpenFlow with what was read back: `tor-N.dump-flows` and `tor-N.dump-groups` of each
/// switch, `switch-N` in place of `tor-N` for a switch that is several logical ToRs, and where they are
/// `neighbours.csv` and `probes.csv`.
///
/// # Errors
/// [`InputError`] if a file is missing or has the wrong format.
pub fn verify_switches(
    configs: &Path,
    read_back: &Path,
    options: ReadBackOptions,
    texts: &Texts,
) -> Result<SwitchesReport, InputError> {
    let file = configs.join(MANIFEST);
    let manifest = text::read_up_to(texts, &file, MAX_BYTES)?;
    let manifest: Manifest = serde_json::from_str(&manifest).map_err(|error| {
        let message = format!("is no list of configurations: {error}");
        InputError::new(message).in_file(&file).at_line(error.line() as u64)
    })?;
    if manifest.dialect != Dialect::Openflow {
        let message = format!("is for {}; only openflow can be read back", manifest.dialect);
        return Err(InputError::new(message).in_file(&file).in_field("dialect"));
    }
    let tors = manifest.switches.len();
    let listed = sheets::tors(configs, texts)?;
    if tors == 0 || listed != tors {
        let message = format!(
            "found {tors} switches; {PORTS} lists {listed}; write the configurations again with lightloom configs"
        );
        return Err(InputError::new(message).in_file(&file).in_field("switches"));
    }
    let mut faults = Faults::default();
    let mut report = SwitchesReport {
        good: false,
        faults: 0,
        first_faults: Vec::new(),
        right: 0,
        not_read: Vec::new(),
        drifted: Vec::new(),
        packets: BTreeMap::new(),
        neighbours: None,
        not_heard: None,
        probes: None,
        ignored: IGNORED.map(str::to_owned).to_vec(),
    };
    for (name, of_switch) in switches(&manifest) {
        let given = of_switch.iter().map(|&tor| {
            let sizes = &manifest.switches[tor.index()];
            Ok((tor, Given::read(configs, &switch_name(tor, tors), sizes, texts)?))
        });
        let given: Vec<(TorId, Given)> = given.collect::<Result<_, InputError>>()?;
        let Some(found) = Found::read(read_back, &name, texts)? else {
            for tor in of_switch {
                faults.add(|| format!("ToR {tor} was not read back"));
                report.not_read.push(tor);
            }
            continue;
        };
        // What no logical ToR of a switch was given counts as found at the first one.
        let strange = strangers(&found, &given);
        for (at, (tor, given)) in given.iter().enumerate() {
            let before = faults.count;
            given.compare(&found, *tor, &mut faults);
            for what in strange.iter().filter(|_| at == 0) {
                faults.add(|| format!("ToR {tor} has {what}"));
            }
            if faults.count == before {
                report.right += 1;
            } else {
                report.drifted.push(*tor);
            }
        }
        for (_, flow) in found.flows.iter().filter(|(key, _)| key.table == FIRST_STAGE) {
            let reason = reason_of(flow.cookie).unwrap_or("other");
            let sum = report.packets.entry(reason.to_owned()).or_default();
            // Counts come from outside, and their sum may be more than 64 bits hold.
            *sum = sum.saturating_add(flow.packets);
        }
    }
    // Ports that were not heard may be many, and must not hide what probes found.
    report.probes = sheets::probes(configs, read_back, texts, &mut faults)?;
    if let Some(found) =
        sheets::neighbours(configs, read_back, options.partial, texts, &mut faults)?
    {
        (report.neighbours, report.not_heard) = (Some(found.read), Some(found.not_heard));
    }
    report.good = faults.count == 0;
    report.faults = faults.count;
    report.first_faults = faults.first;
    Ok(report)
}

/// The switches with their ToRs, by the name that begins the files of what is read back from them.
fn switches(manifest: &Manifest) -> Vec<(String, Vec<TorId>)> {
    let tors = manifest.switches.len();
    let mut logical: BTreeMap<u32, Vec<TorId>> = BTreeMap::new();
    let mut alone = Vec::new();
    for (at, sizes) in manifest.switches.iter().enumerate() {
        let tor = TorId::at(at);
        match sizes.switch {
            Some(switch) => logical.entry(switch).or_default().push(tor),
            None => alone.push((switch_name(tor, tors), vec![tor])),
        }
    }
    let logical = logical.into_iter().map(|(number, tors)| (logical_switch_name(number), tors));
    alone.into_iter().chain(logical).collect()
}

/// What a switch has that none of its ToRs was given.
fn strangers(found: &Found, given: &[(TorId, Given)]) -> Vec<String> {
    let has_flow = |key: &FlowKey| {
        given.iter().any(|(_, given)| given.flows.contains_key(key) || given.gate.contains_key(key))
    };
    let has_group = |id: &u64| given.iter().any(|(_, given)| given.groups.contains_key(id));
    let flows = found.flows.iter().filter(|(key, _)| !has_flow(key));
    let flows = flows.map(|(_, flow)| format!("a flow that it was not given: {}", flow.text));
    let groups = found.groups.keys().filter(|id| !has_group(id));
    flows.chain(groups.map(|id| format!("group {id}, which it was not given"))).collect()
}

/// What a ToR was given.
struct Given {
    flows: BTreeMap<FlowKey, Flow>,
    /// The flows that open its gate: one, with one for each port to an accelerator, or one for each port of a logical
    /// ToR.
    gate: BTreeMap<FlowKey, Flow>,
    groups: BTreeMap<u64, String>,
}

/// What was read back from a switch.
struct Found {
    flows: BTreeMap<FlowKey, Flow>,
    groups: BTreeMap<u64, String>,
}

impl Given {
    fn read(
        folder: &Path,
        name: &str,
        sizes: &TableSizes,
        texts: &Texts,
    ) -> Result<Self, InputError> {
        let file = format!("{name}.gate");
        let gate = read(folder, &file, texts, flows)?;
        let expected = match (sizes.switch, gate.len(), sizes.accelerator_ports) {
            (None, flows, beside) if flows == 1 + beside => None,
            (Some(_), 1.., _) => None,
            (None, _, 0) => Some("expected one flow, which opens the gate".to_owned()),
            (None, _, beside) => Some(format!(
                "expected {} flows, which open the gate: one, and one for each port to the accelerator",
                1 + beside
            )),
            (Some(_), ..) => Some("expected a flow for each port, which opens the gate".to_owned()),
        };
        if let Some(message) = expected {
            return Err(InputError::new(message).in_file(&folder.join(file)));
        }
        let found = gate.values().map(|flow| format!("{:#018x}", flow.cookie));
        if let Some(found) = found.into_iter().find(|found| *found != sizes.stamp) {
            let message = format!("found the stamp {found}; {MANIFEST} has {}", sizes.stamp);
            return Err(InputError::new(message).in_file(&folder.join(file)));
        }
        Ok(Self {
            flows: read(folder, &format!("{name}.flows"), texts, flows)?,
            gate,
            groups: read(folder, &format!("{name}.groups"), texts, groups)?,
        })
    }

    fn compare(&self, found: &Found, tor: TorId, faults: &mut Faults) {
        for (key, gate) in &self.gate {
            let Some(flow) = found.flows.get(key) else {
                faults.add(|| format!("ToR {tor}: the gate is closed"));
                continue;
            };
            if flow.cookie != gate.cookie {
                let (found, given) = (flow.cookie, gate.cookie);
                faults.add(|| {
                    format!("ToR {tor} carries the stamp {found:#018x}; it was given {given:#018x}")
                });
            }
            if !flow.does_as(gate) {
                faults.add(|| {
                    format!("ToR {tor} has the gate {}; it was given {}", flow.text, gate.text)
                });
            }
        }
        for (key, flow) in &self.flows {
            match found.flows.get(key) {
                None => faults.add(|| format!("ToR {tor} lacks the flow {}", flow.text)),
                Some(other) if !other.is_as(flow) => faults
                    .add(|| format!("ToR {tor} has {}; it was given {}", other.text, flow.text)),
                Some(_) => {}
            }
        }
        for (id, group) in &self.groups {
            match found.groups.get(id) {
                None => faults.add(|| format!("ToR {tor} lacks group {id}")),
                Some(other) if other != group => {
                    faults.add(|| format!("ToR {tor}: group {id} is {other}; it was given {group}"))
                }
                Some(_) => {}
            }
        }
    }
}

impl Found {
    /// `None`: the switch was not read back.
    fn read(folder: &Path, name: &str, texts: &Texts) -> Result<Option<Self>, InputError> {
        let file = format!("{name}.dump-flows");
        if texts.get(&folder.join(&file)).is_none() && !folder.join(&file).exists() {
            return Ok(None);
        }
        Ok(Some(Self {
            flows: read(folder, &file, texts, flows)?,
            groups: read(folder, &format!("{name}.dump-groups"), texts, groups)?,
        }))
    }
}

fn read<T>(
    folder: &Path,
    name: &str,
    texts: &Texts,
    parse: impl Fn(&str) -> Result<T, (u64, String)>,
) -> Result<T, InputError> {
    let path = folder.join(name);
    let text = text::read_up_to(texts, &path, MAX_BYTES)?;
    parse(&text).map_err(|(line, message)| InputError::new(message).in_file(&path).at_line(line))
}
