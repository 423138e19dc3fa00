//! What transmits: one direction of a link, or a splitter; and what is lost on the way.

mod pace;
mod pauses;
mod sent;
mod splitter;
mod transmitter;
mod trouble;

pub(crate) use pace::{MOST_QUANTA, Pace};
pub(crate) use pauses::Pauses;
pub(crate) use splitter::{BranchEnd, Split};
pub(crate) use transmitter::{Beyond, Transmitter};
pub(crate) use trouble::{Dead, Loss, Trouble};
