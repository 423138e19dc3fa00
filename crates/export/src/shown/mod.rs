//! Tables that people read: what each shows, once for the command and the window.
//!
//! A list is a [`List`](lightloom_tables::shown::List), whose columns say who shows them; the other tables are made by
//! functions. Who shows a table limits its rows and draws it.

pub mod advice;
pub mod amounts;
pub mod cabling;
pub mod collectives;
pub mod design;
pub mod explore;
pub mod failures;
pub mod groups;
pub mod growth;
pub mod ledger;
pub mod light;
pub mod replicas;
pub mod run;
pub mod trace_file;
pub mod traces;
