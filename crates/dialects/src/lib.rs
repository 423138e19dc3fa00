//! Configurations of switches, one dialect a file. What is written is decided in `lightloom_switching`.

pub mod dialect;
mod eos;
mod eos_block;
mod eos_changes;
mod eos_gate;
pub mod folder;
mod head;
pub mod names;
pub mod not_expressed;
pub mod openflow;
mod p4runtime;
mod p4runtime_changes;
mod p4runtime_entry;
mod p4runtime_pipeline;
mod p4runtime_sonic;
mod p4runtime_write;
pub mod rollout;
mod sonic;
mod sonic_patch;
