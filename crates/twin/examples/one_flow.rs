//! One message between two hosts on one switch.
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{LeafSpine, NodeId};
use lightloom_twin::params::Params;
use lightloom_twin::{Class, Flow, Setup, Simulation, Verb, simulate};
use lightloom_units::{BitRate, DataSize, Instant, Span};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two hosts on one switch, 1 us away each.
    let (rate, delay) = (BitRate::from_gbps(100), Span::from_us(1));
    let network =
        LeafSpine { leaves: 1, spines: 0, hosts_per_leaf: 2, rate, host_rate: None, delay };
    let network = network.network()?;
    let flow = Flow {
        from: NodeId::at(0),
        to: NodeId::at(1),
        size: DataSize::from_bytes(4096),
        start: Instant::ZERO,
        after: Vec::new(),
        class: Class::LOSSLESS,
        verb: Verb::Send,
        connection: None,
    };
    let setup = Setup { flows: vec![flow], ..Setup::new(&network, Params::default()) };
    let outcome = simulate(&Simulation::new(setup)?, &AtomicBool::new(false), &|_| {});
    let flow = outcome.flows[0];
    let at = |time: Option<Instant>| time.map_or("never".to_owned(), |time| time.to_string());
    println!("received after {}, acknowledged after {}", at(flow.received), at(flow.acknowledged));
    println!("{} packets sent, {} dropped, {} events", flow.sent, flow.dropped, outcome.events);
    Ok(())
}
