//! What a switch does for reliable groups (Cepheus and Gleam): data are copied and bridged to the queue pairs of
//! members, answers are aggregated, tables are made by registration.

mod answers;
mod data;
mod halting;
mod leaving;
mod register;
