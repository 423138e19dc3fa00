//! The verifier: replays packets copy by copy over the listed wires.
//!
//! It shares no code with the routers and knows neither cassettes nor trees. It knows only the receivers that
//! each splitter lights ([`LightMap`]) and the sources that each ToR has a rule for ([`InstalledRules`]).
//!
//! A switch does two things. A packet from its own servers goes into its splitter if it has a rule for its
//! own id. A packet from the fabric goes to its servers and, if it has a rule for the source, into its
//! splitter. A packet with the switch's own id is neither relayed nor delivered.
//!
//! [`Replay`] follows one source. [`verify_all`] and [`verify_sample`] prove the rules of many sources.

mod light_map;
mod proof;
mod reach;
mod replay;
mod rules;
mod violation;

pub use light_map::LightMap;
pub use proof::{Demand, Proved, Unproved, verify_all, verify_sample};
pub use replay::{Delivered, Hardware, Replay};
pub use rules::{Accept, InstalledRules, RulesOverDamage, Via};
pub use violation::Violation;
