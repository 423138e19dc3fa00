//! Answers without folders: texts come from memory, and files are returned.

pub(crate) mod as_built;
pub(crate) mod clock;
pub(crate) mod collective;
pub(crate) mod configs;
pub(crate) mod designs;
pub(crate) mod edit;
pub(crate) mod effort;
pub(crate) mod failures;
pub(crate) mod growth;
pub(crate) mod lint;
pub(crate) mod netbox;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod qap;
pub(crate) mod report;
pub(crate) mod samples;
pub(crate) mod simulated;
pub(crate) mod traces;
pub(crate) mod twin;
