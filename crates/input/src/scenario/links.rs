//! Networks from a CSV list of links, with unique names of nodes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_request::{Complaints, InputError};
use lightloom_topology::electrical::{Link, Network, NetworkError, edge_list};
use lightloom_topology::hall::{Alike, Name};
use lightloom_units::{BitRate, Length, Span};

use crate::rows::Row;
use crate::scenario::fields::along;
use crate::scenario::limits::{LEAST_RATE, LONGEST_SPAN, MOST_RATE};
use crate::text;
use crate::text::{Record, Table, column};

/// The files of a network, with their texts.
type Files = Vec<(PathBuf, String)>;

/// A line of the list: indices of two names, rate and delay.
struct Said {
    ends: [usize; 2],
    rate: BitRate,
    delay: Span,
    line: u64,
}

/// Reads a network. `file` is a CSV with the columns a, b, rate, and length or delay. `nodes` is a CSV with
/// the columns name and kind. Without `nodes`, a node with one link is a host.
pub(super) fn read(
    row: &Row<'_>,
    base: &Path,
    per_m: Span,
) -> Result<(Network, Files), InputError> {
    let file = row.text("file")?.ok_or_else(|| row.missing("file", "\"links.csv\""))?;
    let mut files: Files = Vec::new();
    let mut names = Names::default();
    let mut hosts: Option<Vec<bool>> = None;
    if let Some(nodes) = row.text("nodes")? {
        let path = base.join(nodes);
        let text = text::read(row.texts(), &path);
        let text = text.map_err(|error| row.of_file("nodes", &path, error))?;
        hosts = Some(read_nodes(&path, &text, &mut names)?);
        files.push((path, text));
    }
    let path = base.join(file);
    let text = text::read(row.texts(), &path).map_err(|error| row.of_file("file", &path, error))?;
    let links = read_links(&path, &text, per_m, &mut names, hosts.is_some())?;
    let hosts = hosts.unwrap_or_else(|| {
        let mut degrees = vec![0_u64; names.names.len()];
        links.iter().flat_map(|link| link.ends).for_each(|end| degrees[end] += 1);
        degrees.into_iter().map(|degree| degree == 1).collect()
    });
    let network = build(&path, &names, &hosts, &links)?;
    files.push((path, text));
    Ok((network, files))
}

/// Names in the order of their first use. No two differ only in case, blanks or Unicode form.
#[derive(Default)]
struct Names {
    names: Vec<Name>,
    /// Index and line of each name, by its form in lower case.
    known: BTreeMap<String, (usize, u64)>,
}

impl Names {
    /// The index of the name in a cell, and whether it is new.
    fn place(&mut self, record: &Record<'_>, column: &str) -> Result<(usize, bool), InputError> {
        let name = Name::new(record.raw(column)).map_err(|error| record.refuse(column, error))?;
        let folded = name.form().to_lowercase();
        if let Some(&(place, line)) = self.known.get(&folded) {
            if let Some(Alike { found, other, only_in }) = name.alike(&self.names[place]) {
                let message = format!(
                    "found \"{found}\", which differs from \"{other}\" of line {line} only in {only_in}; \
                     write one node in one way, and give two nodes different names"
                );
                return Err(record.refuse(column, message));
            }
            return Ok((place, false));
        }
        self.known.insert(folded, (self.names.len(), record.line()));
        self.names.push(name);
        Ok((self.names.len() - 1, true))
    }
}

/// Reads which nodes are hosts.
fn read_nodes(path: &Path, text: &str, names: &mut Names) -> Result<Vec<bool>, InputError> {
    let table = Table::foreign(path, text, &["name", "kind"].map(column))?;
    table.require(path, &["name", "kind"])?;
    let mut hosts = Vec::new();
    let mut complaints = Complaints::default();
    let mut node = |record: &Record<'_>| -> Result<bool, InputError> {
        let (place, new) = names.place(record, "name")?;
        if !new {
            let name = &names.names[place];
            let message =
                format!("found \"{name}\" a second time; give each node a name of its own");
            return Err(record.refuse("name", message));
        }
        match record.cell("kind") {
            "host" => Ok(true),
            "switch" => Ok(false),
            other => {
                let message = format!("found {other:?}; expected host or switch");
                Err(record.refuse("kind", message))
            }
        }
    };
    for record in table.records(path) {
        hosts.extend(complaints.take(node(&record)));
    }
    complaints.end()?;
    Ok(hosts)
}

