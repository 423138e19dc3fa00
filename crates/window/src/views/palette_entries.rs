//! The rows of the list of commands.

use lightloom::configs::{Dialect, Encoding};
use lightloom::key::Takes;
use lightloom::light::Case;
use lightloom::netbox::Origin;
use lightloom::{Criterion, setting};

use super::{palette_typed, panes, tables};
use crate::command::{
    CablingTable, Command, FabricLayout, GrowthField, HallColour, Selection, Sorted, Way,
};
use crate::export::{Export, ExportOption};
use crate::layers::{Layer, Shown};
use crate::panel::Panel;
use crate::place::Place;
use crate::placing::PlacingField;
use crate::search::SearchField;
use crate::state::State;

/// What a row of the list does.
#[derive(Debug, Clone, PartialEq)]
pub enum Does {
    /// A command.
    Command(Command),
    /// Puts the begin of a command into the field. The user types the rest.
    Continue(String),
    /// Takes the rows of a table. Their text is made when it is wanted.
    Rows(Panel, tables::To),
}

/// A row of the list: its name and what it does.
pub type Entry = (String, Does);

/// Most lines of the log, and most designs of the search, that have a row.
const MOST: usize = 20;

/// All rows that need nothing to be typed.
pub fn entries(state: &State) -> Vec<Entry> {
    let commands = commands(state).into_iter().chain(chosen(state)).chain(places(state));
    let commands = commands.map(|(name, command)| (name, Does::Command(command)));
    commands.chain(begun(state)).chain(of_tables(state)).chain(settings(state)).collect()
}

/// Commands that are there from the first frame on.
fn commands(state: &State) -> Vec<(String, Command)> {
    let mut entries: Vec<(String, Command)> = Vec::new();
    let mut add = |name: &str, command: Command| entries.push((name.to_owned(), command));
    add("New design", Command::New);
    add("Open…", Command::Open);
    add("Save", Command::Save);
    add("Save as…", Command::SaveAs);
    add("Read the files again", Command::ReadAgain);
    add("Undo", Command::Undo);
    add("Redo", Command::Redo);
    add("Recover from the failures", Command::Recover);
    add("Give up the repair", Command::Unrecover);
    add("Mend all", Command::MendAll);
    if let Some(phases) = state.work.now().repair {
        let last = state.answers.recover.last().map_or(0, |repair| repair.phases.len());
        add("Next phase of the rollout", Command::Phases(phases.min(last) + 1));
        add("Previous phase of the rollout", Command::Phases(phases.min(last).saturating_sub(1)));
    }
    if let Selection::Tor(tor) = state.selection {
        let relay = format!("relay:{tor}");
        add(&format!("Break the transmitter of ToR {tor}"), Command::BreakPart(relay));
        add(&format!("Break ToR {tor}"), Command::BreakPart(format!("tor:{tor}")));
    }
    add("Centre on the selection", Command::Centre);
    add("Select nothing", Command::Select(Selection::Nothing));
    add("Fabric: fit", Command::Fit(Panel::Fabric));
    add("Fabric: columns", Command::LayOut(FabricLayout::Columns));
    add("Fabric: cassettes", Command::LayOut(FabricLayout::Cassettes));
    add("Fabric: all fibres", Command::AllFibres(true));
    add("Fabric: only the tree", Command::AllFibres(false));
    add("Fabric: play the tree", Command::Animate(true));
    add("Fabric: stop the animation", Command::Animate(false));
    add("Hall: fit", Command::Fit(Panel::Hall));
    for (colour, name) in HallColour::ALL {
        let name = name.to_lowercase();
        add(&format!("Hall: colour by {name}"), Command::ColourBy(colour));
    }
    for (method, name) in panes::failures::all_methods() {
        add(&format!("Recover by {name}"), Command::RecoverBy(method));
    }
    for layer in Layer::ALL {
        for (shown, verb) in Shown::ALL {
            add(&format!("{verb} {}", layer.name()), Command::SetLayer(layer, shown));
        }
        add(&format!("Only {}", layer.name()), Command::Isolate(Some(layer)));
    }
    add("All layers", Command::Isolate(None));
    for panel in [Panel::Fabric, Panel::Hall] {
        for (group, name) in super::layers::all_groups(panel, state) {
            add(&format!("Collapse {name}"), Command::Collapse(group));
            add(&format!("Expand {name}"), Command::Expand(group));
        }
    }
    add("Expand all", Command::ExpandAll);
    add("Search all designs", Command::Explore);
    add("Open a scenario…", Command::OpenScenario);
    add("Run the scenario", Command::Run);
    for (name, panel) in [
        ("run", Panel::Twin),
        ("search", Panel::Explore),
        ("budget of light", Panel::Light),
        ("growth", Panel::Growth),
        ("search for racks", Panel::Placement),
        ("export", Panel::Exports),
    ] {
        add(&format!("Stop the {name}"), Command::Stop(panel));
    }
    add("Keep this run to compare", Command::KeepRun);
    add("Forget the kept run", Command::ForgetRun);
    for (name, command) in super::twin_commands::entries(state) {
        add(&name, command);
    }
    for export in Export::all() {
        add(&format!("Export {}…", export.name()), Command::Export(export));
    }
    add("Grow", Command::Grow);
    add("Shrink", Command::Shrink);
    add("Search racks", Command::SearchRacks);
    add("Open a returned sheet…", Command::OpenReturned);
    add("Cabling: trunks", Command::CablingTable(CablingTable::Trunks));
    add("Cabling: cables to pull", Command::CablingTable(CablingTable::Pulls));
    add("Cabling: trays", Command::CablingTable(CablingTable::Trays));
    add("Cabling: to order", Command::CablingTable(CablingTable::Orders));
    add("Keep this view as…", Command::AskViewName(None));
    for name in state.named.names() {
        add(&format!("Go to the view {name}"), Command::GoToView(name.clone()));
        add(&format!("Rename the view {name}…"), Command::AskViewName(Some(name.clone())));
        add(&format!("Forget the view {name}"), Command::DeleteView(name.clone()));
    }
    add("Next panel", Command::NextPanel(Way::Forward));
    add("Previous panel", Command::NextPanel(Way::Back));
    add("Next tab", Command::NextTab(Way::Forward));
    add("Previous tab", Command::NextTab(Way::Back));
    add("Light theme", Command::Theme(egui::ThemePreference::Light));
    add("Dark theme", Command::Theme(egui::ThemePreference::Dark));
    add("Theme of the system", Command::Theme(egui::ThemePreference::System));
    add("Larger text", Command::Scale(state.looks.scale + 10));
    add("Smaller text", Command::Scale(state.looks.scale.saturating_sub(10)));
    add("Put the panels back", Command::ResetLayout);
    add("All panels", Command::Only(None));
    add("Quit", Command::Quit);
    for panel in Panel::ALL {
        add(&format!("Show {}", panel.title()), Command::Show(panel));
        add(&format!("Alone: {}", panel.title()), Command::Only(Some(panel)));
        add(&format!("Picture of {}…", panel.title()), Command::Export(Export::Picture(panel)));
        add(&format!("Picture of {} as SVG…", panel.title()), Command::Export(Export::Svg(panel)));
    }
    for part in &state.work.now().broken {
        add(&format!("Mend {part}"), Command::Mend(part.clone()));
    }
    entries
}

