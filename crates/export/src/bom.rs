//! `bom.csv`: the bill of materials, with spares.

use lightloom_plan::bom::{BomItem, BomLine};
use lightloom_tables::table::Kind::{Decimal, Real, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_units::{Length, Money};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Bill;

impl Rows for Bill {
    type Row<'a> = &'a BomLine;
    /// Spares, in percent of most quantities.
    type Given<'a> = u32;
}

/// Number of pieces to order.
fn order(line: &BomLine, spares_percent: u32) -> u64 {
    if line.item == BomItem::SwitchPort { 0 } else { line.quantity + line.spares(spares_percent) }
}

/// The price of what is ordered. A sum that does not fit is left out, like an unknown price; the bill of the report
/// refuses it.
fn total(line: &BomLine, spares_percent: u32) -> Option<Money> {
    let price = line.unit_price.as_ref()?;
    price.amount().checked_mul(order(line, spares_percent)).ok()
}

type Col = Column<Bill>;

/// The columns.
pub const TABLE: Table<Bill> = Table {
    file: "bom.csv",
    about: "each kind of part to order. Cords are counted by connectors and stock length, trunks by fibres and stock \
            length",
    columns: &[
        Col::new("item", Text, "kind of part", |_, line, cell| cell.text(line.item.name())),
        Col::new("variant", Text, "what tells it from others of its kind", |_, line, cell| {
            cell.text(&line.variant);
        }),
        Col::new("stock_m", Real, "stock length, in metres", |_, line, cell| {
            cell.show_some(line.stock.map(Length::to_metres_string));
        }),
        Col::new("quantity", Whole, "pieces that are built in", |_, line, cell| {
            cell.show(line.quantity)
        }),
        Col::new("spares", Whole, "spares, rounded up", |percent, line, cell| {
            cell.show(line.spares(percent));
        }),
        Col::new("order", Whole, "pieces to order", |percent, line, cell| {
            cell.show(order(line, percent))
        }),
        Col::new("part", Text, "row of the catalogue", |_, line, cell| cell.text(&line.part)),
        Col::new("unit_price", Decimal, "price of a piece; empty if unknown", |_, line, cell| {
            cell.show_some(line.unit_price.as_ref().map(|price| price.amount()));
        }),
        Col::new("unit_power", Decimal, "power of a piece; empty if unknown", |_, line, cell| {
            cell.show_some(line.unit_power);
        }),
        Col::new("part_number", Text, "number of the maker", |_, line, cell| {
            cell.text(line.part_number.as_deref().unwrap_or_default());
        }),
        Col::new("line_total", Real, "price of what is ordered", |percent, line, cell| {
            cell.show_some(total(line, percent).map(Money::to_decimal));
        }),
        Col::new("currency", Text, "currency of that price", |percent, line, cell| {
            cell.show_some(total(line, percent).map(|total| total.currency()));
        }),
        Col::new("unit_low", Decimal, "lowest price of a piece", |_, line, cell| {
            cell.show_some(line.unit_price.as_ref().map(|price| price.range().low()));
        }),
        Col::new("unit_high", Decimal, "highest price of a piece", |_, line, cell| {
            cell.show_some(line.unit_price.as_ref().map(|price| price.range().high()));
        }),
        Col::new(
            "price_rank",
            Text,
            "how well the price is founded: `sourced`, or `assumed` if a part of it is",
            |_, line, cell| {
                cell.text(line.unit_price.as_ref().map_or("", |price| price.rank().name()))
            },
        ),
    ],
};

/// The content of the file: one line per type and variant, with so many spares.
pub fn csv(lines: &[BomLine], spares_percent: u32) -> Vec<u8> {
    TABLE.csv(spares_percent, lines)
}