fn read_links(
    path: &Path,
    text: &str,
    per_m: Span,
    names: &mut Names,
    complete: bool,
) -> Result<Vec<Said>, InputError> {
    let table = Table::foreign(path, text, &["a", "b", "rate", "length", "delay"].map(column))?;
    table.require(path, &["a", "b", "rate"])?;
    if !table.has("delay") {
        table.require(path, &["length"])?;
    }
    let mut links = Vec::new();
    let mut complaints = Complaints::default();
    let mut link = |record: &Record<'_>| -> Result<Said, InputError> {
        let mut ends = [0; 2];
        for (end, column) in ends.iter_mut().zip(["a", "b"]) {
            let (place, new) = names.place(record, column)?;
            if new && complete {
                let name = &names.names[place];
                let message = format!("found \"{name}\", which the file of nodes does not list");
                return Err(record.refuse(column, message));
            }
            *end = place;
        }
        let rate: BitRate = cell(record, "rate")?;
        if !(LEAST_RATE..=MOST_RATE).contains(&rate) {
            let message = format!("found {rate}; expected {LEAST_RATE} to {MOST_RATE}");
            return Err(record.refuse("rate", message));
        }
        let (column, delay) = match (record.cell("delay"), record.cell("length")) {
            ("", "") => {
                return Err(record.refuse("delay", "is empty, as length is; give one of the two"));
            }
            (_, "") => ("delay", cell(record, "delay")?),
            ("", _) => ("length", along(cell::<Length>(record, "length")?, per_m)),
            _ => {
                return Err(
                    record.refuse("length", "is given together with delay; give one of the two")
                );
            }
        };
        if !(Span::from_ps(1)..=LONGEST_SPAN).contains(&delay) {
            let message = format!("found a delay of {delay}; expected 1 ps to {LONGEST_SPAN}");
            return Err(record.refuse(column, message));
        }
        Ok(Said { ends, rate, delay, line: record.line() })
    };
    for record in table.records(path) {
        links.extend(complaints.take(link(&record)));
    }
    complaints.end()?;
    Ok(links)
}

fn cell<T>(record: &Record<'_>, column: &str) -> Result<T, InputError>
where
    T: std::str::FromStr<Err = lightloom_units::ParseError>,
{
    record.cell(column).parse().map_err(|error| record.refuse(column, error))
}

/// Builds the network. Hosts come before switches, each in the order of their first use.
fn build(
    path: &Path,
    names: &Names,
    hosts: &[bool],
    links: &[Said],
) -> Result<Network, InputError> {
    let of = |host: bool| -> Vec<usize> {
        (0..names.names.len()).filter(|&place| hosts[place] == host).collect()
    };
    let (host_places, switch_places) = (of(true), of(false));
    let mut number = vec![0; names.names.len()];
    for (i, &place) in host_places.iter().chain(&switch_places).enumerate() {
        number[place] = i;
    }
    let called = |places: &[usize]| -> Vec<String> {
        places.iter().map(|&place| names.names[place].to_string()).collect()
    };
    let ends = |said: &Said| said.ends.map(|end| number[end]);
    let listed: Vec<Link> = links
        .iter()
        .map(|said| {
            let [a, b] = ends(said);
            (a, b, said.rate, said.delay)
        })
        .collect();
    let (host_names, switch_names) = (called(&host_places), called(&switch_places));
    edge_list(&host_names, &switch_names, &listed).map_err(|error| {
        let refused = InputError::new(&error).in_file(path);
        let of_node = |name: &str| {
            let place = names.names.iter().position(|n| n.as_str() == name);
            links.iter().rfind(|said| place.is_some_and(|p| said.ends.contains(&p)))
        };
        let said = match &error {
            NetworkError::SelfLoop { link, .. } | NetworkError::HostToHost { link, .. } => {
                links.get(*link)
            }
            NetworkError::HostLinks { host: name, .. }
            | NetworkError::TooManyPorts { switch: name, .. }
            | NetworkError::Unreachable { node: name, .. } => of_node(name),
            _ => None,
        };
        said.map_or(refused.clone(), |said| refused.at_line(said.line).in_field("b"))
    })
}
