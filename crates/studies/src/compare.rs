//! Comparison of three ways to multicast: parts, power and cost.

mod buyer;
mod report;
mod summary;

use lightloom_plan::assumed::of_prices as assumed_prices;
use lightloom_plan::bill;
use lightloom_plan::facts;
use lightloom_plan::laid::Laid;
use lightloom_plan::project::Project;
use lightloom_plan::provenance::CatalogueReport;
use lightloom_plan::totals::{self, TotalName};
use lightloom_power_cost::parts::{CircuitPort, MOST_PORTS};
use lightloom_power_cost::{
    Counts, MulticastCore, Prices, Side, circuit_core, excess_resource, peer_to_peer,
    splitter_fabric,
};
use lightloom_request::setting;
use lightloom_request::{Error, InputError};

pub use buyer::{AtLineRateReport, PerSourceReport};
pub use report::{
    CircuitCoreReport, CompareReport, ComparedAccelerators, CoreFailuresReport, CoreLayerReport,
    Dearer, FibreUnit, RatioBounds, RatioReport, SideReport, WholeReport, YearsReport,
};

/// Default number of ports of the packet switches, as in the paper's larger example.
const CORE_PORTS: u64 = 32;

/// What a comparison is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompareOptions {
    /// Ports of each switch of the packet core. `None`: 32.
    pub core_ports: Option<u64>,
    /// Optical circuit switches for unicast beside the splitters, each with a port for each ToR. `None`: no such core
    /// is counted.
    pub circuit_switches: Option<u64>,
    /// The catalogue's row of their ports. `None`: the only one, or unknown where there is none.
    pub circuit_port: Option<String>,
}

/// As [`of_laid`], of a project that is laid for it.
///
/// # Errors
/// As [`of_laid`], and as [`Project::laid`].
pub fn compare(project: &Project, options: &CompareOptions) -> Result<CompareReport, Error> {
    of_laid(&project.laid()?, options)
}

