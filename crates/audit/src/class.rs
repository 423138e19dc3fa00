//! The lossless class that switches have, from their files of SONiC.

use std::collections::BTreeSet;
use std::path::Path;

use lightloom_dialects::folder::switch_name;
use lightloom_input::text;
use lightloom_request::{InputError, Texts};
use lightloom_switching::config::{PortUse, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_switching::lint::class::{ClassAtPort, ClassAtSwitch, PortOfClass};
use lightloom_switching::lint::lossless::port_name;
use lightloom_switching::lossless::{Lossless, Marking};
use lightloom_switching::unicast;
use lightloom_units::DataSize;
use serde_json::Value;

/// Largest file of a switch, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The class that each switch has: from `tor-N.config_db.json` of a folder, as `configs` wrote it or as the switch has
/// it now.
///
/// # Errors
/// [`InputError`] if a file is missing, or if a value of it is not what SONiC's models allow.
pub fn read_class(
    configs: &Configs<'_>,
    lossless: &Lossless,
    switches: &[SwitchConfig],
    folder: &Path,
    texts: &Texts,
) -> Result<Vec<ClassAtSwitch>, InputError> {
    let of = |config: &SwitchConfig| {
        let name = format!("{}.config_db.json", switch_name(config.tor, switches.len()));
        let path = folder.join(name);
        let text = text::read_up_to(texts, &path, MAX_BYTES)?;
        let tables: Value = serde_json::from_str(&text).map_err(|error| {
            let message = format!("is no JSON: {error}");
            InputError::new(message).in_file(&path).at_line(error.line() as u64)
        })?;
        let file = File { path: &path, tables, priority: lossless.class.priority };
        file.class(configs, config)
    };
    switches.iter().map(of).collect()
}

/// A file of a switch.
struct File<'a> {
    path: &'a Path,
    tables: Value,
    /// Of the class.
    priority: u8,
}

