//! `bom.csv`: the bill of materials, with spares.

use lightloom_plan::bom::{BomItem, BomLine};
use lightloom_units::{Length, Money};

use crate::sheet::Sheet;

/// The file's name in a plan folder.
pub const FILE: &str = "bom.csv";

/// The content of the file: one line per type and variant. Spares are `spares_percent` of most quantities,
/// rounded up. Price and power are per piece, and empty if unknown. `line_total` is the price of what is ordered.
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
    ]);
    for line in lines {
        let ordered = line.item != BomItem::SwitchPort;
        let spares = line.spares(spares_percent);
        let order = if ordered { line.quantity + spares } else { 0 };
        // A sum that does not fit is left out, like an unknown price; the bill of the report refuses it.
        let total = line.unit_price.and_then(|price| price.checked_mul(order).ok());
        sheet.row([
            line.item.name().into(),
            line.variant.as_str().into(),
            line.stock.map(Length::to_metres_string).unwrap_or_default().into(),
            line.quantity.to_string().into(),
            spares.to_string().into(),
            order.to_string().into(),
            line.part.as_str().into(),
            line.unit_price.map(|price| price.to_string()).unwrap_or_default().into(),
            line.unit_power.map(|power| power.to_string()).unwrap_or_default().into(),
            line.part_number.as_deref().unwrap_or_default().into(),
            total.map(Money::to_decimal).unwrap_or_default().into(),
            total.map(|total| total.currency().to_string()).unwrap_or_default().into(),
        ]);
    }
    sheet.into_bytes()
}
