//! `bom.csv`: the bill of materials, with spares.

use lightloom_plan::bom::{BomItem, BomLine};
use lightloom_power_cost::price::UnitPrice;
use lightloom_tables::sheet::Sheet;
use lightloom_units::{Length, Money};

/// The file's name in a plan folder.
pub const FILE: &str = "bom.csv";

/// The content of the file: one line per type and variant. Spares are `spares_percent` of most quantities,
/// rounded up. Price and power are per piece, and empty if unknown. `line_total` is the price of what is ordered;
/// `unit_low` and `unit_high` bound the price of a piece, and `price_rank` says how well it is founded.
pub fn csv(lines: &[BomLine], spares_percent: u32) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "item",
        "variant",
        "stock_m",
        "quantity",
        "spares",
        "order",
        "part",
        "unit_price",
        "unit_power",
        "part_number",
        "line_total",
        "currency",
        "unit_low",
        "unit_high",
        "price_rank",
    ]);
    for line in lines {
        let ordered = line.item != BomItem::SwitchPort;
        let spares = line.spares(spares_percent);
        let order = if ordered { line.quantity + spares } else { 0 };
        // A sum that does not fit is left out, like an unknown price; the bill of the report refuses it.
        let price = line.unit_price.as_ref();
        let total = price.and_then(|price| price.amount().checked_mul(order).ok());
        let text = |of: fn(&UnitPrice) -> Money| {
            price.map(|price| of(price).to_string()).unwrap_or_default()
        };
        sheet.row([
            line.item.name().into(),
            line.variant.as_str().into(),
            line.stock.map(Length::to_metres_string).unwrap_or_default().into(),
            line.quantity.to_string().into(),
            spares.to_string().into(),
            order.to_string().into(),
            line.part.as_str().into(),
            text(UnitPrice::amount).into(),
            line.unit_power.map(|power| power.to_string()).unwrap_or_default().into(),
            line.part_number.as_deref().unwrap_or_default().into(),
            total.map(Money::to_decimal).unwrap_or_default().into(),
            total.map(|total| total.currency().to_string()).unwrap_or_default().into(),
            text(|price| price.range().low()).into(),
            text(|price| price.range().high()).into(),
            price.map(|price| price.rank().name()).unwrap_or_default().into(),
        ]);
    }
    sheet.into_bytes()
}
