"""A fabric and its queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._lightloom import Project, trace_light
from lightloom._opened import Opened
from lightloom._pictures import fabric_svg
from lightloom._report import parse
from lightloom._settings import OtherSettings, PathText, Settings
from lightloom._stops import asked, told
from lightloom.answers import Info, Repairs, Risk
from lightloom.configs import Configs, made
from lightloom.failures import Impact, Recovery
from lightloom.light import Budget, Comparison, Spec, Trace
from lightloom.parallel import Parallel, search
from lightloom.plans import Plan
from lightloom.tree import RelaySets, Tree, relayed

if TYPE_CHECKING:
    import networkx as nx
    from typing_extensions import Unpack


class Fabric(Opened):
    """An optical multicast fabric of passive splitters between top-of-rack switches (ToRs).

    Parameters
    ----------
    family : {"shufflecast", "kautz", "custom"}, optional
        The family (default: chosen by the number of ToRs).
    p : int, optional
        Outputs of a splitter, 2 to 1024.
    k : int, optional
        Columns of a Shufflecast, which has k p^k ToRs.
    tors : int, optional
        Number of ToRs, 2 to 4,194,304.
    edges : path or array of shape (tors, 3), optional
        Edges of a custom fabric: ToR, cassette that feeds it, cassette that it transmits into.
    router : {"algorithm1", "arborescence"}, optional
        The router; algorithm1 is the Shufflecast paper's, for a Shufflecast.
    inventory : path or pandas.DataFrame, optional
        The racks.
    **settings
        All other settings of a design file or of flags: see :class:`lightloom.Settings`.

    Raises
    ------
    DesignError
        If the design is wrong, with its file, line and field: the keyword, the key or the column.

    Examples
    --------
    >>> fabric = Fabric(p=4, k=2)
    >>> len(fabric), fabric.cassettes
    (32, 8)
    >>> fabric.tree(0).max_hops
    3
    """

    def __init__(
        self,
        family: str | None = None,
        *,
        p: int | None = None,
        k: int | None = None,
        tors: int | None = None,
        edges: PathText | npt.ArrayLike | None = None,
        router: str | None = None,
        inventory: PathText | Any | None = None,
        **settings: Unpack[OtherSettings],
    ) -> None:
        given = {
            "family": family,
            "p": p,
            "k": k,
            "tors": tors,
            "edges": edges,
            "router": router,
            "inventory": inventory,
            **settings,
        }
        files: _inputs.Files = {}
        values = _inputs.settings(given, files)
        self._project = Project(values, None, files)

    @classmethod
    def open(cls, design: PathText, **settings: Unpack[Settings]) -> Fabric:
        """Opens the fabric of a design file. Settings override those of the file.

        Parameters
        ----------
        design : path
            The design file (TOML).
        **settings
            Settings as in the class; they override those of the file.

        Raises
        ------
        DesignError
            If the file or a setting is wrong.
        """
        files: _inputs.Files = {}
        values = _inputs.settings(settings, files)
        return cls._of(Project(values, _inputs.path("design", design), files))

    def tree(self, source: _inputs.ToR) -> Tree:
        """The multicast tree of one source.

        Parameters
        ----------
        source : int or str
            The ToR that sends: its number or its rack's name. A text can mark which it is,
            ``"tor:12"`` or ``"rack:12"``. An ``int`` is always a number.

        Returns
        -------
        Tree
            The tree, with arrays of 32-bit numbers, without copies.

        Raises
        ------
        DesignError
            If there is no such ToR, or if the fabric is too large for the tables that the router
            needs.
        """
        tor = self._tor(source, "source")
        return Tree(self, tor, *self._project.tree(tor))

    def relay_sets(self, progress: Progress = None) -> RelaySets:
        """The relays of all sources.

        Parameters
        ----------
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of).

        Raises
        ------
        DesignError
            If there are more than 2^28 relays.
        Interrupted
            On Ctrl-C.
        """
        with watching(progress, "Routing") as update:
            return asked(
                lambda: self._project.relay_sets(update),
                lambda sets: RelaySets(*sets),
                "the relays",
            )

    def rules(self, tor: _inputs.ToR) -> npt.NDArray[np.uint32]:
        """The sources that a ToR relays, ascending, including its own number (uint32)."""
        return told(lambda: self._project.rules(self._tor(tor, "tor")), relayed, "the sources")

    def parallel(
        self, sources: Iterable[_inputs.ToR] | None = None, progress: Progress = None
    ) -> Parallel:
        """Edge-disjoint trees for sources that send at line rate at the same time.

        Parameters
        ----------
        sources : iterable of int or str, optional
            The sources (default: the largest set of parallel sources, with the proof of its size).
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of), in steps of the search.

        Raises
        ------
        Interrupted
            On Ctrl-C. Its ``result`` is a :class:`lightloom.ParallelSoFar`.
        """
        return search(self, sources, progress)

    def info(self, progress: Progress = None) -> Info:
        """Sizes, hops, loads, parallel sources and parts, also for the other family."""
        with watching(progress, "Measuring") as update:
            return told(lambda: self._project.info(update), Info, "the facts")

    def impact(self, failed: _inputs.Failed) -> Impact:
        """The ToRs that failures cut off before a repair.

        Parameters
        ----------
        failed : str or iterable of str or int
            Failures such as ``"relay:8"`` or ``"branch:3->7"`` (also ``tx``, ``splitter``, ``rx``,
            ``tor`` and ``cassette``), in a list or separated by commas. A number means ``relay`` of
            that ToR: its transmitter is dead, so it neither relays nor sends, but it still
            receives. After a recovery, a stand-in sends the packets of its own servers
            (:attr:`Recovery.via`). A ToR can be marked as a number or a rack name:
            ``"relay:tor:12"``, ``"relay:rack:12"``.
        """
        text = _inputs.failed_text(failed)
        return told(lambda: self._project.impact(text), Impact, "the impact")

    def recover(
        self,
        failed: _inputs.Failed,
        method: str | None = None,
        objective: str | None = None,
        throughput: bool = False,
    ) -> Recovery:
        """The rules to change, in order, to restore everything that light can still reach.

        Parameters
        ----------
        failed : str or iterable of str or int
            Failures as in :meth:`impact`.
        method : {"replan", "algorithm2"}, optional
            The exact method, or the Shufflecast paper's Algorithm 2.
        objective : {"fewest-changes", "fewest-hops"}, optional
            The quantity that replan minimises.
        throughput : bool, optional
            Whether to measure the lost throughput.

        Raises
        ------
        DesignError
            If a failure or the method does not apply.
        InfeasibleError
            If a state of the rollout is not safe.
        """
        wanted = (
            _inputs.failed_text(failed),
            _inputs.optional_text("method", method),
            _inputs.optional_text("objective", objective),
        )
        measured = _inputs.flag("throughput", throughput)
        return asked(
            lambda: self._project.recover(*wanted, measured),
            lambda raw: Recovery(self, wanted, parse(raw)),
            "the recovery",
        )

    def risk(self, progress: Progress = None) -> Risk:
        """Groups of parts that fail together, worst first, and relay pairs that cut off a ToR."""
        with watching(progress, "Breaking") as update:
            return told(lambda: self._project.risk(update), Risk, "the groups")

    def repairs(
        self, out: PathText, objective: str | None = None, progress: Progress = None
    ) -> Repairs:
        """Writes the repair of every single failure to a folder, in advance."""
        folder = _inputs.path("out", out)
        goal = _inputs.optional_text("objective", objective)
        with watching(progress, "Repairing") as update:
            return told(
                lambda: self._project.repairs(folder, goal, update),
                Repairs,
                "the repairs; nothing was written",
            )

    def budget(
        self, case: str | None = None, threads: int | None = None, progress: Progress = None
    ) -> Budget:
        """Loss, received power and margin of every branch, worst first.

        Parameters
        ----------
        case : {"worst", "typical", "monte-carlo", "best"}, optional
            The case of the component values.
        threads : int, optional
            Threads of a Monte Carlo budget; the result does not depend on them.
        """
        wanted = _inputs.drawn(case, threads)
        with watching(progress, "Drawing") as update:
            return asked(
                lambda: self._project.budget(*wanted, update),
                lambda raw: Budget(self, parse(raw)),
                "the budget",
            )

    def trace(
        self,
        fibre: str,
        case: str | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Trace:
        """The way of light of single branches, hop by hop, with places, cables, labels and losses.

        Parameters
        ----------
        fibre : str
            A branch by its ToRs (``"3->7"``), a port of a ToR (``"R1.05/3"``: what it receives and
            what it sends), or a label of the plan's sheets (``"F3"``, ``"B3.1"``).
        case : {"worst", "typical", "monte-carlo", "best"}, optional
            The case of the component values.
        threads : int, optional
            Threads of a Monte Carlo budget; the result does not depend on them.
        """
        named = _inputs.text("fibre", fibre)
        wanted = _inputs.drawn(case, threads)
        with watching(progress, "Drawing") as update:
            return told(
                lambda: trace_light(self._project, named, *wanted, update),
                Trace,
                "the ways of light",
            )

    def spec(self) -> Spec:
        """What to demand of transceivers and splitters, so that every branch keeps the policies."""
        return told(self._project.spec, Spec, "the demands")

    def compare(self, core_ports: int | None = None) -> Comparison:
        """Parts, power and cost beside IP multicast and a peer-to-peer chain.

        Parameters
        ----------
        core_ports : int, optional
            Ports of each switch of the packet core (default: 32).
        """
        ports = _inputs.optional_number("core_ports", core_ports)
        return told(lambda: self._project.compare(ports), Comparison, "the comparison")

    def plan(self, out: PathText, progress: Progress = None) -> Plan:
        """Plans every fibre, port and rule, proves the plan, and writes it to a folder.

        Parameters
        ----------
        out : path
            The folder. A plan in it is replaced in one step.

        Raises
        ------
        DesignError
            If the folder cannot be written or the design is too large.
        InfeasibleError
            If the plan does not hold. It is not written.
        Interrupted
            On Ctrl-C. Nothing was written.
        """
        folder = _inputs.path("out", out)
        with watching(progress, "Planning and proving") as update:
            return asked(
                lambda: self._project.plan(folder, update),
                lambda raw: Plan(folder, parse(raw), self),
                "the plan; nothing was written",
            )

    def configs(
        self,
        dialect: str = "openflow",
        out: PathText | None = None,
        *,
        encoding: str | None = None,
        groups: PathText | None = None,
    ) -> Configs:
        """What every switch must be told: see :meth:`Plan.configs`."""
        return made(self._project, dialect, out, encoding, groups)

    def svg(self, tree: Tree | _inputs.ToR | None = None, failed: _inputs.Failed = ()) -> str:
        """A picture of the fabric, with a tree or failures.

        Without a tree the ToRs are on a circle, grouped by the cassette that feeds each. A tree has
        its source in the middle and a ring for every hop. Above 1,024 ToRs the picture is a
        summary. The same fabric gives the same text.

        Parameters
        ----------
        tree : Tree, int or str, optional
            A tree, or the source of a tree.
        failed : str or iterable of str or int, optional
            Failures as in :meth:`impact`; with a tree, the picture also shows the ToRs that are cut
            off.

        Returns
        -------
        str
            SVG.

        Raises
        ------
        DesignError
            If a ToR or a failure is not of this fabric, or if a tree with failures is drawn for
            more than 4,096 ToRs.
        """
        return fabric_svg(self, tree, failed)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """The fabric as a graph of ToRs: see :func:`lightloom.graphs.to_networkx`."""
        from lightloom.graphs import to_networkx

        return to_networkx(self)

    def cassette_graph(self) -> nx.MultiDiGraph[int]:
        """The fabric as a graph of cassettes: see :func:`lightloom.graphs.cassette_graph`."""
        from lightloom.graphs import cassette_graph

        return cassette_graph(self)
