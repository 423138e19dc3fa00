//! Assignments of facilities to locations (QAP): problems of their own, as matrices.

pub use lightloom_qap::{Dense, Progress};

pub use crate::in_memory::qap::{AssignReport, ProofReport, assign, prove_assignment};
