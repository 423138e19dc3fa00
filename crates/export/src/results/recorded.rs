//! The files that a run gets beside its results: a trace of arrivals, captures of links, and a timeline.

use std::path::Path;

use lightloom_request::{Error, InputError};
use lightloom_scenario::scenario::Scenario;
use lightloom_sim::capture::Capture as Request;
use lightloom_twin::{Outcome, Simulation};

use crate::output::Inputs;
use crate::results::captured::Captured;
use crate::results::single::SingleFile;
use crate::results::timeline::{self, Form};
use crate::results::trace;

/// The files, created before the run.
pub struct Recorded {
    trace: Option<SingleFile>,
    timeline: Option<(SingleFile, Form)>,
    captures: Vec<(SingleFile, Captured)>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// File for a trace of all arrivals.
    pub trace: Option<&'a Path>,
    /// File for a timeline of messages.
    pub timeline: Option<&'a Path>,
    /// Captures of links.
    pub pcap: &'a [Request],
}

impl Recorded {
    /// Creates the files and has the simulation record what they need. `places` are the inputs of the run, and its
    /// folder of results.
    pub fn prepare(
        Wanted { trace, timeline, pcap }: Wanted<'_>,
        places: (&Inputs, Option<&Path>),
        simulation: &mut Simulation<'_>,
    ) -> Result<Self, InputError> {
        let mut ready = Vec::new();
        for capture in pcap {
            ready.push((&capture.file, Captured::prepare(&capture.link, simulation)?));
        }
        let trace = trace.map(|path| SingleFile::create(path, "trace", places, []));
        let trace = trace.transpose()?;
        let timeline = timeline.map(|path| {
            let form = Form::of(path)?;
            Ok::<_, InputError>((SingleFile::create(path, "timeline", places, &trace)?, form))
        });
        let timeline = timeline.transpose()?;
        let mut captures: Vec<(SingleFile, Captured)> = Vec::new();
        for (path, captured) in ready {
            let others = trace.iter().chain(timeline.iter().map(|(file, _)| file));
            let others = others.chain(captures.iter().map(|(file, _)| file));
            let file = SingleFile::create(path, "pcap", places, others)?;
            captures.push((file, captured));
        }
        Ok(Self { trace, timeline, captures })
    }

    /// Writes what was recorded.
    pub fn write(self, scenario: &Scenario, outcome: &Outcome) -> Result<(), Error> {
        if let Some((file, form)) = self.timeline {
            file.write(|out| timeline::write(form, out, scenario, outcome))?;
        }
        if let Some(trace) = self.trace {
            trace.write(|out| trace::lines(out, &outcome.trace))?;
        }
        for (file, captured) in self.captures {
            let mut wrong = None;
            file.write(|out| {
                wrong = captured.write(out, outcome)?.err();
                // A capture that lacks packets is none.
                if wrong.is_some() {
                    Err(std::io::Error::other("a packet has no frame"))
                } else {
                    Ok(())
                }
            })
            .map_err(|error| wrong.unwrap_or_else(|| error.into()))?;
        }
        Ok(())
    }
}
