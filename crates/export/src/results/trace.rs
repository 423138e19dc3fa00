//! Trace of a run: every arrival as a line of CSV.

use std::io::Write;

use lightloom_twin::{Ecn, Hop, Kind};

/// Writes a header and one line per arrival: time, node, port, kind, flow, sequence number, bytes on the
/// wire, congestion mark. Nodes are numbers, hosts first; `links.csv` has their names. A pause has no flow,
/// and its sequence number is its time in quanta.
pub fn lines(out: &mut impl Write, hops: &[Hop]) -> std::io::Result<()> {
    writeln!(out, "time_ps,node,port,kind,flow,psn,bytes,ecn")?;
    for Hop { at, node, port, packet, flow, .. } in hops {
        let (at, psn, bytes) = (at.as_ps(), packet.psn.get(), packet.bytes);
        let kind = match packet.kind {
            Kind::Data => "data",
            Kind::Ack => "ack",
            Kind::Nack => "nack",
            Kind::Cnp => "cnp",
            Kind::Pause => "pause",
            Kind::Register => "register",
            Kind::Confirm => "confirm",
            Kind::Prune => "prune",
            Kind::Refuse => "refuse",
            Kind::Lost => "lost",
            Kind::Go => "go",
            Kind::Done => "done",
            Kind::Ask => "ask",
            Kind::Detach => "detach",
            Kind::Have => "have",
            Kind::Leave => "leave",
            Kind::Request => "request",
            Kind::Grant => "grant",
            Kind::Release => "release",
            Kind::Released => "released",
        };
        let ecn = match packet.ecn {
            Ecn::Capable => "capable",
            Ecn::Marked => "marked",
            Ecn::Not => "not",
        };
        let flow = flow.map_or_else(String::new, |flow| flow.0.to_string());
        writeln!(out, "{at},{node},{port},{kind},{flow},{psn},{bytes},{ecn}")?;
    }
    Ok(())
}
