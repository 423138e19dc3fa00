//! Growth and shrinking.

use lightloom_plan::growth::cost::CordReport;
use lightloom_plan::growth::report::StageSummary;
use lightloom_tables::shown::{Head, List};

use crate::shown::amounts::{metres, or_nan};

/// A stage, with its number.
pub type Stage = (usize, StageSummary);

/// The stages of a growth.
pub const STAGES: List<Stage> = List {
    title: "Stages",
    heads: &[
        Head::new("stage", |(number, _)| number.to_string()),
        Head::new("move", |(_, stage)| stage.moves.to_string()),
        Head::new("plug", |(_, stage)| stage.plugged.to_string()),
        Head::new("stand-ins", |(_, stage)| stage.stand_ins.to_string()),
        Head::new("sources that pause, before / after", |(_, stage)| {
            format!("{} / {}", stage.pause_to_drain, stage.pause_to_restore)
        }),
        Head::new("parallel sources, before / during / after", |(_, stage)| {
            let parallel = &stage.parallel_sources;
            format!("{} / {} / {}", parallel.before, parallel.during, parallel.after)
        }),
    ],
};

/// Cords that are built, moved, plugged or taken out.
pub const CORDS: List<CordReport> = List {
    title: "Cords",
    heads: &[
        Head::by("stage", |row| row.stage.to_string(), |row| row.stage as f64),
        Head::new("action", |row| row.action.name().to_owned()),
        Head::new("cord", |row| row.label.clone()),
        Head::by(
            "ToR",
            |row| row.tor.map_or(String::new(), |tor| tor.to_string()),
            |row| row.tor.map_or(f64::NAN, |tor| tor.0.into()),
        ),
        Head::new("from, before", |row| end(row.old_ends.as_ref(), 0)),
        Head::new("to, before", |row| end(row.old_ends.as_ref(), 1)),
        Head::new("from, afterwards", |row| end(row.new_ends.as_ref(), 0)),
        Head::new("to, afterwards", |row| end(row.new_ends.as_ref(), 1)),
        Head::by("needed, m", |row| known(row.needed_m), |row| or_nan(row.needed_m)),
        Head::by("there, m", |row| known(row.there_m), |row| or_nan(row.there_m)),
        Head::by("to lay, m", |row| known(row.lay_m), |row| or_nan(row.lay_m)),
    ],
};

fn end(ends: Option<&(String, String)>, which: usize) -> String {
    ends.map_or(String::new(), |(near, far)| if which == 0 { near } else { far }.clone())
}

fn known(value: Option<f64>) -> String {
    value.map_or(String::new(), metres)
}
