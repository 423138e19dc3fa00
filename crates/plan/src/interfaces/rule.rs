//! Which interfaces further ports take, so that a plan can grow by the rule that named its ports.

use std::collections::BTreeMap;

use lightloom_topology::hall::Name;
use serde::{Deserialize, Serialize};

use crate::interfaces::tor_ports::TorPorts;
use lightloom_design::devices::name::InterfaceName;

/// For each rack the interfaces that were free and fit when the plan was made, in the order in which ports take them.
/// Those that the fabric took are among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PortRule {
    /// Lists of interfaces. Equal ones are kept once.
    lists: Vec<Vec<InterfaceName>>,
    /// What is known of a rack.
    racks: BTreeMap<Name, OfRack>,
    /// The list of racks of which nothing is known. `None`: they have no ToR.
    others: Option<usize>,
}

/// The ToR of a rack.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OfRack {
    /// Name of the device. `None`: no inventory names it.
    device: Option<Name>,
    /// Position of its list.
    list: usize,
}

impl PortRule {
    /// Notes the ToR of a rack, and the interfaces that its ports can take.
    pub(super) fn add(&mut self, rack: Name, device: Option<Name>, list: Vec<InterfaceName>) {
        let list = self.number(list);
        self.racks.insert(rack, OfRack { device, list });
    }

    /// Notes the interfaces of a ToR in any rack: those of the switch model.
    pub(super) fn add_others(&mut self, list: Vec<InterfaceName>) {
        self.others = Some(self.number(list));
    }

    fn number(&mut self, list: Vec<InterfaceName>) -> usize {
        let there = self.lists.iter().position(|other| *other == list);
        there.unwrap_or_else(|| {
            self.lists.push(list);
            self.lists.len() - 1
        })
    }

    /// The interfaces of this many ports of the ToR of a rack. Those of `kept` stay, and further ports take the
    /// first ones that are left.
    ///
    /// # Errors
    /// What is missing.
    pub fn ports(
        &self,
        rack: &Name,
        kept: Option<&TorPorts>,
        count: usize,
    ) -> Result<TorPorts, String> {
        let mut interfaces = kept.map_or_else(Vec::new, |kept| kept.interfaces.clone());
        interfaces.truncate(count);
        let known = self.racks.get(rack);
        let device =
            kept.map_or_else(|| known.and_then(|of| of.device.clone()), |kept| kept.device.clone());
        if interfaces.len() < count {
            let list = known.map(|of| of.list).or(self.others);
            let Some(list) = list.and_then(|list| self.lists.get(list)) else {
                return Err(format!(
                    "the ToR in rack \"{rack}\" needs {count} interfaces, but the plan does not know its device; its \
                     files of devices and interfaces had no ToR there"
                ));
            };
            let left: Vec<InterfaceName> =
                list.iter().filter(|name| !interfaces.contains(name)).cloned().collect();
            interfaces.extend(left.into_iter().take(count - interfaces.len()));
            if interfaces.len() < count {
                return Err(format!(
                    "the ToR in rack \"{rack}\" needs {count} interfaces; {} were free and fitted when the plan was \
                        made",
                    list.len()
                ));
            }
        }
        Ok(TorPorts { device, interfaces })
    }
}

/// The rule in `plan.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortRulePart {
    /// Lists of interfaces, in the order in which ports take them.
    lists: Vec<Vec<InterfaceName>>,
    /// The ToR of each rack that the plan knows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    racks: BTreeMap<String, OfRackPart>,
    /// Position of the list of all other racks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    others: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfRackPart {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    device: Option<String>,
    /// Position of its list.
    list: usize,
}

impl PortRulePart {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The rule for `plan.json`.
    pub fn of(rule: &PortRule) -> Self {
        let part = |of: &OfRack| OfRackPart {
            device: of.device.as_ref().map(ToString::to_string),
            list: of.list,
        };
        Self {
            lists: rule.lists.clone(),
            racks: rule.racks.iter().map(|(rack, of)| (rack.to_string(), part(of))).collect(),
            others: rule.others,
        }
    }

    /// Restores the rule.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn restore(&self) -> Result<PortRule, String> {
        let name = |text: &String| Name::new(text).map_err(|error| error.to_string());
        let known = |list: usize| match list < self.lists.len() {
            true => Ok(list),
            false => Err(format!("found list {list}; there are {} lists", self.lists.len())),
        };
        let rack = |(rack, of): (&String, &OfRackPart)| {
            let device = of.device.as_ref().map(name).transpose()?;
            Ok((name(rack)?, OfRack { device, list: known(of.list)? }))
        };
        Ok(PortRule {
            lists: self.lists.clone(),
            racks: self.racks.iter().map(rack).collect::<Result<_, String>>()?,
            others: self.others.map(known).transpose()?,
        })
    }
}
