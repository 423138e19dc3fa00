//! Files of groups: the servers of the ToRs, and which of them belong to which group.

mod interfaces;
mod lossless;

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::path::Path;

use lightloom_design::devices::name::InterfaceName;
use lightloom_plan::naming::{Around, Misnamed};
use lightloom_plan::project::Project;
use lightloom_request::{InputError, Texts};
use lightloom_switching::address::{Addresses, Prefix};
use lightloom_switching::config::MOST_COPIED;
use lightloom_switching::encoding::Encoding;
use lightloom_switching::lossless::{Lossless, UnicastLink};
use lightloom_switching::server::{Group, ServerId, Servers};
use lightloom_topology::{RackId, TorId};

use crate::rows::{Document, Row};
use crate::text;

/// Largest size of a file of groups.
const MOST_BYTES: u64 = 256 << 20;
/// The most ports of a switch of an unknown model: more than any on sale has.
const MOST_PORTS: u32 = 4096;
/// Longest name of a server or group, in bytes.
const LONGEST: usize = 64;
/// The member that stands for all servers.
const ALL: &str = "all";
/// The range of servers, if the file names none.
const SERVERS: &str = "10.0.0.0/8";
/// The range of groups, if the file names none.
const GROUPS: &str = "239.0.0.0/8";

/// Addresses, servers with their groups, and the lossless class of a fabric, for an encoding. Without a file there are
/// no servers.
///
/// # Errors
/// [`InputError`] at the first wrong line.
pub fn read(
    project: &Project,
    encoding: Encoding,
    file: Option<&Path>,
    texts: &Texts,
) -> Result<(Addresses, Servers, Option<Lossless>), InputError> {
    let Some(file) = file else {
        let text = "version = 1\n";
        return parse(project, encoding, &Document::parse(Path::new("groups"), text)?);
    };
    let text = text::read_up_to(texts, file, MOST_BYTES)?;
    parse(project, encoding, &Document::parse(file, &text)?)
}

fn parse(
    project: &Project,
    encoding: Encoding,
    document: &Document<'_>,
) -> Result<(Addresses, Servers, Option<Lossless>), InputError> {
    let root = document.root();
    root.only_these(&[
        "version",
        "[addresses]",
        "[servers]",
        "[[server]]",
        "[[group]]",
        "[lossless]",
        "[[uplink]]",
    ])?;
    if root.required_number("version", "1")? != 1 {
        return Err(root.refuse("version", "expected 1"));
    }
    let addresses = addresses(project, encoding, &root)?;
    let mut reader = Reader {
        project,
        addresses: &addresses,
        servers: Servers::default(),
        lossless: lossless::class(project, &root)?,
        named: BTreeMap::new(),
    };
    reader.read_servers(&root)?;
    reader.read_groups(&root)?;
    let (servers, mut lossless) = (reader.servers, reader.lossless);
    let uplinks = lossless::uplinks(project, &root, &servers, lossless.as_ref())?;
    if let Some(lossless) = &mut lossless {
        lossless.uplinks = uplinks;
    }
    Ok((addresses, servers, lossless))
}

fn addresses(
    project: &Project,
    encoding: Encoding,
    root: &Row<'_>,
) -> Result<Addresses, InputError> {
    let row = root.table("addresses", "addresses")?;
    if let Some(row) = &row {
        row.only_these(&["servers", "groups"])?;
    }
    let range = |field: &str, usual: &str| -> Result<Prefix, InputError> {
        let said = row.as_ref().map(|row| row.text(field)).transpose()?.flatten();
        let read: Result<Prefix, String> = said.unwrap_or(usual).parse();
        read.map_err(|message| row.as_ref().unwrap_or(root).refuse(field, message))
    };
    let (servers, groups) = (range("servers", SERVERS)?, range("groups", GROUPS)?);
    let codes = encoding.codes(project);
    Addresses::new(servers, groups, encoding.field(), codes)
        .map_err(|error| root.refuse("addresses", error))
}

/// Reads servers and groups.
struct Reader<'a> {
    project: &'a Project,
    addresses: &'a Addresses,
    servers: Servers,
    lossless: Option<Lossless>,
    named: BTreeMap<String, ServerId>,
}

