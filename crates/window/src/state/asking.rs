//! What is asked, and when: a question is asked when a visible panel needs its answer.

use std::path::PathBuf;

use lightloom::designs;
use lightloom::failures::{self, FailureSet, Installed};
use lightloom::plan::{self, Fibre};
use lightloom::{Error, Project, Request, Texts};

use crate::command::Selection;
use crate::draw::fabric_places::FabricPlaces;
use crate::panel::Panel;
use crate::state::answers::{Answers, Around, Floor, Of};
use crate::state::asks::{AsksOf, Sight};
use crate::state::fibres::fibres_of_port;
use crate::state::file::DesignFile;
use crate::state::looks::Looks;
use crate::state::work::Work;

/// A project with the rules that go around these failures, and no others. A plan that was opened may go around failures
/// that were mended in the window.
pub fn standing(project: &Project, around: Option<&Around>) -> Result<Project, Error> {
    let sound = project.clone().unrecovered();
    match around {
        None => Ok(sound),
        Some((broken, method)) => Ok(sound.recovered_by(failures(project, broken)?, *method)),
    }
}

impl Answers {
    /// Asks what the visible panels need.
    pub(super) fn ask(
        &mut self,
        work: &Work,
        file: &DesignFile,
        selection: Selection,
        looks: &Looks,
        (visible, asks): (&[Panel], AsksOf),
    ) {
        let wake = self.wake.clone();
        if !file.is_plan() {
            let key = self.reading(file, &work.text);
            let (path, text) = (key.path.clone(), key.text.clone());
            self.opened.ask(key, &wake, move |_| Ok(lightloom::open(&request(path, &text))?));
        }
        let Some(project) = self.opened.last().cloned() else { return };
        let sight = Sight { of: Of(project), work, selection, looks };
        for panel in visible {
            asks(*panel).ask(self, &sight);
        }
        self.ask_info(&sight.of, work);
    }

    fn ask_info(&mut self, of: &Of, work: &Work) {
        let around = self.gone_around(of, work);
        let project = of.0.clone();
        self.info.ask((of.clone(), around.clone()), &self.wake, move |watch| {
            standing(&project, around.as_ref())?.info(watch)
        });
    }

    /// The failures that the installed rules go around, and the method: those of a repair that is rolled out to its
    /// end. `None`: nothing is repaired, or not yet.
    pub fn gone_around(&self, of: &Of, work: &Work) -> Option<Around> {
        let phases = work.repair.filter(|_| !work.broken.is_empty())?;
        let repair = self.recover.answer(&(of.clone(), work.broken.clone(), work.method));
        let is_done =
            phases == usize::MAX || repair.is_some_and(|repair| phases >= repair.phases.len());
        is_done.then(|| (work.broken.clone(), work.method))
    }

    /// Asks where ToRs and cassettes are drawn, and what lies over them.
    pub fn ask_fabric(&mut self, of: &Of, work: &Work, selection: Selection, looks: &Looks) {
        let wake = self.wake.clone();
        let (project, layout) = (of.0.clone(), looks.fabric.layout);
        let collapsed = looks.collapsed.clone();
        self.places.ask((of.clone(), layout, collapsed.clone()), &wake, move |_| {
            Ok(FabricPlaces::new(&project, layout, &collapsed))
        });
        self.ask_over(of, looks.case);
        self.ask_spread(of, work, selection);
    }

