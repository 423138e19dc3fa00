//! Laws of parts, optical budgets, error rates, counts and sums.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod acceptance;
mod budget;
mod budget_random;
mod catalogue;
mod counts;
mod delays;
mod engineer;
mod error_rate;
mod given;
mod lights;
mod mend;
mod monte_carlo;
mod monte_carlo_lots;
mod monte_carlo_shape;
mod pareto;
mod prices;
mod receivers;
mod reflections;
mod restore;
mod rows;
mod stock;
mod tally;
mod unused;
