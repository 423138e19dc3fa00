//! `plan.json`: everything that a plan is made from, so that it can be made again and compared, and what was
//! proved.

mod fabric;
mod given;
mod origin;
mod trunks;

use std::path::Path;

use lightloom_design::catalogue::{Catalogue, LONGEST_STOCK};
use lightloom_design::design::Design;
use lightloom_design::geometry::Geometry;
use lightloom_design::hall_document::HallPart;
use lightloom_design::optics::DesignOptics;
use lightloom_design::platform::Platform;
use lightloom_design::work::Work;
use lightloom_plant::{Hardware, Scheme};
use lightloom_power_cost::parts::PlantPart;
use lightloom_power_cost::price::Price;
use lightloom_power_cost::{Accounting, FibrePrice, StockLengths};
use lightloom_request::{InputError, Memory, Settings};
use lightloom_routing::recovery::Method;
use lightloom_topology::RackId;
use lightloom_topology::hall::{Hall, Housing};
use lightloom_units::{Currency, Length};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::as_built::marks::AsBuilt;
use crate::document::fabric::{FabricPart, RouterPart};
use crate::document::origin::{GivenModulePart, OriginPart, named, racks_named};
use crate::document::trunks::GivenTrunksPart;
use crate::failure_set::FailureSet;
use crate::interfaces::ports::TorPortsPart;
use crate::method;
use crate::project::Project;
use crate::prove::PlanReport;
use lightloom_design::devices::occupied::OccupiedPart;
use lightloom_design::devices::port_rule::PortRulePart;

/// Value of `format`.
pub const FORMAT: &str = "lightloom-plan";
/// Version of the format.
pub const VERSION: u32 = 1;

