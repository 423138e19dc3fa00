//! The times of a recorded run: play, steps, the timeline, and what steps go to.

use std::fmt::Display;
use std::str::FromStr;

use egui::{ComboBox, DragValue, Slider, Ui};
use lightloom::twin::{EventOf, RecordingReport};
use lightloom::units::{Instant, Span};

use super::emit::Emit;
use super::field::typed;
use crate::colours::Colours;
use crate::command::Command;
use crate::state::State;
use crate::twin::{Step, Twin};

/// Simulated times that can be played in a second.
const SPEEDS: [Span; 8] = [
    Span::from_ns(10),
    Span::from_ns(100),
    Span::from_us(1),
    Span::from_us(10),
    Span::from_us(100),
    Span::from_ms(1),
    Span::from_ms(10),
    Span::from_ms(100),
];

pub fn show(ui: &mut Ui, state: &State, recording: &RecordingReport, emit: &mut Emit<'_>) {
    let playback = &state.playback;
    ui.horizontal_wrapped(|ui| {
        let (text, command) =
            if playback.plays { ("⏸ Pause", Twin::Pause) } else { ("▶ Play", Twin::Play) };
        named_button(ui, emit, text, "Play the recording", command);
        speed(ui, playback.speed, emit);
        ui.separator();
        named_button(ui, emit, "◀", "Step back", Twin::StepTime(Step::Back));
        span(ui, "Length of a step", playback.step, |step| {
            emit.emit(Command::Twin(Twin::StepLength(step)))
        });
        named_button(ui, emit, "▶", "Step on", Twin::StepTime(Step::Onward));
        ui.separator();
        named_button(ui, emit, "◀", "Event before", Twin::StepEvent(Step::Back));
        follow(ui, playback.follow, recording, emit);
        named_button(ui, emit, "▶", "Next event", Twin::StepEvent(Step::Onward));
        ui.separator();
        named_button(ui, emit, "Next drop", "Next drop", Twin::Until(EventOf::Drops));
        emit.button(ui, "Fit", Command::Fit(crate::panel::Panel::Twin));
    });
    ui.horizontal(|ui| {
        go_to(ui, playback.at, emit);
        timeline(ui, playback.at, recording, emit);
    });
    if let Some(cut) = recording.cut {
        let until = Instant::from_ps(recording.until_ps);
        let text = format!(
            "The recording ends at {until}: {} arrivals and {} drops after it are left out.",
            cut.hops, cut.drops
        );
        ui.colored_label(emit.colours.broken_text, text);
    }
}

fn named_button(ui: &mut Ui, emit: &mut Emit<'_>, text: &str, name: &str, command: Twin) {
    if ui.button(text).on_hover_text(name).accessible_name(name).clicked() {
        emit.emit(Command::Twin(command));
    }
}

fn speed(ui: &mut Ui, now: Span, emit: &mut Emit<'_>) {
    let combo = ComboBox::from_id_salt("speed").selected_text(format!("{} per s", rounded(now)));
    let combo = combo.width(100.0).show_ui(ui, |ui| {
        for speed in SPEEDS {
            if ui.selectable_label(speed == now, format!("{speed} per s")).clicked() {
                emit.emit(Command::Twin(Twin::Speed(speed)));
            }
        }
    });
    let _ = combo.response.accessible_name("Speed");
}

/// A time with three digits behind its point at most, as it is shown where it need not be exact.
pub fn rounded(span: Span) -> String {
    let ps = span.as_ps();
    let digits = ps.checked_ilog10().unwrap_or(0);
    let unit = 10_u64.saturating_pow((digits / 3 * 3).saturating_sub(3));
    Span::from_ps(ps / unit * unit).to_string()
}

/// A field for a time that is typed with its unit.
fn span(ui: &mut Ui, name: &str, now: Span, changed: impl FnOnce(Span)) {
    if let Some(span) = read(ui, name, now) {
        changed(span);
    }
}

fn go_to(ui: &mut Ui, now: Instant, emit: &mut Emit<'_>) {
    if let Some(at) = read(ui, "Run until", now) {
        emit.emit(Command::Twin(Twin::To(at)));
    }
}

/// A time that was typed into a field that was left. Beside the field stands why a text was not taken.
pub fn read<T>(ui: &mut Ui, name: &str, now: T) -> Option<T>
where
    T: FromStr<Err: Display> + Display,
{
    let id = ui.scope_id().with((name, "not taken"));
    let taken = match typed(ui, name, &now.to_string(), "", 100.0).map(|text| text.parse::<T>()) {
        None => None,
        Some(Ok(time)) => {
            ui.data_mut(|data| data.remove::<String>(id));
            Some(time)
        }
        Some(Err(error)) => {
            ui.data_mut(|data| data.insert_temp(id, error.to_string()));
            None
        }
    };
    let refused: Option<String> = ui.data(|data| data.get_temp(id));
    if let Some(why) = refused {
        ui.colored_label(Colours::of(ui.visuals()).broken_text, format!("✖ {why}"));
        let hide = ui.small_button("Understood").accessible_name(format!("Understood: {name}"));
        if hide.clicked() {
            ui.data_mut(|data| data.remove::<String>(id));
        }
    }
    taken
}

/// Which events steps go to.
fn follow(ui: &mut Ui, now: EventOf, recording: &RecordingReport, emit: &mut Emit<'_>) {
    let title = |of: EventOf| match of {
        EventOf::All => "all events",
        EventOf::Drops => "drops",
        EventOf::Message(_) => "flow",
        EventOf::Group(_) => "group",
    };
    let mut chosen = now;
    let combo = ComboBox::from_id_salt("events").selected_text(title(now)).width(80.0);
    let combo = combo.show_ui(ui, |ui| {
        let mut offered = vec![EventOf::All, EventOf::Drops];
        offered.extend((!recording.messages.is_empty()).then_some(EventOf::Message(0)));
        offered.extend((!recording.groups.is_empty()).then_some(EventOf::Group(0)));
        for of in offered {
            ui.selectable_value(&mut chosen, of, title(of));
        }
    });
    let _ = combo.response.accessible_name("Events");
    let number = |count: usize| u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
    match &mut chosen {
        EventOf::Message(flow) => {
            let range = 0..=number(recording.messages.len());
            let _ = ui.add(DragValue::new(flow).range(range)).accessible_name("Number of the flow");
        }
        EventOf::Group(group) => {
            let range = 0..=number(recording.groups.len());
            let field = ui.add(DragValue::new(group).range(range));
            let _ = field.accessible_name("Number of the group");
            let name = usize::try_from(*group).ok().and_then(|group| recording.groups.get(group));
            ui.label(name.map_or("", String::as_str));
        }
        EventOf::All | EventOf::Drops => {}
    }
    if chosen != now {
        emit.emit(Command::Twin(Twin::Follow(chosen)));
    }
}

/// The slider over the whole recording.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place on a slider; it is at least 0"
)]
fn timeline(ui: &mut Ui, now: Instant, recording: &RecordingReport, emit: &mut Emit<'_>) {
    let mut at = now.as_ps() as f64;
    ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(80.0);
    let slider = Slider::new(&mut at, 0.0..=recording.until_ps.max(1) as f64)
        .show_value(false)
        .custom_formatter(|at, _| rounded(Span::from_ps(at as u64)));
    let slider = ui.add(slider).accessible_name("Time of the run");
    if slider.changed() {
        emit.emit(Command::Twin(Twin::To(Instant::from_ps(at.round() as u64))));
    }
    ui.label(rounded(Span::from_ps(recording.until_ps)));
}
