//! The command line as its users meet it: answers, refusals, plans, and what is left on disk.
//!
//! Whatever is computed here is computed anew from the files, with no code of the planner.

mod answers;
mod bench;
mod broken_plans;
mod concurrent;
mod designs;
mod edges;
mod flags;
mod folder;
mod impact;
mod inventories;
mod keep;
mod lengths;
mod light_budget;
mod light_catalogues;
mod light_compare;
mod light_explore;
mod light_plans;
mod light_unused;
mod mending;
mod names;
mod netbox;
mod new;
mod placement;
mod plan_files;
mod reader;
mod recover;
mod repairs;
mod replay;
mod risk;
mod simulate;
mod simulate_designs;
mod simulate_ends;
mod simulate_files;
mod simulate_refusals;
mod simulate_traffic;
mod simulate_troubles;
mod tampering;
mod tampering_design;
