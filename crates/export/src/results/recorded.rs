//! The files that get the arrivals of a run: a trace, and captures of links.

use std::path::Path;

use lightloom_request::{Error, InputError};
use lightloom_sim::capture::{Capture as Request, Tap, taps};
use lightloom_sim::scenario::Scenario;
use lightloom_twin::{Hop, Outcome, Simulation};

use crate::capture::file;
use crate::capture::frames::{Frames, Unframed};
use crate::results::single::SingleFile;
use crate::results::trace;

/// The files, created before the run.
pub struct Recorded {
    trace: Option<SingleFile>,
    captures: Vec<Capture>,
}

/// A capture, ready to be written.
struct Capture {
    file: SingleFile,
    taps: Vec<Tap>,
    frames: Frames,
}

impl Recorded {
    /// Creates the files and has the simulation record what they need.
    pub fn prepare(
        (trace, pcap, out): (Option<&Path>, &[Request], Option<&Path>),
        scenario: &Scenario,
        simulation: &mut Simulation<'_>,
    ) -> Result<Self, InputError> {
        let mut ready = Vec::new();
        for capture in pcap {
            let taps = taps(simulation, &capture.link)?;
            taps.iter().for_each(|tap| simulation.watch(&tap.way));
            ready.push((&capture.file, taps, Frames::new(simulation.setup())?));
        }
        let trace = trace.map(|path| SingleFile::create(path, "trace", scenario, out, []));
        let trace = trace.transpose()?;
        let mut captures: Vec<Capture> = Vec::new();
        for (path, taps, frames) in ready {
            let others = trace.iter().chain(captures.iter().map(|capture| &capture.file));
            let file = SingleFile::create(path, "pcap", scenario, out, others)?;
            captures.push(Capture { file, taps, frames });
        }
        Ok(Self { trace, captures })
    }

    /// Writes what was recorded.
    pub fn write(self, outcome: &Outcome) -> Result<(), Error> {
        let hops = &outcome.trace;
        if let Some(trace) = self.trace {
            trace.write(|out| trace::lines(out, hops))?;
        }
        for Capture { file, taps, mut frames } in self.captures {
            let mut wrong = None;
            file.write(|out| {
                let written = file::write(out, &taps, (hops, &outcome.registrations), &mut frames)?;
                wrong = written.err();
                // A capture that lacks packets is none.
                if wrong.is_some() {
                    Err(std::io::Error::other("a packet has no frame"))
                } else {
                    Ok(())
                }
            })
            .map_err(|error| wrong.map_or_else(|| error.into(), faulty))?;
        }
        Ok(())
    }
}

/// A packet without a frame: no result of the twin can be trusted.
fn faulty((unframed, hop): (Unframed, Hop)) -> Error {
    let why = match unframed {
        Unframed::NoMessage => "it belongs to no message".to_owned(),
        Unframed::Length(bytes) => format!("its frame has {bytes} bytes"),
    };
    let Hop { node, port, packet, .. } = hop;
    Error::Twin(format!(
        "the bytes of {packet:?}, which arrived at node {node}, port {port} ({why}),"
    ))
}
