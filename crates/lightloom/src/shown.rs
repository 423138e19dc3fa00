//! Tables that people read, as the command and the window show them.

pub use lightloom_export::shown::amounts;
pub use lightloom_export::shown::{
    advice, cabling, collectives, design, explore, failures, groups, growth, ledger, light,
    replicas, run, trace_file, traces,
};
pub use lightloom_tables::shown::{Face, Head, List, Shown};
