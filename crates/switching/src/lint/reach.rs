//! Entries of the first stage that no packet reaches.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_routing::switch::{Purpose, Ternary};
use lightloom_topology::TorId;

use crate::config::{FirstStage, Ingress, Outcome, PortUse, Reason, SwitchConfig};
use crate::fabric::Configs;
use crate::lint::{Finding, Rule, Severity};

/// Entries for copies from the fabric that entries with higher priority cover wholly.
pub(super) fn unreachable(configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<Finding> {
    let mut found = Vec::new();
    for config in switches {
        let fabric: Vec<&FirstStage> =
            config.first.iter().filter(|entry| matches!(entry.reason, Reason::Fabric(_))).collect();
        let entries: Vec<Covered> = fabric
            .iter()
            .map(|entry| Covered {
                priority: entry.priority,
                ingress: entry.ingress,
                code: configs.addresses.code(entry.source, entry.destination),
            })
            .collect();
        let is_fabric = |used_for| matches!(used_for, PortUse::Fabric { hears: Some(_), .. });
        let ports = config.ports.iter().filter(|port| is_fabric(port.used_for));
        let ports: Vec<u32> = ports.map(|port| port.number).collect();
        let reached = reached(&entries, &ports, configs.addresses.codes().bits());
        for (entry, _) in fabric.iter().zip(reached).filter(|(_, is_reached)| !is_reached) {
            let (tor, source, priority) = (config.tor, entry.source, entry.priority);
            let text = format!(
                "no packet reaches the entry of ToR {tor} for source {source} with priority {priority}: those above it \
                 fit all that it fits"
            );
            let remedy =
                "nothing if a repair covers it; without failures it is an error of the tables";
            let rule = Rule::UnreachableEntry;
            let finding = Finding::of_all(Severity::Warning, rule, text, remedy);
            let port = match entry.ingress {
                Ingress::Any => None,
                Ingress::Port(port) => Some(port),
            };
            found.push(finding.at(tor, port));
        }
    }
    found
}

/// What an entry fits.
struct Covered {
    priority: u16,
    ingress: Ingress,
    code: Ternary,
}

/// Whether a packet with some code at some port reaches each entry. Entries come by falling priority; those of equal
/// priority do not cover each other.
fn reached(entries: &[Covered], ports: &[u32], bits: u32) -> Vec<bool> {
    let mut reached = vec![false; entries.len()];
    for &port in ports {
        let mut is_open = vec![true; 1 << bits];
        let mut at = 0;
        for level in entries.chunk_by(|one, other| one.priority == other.priority) {
            let here = |entry: &&Covered| match entry.ingress {
                Ingress::Any => true,
                Ingress::Port(only) => only == port,
            };
            for (place, entry) in (at..).zip(level).filter(|(_, entry)| here(entry)) {
                reached[place] =
                    reached[place] || codes(entry.code, bits).any(|code| is_open[code as usize]);
            }
            for entry in level.iter().filter(here) {
                codes(entry.code, bits).for_each(|code| is_open[code as usize] = false);
            }
            at += level.len();
        }
    }
    reached
}

/// The codes of a field that a match fits, ascending.
fn codes(fits: Ternary, bits: u32) -> impl Iterator<Item = u32> {
    let free = !fits.mask() & u32::MAX.checked_shr(32 - bits).unwrap_or(0);
    let mut next = Some(0_u32);
    std::iter::from_fn(move || {
        let found = next?;
        // The next number whose ones are all free.
        let after = (found | !free).wrapping_add(1) & free;
        next = (after != 0).then_some(after);
        Some(found | fits.value())
    })
}

/// Entries for ports that the switch does not have.
pub(super) fn missing_ports(switches: &[SwitchConfig]) -> Vec<Finding> {
    let of = |config: &SwitchConfig| -> Vec<Finding> {
        let is_there = |number| config.ports.iter().any(|port| port.number == number);
        let missing = config.first.iter().filter_map(|entry| match entry.ingress {
            Ingress::Port(number) if !is_there(number) => Some(number),
            Ingress::Any | Ingress::Port(_) => None,
        });
        let finding = |number| {
            let tor = config.tor;
            let text =
                format!("an entry of ToR {tor} is for port {number}, which it does not have");
            let remedy = "remove the entry, or name the port's server in the file of groups";
            Finding::of_all(Severity::Error, Rule::NoSuchPort, text, remedy).at(tor, Some(number))
        };
        missing.map(finding).collect()
    };
    switches.iter().flat_map(of).collect()
}

/// ToRs with entries of a repair for sources whose copies do not arrive there.
pub(super) fn silent_sources(
    configs: &Configs<'_>,
    switches: &[SwitchConfig],
) -> Result<Vec<Finding>, InputError> {
    let project = configs.project;
    let Some((failed, _)) = project.recovery() else { return Ok(Vec::new()) };
    let damage = project.damage(failed)?;
    let lists = &configs.rules.installed.lists;
    let codes = configs.addresses.codes();
    let by_code: BTreeMap<u32, TorId> =
        project.fabric().tor_ids().map(|tor| (codes.of(tor), tor)).collect();
    let arrives = |source: TorId, tor: TorId| {
        let heard = project.fabric().heard_by(tor).iter();
        let mut sending = heard.filter(|from| lists[from.index()].binary_search(&source).is_ok());
        sending.any(|&from| damage.arrives(from, tor))
    };
    let repairs = |entry: &&FirstStage| {
        let is_repair = matches!(entry.reason, Reason::Fabric(Purpose::Repair | Purpose::Filter));
        is_repair && entry.outcome != Outcome::Drop
    };
    let mut found = Vec::new();
    for config in switches {
        let sources = config.first.iter().filter(repairs).filter_map(|entry| {
            let code = configs.addresses.code(entry.source, entry.destination);
            by_code.get(&code.value()).copied()
        });
        let mut silent: Vec<TorId> =
            sources.filter(|&source| !arrives(source, config.tor)).collect();
        silent.sort_unstable();
        silent.dedup();
        if let (Some(first), tor) = (silent.first(), config.tor) {
            let text = format!(
                "ToR {tor} has entries of a repair for {} sources whose copies do not arrive there, such as {first}",
                silent.len()
            );
            let remedy = "nothing while the parts are broken; plan again when they are replaced";
            let finding = Finding::of_all(Severity::Warning, Rule::NothingArrives, text, remedy);
            found.push(finding.at(tor, None));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_that_fit() {
        for (value, mask) in [(0b0101, 0b0111), (0, 0), (0b1111, 0b1111), (0b1000, 0b1010)] {
            let fits = Ternary::new(value, mask);
            let due: Vec<u32> = (0..16).filter(|&code| fits.matches(code)).collect();
            assert_eq!(codes(fits, 4).collect::<Vec<_>>(), due);
        }
    }

    #[test]
    fn an_entry_that_others_cover_together_is_found_and_equal_priorities_do_not_cover() {
        let entry = |priority, ingress, value, mask| Covered {
            priority,
            ingress,
            code: Ternary::new(value, mask),
        };
        let entries = [
            entry(3, Ingress::Any, 0b00, 0b10),
            entry(3, Ingress::Any, 0b00, 0b01),
            entry(2, Ingress::Port(1), 0b10, 0b10),
            entry(1, Ingress::Any, 0b01, 0b11),
            entry(1, Ingress::Any, 0b11, 0b11),
            entry(0, Ingress::Port(1), 0, 0),
            entry(0, Ingress::Port(9), 0, 0),
        ];
        // 00, 01 and 10 are decided by the first two entries, 11 by the third at port 1 only.
        let due = [true, true, true, false, true, false, false];
        assert_eq!(reached(&entries, &[1, 2], 2), due);
        // The same, packet by packet.
        let slowly = |at: usize| {
            [1, 2].iter().any(|&port| {
                (0..4).any(|code| {
                    let here = |entry: &Covered| {
                        entry.code.matches(code)
                            && (entry.ingress == Ingress::Any
                                || entry.ingress == Ingress::Port(port))
                    };
                    let above = entries.iter().filter(|e| e.priority > entries[at].priority);
                    here(&entries[at]) && !above.into_iter().any(here)
                })
            })
        };
        assert_eq!((0..entries.len()).map(slowly).collect::<Vec<_>>(), due);
    }
}
