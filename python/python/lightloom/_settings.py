"""The settings of a design. Their names are those of the command-line flags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy.typing as npt

from lightloom import _choices

PathText = str | os.PathLike[str]


class OtherSettings(TypedDict, total=False):
    """Optional settings of a design besides its fabric. Quantities are texts with their units.

    ``None`` leaves a setting unset. Each setting has the meaning of the command-line flag and of
    the design file's key of the same name.
    """

    extra_hops: int | None
    tor_model: str | None
    tor_role: str | None
    tor_ports: str | Sequence[str] | None
    tor_reserved: str | Sequence[str] | None
    tor_breakout: int | None
    devices: PathText | Any | None
    interfaces: PathText | Any | None
    fault_signalling: _choices.FaultSignalling | None
    transmit_port: _choices.TransmitPort | None
    largest_file: str | None
    building: PathText | None
    site: str | Sequence[str] | None
    location: str | Sequence[str] | None
    status: str | Sequence[str] | None
    rows_from: _choices.RowsFrom | None
    placement: PathText | Any | None
    keep: PathText | None
    racks_per_row: int | None
    rack_pitch: str | None
    row_pitch: str | None
    width: str | None
    depth: str | None
    cross_aisles: Sequence[str] | None
    tray_height: str | None
    tray_width: str | None
    tray_depth: str | None
    fibre_diameter: str | None
    rack_entry: str | None
    slack: str | None
    housing: _choices.Housing | None
    cabling: _choices.Cabling | None
    shuffle: _choices.Shuffle | None
    frames: str | Sequence[str] | None
    frame_units: int | None
    spare_positions_percent: int | None
    polish: _choices.Polish | None
    spares_percent: int | None
    crews: int | None
    modules_per_shift: int | None
    trunks_per_shift: int | None
    cords_between_rows_per_shift: int | None
    cords_within_row_per_shift: int | None
    measurements_per_shift: int | None
    catalogue: _choices.Catalogue | None
    parts: PathText | None
    transceiver: str | None
    rate: str | None
    splitter_part: str | None
    fibre: str | None
    connector: str | None
    mpo: str | None
    splice: str | None
    panel: str | None
    feed_splices: int | None
    feed_panels: int | None
    feed_inline: Sequence[str] | None
    branch_splices: int | None
    branch_panels: int | None
    branch_inline: Sequence[str] | None
    penalty: str | None
    ageing: str | None
    pad: str | None
    pad_at: _choices.PadAt | None
    margin: str | None
    headroom: str | None
    accept: _choices.Case | None
    samples: int | None
    seed: int | None
    percentile: float | str | None
    fibre_accounting: _choices.Accounting | None
    price_case: _choices.PriceCase | None
    prices: _choices.Prices | None
    fibre_length: str | None
    years: int | None
    energy_price: str | None
    memory: str | None


class Settings(OtherSettings, total=False):
    """All settings of a design, including its fabric."""

    family: _choices.Family | None
    p: int | None
    k: int | None
    tors: int | None
    edges: PathText | npt.ArrayLike | None
    router: _choices.Router | None
    inventory: PathText | Any | None
