//! Rows of switch models, with the names of their interfaces, of ports, and of accelerators beside switches.

use lightloom_power_cost::parts::{
    Accelerator, AcceleratorRow, Breakout, CircuitPort, CircuitPortRow, Connector, FaultSignalling,
    InterfaceGroup, Pipeline, SwitchModel, SwitchModelRow, SwitchPort, SwitchPortRow,
};
use lightloom_request::InputError;

use crate::catalogue::checked::{checked, quantities};
use crate::catalogue::price::price;
use crate::rows::Row;

/// Reads a `[switch_port.NAME]` row.
pub(super) fn switch_port(
    row: &Row<'_>,
    old: Option<&SwitchPort>,
) -> Result<SwitchPort, InputError> {
    row.only(&["rate", "power", "price"])?;
    quantities!(row, old, power);
    checked(
        row,
        SwitchPortRow {
            name: row.name.into(),
            rate: row.over(old.map(|old| old.rate), "rate", "\"100 Gb/s\"")?,
            power,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// Reads a `[circuit_port.NAME]` row.
pub(super) fn circuit_port(
    row: &Row<'_>,
    old: Option<&CircuitPort>,
) -> Result<CircuitPort, InputError> {
    row.only(&["power", "price"])?;
    quantities!(row, old, power);
    checked(
        row,
        CircuitPortRow {
            name: row.name.into(),
            power,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// Reads an `[accelerator.NAME]` row.
pub(super) fn accelerator(
    row: &Row<'_>,
    old: Option<&Accelerator>,
) -> Result<Accelerator, InputError> {
    row.only(&["ports", "port_rate", "rate", "latency", "memory", "fan_out", "power", "price"])?;
    quantities!(row, old, rate, latency, memory, power);
    checked(
        row,
        AcceleratorRow {
            name: row.name.into(),
            ports: match (row.number("ports")?, old) {
                (Some(said), _) => said,
                (None, Some(old)) => old.ports,
                (None, None) => row.required_number("ports", "4")?,
            },
            port_rate: row.over(old.map(|old| old.port_rate), "port_rate", "\"100 Gb/s\"")?,
            rate,
            latency,
            memory,
            fan_out: row.inherited("fan_out", old.and_then(|old| old.fan_out), Row::number)?,
            power,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// Reads a `[switch.NAME]` row. It overrides `old`, an earlier row of the same name.
pub(super) fn switch(row: &Row<'_>, old: Option<&SwitchModel>) -> Result<SwitchModel, InputError> {
    row.only(&[
        "ports",
        "interfaces",
        "height",
        "fault_signalling",
        "fault_signalling_command",
        "unidirectional_command",
        "ternary_entries",
        "exact_entries",
        "multicast_groups",
        "stages",
        "hairpin",
        "only_by_name",
    ])?;
    let only_by_name = row.flag("only_by_name")?.or(old.map(|old| old.only_by_name));
    let signalling = FaultSignalling::ALL.map(|one| (one.name(), one));
    let inherited = old.and_then(|old| old.fault_signalling);
    let fault_signalling =
        row.inherited("fault_signalling", inherited, |row, field| row.choice(field, &signalling))?;
    // A row that takes the switch's ability away takes its command away too.
    let able = old.filter(|_| {
        !row.has("fault_signalling") || matches!(fault_signalling, Some(FaultSignalling::Off))
    });
    let text = |row: &Row<'_>, field: &str| Ok(row.text(field)?.map(str::to_owned));
    let group = |text: &str| text.parse().map_err(|error| row.refuse("ports", error));
    let ports = match (row.list("ports")?, old) {
        (Some(texts), _) => texts.into_iter().map(group).collect::<Result<_, InputError>>()?,
        (None, Some(old)) => old.ports.clone(),
        (None, None) => {
            let message = "is missing; expected ports such as [\"48 x 10 Gb/s\", \"4 x 40 Gb/s\"]";
            return Err(row.refuse("ports", message));
        }
    };
    checked(
        row,
        SwitchModelRow {
            name: row.name.into(),
            ports,
            interfaces: match (row.has("interfaces"), old) {
                // Names of other ports do not fit new ones.
                (false, Some(old)) if !row.has("ports") => old.interfaces.clone(),
                _ => interfaces(row)?,
            },
            height: row.number("height")?.or(old.map(|old| old.height)).unwrap_or(1),
            fault_signalling,
            fault_signalling_command: row.inherited(
                "fault_signalling_command",
                able.and_then(|old| old.fault_signalling_command.clone()),
                text,
            )?,
            unidirectional_command: row.inherited(
                "unidirectional_command",
                old.and_then(|old| old.unidirectional_command.clone()),
                text,
            )?,
            pipeline: pipeline(row, old.map(|old| old.pipeline).unwrap_or_default())?,
            only_by_name: only_by_name.unwrap_or(false),
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// Reads the sizes of tables and what ports can do. It overrides `old`.
fn pipeline(row: &Row<'_>, old: Pipeline) -> Result<Pipeline, InputError> {
    let number = |field, old| row.inherited(field, old, Row::number);
    Ok(Pipeline {
        ternary_entries: number("ternary_entries", old.ternary_entries)?,
        exact_entries: number("exact_entries", old.exact_entries)?,
        multicast_groups: number("multicast_groups", old.multicast_groups)?,
        stages: number("stages", old.stages)?,
        hairpin: row.inherited("hairpin", old.hairpin, Row::flag)?,
    })
}

/// Reads the list `interfaces`. Empty if the row lacks it.
fn interfaces(row: &Row<'_>) -> Result<Vec<InterfaceGroup>, InputError> {
    let connectors = Connector::ALL.map(|one| (one.name(), one));
    let read = |group: Row<'_>| -> Result<InterfaceGroup, InputError> {
        group.only_these(&["names", "rate", "form", "connector", "breakout"])?;
        let names = required_text(&group, "names", "\"Ethernet1/{1-48}\"")?;
        let breakout = group.table("breakout", "breakout")?;
        Ok(InterfaceGroup {
            names,
            rate: group.required("rate", "\"25 Gb/s\"")?,
            form: group.text("form")?.map(str::to_owned),
            connector: group
                .choice("connector", &connectors)?
                .ok_or_else(|| group.missing("connector", "\"lc\""))?,
            breakout: breakout.map(|row| read_breakout(&row)).transpose()?,
        })
    };
    row.tables("interfaces")?.into_iter().map(read).collect()
}

fn read_breakout(row: &Row<'_>) -> Result<Breakout, InputError> {
    row.only_these(&["into", "rate", "names", "first_lane"])?;
    Ok(Breakout {
        into: row.required_number("into", "4")?,
        rate: row.required("rate", "\"25 Gb/s\"")?,
        names: required_text(row, "names", "\"et-0/0/{port}:{lane}\"")?,
        first_lane: row.number("first_lane")?.unwrap_or(0),
    })
}

fn required_text(row: &Row<'_>, field: &str, example: &str) -> Result<String, InputError> {
    row.text(field)?.map(str::to_owned).ok_or_else(|| row.missing(field, example))
}
