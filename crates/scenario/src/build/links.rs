//! Networks of listed links, with unique names of nodes.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Link, Network, NetworkError, edge_list};
use lightloom_topology::hall::{Alike, Name};
use lightloom_units::{BitRate, Length, Span};

use crate::build::delay::along;
use crate::said::Place;
use crate::said::limits::{LEAST_RATE, LONGEST_SPAN, MOST_RATE};

/// A link, as a list says it.
#[derive(Debug, Clone, Copy)]
pub struct LinkRow<'a> {
    /// Line in the list, for messages.
    pub line: u64,
    /// Name of one end.
    pub a: &'a str,
    /// Name of the other end.
    pub b: &'a str,
    /// Rate, the same both ways.
    pub rate: BitRate,
    /// Delay, the same both ways.
    pub delay: Option<Span>,
    /// Length of its fibre, in place of the delay.
    pub length: Option<Length>,
}

/// A list of links, and of nodes where these are listed. Without a list of nodes, a node with one link is a host.
#[derive(Debug)]
pub struct LinkList {
    /// Delay per metre of fibre.
    per_m: Span,
    names: Names,
    /// Whether each node is a host. `None`: nodes are not listed.
    hosts: Option<Vec<bool>>,
    links: Vec<Entry>,
}

/// A link of the list: indices of two names, rate and delay.
#[derive(Debug)]
struct Entry {
    ends: [usize; 2],
    rate: BitRate,
    delay: Span,
    line: u64,
}

const NODES: Place = Place { section: "nodes", number: None };
const LINKS: Place = Place { section: "links", number: None };

impl LinkList {
    /// A list of links without a list of nodes.
    pub fn of_links(per_m: Span) -> Self {
        Self { per_m, names: Names::default(), hosts: None, links: Vec::new() }
    }

    /// A list of links with a list of nodes, which comes first.
    pub fn of_nodes(per_m: Span) -> Self {
        Self { hosts: Some(Vec::new()), ..Self::of_links(per_m) }
    }

    /// Adds a node. `kind` is `host` or `switch`, and `line` its line in the list, for messages.
    ///
    /// # Errors
    /// [`InputError`] at `name` or `kind`.
    pub fn node(&mut self, line: u64, name: &str, kind: &str) -> Result<(), InputError> {
        let (place, is_new) = self.names.place((NODES, "name"), name, line)?;
        if !is_new {
            let name = &self.names.names[place];
            let message =
                format!("found \"{name}\" a second time; give each node a name of its own");
            return Err(NODES.refuse("name", message));
        }
        let is_host = match kind {
            "host" => true,
            "switch" => false,
            other => {
                let message = format!("found {other:?}; expected host or switch");
                return Err(NODES.refuse("kind", message));
            }
        };
        self.hosts.get_or_insert_default().push(is_host);
        Ok(())
    }

    /// Adds a link.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn link(&mut self, row: &LinkRow<'_>) -> Result<(), InputError> {
        let mut ends = [0; 2];
        for (end, (field, name)) in ends.iter_mut().zip([("a", row.a), ("b", row.b)]) {
            let (place, is_new) = self.names.place((LINKS, field), name, row.line)?;
            if is_new && self.hosts.is_some() {
                let name = &self.names.names[place];
                let message = format!("found \"{name}\", which the file of nodes does not list");
                return Err(LINKS.refuse(field, message));
            }
            *end = place;
        }
        let rate = LINKS.within("rate", row.rate, (LEAST_RATE, MOST_RATE))?;
        let (field, delay) = match (row.delay, row.length) {
            (Some(delay), None) => ("delay", delay),
            (None, Some(length)) => ("length", along(length, self.per_m)),
            (None, None) => {
                return Err(LINKS.refuse("delay", "is empty, as length is; give one of the two"));
            }
            (Some(_), Some(_)) => {
                return Err(
                    LINKS.refuse("length", "is given together with delay; give one of the two")
                );
            }
        };
        if !(Span::from_ps(1)..=LONGEST_SPAN).contains(&delay) {
            let message = format!("found a delay of {delay}; expected 1 ps to {LONGEST_SPAN}");
            return Err(LINKS.refuse(field, message));
        }
        self.links.push(Entry { ends, rate, delay, line: row.line });
        Ok(())
    }

    /// The network of the list. Hosts come before switches, each in the order of their first use.
    ///
    /// # Errors
    /// [`InputError`] if the links are no network, at the line of a link that shows it where there is one.
    pub fn network(self) -> Result<Network, InputError> {
        let hosts = self.hosts.unwrap_or_else(|| {
            let mut degrees = vec![0_u64; self.names.names.len()];
            self.links.iter().flat_map(|link| link.ends).for_each(|end| degrees[end] += 1);
            degrees.into_iter().map(|degree| degree == 1).collect()
        });
        build(&self.names, &hosts, &self.links)
    }
}

/// Names in the order of their first use. No two differ only in case, blanks or Unicode form.
#[derive(Debug, Default)]
struct Names {
    names: Vec<Name>,
    /// Index and line of each name, by its form in lower case.
    known: BTreeMap<String, (usize, u64)>,
}

impl Names {
    /// The index of a name, and whether it is new.
    fn place(
        &mut self,
        (place, field): (Place, &'static str),
        said: &str,
        line: u64,
    ) -> Result<(usize, bool), InputError> {
        let name = Name::new(said).map_err(|error| place.refuse(field, error))?;
        let folded = name.form().to_lowercase();
        if let Some(&(known, line)) = self.known.get(&folded) {
            if let Some(Alike { found, other, only_in }) = name.alike(&self.names[known]) {
                let message = format!(
                    "found \"{found}\", which differs from \"{other}\" of line {line} only in {only_in}; \
                     write one node in one way, and give two nodes different names"
                );
                return Err(place.refuse(field, message));
            }
            return Ok((known, false));
        }
        self.known.insert(folded, (self.names.len(), line));
        self.names.push(name);
        Ok((self.names.len() - 1, true))
    }
}

fn build(names: &Names, hosts: &[bool], links: &[Entry]) -> Result<Network, InputError> {
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
    let listed: Vec<Link> = links
        .iter()
        .map(|link| {
            let [a, b] = link.ends.map(|end| number[end]);
            (a, b, link.rate, link.delay)
        })
        .collect();
    let (host_names, switch_names) = (called(&host_places), called(&switch_places));
    edge_list(&host_names, &switch_names, &listed).map_err(|error| {
        let of_node = |name: &str| {
            let place = names.names.iter().position(|n| n.as_str() == name);
            links.iter().rfind(|link| place.is_some_and(|p| link.ends.contains(&p)))
        };
        let shows = match &error {
            NetworkError::SelfLoop { link, .. } | NetworkError::HostToHost { link, .. } => {
                links.get(*link)
            }
            NetworkError::HostLinks { host: name, .. }
            | NetworkError::TooManyPorts { switch: name, .. }
            | NetworkError::Unreachable { node: name, .. } => of_node(name),
            _ => None,
        };
        match shows {
            Some(link) => LINKS.refuse("b", &error).at_line(link.line),
            None => InputError::new(&error),
        }
    })
}
