//! What crossed a link, as the bytes of a capture. The command writes it to a file, the window keeps it in memory.

use std::io::{self, Write};

use lightloom_capture::file;
use lightloom_capture::frames::{Frames, Unframed};
use lightloom_request::{Error, InputError};
use lightloom_sim::capture::{Tap, taps};
use lightloom_twin::{Hop, Outcome, Simulation};

use crate::results::{MEMORY, trace};

/// A link whose packets a run records.
pub struct Captured {
    taps: Vec<Tap>,
    frames: Frames,
}

impl Captured {
    /// Has the simulation record what crosses a link.
    ///
    /// # Errors
    /// [`InputError`] if there is no such link, or if packets of this run have no frames.
    pub fn prepare(link: &str, simulation: &mut Simulation<'_>) -> Result<Self, InputError> {
        let taps = taps(simulation, link)?;
        taps.iter().for_each(|tap| simulation.watch(&tap.way));
        Ok(Self { taps, frames: Frames::new(simulation.setup())? })
    }

    /// Writes the capture. A capture that lacks packets is none.
    ///
    /// # Errors
    /// [`io::Error`] of `out`. The inner error: a packet has no frame, so that no result of the twin can be trusted.
    pub fn write(
        mut self,
        mut out: impl Write,
        outcome: &Outcome,
    ) -> io::Result<Result<(), Error>> {
        let recorded = (&*outcome.trace, &outcome.registrations);
        let written = file::write(&mut out, &self.taps, recorded, &mut self.frames)?;
        Ok(written.map_err(faulty))
    }

    /// The bytes of the capture.
    ///
    /// # Errors
    /// [`Error::Twin`] if a packet has no frame.
    pub fn bytes(self, outcome: &Outcome) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let written = self.write(&mut bytes, outcome);
        // What memory refuses is a block that the format cannot hold.
        let cannot = |error| InputError::new(format!("cannot be made: {error}")).in_option("pcap");
        written.map_err(cannot)??;
        Ok(bytes)
    }
}

/// The bytes of a trace of all arrivals.
pub fn trace_bytes(outcome: &Outcome) -> Vec<u8> {
    let mut bytes = Vec::new();
    trace::lines(&mut bytes, &outcome.trace).expect(MEMORY);
    bytes
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
