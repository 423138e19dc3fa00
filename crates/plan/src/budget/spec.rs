//! What a design demands of the parts that are bought for it.

use lightloom_design::optics::DesignOptics;
use lightloom_power_cost::parts::{LaunchKind, SensitivityKind};
use lightloom_power_cost::spec::{Demand, Spec};
use lightloom_request::{Error, InputError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::branch::{db, dbm, pad_text};
use crate::budget::lights::fans;
use crate::laid::check_size;
use crate::project::Project;
use crate::provenance::CatalogueReport;

/// Reflections of splitters and pads that makers of single-mode parts guarantee: return loss and directivity,
/// in dB.
const RETURN_LOSS_DB: f64 = 50.0;
const DIRECTIVITY_DB: f64 = 55.0;

/// What a design demands of its parts, so that every branch keeps the policies for margin and headroom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpecReport {
    /// Name of the transceiver that the demands are compared with.
    pub transceiver: String,
    /// Assumptions for values that the design does not give.
    pub assumed: Vec<String>,
    /// Policy: least margin, in dB.
    pub margin_db: f64,
    /// Policy: least headroom, in dB.
    pub headroom_db: f64,
    /// Penalties and ageing, in dB.
    pub reserve_db: f64,
    /// Largest loss of all branches, in dB.
    pub most_loss_db: f64,
    /// Smallest loss of all branches, in dB. It includes the pad.
    pub least_loss_db: f64,
    /// Launch power and sensitivity to demand, by kind of power. Empty if no kinds can be compared.
    pub transceivers: Vec<DemandReport>,
    /// Largest average launch power to accept, in dBm. Null if the overload is unknown.
    pub greatest_launch_dbm: Option<f64>,
    /// Whether the transceiver keeps it.
    pub keeps_greatest_launch: Option<bool>,
    /// Why a value is unknown.
    pub gaps: Vec<String>,
    /// The pad and its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pad: Option<String>,
    /// What to demand of the splitters, on a sheet with the values of each port.
    pub splitter: SplitterDemand,
    /// Source of the values.
    pub catalogue: CatalogueReport,
}

/// Launch power and sensitivity to demand in one kind of power.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DemandReport {
    /// Kind of the launch power.
    pub launch: LaunchKind,
    /// Kind of the sensitivity.
    pub sensitivity: SensitivityKind,
    /// Smallest launch power with the transceiver's sensitivity, in dBm.
    pub required_launch_dbm: f64,
    /// Worst sensitivity with the transceiver's launch power, in dBm.
    pub worst_sensitivity_dbm: f64,
    /// Whether the transceiver meets it.
    pub met: bool,
}

/// What to demand of the splitters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SplitterDemand {
    /// Name of the splitter.
    pub name: String,
    /// Number of outputs.
    pub fan_out: u32,
    /// Largest loss of each port over the band, with its polarisation dependence, in dB.
    pub loss_max_db: f64,
    /// Smallest loss of each port, in dB. A brighter port could overload a receiver.
    pub loss_min_db: f64,
    /// Largest difference between two ports, in dB. Null if the catalogue has none.
    pub uniformity_db: Option<f64>,
    /// Least return loss, in dB.
    pub return_loss_db: f64,
    /// Least directivity, in dB.
    pub directivity_db: f64,
}

impl Project {
    /// What the design demands of its parts.
    ///
    /// # Errors
    /// [`InputError`] if the catalogue lacks the optics.
    pub fn spec(&self) -> Result<SpecReport, Error> {
        check_size(self)?;
        let laid = self.laid()?;
        let (chosen, assumed) = laid.optics_or_assumed()?;
        let spec = Spec::new(&chosen.optics, &fans(laid.plant()))
            .ok_or_else(|| InputError::new("the design has no branch to demand anything of"))?;
        let catalogue = CatalogueReport::new(&chosen, &self.catalogue);
        Ok(SpecReport::new(&spec, &chosen, assumed, catalogue))
    }
}

impl SpecReport {
    fn new(
        spec: &Spec,
        chosen: &DesignOptics,
        assumed: Vec<String>,
        catalogue: CatalogueReport,
    ) -> Self {
        let optics = &chosen.optics;
        Self {
            transceiver: optics.transceiver.name.clone(),
            assumed,
            margin_db: db(optics.least_margin),
            headroom_db: db(optics.least_headroom),
            reserve_db: db(optics.reserve()),
            most_loss_db: db(spec.most_loss),
            least_loss_db: db(spec.least_loss),
            transceivers: spec.demands.iter().map(DemandReport::from).collect(),
            greatest_launch_dbm: spec.greatest_launch.map(dbm),
            keeps_greatest_launch: spec.keeps_greatest,
            gaps: optics.gaps(),
            pad: pad_text(optics),
            splitter: SplitterDemand::of(chosen),
            catalogue,
        }
    }
}

impl From<&Demand> for DemandReport {
    fn from(demand: &Demand) -> Self {
        Self {
            launch: demand.launch,
            sensitivity: demand.receive,
            required_launch_dbm: dbm(demand.required_launch),
            worst_sensitivity_dbm: dbm(demand.worst_sensitivity),
            met: demand.is_met,
        }
    }
}

impl SplitterDemand {
    fn of(chosen: &DesignOptics) -> Self {
        let splitter = &chosen.optics.splitter;
        let loss = splitter.loss();
        let most = loss.most + splitter.further_pdl().unwrap_or_default();
        let known = splitter.reflectance.map_or(0.0, |reflectance| -db(reflectance));
        Self {
            name: splitter.name.clone(),
            fan_out: splitter.fan_out,
            loss_max_db: db(most),
            loss_min_db: db(loss.least),
            uniformity_db: splitter.uniformity.map(db),
            return_loss_db: known.max(RETURN_LOSS_DB),
            directivity_db: DIRECTIVITY_DB,
        }
    }
}
