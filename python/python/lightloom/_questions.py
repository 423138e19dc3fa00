"""Questions about a fabric."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lightloom import _choices, _inputs, _networkx
from lightloom._collectives import CollectiveQuestions
from lightloom._extras import Progress, watching
from lightloom._lightloom import trace_light
from lightloom._pictures.fabric import fabric_svg
from lightloom._settings import PathText
from lightloom._stops import answer_of, report_of
from lightloom.answers import Info, Repairs, Risk
from lightloom.configs import Configs, configs_of
from lightloom.failures import Impact
from lightloom.light import Comparison, Spec, Trace
from lightloom.many import IMPACTS, Impacts
from lightloom.table import Table
from lightloom.tree import Tree, tree_of

if TYPE_CHECKING:
    import networkx as nx


class Questions(CollectiveQuestions):
    """The questions about a fabric whose answers lead back to no fabric and no plan."""

    def info(self, progress: Progress = None) -> Info:
        """Sizes, hops, loads, parallel sources and parts, also for the other family.

        Raises
        ------
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.info().max_hops
        3
        """
        with watching(progress, "Measuring") as update:
            return report_of(lambda: self._project.info(update), Info, "the facts")

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

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.impact("relay:3").failed
        ['relay:3']
        """
        text = _inputs.failed_text(failed)
        return report_of(lambda: self._project.impact(text), Impact, "the impact")

    def impact_many(self, failed: Iterable[_inputs.Failed], progress: Progress = None) -> Impacts:
        """The ToRs that many failure sets cut off before a repair, each set alone.

        The numbers are those of :meth:`impact`, from one index for all sets.

        Parameters
        ----------
        failed : iterable of failure sets
            Each as :meth:`impact` takes it: a text, a ToR's number, or a list of them.
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of).

        Returns
        -------
        Impacts
            The losses by set and source; pairs are made when they are asked for.

        Raises
        ------
        DesignError
            If a failure does not apply, with the number of its set, or if the answer needs more
            memory than the design may take.
        Interrupted
            On Ctrl-C. Its ``result`` has the sets that are done.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> impacts = fabric.impact_many(fabric.single_failures())
        >>> len(impacts), impacts.lost.shape
        (36, (36, 8))
        >>> impacts[0] == fabric.impact("relay:0")
        True
        """
        sets = _inputs.failure_sets(failed)
        with watching(progress, "Breaking") as update:
            return answer_of(
                lambda: self._project.impacts(sets, update),
                lambda raw: Impacts(self, *raw[:3], Table(raw[3], IMPACTS)),
                "the impacts",
            )

    def single_failures(self) -> list[str]:
        """Every single failure: of each relay, branch, ToR and cassette, in this order.

        A failed transmitter or splitter has the effect of its relay, and a failed receiver that of
        its branch.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> Fabric(p=2, k=2).single_failures()[7:9]
        ['relay:7', 'branch:0->4']
        """
        return self._project.single_failures()

    def risk(self, progress: Progress = None, *, rates: PathText | None = None) -> Risk:
        """Groups of parts that fail together, worst first, and relay pairs that cut off a ToR.

        ``rates`` is a file of failure rates and repair times by kind of part. With it,
        :meth:`Risk.kinds` counts outages a year.

        Raises
        ------
        DesignError
            If an argument is wrong, or the file of rates.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.risk().cutting_pairs
        12
        """
        file = None if rates is None else _inputs.path("rates", rates)
        with watching(progress, "Breaking") as update:
            return report_of(lambda: self._project.risk(file, update), Risk, "the groups")

    def repairs(
        self, out: PathText, objective: _choices.Objective | None = None, progress: Progress = None
    ) -> Repairs:
        """Writes the repair of every single failure to a folder, in advance.

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     repairs = fabric.repairs(folder + "/repairs")
        >>> type(repairs).__name__
        'Repairs'
        """
        folder = _inputs.path("out", out)
        goal = _inputs.optional_text("objective", objective)
        with watching(progress, "Repairing") as update:
            return report_of(
                lambda: self._project.repairs(folder, goal, update),
                Repairs,
                "the repairs; nothing was written",
            )

    def trace(
        self,
        fibre: str,
        case: _choices.Case | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Trace:
        """The optical path of single branches, hop by hop, with places, cables, labels and losses.

        Parameters
        ----------
        fibre : str
            A branch by its ToRs (``"3->7"``), a port of a ToR (``"R1.05/3"``: what it receives and
            what it sends), or a label of the plan's sheets (``"F3"``, ``"B3.1"``).
        case : {"worst", "typical", "monte-carlo", "best"}, optional
            The case of the component values.
        threads : int, optional
            Threads of a Monte Carlo budget; the result does not depend on them.

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2, transceiver="10gbase-er")
        >>> len(fabric.trace("0->4").hops()) > 0
        True
        """
        named = _inputs.text("fibre", fibre)
        wanted = _inputs.case_and_threads(case, threads)
        with watching(progress, "Drawing") as update:
            return report_of(
                lambda: trace_light(self._project, named, *wanted, update),
                Trace,
                "the ways of light",
            )

    def spec(self) -> Spec:
        """The requirements for transceivers and splitters under which every branch passes.

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> type(fabric.spec()).__name__
        'Spec'
        """
        return report_of(self._project.spec, Spec, "the demands")

    def compare(
        self,
        core_ports: int | None = None,
        *,
        circuit_switches: int | None = None,
        circuit_port: str | None = None,
    ) -> Comparison:
        """Parts, power and cost beside IP multicast and a peer-to-peer chain.

        Parameters
        ----------
        core_ports : int, optional
            Ports of each switch of the packet core (default: 32).
        circuit_switches : int, optional
            Optical circuit switches of a core for unicast, which is counted too.
        circuit_port : str, optional
            The catalogue's ``circuit_port`` row for their ports (default: the only one).

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> type(fabric.compare()).__name__
        'Comparison'
        """
        options = (
            _inputs.optional_number("core_ports", core_ports),
            _inputs.optional_number("circuit_switches", circuit_switches),
            _inputs.optional_text("circuit_port", circuit_port),
        )
        return report_of(lambda: self._project.compare(options), Comparison, "the comparison")

    def configs(
        self,
        dialect: _choices.Dialect = "openflow",
        out: PathText | None = None,
        *,
        encoding: _choices.Encoding | None = None,
        groups: PathText | None = None,
    ) -> Configs:
        """The configuration of every switch: see :meth:`Plan.configs`.

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.configs("openflow").texts) > 8
        True
        """
        return configs_of(self._project, dialect, out, encoding, groups)

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

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.svg(tree=0).startswith("<svg")
        True
        """
        return fabric_svg(self, tree_of(self, tree), failed)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """The fabric as a graph of ToRs: see :func:`lightloom.graphs.to_networkx`.

        Raises
        ------
        ImportError
            If NetworkX is missing: ``pip install lightloom[networkx]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.to_networkx().number_of_nodes() >= 8
        True
        """
        return _networkx.to_networkx(self)

    def cassette_graph(self) -> nx.MultiDiGraph[int]:
        """The fabric as a graph of cassettes: see :func:`lightloom.graphs.cassette_graph`.

        Raises
        ------
        ImportError
            If NetworkX is missing: ``pip install lightloom[networkx]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.cassette_graph().number_of_nodes()
        4
        """
        return _networkx.cassette_graph(self)
