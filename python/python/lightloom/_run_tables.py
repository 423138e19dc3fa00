"""The tables of a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _choices, _inputs
from lightloom._extras import need
from lightloom._frames import columns, frame, of_csv
from lightloom._report import Report
from lightloom.errors import SimulationError

if TYPE_CHECKING:
    import pandas as pd

_TABLES = ("flows", "throughput", "receivers", "copies", "messages")
Values = npt.NDArray[np.float64]


class RunTables(Report):
    """A report of a run, with the files of its results folder."""

    def __init__(self, report: dict[str, Any], files: dict[str, bytes]) -> None:
        super().__init__(report)
        self._files = files

    @property
    def several(self) -> bool:
        """Whether the result is of several runs."""
        return "replicas" in self.report

    def flows(self) -> pd.DataFrame:
        """Every flow, with the columns of ``flows.csv``; times in picoseconds.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.scenario().run().flows())
        1
        """
        return frame(self._flows, "Result.flows()")

    def throughput(self, flows: bool = False) -> pd.DataFrame:
        """Payload by interval: start_ps, bytes, goodput_bps; with ``flows`` by flow and interval.

        Flows are recorded if the scenario sets ``[probes] flows = true``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If flows were not recorded.

        Examples
        --------
        >>> from lightloom import samples
        >>> int(samples.scenario().run().throughput()["bytes"].sum())
        64000
        """
        by_flow = _inputs.flag("flows", flows)
        return frame(self._series if by_flow else self._throughput, "Result.throughput()")

    def group_throughput(self, receivers: bool = False) -> pd.DataFrame:
        """Payload of messages to groups by interval: message, start_ps, bytes, goodput_bps.

        With ``receivers`` by receiver too (``to``). They are recorded if the scenario sets
        ``[probes] groups = true`` or ``receivers = true``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If it was not recorded.

        Examples
        --------
        >>> from lightloom import samples
        >>> int(samples.broadcast().run().group_throughput()["bytes"].sum())
        448000
        """
        by_receiver = _inputs.flag("receivers", receivers)
        name = "receiver-throughput" if by_receiver else "group-throughput"
        return frame(self._columns(name), "Result.group_throughput()")

    def links(self) -> pd.DataFrame:
        """Every direction of every link, with the columns of ``links.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.scenario().run().links())
        12
        """
        return self._sheet("links")

    def receivers(self) -> pd.DataFrame:
        """Every receiver of every message to a group, with the columns of ``receivers.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the run has no messages to groups.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().run().receivers())
        7
        """
        return self._sheet("receivers")

    def members(self) -> pd.DataFrame:
        """When each member of a collective operation had all: the columns of ``collectives.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the run has no collective operations.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.allreduce().run().members())
        8
        """
        return self._sheet("collectives")

    def ranks(self) -> pd.DataFrame:
        """When each rank of a trace had done all: the columns of ``traces.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the run has no traces.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.application() as small:
        ...     ranks = small.run().ranks()
        >>> len(ranks)
        2
        """
        return self._sheet("traces")

    def branches(self) -> pd.DataFrame:
        """Every branch of every splitter, with the columns of ``branches.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the run has no splitters.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().run().branches())
        16
        """
        return self._sheet("branches")

    def copies(self) -> pd.DataFrame:
        """Packets of every message to a group by link and branch: the columns of ``copies.csv``.

        They are counted if the scenario sets ``[probes] copies = true``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If copies were not counted.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().run().copies()) > 0
        True
        """
        return self._sheet("copies")

    def messages(self) -> pd.DataFrame:
        """Every message to a group in each of several runs: the columns of ``messages.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the result is of one run.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().run(seeds=2).messages())
        2
        """
        return self._sheet("messages")

    def replicas(self) -> pd.DataFrame:
        """One row per run, with the columns of ``replicas.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the result is of one run.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.scenario().run(seeds=3).replicas())
        3
        """
        return self._sheet("replicas")

    def arrow(self, table: _choices.ResultTable = "flows") -> Any:
        """A table in Arrow format, without a copy.

        Parameters
        ----------
        table : {"flows", "throughput", "receivers", "copies", "messages"}
            The table.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        ImportError
            If pyarrow is missing: ``pip install lightloom[arrow]``.
        SimulationError
            If there is no such table.

        Examples
        --------
        >>> from lightloom import samples
        >>> samples.scenario().run().arrow("flows").num_rows
        1
        """
        if not isinstance(table, str) or table not in _TABLES:
            words = ", ".join(_TABLES)
            raise SimulationError(f"found {table!r}; expected one of {words}", field="table")
        ipc = need("pyarrow", "Result.arrow()", "pyarrow.ipc")
        return ipc.open_file(self._file(f"{table}.arrow")).read_all()

    @cached_property
    def _flows(self) -> dict[str, Any]:
        return self._columns("flows")

    @cached_property
    def _series(self) -> dict[str, Any]:
        return self._columns("flow-throughput")

    @cached_property
    def _throughput(self) -> dict[str, Any]:
        return self._columns("throughput")

    def _columns(self, table: str) -> dict[str, Any]:
        name = f"{table}.arrow"
        return columns(name, self._file(name))

    def _sheet(self, table: str) -> pd.DataFrame:
        name = f"{table}.csv"
        return of_csv(self._file(name), name, f"Result.{table}()", SimulationError)

    def _file(self, name: str) -> bytes:
        if name not in self._files:
            one = "is not among the results of one run"
            several = (
                "is not among the results of several runs, which are figures alone; "
                "Scenario.replicas(seeds) keeps this of every run"
            )
            message = f"{name}: {several if self.several else one}"
            raise SimulationError(message, file=name)
        return self._files[name]
