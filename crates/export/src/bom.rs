//! `bom.csv`: what to order, with spares.

use std::collections::BTreeMap;

use lightloom_units::Length;

use crate::sheet::Sheet;
use crate::{Far, Housing, WiringPlan};

/// The file's name in a plan folder.
pub const FILE: &str = "bom.csv";

/// The file's bytes: a line for each type and variant. Spares are `spares_percent` of the
/// quantity, rounded up.
pub fn csv(plan: &WiringPlan<'_>, spares_percent: u32) -> Vec<u8> {
    let mut sheet = Sheet::new(["item", "variant", "stock_m", "quantity", "spares", "order"]);
    let mut line = |item: &str, variant: &str, stock: String, quantity: u64| {
        let spares = (quantity * u64::from(spares_percent)).div_ceil(100);
        sheet.row([
            item.into(),
            variant.into(),
            stock.into(),
            quantity.to_string().into(),
            spares.to_string().into(),
            (quantity + spares).to_string().into(),
        ]);
    };
    let fabric = plan.site().fabric;
    let transceivers = fabric.tor_ids().map(|tor| fabric.transceivers(tor) as u64).sum();
    line("transceiver", "one fibre in, and out on port 0", String::new(), transceivers);
    line("splitter", &format!("1:{}", fabric.fan_out()), String::new(), fabric.tors() as u64);
    let shelves = match plan.housing() {
        Housing::Sender => ("splitter shelf, one splitter", fabric.tors()),
        Housing::Receiver => ("cassette, up to p splitters", fabric.cassettes()),
    };
    line("housing", shelves.0, String::new(), shelves.1 as u64);
    let mut fibres: BTreeMap<(&str, Length), u64> = BTreeMap::new();
    for cable in plan.cables() {
        let kind = match cable.far {
            Far::SplitterInput => "feed",
            Far::Receiver { .. } => "branch",
        };
        *fibres.entry((kind, cable.stock)).or_default() += 1;
    }
    for ((kind, stock), quantity) in fibres {
        let variant = format!("{kind}, simplex single-mode");
        line("fibre", &variant, stock.to_metres_string(), quantity);
    }
    sheet.into_bytes()
}
