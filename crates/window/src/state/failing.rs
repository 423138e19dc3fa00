//! Carries out commands about broken parts and their repair.

use lightloom::failures::FailureSet;
use lightloom::{InputError, Project};

use crate::command::Command;
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::model::State;
use crate::words::Fields;

impl State {
    /// Carries out a command about broken parts.
    pub(super) fn apply_to_failures(&mut self, command: Command) {
        match command {
            Command::Break(parts) => self.break_parts(|of| FailureSet::parse(of, &parts)),
            Command::BreakPart(part) => self.break_parts(|of| FailureSet::restore(of, &[part])),
            Command::Mend(part) => self.mend(|broken| *broken == part),
            Command::MendAll => self.mend(|_| true),
            Command::Recover => self.work.change(|work| {
                work.repair = Some(usize::MAX);
                work.put_back = None;
            }),
            Command::RecoverBy(method) => self.work.change(|work| {
                work.method = method;
                // Phases of another method are other phases.
                work.repair = work.repair.map(|_| usize::MAX);
            }),
            Command::Unrecover => self.work.change(|work| work.repair = None),
            Command::Phases(phases) => self.work.change(|work| work.repair = Some(phases)),
            _ => {}
        }
    }

    /// Mends parts. Under the rules of a repair there is a warning.
    fn mend(&mut self, is_mended: impl Fn(&String) -> bool) {
        let work = self.work.now();
        let is_rolled_out = work.repair.is_some_and(|phases| phases > 0);
        let repair = self.answers.repair(&work.broken, work.method).filter(|_| is_rolled_out);
        let warning = repair.and_then(|repair| repair.way_back());
        let (mended, broken): (Vec<String>, Vec<String>) =
            work.broken.iter().cloned().partition(is_mended);
        if let Some(warning) = warning.filter(|_| !mended.is_empty()) {
            let parts = mended.join(", ");
            self.tell(Line::at(
                format!("mended {parts}. {warning}"),
                Place::Panel(Panel::Failures),
            ));
        }
        self.work.change(|work| {
            (work.broken, work.repair) = (broken, None);
            work.put_back = warning.map(|warning| (mended, warning));
        });
    }

    /// Breaks the parts that `read` finds in the project.
    fn break_parts(&mut self, read: impl FnOnce(&Project) -> Result<FailureSet, InputError>) {
        let project = match self.current() {
            Ok(project) => project,
            Err(error) => return self.refuse("Break", &error.message.in_words(&Fields)),
        };
        match read(project) {
            Ok(failed) => self.work.change(|work| {
                for name in failed.names() {
                    if !work.broken.contains(&name) {
                        work.broken.push(name);
                        work.repair = None;
                        work.put_back = None;
                    }
                }
            }),
            Err(error) => self.refuse("Break", &error.message.in_words(&Fields)),
        }
    }
}
