//! Growth and shrinking.

use lightloom_plan::growth::report::StageSummary;
use lightloom_tables::shown::{Head, List};

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
