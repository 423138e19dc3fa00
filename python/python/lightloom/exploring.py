"""Help to find a design, and the ports that racks leave unused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lightloom import _choices, _inputs
from lightloom._extras import Progress, watching
from lightloom._frames import of_rows
from lightloom._lightloom import explore_designs, study_unused_ports, write_design
from lightloom._report import Report, count
from lightloom._settings import OtherSettings, PathText, Settings
from lightloom._stops import report_of
from lightloom.errors import DesignError

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack


_DESIGNS = {
    "family": "text",
    "p": "whole",
    "k": "whole?",
    "housing": "text",
    "cabling": "text",
    "transceiver": "text",
    "max_hops": "whole",
    "mean_hops": "real",
    "parallel_sources": "whole?",
    "ports_per_tor": "whole",
    "transceivers": "whole",
    "fibre_m": "real",
    "long_runs": "whole",
    "cables_beyond_rows": "whole",
    "fullest_tray_percent": "real",
    "rack_units": "whole",
    "power_w": "real",
    "cost_usd": "real",
    "cost": "text",
    "cost_low": "text",
    "cost_high": "text",
    "assumed_percent": "real",
    "dearer": "text",
    "over_first": "real",
    "may_exceed": "flag",
    "missing": "list",
    "cost_compares": "flag",
    "priced_as": "text",
    "worst_margin_db": "real",
    "worst_headroom_db": "real",
    "pad": "text",
    "gaps": "list",
    "hazards": "list",
    "verdict": "text",
    "pareto": "flag",
    "pareto_open": "flag",
}
_REJECTED = {
    "family": "text",
    "p": "whole?",
    "housing": "text",
    "cabling": "text",
    "transceiver": "text",
    "reasons": "list",
}
_CASES = {
    "rack_units": "whole",
    "oversubscription": "text",
    "server_ports": "text",
    "model": "text",
    "unused_ports": "whole",
    "unused_gbps": "real",
}


def _rows(designs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The designs with the bounds of their costs as columns."""
    rows = []
    for design in designs:
        row = dict(design)
        bounds, over = row.pop("cost_range") or {}, row.pop("cost_over_first") or {}
        row |= {"cost_low": bounds.get("low"), "cost_high": bounds.get("high")}
        row["assumed_percent"] = bounds.get("assumed_percent")
        row |= {"dearer": over.get("dearer"), "over_first": over.get("amount")}
        row |= {key: design.get(key, False) for key in ("may_exceed", "pareto_open")}
        rows.append(row)
    return rows


class Exploration(Report):
    """Every design for a number of ToRs, best first, and the reasons why others fail."""

    def designs(self) -> pd.DataFrame:
        """Designs within all limits, best first; units are in the names.

        ``cost_low`` and ``cost_high`` bound the cost; an empty ``cost_high`` means no upper bound.
        ``over_first`` is how much more a design costs than the first one, at one price for each
        part. ``dearer`` tells which of the two is dearer at all prices: ``this``, ``other``,
        ``neither`` or ``open``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> import lightloom
        >>> lightloom.explore(12).designs()["family"].unique().tolist()
        ['kautz']
        """
        return of_rows(_rows(self.report["designs"]), _DESIGNS, "Exploration.designs()")

    def front(self) -> pd.DataFrame:
        """The Pareto front: designs that no other design dominates.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> import lightloom
        >>> exploration = lightloom.explore(12)
        >>> len(exploration.front()) <= len(exploration)
        True
        """
        best = [design for design in self.report["designs"] if design["pareto"]]
        return of_rows(_rows(best), _DESIGNS, "Exploration.front()")

    def rejected(self) -> pd.DataFrame:
        """All other designs, with the reasons.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> import lightloom
        >>> "reasons" in lightloom.explore(12).rejected()
        True
        """
        return of_rows(self.report["rejected"], _REJECTED, "Exploration.rejected()")

    @property
    def missing(self) -> str:
        """The fabrics that a stopped call has not explored; an empty text if it explored all."""
        lacking = int(self.report["unexplored"])
        return f"{count(lacking, 'fabric')} not explored" if lacking else ""

    def __len__(self) -> int:
        """The number of designs within all limits."""
        return len(self.report["designs"])

    def __repr__(self) -> str:
        return (
            f"<Exploration for {count(self.report['tors'], 'ToR')}: {count(len(self), 'design')} "
            f"by {self.report['ranked_by']}, {len(self.report['rejected']):,} rejected>"
        )


class UnusedPorts(Report):
    """Ports that racks leave unused."""

    def cases(self) -> pd.DataFrame:
        """Every possible way to fill a rack.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> import lightloom
        >>> study = lightloom.unused_ports()
        >>> len(study.cases()) == len(study)
        True
        """
        return of_rows(self.report["cases"], _CASES, "UnusedPorts.cases()")

    def __len__(self) -> int:
        """The number of possible ways to fill a rack."""
        return len(self.report["cases"])

    def __repr__(self) -> str:
        return f"<UnusedPorts: {count(len(self), 'way')} to fill a rack>"


