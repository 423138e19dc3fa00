//! Grows a fabric by pinching: how many transmit cords move, and how long the ways get.
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]
//!
//! Example: `cargo run --release -p lightloom-routing --example growth`

use std::sync::Arc;

use lightloom_routing::growth::{Change, StageKind, Wish, grow, stages};
use lightloom_routing::rows::{RelayRows, RouterKind};
use lightloom_routing::{Balanced, RelayTables};
use lightloom_topology::family::{Shufflecast, kautz};
use lightloom_topology::{Fabric, TorId};
use lightloom_units::Span;
use lightloom_watch::Watch;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    grows(Shufflecast::new(4, 2)?.fabric()?, &[192])?;
    grows(kautz(4, 64)?, &[256, 1000])
}

fn tables(fabric: &Fabric) -> Arc<RelayTables> {
    match RelayRows::new(fabric, RouterKind::Arborescence) {
        Ok(RelayRows::Listed(tables)) => tables,
        _ => Arc::new(Balanced::new(fabric).into_tables()),
    }
}

fn grows(mut fabric: Fabric, phases: &[usize]) -> Result<(), Box<dyn std::error::Error>> {
    for &tors in phases {
        let started = std::time::Instant::now();
        let grown = grow(&fabric, &Wish { tors, ..Wish::default() })?;
        let found = started.elapsed();
        let new_tables = tables(&grown.fabric);
        let hops = new_tables.hops(&grown.fabric)?;
        let other = kautz(fabric.fan_out(), u32::try_from(tors)?)?;
        let fresh = tables(&other).hops(&other)?;
        println!(
            "{} -> {tors}: {} of {} transmit cords move, {} parallel sources, {} hops, mean {:.3} (kautz: {}, {:.3}), \
                {found:?}",
            fabric.tors(),
            grown.moved.len(),
            fabric.tors(),
            grown.parallel_sources,
            hops.max,
            hops.mean(tors),
            fresh.max,
            fresh.mean(tors),
        );
        let all: Vec<TorId> = fabric.tor_ids().collect();
        let change = Change {
            kind: StageKind::Grow,
            before: &fabric,
            tables: tables(&fabric),
            after: &grown.fabric,
            new_tables,
            tors: &all,
            moved: &grown.moved,
            hop_delay: Span::from_us(1),
        };
        for stage in stages(&change, Watch::quiet())? {
            println!(
                "  {} cords move; parallel sources {} before, {} during, {} after; {:?}; {} stand-ins, {} paused",
                stage.moves.len(),
                stage.parallel_before,
                stage.parallel_during,
                stage.parallel_after,
                stage.proved,
                stage.drain.via.len(),
                stage.drain.paused.len(),
            );
        }
        println!("  {:?}", started.elapsed());
        fabric = grown.fabric;
    }
    Ok(())
}