impl File<'_> {
    fn refuse(&self, place: &[&str], message: String) -> InputError {
        InputError::new(message).in_file(self.path).in_field(place.join("."))
    }

    /// A field of a row. `None`: there is no such table, row or field.
    fn field(&self, place: [&str; 3]) -> Result<Option<&str>, InputError> {
        let mut at = &self.tables;
        for (depth, key) in place.into_iter().enumerate() {
            let Some(rows) = at.as_object() else {
                let message = "expected an object".to_owned();
                return Err(self.refuse(&place[..depth], message));
            };
            let Some(next) = rows.get(key) else { return Ok(None) };
            at = next;
        }
        let text = at.as_str();
        let wrong = || {
            self.refuse(&place, format!("found {at}; expected a text, as in all tables of SONiC"))
        };
        text.map(Some).ok_or_else(wrong)
    }

    fn number<T: std::str::FromStr>(&self, place: [&str; 3]) -> Result<Option<T>, InputError> {
        let Some(text) = self.field(place)? else { return Ok(None) };
        let read = text.parse();
        let wrong = |_| self.refuse(&place, format!("found {text:?}; expected a whole number"));
        read.map(Some).map_err(wrong)
    }

    fn bytes(&self, place: [&str; 3]) -> Result<DataSize, InputError> {
        Ok(DataSize::from_bytes(self.number(place)?.unwrap_or(0)))
    }

    /// The keys of a table.
    fn keys(&self, table: &str) -> impl Iterator<Item = &str> {
        self.tables[table].as_object().into_iter().flat_map(|rows| rows.keys().map(String::as_str))
    }

    /// The field of the row of a port and of a range of queues or groups in which the class is.
    fn of_queue(&self, table: &str, port: &str, field: &str) -> Result<Option<&str>, InputError> {
        let priority = self.priority;
        let has = |range: &str| match range.split_once('-') {
            Some((from, to)) => {
                let ends = from.parse::<u8>().ok().zip(to.parse::<u8>().ok());
                ends.is_some_and(|(from, to)| (from..=to).contains(&priority))
            }
            None => range.parse() == Ok(priority),
        };
        let is_row = |key: &&str| {
            key.rsplit_once('|').is_some_and(|(name, range)| name == port && has(range))
        };
        match self.keys(table).find(is_row) {
            Some(key) => self.field([table, key, field]),
            None => Ok(None),
        }
    }

    /// Whether a list of priorities names the class; or any one.
    fn names_class(&self, port: &str, field: &str, any: bool) -> Result<bool, InputError> {
        let list = self.field(["PORT_QOS_MAP", port, field])?.unwrap_or_default();
        let mut named = list.split(',').filter(|one| !one.is_empty());
        Ok(named.any(|one| any || one.parse() == Ok(self.priority)))
    }

    fn class(
        &self,
        configs: &Configs<'_>,
        config: &SwitchConfig,
    ) -> Result<ClassAtSwitch, InputError> {
        let tor = config.tor;
        let mut ports = Vec::new();
        let mut planned: BTreeSet<&str> = BTreeSet::new();
        for port in &config.ports {
            if let (PortUse::Fabric { .. }, Some(name)) = (port.used_for, &port.interface) {
                planned.insert(name.as_str());
                ports.push(self.at_port(name.as_str(), PortOfClass::Fibre)?);
            }
        }
        for port in unicast::ports(configs, tor) {
            let needs = PortOfClass::Unicast(port.headroom.map(|headroom| headroom.size));
            let Some(name) = port.interface else {
                let what = port_name(configs, &port);
                let message = format!(
                    "nothing says which interface {what} of ToR {tor} is; name a switch model in the design"
                );
                return Err(InputError::new(message));
            };
            planned.insert(name.as_str());
            ports.push(self.at_port(name.as_str(), needs)?);
        }
        let others = self.keys("PORT_QOS_MAP").filter(|name| *name != "global");
        for name in others.filter(|name| !planned.contains(name)) {
            ports.push(self.at_port(name, PortOfClass::Unplanned)?);
        }
        let (shared, reserved, exponent) = self.buffer()?;
        Ok(ClassAtSwitch { tor, shared, reserved, exponent, ports })
    }

    fn at_port(&self, name: &str, used_for: PortOfClass) -> Result<ClassAtPort, InputError> {
        let is_fibre = used_for == PortOfClass::Fibre;
        let profile = self.of_queue("BUFFER_PG", name, "profile")?;
        let headroom = match profile {
            Some(profile) => self.bytes(["BUFFER_PROFILE", profile, "xoff"])?,
            None => DataSize::ZERO,
        };
        let marks = self.of_queue("QUEUE", name, "wred_profile")?;
        let watched = self.field(["PFC_WD", name, "action"])?.is_some();
        Ok(ClassAtPort {
            name: name.to_owned(),
            used_for,
            pauses: self.names_class(name, "pfc_enable", is_fibre)?,
            is_watched: watched && self.names_class(name, "pfcwd_sw_enable", false)?,
            headroom,
            marking: marks.map(|profile| self.marking(profile)).transpose()?.flatten(),
            mtu: self.number(["PORT", name, "mtu"])?,
        })
    }

    /// The marks of a profile, for green packets. `None`: it marks none of them.
    fn marking(&self, profile: &str) -> Result<Option<Marking>, InputError> {
        let table = "WRED_PROFILE";
        let ecn = self.field([table, profile, "ecn"])?.unwrap_or("ecn_none");
        if !(ecn == "ecn_all" || ecn.contains("green")) {
            return Ok(None);
        }
        // Thresholds of marks alone come before those that also drop.
        let either = |own: &str, shared: &str| -> Result<Option<u64>, InputError> {
            let own = self.number([table, profile, own])?;
            if own.is_some() { Ok(own) } else { self.number([table, profile, shared]) }
        };
        let min = either("ecn_green_min_threshold", "green_min_threshold")?;
        let max = either("ecn_green_max_threshold", "green_max_threshold")?;
        let percent = either("ecn_green_mark_probability", "green_drop_probability")?;
        let Some((min, max)) = min.zip(max) else { return Ok(None) };
        let percent = u8::try_from(percent.unwrap_or(100)).unwrap_or(u8::MAX);
        let [min, max] = [min, max].map(DataSize::from_bytes);
        Ok(Some(Marking { min, max, percent }))
    }

    /// What all share of the pool of lossless packets, what priority groups have for themselves, and the least exponent
    /// of the groups of the class.
    fn buffer(&self) -> Result<(Option<DataSize>, DataSize, Option<i8>), InputError> {
        let (mut reserved, mut exponent) = (0_u64, None::<i8>);
        let mut pools = BTreeSet::new();
        for key in self.keys("BUFFER_PG") {
            let Some(profile) = self.field(["BUFFER_PG", key, "profile"])? else { continue };
            let groups = self.groups(key)?;
            let row = |field| ["BUFFER_PROFILE", profile, field];
            let size = self.bytes(row("size"))?.as_bytes();
            let xoff = self.bytes(row("xoff"))?.as_bytes();
            if xoff == 0 {
                continue;
            }
            let pool = self.field(row("pool"))?;
            pools.extend(pool);
            // A pool with headroom of its own gives it to groups; else each group has what its profile says.
            let from_pool = match pool {
                Some(pool) => self.bytes(["BUFFER_POOL", pool, "xoff"])?.as_bytes(),
                None => 0,
            };
            let own = if from_pool > 0 { size.saturating_add(xoff) } else { size.max(xoff) };
            reserved = reserved.saturating_add(own.saturating_mul(groups));
            let least: Option<i8> = self.number(row("dynamic_th"))?;
            exponent = exponent.map_or(least, |had| Some(had.min(least.unwrap_or(had))));
        }
        let mut shared = None::<u64>;
        for pool in pools {
            let size: Option<u64> = self.number(["BUFFER_POOL", pool, "size"])?;
            shared = size.map(|size| shared.unwrap_or(0).saturating_add(size)).or(shared);
        }
        Ok((shared.map(DataSize::from_bytes), DataSize::from_bytes(reserved), exponent))
    }

    /// How many priority groups a key such as `Ethernet0|3-4` names.
    fn groups(&self, key: &str) -> Result<u64, InputError> {
        let range = key.rsplit_once('|').map_or("", |(_, range)| range);
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let ends = from.parse::<u64>().ok().zip(to.parse::<u64>().ok());
        ends.filter(|(from, to)| from <= to).map(|(from, to)| to - from + 1).ok_or_else(|| {
            self.refuse(
                &["BUFFER_PG", key],
                "expected a key such as Ethernet0|3 or Ethernet0|3-4".to_owned(),
            )
        })
    }
}
