//! Makes new designs, and looks for all that fit.

use std::path::{Path, PathBuf};

use lightloom_export::design::design_text;
use lightloom_input::{catalogue, open, settings};
use lightloom_plan::facts::InfoReport;
use lightloom_request::choices::Family;
use lightloom_request::setting::fabric::{FAMILY, P, TORS};
use lightloom_request::setting::optics::{RATE, TRANSCEIVER};
use lightloom_request::setting::splitters::{CABLING, HOUSING};
use lightloom_request::{Error, Request, Value};
use lightloom_studies::explore::{self as designs, ExploreOptions, ExploreReport, Limits};
use lightloom_studies::unused_ports::{
    UnusedOptions, UnusedReport, {self as ports},
};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The text of a design file, and facts about its design.
#[derive(Debug, Clone)]
pub struct DesignText {
    /// The text: TOML with comments.
    pub text: String,
    /// The fabric, and the fabric of the other family.
    pub info: InfoReport,
}

/// Makes the text of a design file for the settings of a request. Settings that are not given are chosen.
/// Paths in the text are relative to the folder of `place`, the future path of the file.
///
/// # Examples
/// ```
/// # use std::path::Path;
/// # use lightloom::{Request, Watch, setting};
/// # use lightloom::designs::new_design_text;
/// let request = Request::default().say(&setting::fabric::TORS, 12_u32);
/// let design = new_design_text(&request, Path::new("design.toml"), Watch::quiet())?;
/// assert!(design.text.contains("tors = 12"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if the request is wrong.
pub fn new_design_text(
    request: &Request,
    place: &Path,
    watch: Watch<'_>,
) -> Result<DesignText, Error> {
    let request = &lit(request)?;
    let project = open::project(request)?;
    let settings = settings::read(request)?;
    let text = design_text(&project, &settings, place)?;
    let info = project.info(watch)?;
    Ok(DesignText { text, info })
}

/// The request with a transceiver, if it names only a rate that several transceivers have: the first one of the
/// design's own fabric and housing that [`explore`] lists.
fn lit(request: &Request) -> Result<Request, Error> {
    let mut settings = settings::read(request)?;
    let Some(rate) = settings.get(&RATE)? else { return Ok(request.clone()) };
    let catalogue = catalogue::read(&settings)?;
    let rows = catalogue.parts.transceivers_at(rate).filter(|row| row.fibres == 1).count();
    if settings.has(&TRANSCEIVER) || rows < 2 {
        return Ok(request.clone());
    }
    let scheme = open::design(settings.clone())?.scheme;
    settings.say(&HOUSING, Value::Text(scheme.housing.name().into()));
    settings.say(&CABLING, Value::Text(scheme.cabling.name().into()));
    let project = open::candidate(settings.clone(), None)?.into_project();
    let open = |fabric: &_| open::candidate(settings.clone(), Some(fabric));
    let limits = Limits::read(&ExploreOptions::default())?;
    let found = designs::explore_one(&project, &open, &limits)?;
    let Some(best) = found.designs.first() else {
        let reasons = found.rejected.iter().map(|row| {
            let name = row.transceiver.as_deref().unwrap_or("the design");
            format!("{name}: {}", row.reasons.join("; "))
        });
        let reasons = reasons.collect::<Vec<_>>().join(". ");
        let message = format!(
            "is missing, and no transceiver at {rate} closes this design; explore finds designs that close, or \
             name one of these all the same. {reasons}"
        );
        return Err(settings.refuse(&TRANSCEIVER, message).into());
    };
    Ok(request.clone().say(&TRANSCEIVER, best.transceiver.as_str()))
}

/// A design file that was written, and facts about its design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewDesign {
    /// Path of the file.
    pub design: PathBuf,
    /// The fabric, and the fabric of the other family.
    #[serde(flatten)]
    pub info: InfoReport,
}

/// Explores all designs of the families `shufflecast` and `kautz` for the ToRs of a request, with splitters
/// at the senders and at the receivers. The watch receives the number of examined designs.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, setting};
/// # use lightloom::designs::{ExploreOptions, explore};
/// let request = Request::default().say(&setting::fabric::TORS, 8_u32);
/// let options = ExploreOptions { max_hops: Some(3), ..ExploreOptions::default() };
/// let found = explore(&request, &options, Watch::quiet())?;
/// assert!(found.designs.iter().all(|design| design.max_hops <= 3));
/// // Every other design has reasons for its rejection.
/// assert!(found.rejected.iter().all(|design| !design.reasons.is_empty()));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if the request or an option is wrong, [`Error::Stopped`] if the watch stops the work.
pub fn explore(
    request: &Request,
    options: &ExploreOptions,
    watch: Watch<'_, ExploreReport>,
) -> Result<ExploreReport, Error> {
    let limits = Limits::read(options)?;
    let mut settings = settings::read(request)?;
    if request.design.is_some() {
        let tors = open::candidate(settings.clone(), None)?.project().fabric().tors();
        settings.forget_section("fabric");
        settings.forget_section("routing");
        settings.say(&TORS, Value::Integer(i64::try_from(tors).unwrap_or(i64::MAX)));
    }
    settings.say(&FAMILY, Value::Text(Family::Kautz.name().into()));
    settings.say(&P, Value::Integer(2));
    let smallest = open::candidate(settings.clone(), None)?.into_project();
    let open = |fabric: &_| open::candidate(settings.clone(), Some(fabric));
    designs::explore(&smallest, &open, &limits, watch)
}

/// Studies unused ports of racks. With a design, also reports whether its ToRs have enough spare ports.
///
/// # Examples
/// ```
/// # use lightloom::Request;
/// # use lightloom::designs::{UnusedOptions, unused_ports};
/// let found = unused_ports(&Request::default(), &UnusedOptions::default())?;
/// assert!(found.racks > 0 && found.design.is_none());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if an option is wrong or the catalogue lacks the model.
pub fn unused_ports(request: &Request, options: &UnusedOptions) -> Result<UnusedReport, Error> {
    let said = settings::read(request)?;
    let catalogue = catalogue::read(&said)?;
    let has_design = request.design.is_some() || said.has_section("fabric");
    // Options are checked first.
    let alone = ports::unused_ports(&catalogue, None, options)?;
    if !has_design {
        return Ok(alone);
    }
    Ok(ports::unused_ports(&catalogue, Some(&open::project(request)?), options)?)
}
