//! What a plan would warn of, and what it would be refused for, without the proofs of the plan.

use lightloom_request::{Error, InputError, setting};
use lightloom_watch::Watch;

use crate::budget::PlanLight;
use crate::platform_report::PlatformReport;
use crate::project::Project;
use crate::trays::{self, TrayReport, Warning};

/// What a plan would warn of, and what it would be refused for.
#[derive(Debug, Clone, PartialEq)]
pub struct Concerns {
    /// Why no plan is written. `None`: nothing is known that prevents it. The proofs of the plan are not made here.
    pub refused: Option<InputError>,
    /// The warnings of the plan.
    pub warnings: Vec<Warning>,
    /// How the switches of the ToRs must be set.
    pub platform: PlatformReport,
    /// The optical budget. `None`: the design names no optics, or things do not fit their racks.
    pub light: Option<PlanLight>,
}

impl Project {
    /// What a plan of this project would warn of, and what it would be refused for. Nothing is proved for it, so it
    /// takes far less time than a plan.
    ///
    /// # Errors
    /// [`Error::Stopped`] if `watch` stops the work.
    pub fn concerns(&self, watch: Watch<'_>) -> Result<Concerns, Error> {
        let platform = PlatformReport::new(&self.platform, &self.fabric, &self.placement);
        let unlit = refuse_unlit(self).err();
        let laid = match self.laid() {
            Ok(laid) => laid,
            Err(error) => {
                let refused = Some(unlit.unwrap_or(error));
                let warnings = warnings(&[], &platform);
                return Ok(Concerns { refused, warnings, platform, light: None });
            }
        };
        let light = self.optics.as_ref().map(|chosen| PlanLight::of(laid.plant(), chosen, watch));
        Ok(Concerns {
            refused: unlit.or_else(|| trays::refuse_overfull(&laid).err()),
            warnings: warnings(&trays::reports(laid.plant()), &platform),
            light: light.transpose()?,
            platform,
        })
    }
}

/// The warnings of a plan with these trays and switches.
pub fn warnings(trays: &[TrayReport], platform: &PlatformReport) -> Vec<Warning> {
    trays::warnings(trays).into_iter().chain(platform.warnings()).collect()
}

/// Refuses a plan whose design has a section for optics but names none.
///
/// # Errors
/// [`InputError`] at the transceiver.
pub fn refuse_unlit(project: &Project) -> Result<(), InputError> {
    let settings = &project.design.settings;
    if project.optics.is_none() && settings.has_section("optics") {
        let message = "is missing; name one, or a rate, so that the light can be assessed";
        return Err(settings.refuse(&setting::optics::TRANSCEIVER, message));
    }
    Ok(())
}
