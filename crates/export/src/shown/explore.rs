//! Designs that were explored.

use lightloom_studies::explore::DesignReport;
use lightloom_tables::shown::{Head, List};

use crate::shown::amounts::{amount, decimals, or_nan};

/// Designs that fit.
pub const DESIGNS: List<DesignReport> = List {
    title: "Designs",
    heads: &[
        Head::by(
            "front",
            |row| row.front_text().to_owned(),
            |row| if row.pareto { 0.0 } else { 1.0 },
        ),
        Head::new("family", |row| row.family.name().to_owned()),
        Head::by("p", |row| row.p.to_string(), |row| row.p.into()),
        Head::new("k", |row| row.k.map_or(String::new(), |k| k.to_string())),
        Head::new("splitters", |row| row.housing.name().to_owned()),
        Head::new("cabling", |row| row.cabling.name().to_owned()),
        Head::new("transceiver", |row| row.transceiver.clone()),
        Head::new("pad", |row| row.pad.clone().unwrap_or_default()),
        Head::by("hops", |row| row.max_hops.to_string(), |row| row.max_hops.into()),
        Head::by(
            "ports a ToR",
            |row| row.ports_per_tor.to_string(),
            |row| row.ports_per_tor as f64,
        ),
        Head::by("fibre, m", |row| format!("{:.0}", row.fibre_m), |row| row.fibre_m),
        Head::by("power, W", |row| decimals(row.power_w, 0), |row| or_nan(row.power_w)),
        Head::by("cost", DesignReport::cost_text, |row| amount(row.cost)),
        Head::by("low to high", DesignReport::bounds_text, |row| {
            amount(row.cost_range.as_ref().and_then(|range| range.high))
        }),
        Head::by(
            "beside the first",
            |row| row.beside_first_text().to_owned(),
            |row| row.cost_over_first.map_or(f64::NAN, |over| over.amount),
        ),
        Head::by(
            "margin, dB",
            |row| decimals(row.worst_margin_db, 2),
            |row| or_nan(row.worst_margin_db),
        ),
        Head::new("verdict", |row| row.verdict.name().to_owned()),
        Head::new("without a price", |row| row.unpriced().collect::<Vec<_>>().join("; ")),
    ],
};
