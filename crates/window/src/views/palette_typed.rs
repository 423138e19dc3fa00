//! Commands with something that is typed behind their begin, such as `set fabric.tors 60`.

use std::path::PathBuf;

use lightloom::designs::DesignReport;
use lightloom::setting;

use super::{panes, twin_commands};
use crate::command::{Command, GrowthField};
use crate::export::ExportOption;
use crate::panel::Panel;
use crate::placing::PlacingField;
use crate::search::SearchField;
use crate::state::State;

/// What a begin and the text behind it make: a name and the command. `None`: the text is not what the begin takes.
type Make = fn(&State, &str) -> Option<(String, Command)>;

/// The begins, what they are for, and what they make.
const FORMS: [(&str, &str, Make); 35] = [
    ("break", "parts, such as relay:8", |_, rest| {
        Some((format!("Break {rest}"), Command::Break(rest.to_owned())))
    }),
    ("keep view", "its name", |state, rest| {
        let replaces = if state.named.get(rest).is_some() { ", which is replaced" } else { "" };
        let name = format!("Keep this view as {rest}{replaces}");
        Some((name, Command::SaveView(rest.to_owned())))
    }),
    ("hop", "up to which the tree is shown", |state, rest| {
        let (hop, last) = (rest.parse::<u32>().ok()?, last_hop(state)?);
        let command = Command::Hop(Some(hop).filter(|hop| *hop < last));
        Some((format!("Fabric: the tree up to hop {}", hop.min(last)), command))
    }),
    ("phase", "up to which the repair is rolled out", |state, rest| {
        let phase: usize = rest.parse().ok()?;
        let phases = state.answers.recover.last()?.phases.len();
        let phase = phase.min(phases);
        Some((format!("The repair after phase {phase}"), Command::Phases(phase)))
    }),
    ("design", "the number of a design of the search", |state, rest| {
        let number = rest.parse::<usize>().ok()?.checked_sub(1)?;
        let design = state.answers.explored.last()?.designs.get(number)?;
        Some((of_design(number, design), Command::TakeDesign(number)))
    }),
    ("size", "of text, in percent", |_, rest| {
        let percent: u32 = rest.trim_end_matches('%').trim().parse().ok()?;
        Some((format!("Text of {percent} %"), Command::Scale(percent)))
    }),
    ("open", "a design, the folder of a plan, or a scenario", |_, rest| {
        Some((format!("Open {rest}"), Command::OpenFile(PathBuf::from(rest))))
    }),
    ("open scenario", "a file", |_, rest| {
        Some((format!("Open scenario {rest}"), Command::ScenarioFile(PathBuf::from(rest))))
    }),
    ("open returned", "the sheet that a crew returned", |_, rest| {
        Some((format!("Open returned sheet {rest}"), Command::ReturnedFile(PathBuf::from(rest))))
    }),
    ("date", "on the report", |_, rest| with("date", rest, ExportOption::Date)),
    ("site", "in NetBox", |_, rest| with("site", rest, ExportOption::Site)),
    ("location", "in NetBox", |_, rest| with("location", rest, ExportOption::Location)),
    ("groups", "the file of servers and groups", |_, rest| {
        with("servers and groups", rest, ExportOption::Groups)
    }),
    ("older plan", "of a rollout", |_, rest| with("older plan", rest, ExportOption::Old)),
    ("link", "of a capture, such as host 0>leaf 0", |_, rest| {
        with("link", rest, ExportOption::Link)
    }),
    ("growth tors", "number of ToRs afterwards", |_, rest| grows(GrowthField::Tors, rest)),
    ("growth phases", "ToRs of later phases", |_, rest| grows(GrowthField::Phases, rest)),
    ("growth pin", "what must not move", |_, rest| grows(GrowthField::Pin, rest)),
    ("growth moves", "the most moves", |_, rest| grows(GrowthField::MostMoves, rest)),
    ("growth inventory", "a file with more racks", |_, rest| grows(GrowthField::Inventory, rest)),
    ("growth racks", "the ToRs that leave", |_, rest| grows(GrowthField::Racks, rest)),
    ("placing time", "of the search, such as 60s", |_, rest| places(PlacingField::Time, rest)),
    ("placing seed", "of the search", |_, rest| places(PlacingField::Seed, rest)),
    ("placing fixed", "the ToRs that stay", |_, rest| places(PlacingField::Fixed, rest)),
    ("placing forbidden", "the racks without a ToR", |_, rest| {
        places(PlacingField::Forbidden, rest)
    }),
    ("placing groups", "a file of groups of racks", |_, rest| places(PlacingField::Groups, rest)),
    ("search hops", "the most", |_, rest| searches(SearchField::Hops, rest)),
    ("search sources", "the fewest in parallel", |_, rest| {
        searches(SearchField::ParallelSources, rest)
    }),
    ("search ports", "the most of a ToR", |_, rest| searches(SearchField::Ports, rest)),
    ("search cables", "the most between rows", |_, rest| searches(SearchField::Cables, rest)),
    ("search tray", "the highest fill, in percent", |_, rest| searches(SearchField::Tray, rest)),
    ("search cost", "the highest, such as 500000 USD", |_, rest| searches(SearchField::Cost, rest)),
    ("port", "of a ToR, such as 7/0", |_, rest| {
        Some((format!("Find port {rest}"), Command::Find(format!("port {rest}"))))
    }),
    ("set", "a setting and its value", |state, rest| set(state, rest)),
    ("filter", "a panel and a text", |_, rest| filter(rest)),
];

