//! Arguments that several commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use lightloom::plan::WrittenPlan;
use lightloom::units::DataSize;
use lightloom::{InputError, Request, read_option, setting};

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

/// The memory that work may take, for commands without the settings of a design.
#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    /// Most memory that the work may take, such as 8GB (default: what the machine has left). It is estimated before the
    /// work begins, and more is refused.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Machine")]
    memory: Option<String>,
}

impl MemoryArgs {
    /// The memory. `None`: what the machine has left.
    pub(crate) fn read(&self) -> Result<Option<DataSize>, InputError> {
        read_option("memory", self.memory.as_deref())
    }

    /// A written plan that is worked on within this memory.
    pub(crate) fn of<'a>(&self, folder: &'a Path) -> Result<WrittenPlan<'a>, InputError> {
        Ok(WrittenPlan::within(folder, self.read()?))
    }

    /// The request for a design file, or for the folder of a plan.
    pub(crate) fn request(&self, design: &Path) -> Request {
        let request = Request { design: Some(design.to_path_buf()), ..Request::default() };
        match &self.memory {
            Some(memory) => request.say(&setting::machine::MEMORY, memory.as_str()),
            None => request,
        }
    }
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
