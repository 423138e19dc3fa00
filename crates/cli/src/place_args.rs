//! Arguments of a search for the racks of ToRs, and its answer as people read it.

use std::path::PathBuf;

use clap::Args;
use lightloom::plan::{PlaceOptions, PlaceReport, place, read_rack_groups};
use lightloom::{Error, InputError, Project, Request};

use crate::cells::table;
use crate::numbers::whole;
use crate::progress::{Bar, watching};

/// How the racks of ToRs are searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Placement")]
pub(crate) struct PlaceArgs {
    /// Search the racks of all ToRs for the cheapest cords, for about this time (60s); 2x500 is two searches of 500
    /// rounds on any machine. The answer says which chains and rounds a time came to.
    #[arg(long, value_name = "TIME")]
    place: Option<String>,
    /// Seed of the search.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "place")]
    #[arg(allow_negative_numbers = true, value_parser = whole::<u64>)]
    place_seed: u64,
    /// ToRs that stay in their racks, by number or rack, separated by commas.
    #[arg(long, value_name = "LIST", requires = "place")]
    fixed: Option<String>,
    /// Racks that get no ToR, separated by commas.
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "place")]
    forbidden: Vec<String>,
    /// Groups of racks: a CSV file with columns rack,group. A ToR stays within the group of its rack.
    #[arg(long, value_name = "FILE", requires = "place")]
    rack_groups: Option<PathBuf>,
}

impl PlaceArgs {
    /// Opens the design of a request; searches the racks of its ToRs, where that is asked.
    pub(crate) fn open(
        &self,
        request: &Request,
        quiet: bool,
    ) -> Result<(Project, Option<PlaceReport>), Error> {
        let Some(options) = self.options(request)? else {
            return Ok((lightloom::open(request)?, None));
        };
        let bar = Bar::new(quiet, "Placing", "rounds");
        let show = |done, of| bar.show(done, of);
        let watch = watching(&show);
        let (project, report) = place(request, &options, watch)?;
        // A plan of a search that was stopped is not what was asked for.
        watch.check()?;
        Ok((project, Some(report)))
    }

    fn options(&self, request: &Request) -> Result<Option<PlaceOptions>, InputError> {
        let Some(effort) = self.place.as_deref() else { return Ok(None) };
        let effort =
            effort.parse().map_err(|wrong: String| InputError::new(wrong).in_option("place"))?;
        let groups = self.rack_groups.as_deref();
        let groups = groups.map(|file| read_rack_groups(file, &request.texts)).transpose()?;
        Ok(Some(PlaceOptions {
            seed: self.place_seed,
            fixed: self.fixed.clone().unwrap_or_default(),
            forbidden: self.forbidden.clone(),
            groups: groups.unwrap_or_default(),
            ..PlaceOptions::new(effort)
        }))
    }
}

/// What a search has found.
pub(crate) fn placed(report: &PlaceReport) -> String {
    let mut sums = table(&PlaceReport::TITLES);
    for row in report.rows() {
        sums.add_row(row.cells());
    }
    let notes: String = report.notes().into_iter().map(|note| note + "\n").collect();
    format!("{}\n{sums}\n{notes}\n", report.line())
}
