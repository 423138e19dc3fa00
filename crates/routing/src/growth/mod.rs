//! Growth of a fabric by pinching: new ToRs join, and few existing transmit cords move.
//!
//! To pinch ToR a → b with a new cassette x, the ToR moves its one transmit cord to x. A new ToR, which x or
//! another new cassette feeds, takes the splitter that became free at b. With the splitters at the receivers no
//! receive cord moves. Pinching p edges with one new cassette keeps p-arc-connectivity (Mader, 1982). The
//! edges among new ToRs are not built yet, so they are free to choose: [`grow()`] searches them for few hops, and
//! checks the number of parallel sources of every state exactly.
//!
//! [`shrink()`] is the inverse. [`stages()`] orders the moves, and replays every source in every state.

mod assign;
mod change;
mod draft;
mod factor;
mod grow;
mod hops;
mod joined;
mod passage;
mod pinches;
mod places;
mod seats;
mod shrink;
mod stages;
mod states;

pub use change::{Change, StageError, StageKind};
pub use grow::{Growth, GrowthError, Wish, fed_by, grow};
pub use places::TooShort;
pub use seats::SplittersStay;
pub use shrink::{Keeps, ShrinkError, Shrunk, last_tors, shrink};
pub use stages::{Replayed, Stage, Update, stages};
