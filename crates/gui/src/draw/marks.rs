//! Groups of ToRs that are drawn as one mark with their number.

use egui::{Pos2, Rect, pos2};
use lightloom::{Project, TorId};

use crate::draw::fabric_places::FabricPlaces;
use crate::layers::{Collapsed, Group};

/// A group that is drawn as one mark.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The group.
    pub group: Group,
    /// Where it is drawn. The first column of a Shufflecast is drawn twice.
    pub places: Vec<Pos2>,
    /// Its ToRs, ascending.
    pub tors: Vec<TorId>,
}

/// Moves the ToRs of collapsed groups to their marks.
pub fn collapse(places: &mut FabricPlaces, project: &Project, collapsed: &Collapsed) {
    let lightloom::FabricSpec::Shufflecast(shape) = &project.design().fabric else { return };
    if collapsed.is_empty() || !places.cassettes.is_empty() {
        return;
    }
    let middle = places.bounds.center();
    for &group in collapsed {
        let is_in = |tor: TorId| match group {
            Group::Column(column) => shape.column(tor) == column,
            Group::Row(row) => shape.row(tor) == row,
            Group::Racks(_) => false,
        };
        // A ToR of a collapsed column is in that column's mark, not in that of its row.
        let free = |tor: &TorId| places.mark_of[tor.index()].is_none() && is_in(*tor);
        let tors: Vec<TorId> = project.fabric().tor_ids().filter(free).collect();
        let Some(first) = tors.first().map(|tor| tor.index()) else { continue };
        let number = places.marks.len();
        let (at, again) = (places.tors[first], places.receivers[first]);
        let on = |place: Pos2| match group {
            Group::Row(_) => pos2(middle.x, place.y),
            Group::Column(_) | Group::Racks(_) => pos2(place.x, middle.y),
        };
        let (at, again) = (on(at), on(again));
        for tor in &tors {
            places.tors[tor.index()] = at;
            places.receivers[tor.index()] = again;
            places.mark_of[tor.index()] = Some(number);
        }
        let places_of_mark = if again == at { vec![at] } else { vec![at, again] };
        places.marks.push(Mark { group, places: places_of_mark, tors });
    }
}

impl FabricPlaces {
    /// The mark that is drawn nearest to a point, within `reach`.
    pub fn nearest_mark(&self, at: Pos2, reach: f32) -> Option<&Mark> {
        let near = |mark: &&Mark| {
            mark.places.iter().any(|&place| {
                Rect::from_center_size(place, egui::Vec2::splat(2.0 * reach)).contains(at)
            })
        };
        self.marks.iter().find(near)
    }
}
