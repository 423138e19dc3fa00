//! What needs folders: everything that reads the folder of a plan or writes files.

pub(crate) mod arrivals;
pub(crate) mod as_built;
pub(crate) mod bundle;
pub(crate) mod collective;
pub(crate) mod configs;
pub(crate) mod designs;
pub(crate) mod edit;
pub(crate) mod failures;
pub(crate) mod growth;
pub(crate) mod netbox;
pub(crate) mod opening;
pub(crate) mod places;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod traces;
