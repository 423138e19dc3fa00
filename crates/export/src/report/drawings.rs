//! Floor plan and elevations.

use maud::{Markup, html};

use crate::pictures::elevations::{Which, sheets};
use crate::pictures::floor_plan;
use crate::report::Report;

/// Number of frames, and of other racks, whose elevations are in a report.
const RACKS: usize = 16;

impl Report<'_> {
    pub(super) fn drawings(&self) -> Markup {
        let laid = self.contents.laid;
        let mut drawn = vec![floor_plan::sheet(laid)];
        drawn.extend(sheets(laid, Which::Busiest(RACKS)));
        html! {
            section.page {
                h2 { "Drawings" }
                p { "The floor plan, then elevations of the first frames and of the racks with the most units in use. \
                    `lightloom draw` "
                    "draws all racks." }
            }
            @for sheet in &drawn {
                div.drawing.upright[sheet.is_upright] { (sheet.inline()) }
            }
        }
    }
}
