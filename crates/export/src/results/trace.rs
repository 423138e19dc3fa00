//! Trace of a run: every arrival as a line of CSV.

use std::io::Write;

use lightloom_sim::kinds::{DropCause, Mark, PacketKind};
use lightloom_twin::Hop;

/// Writes a header and one line per arrival: time, node, port, kind, flow, sequence number, bytes on the
/// wire, congestion mark, fate: `dead` if its way was dead then, so that the node did not have it, `corrupt` if its
/// bits are wrong. Nodes are numbers, hosts first; `links.csv` has their names. A pause has no flow,
/// and its sequence number is its time in quanta.
pub fn lines(out: &mut (impl Write + ?Sized), hops: &[Hop]) -> std::io::Result<()> {
    writeln!(out, "time_ps,node,port,kind,flow,psn,bytes,ecn,fate")?;
    for Hop { at, node, port, packet, flow, is_lost, .. } in hops {
        let (at, psn, bytes) = (at.as_ps(), packet.psn.get(), packet.bytes);
        let kind = PacketKind::from(packet.kind).name();
        let ecn = Mark::from(packet.ecn).name();
        let flow = flow.map_or_else(String::new, |flow| flow.0.to_string());
        let fate = match (is_lost, packet.is_corrupt()) {
            (true, _) => DropCause::Dead.name(),
            (false, true) => DropCause::Corrupt.name(),
            (false, false) => "",
        };
        writeln!(out, "{at},{node},{port},{kind},{flow},{psn},{bytes},{ecn},{fate}")?;
    }
    Ok(())
}
