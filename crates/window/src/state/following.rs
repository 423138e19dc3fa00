//! What becomes of the selection, the cameras and the collapsed groups when the design changes: they stay where their
//! things do.

use std::sync::Arc;

use lightloom::{CassetteId, Project, TorId};

use crate::command::Selection;
use crate::layers::Group;
use crate::panel::Panel;
use crate::state::looks::Looks;
use crate::state::model::State;

impl State {
    /// Follows the project that is shown to the next one.
    pub(super) fn follow_design(&mut self) {
        let Some(shown) = self.project().cloned() else { return };
        let wanted = self.selection;
        match self.followed.clone() {
            Some(before) if Arc::ptr_eq(&before, &shown) => {}
            Some(before) => {
                let kept = kept(wanted, &before, &shown);
                self.selection = kept.unwrap_or(Selection::Nothing);
                self.looks.follow(&before, &shown);
                self.followed = Some(shown.clone());
            }
            // The last project is shown until the new one is there.
            None if self.current().is_ok() => self.followed = Some(shown.clone()),
            None => {}
        }
        if !is_there(self.selection, &shown) {
            self.selection = Selection::Nothing;
        }
        if self.selection == Selection::Nothing && wanted != Selection::Nothing {
            self.tell("what was selected is not in the design any more");
        }
    }
}

impl Looks {
    /// Follows a project to the next one.
    fn follow(&mut self, before: &Project, now: &Project) {
        if before.design().fabric != now.design().fabric {
            self.cameras.remove(&Panel::Fabric);
            self.fabric.hop = None;
        }
        if before.hall() != now.hall() {
            self.cameras.remove(&Panel::Hall);
        }
        let groups = std::mem::take(&mut self.collapsed);
        self.collapsed =
            groups.into_iter().filter_map(|group| of_now(group, before, now)).collect();
    }
}

/// A collapsed group of a project in the next one. `None`: it is not there any more.
fn of_now(group: Group, before: &Project, now: &Project) -> Option<Group> {
    let shape = now.design().fabric.shape();
    match group {
        Group::Column(column) => shape.filter(|shape| column < shape.k()).map(|_| group),
        Group::Row(row) => shape.filter(|shape| row < shape.rows()).map(|_| group),
        Group::Racks(row) => {
            let row = before.hall().rows().get(row as usize)?;
            let mut rows = now.hall().rows().iter();
            let at = rows.position(|other| (&other.name, other.room) == (&row.name, row.room))?;
            Some(Group::Racks(u32::try_from(at).ok()?))
        }
    }
}

/// The selection of a project in the next one. A ToR is known by its rack, and a cassette by the ToRs that it feeds.
/// `None`: what was selected is not there any more.
fn kept(selection: Selection, before: &Project, now: &Project) -> Option<Selection> {
    let tor = |old: TorId| {
        let name = (old.index() < before.fabric().tors()).then(|| before.tor_name(old))?;
        // Most changes leave the numbers as they are.
        let same = (old.index() < now.fabric().tors()).then_some(old);
        let mut all = same.into_iter().chain(now.fabric().tor_ids());
        all.find(|&new| now.tor_name(new) == name)
    };
    let cassette = |old: CassetteId| {
        let fabric = before.fabric();
        let fed = (old.index() < fabric.cassettes()).then(|| fabric.receivers(old))?;
        fed.iter().find_map(|&fed| tor(fed)).map(|fed| now.fabric().receives_from(fed))
    };
    Some(match selection {
        Selection::Nothing => selection,
        Selection::Tor(old) => Selection::Tor(tor(old)?),
        Selection::Cassette(old) => Selection::Cassette(cassette(old)?),
        Selection::Fibre(from, to) => Selection::Fibre(tor(from)?, tor(to)?),
        Selection::Port(old, port) => Selection::Port(tor(old)?, port),
    })
}

/// Whether a project has what is selected.
fn is_there(selection: Selection, project: &Project) -> bool {
    let fabric = project.fabric();
    let has = |tor: TorId| tor.index() < fabric.tors();
    match selection {
        Selection::Nothing => true,
        Selection::Tor(tor) => has(tor),
        Selection::Cassette(cassette) => cassette.index() < fabric.cassettes(),
        Selection::Fibre(from, to) => {
            has(from) && fabric.receivers(fabric.transmits_into(from)).contains(&to)
        }
        Selection::Port(tor, port) => has(tor) && (port as usize) < fabric.transceivers(tor),
    }
}