/// What is chosen in panels: hops, the case of the light, dialects, and what NetBox has.
fn chosen(state: &State) -> Vec<(String, Command)> {
    let mut entries: Vec<(String, Command)> = Vec::new();
    let mut add = |name: &str, command: Command| entries.push((name.to_owned(), command));
    if let Some(last) = palette_typed::last_hop(state) {
        let hop = state.looks.fabric.hop.unwrap_or(last).min(last);
        let upto = |hop: u32| Command::Hop(Some(hop).filter(|hop| *hop < last));
        add("Fabric: next hop of the tree", upto(hop + 1));
        add("Fabric: hop of the tree before", upto(hop.saturating_sub(1)));
        add("Fabric: all hops of the tree", Command::Hop(None));
    }
    for case in Case::ALL {
        let also = if case == Case::MonteCarlo { " (random values)" } else { "" };
        add(&format!("Light: {} case{also}", case.name()), Command::LightCase(case));
    }
    for (field, words) in [
        (SearchField::Case, Case::ALL.map(Case::name).to_vec()),
        (SearchField::RankBy, Criterion::ALL.map(Criterion::name).to_vec()),
    ] {
        for word in words {
            let name = format!("Explore: {} {word}", field.name().to_lowercase());
            add(&name, Command::SearchField(field, word.to_owned()));
        }
    }
    for dialect in Dialect::ALL {
        add(&format!("Rules: dialect {}", dialect.name()), Command::ShowDialect(dialect));
    }
    for encoding in Encoding::ALL {
        add(&format!("Rules: encoding {}", encoding.name()), Command::ShowEncoding(encoding));
    }
    for (origin, of) in [(Origin::Imported, "imports the"), (Origin::InNetbox, "already has the")] {
        let racks = Command::ExportWith(ExportOption::Racks(origin));
        add(&format!("Exports: NetBox {of} racks"), racks);
        let switches = Command::ExportWith(ExportOption::Switches(origin));
        add(&format!("Exports: NetBox {of} switches"), switches);
    }
    for (name, command) in given(state) {
        add(&name, command);
    }
    let explored = state.answers.explored.last();
    let designs = explored.iter().flat_map(|found| found.designs.iter().enumerate());
    for (number, design) in designs.take(MOST) {
        let name = palette_typed::of_design(number, design);
        add(&name, Command::TakeDesign(number));
    }
    entries
}

