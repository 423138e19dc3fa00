//! Turns rows of a catalogue file into checked parts.

use lightloom_design::catalogue::{Catalogue, LONGEST_STOCK};
use lightloom_plan::bom::PLANT_PARTS;
use lightloom_plant::{Connector, Hardware, TrunkSize};
use lightloom_power_cost::UnlistedPrice;
use lightloom_power_cost::parts::{
    Fibre, FibreRow, Inline, InlineRow, Joint, JointRow, Pad, PadRow, PlantPart, PlantPartRow,
    Shelf, ShelfRow, Splitter, SplitterFormula, SplitterFormulaRow, SplitterRow,
};
use lightloom_power_cost::{Accounting, FibrePrice, StockLengths};
use lightloom_request::InputError;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_topology::hall::{Housing, THICKEST};
use lightloom_units::Length;

use crate::catalogue::checked::{checked, quantities};
use crate::catalogue::price::price;
use crate::catalogue::switch::{accelerator, circuit_port, switch, switch_port};
use crate::catalogue::transceiver::transceiver;
use crate::rows::Row;

/// What `optics.pad` takes beside names.
const WORDS_OF_PADS: [&str; 2] = ["auto", "none"];

/// Sections that are a single row.
pub(super) const SINGLE: [&str; 6] =
    ["stock", "trunk_stock", "hardware", "fibre_price", "splitter_formula", "rules"];
/// Sections that hold named rows.
const KINDS: [&str; 16] = [
    "transceiver",
    "splitter",
    "shelf",
    "fibre",
    "connector",
    "mpo",
    "trunk",
    "part",
    "splice",
    "panel",
    "pad",
    "inline",
    "switch_port",
    "circuit_port",
    "accelerator",
    "switch",
];

/// Adds a row to a catalogue. It overrides an earlier row of the same name; fields that it omits are
/// inherited.
pub(super) fn put(row: &Row<'_>, into: &mut Catalogue) -> Result<(), InputError> {
    let name = || row.name.to_owned();
    let parts = &mut into.parts;
    match row.section {
        "transceiver" => drop(
            parts.transceivers.insert(name(), transceiver(row, parts.transceivers.get(row.name))?),
        ),
        "splitter" => {
            drop(parts.splitters.insert(name(), splitter(row, parts.splitters.get(row.name))?))
        }
        "splitter_formula" => parts.splitter_formula = Some(splitter_formula(row)?),
        "fibre" => drop(parts.fibres.insert(name(), fibre(row, parts.fibres.get(row.name))?)),
        "connector" => {
            drop(parts.connectors.insert(name(), connector(row, parts.connectors.get(row.name))?))
        }
        "mpo" => drop(parts.mpo.insert(name(), connector(row, parts.mpo.get(row.name))?)),
        "trunk" => add_trunk(row, into)?,
        "part" => drop(parts.plant.insert(name(), plant_part(row, parts.plant.get(row.name))?)),
        "hardware" => hardware(row, into)?,
        "trunk_stock" => into.trunk_stock = Some(stock(row)?),
        "splice" => drop(parts.splices.insert(name(), joint(row, parts.splices.get(row.name))?)),
        "panel" => drop(parts.panels.insert(name(), joint(row, parts.panels.get(row.name))?)),
        "pad" => drop(parts.pads.insert(name(), pad(row, parts.pads.get(row.name))?)),
        "inline" => drop(parts.inline.insert(name(), inline(row, parts.inline.get(row.name))?)),
        "shelf" => drop(parts.shelves.insert(name(), shelf(row, parts.shelves.get(row.name))?)),
        "switch_port" => drop(
            parts.switch_ports.insert(name(), switch_port(row, parts.switch_ports.get(row.name))?),
        ),
        "circuit_port" => drop(
            parts
                .circuit_ports
                .insert(name(), circuit_port(row, parts.circuit_ports.get(row.name))?),
        ),
        "accelerator" => drop(
            parts.accelerators.insert(name(), accelerator(row, parts.accelerators.get(row.name))?),
        ),
        "switch" => drop(parts.switches.insert(name(), switch(row, parts.switches.get(row.name))?)),
        "rules" => {
            row.only(&["unlisted_splitter_price"])?;
            let choices =
                [("unknown", UnlistedPrice::Unknown), ("next-larger", UnlistedPrice::NextLarger)];
            if let Some(choice) = row.choice("unlisted_splitter_price", &choices)? {
                parts.unlisted_splitter_price = choice;
            }
        }
        "stock" => into.stock = Some(stock(row)?),
        "fibre_price" => {
            into.price = Some(fibre_price(row)?);
            into.price_of = Some(row.provenance()?);
        }
        other => {
            let known = [&KINDS[..], &SINGLE].concat();
            let message = unknown("section", nearest(other, known.iter().copied()), &known);
            let message = format!(
                "{message}; a section has a name too, as in [transceiver.my-optic], except {}",
                SINGLE.join(", ")
            );
            return Err(row.refuse("", message).in_field(other));
        }
    }
    Ok(())
}

