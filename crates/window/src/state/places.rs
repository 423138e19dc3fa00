//! Goes to places, and finds things by their names and labels.

use lightloom::TorId;
use lightloom::plan::{self, Found};

use crate::command::{CablingTable, Command, Selection};
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::answers::Of;
use crate::state::model::State;
use crate::words;

impl State {
    /// Selects the thing of this name. Labels are looked up on a thread, as the plan is laid for them.
    pub(super) fn find(&mut self, name: &str) {
        let Some(project) = self.project().cloned() else { return };
        let name = name.trim().to_owned();
        self.cables.finds += 1;
        let key = (Of(project.clone()), name.clone(), self.cables.finds);
        self.cables.found.ask(key, &self.answers.wake, move |_| Ok(plan::find(&project, &name)?));
    }

    /// Asks for the cables if they are in sight, and takes answers.
    pub(super) fn refresh_cables(&mut self, visible: &[Panel]) {
        self.refresh_checks(visible);
        self.cables.cabling.poll();
        if visible.contains(&Panel::Cabling)
            && let Some(project) = self.project().cloned()
        {
            let of = Of(project.clone());
            self.cables.cabling.ask(of, &self.answers.wake, move |_| Ok(project.cabling()?));
        }
        if !self.cables.found.poll() {
            return;
        }
        match (self.cables.found.refused().cloned(), self.cables.found.last().cloned()) {
            (Some(error), _) => {
                self.tell(Line::refused(format!("find: {}", words::text_of(&error)), &error))
            }
            (None, Some(found)) => self.show_found(&found),
            (None, None) => {}
        }
    }

    fn show_found(&mut self, found: &Found) {
        self.looks.centre = true;
        self.selection = match found {
            Found::Tor { tor } => Selection::Tor(*tor),
            Found::Cassette { cassette } => Selection::Cassette(*cassette),
            Found::Port { tor, port } => Selection::Port(*tor, *port),
            Found::Fibres { cable, fibres } => {
                let is_trunk = cable.starts_with('T');
                let table = if is_trunk { CablingTable::Trunks } else { CablingTable::Pulls };
                self.looks.show_cables(table);
                self.looks.filters.insert(Panel::Cabling, cable.clone());
                if is_trunk {
                    self.to_front = Some(Panel::Cabling);
                }
                let text = match fibres.len() {
                    1 => format!("found {cable}: 1 fibre"),
                    many => format!("found {cable}: {many} fibres"),
                };
                self.tell(Line::at(text, Place::Label(cable.clone())));
                match fibres.first() {
                    Some(&(from, Some(to))) => Selection::Fibre(from, to),
                    Some(&(from, None)) => self.first_branch(from),
                    None => Selection::Nothing,
                }
            }
        };
        self.looks.fabric.hop = None;
    }

    /// The first branch of a ToR's splitter. The way of its light begins with the feed.
    fn first_branch(&self, from: TorId) -> Selection {
        let branches = self.project().map(|project| {
            let fabric = project.fabric();
            fabric.receivers(fabric.transmits_into(from))
        });
        match branches.and_then(|receivers| receivers.first()) {
            Some(&to) => Selection::Fibre(from, to),
            None => Selection::Tor(from),
        }
    }

    /// Goes to a place.
    pub(super) fn go_to(&mut self, place: Place) {
        match place {
            Place::Panel(panel) => self.bring(panel),
            Place::Setting(name) => {
                self.looks.filters.insert(Panel::Design, name.to_owned());
                self.bring(Panel::Design);
            }
            Place::Tor(tor) => self.select(Selection::Tor(tor)),
            Place::Cassette(cassette) => self.select(Selection::Cassette(cassette)),
            Place::Fibre(from, to) => self.select(Selection::Fibre(from, to)),
            Place::Label(label) => self.find(&format!("cable:{label}")),
            Place::Named(name) => self.find(&name),
            Place::File(path) if self.file.path() == Some(path.as_path()) => {
                self.bring(Panel::Text);
            }
            // A plan or a design is opened. Any other file is not for this window: its path is copied.
            Place::File(path) if path.join("plan.json").is_file() || is_toml(&path) => {
                self.apply(Command::OpenFile(path));
            }
            Place::File(path) => {
                self.tell(format!("copied the path {}", path.display()));
                self.copied = Some(path.display().to_string());
            }
        }
    }

    fn bring(&mut self, panel: Panel) {
        self.to_front = Some(panel);
        self.looks.only = self.looks.only.and(Some(panel));
    }

    fn select(&mut self, selection: Selection) {
        self.selection = selection;
        self.looks.fabric.hop = None;
        self.looks.centre = true;
    }
}

fn is_toml(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}