    /// Asks for the copies of the selected source. The hall marks who is cut off from it.
    pub fn ask_spread(&mut self, of: &Of, work: &Work, selection: Selection) {
        let wake = self.wake.clone();
        let tors = of.0.fabric().tors();
        let Some(source) = selection.source().filter(|tor| tor.index() < tors) else { return };
        let repair = match work.repair {
            None => None,
            Some(phases) => {
                self.ask_recovery(of, work);
                let key = (of.clone(), work.broken.clone(), work.method);
                match self.recover.answer(&key).cloned() {
                    Some(repair) => Some((repair, phases)),
                    // A method that does not apply repairs nothing.
                    None if self.recover.refused().is_some() => None,
                    // Without its answer the phases of the repair are unknown.
                    None => return,
                }
            }
        };
        let done = repair.as_ref().map(|(_, phases)| (work.method, *phases));
        let key = (of.clone(), source, (work.broken.clone(), done));
        let (project, broken) = (of.0.clone(), work.broken.clone());
        self.spread.ask(key, &wake, move |_| {
            let failed = failures(&project, &broken)?;
            let installed =
                repair.as_ref().map(|(repair, phases)| Installed { repair, phases: *phases });
            failures::spread(&project, source, &failed, installed)
        });
    }

    /// Asks for the hall from above, and for the trays of the selected fibres.
    pub fn ask_hall(&mut self, of: &Of, selection: Selection) {
        let project = of.0.clone();
        self.floor.ask(of.clone(), &self.wake, move |_| {
            let stretches = plan::tray_stretches(&project, None)?;
            Ok(Floor { report: plan::floor(&project), stretches })
        });
        let tors = of.0.fabric().tors();
        let fibres: Vec<Fibre> = match selection {
            Selection::Tor(tor) if tor.index() < tors => {
                let fabric = of.0.fabric();
                let receivers = fabric.receivers(fabric.transmits_into(tor));
                let branches = receivers.iter().map(|&to| (tor, Some(to)));
                branches.chain([(tor, None)]).collect()
            }
            Selection::Fibre(from, to) if from.index().max(to.index()) < tors => {
                vec![(from, Some(to)), (from, None)]
            }
            Selection::Port(tor, _) if tor.index() < tors => fibres_of_port(&of.0, selection),
            _ => return,
        };
        let project = of.0.clone();
        self.way.ask((of.clone(), selection), &self.wake, move |_| {
            Ok(plan::tray_stretches(&project, Some(&fibres))?)
        });
    }

    /// Asks who is cut off by the broken parts, and for their repair if it is shown.
    pub fn ask_failures(&mut self, of: &Of, work: &Work) {
        if work.broken.is_empty() {
            return;
        }
        let wake = self.wake.clone();
        let (project, broken) = (of.0.clone(), work.broken.clone());
        self.impact.ask((of.clone(), broken.clone()), &wake, move |_| {
            project.impact(&failures(&project, &broken)?)
        });
        if work.repair.is_some() {
            self.ask_recovery(of, work);
        }
    }

    /// Asks for the repair of the broken parts.
    pub fn ask_recovery(&mut self, of: &Of, work: &Work) {
        let (project, broken, method) = (of.0.clone(), work.broken.clone(), work.method);
        self.recover.ask((of.clone(), broken.clone(), method), &self.wake, move |_| {
            project.recover(&failures(&project, &broken)?, method)
        });
    }

    /// Asks for all designs, if a search was asked for and has not begun.
    pub fn ask_explore(&mut self, of: &Of) {
        let Some(limits) = self.explores.take() else { return };
        let project = of.0.clone();
        self.explored.ask((of.clone(), limits.clone()), &self.wake, move |watch| {
            let Some(request) = project.request() else {
                let message = "a plan was read back without its request; open its design file";
                return Err(lightloom::InputError::new(message).into());
            };
            designs::explore(request, &limits, watch.step())
        });
    }
}

/// A request for a design whose text is in memory. The files that it names are read from disk.
fn request(path: PathBuf, text: &str) -> Request {
    let texts = Texts::keeping([(path.clone(), text.to_owned())].into());
    Request { design: Some(path), texts, ..Request::default() }
}

/// The broken parts. They are in standard form.
pub fn failures(project: &Project, broken: &[String]) -> Result<FailureSet, Error> {
    Ok(FailureSet::restore(project, broken)?)
}
