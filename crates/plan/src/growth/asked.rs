//! Makes the project of a plan that grows or shrinks.

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_design::design::{Design, RouterChoice};
use lightloom_design::family::FabricSpec;
use lightloom_design::inventory::Inventory;
use lightloom_request::{Error, InputError};
use lightloom_routing::growth::{self, GrowthError, Keeps, SplittersStay, Wish};
use lightloom_routing::rows::LISTED_TORS;
use lightloom_topology::hall::{Housing, Placement, Shuffle};
use lightloom_topology::{CassetteId, Fabric, RackId, TorId, TransmitPort};

use crate::growth::frames::{modules_there, with_frames};
use crate::growth::named_ports;
use crate::growth::origin::Origin;
use crate::growth::pins;
use crate::growth::racks::{Grounds, racks_for};
use crate::growth::reach::too_short;
use crate::growth::trunks::trunks_there;
use crate::memory::{self, Counts, Work};
use crate::project::Project;

/// Options of a growth.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrowOptions {
    /// Number of ToRs afterwards. `None`: the first of `phases`.
    pub tors: Option<usize>,
    /// Numbers of ToRs of this and later phases, ascending.
    pub phases: Vec<usize>,
    /// ToRs and ports whose cords must not move, separated by commas: a ToR by number or rack, one of its ports
    /// after a colon (`R7:tx`, `R7:rx2`, `R7:2`). Empty: none.
    pub pin: String,
    /// Largest number of ToRs whose cords may move. `None`: half of them.
    pub most_moves: Option<usize>,
}

/// Options of a shrinking. Exactly one is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShrinkOptions {
    /// Number of ToRs afterwards: those that the last cassettes feed leave.
    pub tors: Option<usize>,
    /// The ToRs that leave, by rack or number, separated by commas.
    pub racks: Option<String>,
}

/// A plan that grew, with the number of racks that were added to a generated hall.
pub struct Grown {
    /// The project.
    pub project: Project,
    /// Number of racks that are assumed: more rows of a generated hall.
    pub assumed_racks: usize,
    /// Number of frames that are assumed: more of those that the plan has to buy.
    pub assumed_frames: usize,
}

impl GrowOptions {
    /// The numbers of ToRs of all phases, this one first.
    ///
    /// # Errors
    /// [`InputError`] if there is none, or if they do not ascend.
    pub fn sequence(&self) -> Result<Vec<usize>, InputError> {
        if let Some(pair) = self.phases.windows(2).find(|pair| pair[0] >= pair[1]) {
            let message = format!("found {} before {}; phases ascend", pair[0], pair[1]);
            return Err(InputError::new(message).in_option("phases"));
        }
        let Some(tors) = self.tors.or_else(|| self.phases.first().copied()) else {
            let message = "is missing; name the number of ToRs afterwards, or phases";
            return Err(InputError::new(message).in_option("tors"));
        };
        let mut all = self.phases.clone();
        match all.first() {
            Some(&first) if first < tors => {
                let message = format!(
                    "asks for {tors} ToRs, but the first phase has {first}; grow by one phase at a time"
                );
                return Err(InputError::new(message).in_option("tors"));
            }
            Some(&first) if first == tors => {}
            _ => all.insert(0, tors),
        }
        Ok(all)
    }
}

impl Project {
    /// Grows a plan. Old ToRs keep their numbers, racks, labels and receive cords.
    ///
    /// # Errors
    /// [`Error`] if the plan cannot grow as asked.
    pub fn grown(
        &self,
        tors: usize,
        options: &GrowOptions,
        inventory: Option<&Inventory>,
    ) -> Result<Grown, Error> {
        self.refuse_unchangeable("grow")?;
        let splitters_stay = self.splitters_stay();
        let pins = pins::pins(self, &options.pin, splitters_stay)
            .map_err(|error| error.in_option("pin"))?;
        if tors > LISTED_TORS {
            let message = format!("asks for {tors} ToRs; stages are computed up to {LISTED_TORS}");
            return Err(InputError::new(message).in_option("tors").into());
        }
        memory::check(&self.design, Counts::of_grown(self, tors), Work::Planned)?;
        let refuse = |error: GrowthError| match error {
            GrowthError::TooFewMoves { needed, .. } => {
                match pins::one_too_many(&pins, self.fabric.tors(), needed) {
                    Some(pin) => {
                        InputError::new(format!("found {pin:?}, which cannot be kept: {error}"))
                            .in_option("pin")
                    }
                    None => InputError::new(error).in_option("most_moves"),
                }
            }
            _ => InputError::new(error).in_option("tors"),
        };
        let fed_by = growth::fed_by(&self.fabric, tors).map_err(refuse)?;
        let Grounds { hall, rack_of, assumed } = racks_for(self, tors, inventory)?;
        let origin = Origin::of(self, |rack| rack_of[rack.index()]);
        let fixed: Vec<Option<RackId>> = origin.racks.iter().copied().map(Some).collect();
        let placement = Placement::new(tors, &hall.racks_for_tors(), &fixed)
            .map_err(|error| InputError::new(error).in_option("tors"))?
            .with_shelves(origin.shelves.clone())
            .with_modules(modules_there(self, |rack| rack_of[rack.index()])?)
            .with_trunks(trunks_there(self, &hall, |rack| rack_of[rack.index()])?);
        let too_short = too_short(self, &hall, &placement, &fed_by)?;
        let wish = Wish {
            tors,
            pinned: pins::pinned(&pins),
            most_moves: options.most_moves,
            too_short,
            splitters_stay,
        };
        let grown = growth::grow(&self.fabric, &wish).map_err(refuse)?;
        let occupied = self.occupied.in_hall(|rack| rack_of[rack.index()]);
        let changed = self.changed(grown.fabric, placement, origin);
        let mut project = Self { hall: Arc::new(hall), occupied: Arc::new(occupied), ..changed };
        project.ports = named_ports::named(self, &project)?.map(Arc::new);
        let (project, assumed_frames) = with_frames(project)?;
        Ok(Grown { project, assumed_racks: assumed, assumed_frames })
    }

