//! Asks about a plan before it is made, and about the rules of a repaired fabric.

use lightloom::configs::ConfigsOptions;

use crate::panel::Panel;
use crate::state::answers::Of;
use crate::state::asking::failures;
use crate::state::checks::Repaired;
use crate::state::model::State;

impl State {
    /// The question about the rules after the repair. `None`: the repair is not rolled out to its end.
    pub fn repaired(&self) -> Option<Repaired> {
        let work = self.work.now();
        let phases = work.repair.filter(|_| !work.broken.is_empty())?;
        let repair = self.answers.repair(&work.broken, work.method);
        let is_done =
            phases == usize::MAX || repair.is_some_and(|repair| phases >= repair.phases.len());
        let of = Of(self.project()?.clone());
        is_done.then(|| (of, work.broken.clone(), work.method, self.looks.dialect))
    }

    /// Asks what the visible panels need, and takes answers.
    pub(super) fn refresh_checks(&mut self, visible: &[Panel]) {
        self.cables.checks.concerns.poll();
        self.cables.checks.repaired.poll();
        let Some(project) = self.project().cloned() else { return };
        if visible.contains(&Panel::Problems) {
            let of = Of(project.clone());
            let concerns = &mut self.cables.checks.concerns;
            concerns.ask(of, &self.answers.wake, move |watch| project.concerns(watch));
        }
        if visible.contains(&Panel::Rules)
            && let Some(key) = self.repaired()
        {
            let (Of(project), broken, method, (dialect, encoding)) = key.clone();
            self.cables.checks.repaired.ask(key, &self.answers.wake, move |_| {
                let failed = failures(&project, &broken)?;
                let project = (*project).clone().recovered_by(failed, method);
                let options = ConfigsOptions { dialect, encoding, ..Default::default() };
                lightloom::configs::config_files(&project, &options).map(|(_, files)| files)
            });
        }
    }
}
