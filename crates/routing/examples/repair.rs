//! A relay fails: what its loss does, and the repair.
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::sync::Arc;

use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::impact::Impact;
use lightloom_routing::recovery::{Method, Objective, RecoveryBase};
use lightloom_routing::verify::InstalledRules;
use lightloom_routing::{Balanced, RouterKind};
use lightloom_topology::TorId;
use lightloom_topology::family::kautz;
use lightloom_units::Span;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fabric = kautz(2, 12)?;
    let tables = Arc::new(Balanced::new(&fabric).into_tables());
    let load = tables.load(&fabric);
    println!("each ToR relays {} to {} sources", load.min(), load.max());

    let failures = [Failure::Relay(TorId(3))];
    let rules = InstalledRules::of_lists(&tables.sources_by_relay(&fabric));
    let impact = Impact::new(&Damage::new(&fabric, &failures)?, &rules)?;
    for (source, lost) in impact.worst(3) {
        println!("ToR 3 stops relaying: ToR {source} no longer reaches {lost} others");
    }

    let base = RecoveryBase::new(&fabric, RouterKind::Arborescence, tables, Span::from_us(3));
    let recovery = base.recover(&failures, Method::Replan(Objective::FewestChanges))?;
    for (tor, change) in recovery.answer.changes.by_tor() {
        let (more, fewer) = (change.add.len(), change.delete.len());
        println!("ToR {tor}: relay {more} sources more and {fewer} fewer");
    }
    println!("everything is restored: {}", recovery.is_restored());
    Ok(())
}
