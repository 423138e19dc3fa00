//! Papers for each trade: what is bought, placed, plugged, labelled and pulled, one row a thing.

pub mod cords;
mod jacket;
pub mod labels;
pub mod maps;
pub mod modules;
mod place;
pub mod strands;
pub mod trunks;
pub mod work;
