//! Carries out commands about named views.

use std::path::PathBuf;

use crate::command::Command;
use crate::state::model::State;
use crate::state::named::{NamedView, NamedViews, ViewWork};
use crate::state::questions::Question;

impl State {
    /// Carries out a command about views. What needs the layout waits for the window.
    pub(super) fn apply_to_views(&mut self, command: Command) {
        match command {
            Command::AskViewName(of) => self.question = Some(Question::ViewName(of)),
            Command::SaveView(name) => {
                if let Some(name) = self.view_name(&name) {
                    self.named.work.push(ViewWork::Save(name));
                }
            }
            Command::GoToView(name) if self.named.get(&name).is_some() => {
                self.named.work.push(ViewWork::Go(name));
            }
            Command::GoToView(name) => self.tell(format!("there is no view {name}")),
            Command::RenameView { from, to } => {
                let Some(to) = self.view_name(&to) else { return };
                if !self.named.rename(&from, &to) {
                    let message = format!("there is a view {to} already, or none is named {from}");
                    self.refuse("Rename the view", &message);
                }
            }
            Command::DeleteView(name) if self.named.forget(&name) => {
                self.tell(format!("forgot the view {name}"));
            }
            _ => {}
        }
        self.tell_of_views();
    }

    /// Keeps all views in this file, and takes those that it has. If it has none, it takes those of `before`, which an
    /// earlier version kept elsewhere as a text.
    pub fn share_views(&mut self, place: PathBuf, before: &str) {
        self.named.share(place, before);
        self.tell_of_views();
    }

    /// Keeps a view. One of the same name is replaced, unless another window has kept it meanwhile.
    pub fn keep_view(&mut self, name: String, view: NamedView) {
        if self.named.keep(name.clone(), view) {
            self.tell(format!("kept the view {name}"));
        } else {
            let message = format!(
                "another window or another version has kept a view {name} meanwhile; choose another name, or replace \
                 it if it is in the list now"
            );
            self.refuse("Keep this view", &message);
        }
        self.tell_of_views();
    }

    fn tell_of_views(&mut self) {
        for line in std::mem::take(&mut self.named.told) {
            self.tell(line);
        }
    }

    /// A typed name of a view. Without a usable one nothing is done.
    fn view_name(&mut self, typed: &str) -> Option<String> {
        self.question = None;
        let name = NamedViews::named(typed);
        if name.is_none() {
            self.refuse("View", "a view needs a name of at most 80 characters, in one line");
        }
        name
    }

    /// Makes everything look as in a view, but for the layout of panels.
    pub fn look_as(&mut self, name: &str) {
        let Some(view) = self.named.get(name).cloned() else { return };
        self.looks = view.looks(&self.looks);
        // The design may be another one. What it lacks is not selected by the next frame.
        self.selection = view.selection;
        self.looks.fabric.hop = None;
    }
}
