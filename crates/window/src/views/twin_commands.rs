//! What can be done with runs of the twin, for the list of commands.

use std::collections::BTreeSet;

use lightloom::twin::EventOf;
use lightloom::units::{Instant, Span};

use super::twin_history::named;
use crate::command::Command;
use crate::panel::Panel;
use crate::state::State;
use crate::state::draft::ON_PAGE;
use crate::twin::{Build, Step, Twin, TwinView};

/// The most parts of a scenario that are offered.
const MOST: usize = 20;
/// The most packets that are offered. The list shows those whose names have the typed words.
const MOST_PACKETS: usize = 5_000;

/// All commands about runs that need nothing else to be said.
pub fn entries(state: &State) -> Vec<(String, Command)> {
    let mut entries: Vec<(String, Twin)> = Vec::new();
    let mut add = |name: &str, twin: Twin| entries.push((name.to_owned(), twin));
    for view in TwinView::ALL {
        add(&format!("Twin: {}", view.title().to_lowercase()), Twin::Show(view));
    }
    add("Twin: new scenario for this design", Twin::Build(Build::OfDesign));
    add("Twin: new scenario for an electrical network", Twin::Build(Build::Electrical));
    if state.work.now().scenario.is_some() {
        add("Twin: save the scenario", Twin::Build(Build::Save));
        add("Twin: save the scenario as", Twin::Build(Build::SaveAs));
        for section in super::twin_build::added(&state.drafts.rows) {
            add(&format!("Twin: add {section} to the scenario"), Twin::Build(Build::Add(section)));
        }
        let (page, last) = state.drafts.pages();
        if page > 0 {
            add("Twin: earlier parts of the scenario", Twin::Build(Build::Page(page - 1)));
        }
        if page < last {
            add("Twin: later parts of the scenario", Twin::Build(Build::Page(page + 1)));
        }
        let rows = state.drafts.rows.iter().enumerate().skip(page * ON_PAGE);
        for (number, row) in rows.filter(|(_, row)| row.can_go()).take(MOST) {
            let name = format!("Twin: remove {} {number} of the scenario", row.section.name);
            add(&name, Twin::Build(Build::Remove(number)));
        }
    }
    let records = !state.playback.records;
    let name = if records { "Twin: record runs" } else { "Twin: do not record runs" };
    add(name, Twin::Record(records));
    let checks = !state.playback.checks;
    let name = if checks { "Twin: check answers" } else { "Twin: do not check answers" };
    add(name, Twin::Check(checks));
    if state.answers.run.how_far().is_some() {
        if state.answers.live.is_held() {
            add("Twin: let the run go on", Twin::GoOn);
        } else {
            add("Twin: let the run wait", Twin::Hold);
        }
    }
    if let Some(recording) = state.answers.recording() {
        add("Twin: play the recording", Twin::Play);
        add("Twin: pause the recording", Twin::Pause);
        let speed = state.playback.speed.as_ps();
        add("Twin: play faster", Twin::Speed(Span::from_ps(speed.saturating_mul(2))));
        add("Twin: play slower", Twin::Speed(Span::from_ps((speed / 2).max(1))));
        add("Twin: step on", Twin::StepTime(Step::Onward));
        add("Twin: step back", Twin::StepTime(Step::Back));
        add("Twin: next event", Twin::StepEvent(Step::Onward));
        add("Twin: event before", Twin::StepEvent(Step::Back));
        add("Twin: next drop", Twin::Until(EventOf::Drops));
        add("Twin: steps go to all events", Twin::Follow(EventOf::All));
        add("Twin: steps go to drops", Twin::Follow(EventOf::Drops));
        add("Twin: choose no packet", Twin::Packet(None));
        let at = state.playback.at.as_ps();
        let waits = state.answers.waiting().into_iter().flat_map(|waits| waits.at(at));
        let here = recording.in_flight(at).map(|hop| hop.packet);
        let here = here.chain(waits.map(|wait| wait.packet));
        // A packet may be in several places.
        for packet in here.take(MOST_PACKETS).collect::<BTreeSet<u32>>() {
            add(&format!("Twin: choose {}", named(recording, packet)), Twin::Packet(Some(packet)));
        }
    }
    let mut entries: Vec<(String, Command)> =
        entries.into_iter().map(|(name, twin)| (name, Command::Twin(twin))).collect();
    entries.push(("Twin: fit".to_owned(), Command::Fit(Panel::Twin)));
    for recent in &state.looks.recent_scenarios {
        let name = format!("Open scenario {}", recent.display());
        entries.push((name, Command::ScenarioFile(recent.clone())));
    }
    entries
}

/// The begins of commands that are typed, and what they are for.
pub const BEGINS: [(&str, &str); 5] = [
    ("until", "a simulated time, such as 150 us"),
    ("step", "the length of a step, such as 1 us"),
    ("flow", "the number of a flow whose events steps go to"),
    ("group", "the number of a group whose events steps go to"),
    ("runs", "the number of runs"),
];

/// Commands with something that is typed: `until 150 us`, `step 1 us`, `flow 3`, `group 0`, `runs 5`.
pub fn typed(state: &State, typed: &str) -> Option<(String, Command)> {
    let (word, rest) = typed.trim().split_once(' ')?;
    let rest = rest.trim();
    let twin = match word {
        "until" => {
            let at: Instant = rest.parse().ok()?;
            if state.answers.run.how_far().is_some() {
                Twin::HoldAt(at)
            } else if state.answers.recording().is_some() {
                Twin::To(at)
            } else {
                Twin::RunTo(at)
            }
        }
        "step" => Twin::StepLength(rest.parse().ok()?),
        "flow" => Twin::Follow(EventOf::Message(rest.parse().ok()?)),
        "runs" => Twin::Seeds(rest.parse().ok()?),
        "group" => Twin::Follow(EventOf::Group(rest.parse().ok()?)),
        _ => return None,
    };
    Some((format!("Twin: {word} {rest}"), Command::Twin(twin)))
}
