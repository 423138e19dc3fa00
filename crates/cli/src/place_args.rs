//! Arguments of a search for the racks of ToRs, and its answer as people read it.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use lightloom::plan::{PlaceFigures, PlaceOptions, PlaceReport, place, read_rack_groups};
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
    let mut sums = table(&["cords", "before", "after", "less"]);
    let percent = |before: f64, after: f64| match before > 0.0 {
        true => format!("{:.1} %", 100.0 * (before - after) / before),
        false => String::new(),
    };
    let mut add = |name: &str, unit: &str, of: fn(&PlaceFigures) -> Option<f64>| {
        if let Some((before, after)) = of(&report.before).zip(of(&report.after)) {
            let number = |value: f64| format!("{value:.0} {unit}");
            sums.add_row([name.into(), number(before), number(after), percent(before, after)]);
        }
    };
    add("stock length, feeds", "m", |one| Some(one.feeds_stock_m));
    add("stock length, branches", "m", |one| Some(one.branches_stock_m));
    add("stock length, all", "m", |one| Some(one.stock_m()));
    add("routed length", "m", |one| Some(one.routed_m));
    let currency = report.currency.as_deref().unwrap_or_default();
    add("cost", currency, |one| one.cords_cost);
    add("fullest tray", "%", |one| one.fullest_tray_percent);
    let mut text = format!(
        "Placed: {} of {} x {} rounds with seed {}; {} ToRs stand in other racks, {} could not move.\n{sums}\n",
        report.rounds_done,
        report.chains,
        report.rounds,
        report.seed,
        report.moved_tors,
        report.kept_tors
    );
    if let Some(moved) = report.moved_cords {
        let _ =
            writeln!(text, "{moved} cords of the kept plan run between other racks than before.");
    }
    if let Some(share) = report.assumed_share_of_gain {
        let _ = writeln!(text, "{:.0} % of the saved money rest on assumed prices.", 100.0 * share);
    }
    if let Some(why) = &report.not_taken {
        let _ = writeln!(text, "What was found is not taken: {why}.");
    }
    text + "\n"
}
