//! The ledger of a run, as people read it.

use lightloom_sim::ledger::LedgerReport;
use lightloom_tables::shown::{Face, Head, List};

use crate::shown::amounts::bytes;

/// What messages asked for, what went out for it, and where it ended: frames, by what the messages come from.
pub const LEDGER: List<LedgerReport> = List {
    title: "Ledger",
    heads: &[
        Head::new("frames of", |one| one.origin.to_string()),
        Head::only(Face::Window, "messages", |one| one.messages.to_string()),
        Head::new("asked for", |one| bytes(one.asked_bytes)),
        Head::new("never sent", |one| bytes(one.unsent_bytes)),
        Head::new("repeated", |one| bytes(one.repeated_bytes)),
        Head::new("copied", |one| bytes(one.copied_bytes)),
        Head::new("delivered", |one| bytes(one.delivered_bytes)),
        Head::new("filtered", |one| bytes(one.filtered_bytes)),
        Head::new("lost", |one| bytes(one.lost_bytes)),
        Head::new("under way", |one| bytes(one.in_flight_bytes)),
    ],
};
