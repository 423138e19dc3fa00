//! Carries out commands about the search for racks.

use std::sync::Arc;

use lightloom::plan::{place, read_rack_groups};
use lightloom::{Error, Project, Watch};

use crate::command::Command;
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::answers::Of;
use crate::state::asked::needs;
use crate::state::model::State;
use crate::state::placing::{Curve, Placed, PlacingQuestion};
use crate::words;

impl State {
    /// Carries out a command about the search for racks.
    pub(super) fn apply_to_placing(&mut self, command: Command) {
        let question = match command {
            Command::PlacingField(field, text) => return self.placing.set(field, text),
            // What was found so far is the answer.
            Command::Stop(Panel::Placement) => return self.placing.placed.end_early(),
            Command::SearchRacks => self.placing.question(),
            _ => return,
        };
        self.placing.refused = None;
        self.to_front = Some(Panel::Placement);
        // What is placed is the design of the text, with its files as they are now.
        self.read_changed();
        match self.current().cloned().and_then(|project| Ok((project, question?))) {
            Ok((project, question)) => self.ask_placing(Of(project), question),
            Err(error) => self.placing.refused = Some(error),
        }
    }

    fn ask_placing(&mut self, of: Of, question: PlacingQuestion) {
        let (project, asked, curve) = (of.0.clone(), question.clone(), Arc::new(Curve::default()));
        self.placing.curve = curve.clone();
        self.placing.asked += 1;
        let key = (of, question, self.placing.asked);
        let wake = &self.answers.wake;
        self.placing.placed.ask(key, wake, move |watch| searched(&project, asked, &curve, watch));
    }

    /// Takes the answer of the search for racks.
    pub(super) fn poll_placing(&mut self) {
        if !self.placing.placed.poll() {
            return;
        }
        let placed = &self.placing.placed;
        let text = match (placed.refused(), placed.last()) {
            (Some(error), _) => format!("placement: {}", words::text_of(error)),
            (None, Some(placed)) => placed.report.line(),
            (None, None) => return,
        };
        self.tell(Line::at(text, Place::Panel(Panel::Placement)));
    }

    /// Names the placement file that was written in the design.
    pub(super) fn use_placement(&mut self, file: &std::path::Path) {
        let folder = self.file.path().and_then(|own| own.parent());
        let beside = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        let Some(name) = beside.to_str() else {
            let why = "the path of the placement file is no text; a design cannot name it";
            return self.refuse("Use the placement", why);
        };
        let setting = lightloom::setting::hall::PLACEMENT.name;
        self.apply(Command::Change { setting, value: Some(name.to_owned()) });
        // The file may have been named before, with other racks.
        self.answers.readings += 1;
    }
}

/// Searches the racks of a project's ToRs.
fn searched(
    project: &Project,
    (mut options, groups): PlacingQuestion,
    curve: &Curve,
    watch: Watch<'_>,
) -> Result<Placed, Error> {
    let message = "a plan was read back without its request; open its design file";
    let request = project.request().ok_or_else(|| needs(message))?;
    if let Some(file) = groups {
        options.groups = read_rack_groups(&file, &request.texts)?;
    }
    let hear = |part: lightloom::qap::Progress| curve.push(part.least);
    let (project, report) = place(request, &options, watch.step().on_part(&hear))?;
    Ok(Placed { project, report })
}