/// The content of `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanDocument {
    /// Kind of the document: [`FORMAT`].
    pub format: String,
    /// Version of the format: [`VERSION`].
    pub version: u32,
    fabric: FabricPart,
    router: RouterPart,
    housing: String,
    /// How fibres run, if not in one cord from port to port.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cabling: Option<CablingPart>,
    spares_percent: u32,
    /// Crews, and what each does in a shift.
    #[serde(skip_serializing_if = "Work::is_default", default)]
    work: Work,
    catalogue: CataloguePart,
    /// The optics, with the catalogue rows that they are made from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    optics: Option<DesignOptics>,
    /// The switches of the ToRs.
    #[serde(skip_serializing_if = "Platform::is_default", default)]
    tor: Platform,
    hall: HallPart,
    /// Units of racks that devices occupy.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) occupied: Vec<OccupiedPart>,
    /// The failures of a recovered plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    recovery: Option<RecoveryPart>,
    /// The rack of each ToR, by name, ToR 0 first.
    tors: Vec<String>,
    /// The interfaces of the fabric ports, ToR 0 first. Empty: ports have only numbers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) ports: Vec<TorPortsPart>,
    /// Which interfaces further ports take if the plan grows.
    #[serde(skip_serializing_if = "PortRulePart::is_empty", default)]
    pub(crate) port_rule: PortRulePart,
    /// The rack of each cassette whose place is given, by name, cassette 0 first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    shelves: Vec<String>,
    /// The modules of splitters in frames whose places are given.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    modules: Vec<GivenModulePart>,
    /// The panels and trunks that are there.
    #[serde(skip_serializing_if = "GivenTrunksPart::is_empty", default)]
    trunks: GivenTrunksPart,
    /// What the plan grew or shrank from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    growth: Option<OriginPart>,
    /// What was built otherwise than planned.
    #[serde(skip_serializing_if = "AsBuilt::is_empty", default)]
    as_built: AsBuilt,
    /// The report of the plan. It is made again, never read.
    report: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecoveryPart {
    failed: Vec<String>,
    method: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    objective: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CataloguePart {
    stock_lengths: Vec<Length>,
    stock_step: Length,
    /// `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fibre_price: Option<Price>,
    fibre_price_per: Length,
    fibre_accounting: String,
    /// Currency of all prices.
    #[serde(default = "usd", skip_serializing_if = "is_usd")]
    currency: Currency,
}

fn usd() -> Currency {
    "USD".parse().expect("three capital letters")
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usd(currency: &Currency) -> bool {
    *currency == usd()
}

/// What decides how fibres run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CablingPart {
    scheme: Scheme,
    hardware: Hardware,
    trunk_lengths: Vec<Length>,
    trunk_step: Length,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PlantPart>,
}

impl PlanDocument {
    /// The file's name in a plan folder.
    pub const FILE: &str = "plan.json";

    /// Describes a plan with its report.
    pub fn new(project: &Project, report: &PlanReport) -> Self {
        let report =
            serde_json::to_value(report).expect("a report has text keys and finite numbers");
        Self { report, ..Self::unproved(project) }
    }

    /// Describes what a plan is made from, without a report.
    pub fn unproved(project: &Project) -> Self {
        let design = &project.design;
        let stock = project.catalogue.stock();
        let price = project.catalogue.price();
        let name = |tor| project.tor_name(tor).to_owned();
        Self {
            format: FORMAT.into(),
            version: VERSION,
            fabric: FabricPart::from(&design.fabric),
            router: RouterPart::from(design.router),
            housing: design.scheme.housing.name().into(),
            cabling: CablingPart::of(project),
            spares_percent: design.spares_percent,
            work: design.work,
            catalogue: CataloguePart {
                stock_lengths: stock.lengths().to_vec(),
                stock_step: stock.step(),
                fibre_price: price.price.clone(),
                fibre_price_per: price.per,
                fibre_accounting: price.accounting.name().into(),
                currency: project.catalogue.currency,
            },
            optics: project.optics.as_deref().cloned(),
            tor: project.platform.clone(),
            hall: HallPart::from(&*project.hall),
            occupied: OccupiedPart::list(&project.occupied, &project.hall),
            recovery: project.recovery.as_ref().map(|(failed, method)| RecoveryPart {
                failed: failed.names(),
                method: method.name().to_string(),
                objective: method.objective().map(|objective| objective.to_string()),
            }),
            tors: project.fabric.tor_ids().map(name).collect(),
            ports: project.ports.as_deref().map_or_else(Vec::new, TorPortsPart::list),
            port_rule: project
                .ports
                .as_ref()
                .map_or_else(PortRulePart::default, |ports| PortRulePart::of(ports.rule())),
            shelves: named(&project.hall, project.placement.shelves()),
            modules: GivenModulePart::list(&project.hall, project.placement.modules()),
            trunks: GivenTrunksPart::of(&project.hall, project.placement.trunks()),
            growth: project.origin.as_ref().map(|origin| OriginPart::new(origin, &project.hall)),
            as_built: project.as_built.clone(),
            report: Value::Null,
        }
    }

    /// The document as one line of JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a plan document has text keys only")
    }

    /// The content of `plan.json`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            serde_json::to_vec_pretty(self).expect("a plan document has text keys only");
        bytes.push(b'\n');
        bytes
    }

    /// The failures of a recovered plan, and the method.
    pub fn recovery(&self, project: &Project) -> Result<Option<(FailureSet, Method)>, InputError> {
        let Some(part) = &self.recovery else { return Ok(None) };
        let failed = FailureSet::restore(project, &part.failed)?;
        let method = method::parse(Some(&part.method), part.objective.as_deref())?;
        Ok(Some((failed, method)))
    }

    /// The optics at the time of the plan.
    pub fn optics(&self) -> Option<&DesignOptics> {
        self.optics.as_ref()
    }

    /// What was built otherwise than planned.
    pub fn as_built(&self) -> &AsBuilt {
        &self.as_built
    }

    /// The switches of the ToRs.
    pub fn platform(&self) -> &Platform {
        &self.tor
    }

    /// The rack of each ToR, by name, ToR 0 first.
    pub fn tor_names(&self) -> Vec<&str> {
        self.tors.iter().map(String::as_str).collect()
    }

    /// Restores and checks the design, hall, catalogue and placement of the document.
    pub fn restore(
        &self,
        file: &Path,
    ) -> Result<(Design, Hall, Catalogue, Vec<RackId>), InputError> {
        let refuse = |field: &str, message: &dyn std::fmt::Display| {
            InputError::new(message).in_file(file).in_field(field)
        };
        let fabric = self.fabric.restore().map_err(|error| refuse("fabric", &error))?;
        let router = self.router.restore(&fabric);
        let router = router.ok_or_else(|| refuse("router", &"is no router of this fabric"))?;
        let housing = Housing::named(&self.housing)
            .ok_or_else(|| refuse("housing", &format!("found {:?}", self.housing)))?;
        let hall = self.hall.restore(file)?;
        let scheme = match &self.cabling {
            None => Scheme::point_to_point(housing),
            Some(part) if part.scheme.housing == housing => part.scheme,
            Some(_) => return Err(refuse("cabling", &"has another housing than the plan")),
        };
        let rack_of = racks_named(&hall, &self.tors).map_err(|error| refuse("tors", &error))?;
        self.work.check().map_err(|message| refuse("work", &message))?;
        let design = Design {
            fabric,
            router,
            scheme,
            frames: None,
            frame_units: 0,
            spares_percent: self.spares_percent,
            work: self.work,
            geometry: Geometry::default(),
            inventory: None,
            building: None,
            placement: None,
            keep: None,
            memory: Memory::Unknown,
            settings: Settings::default(),
        };
        let mut catalogue = self.catalogue.restore().ok_or_else(|| {
            refuse(
                "catalogue",
                &"has a length of 0 m or beyond 100 km, a negative price, or an unknown accounting",
            )
        })?;
        if let Some(part) = &self.cabling {
            part.restore(&mut catalogue).map_err(|message| refuse("cabling", &message))?;
        }
        Ok((design, hall, catalogue, rack_of))
    }
}

