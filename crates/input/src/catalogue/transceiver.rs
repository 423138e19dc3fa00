//! Reads rows of transceivers.

use lightloom_power_cost::parts::{Fec, Modulation, ReceiverKind, Transceiver, TransceiverRow};
use lightloom_request::InputError;

use crate::catalogue::checked::{checked, quantities};
use crate::catalogue::price::price;
use crate::rows::Row;

/// Reads a row. It overrides `old`; fields that it omits are inherited.
pub(super) fn transceiver(
    row: &Row<'_>,
    old: Option<&Transceiver>,
) -> Result<Transceiver, InputError> {
    row.only(TRANSCEIVER_FIELDS)?;
    let modulations =
        [("nrz", Modulation::Nrz), ("pam4", Modulation::Pam4), ("coherent", Modulation::Coherent)];
    let modulation =
        row.choice("modulation", &modulations)?.or(old.map(|old| old.modulation)).ok_or_else(
            || row.refuse("modulation", "is missing; expected one of nrz, pam4, coherent"),
        )?;
    let receivers = [
        ("pin", ReceiverKind::Pin),
        ("apd", ReceiverKind::Apd),
        ("coherent", ReceiverKind::Coherent),
    ];
    let fecs = [
        ("none", Fec::None),
        ("rs528", Fec::Rs528),
        ("rs544", Fec::Rs544),
        ("cfec", Fec::Cfec),
        ("ofec", Fec::Ofec),
    ];
    quantities!(row, old, reach, wavelength, launch_min, launch_typ, launch_max, launch_oma_min);
    quantities!(row, old, oma_minus_tdp_min, oma_minus_tdecq_min, extinction_ratio_min);
    quantities!(row, old, receive_min, sensitivity, sensitivity_typ, sensitivity_oma);
    quantities!(row, old, sensitivity_unprinted);
    quantities!(row, old, stressed_sensitivity_oma, sensitivity_oma_minus_secq);
    quantities!(row, old, overload, damage, signal_detect, best_case_budget, penalty);
    quantities!(row, old, lane_difference_launch, lane_difference_receive, power);
    checked(
        row,
        TransceiverRow {
            name: row.name.into(),
            rate: row.over(old.map(|old| old.rate), "rate", "\"100 Gb/s\"")?,
            modulation,
            fibres: row.number("fibres")?.or(old.map(|old| old.fibres)).unwrap_or(1),
            reach,
            wavelength,
            launch_min,
            launch_typ,
            launch_max,
            launch_oma_min,
            oma_minus_tdp_min,
            oma_minus_tdecq_min,
            extinction_ratio_min,
            receive_min,
            sensitivity,
            sensitivity_typ,
            sensitivity_unprinted,
            sensitivity_oma,
            stressed_sensitivity_oma,
            sensitivity_oma_minus_secq,
            overload,
            damage,
            signal_detect,
            receiver: row.inherited(
                "receiver",
                old.and_then(|old| old.receiver),
                |row, field| row.choice(field, &receivers),
            )?,
            lanes: row.number("lanes")?.or(old.map(|old| old.lanes)).unwrap_or(1),
            lane_difference_launch,
            lane_difference_receive,
            best_case_budget,
            penalty,
            fec: row.choice("fec", &fecs)?.or(old.map(|old| old.fec)).unwrap_or(Fec::None),
            ber: row.inherited("ber", old.and_then(|old| old.ber), Row::ratio)?,
            ber_floor: row.inherited("ber_floor", old.and_then(|old| old.ber_floor), Row::ratio)?,
            power,
            price: price(row, "price", old.and_then(|old| old.price.as_ref()))?,
            provenance: row.provenance_over(old.map(|old| &old.provenance))?,
        },
    )
}

/// The fields of a transceiver.
const TRANSCEIVER_FIELDS: &[&str] = &[
    "rate",
    "modulation",
    "receiver",
    "lanes",
    "fibres",
    "reach",
    "wavelength",
    "launch_min",
    "launch_typ",
    "launch_max",
    "launch_oma_min",
    "oma_minus_tdp_min",
    "oma_minus_tdecq_min",
    "extinction_ratio_min",
    "receive_min",
    "sensitivity",
    "sensitivity_typ",
    "sensitivity_unprinted",
    "sensitivity_oma",
    "stressed_sensitivity_oma",
    "sensitivity_oma_minus_secq",
    "overload",
    "damage",
    "signal_detect",
    "lane_difference_launch",
    "lane_difference_receive",
    "best_case_budget",
    "penalty",
    "fec",
    "ber",
    "ber_floor",
    "power",
    "price",
];
