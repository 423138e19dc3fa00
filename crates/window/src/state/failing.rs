//! Carries out commands about broken parts and their repair.

use lightloom::{FailureSet, InputError, Project};

use crate::command::Command;
use crate::state::model::State;
use crate::words::Fields;

impl State {
    /// Carries out a command about broken parts.
    pub(super) fn apply_to_failures(&mut self, command: Command) {
        match command {
            Command::Break(parts) => self.break_parts(|of| FailureSet::parse(of, &parts)),
            Command::BreakPart(part) => self.break_parts(|of| FailureSet::restore(of, &[part])),
            Command::Mend(part) => self.work.change(|work| {
                work.broken.retain(|broken| *broken != part);
                work.repair = None;
            }),
            Command::MendAll => self.work.change(|work| {
                work.broken.clear();
                work.repair = None;
            }),
            Command::Recover => self.work.change(|work| work.repair = Some(usize::MAX)),
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

    /// Breaks the parts that `read` finds in the project.
    fn break_parts(&mut self, read: impl FnOnce(&Project) -> Result<FailureSet, InputError>) {
        let project = match self.current() {
            Ok(project) => project,
            Err(error) => return self.refuse("Break", &error.message.told(&Fields)),
        };
        match read(project) {
            Ok(failed) => self.work.change(|work| {
                for name in failed.names() {
                    if !work.broken.contains(&name) {
                        work.broken.push(name);
                        work.repair = None;
                    }
                }
            }),
            Err(error) => self.refuse("Break", &error.message.told(&Fields)),
        }
    }
}
