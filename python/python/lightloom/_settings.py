"""The settings of a design. Their names are those of the command-line flags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy.typing as npt

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
    fault_signalling: str | None
    transmit_port: str | None
    largest_file: str | None
    building: PathText | None
    site: str | Sequence[str] | None
    location: str | Sequence[str] | None
    status: str | Sequence[str] | None
    rows_from: str | None
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
    housing: str | None
    cabling: str | None
    shuffle: str | None
    frames: str | Sequence[str] | None
    frame_units: int | None
    spare_positions_percent: int | None
    polish: str | None
    spares_percent: int | None
    crews: int | None
    modules_per_shift: int | None
    trunks_per_shift: int | None
    cords_between_rows_per_shift: int | None
    cords_within_row_per_shift: int | None
    measurements_per_shift: int | None
    catalogue: str | None
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
    pad_at: str | None
    margin: str | None
    headroom: str | None
    accept: str | None
    samples: int | None
    seed: int | None
    percentile: float | str | None
    fibre_accounting: str | None
    price_case: str | None
    prices: str | None
    fibre_length: str | None
    years: int | None
    energy_price: str | None
    memory: str | None


class Settings(OtherSettings, total=False):
    """All settings of a design, including its fabric."""

    family: str | None
    p: int | None
    k: int | None
    tors: int | None
    edges: PathText | npt.ArrayLike | None
    router: str | None
    inventory: PathText | Any | None