    /// Takes ToRs out of a plan. Those that stay keep their racks, labels and receive cords.
    ///
    /// # Errors
    /// [`Error`] if the plan cannot shrink as asked.
    pub fn shrunk(&self, options: &ShrinkOptions) -> Result<Self, Error> {
        self.refuse_unchangeable("shrink")?;
        let (leaving, option) = match (options.tors, &options.racks) {
            (Some(tors), None) => {
                let found = self.fabric.tors();
                if tors >= found {
                    let message = format!(
                        "asks for {tors} ToRs; the plan has {found}, so name a smaller number"
                    );
                    return Err(InputError::new(message).in_option("tors").into());
                }
                (growth::last_tors(&self.fabric, tors), "tors")
            }
            (None, Some(racks)) => {
                let leaving = self.tors(racks).map_err(|error| error.in_option("racks"))?;
                (leaving.into_iter().collect(), "racks")
            }
            _ => {
                let message = "name either the number of ToRs afterwards or the racks that leave";
                return Err(InputError::new(message).in_option("racks").into());
            }
        };
        let keeps = Keeps {
            splitters: self.splitters_stay(),
            transmit_ports_lit: self.platform.cascades(),
        };
        let shrunk = growth::shrink(&self.fabric, &leaving, keeps)
            .map_err(|error| InputError::new(error).in_option(option))?;
        let origin = Origin::of(self, |rack| rack);
        let fixed: Vec<Option<RackId>> =
            shrunk.tors.iter().map(|&tor| Some(self.placement.rack(tor))).collect();
        let shelf = |old: &CassetteId| origin.shelves[old.index()];
        let shelves = shrunk.cassettes.iter().map(shelf).collect();
        let placement = Placement::new(fixed.len(), &self.hall.racks_for_tors(), &fixed)
            .map_err(|error| InputError::new(error).in_option(option))?
            .with_shelves(shelves)
            .with_modules(modules_there(self, |rack| rack)?)
            .with_trunks(trunks_there(self, &self.hall, |rack| rack)?);
        let mut project = self.changed(shrunk.fabric, placement, origin);
        project.ports = named_ports::named(self, &project)?.map(Arc::new);
        Ok(project)
    }

    /// The same project with another fabric in the same hall.
    fn changed(&self, fabric: Fabric, placement: Placement, origin: Origin) -> Self {
        let router = match self.design.router {
            RouterChoice::Algorithm1 => RouterChoice::Arborescence,
            other => other,
        };
        let spec = FabricSpec::of(&fabric);
        let design =
            Design { fabric: spec, router, inventory: None, ..Design::clone(&self.design) };
        Self {
            design: Arc::new(design),
            fabric: Arc::new(fabric),
            placement: Arc::new(placement),
            origin: Some(origin),
            request: None,
            tables: std::sync::OnceLock::new(),
            ..self.clone()
        }
    }

    fn refuse_unchangeable(&self, verb: &str) -> Result<(), InputError> {
        self.refuse_logical("plans grow and shrink")?;
        if self.recovery.is_some() {
            let message = format!(
                "is a plan around failures; repair the parts, and {verb} the plan without failures"
            );
            return Err(InputError::new(message).in_field("recovery"));
        }
        if !self.as_built.is_empty() {
            let message = format!(
                "has marks of what was built otherwise than planned, which name its cables; {verb} the plan without \
                 them, and tell the marks again"
            );
            return Err(InputError::new(message).in_field("as_built"));
        }
        if self.fabric.transmits_by() == TransmitPort::Own {
            let message = format!(
                "has transmit ports of their own, whose numbers would move with the receive ports; {verb} a plan with \
                 transmit_port \"shared\""
            );
            return Err(InputError::new(message).in_field("tor"));
        }
        let scheme = &self.design.scheme;
        if scheme.is_trunked() && scheme.shuffle == Shuffle::Modules {
            let message = format!(
                "has shuffle modules, in which the outputs of splitters are joined to the trunks of their receivers; \
                 those of other ToRs would be joined otherwise, so {verb} a plan with shuffle \"jumpers\", or make a \
                 new plan with shuffle modules"
            );
            return Err(InputError::new(message).in_field("shuffle"));
        }
        Ok(())
    }

    /// What a splitter stays with when its ToR goes to another cassette.
    pub(crate) fn splitters_stay(&self) -> SplittersStay {
        match self.design.scheme.housing {
            Housing::Sender => SplittersStay::WithTor,
            Housing::Receiver | Housing::Zone => SplittersStay::WithCassette,
        }
    }
}

/// The racks that hold splitters and no ToR any more.
pub fn shelves_without_tor(project: &Project) -> Vec<RackId> {
    if project.design.scheme.housing != Housing::Receiver {
        return Vec::new();
    }
    let held: BTreeSet<RackId> = project.placement.racks().iter().copied().collect();
    let shelves: BTreeSet<RackId> =
        project.fabric.cassette_ids().map(|c| project.cassette_rack(c)).collect();
    shelves.difference(&held).copied().collect()
}

/// The names of ToRs of a plan.
pub fn names(project: &Project, tors: &[TorId]) -> Vec<String> {
    tors.iter().map(|&tor| project.tor_name(tor).to_owned()).collect()
}
