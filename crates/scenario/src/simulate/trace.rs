//! Every arrival as a line of text.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use lightloom_twin::{Ecn, Hop, Kind};

use crate::InputError;

/// Creates the file before anything is run for it.
pub(super) fn create(path: &Path) -> Result<File, InputError> {
    File::create(path).map_err(|error| refuse(path, &error))
}

fn refuse(path: &Path, error: &std::io::Error) -> InputError {
    InputError::new(format!("cannot be written: {error}")).in_file(path).in_field("--trace")
}

/// Writes a head and a line each arrival: time, node, port, kind, flow, sequence number, bytes on the
/// wire, congestion mark. Nodes are numbers, hosts first; `links.csv` has their names. The flow of a
/// pause is `-`, and its sequence number the time in quanta.
pub(super) fn write(file: File, path: &Path, hops: &[Hop]) -> Result<(), InputError> {
    let mut out = BufWriter::new(file);
    let mut all = || -> std::io::Result<()> {
        writeln!(out, "# time_ps node port kind flow psn bytes ecn")?;
        for Hop { at, node, port, packet, flow } in hops {
            let (at, psn, bytes) = (at.as_ps(), packet.psn.get(), packet.bytes);
            let kind = match packet.kind {
                Kind::Data => "data",
                Kind::Ack => "ack",
                Kind::Nack => "nack",
                Kind::Cnp => "cnp",
                Kind::Pause => "pause",
            };
            let ecn = match packet.ecn {
                Ecn::Capable => "capable",
                Ecn::Marked => "marked",
                Ecn::Not => "not",
            };
            let flow = flow.map_or_else(|| "-".to_owned(), |flow| flow.0.to_string());
            writeln!(out, "{at} {node} {port} {kind} {flow} {psn} {bytes} {ecn}")?;
        }
        out.flush()
    };
    all().map_err(|error| refuse(path, &error))
}
