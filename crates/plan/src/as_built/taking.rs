//! Takes back what crews tell of a plan.

use lightloom_plant::{Astray, Misbuilt, Plant, Plug};
use lightloom_request::InputError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::as_built::index::{plug_label, plug_name};
use crate::as_built::marks::AsBuilt;
use crate::as_built::resolve::{MarkFault, resolve};
use crate::end_labels::{cable_label, fibre_label};
use crate::laid;
use crate::project::Project;

/// Light of a transmitter that does not arrive as planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AstrayReport {
    /// The rack of the transmitting ToR.
    pub from: String,
    /// The ToRs that should get its light and do not.
    pub lacking: Vec<String>,
    /// The ToRs that get its light and should not, or get it twice.
    pub lit: Vec<String>,
    /// The moved plugs that its light passes.
    pub past: Vec<String>,
}

/// What came of taking marks back.
pub enum Taken {
    /// The plan as it was built.
    Built {
        /// The project.
        project: Box<Project>,
        /// Branches that were measured before other cables were put in their way. Their results are left out.
        measure_again: Vec<String>,
    },
    /// Light arrives elsewhere than planned.
    Astray(Vec<AstrayReport>),
}

impl Project {
    /// The project as it was built, after what a crew tells of it. `place` puts the error of a mark in its place.
    ///
    /// # Errors
    /// [`InputError`] if a mark is wrong, or if something cannot be built as the marks say.
    pub fn taking(
        &self,
        told: &AsBuilt,
        place: &dyn Fn(&MarkFault) -> InputError,
    ) -> Result<Taken, InputError> {
        let planned = laid::lay_planned(self)?;
        let now = laid::lay(self)?;
        let marks = resolve(told, &now, &planned).map_err(|fault| place(&fault))?;
        let newly = marks.measured.clone();
        let earlier = resolve(&self.as_built, &planned, &planned).map_err(|fault| own(&fault))?;
        let mut all = marks.after(earlier);
        let built = match planned.clone().as_built(&all.built) {
            Ok(built) => built,
            Err(Misbuilt::Astray(astray)) => {
                let reports = astray.iter().map(|found| self.astray_report(&planned, found));
                return Ok(Taken::Astray(reports.collect()));
            }
            Err(misbuilt) => {
                let (plug, message) = misbuilt_text(&planned, &misbuilt);
                let label = plug.map(|plug| plug_label(&planned, plug));
                let at = told.marks.iter().position(|mark| Some(&mark.label) == label.as_ref());
                return Err(place(&MarkFault { mark: at.unwrap_or(0), column: "label", message }));
            }
        };
        let mut measure_again = Vec::new();
        all.measured.retain(|id, _| {
            let stays = newly.contains_key(id) || now.chain(*id) == built.chain(*id);
            if !stays {
                measure_again.push(fibre_label(&self.fabric, &built.fibres()[id.index()]));
            }
            stays
        });
        let project = Self { as_built: all.marks(&planned), ..self.clone() };
        Ok(Taken::Built { project: Box::new(project), measure_again })
    }

    fn astray_report(&self, planned: &Plant<'_>, found: &Astray) -> AstrayReport {
        let names = |tors: &[lightloom_topology::TorId]| {
            tors.iter().map(|&tor| self.tor_name(tor).to_owned()).collect()
        };
        AstrayReport {
            from: self.tor_name(found.from).to_owned(),
            lacking: names(&found.lacking),
            lit: names(&found.lit),
            past: found.past.iter().map(|&plug| plug_name(planned, plug)).collect(),
        }
    }
}

/// A plant as the marks of its project say.
///
/// # Errors
/// [`InputError`] if a mark is wrong, or if it cannot be built so: then somebody edited `plan.json`.
pub fn as_built<'a>(project: &Project, planned: Plant<'a>) -> Result<Plant<'a>, InputError> {
    if project.as_built.is_empty() {
        return Ok(planned);
    }
    let marks = resolve(&project.as_built, &planned, &planned).map_err(|fault| own(&fault))?;
    let told = planned.clone().as_built(&marks.built);
    told.map_err(|misbuilt| {
        let (_, message) = misbuilt_text(&planned, &misbuilt);
        InputError::new(message).in_field("as_built")
    })
}

/// The error of a mark of `plan.json`.
pub fn own(fault: &MarkFault) -> InputError {
    let MarkFault { mark, column, message } = fault;
    InputError::new(format!("{column} of mark {mark}: {message}")).in_field("as_built")
}

/// Why a plant cannot be built so, with the plug that is to blame.
fn misbuilt_text(planned: &Plant<'_>, misbuilt: &Misbuilt) -> (Option<Plug>, String) {
    let name = |plug: Plug| plug_name(planned, plug);
    let cable = |id: lightloom_plant::CableId| cable_label(planned, planned.cable(id));
    match misbuilt {
        Misbuilt::TwoInOne([first, second], of) => {
            let message = if first == of {
                format!(
                    "{} is in the socket of {}, which nothing moves away; tell where that one is",
                    name(*second),
                    name(*of)
                )
            } else {
                format!(
                    "{} and {} are both in the socket of {}",
                    name(*first),
                    name(*second),
                    name(*of)
                )
            };
            (Some(*second), message)
        }
        Misbuilt::Unfit(plug, of) => {
            let connector = |plug: Plug| {
                let connector = planned.connector_of(plug);
                format!("{} {}", connector.name(), connector.polish().name())
            };
            let message = format!(
                "{} is {}, and the socket of {} is for {}; the plug does not fit",
                name(*plug),
                connector(*plug),
                name(*of),
                connector(*of)
            );
            (Some(*plug), message)
        }
        Misbuilt::TooShort(id, length, way) => {
            let label = cable(*id);
            let message = format!(
                "{label} is {length} long and its way is {way}; if another cable was taken, give its length_m"
            );
            (planned.plugs(*id, lightloom_plant::CableEnd::Near).next(), message)
        }
        Misbuilt::OtherChain(fibre) => {
            let label = fibre_label(planned.site().fabric, &planned.fibres()[fibre.index()]);
            (
                None,
                format!(
                    "{label} would have another number of cables on its way than planned; build it as planned"
                ),
            )
        }
        Misbuilt::Reversed(id) => {
            let label = cable(*id);
            let message = format!(
                "{label} has its two ends exchanged, which changes nothing for light; leave this mark out, and exchange \
                 the labels of its ends"
            );
            (planned.plugs(*id, lightloom_plant::CableEnd::Near).next(), message)
        }
        Misbuilt::Astray(astray) => {
            let from = astray.first().map_or(0, |found| found.from.0);
            let more = astray.len() - 1;
            (
                None,
                format!(
                    "the light of ToR {from} (and of {more} more) arrives elsewhere than planned"
                ),
            )
        }
    }
}
