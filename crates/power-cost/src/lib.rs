//! Components, optical budgets, power and cost.
//!
//! [`parts`] describes parts as data sheets do. A value that the catalogue lacks stays absent and is never
//! guessed. [`Optics`] turns the lengths of a wiring plan into losses and verdicts. Counts of ports,
//! transceivers, splitters and fibres become watts and money.
//!
//! Nothing here knows file formats, racks or routes.

mod basket;
mod budget;
mod catalogue;
mod counts;
pub mod delays;
pub mod error_rate;
mod gaps;
mod lights;
pub mod mend;
mod monte_carlo;
mod optics;
mod pads;
mod pareto;
pub mod parts;
pub mod price;
mod reflections;
mod sides;
pub mod spec;
mod spread;
mod stock;
mod tally;
pub mod unused;

pub use basket::{Basket, Difference, RatioRange};
pub use budget::{Assessment, Case, Fan, Judge, Verdict, total};
pub use catalogue::{Lookup, PartLists, UnlistedPrice, named};
pub use counts::{
    Counts, LayerCuts, MulticastCore, circuit_core, excess_resource, peer_to_peer, splitter_fabric,
};
pub use lights::{Decided, Lights, Lit, VerdictCounts};
pub use monte_carlo::{Closing, LOT_SHARE, Sampled, Sampling, ShareIs, WholeFabric, sample};
pub use optics::{Element, Fittings, Lanes, Mated, Optics, What};
pub use pads::{Fit, best_pad};
pub use pareto::{Goal, pareto_front};
pub use reflections::{NRZ_LIMIT_DB, Reflections, Reflector};
pub use sides::{OverYears, PerSource, Prices, Ratios, Side, sources_at_once};
pub use spread::Spread;
pub use stock::{Accounting, FibrePrice, StockLengths};
pub use tally::{Cost, Draw, Line, Missing, MissingValue, Tally};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
