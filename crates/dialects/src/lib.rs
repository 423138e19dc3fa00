//! Configurations of switches, one dialect a file. What is written is decided in `lightloom_switching`.

pub mod class;
mod copies;
pub mod dialect;
mod eos;
pub mod folder;
mod head;
mod language;
pub mod names;
pub mod not_expressed;
pub mod openflow;
mod p4runtime;
mod p4runtime_changes;
mod p4runtime_entry;
mod p4runtime_logical;
mod p4runtime_pipeline;
mod p4runtime_sonic;
mod p4runtime_write;
pub mod rollout;
pub mod sheets;
mod sonic;
