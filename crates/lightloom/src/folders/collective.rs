//! Writes the curves of collective operations.

use std::path::Path;

use lightloom_advice::report::AdviceReport;
use lightloom_export::curves;
use lightloom_export::output::Inputs;
use lightloom_export::results::single::SingleFile;
use lightloom_request::{Error, InputError};
use lightloom_watch::Watch;

use super::plan::inputs_of;
use crate::in_memory::collective::{CollectiveOn, CollectiveOptions, collective};

/// As [`collective`], and draws times and bandwidths over sizes into a file, whose name ends in `.svg`. A file that is
/// there is replaced. A stopped question draws the runs that are done.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::twin::{CollectiveOptions, Operation, draw_collective};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 8_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let plot = place.path().join("allgather.svg");
/// let options = CollectiveOptions { size: "8kB".into(), ..CollectiveOptions::new(Operation::Allgather) };
/// let report = draw_collective(&open(&request)?, &options, &plot, Watch::quiet())?;
/// assert!(report.good() && std::fs::read_to_string(&plot).expect("it is there").contains("bruck"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// As [`collective`]; also if the file cannot be written, or has another ending.
pub fn draw_collective<'a>(
    on: impl Into<CollectiveOn<'a>>,
    options: &CollectiveOptions,
    plot: &Path,
    watch: Watch<'_>,
) -> Result<AdviceReport, Error> {
    if plot.extension().is_none_or(|ending| ending != "svg") {
        let message = "names no kind of picture; end it in .svg";
        return Err(InputError::new(message).in_file(plot).in_option("plot").into());
    }
    let on = on.into();
    let inputs = match on {
        CollectiveOn::Design(project) => inputs_of(project),
        CollectiveOn::Scenario(path, _) => Inputs::of([path]),
    };
    let file = SingleFile::create(plot, "plot", (&inputs, None), [])?;
    let report = collective(on, options, watch)?;
    file.write(|out| curves::write(out, &report))?;
    Ok(report)
}
