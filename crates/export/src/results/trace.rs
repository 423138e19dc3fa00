//! Trace of a run: every arrival as a line of CSV.

use std::io::Write;

use lightloom_sim::kinds::{Mark, PacketKind};
use lightloom_twin::Hop;

/// Writes a header and one line per arrival: time, node, port, kind, flow, sequence number, bytes on the
/// wire, congestion mark. Nodes are numbers, hosts first; `links.csv` has their names. A pause has no flow,
/// and its sequence number is its time in quanta.
pub fn lines(out: &mut impl Write, hops: &[Hop]) -> std::io::Result<()> {
    writeln!(out, "time_ps,node,port,kind,flow,psn,bytes,ecn")?;
    for Hop { at, node, port, packet, flow, .. } in hops {
        let (at, psn, bytes) = (at.as_ps(), packet.psn.get(), packet.bytes);
        let kind = PacketKind::from(packet.kind).name();
        let ecn = Mark::from(packet.ecn).name();
        let flow = flow.map_or_else(String::new, |flow| flow.0.to_string());
        writeln!(out, "{at},{node},{port},{kind},{flow},{psn},{bytes},{ecn}")?;
    }
    Ok(())
}
