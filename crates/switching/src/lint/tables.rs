//! Tables that are too small, copies that turn around, and the time to live of senders.

use lightloom_plan::project::Project;
use lightloom_power_cost::parts::Pipeline;

use crate::capacity::{HAIRPIN, Needs, OfSwitch, Table, lacks, stages};
use crate::config::{Outcome, SwitchConfig};
use crate::fabric::Configs;
use crate::lint::{Finding, Rule, Severity};

/// Largest time to live of a packet.
const MOST_HOPS: u32 = 255;

/// Tables that are too small, and those of which nothing is known.
pub(super) fn sizes(project: &Project, switches: &[SwitchConfig], dialect: u32) -> Vec<Finding> {
    let model = project.platform().model();
    let pipeline = model.map(|model| model.pipeline).unwrap_or_default();
    let name = model.map_or("the switch model of this design", |model| model.name.as_str());
    let stages = stages(&pipeline, dialect);
    let all = OfSwitch::all(project, switches, stages);
    let lacking = all.iter().flat_map(|&of| lacks(of, &pipeline, stages));
    let mut found: Vec<Finding> = lacking
        .map(|lack| {
            let rule = Rule::TableTooSmall;
            let finding = Finding::of_all(Severity::Error, rule, lack.text(name), lack.remedy());
            finding.at(lack.of.tor, None)
        })
        .collect();
    let unknown = unknown(&pipeline);
    let most = all.iter().map(|of| of.needs).fold(Needs::default(), Needs::most);
    let needed: Vec<String> = unknown
        .into_iter()
        .filter(|&table| most.table(table) > 0)
        .map(|table| format!("{} {}", most.table(table), table.words()))
        .collect();
    if !needed.is_empty() {
        let text = format!(
            "nothing says what {name} holds; a switch needs at most {} in {}",
            needed.join(", "),
            if stages < 2 { "one stage" } else { "two stages" }
        );
        let remedy = "look it up, and say ternary_entries, exact_entries, multicast_groups and stages in a catalogue \
                      row of your own";
        found.push(Finding::of_all(Severity::Warning, Rule::TableUnknown, text, remedy));
    }
    found
}

fn unknown(pipeline: &Pipeline) -> Vec<Table> {
    let sizes = [
        (Table::Ternary, pipeline.ternary_entries),
        (Table::Exact, pipeline.exact_entries),
        (Table::Groups, pipeline.multicast_groups),
    ];
    sizes.into_iter().filter(|(_, size)| size.is_none()).map(|(table, _)| table).collect()
}

/// Switches that must send copies out of the port that they came in on.
pub(super) fn hairpins(project: &Project, switches: &[SwitchConfig]) -> Vec<Finding> {
    let model = project.platform().model();
    let turning = switches.iter().filter(|config| config.names(Outcome::Hairpin));
    match model.and_then(|model| model.pipeline.hairpin) {
        Some(true) => Vec::new(),
        Some(false) => turning
            .map(|config| {
                let name = model.map_or("", |model| model.name.as_str());
                let (tor, port) = (config.tor, config.transmit_port());
                let text = format!(
                    "ToR {tor} relays what arrives at its transmit port, and {name} cannot send a packet out of the \
                     port that it came in on"
                );
                Finding::of_all(Severity::Error, Rule::Hairpin, text, HAIRPIN).at(tor, port)
            })
            .collect(),
        None => {
            let count = turning.count();
            let text = format!(
                "{count} ToRs relay what arrives at their transmit ports; nothing says whether their switches can send \
                 a packet out of the port that it came in on, which most refuse by default"
            );
            let remedy = "look it up, and say hairpin in a catalogue row of your own";
            let finding = Finding::of_all(Severity::Warning, Rule::Hairpin, text, remedy);
            (count > 0).then_some(finding).into_iter().collect()
        }
    }
}

/// The time to live of senders.
pub(super) fn time_to_live(configs: &Configs<'_>) -> Option<Finding> {
    let least = configs.time_to_live();
    if least > MOST_HOPS {
        let text = format!("a packet needs {least} hops; its time to live is at most {MOST_HOPS}");
        let remedy = "take a larger fan-out, or the router with the fewest hops";
        return Some(Finding::of_all(Severity::Error, Rule::TimeToLive, text, remedy));
    }
    let text = format!(
        "servers must send to groups with a time to live of at least {least}; the default of multicast is 1"
    );
    let remedy = "set it in each sender (IP_MULTICAST_TTL)";
    Some(Finding::of_all(Severity::Warning, Rule::TimeToLive, text, remedy))
}
