//! Neighbours and probes that were read back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lightloom_dialects::folder::{GROUPS, PORTS, SERVERS};
use lightloom_input::text::{Column, Record, Table, column};
use lightloom_request::{InputError, Texts};

use crate::faults::Faults;

/// What ports heard: `tor`, `number` (of the port), `heard` (the ToR that was heard; empty for none).
const NEIGHBOURS: &str = "neighbours.csv";
/// What probes reached: `source` (a server), `group`, `server`, `copies`.
const PROBES: &str = "probes.csv";

const NEIGHBOUR_COLUMNS: [Column; 3] = [column("tor"), column("number"), column("heard")];
const PROBE_COLUMNS: [Column; 4] =
    [column("source"), column("group"), column("server"), column("copies")];
const PORT_COLUMNS: [Column; 7] = [
    column("tor"),
    column("number"),
    column("use"),
    column("fabric_port"),
    column("hears"),
    column("server"),
    column("interface"),
];
const MEMBER_COLUMNS: [Column; 3] = [column("group"), column("address"), column("member")];
const SERVER_COLUMNS: [Column; 5] =
    [column("server"), column("tor"), column("number"), column("address"), column("interface")];

/// What `neighbours.csv` says.
pub(super) struct Neighbours {
    /// Number of its rows.
    pub(super) read: usize,
    /// Number of ports that should hear a ToR and have no row.
    pub(super) not_heard: usize,
}

/// The ports of `switch-ports.csv`, by ToR and number, with the ToR that each should hear.
fn ports(configs: &Path, texts: &Texts) -> Result<BTreeMap<(u32, u32), String>, InputError> {
    let sheet = configs.join(PORTS);
    let table = Table::read(&sheet, texts, &PORT_COLUMNS)?;
    let mut hears = BTreeMap::new();
    for record in table.records(&sheet) {
        let port = (whole(&record, "tor")?, whole(&record, "number")?);
        hears.insert(port, record.cell("hears").to_owned());
    }
    Ok(hears)
}

/// Number of ToRs of `switch-ports.csv`, which lists all ports of all of them.
pub(super) fn tors(configs: &Path, texts: &Texts) -> Result<usize, InputError> {
    let tors: BTreeSet<u32> = ports(configs, texts)?.into_keys().map(|(tor, _)| tor).collect();
    Ok(tors.len())
}

/// Compares what ports heard with what they should hear. With `partial`, ports that are not listed are not compared.
pub(super) fn neighbours(
    configs: &Path,
    read_back: &Path,
    partial: bool,
    texts: &Texts,
    faults: &mut Faults,
) -> Result<Option<Neighbours>, InputError> {
    let file = read_back.join(NEIGHBOURS);
    if !is_there(&file, texts) {
        return Ok(None);
    }
    let hears = ports(configs, texts)?;
    let table = Table::read(&file, texts, &NEIGHBOUR_COLUMNS)?;
    table.require(&file, &["tor", "number", "heard"])?;
    let mut heard_at = BTreeSet::new();
    let mut read = 0;
    for record in table.records(&file) {
        let port @ (tor, number) = (whole(&record, "tor")?, whole(&record, "number")?);
        let heard = record.cell("heard");
        let Some(expected) = hears.get(&port) else {
            return Err(record.refuse("number", format!("ToR {tor} has no port {number}")));
        };
        heard_at.insert(port);
        read += 1;
        if heard != expected {
            let expected = if expected.is_empty() { "no ToR" } else { expected };
            faults.add(|| {
                format!("ToR {tor}, port {number} hears {heard:?}; it should hear {expected}")
            });
        }
    }
    let listens = hears.iter().filter(|(_, expected)| !expected.is_empty());
    let missing: Vec<_> = listens.filter(|(port, _)| !heard_at.contains(port)).collect();
    if !partial {
        for ((tor, number), expected) in &missing {
            faults.add(|| {
                format!("ToR {tor}, port {number} was not heard; it should hear {expected}")
            });
        }
    }
    Ok(Some(Neighbours { read, not_heard: missing.len() }))
}

fn whole(record: &Record<'_>, column: &str) -> Result<u32, InputError> {
    let found = record.cell(column);
    found
        .parse()
        .map_err(|_| record.refuse(column, format!("found {found:?}; expected a whole number")))
}

/// Compares the copies that probes brought with the members of their groups: each other member gets one copy.
pub(super) fn probes(
    configs: &Path,
    read_back: &Path,
    texts: &Texts,
    faults: &mut Faults,
) -> Result<Option<usize>, InputError> {
    let file = read_back.join(PROBES);
    if !is_there(&file, texts) {
        return Ok(None);
    }
    let servers = configs.join(SERVERS);
    let table = Table::read(&servers, texts, &SERVER_COLUMNS)?;
    let known: BTreeSet<String> =
        table.records(&servers).map(|record| record.cell("server").to_owned()).collect();
    let sheet = configs.join(GROUPS);
    let table = Table::read(&sheet, texts, &MEMBER_COLUMNS)?;
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for record in table.records(&sheet) {
        let of = members.entry(record.cell("group").to_owned()).or_default();
        of.insert(record.cell("member").to_owned());
    }
    let table = Table::read(&file, texts, &PROBE_COLUMNS)?;
    table.require(&file, &["source", "group", "server", "copies"])?;
    let mut got: BTreeMap<(String, String), BTreeMap<String, u64>> = BTreeMap::new();
    for record in table.records(&file) {
        let cell = |column: &str| record.cell(column).to_owned();
        for column in ["source", "server"] {
            if !known.contains(record.cell(column)) {
                return Err(record.refuse(column, format!("there is no server {:?}", cell(column))));
            }
        }
        if !members.contains_key(record.cell("group")) {
            return Err(record.refuse("group", format!("there is no group {:?}", cell("group"))));
        }
        let copies: u64 = record.cell("copies").parse().map_err(|_| {
            record.refuse("copies", format!("found {:?}; expected a whole number", cell("copies")))
        })?;
        let of = got.entry((cell("source"), cell("group"))).or_default();
        let sum = of.entry(cell("server")).or_default();
        *sum = sum.checked_add(copies).ok_or_else(|| {
            let message =
                format!("found {copies}; with the rows before, there are too many copies");
            record.refuse("copies", message)
        })?;
    }
    for ((source, group), copies) in &got {
        let expected = &members[group];
        for server in expected.iter().filter(|server| *server != source) {
            match copies.get(server).copied().unwrap_or(0) {
                1 => {}
                0 => faults
                    .add(|| format!("the probe of {source} to {group} did not reach {server}")),
                more => faults.add(|| {
                    format!("the probe of {source} to {group} reached {server} {more} times")
                }),
            }
        }
        let stray = copies.iter().filter(|(server, copies)| {
            **copies > 0 && (*server == source || !expected.contains(*server))
        });
        for (server, _) in stray {
            faults.add(|| {
                format!(
                    "the probe of {source} to {group} reached {server}, which should not get it"
                )
            });
        }
    }
    Ok(Some(got.len()))
}

fn is_there(file: &Path, texts: &Texts) -> bool {
    texts.get(file).is_some() || file.exists()
}