impl Reader<'_> {
    fn read_servers(&mut self, root: &Row<'_>) -> Result<(), InputError> {
        let rows = root.tables("server")?;
        let each = root.table("servers", "servers")?;
        if let (Some(each), Some(_)) = (&each, rows.first()) {
            return Err(each.refuse("per_tor", "there is also [[server]]; use one of the two"));
        }
        if let Some(each) = each {
            each.only_these(&["per_tor", "rate", "cable"])?;
            let link = lossless::link(&each, self.lossless.as_ref())?;
            let count = each.required_number("per_tor", "2")?;
            for tor in self.project.fabric().tor_ids() {
                self.check_room(tor, count).map_err(|message| each.refuse("per_tor", message))?;
                let interfaces = interfaces::free(self.project, tor, count);
                let interfaces = interfaces.map_err(|message| each.refuse("per_tor", message))?;
                for (number, interface) in (1..=count).zip(interfaces) {
                    interfaces::check_rate(self.project, &each, (interface.as_ref(), link))?;
                    let id = self.servers.add(format!("tor:{tor}/{number}"), tor, interface);
                    self.set_link(id, link);
                }
            }
        }
        let mut taken: BTreeSet<(RackId, InterfaceName)> = BTreeSet::new();
        for row in rows {
            row.only_these(&["name", "tor", "interface", "rate", "cable"])?;
            let name = name(&row)?;
            if name == ALL {
                return Err(row.refuse("name", "\"all\" stands for all servers; take another name"));
            }
            let tor = self.tor(&row)?;
            let count = u32::try_from(self.servers.of_tor(tor).count()).unwrap_or(u32::MAX);
            self.check_room(tor, count.saturating_add(1))
                .map_err(|message| row.refuse("tor", message))?;
            let interface = interfaces::of_row(self.project, &row, tor)?;
            if let Some(interface) = &interface
                && !taken.insert((self.project.placement().rack(tor), interface.clone()))
            {
                let message = format!("{interface} of ToR {tor} has another server");
                return Err(row.refuse("interface", message));
            }
            let link = lossless::link(&row, self.lossless.as_ref())?;
            interfaces::check_rate(self.project, &row, (interface.as_ref(), link))?;
            let id = self.servers.add(name.to_owned(), tor, interface);
            self.set_link(id, link);
            if self.named.insert(name.to_owned(), id).is_some() {
                return Err(row.refuse(
                    "name",
                    format!("found {name:?} twice; each server needs a name of its own"),
                ));
            }
        }
        Ok(())
    }

    fn set_link(&mut self, id: ServerId, link: Option<UnicastLink>) {
        if let Some((lossless, link)) = self.lossless.as_mut().zip(link) {
            lossless.links.insert(id, link);
        }
    }

    fn tor(&self, row: &Row<'_>) -> Result<TorId, InputError> {
        let said =
            row.text("tor")?.ok_or_else(|| row.missing("tor", "\"rack:R1.01\" or \"tor:0\""))?;
        self.project.tor(said).map_err(|error| row.refuse("tor", error.message))
    }

    /// Checks that a ToR has enough ports and addresses for this number of servers.
    fn check_room(&self, tor: TorId, servers: u32) -> Result<(), String> {
        let most = self.addresses.most_servers();
        if servers > most {
            return Err(format!(
                "ToR {tor} has {servers} servers; the addresses have room for {most}"
            ));
        }
        let model = self.project.platform().model();
        let (name, ports) = match model {
            Some(model) => (model.name.as_str(), model.ports.iter().map(|group| group.count).sum()),
            None => ("the largest switch", MOST_PORTS),
        };
        if self.project.is_logical() {
            return self.check_switch(tor, servers, (name, ports));
        }
        let fabric = self.project.fabric().end_of_ports(tor);
        let beside = self.project.platform().accelerator_ports();
        if beside > 0 && servers > MOST_COPIED {
            return Err(format!(
                "ToR {tor} has {servers} servers; an accelerator names {MOST_COPIED} by VLAN"
            ));
        }
        if servers.saturating_add(fabric).saturating_add(beside) > ports {
            let accelerator = match beside {
                0 => String::new(),
                beside => format!(", {beside} for the accelerator"),
            };
            return Err(format!(
                "ToR {tor} needs {fabric} ports for the fabric{accelerator} and {servers} for servers; {name} has \
                 {ports}"
            ));
        }
        Ok(())
    }

    /// Checks that the switch of a logical ToR has ports for all its logical ToRs. `servers` is the number of servers
    /// of this ToR. Its other ToRs count with the servers that have been read.
    fn check_switch(
        &self,
        tor: TorId,
        servers: u32,
        (name, ports): (&str, u32),
    ) -> Result<(), String> {
        let (fabric, placement) = (self.project.fabric(), self.project.placement());
        let known = |tor| u32::try_from(self.servers.of_tor(tor).count()).unwrap_or(u32::MAX);
        let others = placement.beside(tor).filter(|&other| other != tor).map(known);
        let servers = others.fold(servers, u32::saturating_add);
        let of_fabric = placement.beside(tor).map(|tor| fabric.end_of_ports(tor)).sum::<u32>();
        if servers.saturating_add(of_fabric) <= ports {
            return Ok(());
        }
        Err(format!(
            "the switch of ToR {tor} needs {of_fabric} ports for the fabric and {servers} for servers, of all its \
             logical ToRs; {name} has {ports}"
        ))
    }

    fn read_groups(&mut self, root: &Row<'_>) -> Result<(), InputError> {
        let rows = root.tables("group")?;
        let mut names = BTreeSet::new();
        let mut said: BTreeMap<Ipv4Addr, String> = BTreeMap::new();
        for row in &rows {
            let Some(address) = self.address(row)? else { continue };
            if let Some(other) = said.insert(address, name(row)?.to_owned()) {
                let message = format!("{address} is also that of group {other:?}");
                return Err(row.refuse("address", message));
            }
        }
        let mut next = 1_u32;
        for row in &rows {
            row.only_these(&["name", "address", "transport", "members"])?;
            let name = name(row)?;
            if !names.insert(name) {
                return Err(row.refuse(
                    "name",
                    format!("found {name:?} twice; each group needs a name of its own"),
                ));
            }
            let address = match self.address(row)? {
                Some(address) => address,
                None => loop {
                    if u64::from(next) >= self.addresses.most_groups() {
                        let most = self.addresses.most_groups() - 1;
                        return Err(row
                            .refuse("name", format!("the addresses have room for {most} groups")));
                    }
                    let address = self.addresses.group(next);
                    next += 1;
                    if !said.contains_key(&address) {
                        break address;
                    }
                },
            };
            let members = self.members(row)?;
            let is_reliable = self.is_reliable(row)?;
            self.servers.add_group(Group { name: name.to_owned(), address, is_reliable, members });
        }
        Ok(())
    }

    /// Whether a group has one reliable connection. Words as in a scenario.
    fn is_reliable(&self, row: &Row<'_>) -> Result<bool, InputError> {
        let is_reliable = row.choice("transport", &[("datagram", false), ("rc", true)])?;
        if is_reliable == Some(true) && self.project.platform().accelerator().is_none() {
            let message = "found rc, which accelerators beside the switches serve, and the design has none; name one \
                           (tor.accelerator), or say datagram";
            return Err(row.refuse("transport", message));
        }
        Ok(is_reliable.unwrap_or(false))
    }

    fn address(&self, row: &Row<'_>) -> Result<Option<Ipv4Addr>, InputError> {
        let Some(text) = row.text("address")? else { return Ok(None) };
        let refuse = |message: String| row.refuse("address", message);
        let address: Ipv4Addr = text.parse().map_err(|_| {
            refuse(format!("found {text:?}; expected an address such as \"239.0.0.1\""))
        })?;
        let groups = self.addresses.groups();
        if !groups.contains(address) {
            return Err(refuse(format!("found {address}; the groups have {groups}")));
        }
        if !self.addresses.is_group(address) {
            let (one, two) = (self.addresses.group(1), self.addresses.group(2));
            return Err(refuse(format!(
                "found {address}; the low {} bits are for the sending ToR, so expected {one}, {two} …",
                self.addresses.codes().bits()
            )));
        }
        Ok(Some(address))
    }

    fn members(&self, row: &Row<'_>) -> Result<BTreeSet<ServerId>, InputError> {
        let said = row.list("members")?.ok_or_else(|| row.missing("members", "[\"all\"]"))?;
        let mut members = BTreeSet::new();
        for text in said {
            let found = self.member(text).map_err(|error| row.refuse("members", error))?;
            if found.is_empty() {
                return Err(row.refuse("members", format!("{text:?} has no servers")));
            }
            for id in found {
                if !members.insert(id) {
                    let name = &self.servers.all()[id.0].name;
                    return Err(row.refuse(
                        "members",
                        format!("server {name:?} is named twice, the second time by {text:?}"),
                    ));
                }
            }
        }
        Ok(members)
    }

    /// The servers of `all`, of a server's name, of a ToR, or of a ToR and number: `tor:5/1`.
    fn member(&self, text: &str) -> Result<Vec<ServerId>, String> {
        if text == ALL {
            return Ok((0..self.servers.all().len()).map(ServerId).collect());
        }
        if let Some(&id) = self.named.get(text) {
            return Ok(vec![id]);
        }
        let (tor, number) = match text.rsplit_once('/') {
            Some((tor, number)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                (tor, number.parse::<u32>().ok())
            }
            _ => (text, None),
        };
        let tor = self.project.tor_within(tor, Around::default());
        let tor = tor.map_err(|misnamed| match misnamed {
            Misnamed::NotOne(error) => error.message.to_string(),
            Misnamed::Nothing(_) => format!(
                "found {text:?}; expected \"all\", the name of a server, a ToR such as \
            \"tor:5\" or \"rack:R1.01\", or one of its servers such as \"tor:5/1\""
            ),
        })?;
        let of_tor = self.servers.of_tor(tor);
        Ok(of_tor
            .filter(|(_, server)| number.is_none_or(|number| number == server.number))
            .map(|(id, _)| id)
            .collect())
    }
}

/// The name of a server or group: plain, so that it can stand in any configuration.
fn name<'a>(row: &'a Row<'_>) -> Result<&'a str, InputError> {
    let name = row.text("name")?.ok_or_else(|| row.missing("name", "\"gpu-1\""))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(plain) {
        let message = format!("found {name:?}; take 1 to {LONGEST} letters, digits, -, _ and .");
        return Err(row.refuse("name", message));
    }
    Ok(name)
}