impl CablingPart {
    fn of(project: &Project) -> Option<Self> {
        let (scheme, catalogue) = (project.design.scheme, &project.catalogue);
        let hardware = catalogue.hardware.clone();
        let is_usual = scheme == Scheme::point_to_point(scheme.housing)
            && scheme.housing != Housing::Zone
            && catalogue.parts.plant.is_empty()
            && hardware.same_shelves_as(&Hardware::default());
        let stock = catalogue.trunk_stock();
        (!is_usual).then(|| Self {
            scheme,
            hardware,
            trunk_lengths: stock.lengths().to_vec(),
            trunk_step: stock.step(),
            parts: catalogue.parts.plant.values().cloned().collect(),
        })
    }

    fn restore(&self, catalogue: &mut Catalogue) -> Result<(), String> {
        self.hardware.check()?;
        if self.scheme.is_trunked() && self.hardware.trunks.is_empty() {
            return Err("has trunks, but no size of trunk".into());
        }
        if self.scheme.spare_percent > Scheme::MOST_SPARE_PERCENT {
            let most = Scheme::MOST_SPARE_PERCENT;
            return Err(format!(
                "spares {} % of the positions; at most {most} %",
                self.scheme.spare_percent
            ));
        }
        let too_long = |length: &Length| *length > LONGEST_STOCK;
        let stock = StockLengths::new(self.trunk_lengths.clone(), self.trunk_step)
            .filter(|stock| !stock.lengths().iter().chain([&stock.step()]).any(too_long));
        catalogue.trunk_stock = Some(stock.ok_or("has a stock length that no trunk can have")?);
        catalogue.hardware = self.hardware.clone();
        let parts = self.parts.iter().map(|part| (part.name.clone(), part.clone()));
        catalogue.parts.plant = parts.collect();
        Ok(())
    }
}

impl CataloguePart {
    fn restore(&self) -> Option<Catalogue> {
        let accounting = Accounting::named(&self.fibre_accounting)?;
        let mut lengths =
            self.stock_lengths.iter().chain([&self.stock_step, &self.fibre_price_per]);
        let low = self.fibre_price.as_ref().map_or(0, |price| price.range.low().as_micros());
        if low < 0 || lengths.any(|&length| length > LONGEST_STOCK) {
            return None;
        }
        let stock = StockLengths::new(self.stock_lengths.clone(), self.stock_step)?;
        let per = Some(self.fibre_price_per).filter(|&per| per > Length::ZERO)?;
        let price = FibrePrice { price: self.fibre_price.clone(), per, accounting };
        Some(Catalogue::of_fibre(stock, price, self.currency))
    }
}

impl Project {
    /// Whether a plan is one of this project: the same fabric, router, hall, placement, optics and prices. Its
    /// failures may differ, and what was built otherwise than planned.
    pub fn is_of(&self, plan: &Self) -> bool {
        let of = |project: &Self| PlanDocument {
            recovery: None,
            as_built: AsBuilt::default(),
            ..PlanDocument::unproved(project)
        };
        of(self) == of(plan)
    }

    /// Whether two documents describe the same plan: fabric, router, hall, placement, failures, optics,
    /// prices and parameters of costs.
    pub fn same_as(&self, other: &Self) -> bool {
        let said = |project: &Self| -> Vec<(&str, lightloom_request::Value)> {
            let settings = &project.design.settings;
            let optics = settings.said_in("optics").chain(settings.said_in("cost"));
            optics.map(|(key, value)| (key, value.clone())).collect()
        };
        self.fabric.tors() == other.fabric.tors()
            && self.costing == other.costing
            && said(self) == said(other)
            && PlanDocument::unproved(self) == PlanDocument::unproved(other)
    }
}