fn pad(row: &Row<'_>, old: Option<&Pad>) -> Result<Pad, InputError> {
    row.only(&["attenuation", "tolerance", "price"])?;
    if WORDS_OF_PADS.contains(&row.name) {
        let message = "is a word of the setting optics.pad; give the pad another name";
        return Err(row.refuse("", message));
    }
    checked(
        row,
        PadRow {
            name: row.name.into(),
            attenuation: row.over(old.map(|old| old.attenuation), "attenuation", "\"5 dB\"")?,
            tolerance: row.over(old.map(|old| old.tolerance), "tolerance", "\"0.5 dB\"")?,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

fn splitter(row: &Row<'_>, old: Option<&Splitter>) -> Result<Splitter, InputError> {
    row.only(&[
        "fan_out",
        "loss_typ",
        "loss_max",
        "uniformity",
        "pdl",
        "pdl_included",
        "excess_min",
        "wavelength_dependence",
        "reflectance",
        "price",
    ])?;
    quantities!(row, old, loss_typ, uniformity, pdl, excess_min, wavelength_dependence);
    quantities!(row, old, reflectance);
    let pdl_included = row.flag("pdl_included")?.or(old.map(|old| old.pdl_included));
    checked(
        row,
        SplitterRow {
            name: row.name.into(),
            fan_out: match (row.number("fan_out")?, old) {
                (Some(said), _) => said,
                (None, Some(old)) => old.fan_out,
                (None, None) => row.required_number("fan_out", "4")?,
            },
            loss_typ,
            loss_max: row.over(old.map(|old| old.loss_max), "loss_max", "\"7.4 dB\"")?,
            uniformity,
            pdl,
            pdl_included: pdl_included.unwrap_or(false),
            excess_min,
            wavelength_dependence,
            by_formula: false,
            reflectance,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

fn splitter_formula(row: &Row<'_>) -> Result<SplitterFormula, InputError> {
    row.only(&["base", "per_doubling"])?;
    checked(
        row,
        SplitterFormulaRow {
            base: row.required("base", "\"0.8 dB\"")?,
            per_doubling: row.required("per_doubling", "\"3.4 dB\"")?,
            provenance: row.provenance()?,
        },
    )
}

fn fibre(row: &Row<'_>, old: Option<&Fibre>) -> Result<Fibre, InputError> {
    row.only(&["attenuation_typ", "attenuation_max"])?;
    quantities!(row, old, attenuation_typ);
    checked(
        row,
        FibreRow {
            name: row.name.into(),
            attenuation_typ,
            attenuation_max: row.over(
                old.map(|old| old.attenuation_max),
                "attenuation_max",
                "\"0.4 dB/km\"",
            )?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// A connector pair. It has no price of its own: the price of a cord includes its connectors.
fn connector(row: &Row<'_>, old: Option<&Joint>) -> Result<Joint, InputError> {
    row.only(&["loss_typ", "loss_max", "reflectance"])?;
    joint(row, old)
}

fn joint(row: &Row<'_>, old: Option<&Joint>) -> Result<Joint, InputError> {
    row.only(&["loss_typ", "loss_max", "reflectance", "price"])?;
    quantities!(row, old, loss_typ, reflectance);
    checked(
        row,
        JointRow {
            name: row.name.into(),
            loss_typ,
            loss_max: row.over(old.map(|old| old.loss_max), "loss_max", "\"0.75 dB\"")?,
            reflectance,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

fn inline(row: &Row<'_>, old: Option<&Inline>) -> Result<Inline, InputError> {
    row.only(&["loss_min", "loss_typ", "loss_max", "power", "price"])?;
    quantities!(row, old, loss_typ, power);
    checked(
        row,
        InlineRow {
            name: row.name.into(),
            loss_min: row.over(old.map(|old| old.loss_min), "loss_min", "\"4.5 dB\"")?,
            loss_typ,
            loss_max: row.over(old.map(|old| old.loss_max), "loss_max", "\"5.5 dB\"")?,
            power,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

fn shelf(row: &Row<'_>, old: Option<&Shelf>) -> Result<Shelf, InputError> {
    row.only(&["price"])?;
    if Housing::named(row.name).is_none() {
        return Err(row.refuse("", "expected [shelf.sender], [shelf.receiver] or [shelf.zone]"));
    }
    checked(
        row,
        ShelfRow {
            name: row.name.into(),
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// A part of the plant. Its name is that of a line of the bill. A row that gives a price replaces the price per metre
/// and the included length too: together they are the price of a cable.
fn plant_part(row: &Row<'_>, old: Option<&PlantPart>) -> Result<PlantPart, InputError> {
    row.only(&["price", "price_per_m", "length_included"])?;
    let is_trunk = row.name.strip_prefix("trunk-").is_some_and(|n| n.parse::<u16>().is_ok());
    if !is_trunk && !PLANT_PARTS.contains(&row.name) {
        let known = [&PLANT_PARTS[..], &["trunk-144"]].concat();
        let message = unknown("part", nearest(row.name, known.iter().copied()), &known);
        return Err(row.refuse("", message));
    }
    let of_cables = ["price_per_m", "length_included"];
    if let Some(field) =
        of_cables.iter().find(|field| row.has(field) && !is_trunk && row.name != "cord")
    {
        return Err(row.refuse(field, "only trunks and cords are priced by length"));
    }
    let gives = ["price", "price_per_m", "length_included"].iter().any(|field| row.has(field));
    let priced = old.filter(|_| !gives);
    checked(
        row,
        PlantPartRow {
            name: row.name.into(),
            price: price(row, "price", priced.and_then(|old| old.price.as_ref()))?,
            price_per_m: price(
                row,
                "price_per_m",
                priced.and_then(|old| old.price_per_m.as_ref()),
            )?,
            length_included: row.inherited(
                "length_included",
                priced.and_then(|old| old.length_included),
                Row::quantity,
            )?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// Adds a size of trunk. A later row with the same number of fibres replaces an earlier one.
fn add_trunk(row: &Row<'_>, into: &mut Catalogue) -> Result<(), InputError> {
    row.only(&["fibres", "diameter"])?;
    row.provenance()?;
    let fibres = row.required_number("fibres", "144")?;
    let mpo = u32::from(Connector::MPO_FIBRES);
    let most = Hardware::MOST_FIBRES;
    let fits =
        u16::try_from(fibres).ok().filter(|&n| n > 0 && n <= most && u32::from(n) % mpo == 0);
    let fibres = fits.ok_or_else(|| {
        let message = format!(
            "found {fibres}; expected a multiple of {mpo} up to {most}, {mpo} for each MPO connector"
        );
        row.refuse("fibres", message)
    })?;
    let diameter: Length = row.required("diameter", "\"3 mm\"")?;
    if diameter == Length::ZERO || diameter > THICKEST {
        let message = format!("found {diameter}; expected more than 0 m and at most {THICKEST}");
        return Err(row.refuse("diameter", message));
    }
    let trunks = &mut into.hardware.trunks;
    trunks.retain(|size| size.fibres != fibres);
    trunks.push(TrunkSize { fibres, diameter });
    trunks.sort_by_key(|size| size.fibres);
    Ok(())
}

/// Sets the sizes of shelves and modules.
fn hardware(row: &Row<'_>, into: &mut Catalogue) -> Result<(), InputError> {
    row.only(&["slots_per_unit", "ports_per_slot"])?;
    row.provenance()?;
    let size = |field: &str, example: &str, step: u16| {
        let found = row.required_number(field, example)?;
        let fits = u16::try_from(found).ok().filter(|n| (1..=1_000).contains(n) && n % step == 0);
        fits.ok_or_else(|| {
            row.refuse(field, format!("found {found}; expected a multiple of {step}, up to 1000"))
        })
    };
    into.hardware.slots_per_unit = size("slots_per_unit", "4", 1)?;
    into.hardware.ports_per_slot = size("ports_per_slot", "24", Connector::MPO_FIBRES)?;
    Ok(())
}

fn stock(row: &Row<'_>) -> Result<StockLengths, InputError> {
    row.only(&["lengths", "step"])?;
    row.provenance()?;
    let texts = row.list("lengths")?.unwrap_or_default();
    let lengths = texts.iter().map(|text| text.parse::<Length>()).collect::<Result<Vec<_>, _>>();
    let lengths = lengths.map_err(|error| row.refuse("lengths", error))?;
    let step: Length = row.required("step", "\"10 m\"")?;
    let too_long = |found: &Length| format!("found {found}; expected at most {LONGEST_STOCK}");
    if let Some(found) = lengths.iter().find(|&&length| length > LONGEST_STOCK) {
        return Err(row.refuse("lengths", too_long(found)));
    }
    if step > LONGEST_STOCK {
        return Err(row.refuse("step", too_long(&step)));
    }
    StockLengths::new(lengths, step).ok_or_else(|| {
        row.refuse(
            "lengths",
            "expected lengths such as [\"1 m\", \"2 m\"], and they and the step more than 0 m",
        )
    })
}

fn fibre_price(row: &Row<'_>) -> Result<FibrePrice, InputError> {
    row.only(&["type", "price", "per", "accounting"])?;
    row.text("type")?;
    let Some(price) = price(row, "price", None)? else {
        return Err(row.missing("price", "\"37.37 USD\""));
    };
    let (low, high) = (price.range.low(), price.range.high());
    if low.as_micros() < 0 || high.as_micros() > MOST_PRICE_MICROS {
        let found = if low.as_micros() < 0 { low } else { high };
        return Err(row.refuse("price", format!("found {found}; expected 0 to 1000000")));
    }
    let per: Length = row.required("per", "\"100 m\"")?;
    if per < Length::from_m(1) || per > LONGEST_STOCK {
        let message = format!("found {per}; expected 1 m to {LONGEST_STOCK}");
        return Err(row.refuse("per", message));
    }
    let accountings = [Accounting::Half, Accounting::Whole].map(|one| (one.name(), one));
    let accounting = row.choice("accounting", &accountings)?.unwrap_or(Accounting::Half);
    Ok(FibrePrice { price: Some(price), per, accounting })
}

/// Largest price: a million units of a currency, in millionths.
const MOST_PRICE_MICROS: i64 = 1_000_000_000_000;
