//! Laws of the crate that reads users' files: whatever they hold, it answers or refuses.

mod again;
mod answers;
mod cabling;
mod catalogue;
mod configs;
mod floor;
mod labels;
mod memory;
mod naming;
mod packets;
mod place;
mod ports;
mod random_files;
mod random_plans;
mod recording;
mod reference;
mod scenario_rows;
mod schemas;
mod simulate;
mod so_far;
mod spread;
mod strangers;
mod switches;
mod takes;
mod trace;
mod waits;
