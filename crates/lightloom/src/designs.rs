//! Designs to start from, to choose among, and the racks that they stand in.

use std::path::{Path, PathBuf};

use lightloom_export::design::design_text;
use lightloom_input::{catalogue, open, settings};
use lightloom_plan::explore::{self as designs, ExploreOptions, ExploreReport, Limits};
use lightloom_plan::facts::InfoReport;
use lightloom_plan::unused_ports::{self as ports, UnusedOptions, UnusedReport};
use lightloom_request::{Error, InputError, Request, Value};
use lightloom_watch::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A design that was written, and what it amounts to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewDesign {
    /// The file.
    pub design: PathBuf,
    /// The fabric, and the other family beside it.
    #[serde(flatten)]
    pub info: InfoReport,
}

/// Writes a design file for what the flags of a request ask for; what they leave open is chosen. An
/// existing file is never overwritten.
///
/// # Errors
/// [`InputError`] when the request is wrong or the file is there already.
pub fn new_design(
    request: &Request,
    out: &Path,
    progress: Progress<'_>,
) -> Result<NewDesign, Error> {
    let refuse = |message: String| InputError::new(message).in_file(out);
    if out.exists() {
        return Err(refuse("is there already; name another file, or remove it".into()).into());
    }
    let project = open::project(request)?;
    let settings = settings::read(request)?;
    let text = design_text(&project, &settings, out)?;
    let info = project.info(progress)?;
    progress(1, 1)?;
    let written = std::fs::File::create_new(out)
        .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    written.map_err(|error| refuse(format!("cannot be written: {error}")))?;
    Ok(NewDesign { design: out.to_path_buf(), info })
}

/// Explores all designs of the `shufflecast` and `kautz` families, with splitters at the senders and
/// at the receivers, for the ToRs of a request.
///
/// # Errors
/// [`InputError`] when the request or an option is wrong.
pub fn explore(
    request: &Request,
    options: &ExploreOptions,
    progress: Progress<'_>,
) -> Result<ExploreReport, Error> {
    explore_telling(request, options, progress, None)
}

/// The same; `so_far` hears of the designs that were looked at, again and again, so that whoever stops
/// the exploration has them.
///
/// # Errors
/// As [`explore`].
pub fn explore_telling(
    request: &Request,
    options: &ExploreOptions,
    progress: Progress<'_>,
    so_far: Option<&mut dyn FnMut(ExploreReport)>,
) -> Result<ExploreReport, Error> {
    let limits = Limits::read(options)?;
    let mut settings = settings::read(request)?;
    if request.design.is_some() {
        let tors = open::unlit(settings.clone())?.fabric.tors();
        settings.replace_section("fabric", [("fabric.tors", tors)]);
        settings.replace_section("routing", []);
    }
    settings.say("fabric.family", Value::Text("kautz".into()));
    settings.say("fabric.p", Value::Integer(2));
    let smallest = open::unlit(settings)?;
    let mut nobody = |_| ();
    designs::explore(&smallest, &limits, progress, so_far.unwrap_or(&mut nobody))
}

/// Studies unused ports; with a design also whether its ToRs have ports to spare.
///
/// # Errors
/// [`InputError`] when an option is wrong or the catalogue has no such model.
pub fn unused_ports(request: &Request, options: &UnusedOptions) -> Result<UnusedReport, Error> {
    let said = settings::read(request)?;
    let catalogue = catalogue::read(&said)?;
    let has_design = request.design.is_some() || said.has_section("fabric");
    // The options are looked at first.
    let alone = ports::unused_ports(&catalogue, None, options)?;
    if !has_design {
        return Ok(alone);
    }
    Ok(ports::unused_ports(&catalogue, Some(&open::project(request)?), options)?)
}