/// Fields of the panels Exports, Growth, Placement and Explore that have a text, and how it is taken away.
fn given(state: &State) -> Vec<(String, Command)> {
    let exports = &state.looks.exports;
    let options = [
        ("date", ExportOption::Date(String::new()), !exports.date.is_empty()),
        ("site", ExportOption::Site(String::new()), !exports.site.is_empty()),
        ("location", ExportOption::Location(String::new()), !exports.location.is_empty()),
        ("servers and groups", ExportOption::Groups(String::new()), exports.groups.is_some()),
        ("older plan", ExportOption::Old(String::new()), exports.old.is_some()),
        ("link", ExportOption::Link(String::new()), !exports.link.is_empty()),
    ];
    let options = options.into_iter().filter(|(.., is_given)| *is_given);
    let options =
        options.map(|(what, none, _)| (format!("Exports: no {what}"), Command::ExportWith(none)));
    let fields = GrowthField::ALL.into_iter();
    let fields = fields.filter(|field| !state.growth.fields.get(*field).is_empty()).map(|field| {
        let name = format!("Growth: empty the field {}", field.name());
        (name, Command::GrowthField(field, String::new()))
    });
    let limits = SearchField::ALL.into_iter();
    let limits = limits.filter(|field| !state.search.get(*field).is_empty()).map(|field| {
        let name = format!("Explore: empty the field {}", field.name());
        (name, Command::SearchField(field, String::new()))
    });
    let placing = PlacingField::ALL.into_iter();
    let placing = placing.filter(|field| !state.placing.get(*field).is_empty()).map(|field| {
        let name = format!("Placement: empty the field {}", field.name());
        (name, Command::PlacingField(field, String::new()))
    });
    options.chain(fields).chain(placing).chain(limits).collect()
}

/// Files and lines of the log that are gone to.
fn places(state: &State) -> Vec<(String, Command)> {
    let recent = state.looks.recent.iter();
    let files =
        recent.map(|file| (format!("Open {}", file.display()), Command::OpenFile(file.clone())));
    let mut lines: Vec<(String, Command)> = Vec::new();
    for line in state.log.iter().rev().take(MOST) {
        let Some(place) = &line.place else { continue };
        let command = Command::GoTo(place.clone());
        if lines.iter().all(|(_, other)| *other != command) {
            lines.push((format!("Go to: {}", line.text), command));
        }
    }
    files.chain(lines).collect()
}

/// The begins of commands that are typed.
fn begun(state: &State) -> Vec<Entry> {
    let forms = palette_typed::begins(state).into_iter();
    forms
        .map(|(begin, about)| (format!("{begin} … ({about})"), Does::Continue(format!("{begin} "))))
        .collect()
}

/// Orders and rows of tables.
fn of_tables(state: &State) -> Vec<Entry> {
    let mut entries = Vec::new();
    for panel in Panel::ALL {
        let (columns, title) = (panes::of(panel).columns(state), panel.title());
        if columns.is_empty() {
            continue;
        }
        for (to, name) in tables::To::ALL {
            entries.push((format!("{title}: {name}"), Does::Rows(panel, to)));
        }
        for (column, column_title) in columns.into_iter().enumerate() {
            for (descending, way) in [(false, "ascending"), (true, "descending")] {
                let command = Command::Sort(panel, Sorted { column, descending });
                let name = format!("{title}: sort by {column_title}, {way}");
                entries.push((name, Does::Command(command)));
            }
        }
    }
    entries
}

/// Settings: their words, their defaults, and where they are. A plan that was read back has none.
fn settings(state: &State) -> Vec<Entry> {
    let mut entries = Vec::new();
    if state.file.is_plan() {
        return entries;
    }
    let all = setting::all();
    for key in all.iter().filter(|key| !key.section().is_empty()) {
        let name = key.name;
        let change = |value| Does::Command(Command::Change { setting: name, value });
        match key.takes {
            Takes::Choice(choices) => {
                for (word, _) in choices() {
                    entries.push((format!("Set {name} to {word}"), change(Some(word.to_owned()))));
                }
            }
            _ => entries.push((format!("Set {name} …"), Does::Continue(format!("set {name} ")))),
        }
        if state.given.values().is_some_and(|given| given.contains_key(name)) {
            entries.push((format!("Take the default of {name}"), change(None)));
        }
        let place = Command::GoTo(Place::Setting(name));
        entries.push((format!("Go to the setting {name}"), Does::Command(place)));
    }
    entries
}
