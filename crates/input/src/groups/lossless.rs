//! The lossless class of a file of groups: `[lossless]`, the links of servers, and `[[uplink]]`.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_switching::lossless::{
    CONTROL, LOSSLESS, Lossless, Marking, PacketBuffer, TrafficClass, UnicastLink, Uplink,
    response_quanta,
};
use lightloom_switching::server::{ServerId, Servers};
use lightloom_topology::TorId;
use lightloom_units::{BitRate, DataSize, Length, Span};

use super::interfaces;
use crate::rows::Row;

/// What the fields of a link are.
pub(super) const LINK: [&str; 2] = ["rate", "cable"];

/// The largest buffer of a switch.
const MOST_BUFFER: DataSize = DataSize::from_bytes(1_000_000_000_000);
/// The largest cell.
const MOST_CELL: DataSize = DataSize::from_bytes(65_536);
/// The longest cable of a unicast port.
const MOST_CABLE: Length = Length::from_m(100_000);
/// The fastest unicast port.
const MOST_RATE: BitRate = BitRate::from_gbps(10_000);
/// Watchdogs that SONiC takes.
const WATCHDOGS: [Span; 2] = [Span::from_ms(100), Span::from_ms(5_000)];
/// Picoseconds of a millisecond. Switches are told whole milliseconds.
const PS_PER_MS: u64 = 1_000_000_000;
/// The watchdog, unless the file says another.
const WATCHDOG: Span = Span::from_ms(200);
/// Bytes under way in the pipeline and the PHY of this end, unless the file says others: `mac_phy_delay` of SONiC's
/// tables of chips (sonic-buildimage, `platform/mellanox/asic_table.j2`: 0.8 KiB), rounded up.
const PHY: DataSize = DataSize::from_bytes(820);
/// The most quanta that a pause can name.
const MOST_QUANTA: u32 = 65_535;
/// Shares of the free buffer at which a group pauses its sender, and their exponents of 2.
const SHARES: [(&str, i8); 16] = [
    ("1/256", -8),
    ("1/128", -7),
    ("1/64", -6),
    ("1/32", -5),
    ("1/16", -4),
    ("1/8", -3),
    ("1/4", -2),
    ("1/2", -1),
    ("1", 0),
    ("2", 1),
    ("4", 2),
    ("8", 3),
    ("16", 4),
    ("32", 5),
    ("64", 6),
    ("128", 7),
];
/// The share that the twin takes, too: `[switch] pause_share` of `catalogue/twin.toml`.
const SHARE: i8 = -3;

/// The class of `[lossless]`, still without links. `None`: the file has none.
pub(super) fn class(project: &Project, root: &Row<'_>) -> Result<Option<Lossless>, InputError> {
    let Some(row) = root.table("lossless", "lossless")? else { return Ok(None) };
    if project.is_logical() {
        let message = "is planned for switches that are one ToR each, and the logical ToRs of a switch share its \
                       buffer; leave it out, or say logical = 1 in the design";
        return Err(root.refuse("lossless", message));
    }
    row.only_these(&[
        "buffer",
        "cell",
        "ecn_min",
        "ecn_max",
        "ecn_percent",
        "dscp",
        "priority",
        "pause_share",
        "pause_quanta",
        "phy",
        "watchdog",
    ])?;
    let size = size(&row, "buffer", "\"32 MB\"", MOST_BUFFER)?;
    let cell = self::size(&row, "cell", "\"256 B\"", MOST_CELL)?;
    let marking = marking(&row)?;
    let dscp = number(&row, "dscp", LOSSLESS.dscp, 63)?;
    let priority = number(&row, "priority", LOSSLESS.priority, 7)?;
    let (other, control) = ("all other traffic", "acknowledgements and notifications");
    if priority == 0 || priority == CONTROL.priority {
        let whose = if priority == 0 { other } else { control };
        let message = format!("found {priority}, the priority of {whose}; take another one");
        return Err(row.refuse("priority", message));
    }
    if dscp == CONTROL.dscp {
        return Err(
            row.refuse("dscp", format!("found {dscp}, that of {control}; take another one"))
        );
    }
    let quanta = row.number("pause_quanta")?;
    if quanta.is_some_and(|quanta| quanta > MOST_QUANTA) {
        let message = format!("expected at most {MOST_QUANTA} quanta of 512 bits");
        return Err(row.refuse("pause_quanta", message));
    }
    let watchdog = row.quantity::<Span>("watchdog")?.unwrap_or(WATCHDOG);
    let [least, most] = WATCHDOGS;
    if watchdog < least || watchdog > most || !watchdog.as_ps().is_multiple_of(PS_PER_MS) {
        let message =
            format!("found {watchdog}; expected {least} to {most}, in whole milliseconds");
        return Err(row.refuse("watchdog", message));
    }
    Ok(Some(Lossless {
        class: TrafficClass { dscp, priority },
        marking,
        buffer: PacketBuffer {
            size,
            cell,
            exponent: row.choice("pause_share", &SHARES)?.unwrap_or(SHARE),
        },
        phy: row.quantity("phy")?.unwrap_or(PHY),
        quanta,
        watchdog,
        links: BTreeMap::new(),
        uplinks: Vec::new(),
    }))
}

