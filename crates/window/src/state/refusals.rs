//! Why questions about the present design have no answers.

use std::sync::Arc;

use lightloom::Error;

use crate::panel::Panel;
use crate::state::answers::Of;
use crate::state::model::State;

impl State {
    /// Why questions have no answers, each with the panel that leads further. Refusals of earlier questions are left
    /// out: a panel that is hidden asks nothing, so nothing takes them back.
    pub fn refusals(&self) -> Vec<(&Arc<Error>, Panel)> {
        let (answers, looks, checks) = (&self.answers, &self.looks, &self.cables.checks);
        let is_of = |of: &Of| self.is_shown(of);
        let selection = self.selection;
        // Some questions are refused for the same reason. The first panel of a reason is the one to go to.
        let refusals = [
            (answers.opened.refused(), Panel::Design),
            (answers.info.refused_of(|(of, _)| is_of(of)), Panel::Design),
            (answers.lint.refused_of(is_of), Panel::Rules),
            (
                answers.configs.refused_of(|(of, dialect, encoding)| {
                    is_of(of) && (*dialect, *encoding) == looks.dialect
                }),
                Panel::Rules,
            ),
            (checks.repaired.refused_of(|key| Some(key) == self.repaired().as_ref()), Panel::Rules),
            (self.impact_refused(), Panel::Failures),
            (self.recover_refused(), Panel::Failures),
            (
                answers.spread.refused_of(|(of, source, (broken, _))| {
                    let is_selected = selection.source() == Some(*source);
                    is_of(of) && is_selected && *broken == self.work.now().broken
                }),
                Panel::Fabric,
            ),
            (answers.floor.refused_of(is_of), Panel::Hall),
            (answers.way.refused_of(|(of, way)| is_of(of) && *way == selection), Panel::Hall),
            (answers.light.refused_of(|(of, case)| is_of(of) && *case == looks.case), Panel::Light),
            (
                answers.trace.refused_of(|(of, traced, case)| {
                    is_of(of) && *traced == selection && *case == looks.case
                }),
                Panel::Trace,
            ),
            (answers.over.refused_of(|(of, case)| is_of(of) && *case == looks.case), Panel::Hall),
            (answers.compare.refused_of(is_of), Panel::Money),
            (answers.explored.refused_of(|(of, _)| is_of(of)), Panel::Explore),
            (
                answers.checked.refused_of(|(texts, readings)| {
                    *readings == answers.readings && Some(texts) == self.run_texts().as_ref()
                }),
                Panel::Twin,
            ),
            (
                answers.run.refused_of(|of| Some(&of.texts) == self.run_texts().as_ref()),
                Panel::Twin,
            ),
            (self.growth.grown.refused_of(|(of, ..)| is_of(of)), Panel::Growth),
            (self.cables.cabling.refused_of(is_of), Panel::Cabling),
            (checks.concerns.refused_of(is_of), Panel::Exports),
            (self.built.taken.refused_of(|(of, ..)| is_of(of)), Panel::AsBuilt),
            (self.built.there.refused_of(is_of), Panel::AsBuilt),
        ];
        refusals.into_iter().filter_map(|(error, panel)| Some((error?, panel))).collect()
    }

    /// Why it is unknown who the broken parts cut off.
    pub fn impact_refused(&self) -> Option<&Arc<Error>> {
        self.answers
            .impact
            .refused_of(|(of, broken)| self.is_shown(of) && *broken == self.work.now().broken)
    }

    /// Why the broken parts have no repair. `None`: there is one, or none was asked for.
    pub fn recover_refused(&self) -> Option<&Arc<Error>> {
        let work = self.work.now();
        self.answers.recover.refused_of(|(of, broken, method)| {
            let is_asked = work.repair.is_some() && *broken == work.broken;
            is_asked && *method == work.method && self.is_shown(of)
        })
    }

    /// Whether panels show this project.
    fn is_shown(&self, of: &Of) -> bool {
        self.project().is_some_and(|project| Arc::ptr_eq(project, &of.0))
    }
}
