//! Arguments about light, power and money.

use std::path::PathBuf;

use clap::Args;
use lightloom::{Error, ExploreOptions, Key, Request, UnusedOptions, Value, read_option, setting};

use crate::args::{FabricArgs, HallArgs, Json, request, whole};
use crate::choices::{self, one_of};

#[derive(Debug, Args)]
#[command(next_help_heading = "Optics and cost")]
pub(crate) struct OpticsArgs {
    /// Parts and prices that come with lightloom; --parts takes a file of your own.
    #[arg(long, value_parser = one_of(choices::CATALOGUE))]
    catalogue: Option<String>,
    /// A catalogue file of your own; its rows go over those of the catalogue.
    #[arg(long, value_name = "FILE")]
    parts: Option<String>,
    /// The transceiver, by its name in the catalogue.
    #[arg(long, value_name = "NAME")]
    transceiver: Option<String>,
    /// The splitter, by its name in the catalogue, where it has several of one fan-out.
    #[arg(long, value_name = "NAME")]
    splitter_part: Option<String>,
    /// The line rate, such as "25 Gb/s"; enough where the catalogue has one transceiver of it.
    #[arg(long, allow_hyphen_values = true)]
    rate: Option<String>,
    /// The case that decides where the worst case does not close.
    #[arg(long, value_name = "CASE", value_parser = one_of(choices::CASE))]
    accept: Option<String>,
    /// Draws of a Monte Carlo budget.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    samples: Option<i64>,
    /// Seed of a Monte Carlo budget.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    seed: Option<i64>,
    /// Of the draws are worse than what a Monte Carlo budget reports, in percent.
    #[arg(long, allow_hyphen_values = true)]
    percentile: Option<String>,
    /// The share of a duplex pair's price that a one-way strand costs.
    #[arg(long, value_name = "SHARE", value_parser = one_of(choices::FIBRE_ACCOUNTING))]
    fibre_accounting: Option<String>,
    /// Length of every fibre between racks in comparisons, such as "100 m".
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    fibre_length: Option<String>,
    /// Years of energy to add to the cost.
    #[arg(long, allow_negative_numbers = true, value_parser = whole::<i64>)]
    years: Option<i64>,
    /// Price of a kilowatt-hour, such as "0.12 USD".
    #[arg(long, value_name = "PRICE", allow_hyphen_values = true)]
    energy_price: Option<String>,
}

impl OpticsArgs {
    pub(crate) fn flags(&self) -> impl Iterator<Item = (Key, Value)> {
        let text = |said: &Option<String>| said.clone().map(Value::Text);
        let integer = |said: Option<i64>| said.map(Value::Integer);
        let flags = [
            (*setting::optics::CATALOGUE, text(&self.catalogue)),
            (*setting::optics::PARTS, text(&self.parts)),
            (*setting::optics::TRANSCEIVER, text(&self.transceiver)),
            (*setting::optics::SPLITTER, text(&self.splitter_part)),
            (*setting::optics::RATE, text(&self.rate)),
            (*setting::optics::ACCEPT, text(&self.accept)),
            (*setting::optics::SAMPLES, integer(self.samples)),
            (*setting::optics::SEED, integer(self.seed)),
            (*setting::optics::PERCENTILE, text(&self.percentile)),
            (*setting::cost::FIBRE_ACCOUNTING, text(&self.fibre_accounting)),
            (*setting::cost::FIBRE_LENGTH, text(&self.fibre_length)),
            (*setting::cost::YEARS, integer(self.years)),
            (*setting::cost::ENERGY_PRICE, text(&self.energy_price)),
        ];
        flags.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

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
    /// Least optical margin, such as "1 dB".
    #[arg(long, allow_hyphen_values = true)]
    margin: Option<String>,
    /// Highest cost, such as "500000 USD".
    #[arg(long, value_name = "PRICE", allow_hyphen_values = true)]
    max_cost: Option<String>,
    /// The case that the light must close in (default: worst).
    #[arg(long, value_parser = one_of(choices::CASE))]
    case: Option<String>,
    /// What designs are ranked by.
    #[arg(long, value_name = "OBJECTIVE", value_parser = one_of(choices::RANK_BY))]
    rank_by: Option<String>,
    #[command(flatten)]
    hall: HallArgs,
    #[command(flatten)]
    optics: OpticsArgs,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl ExploreArgs {
    pub(crate) fn request(&self) -> Request {
        let mut request = request(&FabricArgs::of_tors(self.tors), &self.hall);
        request.flags.extend(self.optics.flags());
        request.design.clone_from(&self.design);
        request
    }

    pub(crate) fn options(&self) -> Result<ExploreOptions, Error> {
        Ok(ExploreOptions {
            max_hops: self.max_hops,
            parallel_sources: self.parallel_sources,
            ports_per_tor: self.ports_per_tor,
            margin: read_option("margin", self.margin.as_deref())?,
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
    /// Switch models, by their names in the catalogue, with commas; all where nothing is said.
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
