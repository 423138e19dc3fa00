//! Light of branches.

use lightloom_plan::budget::BranchReport;
use lightloom_tables::shown::{Head, List};

use crate::shown::amounts::{UNKNOWN, decimals, or_nan};

/// Branches with their light.
pub const BRANCHES: List<BranchReport> = List {
    title: "Branches",
    heads: &[
        Head::by("from", |row| row.from_tor.to_string(), |row| row.from_tor.0.into()),
        Head::by("to", |row| row.to_tor.to_string(), |row| row.to_tor.0.into()),
        Head::by("loss, dB", |row| format!("{:.2}", row.loss_db), |row| row.loss_db),
        Head::by("received, dBm", |row| decimals(row.rx_dbm, 2), |row| or_nan(row.rx_dbm)),
        Head::by("margin, dB", |row| decimals(row.margin_db, 2), |row| or_nan(row.margin_db)),
        Head::by("headroom, dB", |row| decimals(row.headroom_db, 2), |row| or_nan(row.headroom_db)),
        Head::by(
            "pre-FEC BER",
            |row| row.pre_fec_ber_text().unwrap_or_else(unknown),
            |row| or_nan(row.pre_fec_ber),
        ),
        Head::by(
            "frames lost",
            |row| row.frame_loss_text().unwrap_or_else(unknown),
            |row| or_nan(row.frame_loss),
        ),
        Head::new("verdict", |row| row.verdict.name().to_owned()),
    ],
};

fn unknown() -> String {
    UNKNOWN.to_owned()
}