/// Compares a one-to-all multicast over the design with IP multicast over a packet core and with a
/// peer-to-peer chain, and counts a core of circuit switches for unicast where it is asked for.
///
/// # Errors
/// [`InputError`] if the catalogue lacks the optics, if its prices cannot be added, or if an option is out of range.
pub fn of_laid(laid: &Laid, options: &CompareOptions) -> Result<CompareReport, Error> {
    let project = laid.project();
    let (chosen, mut assumed) = laid.optics_or_assumed()?;
    if let Some((_, energy)) = project.costing().years
        && energy.currency() != project.catalogue().currency
    {
        let message = format!(
            "found {energy}; the catalogue's prices are in {}, and there is no exchange rate",
            project.catalogue().currency
        );
        return Err(project.design().settings.refuse(&setting::cost::ENERGY_PRICE, message).into());
    }
    let (fibre, length) = (project.catalogue().price(), project.costing().fibre_length);
    let circuit_port = circuit_port(project, options)?;
    let prices = Prices {
        optics: &chosen.optics,
        switch_port: chosen.switch_port.as_ref(),
        circuit_port,
        strand: fibre.of_piece(length).map_err(bill::refuse_sum)?,
        pair: fibre.of_pair(length).map_err(bill::refuse_sum)?,
    };
    let side = |counts| Side::new(counts, &prices).map_err(bill::refuse_sum);
    let report = |side: &Side| SideReport::new(side, &chosen, project.costing().years);
    assumed.push(format!("every fibre between racks is {length} long"));
    let stand_in = chosen.priced_as.as_ref().filter(|_| chosen.optics.splitter.price.is_some());
    assumed.extend(stand_in.map(|listed| {
        let fan_out = chosen.optics.splitter.fan_out;
        format!("a splitter 1:{fan_out} has no price of its own; that of {listed} is taken")
    }));
    let (tors, cassettes) = (project.fabric().tors() as u64, project.fabric().cassettes() as u64);
    let core_ports = options.core_ports.unwrap_or(CORE_PORTS);
    let core = Some(core_ports).filter(|&ports| ports <= MOST_PORTS as u64);
    let core = core.and_then(|ports| MulticastCore::new(tors, ports)).ok_or_else(|| {
        let message = format!("found {core_ports}; expected 3 to {MOST_PORTS} ports a switch");
        InputError::new(message).in_option("core_ports")
    })?;
    let fabric = side(splitter_fabric(tors, cassettes))?;
    let ip = side(core.counts())?;
    let chain = side(peer_to_peer(tors))?;
    let built = side(Counts {
        ports: project.transceivers(),
        transceivers: project.transceivers(),
        splitters: tors,
        fibres: project.fabric().branch_fibres(),
        pairs: false,
        circuit_ports: 0,
    })?;
    let circuits = match options.circuit_switches {
        None => None,
        Some(switches) => {
            if switches == 0 || switches >= tors {
                let most = tors - 1;
                let message =
                    format!("found {switches}; expected 1 to {most}, one for each other ToR");
                return Err(InputError::new(message).in_option("circuit_switches").into());
            }
            Some((switches, side(circuit_core(tors, switches))?))
        }
    };
    let lines = bill::lines(laid, Some(&chosen))?;
    let parallel = facts::parallel_sources(project.fabric(), &project.design().fabric);
    assumed.extend(assumed_prices(&lines).into_iter().map(|one| format!("price of {}", one.value)));
    let spares = project.design().spares_percent;
    let mut totals = totals::of_plan(&lines, spares, &chosen.catalogue)?;
    for (name, says, side) in [
        (
            TotalName::Compared,
            format!(
                "All that is built as the ways are compared: every branch a fibre of {length} without connectors, \
                    and nothing that holds splitters; no feeds and no spares."
            ),
            &built,
        ),
        (
            TotalName::OneMulticast,
            format!(
                "The parts that one multicast uses, counted in the same way: every fibre {length} long."
            ),
            &fabric,
        ),
    ] {
        totals.push(totals::of_side(name, says, side, &chosen.catalogue)?);
    }
    let at_line_rate = AtLineRateReport::new(tors, parallel, [&built, &ip, &chain]);
    let ratios = RatioReport::new(&fabric, &ip, &chain);
    let whole_ratios = RatioReport::new(&built, &ip, &chain);
    let [fabric, ip, chain] = [report(&fabric)?, report(&ip)?, report(&chain)?];
    let whole = WholeReport {
        splitter_fabric: report(&built)?.without_energy(),
        ip_multicast: ip.clone().without_energy(),
        peer_to_peer: chain.clone().without_energy(),
        ratios: whole_ratios,
    };
    let circuit_core = match circuits {
        None => None,
        Some((switches, side)) => Some(CircuitCoreReport {
            switches,
            switch_ports: tors,
            ports: side.counts.circuit_ports,
            row: circuit_port.map(|row| row.name.clone()),
            parts: report(&side)?.without_energy(),
        }),
    };
    let rate = chosen.optics.transceiver.rate.to_string();
    let one_tree = ratios.cost_ip_multicast;
    Ok(CompareReport {
        summary: summary::summary(&rate, &whole, &at_line_rate, [&fabric, &ip], one_tree),
        at_line_rate,
        tors: project.fabric().tors(),
        p: project.fabric().fan_out(),
        rate,
        core_ports,
        assumed,
        ratios,
        excess_resource_percent: 100.0 * excess_resource(&core),
        circuit_core,
        accelerators: accelerators(project, &core, &chosen.catalogue)?,
        core_failures: CoreFailuresReport::new(&core, core_ports, tors),
        whole_fabric: whole,
        splitter_fabric: fabric,
        ip_multicast: ip,
        peer_to_peer: chain,
        bill: bill::total(&lines, &chosen.catalogue)?,
        totals,
        catalogue: CatalogueReport::new(&chosen, project.catalogue())
            .with_parts(project.catalogue(), &lines),
    })
}

/// The accelerators of a project. `None`: it has none.
fn accelerators(
    project: &Project,
    core: &MulticastCore,
    catalogue: &str,
) -> Result<Option<ComparedAccelerators>, InputError> {
    let Some(part) = project.platform().accelerator() else { return Ok(None) };
    let count = project.placement().switches().len() as u64;
    Ok(Some(ComparedAccelerators {
        name: part.name.clone(),
        count,
        switch_ports: count * u64::from(part.ports),
        packet_core_switches: core.switches(),
        total: bill::total(&bill::accelerator_lines(project), catalogue)?,
    }))
}

/// The catalogue's row of a port of a circuit switch. `None`: there is none, or none is asked for.
fn circuit_port<'a>(
    project: &'a Project,
    options: &CompareOptions,
) -> Result<Option<&'a CircuitPort>, InputError> {
    let name = options.circuit_port.as_deref();
    if options.circuit_switches.is_none() {
        return match name {
            None => Ok(None),
            Some(_) => {
                let message = "is for a core of circuit switches; say how many there are";
                Err(InputError::new(message).in_option("circuit_port"))
            }
        };
    }
    let found = project.catalogue().parts.circuit_port(name);
    found.map_err(|error| InputError::new(error).in_option("circuit_port"))
}
