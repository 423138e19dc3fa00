//! Hops and parts of both families of fabrics, for 1:4 splitters.
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use lightloom_topology::Fabric;
use lightloom_topology::family::{Shufflecast, kautz, moore_bound};
use lightloom_topology::search::BreadthFirst;

/// Most splitters between two ToRs.
fn depth(fabric: &Fabric) -> u32 {
    let mut search = BreadthFirst::default();
    let deepest = fabric.cassette_ids().map(|root| {
        search.run(fabric, root);
        fabric.cassette_ids().map(|cassette| search.depth(cassette)).max().unwrap_or(0)
    });
    deepest.max().unwrap_or(0) + 1
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fan_out = 4;
    println!("family       ToRs  cassettes  hops  least");
    for k in 2..=3 {
        let shufflecast = Shufflecast::new(fan_out, k)?.fabric()?;
        let tors = shufflecast.tors();
        let kautz = kautz(fan_out, u32::try_from(tors)?)?;
        let least = moore_bound(fan_out, tors);
        for (name, fabric) in [("shufflecast", &shufflecast), ("kautz", &kautz)] {
            let (cassettes, hops) = (fabric.cassettes(), depth(fabric));
            println!("{name:<11} {tors:>5} {cassettes:>10} {hops:>5} {least:>6}");
        }
    }
    Ok(())
}
