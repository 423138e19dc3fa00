"""A fabric, and everything that can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._lightloom import Project
from lightloom._opened import Opened
from lightloom._pictures import fabric_svg
from lightloom._report import parse
from lightloom._settings import OtherSettings, PathText, Settings
from lightloom.answers import Info, Parallel, Repairs, Risk
from lightloom.errors import DesignError
from lightloom.failures import Impact, Recovery
from lightloom.light import Budget, Comparison
from lightloom.plans import Plan
from lightloom.tree import RelaySets, Tree

if TYPE_CHECKING:
    import networkx as nx
    from typing_extensions import Unpack


class Fabric(Opened):
    """An optical multicast fabric of passive splitters between top-of-rack switches (ToRs).

    Parameters
    ----------
    family : {"shufflecast", "kautz", "custom"}, optional
        The family; chosen for the number of ToRs where nothing is said.
    p : int, optional
        Outputs of a splitter, 2 to 1024.
    k : int, optional
        Columns of a Shufflecast, which has k p^k ToRs (Shufflecast, section III-A).
    tors : int, optional
        Number of ToRs, 2 to 4,194,304.
    edges : path or array of shape (tors, 3), optional
        Edges of a custom fabric: ToR, cassette that feeds it, cassette that it transmits into.
    router : {"algorithm1", "arborescence"}, optional
        Who relays what; algorithm1 is the paper's (section III-B), for a Shufflecast.
    inventory : path or pandas.DataFrame, optional
        The racks.
    **settings
        Everything else that a design file or a flag says: see :class:`lightloom.Settings`.

    Raises
    ------
    DesignError
        When the design is wrong, with its file, line and field: the keyword, the key or the column.

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
        said = {
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
        values = _inputs.settings(said, files)
        self._project = Project(values, None, files)

    @classmethod
    def open(cls, design: PathText, **settings: Unpack[Settings]) -> Fabric:
        """The fabric of a design file, with settings over those of the file.

        Parameters
        ----------
        design : path
            The design file (TOML).
        **settings
            As of the class; they go over what the file says.

        Raises
        ------
        DesignError
            When the file or a setting is wrong.
        """
        files: _inputs.Files = {}
        values = _inputs.settings(settings, files)
        return cls._of(Project(values, _inputs.path("design", design), files))

    def tree(self, source: _inputs.ToR) -> Tree:
        """The multicast tree of one source (Shufflecast, section III-B).

        Parameters
        ----------
        source : int or str
            The ToR that sends: its number or its rack's name. A text may say which it is,
            ``"tor:12"`` or ``"rack:12"``; an ``int`` is always a number.

        Returns
        -------
        Tree
            Arrays of 32-bit numbers, without copies.

        Raises
        ------
        DesignError
            When there is no such ToR, or the router needs tables that the fabric is too large for.
        """
        tor = self._tor(source, "source")
        return Tree(self, tor, *self._project.tree(tor))

    def relay_sets(self, progress: Progress = None) -> RelaySets:
        """The relays of all sources.

        Parameters
        ----------
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is told (done, of).

        Raises
        ------
        DesignError
            When they are more than 2^28.
        Interrupted
            On Ctrl-C.
        """
        with watching(progress, "Routing") as tell:
            return RelaySets(*self._project.relay_sets(tell))

    def rules(self, tor: _inputs.ToR) -> npt.NDArray[np.uint32]:
        """The sources that a ToR relays, ascending, its own number among them (uint32)."""
        report = parse(self._project.rules(self._tor(tor, "tor")))
        return np.array(report["sources"], dtype=np.uint32)

    def parallel(self, sources: Iterable[_inputs.ToR] | None = None) -> Parallel:
        """Edge-disjoint trees for sources that send at line rate at once (section III-D).

        Parameters
        ----------
        sources : iterable of int or str, optional
            The sources; without them as many as can, and why no more.
        """
        if sources is None:
            return Parallel(parse(self._project.parallel(None)))
        if isinstance(sources, str):
            listed = _inputs.text("sources", sources)
            tors = self._project.tors_listed(listed, "sources")
        elif not isinstance(sources, Iterable):
            raise _inputs.wrong_type("sources", sources, "ToRs")
        else:
            tors = [self._tor(source, "sources") for source in sources]
        return Parallel(parse(self._project.parallel(tors)))

    def info(self, progress: Progress = None) -> Info:
        """Sizes, hops, loads, parallel sources and parts, with the other family beside them."""
        with watching(progress, "Measuring") as tell:
            return Info(parse(self._project.info(tell)))

    def impact(self, failed: _inputs.Failed) -> Impact:
        """Who is cut off by failures before anything is repaired.

        Parameters
        ----------
        failed : str or iterable of str or int
            Failures such as ``"relay:8"`` or ``"branch:3->7"`` (``tx``, ``splitter``, ``rx``,
            ``tor`` and ``cassette`` too), in a list or separated by commas. A number stands for
            ``relay`` of that ToR, whose transmitter is dead: it neither relays nor sends, and still
            receives. What its own servers send goes through a stand-in after a recovery
            (:attr:`Recovery.via`). A ToR may say which it is: ``"relay:tor:12"``,
            ``"relay:rack:12"``.
        """
        return Impact(parse(self._project.impact(_inputs.failed_text(failed))))

    def recover(
        self,
        failed: _inputs.Failed,
        method: str | None = None,
        objective: str | None = None,
        throughput: bool = False,
    ) -> Recovery:
        """The rules to change, and in which order, to bring back what light can still reach.

        Parameters
        ----------
        failed : str or iterable of str or int
            As of :meth:`impact`.
        method : {"replan", "algorithm2"}, optional
            Exact, or the paper's (section IV).
        objective : {"fewest-changes", "fewest-hops"}, optional
            What replan keeps small.
        throughput : bool, optional
            Whether to measure what the recovery costs (Fig. 7c).

        Raises
        ------
        DesignError
            When a failure or the method does not apply.
        InfeasibleError
            When a state of the rollout is not safe.
        """
        asked = (
            _inputs.failed_text(failed),
            _inputs.optional_text("method", method),
            _inputs.optional_text("objective", objective),
        )
        return Recovery(self, asked, parse(self._project.recover(*asked, bool(throughput))))

    def risk(self, progress: Progress = None) -> Risk:
        """Parts that fail together, ranked by whom their loss cuts off, and pairs of relays."""
        with watching(progress, "Breaking") as tell:
            return Risk(parse(self._project.risk(tell)))

    def repairs(
        self, out: PathText, objective: str | None = None, progress: Progress = None
    ) -> Repairs:
        """Writes the repair of every single failure to a folder, in advance."""
        folder = _inputs.path("out", out)
        goal = _inputs.optional_text("objective", objective)
        with watching(progress, "Repairing") as tell:
            return Repairs(parse(self._project.repairs(folder, goal, tell)))

    def budget(
        self, case: str | None = None, threads: int | None = None, progress: Progress = None
    ) -> Budget:
        """Loss, received power and margin of every branch, the worst first.

        Parameters
        ----------
        case : {"worst", "typical", "monte-carlo"}, optional
            Which values are taken.
        threads : int, optional
            Threads of a Monte Carlo budget; the answer does not depend on them.
        """
        asked = _inputs.optional_text("case", case)
        hands = _inputs.optional_number("threads", threads)
        if hands == 0:
            raise DesignError("threads: found 0; expected 1 or more", field="threads")
        with watching(progress, "Drawing") as tell:
            return Budget(self, parse(self._project.budget(asked, hands, tell)))

    def compare(self, core_ports: int | None = None) -> Comparison:
        """Parts, power and cost beside IP multicast and a peer-to-peer chain (section V-B).

        Parameters
        ----------
        core_ports : int, optional
            Ports of each switch of the packet core; 32 where nothing is said.
        """
        ports = _inputs.optional_number("core_ports", core_ports)
        return Comparison(parse(self._project.compare(ports)))

    def plan(self, out: PathText, progress: Progress = None) -> Plan:
        """Plans every fibre, port and rule, proves the plan, and writes it to a folder.

        Parameters
        ----------
        out : path
            The folder; a plan in it is replaced in one step.

        Raises
        ------
        DesignError
            When the folder cannot be written or the design is too large.
        InfeasibleError
            When the plan does not hold; it is not written.
        Interrupted
            On Ctrl-C; nothing was written.
        """
        folder = _inputs.path("out", out)
        with watching(progress, "Planning and proving") as tell:
            report = parse(self._project.plan(folder, None, None, None, tell))
        return Plan(folder, report, self)

    def svg(self, tree: Tree | _inputs.ToR | None = None, failed: _inputs.Failed = ()) -> str:
        """The fabric as a picture, with a tree or failures drawn in.

        Without a tree the ToRs stand around a circle, by the cassette that feeds each; a tree has
        its source in the middle and a ring for every hop. Above 1,024 ToRs it is a summary. The
        same fabric gives the same text.

        Parameters
        ----------
        tree : Tree, int or str, optional
            A tree, or the source of one.
        failed : str or iterable of str or int, optional
            As of :meth:`impact`; with a tree, who is cut off is drawn too.

        Returns
        -------
        str
            SVG.

        Raises
        ------
        DesignError
            When a ToR or a failure is not of this fabric, or a tree with failures is of one of
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
