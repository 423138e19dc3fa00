//! The folder of configurations: one or more files for each switch, shared sheets, and a manifest.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;
use lightloom_topology::{RackId, TorId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::class::{self, ClassManifest};
use crate::copies;
use crate::dialect::Dialect;
use crate::language::{Written, is_number};
use crate::not_expressed::NotExpressed;
use crate::sheets;

/// The file that says what the others are.
pub const MANIFEST: &str = "configs.json";
/// The ports of all switches.
pub const PORTS: &str = sheets::PORTS.file;
/// The servers and their addresses.
pub const SERVERS: &str = sheets::SERVERS.file;
/// The groups and their addresses.
pub const GROUPS: &str = sheets::GROUPS.file;

/// The unicast ports, where there is a lossless class.
pub const LOSSLESS: &str = class::LOSSLESS.file;

/// The VLANs of copies, where accelerators stand beside switches.
pub const COPIES: &str = copies::COPIES.file;

/// Whether a file of this name is one of a folder of configurations.
pub fn is_config_file(name: &str) -> bool {
    let languages = || Dialect::ALL.into_iter().map(Dialect::language);
    let is_shared = |name: &str| {
        languages().any(|language| language.shared().iter().any(|(shared, _)| *shared == name))
    };
    if [MANIFEST, PORTS, SERVERS, GROUPS, LOSSLESS, COPIES].contains(&name) || is_shared(name) {
        return true;
    }
    let Some((number, ending)) = name.strip_prefix("tor-").and_then(|rest| rest.split_once('.'))
    else {
        return false;
    };
    is_number(number) && languages().any(|language| language.endings().contains(&ending))
}

/// Files by name.
pub type ConfigFiles = Vec<(String, Vec<u8>)>;

/// What a folder of configurations is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// What the file is: always "lightloom configs".
    pub kind: String,
    /// Version of this file.
    pub version: u32,
    /// The dialect.
    pub dialect: Dialect,
    /// How entries match sources.
    pub encoding: lightloom_switching::encoding::Encoding,
    /// The stamp of the rules of all switches.
    pub stamp: String,
    /// The range of servers.
    pub servers: String,
    /// The range of groups.
    pub groups: String,
    /// The time to live that servers must send with.
    pub time_to_live: u32,
    /// The lossless class of the unicast ports. Not there without one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lossless: Option<ClassManifest>,
    /// What the dialect cannot express.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_expressed: Vec<NotExpressed>,
    /// Sizes of the tables of each switch, ToR 0 first.
    pub switches: Vec<TableSizes>,
}

/// Sizes of the tables of a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableSizes {
    /// Number of the switch that it is a logical ToR of. Not there where each ToR is a switch of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub switch: Option<u32>,
    /// The stamp of the switch's rules. The switch carries it.
    pub stamp: String,
    /// Entries of the first stage.
    pub first_stage: usize,
    /// Those of them that relay sources as planned, for both kinds of receive ports.
    pub relay_entries: usize,
    /// No encoding of the planned sources with masks has fewer entries.
    pub least_relay_entries: usize,
    /// Entries of the second stage, each with a replication group of its own.
    pub second_stage: usize,
    /// Ports that lead to the accelerator. Not there without one.
    #[serde(skip_serializing_if = "is_none", default)]
    pub accelerator_ports: usize,
}

// Serde hands a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The files of a folder of configurations.
///
/// # Errors
/// [`InputError`] if the switch model cannot hold or do what its switches are told, or if the dialect cannot write a
/// name.
pub fn files(
    configs: &Configs<'_>,
    dialect: Dialect,
) -> Result<(Manifest, ConfigFiles), InputError> {
    let language = dialect.language();
    let switches = configs.switches();
    dialect.fits(configs, &switches)?;
    let manifest = manifest(configs, dialect, &switches);
    let json = serde_json::to_string_pretty(&manifest).expect("a manifest has text keys") + "\n";
    let mut files = vec![
        (MANIFEST.to_owned(), json.into_bytes()),
        (PORTS.to_owned(), sheets::ports(configs, dialect.language(), &switches)),
        (SERVERS.to_owned(), sheets::servers(configs)),
        (GROUPS.to_owned(), sheets::groups(configs)),
    ];
    files.extend(class::sheet(configs).map(|sheet| (LOSSLESS.to_owned(), sheet)));
    let copies = copies::sheet(configs, language, &switches);
    files.extend(copies.map(|sheet| (COPIES.to_owned(), sheet)));
    let shared = language.shared().iter();
    files.extend(shared.map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())));
    for switch in &switches {
        let name = |kind: &str| format!("{}.{kind}", switch_name(switch.tor, switches.len()));
        let lacks = &manifest.not_expressed;
        let written = language.files(Written { configs, config: switch, lacks })?;
        files.extend(written.into_iter().map(|(kind, text)| (name(kind), text.into_bytes())));
    }
    Ok((manifest, files))
}

/// The name of a switch in names of files: `tor-07`, with as many digits as the last one has.
pub fn switch_name(tor: TorId, tors: usize) -> String {
    let width = tors.saturating_sub(1).to_string().len();
    format!("tor-{:0width$}", tor.0)
}

/// The name of a switch that is several logical ToRs, in names of files.
pub fn logical_switch_name(number: u32) -> String {
    format!("switch-{number}")
}

fn manifest(configs: &Configs<'_>, dialect: Dialect, switches: &[SwitchConfig]) -> Manifest {
    let project = configs.project;
    let numbers: BTreeMap<RackId, u32> =
        project.placement().switches().into_iter().zip(0..).collect();
    let number = |tor| numbers.get(&project.placement().rack(tor)).copied();
    let sizes = |switch: &SwitchConfig| TableSizes {
        switch: number(switch.tor).filter(|_| !switch.slot.is_alone()),
        stamp: Stamp::of(switch).to_string(),
        first_stage: switch.first.len(),
        relay_entries: switch.relay_entries(),
        least_relay_entries: 2 * switch.least,
        second_stage: switch.replications().len(),
        accelerator_ports: switch.accelerator_ports().count(),
    };
    Manifest {
        kind: "lightloom configs".into(),
        version: 1,
        dialect,
        encoding: configs.encoding,
        stamp: Stamp::of_plan(switches.iter().map(Stamp::of)).to_string(),
        servers: configs.addresses.servers().to_string(),
        groups: configs.addresses.groups().to_string(),
        time_to_live: configs.time_to_live() + dialect.language().more_hops(),
        lossless: ClassManifest::of(configs),
        not_expressed: dialect.not_expressed(configs, switches),
        switches: switches.iter().map(sizes).collect(),
    }
}
