//! Trunks, cables to pull, trays and orders of a plan.

use lightloom_plan::cabling::{OrderReport, PullReport, TrunkReport};
use lightloom_plan::trays::TrayReport;
use lightloom_tables::shown::{Head, List};

use crate::shown::amounts::{UNKNOWN, amount, metres, or_nan};

/// Trunks.
pub const TRUNKS: List<TrunkReport> = List {
    title: "Trunks",
    heads: &[
        Head::by("trunk", |row| row.label.clone(), |row| ordinal(&row.label)),
        Head::by("fibres", |row| row.fibres.to_string(), |row| row.fibres.into()),
        Head::by("lit", |row| row.lit.to_string(), |row| row.lit.into()),
        Head::by("spare", |row| row.spare.to_string(), |row| row.spare.into()),
        Head::new("from", |row| row.near.clone()),
        Head::new("to", |row| row.far.clone()),
        Head::by("length, m", |row| metres(row.length_m), |row| row.length_m),
        Head::by("stock, m", |row| metres(row.stock_m), |row| row.stock_m),
        Head::by(
            "fill, %",
            |row| format!("{:.1}", row.tray_fill_percent),
            |row| row.tray_fill_percent,
        ),
        Head::new("trays", |row| row.trays.join("; ")),
    ],
};

/// Cables to pull.
pub const PULLS: List<PullReport> = List {
    title: "Cables to pull",
    heads: &[
        Head::new("cable", |row| row.label.clone()),
        Head::new("row", |row| row.row.clone()),
        Head::new("rack", |row| row.rack.clone()),
        Head::new("from", |row| row.near.clone()),
        Head::new("to row", |row| row.to_row.clone()),
        Head::new("to rack", |row| row.to_rack.clone()),
        Head::new("to", |row| row.far.clone()),
        Head::by("length, m", |row| metres(row.length_m), |row| row.length_m),
        Head::by("stock, m", |row| metres(row.stock_m), |row| row.stock_m),
        Head::by(
            "fill, %",
            |row| format!("{:.1}", row.tray_fill_percent),
            |row| row.tray_fill_percent,
        ),
        Head::new("trays", |row| row.trays.join("; ")),
    ],
};

/// Trays.
pub const TRAYS: List<TrayReport> = List {
    title: "Trays",
    heads: &[
        Head::new("tray", |row| row.tray.clone()),
        Head::new("room", |row| row.room.clone().unwrap_or_default()),
        Head::by("cables side by side", |row| row.fibres.to_string(), |row| row.fibres as f64),
        Head::by("fill, %", |row| format!("{:.1}", row.fill_percent), |row| row.fill_percent),
        Head::by(
            "planned, %",
            |row| format!("{:.1}", row.planned_percent()),
            |row| row.planned_percent(),
        ),
        Head::by("from, m", |row| metres(row.from_m), |row| row.from_m),
        Head::by("to, m", |row| metres(row.to_m), |row| row.to_m),
    ],
};

/// Parts to order.
pub const ORDERS: List<OrderReport> = List {
    title: "To order",
    heads: &[
        Head::new("item", |row| row.item.name().to_owned()),
        Head::new("variant", |row| row.variant.clone()),
        Head::by(
            "length, m",
            |row| row.stock_m.map_or(String::new(), metres),
            |row| or_nan(row.stock_m),
        ),
        Head::by("built in", |row| row.quantity.to_string(), |row| row.quantity as f64),
        Head::by("spares", |row| row.spares.to_string(), |row| row.spares as f64),
        Head::by("order", |row| row.order.to_string(), |row| row.order as f64),
        Head::new("part", |row| row.part.clone()),
        Head::by(
            "price of one",
            |row| row.unit_price.map_or(UNKNOWN.to_owned(), |price| price.to_string()),
            |row| amount(row.unit_price),
        ),
        Head::by(
            "low to high",
            |row| {
                let bounds = row.unit_low.zip(row.unit_high);
                bounds.map_or(UNKNOWN.to_owned(), |(low, high)| {
                    format!("{} to {high}", low.to_decimal())
                })
            },
            |row| amount(row.unit_high),
        ),
        Head::new("price is", |row| row.rank.map_or(UNKNOWN, |rank| rank.name()).to_owned()),
        Head::by(
            "cost",
            |row| row.line_total.map_or(UNKNOWN.to_owned(), |total| total.to_string()),
            |row| amount(row.line_total),
        ),
    ],
};

/// The number that ends a label. Rows are sorted by it.
fn ordinal(label: &str) -> f64 {
    label.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(f64::NAN)
}
