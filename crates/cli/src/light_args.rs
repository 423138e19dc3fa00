//! Arguments about light, power and money.

use std::path::PathBuf;

use clap::Args;
use lightloom::designs::{ExploreOptions, UnusedOptions};
use lightloom::light::Case;
use lightloom::{Criterion, Error, Request, Value, read_option, setting};

use crate::design_args::{Json, request};
use crate::flags::{FabricFlags, HallFlags, OpticsFlags, one_of};
use crate::numbers::whole;

/// What `explore` is asked.
#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    /// A design file, whose racks, optics and costs are taken, and its number of ToRs.
    #[arg(value_name = "DESIGN", conflicts_with = "tors")]
    design: Option<PathBuf>,
    /// Number of ToRs; without it, the racks of the inventory.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    tors: Option<i64>,
    /// Most hops to the farthest ToR.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<u32>)]
    max_hops: Option<u32>,
    /// Fewest sources at line rate at once.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>)]
    parallel_sources: Option<usize>,
    /// Most ports a ToR.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>)]
    ports_per_tor: Option<usize>,
    /// Most cables between different rows.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>)]
    max_cables: Option<u64>,
    /// Highest fill of the fullest tray, in percent of its cross-section.
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = whole::<u32>)]
    max_tray_percent: Option<u32>,
    /// Highest cost, such as "500000 USD".
    #[arg(long, value_name = "PRICE", allow_hyphen_values = true)]
    max_cost: Option<String>,
    /// The case that the light must close in (default: worst).
    #[arg(long, value_parser = one_of(Case::choices))]
    case: Option<String>,
    /// What designs are ranked by.
    #[arg(long, value_name = "OBJECTIVE", value_parser = one_of(Criterion::choices))]
    rank_by: Option<String>,
    #[command(flatten)]
    hall: HallFlags,
    #[command(flatten)]
    optics: OpticsFlags,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl ExploreArgs {
    pub(crate) fn request(&self) -> Request {
        let tors = self.tors.map(|tors| (*setting::fabric::TORS, Value::Integer(tors)));
        let mut request = request(&FabricFlags(tors.into_iter().collect()), &self.hall);
        request.flags.extend(self.optics.0.clone());
        request.design.clone_from(&self.design);
        request
    }

    pub(crate) fn options(&self) -> Result<ExploreOptions, Error> {
        Ok(ExploreOptions {
            max_hops: self.max_hops,
            parallel_sources: self.parallel_sources,
            ports_per_tor: self.ports_per_tor,
            max_cables: self.max_cables,
            max_tray_percent: self.max_tray_percent,
            max_cost: read_option("max_cost", self.max_cost.as_deref())?,
            case: read_option("case", self.case.as_deref())?,
            rank_by: read_option("rank_by", self.rank_by.as_deref())?,
        })
    }
}

/// Racks whose unused ports are asked about.
#[derive(Debug, Args)]
#[command(next_help_heading = "Racks")]
pub(crate) struct UnusedArgs {
    /// Switch models, by their names in the catalogue, with commas (default: those of Shufflecast's
    /// Appendix B and your own).
    #[arg(long, value_delimiter = ',')]
    model: Vec<String>,
    /// Rack heights in units, with commas.
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true, value_parser = whole::<u32>)]
    rack_units: Vec<u32>,
    /// Server to uplink bandwidth, such as 3:1, with commas.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    oversubscription: Vec<String>,
    /// Ports of each server, such as "2 x 25 Gb/s", with commas.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    server_ports: Vec<String>,
}

impl UnusedArgs {
    pub(crate) fn options(&self) -> UnusedOptions {
        UnusedOptions {
            models: self.model.clone(),
            rack_units: self.rack_units.clone(),
            oversubscription: self.oversubscription.clone(),
            server_ports: self.server_ports.clone(),
        }
    }
}
