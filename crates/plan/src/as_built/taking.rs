//! Takes back what crews tell of a plan.

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_plant::{Astray, Built, Misbuilt, Plant, Plug};
use lightloom_request::InputError;
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::as_built::applying::{heard, misbuilt_text, own};
use crate::as_built::index::{plug_label, plug_name};
use crate::as_built::marks::AsBuilt;
use crate::as_built::resolve::{MarkFault, resolve};
use crate::project::Project;
use lightloom_plant::end_labels::fibre_label;

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
    Astray {
        /// Whose light. At least one.
        astray: Vec<AstrayReport>,
        /// The plugs to move to where they were planned: those that this light passes, and those that were exchanged
        /// with them.
        move_back: Vec<String>,
    },
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
        let (planned, now) = (self.laid_as_planned()?, self.laid()?);
        let (planned, now) = (planned.plant(), now.plant());
        let marks = resolve(told, now, planned).map_err(|fault| place(&fault))?;
        let newly = marks.measured.clone();
        let earlier = resolve(&self.as_built, planned, planned).map_err(|fault| own(&fault))?;
        let mut all = marks.after(earlier);
        let built = match planned.clone().as_built(&all.built) {
            Ok(built) => built,
            Err(Misbuilt::Astray(astray)) => {
                let back = exchanged(planned, &all.built, &astray);
                return Ok(Taken::Astray {
                    astray: astray.iter().map(|found| self.astray_report(planned, found)).collect(),
                    move_back: back.into_iter().map(|plug| plug_name(planned, plug)).collect(),
                });
            }
            Err(misbuilt) => {
                let (plug, message) = misbuilt_text(planned, &misbuilt);
                let label = plug.map(|plug| plug_label(planned, plug));
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
        let project = Self {
            as_built: all.marks(planned),
            fabric: Arc::new((*self.fabric).clone().hearing(heard(&built))),
            ..self.clone()
        };
        Ok(Taken::Built { project: Box::new(project), measure_again })
    }

    /// The project of a plan that was read back, with what its receive ports really hear.
    ///
    /// # Errors
    /// As [`as_built`].
    pub(crate) fn hearing_as_built(mut self) -> Result<Self, InputError> {
        if !self.as_built.is_empty() {
            let heard = heard(self.laid()?.plant());
            self.fabric = Arc::new(Arc::unwrap_or_clone(self.fabric).hearing(heard));
        }
        Ok(self)
    }

    fn astray_report(&self, planned: &Plant, found: &Astray) -> AstrayReport {
        let names =
            |tors: &[TorId]| tors.iter().map(|&tor| self.tor_name(tor).to_owned()).collect();
        AstrayReport {
            from: self.tor_name(found.from).to_owned(),
            lacking: names(&found.lacking),
            lit: names(&found.lit),
            past: found.past.iter().map(|&plug| plug_name(planned, plug)).collect(),
        }
    }
}

/// The plugs to move back, so that light arrives: those that astray light passes, with all that were exchanged with
/// them. One mistake can hide another, so what is left is tried again.
fn exchanged(planned: &Plant, built: &Built, astray: &[Astray]) -> BTreeSet<Plug> {
    let mut back = BTreeSet::new();
    let mut astray = astray.to_vec();
    loop {
        let before = back.len();
        for &first in astray.iter().flat_map(|found| &found.past) {
            let mut plug = first;
            // Each socket has one plug, so this comes back to the first one.
            while back.insert(plug) {
                plug = built.moves.get(&plug).copied().unwrap_or(plug);
            }
        }
        let mut rest = built.clone();
        rest.moves.retain(|plug, _| !back.contains(plug));
        match planned.clone().as_built(&rest) {
            Err(Misbuilt::Astray(more)) if back.len() > before => astray = more,
            _ => return back,
        }
    }
}
