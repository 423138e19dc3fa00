//! Groups of ToRs that are drawn as one mark with their number.

use egui::{Pos2, Rect, Vec2, pos2};
use lightloom::{Project, TorId};

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

/// The marks of a drawing.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The marks.
    pub all: Vec<Mark>,
    /// The ToRs that are drawn in a mark, by number. Empty: none is.
    hidden: Vec<bool>,
}

impl Marks {
    /// Collapses groups of a Shufflecast that is laid out in columns. `places` are those of the ToRs as senders and as
    /// receivers; those of collapsed ToRs become the place of their mark.
    pub fn new(
        project: &Project,
        collapsed: &Collapsed,
        middle: Pos2,
        places: [&mut [Pos2]; 2],
    ) -> Self {
        let [senders, receivers] = places;
        let mut marks = Self::default();
        let Some(shape) = project.design().fabric.shape() else { return marks };
        if collapsed.is_empty() {
            return marks;
        }
        marks.hidden = vec![false; senders.len()];
        for &group in collapsed {
            let is_in = |tor: &TorId| match group {
                Group::Column(column) => shape.column(*tor) == column,
                Group::Row(row) => shape.row(*tor) == row,
                Group::Racks(_) => false,
            };
            // A ToR of a collapsed column is in that column's mark, not in that of its row.
            let tors = project.fabric().tor_ids().filter(|tor| !marks.has(*tor));
            let tors: Vec<TorId> = tors.filter(is_in).collect();
            let Some(first) = tors.first().map(|tor| tor.index()) else { continue };
            let on = |place: Pos2| match group {
                Group::Row(_) => pos2(middle.x, place.y),
                Group::Column(_) | Group::Racks(_) => pos2(place.x, middle.y),
            };
            let (at, again) = (on(senders[first]), on(receivers[first]));
            for tor in tors.iter().map(|tor| tor.index()) {
                (senders[tor], receivers[tor]) = (at, again);
                marks.hidden[tor] = true;
            }
            let places = if again == at { vec![at] } else { vec![at, again] };
            marks.all.push(Mark { group, places, tors });
        }
        marks
    }

    /// Whether a ToR is drawn in a mark.
    pub fn has(&self, tor: TorId) -> bool {
        self.hidden.get(tor.index()).copied().unwrap_or(false)
    }

    /// The mark at a point. `reach` is half the side of a mark.
    pub fn at(&self, point: Pos2, reach: f32) -> Option<&Mark> {
        let covers =
            |place: &Pos2| Rect::from_center_size(*place, Vec2::splat(2.0 * reach)).contains(point);
        self.all.iter().find(|mark| mark.places.iter().any(covers))
    }
}
