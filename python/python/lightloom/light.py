"""Optical budgets and cost comparisons."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from lightloom._extras import need
from lightloom._frames import of_rows
from lightloom._lightloom import Budgeted
from lightloom._opened import Opened
from lightloom._pictures import tables
from lightloom._report import Report, count, parse
from lightloom.table import Table

if TYPE_CHECKING:
    import pandas as pd

Values = npt.NDArray[np.float64]
Tors = npt.NDArray[np.uint32]

_BRANCHES = {
    "from_tor": "whole",
    "to_tor": "whole",
    "loss_db": "real",
    "rx_dbm": "real",
    "margin_db": "real",
    "rx_max_dbm": "real",
    "headroom_db": "real",
    "q": "real",
    "pre_fec_ber": "real",
    "pre_fec_ber_is_bound": "flag",
    "frame_loss": "real",
    "frame_loss_is_bound": "flag",
    "failing_share": "real",
    "verdict": "text",
    "mend": "list",
    "frames_at_once": "real",
}


_HOPS = {
    "from_tor": "whole",
    "to_tor": "whole",
    "hop": "text",
    "kind": "text",
    "label": "text",
    "tor": "real",
    "row": "text",
    "rack": "text",
    "unit": "real",
    "slot": "real",
    "enters": "text",
    "leaves": "text",
    "strand": "real",
    "from_port": "text",
    "to_port": "text",
    "length_m": "real",
    "stock_m": "real",
    "trays": "list",
    "bends": "real",
    "loss_db": "real",
    "lost_db": "real",
}


class BudgetReport(Report):
    """What a :class:`lightloom.Budget` says, for the design that it belongs to."""

    def __init__(self, fabric: Opened, budget: Budgeted) -> None:
        super().__init__(parse(budget.head()))
        self.fabric, self._budget = fabric, budget
        self._whole: dict[str, Any] | None = None

    @property
    def report(self) -> dict[str, Any]:
        """The whole answer, as ``--json`` prints it. Branches become objects when it is read."""
        if self._whole is None:
            self._whole = parse(self._budget.text())
        return self._whole

    def __getitem__(self, key: str) -> Any:
        return self.report[key] if key == "branches" else self._report[key]

    @property
    def case(self) -> str:
        """The case of the component values: worst, typical, monte-carlo or best."""
        return str(self["case"])

    @property
    def verdict(self) -> str:
        """The worst verdict: pass, warn, marginal, unknown or fail."""
        return str(self["verdict"])

    @property
    def pad(self) -> str | None:
        """The fixed attenuators and their place; ``None`` if the design has none."""
        return self._report.get("pad")

    @property
    def hazards(self) -> list[str]:
        """Hazards: light that may be reported as lost, receivers in danger, lanes that differ."""
        return list(self._report.get("hazards", []))

    @property
    def worst(self) -> dict[str, Any] | None:
        """The worst branch, element by element."""
        found: dict[str, Any] | None = self["worst"]
        return found

    @property
    def worst_margin_db(self) -> float | None:
        """The least margin in dB; ``None`` if no margin is known."""
        found: float | None = self["worst_margin_db"]
        return found

    @property
    def worst_headroom_db(self) -> float | None:
        """The least distance below the overload in dB; ``None`` if no headroom is known."""
        found: float | None = self["worst_headroom_db"]
        return found

    @cached_property
    def from_tor(self) -> npt.NDArray[np.uint32]:
        """The ToR that transmits (uint32)."""
        return cast(Tors, self._table["from_tor"])

    @cached_property
    def to_tor(self) -> npt.NDArray[np.uint32]:
        """The ToR that receives (uint32)."""
        return cast(Tors, self._table["to_tor"])

    @cached_property
    def loss_db(self) -> Values:
        """Loss from transmitter to receiver, in dB."""
        return cast(Values, self._table["loss_db"])

    @cached_property
    def margin_db(self) -> Values:
        """Margin over the sensitivity, minus penalties and ageing, in dB."""
        return cast(Values, self._table["margin_db"])

    @cached_property
    def received_dbm(self) -> Values:
        """Least received power, in dBm."""
        return cast(Values, self._table["rx_dbm"])

    @cached_property
    def headroom_db(self) -> Values:
        """Distance below the overload of the receiver, in dB."""
        return cast(Values, self._table["headroom_db"])

    @cached_property
    def _table(self) -> Table:
        return Table(self._budget.branches(), _BRANCHES)

    def table(self) -> Table:
        """Every branch, worst first, with the names of ``--json``.

        ``mend`` is JSON: the changes that would make a failing branch close.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2, transceiver="10gbase-er")
        >>> len(fabric.budget().table())
        16
        """
        return self._table

    def branches(self) -> pd.DataFrame:
        """Every branch, worst first, with the names of ``--json``; NaN is unknown.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2, transceiver="10gbase-er")
        >>> len(fabric.budget().branches())
        16
        """
        pandas = need("pandas", "Budget.branches()")
        made = self._table.to_pandas()
        mend = [None if text is None else json.loads(text) for text in self._table["mend"]]
        made["mend"] = pandas.Series(mend, dtype=object)
        # Only some transceivers lose frames together.
        if made["frames_at_once"].isna().all():
            del made["frames_at_once"]
        return made

    def __len__(self) -> int:
        """The number of branches."""
        return len(self._table)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (type(self), self.fabric, self._budget.text()))

    def __repr__(self) -> str:
        margin = self.worst_margin_db
        least = "no margin is known" if margin is None else f"least margin {margin:.2f} dB"
        return (
            f"<Budget {self.case}: {self.verdict}, {least}, {count(len(self), 'branch')}, "
            f"{self['transceiver']}>"
        )

    def _repr_html_(self) -> str:
        return tables.budget(repr(self)[1:-1], self.fabric.tor_names, self._table)


def _restore(kind: type[BudgetReport], fabric: Opened, text: str) -> BudgetReport:
    return kind(fabric, Budgeted.of_json(text))


_PARTS = ("ports", "transceivers", "splitters", "fibres", "power_w")
_COMPARED = {
    "network": "text",
    "scope": "text",
    "ports": "whole",
    "transceivers": "whole",
    "splitters": "whole",
    "fibres": "whole",
    "power_w": "real",
    "cost": "real",
    "currency": "text",
}


class Comparison(Report):
    """Parts, power and cost beside IP multicast over packet switches and a peer-to-peer chain."""

    @property
    def summary(self) -> list[str]:
        """The comparison in sentences: the whole, each parallel source, and one multicast."""
        return list(self.report["summary"])

    @property
    def at_line_rate(self) -> dict[str, dict[str, Any]]:
        """The whole fabric, divided by the number of sources that can send at line rate together.

        For ``splitter_fabric``, ``ip_multicast`` and ``peer_to_peer``: ``sources``, ``cost``,
        ``cost_usd``, ``power_w``; ``None`` is unknown, and ``unknown`` gives the reason.
        """
        return dict(self.report["at_line_rate"])

    def table(self) -> pd.DataFrame:
        """Parts, power and cost of the three networks.

        Two rows for each: what one multicast takes (``scope`` is ``one multicast``), and all that
        is built (``whole``). ``cost`` is in ``currency``; a cost that is not known is missing.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> Fabric(p=2, k=2).compare().table()["network"].unique().tolist()
        ['splitter_fabric', 'ip_multicast', 'peer_to_peer']
        """
        scopes = (("one multicast", self.report), ("whole", self.report["whole_fabric"]))
        rows = []
        for scope, report in scopes:
            for network in ("splitter_fabric", "ip_multicast", "peer_to_peer"):
                row = {key: report[network][key] for key in _PARTS if key in report[network]}
                cost = report[network]["cost"]
                amount, _, currency = (cost or "").partition(" ")
                row |= {"cost": float(amount) if amount else None, "currency": currency or None}
                rows.append({"network": network, "scope": scope, **row})
        return of_rows(rows, _COMPARED, "Comparison.table()")


class Trace(Report):
    """The optical path of single branches, from their transmitters to their receivers."""

    @property
    def branches(self) -> list[dict[str, Any]]:
        """The branches, each with ``light``, ``elements``, ``feed``, ``branch`` and ``hops``."""
        return list(self.report["branches"])

    def hops(self) -> pd.DataFrame:
        """Every hop of every branch, with the names of ``--json``: devices and cables in turn.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2, transceiver="10gbase-er")
        >>> len(fabric.trace("0->4").hops()) > 0
        True
        """
        rows = [
            {"from_tor": one["light"]["from_tor"], "to_tor": one["light"]["to_tor"], **hop}
            for one in self.report["branches"]
            for hop in one["hops"]
        ]
        return of_rows(rows, _HOPS, "Trace.hops()")


class Spec(Report):
    """The requirements for the transceivers and splitters of a design."""

    @property
    def is_met(self) -> bool | None:
        """Whether the transceiver meets every demand; ``None`` if a value is unknown."""
        demands = [demand["met"] for demand in self.report["transceivers"]]
        keeps = self.report["keeps_greatest_launch"]
        if False in demands or keeps is False:
            return False
        return True if demands and keeps else None