/// The begins that the list offers, and what they are for.
pub fn begins(state: &State) -> Vec<(&'static str, &'static str)> {
    let forms = FORMS.iter().map(|(begin, about, _)| (*begin, *about));
    // Settings and tables have rows of their own.
    let forms = forms.filter(|(begin, _)| !matches!(*begin, "set" | "filter"));
    let filters = Panel::ALL.into_iter().filter_map(|panel| panes::of(panel).filter());
    let filters = filters.map(|begin| (begin, "a text that the rows have"));
    let twin = state.work.now().scenario.is_some();
    let twin = twin.then_some(twin_commands::BEGINS).into_iter().flatten();
    forms.chain(filters).chain(twin).collect()
}

/// The command that a text spells out.
pub fn typed(state: &State, typed: &str) -> Option<(String, Command)> {
    // A text may start with several begins. The longest one is meant.
    let mut forms: Vec<_> = FORMS.iter().collect();
    forms.sort_by_key(|(begin, ..)| std::cmp::Reverse(begin.len()));
    let form = forms.into_iter().find_map(|(begin, _, make)| {
        let rest = typed.strip_prefix(begin)?.strip_prefix(' ')?.trim();
        if rest.is_empty() { None } else { make(state, rest) }
    });
    form.or_else(|| twin_commands::typed(state, typed))
}

/// The last hop of the tree that is shown.
pub fn last_hop(state: &State) -> Option<u32> {
    let spread = state.answers.spread.last()?;
    spread.copies.values().map(|(hops, _)| *hops).max()
}

/// A design of the search in words. Numbers count from 1.
pub fn of_design(number: usize, design: &DesignReport) -> String {
    let k = design.k.map_or(String::new(), |k| format!(", k = {k}"));
    format!(
        "Explore: take design {}: {}, p = {}{k}, {} hops, {}, {}",
        number + 1,
        design.family.name(),
        design.p,
        design.max_hops,
        design.transceiver,
        design.cost_text()
    )
}

/// A setting and its value.
fn set(state: &State, rest: &str) -> Option<(String, Command)> {
    if state.file.is_plan() {
        return None;
    }
    let (name, value) = rest.split_once(char::is_whitespace)?;
    let key = setting::named(name).filter(|key| !key.section().is_empty())?;
    let value = value.trim().to_owned();
    let told = format!("Set {} to {value}", key.name);
    Some((told, Command::Change { setting: key.name, value: Some(value) }))
}

/// A panel and the text that its rows have. Without a text all rows are shown.
fn filter(rest: &str) -> Option<(String, Command)> {
    let (name, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_named = |panel: &Panel| panel.title().eq_ignore_ascii_case(name);
    let filtered = |panel: &Panel| panes::of(*panel).filter().is_some();
    let panel = Panel::ALL.into_iter().filter(filtered).find(is_named)?;
    let text = text.trim();
    let name = match text {
        "" => format!("{}: all rows", panel.title()),
        text => format!("{}: rows with {text}", panel.title()),
    };
    Some((name, Command::Filter(panel, text.to_owned())))
}

/// An option of what is written.
#[allow(clippy::unnecessary_wraps, reason = "it is what a begin makes")]
fn with(what: &str, rest: &str, option: fn(String) -> ExportOption) -> Option<(String, Command)> {
    Some((format!("Exports: {what} {rest}"), Command::ExportWith(option(rest.to_owned()))))
}

/// A limit of the search.
#[allow(clippy::unnecessary_wraps, reason = "it is what a begin makes")]
fn searches(field: SearchField, rest: &str) -> Option<(String, Command)> {
    Some((
        format!("Explore: {} {rest}", field.name()),
        Command::SearchField(field, rest.to_owned()),
    ))
}

/// A field of the search for racks.
#[allow(clippy::unnecessary_wraps, reason = "it is what a begin makes")]
fn places(field: PlacingField, rest: &str) -> Option<(String, Command)> {
    let name = format!("Placement: {} {rest}", field.name());
    Some((name, Command::PlacingField(field, rest.to_owned())))
}

/// A field of the growth.
#[allow(clippy::unnecessary_wraps, reason = "it is what a begin makes")]
fn grows(field: GrowthField, rest: &str) -> Option<(String, Command)> {
    Some((format!("Growth: {} {rest}", field.name()), Command::GrowthField(field, rest.to_owned())))
}
