"""Racks, devices and interfaces of a NetBox, read through its API.

The API is a ``pynetbox.api`` object, or any object with the same ``dcim`` endpoints. This module
does not import pynetbox. It only reads: nothing is changed in NetBox.

>>> import pynetbox  # doctest: +SKIP
>>> api = pynetbox.api("https://netbox.example", token="…")  # doctest: +SKIP
>>> exported = collect(api, site="harbor-hall")  # doctest: +SKIP
>>> fabric = lightloom.Fabric(p=4, tor_role="leaf", **exported.settings())  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from lightloom import _inputs
from lightloom._csv import csv_text
from lightloom._lightloom import write_tables

__all__ = ["Api", "Dcim", "Endpoint", "Exports", "Table", "collect"]

_RACKS = ("name", "site", "location", "status", "u_height")
_DEVICES = (
    "name",
    "status",
    "site",
    "location",
    "rack",
    "role",
    "device_type",
    "position",
    "face",
    "u_height",
)
_INTERFACES = (
    "device",
    "name",
    "type",
    "enabled",
    "mgmt_only",
    "mark_connected",
    "cable",
    "link_peer",
    "lag",
    "description",
    "tags",
)


class Endpoint(Protocol):
    """An endpoint of the API, such as ``api.dcim.racks``."""

    def all(self) -> Iterable[Any]:
        """All records."""
        ...

    def filter(self, **filters: Any) -> Iterable[Any]:
        """The records that pass the filters."""
        ...


class Dcim(Protocol):
    """The endpoints that are read."""

    @property
    def racks(self) -> Endpoint:
        """The racks."""
        ...

    @property
    def devices(self) -> Endpoint:
        """The devices."""
        ...

    @property
    def device_types(self) -> Endpoint:
        """The types of devices, for their heights."""
        ...

    @property
    def interfaces(self) -> Endpoint:
        """The interfaces."""
        ...


class Api(Protocol):
    """The part of a ``pynetbox.api`` object that this module uses."""

    @property
    def dcim(self) -> Dcim:
        """The application for data center infrastructure."""
        ...


class Table:
    """A table of texts, written as CSV.

    Attributes
    ----------
    columns : tuple of str
        The names of the columns.
    rows : list of tuple of str
        The rows.
    """

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        self.columns = tuple(columns)
        self.rows = [tuple(row) for row in rows]

    def to_csv(self, index: bool = False) -> str:
        """The table as a CSV text. ``index`` has no effect; DataFrames have the same argument."""
        return csv_text(self.columns, self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Table of {len(self.rows)} rows: {', '.join(self.columns)}>"


class Exports(NamedTuple):
    """The three tables that a design with named interfaces needs."""

    racks: Table
    """The racks: the setting ``inventory``."""
    devices: Table
    """The devices: the setting ``devices``."""
    interfaces: Table
    """The interfaces: the setting ``interfaces``."""

    def settings(self) -> dict[str, Any]:
        """The tables as keyword arguments of :class:`lightloom.Fabric`, read from memory."""
        tables = (self.racks, self.devices, self.interfaces)
        return dict(zip(("inventory", "devices", "interfaces"), tables, strict=True))

    def write(self, folder: str | os.PathLike[str]) -> list[str]:
        """Writes ``racks.csv``, ``devices.csv`` and ``interfaces.csv``, and returns their paths."""
        place = _inputs.path("folder", folder)
        named = zip(self._fields, self, strict=True)
        files = {f"{name}.csv": table.to_csv().encode() for name, table in named}
        write_tables(place, files)
        return [os.path.join(place, name) for name in files]


def collect(api: Api, **filters: Any) -> Exports:
    """Reads racks, devices and interfaces.

    Parameters
    ----------
    api : pynetbox.api
        The API. Requests are sent by it, and its errors are passed on.
    **filters
        Filters that all three endpoints know, such as ``site="harbor-hall"`` (slugs, as in NetBox's
        API) or ``location_id=[3, 4]``. Without a filter everything is read.

    Returns
    -------
    Exports
        The three tables. Names and titles are texts as NetBox has them; nothing is left out.
    """

    def records(endpoint: Endpoint) -> list[Mapping[str, Any]]:
        found = endpoint.filter(**filters) if filters else endpoint.all()
        return [dict(record) for record in found]

    dcim = api.dcim
    heights = {kind.get("id"): kind.get("u_height") for kind in map(dict, dcim.device_types.all())}
    racks = [[_text(rack.get(column)) for column in _RACKS] for rack in records(dcim.racks)]
    devices = [_device(device, heights) for device in records(dcim.devices)]
    interfaces = [_interface(interface) for interface in records(dcim.interfaces)]
    return Exports(Table(_RACKS, racks), Table(_DEVICES, devices), Table(_INTERFACES, interfaces))


def _device(device: Mapping[str, Any], heights: Mapping[Any, Any]) -> list[str]:
    cells = {column: _text(device.get(column)) for column in _DEVICES}
    # NetBox before 4.0 has device_role.
    cells["role"] = cells["role"] or _text(device.get("device_role"))
    kind = device.get("device_type")
    if isinstance(kind, Mapping):
        cells["device_type"] = _text(kind.get("model") or kind)
        cells["u_height"] = _text(kind.get("u_height", heights.get(kind.get("id"))))
    return [cells[column] for column in _DEVICES]


def _interface(interface: Mapping[str, Any]) -> list[str]:
    cells = {column: _text(interface.get(column)) for column in _INTERFACES}
    kind = interface.get("type")
    if isinstance(kind, Mapping):
        cells["type"] = _text(kind.get("value") or kind.get("label"))
    cells["cable"] = _cable(interface.get("cable"))
    cells["link_peer"] = _text(interface.get("link_peers") or interface.get("link_peer"))
    return [cells[column] for column in _INTERFACES]


def _cable(cable: object) -> str:
    """The label of a cable; without one, ``#`` and its number, as NetBox shows it."""
    if not isinstance(cable, Mapping):
        return _text(cable)
    return _text(cable.get("label")) or f"#{_text(cable.get('id'))}"


def _text(value: object) -> str:
    """A value of the API as the text of a cell: its name, label or title."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        for key in ("name", "label", "value", "display", "id"):
            if value.get(key) not in (None, ""):
                return _text(value[key])
        return ""
    # Records within a list may still be objects of pynetbox.
    if hasattr(value, "name"):
        return _text(value.name)
    if isinstance(value, (list, tuple)):
        return ",".join(_text(item) for item in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
