//! The folder of configurations: one or more files for each switch, shared sheets, and a manifest.

use lightloom_request::InputError;
use lightloom_switching::config::{PortUse, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;
use lightloom_tables::sheet::Sheet;
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use crate::language::is_number;
use crate::not_expressed::NotExpressed;

/// The file that says what the others are.
pub const MANIFEST: &str = "configs.json";
/// The ports of all switches.
pub const PORTS: &str = "switch-ports.csv";
/// The servers and their addresses.
pub const SERVERS: &str = "servers.csv";
/// The groups and their addresses.
pub const GROUPS: &str = "groups.csv";

/// Whether a file of this name is one of a folder of configurations.
pub fn is_config_file(name: &str) -> bool {
    let languages = || Dialect::ALL.into_iter().map(Dialect::language);
    let is_shared = |name: &str| {
        languages().any(|language| language.shared().iter().any(|(shared, _)| *shared == name))
    };
    if [MANIFEST, PORTS, SERVERS, GROUPS].contains(&name) || is_shared(name) {
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
    /// What the dialect cannot express.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_expressed: Vec<NotExpressed>,
    /// Sizes of the tables of each switch, ToR 0 first.
    pub switches: Vec<TableSizes>,
}

/// Sizes of the tables of a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableSizes {
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
        (PORTS.to_owned(), ports(configs, dialect, &switches)),
        (SERVERS.to_owned(), servers(configs)),
        (GROUPS.to_owned(), groups(configs)),
    ];
    let shared = language.shared().iter();
    files.extend(shared.map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())));
    for switch in &switches {
        let name = |kind: &str| format!("{}.{kind}", switch_name(switch.tor, switches.len()));
        let written = language.files(configs, switch, &manifest.not_expressed)?;
        files.extend(written.into_iter().map(|(kind, text)| (name(kind), text.into_bytes())));
    }
    Ok((manifest, files))
}

/// The name of a switch in names of files: `tor-07`, with as many digits as the last one has.
pub fn switch_name(tor: TorId, tors: usize) -> String {
    let width = tors.saturating_sub(1).to_string().len();
    format!("tor-{:0width$}", tor.0)
}

fn manifest(configs: &Configs<'_>, dialect: Dialect, switches: &[SwitchConfig]) -> Manifest {
    let sizes = |switch: &SwitchConfig| TableSizes {
        stamp: Stamp::of(switch).to_string(),
        first_stage: switch.first.len(),
        relay_entries: switch.relay_entries(),
        least_relay_entries: 2 * switch.least,
        second_stage: switch.replications().len(),
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
        not_expressed: dialect.not_expressed(configs, switches),
        switches: switches.iter().map(sizes).collect(),
    }
}

fn ports(configs: &Configs<'_>, dialect: Dialect, switches: &[SwitchConfig]) -> Vec<u8> {
    let titles = ["tor", "number", "use", "fabric_port", "hears", "server", "interface"];
    let mut sheet = Sheet::new(titles);
    for switch in switches {
        for port in &switch.ports {
            let none = String::new;
            let (used_for, fabric_port, hears, server) = match port.used_for {
                PortUse::Fabric { port: number, hears, transmits } => {
                    let used_for = match (hears, transmits) {
                        (Some(_), true) => "receive and transmit",
                        (Some(_), false) => "receive",
                        (None, _) => "transmit",
                    };
                    let hears = hears.map(|tor| tor.to_string()).unwrap_or_default();
                    (used_for, number.to_string(), hears, none())
                }
                PortUse::Server(id) => {
                    ("server", none(), none(), configs.servers.all()[id.0].name.clone())
                }
                PortUse::Unicast => ("unicast", none(), none(), none()),
            };
            let interface = port.interface.as_ref().map(ToString::to_string).unwrap_or_default();
            let (tor, number) =
                (switch.tor.to_string(), dialect.language().port_number(port.number).to_string());
            let cells = [tor, number, used_for.to_owned(), fabric_port, hears, server, interface];
            sheet.row(cells.into_iter().map(Into::into));
        }
    }
    sheet.into_bytes()
}

/// One row a server. It sends to the address of a group plus `added_to_group`.
fn servers(configs: &Configs<'_>) -> Vec<u8> {
    let titles = ["server", "tor", "number", "address", "added_to_group", "interface"];
    let mut sheet = Sheet::new(titles);
    for server in configs.servers.all() {
        let address = configs.addresses.server(server.tor, server.number);
        let added = configs.addresses.added_to_group(server.tor).to_string();
        let interface = server.interface.as_ref().map(ToString::to_string).unwrap_or_default();
        let (tor, number) = (server.tor.to_string(), server.number.to_string());
        let cells = [server.name.clone(), tor, number, address.to_string(), added, interface];
        sheet.row(cells.into_iter().map(Into::into));
    }
    sheet.into_bytes()
}

/// One row a member. It joins the address of the group plus each `added_to_group` of the servers.
fn groups(configs: &Configs<'_>) -> Vec<u8> {
    let mut sheet = Sheet::new(["group", "address", "member"]);
    for group in configs.servers.groups() {
        for member in &group.members {
            let name = configs.servers.all()[member.0].name.clone();
            let cells = [group.name.clone(), group.address.to_string(), name];
            sheet.row(cells.into_iter().map(Into::into));
        }
    }
    sheet.into_bytes()
}