fn marking(row: &Row<'_>) -> Result<Marking, InputError> {
    let min = row.required::<DataSize>("ecn_min", "\"400 kB\"")?;
    let max = row.required::<DataSize>("ecn_max", "\"1600 kB\"")?;
    if min > max {
        let message = format!("found {min}, above ecn_max of {max}; it is at most that");
        return Err(row.refuse("ecn_min", message));
    }
    if !row.has("ecn_percent") {
        return Err(row.missing("ecn_percent", "20"));
    }
    Ok(Marking { min, max, percent: number(row, "ecn_percent", 0, 100)? })
}

fn size(row: &Row<'_>, field: &str, example: &str, most: DataSize) -> Result<DataSize, InputError> {
    let size: DataSize = row.required(field, example)?;
    if size == DataSize::ZERO || size > most {
        let message = format!("found {size}; expected more than 0 B and at most {most}");
        return Err(row.refuse(field, message));
    }
    Ok(size)
}

fn number(row: &Row<'_>, field: &str, usual: u8, most: u8) -> Result<u8, InputError> {
    let Some(said) = row.number(field)? else { return Ok(usual) };
    u8::try_from(said)
        .ok()
        .filter(|&said| said <= most)
        .ok_or_else(|| row.refuse(field, format!("found {said}; expected 0 to {most}")))
}

/// The link of a row of a port. `None`: rate or cable are not given.
pub(super) fn link(
    row: &Row<'_>,
    lossless: Option<&Lossless>,
) -> Result<Option<UnicastLink>, InputError> {
    let Some(lossless) = lossless else {
        let Some(field) = LINK.into_iter().find(|field| row.has(field)) else { return Ok(None) };
        let message =
            "is for the lossless class, and the file has no [lossless]; add it, or leave this out";
        return Err(row.refuse(field, message));
    };
    let rate: Option<BitRate> = row.quantity("rate")?;
    if let Some(rate) = rate {
        if rate.as_bps() == 0 || rate > MOST_RATE {
            return Err(row.refuse("rate", format!("found {rate}; expected at most {MOST_RATE}")));
        }
        if lossless.quanta.is_none() && response_quanta(rate).is_none() {
            let message = format!(
                "found {rate}; how fast a port responds to a pause is known at 10, 25, 40, 50, 100, 200 and 400 Gbps; \
                 say pause_quanta in [lossless]"
            );
            return Err(row.refuse("rate", message));
        }
    }
    let cable: Option<Length> = row.quantity("cable")?;
    if let Some(cable) = cable.filter(|&cable| cable > MOST_CABLE) {
        return Err(row.refuse("cable", format!("found {cable}; expected at most {MOST_CABLE}")));
    }
    Ok(rate.zip(cable).map(|(rate, cable)| UnicastLink { rate, cable }))
}

/// The rows of `[[uplink]]`.
pub(super) fn uplinks(
    project: &Project,
    root: &Row<'_>,
    servers: &Servers,
    lossless: Option<&Lossless>,
) -> Result<Vec<Uplink>, InputError> {
    let mut uplinks: Vec<Uplink> = Vec::new();
    let rows = root.tables("uplink")?;
    if let (Some(row), None) = (rows.first(), lossless) {
        let message = "is for the lossless class, and the file has no [lossless]; add it";
        return Err(row.refuse("tor", message));
    }
    let mut taken = BTreeSet::new();
    for id in (0..servers.all().len()).map(ServerId) {
        let server = &servers.all()[id.0];
        taken.extend(server.interface.clone().map(|interface| (server.tor, interface)));
    }
    for row in rows {
        row.only_these(&["tor", "interface", "rate", "cable"])?;
        let link = link(&row, lossless)?;
        for tor in tors(project, &row)? {
            let Some(interface) = interfaces::of_row(project, &row, tor)? else {
                let message = "needs a design that names interfaces; name a switch model";
                return Err(row.refuse("interface", message));
            };
            if !taken.insert((tor, interface.clone())) {
                let message = format!("{interface} of ToR {tor} is taken by another row");
                return Err(row.refuse("interface", message));
            }
            interfaces::check_rate(project, &row, (Some(&interface), link))?;
            uplinks.push(Uplink { tor, interface, link });
        }
    }
    Ok(uplinks)
}

fn tors(project: &Project, row: &Row<'_>) -> Result<Vec<TorId>, InputError> {
    let said = row.text("tor")?.ok_or_else(|| row.missing("tor", "\"all\" or \"tor:0\""))?;
    if said == super::ALL {
        return Ok(project.fabric().tor_ids().collect());
    }
    let tor = project.tor(said).map_err(|error| row.refuse("tor", error.message))?;
    Ok(vec![tor])
}
