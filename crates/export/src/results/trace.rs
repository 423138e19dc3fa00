//! Trace of a run: every arrival as a line of CSV.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use lightloom_request::InputError;
use lightloom_sim::scenario::Scenario;
use lightloom_twin::{Ecn, Hop, Kind};

/// The file of a trace. It is written next to its final path, and moved there when complete.
pub struct Trace {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl Trace {
    /// Creates the file before the run starts. It must not be a file of the scenario, nor be in the folder of
    /// results.
    pub fn create(
        path: &Path,
        scenario: &Scenario,
        out: Option<&Path>,
    ) -> Result<Self, InputError> {
        let found = |path: &Path| path.canonicalize().ok();
        if let Some(own) = found(path)
            && scenario.files.iter().any(|(file, _)| found(file).as_ref() == Some(&own))
        {
            let message = "is a file that the scenario is read from; name another";
            return Err(InputError::new(message).in_file(path).in_option("trace"));
        }
        let parent = path.parent().map(|parent| parent.join(".")).and_then(|parent| found(&parent));
        if parent.is_some() && parent == out.and_then(found) {
            let message = "is in the folder of results, which is replaced; name a file elsewhere";
            return Err(InputError::new(message).in_file(path).in_option("trace"));
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        if path.is_dir() {
            let message = "is a folder; name a file";
            return Err(InputError::new(message).in_file(path).in_option("trace"));
        }
        let file = File::create(&part).map_err(|error| refuse(path, &error))?;
        Ok(Self { file, part, path: path.to_path_buf() })
    }

    /// Writes all hops and moves the file to its final path.
    pub fn write(self, hops: &[Hop]) -> Result<(), InputError> {
        let Self { file, part, path } = self;
        let written = lines(file, hops).and_then(|()| std::fs::rename(&part, &path));
        written.map_err(|error| {
            let _ = std::fs::remove_file(&part);
            refuse(&path, &error)
        })
    }
}

fn refuse(path: &Path, error: &std::io::Error) -> InputError {
    InputError::new(format!("cannot be written: {error}")).in_file(path).in_option("trace")
}

/// Writes a header and one line per arrival: time, node, port, kind, flow, sequence number, bytes on the
/// wire, congestion mark. Nodes are numbers, hosts first; `links.csv` has their names. A pause has no flow,
/// and its sequence number is its time in quanta.
fn lines(file: File, hops: &[Hop]) -> std::io::Result<()> {
    let mut out = BufWriter::new(file);
    writeln!(out, "time_ps,node,port,kind,flow,psn,bytes,ecn")?;
    for Hop { at, node, port, packet, flow } in hops {
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
            Kind::Go => "go",
            Kind::Done => "done",
        };
        let ecn = match packet.ecn {
            Ecn::Capable => "capable",
            Ecn::Marked => "marked",
            Ecn::Not => "not",
        };
        let flow = flow.map_or_else(String::new, |flow| flow.0.to_string());
        writeln!(out, "{at},{node},{port},{kind},{flow},{psn},{bytes},{ecn}")?;
    }
    out.flush()
}