def explore(
    tors: int | None = None,
    *,
    design: PathText | None = None,
    max_hops: int | None = None,
    parallel_sources: int | None = None,
    ports_per_tor: int | None = None,
    max_cables: int | None = None,
    max_tray_percent: int | None = None,
    max_cost: str | None = None,
    case: _choices.Case | None = None,
    rank_by: _choices.Criterion | None = None,
    progress: Progress = None,
    inventory: PathText | Any | None = None,
    **settings: Unpack[OtherSettings],
) -> Exploration:
    """Every design for a number of ToRs, ranked, with its Pareto front.

    Parameters
    ----------
    tors : int, optional
        Number of ToRs, at most 32,768 (default: the racks of the inventory or the design).
    design : path, optional
        A design file; its racks, optics and costs are used.
    max_hops, parallel_sources, ports_per_tor : int, optional
        Most hops, fewest parallel sources, most ports per ToR.
    max_cables : int, optional
        Most cables between different rows.
    max_tray_percent : int, optional
        Highest fill of the fullest tray, in percent of its cross-section.
    max_cost : str, optional
        Highest cost (``"500000 USD"``).
    case : {"worst", "typical", "monte-carlo", "best"}, optional
        The case in which the light must close.
    rank_by : {"cost", "fibre", "power", "hops", "parallel-sources", "margin", "cables", "tray"}, optional
        The ranking criterion.
    progress : bool or callable, optional
        ``True`` shows a tqdm bar; a callable is called with (done, of).
    inventory : path or pandas.DataFrame, optional
        The racks.
    **settings
        Optics and costs, as in :class:`lightloom.Fabric`. ``margin="2 dB"`` sets the policy, and
        here it is also a limit: designs with less margin are rejected.

    Raises
    ------
    Interrupted
        On Ctrl-C. Its ``result`` is the exploration of the finished designs, or ``None`` if there
        are none.

    Examples
    --------
    >>> import lightloom
    >>> exploration = lightloom.explore(12)
    >>> len(exploration) > 0
    True
    """  # noqa: E501
    given, files = _inputs.settings({"tors": tors, "inventory": inventory, **settings})
    limits = {
        "max_hops": _inputs.optional_number("max_hops", max_hops, 2**32 - 1),
        "parallel_sources": _inputs.optional_number("parallel_sources", parallel_sources),
        "ports_per_tor": _inputs.optional_number("ports_per_tor", ports_per_tor),
        "max_cables": _inputs.optional_number("max_cables", max_cables),
        "max_tray_percent": _inputs.optional_number(
            "max_tray_percent", max_tray_percent, 2**32 - 1
        ),
        "max_cost": _inputs.optional_text("max_cost", max_cost),
        "case": _inputs.optional_text("case", case),
        "rank_by": _inputs.optional_text("rank_by", rank_by),
    }
    place = _inputs.optional_path("design", design)
    with watching(progress, "Exploring") as update:
        return report_of(
            lambda: explore_designs(given, place, files, limits, update), Exploration, "all designs"
        )


def unused_ports(
    design: PathText | None = None,
    *,
    model: str | Iterable[str] | None = None,
    rack_units: int | Iterable[int] | None = None,
    oversubscription: str | Iterable[str] | None = None,
    server_ports: str | Iterable[str] | None = None,
    **settings: Unpack[Settings],
) -> UnusedPorts:
    """Ports that racks leave unused, and whether a design's ToRs have enough.

    Parameters
    ----------
    design : path, optional
        A design file (default: the settings of a fabric).
    model : str or iterable of str, optional
        Switch models, by their names in the catalogue (default: those of Shufflecast's Appendix B
        and your own).
    rack_units : int or iterable of int, optional
        Rack heights in units, 2 to 60.
    oversubscription, server_ports : str or iterable of str, optional
        Server to uplink bandwidth (``"3:1"``); ports of each server (``"2 x 25 Gb/s"``).

    Raises
    ------
    DesignError
        If an argument is wrong.

    Examples
    --------
    >>> import lightloom
    >>> len(lightloom.unused_ports()) > 0
    True
    """
    given, files = _inputs.settings(settings)
    racks: dict[str, list[str] | list[int]] = {
        "models": _inputs.listed("model", model),
        "rack_units": _inputs.numbers("rack_units", rack_units),
        "oversubscription": _inputs.listed("oversubscription", oversubscription),
        "server_ports": _inputs.listed("server_ports", server_ports),
    }
    place = _inputs.optional_path("design", design)
    return report_of(
        lambda: study_unused_ports(given, place, files, racks),
        UnusedPorts,
        "the ways to fill a rack",
    )


class NewDesign(Report):
    """The written design file and the facts of its fabric."""

    @property
    def design(self) -> str:
        """The file."""
        return str(self.report["design"])

    def __repr__(self) -> str:
        return f"<NewDesign {self.design!r}>"


def new_design(
    out: PathText, *, progress: Progress = None, **settings: Unpack[Settings]
) -> NewDesign:
    """Writes a commented design file for a number of ToRs or an inventory.

    Parameters
    ----------
    out : path
        The file. An existing file is never overwritten.
    **settings
        Settings as in :class:`lightloom.Fabric`; lightloom chooses the others.

    Raises
    ------
    DesignError
        If an argument is wrong, or if the file cannot be written.
    Interrupted
        On Ctrl-C.

    Examples
    --------
    >>> import tempfile, lightloom
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = lightloom.new_design(folder + "/design.toml", tors=12)
    ...     fabric = lightloom.Fabric.open(folder + "/design.toml")
    >>> fabric.tors
    12
    """
    given, files = _inputs.settings(settings)
    if files:
        raise DesignError("a design file names files; write the table to one")
    place = _inputs.path("out", out)
    with watching(progress, "Comparing") as update:
        return report_of(
            lambda: write_design(given, place, update), NewDesign, "the design; nothing was written"
        )
