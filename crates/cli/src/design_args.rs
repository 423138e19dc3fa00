//! Arguments that several commands share.

use std::path::PathBuf;

use clap::Args;
use lightloom::Request;

use crate::flags::{FabricFlags, HallFlags, OpticsFlags};

#[derive(Debug, Args)]
pub(crate) struct FailedArgs {
    /// What is broken, separated by commas: relay:8, tx:8, splitter:8 (all three: the ToR neither sends
    /// nor relays, but still receives), branch:3->7 (one splitter output), rx:12/2 (the receiver of one
    /// port), tor:40 (no power), cassette:5 (all splitters of a housing). A ToR is a number or a rack's
    /// name, or says which: relay:tor:8, relay:rack:8, branch:rack:3->tor:7. Put quotes around a list
    /// with an arrow: a shell takes > for a file.
    #[arg(long, value_name = "LIST")]
    pub(crate) failed: String,
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print one JSON document on standard output.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// A design file, or flags in its place.
#[derive(Debug, Args)]
pub(crate) struct DesignArgs {
    /// The design file, or the folder of a plan where the question can be asked of one; --family and its flags stand
    /// in for a design file.
    #[arg(value_name = "DESIGN", conflicts_with_all = ["family", "p", "k", "tors", "edges"])]
    design: Option<PathBuf>,
    #[command(flatten)]
    fabric: FabricFlags,
    #[command(flatten)]
    hall: HallFlags,
}

impl DesignArgs {
    pub(crate) fn request(&self) -> Request {
        Request { design: self.design.clone(), ..request(&self.fabric, &self.hall) }
    }

    pub(crate) fn lit_request(&self, optics: &OpticsFlags) -> Request {
        let mut request = self.request();
        request.flags.extend(optics.0.clone());
        request
    }
}

/// The request of flags alone.
pub(crate) fn request(fabric: &FabricFlags, hall: &HallFlags) -> Request {
    Request { flags: [&fabric.0[..], &hall.0].concat(), ..Request::default() }
}
