"""The settings of a design. Their names are those of the command-line flags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy.typing as npt

from lightloom import _choices

PathText = str | os.PathLike[str]


class OtherSettings(TypedDict, total=False):
    """Optional settings of a design besides its fabric.

    Quantities are texts with their units (``rack_pitch="0.6 m"``), or numbers by a keyword with the
    unit in its name (``rack_pitch_m=0.6``).

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
    logical: int | None
    accelerator: str | None
    largest_file: str | None
    largest_file_bytes: int | None
    building: PathText | None
    site: str | Sequence[str] | None
    location: str | Sequence[str] | None
    status: str | Sequence[str] | None
    rows_from: _choices.RowsFrom | None
    placement: PathText | Any | None
    keep: PathText | None
    racks_per_row: int | None
    rack_pitch: str | None
    rack_pitch_m: float | None
    row_pitch: str | None
    row_pitch_m: float | None
    width: str | None
    width_m: float | None
    depth: str | None
    depth_m: float | None
    cross_aisles: Sequence[str] | None
    cross_aisles_m: float | Sequence[float] | None
    tray_height: str | None
    tray_height_m: float | None
    tray_width: str | None
    tray_width_m: float | None
    tray_depth: str | None
    tray_depth_m: float | None
    fibre_diameter: str | None
    fibre_diameter_m: float | None
    rack_entry: str | None
    rack_entry_m: float | None
    slack: str | None
    slack_m: float | None
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
    rate_bps: float | None
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
    penalty_db: float | None
    ageing: str | None
    ageing_db: float | None
    pad: str | None
    pad_at: _choices.PadAt | None
    margin: str | None
    margin_db: float | None
    headroom: str | None
    headroom_db: float | None
    accept: _choices.Case | None
    samples: int | None
    seed: int | None
    percentile: float | str | None
    fibre_accounting: _choices.Accounting | None
    price_case: _choices.PriceCase | None
    prices: _choices.Prices | None
    fibre_length: str | None
    fibre_length_m: float | None
    years: int | None
    energy_price: str | None
    memory: str | None
    memory_bytes: int | None


class Settings(OtherSettings, total=False):
    """All settings of a design, including its fabric."""

    family: _choices.Family | None
    p: int | None
    k: int | None
    tors: int | None
    edges: PathText | npt.ArrayLike | None
    router: _choices.Router | None
    inventory: PathText | Any | None
