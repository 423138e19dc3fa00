//! Which interfaces further ports take, so that a plan can grow by the rule that named its ports.

use std::collections::BTreeMap;

use lightloom_topology::hall::Name;
use serde::{Deserialize, Serialize};

use crate::devices::name::InterfaceName;
use crate::devices::tor_ports::TorPorts;

/// For each rack the interfaces that were free and fit when the plan was made, in the order in which ports take them.
/// Those that the fabric took are among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PortRule {
    /// Lists of interfaces. Equal ones are kept once.
    lists: Vec<Vec<InterfaceName>>,
    /// What is known of a rack.
    racks: BTreeMap<Name, OfRack>,
    /// The lists of racks of which nothing is known. `None`: they have no ToR.
    others: Option<ListsOf>,
}

/// The interfaces of a ToR that were free and fit when the plan was made, in the order in which ports take them.
#[derive(Debug)]
pub struct Fitting {
    /// For fabric ports.
    pub fabric: Vec<InterfaceName>,
    /// For ports to an accelerator. `None`: there is none.
    pub accelerator: Option<Vec<InterfaceName>>,
}

/// The ToR of a rack.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OfRack {
    /// Name of the device. `None`: no inventory names it.
    device: Option<Name>,
    /// Positions of its lists.
    lists: ListsOf,
}

/// Positions of the lists of a ToR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ListsOf {
    /// Interfaces that fabric ports take.
    fabric: usize,
    /// Interfaces that can lead to an accelerator. `None`: there is none.
    accelerator: Option<usize>,
}

impl PortRule {
    /// Notes the ToR of a rack, and the interfaces that its ports can take.
    pub fn add(&mut self, rack: Name, device: Option<Name>, lists: Fitting) {
        let lists = self.number_all(lists);
        self.racks.insert(rack, OfRack { device, lists });
    }

    /// Notes the interfaces of a ToR in any rack: those of the switch model.
    pub fn add_others(&mut self, lists: Fitting) {
        self.others = Some(self.number_all(lists));
    }

    fn number_all(&mut self, lists: Fitting) -> ListsOf {
        let Fitting { fabric, accelerator } = lists;
        let fabric = self.number(fabric);
        ListsOf { fabric, accelerator: accelerator.map(|list| self.number(list)) }
    }

    fn number(&mut self, list: Vec<InterfaceName>) -> usize {
        let there = self.lists.iter().position(|other| *other == list);
        there.unwrap_or_else(|| {
            self.lists.push(list);
            self.lists.len() - 1
        })
    }

    /// The interfaces of `count` fabric ports of the ToR of a rack, and of as many as its accelerator has. Those of
    /// `kept` stay, and further ports take the first ones that are left.
    ///
    /// # Errors
    /// What is missing.
    pub fn ports(
        &self,
        rack: &Name,
        kept: Option<&TorPorts>,
        count: usize,
        to_accelerator: usize,
    ) -> Result<TorPorts, String> {
        let mut interfaces = kept.map_or_else(Vec::new, |kept| kept.interfaces.clone());
        interfaces.truncate(count);
        let mut accelerator = kept.map_or_else(Vec::new, |kept| kept.accelerator.clone());
        let known = self.racks.get(rack);
        let device =
            kept.map_or_else(|| known.and_then(|of| of.device.clone()), |kept| kept.device.clone());
        let lists = known.map(|of| of.lists).or(self.others);
        if interfaces.len() < count {
            let Some(list) = lists.and_then(|lists| self.lists.get(lists.fabric)) else {
                return Err(format!(
                    "the ToR in rack \"{rack}\" needs {count} interfaces, but the plan does not know its device; its \
                     files of devices and interfaces had no ToR there"
                ));
            };
            let taken =
                |name: &&InterfaceName| interfaces.contains(*name) || accelerator.contains(*name);
            let left: Vec<InterfaceName> =
                list.iter().filter(|name| !taken(name)).cloned().collect();
            interfaces.extend(left.into_iter().take(count - interfaces.len()));
            if interfaces.len() < count {
                return Err(format!(
                    "the ToR in rack \"{rack}\" needs {count} interfaces; {} were free and fitted when the plan was \
                        made",
                    list.len()
                ));
            }
        }
        if accelerator.len() < to_accelerator {
            let list = lists.and_then(|lists| self.lists.get(lists.accelerator?));
            let left = list.into_iter().flatten().filter(|name| !interfaces.contains(name));
            accelerator = last(left.cloned().collect(), to_accelerator).ok_or_else(|| {
                format!(
                    "the ToR in rack \"{rack}\" needs {to_accelerator} interfaces to its accelerator; fewer were free \
                     and fitted when the plan was made"
                )
            })?;
        }
        Ok(TorPorts { device, interfaces, accelerator })
    }
}

/// The last ones of a list, in its order. `None`: there are fewer. An accelerator takes them, so that the first ones
/// stay for a fabric that grows.
pub fn last<T>(mut list: Vec<T>, count: usize) -> Option<Vec<T>> {
    let at = list.len().checked_sub(count)?;
    Some(list.split_off(at))
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
    /// Position of the list of all other racks for ports to an accelerator.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    others_accelerator: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfRackPart {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    device: Option<String>,
    /// Position of its list.
    list: usize,
    /// Position of its list for ports to an accelerator.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    accelerator: Option<usize>,
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
            list: of.lists.fabric,
            accelerator: of.lists.accelerator,
        };
        Self {
            lists: rule.lists.clone(),
            racks: rule.racks.iter().map(|(rack, of)| (rack.to_string(), part(of))).collect(),
            others: rule.others.map(|lists| lists.fabric),
            others_accelerator: rule.others.and_then(|lists| lists.accelerator),
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
        let both = |fabric: usize, accelerator: Option<usize>| -> Result<ListsOf, String> {
            let accelerator = accelerator.map(known).transpose()?;
            Ok(ListsOf { fabric: known(fabric)?, accelerator })
        };
        let rack = |(rack, of): (&String, &OfRackPart)| {
            let device = of.device.as_ref().map(name).transpose()?;
            Ok((name(rack)?, OfRack { device, lists: both(of.list, of.accelerator)? }))
        };
        let others = self.others.map(|fabric| both(fabric, self.others_accelerator));
        Ok(PortRule {
            lists: self.lists.clone(),
            racks: self.racks.iter().map(rack).collect::<Result<_, String>>()?,
            others: others.transpose()?,
        })
    }
}
