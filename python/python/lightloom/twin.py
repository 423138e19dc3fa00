"""Scenarios of the packet twin, and their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lightloom import _choices, _given, _inputs, networks
from lightloom._extras import Progress, watching
from lightloom._lightloom import look_at_scenario, run_scenario
from lightloom._opened import Opened
from lightloom._report import count, parse
from lightloom._scenario import ScenarioQuestions
from lightloom._settings import PathText
from lightloom._stops import answer_of
from lightloom.errors import SimulationError
from lightloom.replicas import Replicas, replicas_of
from lightloom.runs import Result

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Result", "Scenario"]

_IN_MEMORY = "<scenario>"
_FABRIC = "<fabric>"
_MOST_REPLICAS = 10_000
_LIGHTS = ("off", "typical", "worst", "draw")


class Scenario(ScenarioQuestions):
    """A scenario for the twin: a network, its traffic and its faults.

    Parameters
    ----------
    scenario : str or mapping
        The text of a scenario file (TOML), or its content as a mapping.
    network : networkx.Graph or Fabric, optional
        A fabric, in place of ``kind`` and ``file`` of a network of kind ``"design"``; the other
        fields of ``network`` are those of the scenario. Or an electrical network that replaces
        ``[network]``: nodes have ``kind`` (``"host"`` or ``"switch"``; default: a node with one
        link is a host), and edges have ``rate_bps`` and ``delay_s`` or ``length_m``. Parallel edges
        of a multigraph are parallel links. A directed graph has both directions of each link, with
        the same values.

    Raises
    ------
    SimulationError
        If the scenario or the network is wrong, with its line and field; if two nodes would have
        one name, such as ``1`` and ``"1"``; or if the directions of a link differ.

    Examples
    --------
    >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
    >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
    >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
    >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
    >>> Scenario(said).run().end
    'done'
    """

    def __init__(
        self,
        scenario: str | Mapping[str, Any],
        network: nx.Graph[Any] | Opened | None = None,
    ) -> None:
        if not isinstance(scenario, (str, Mapping)):
            raise SimulationError(
                f"found {type(scenario).__name__}; expected the text of a scenario, or a mapping"
            )
        files: dict[str, str] = {}
        given: dict[str, Any] = {}
        section: dict[str, str] = {}
        if isinstance(network, Opened):
            scenario, section = _over_fabric(scenario)
            files[_FABRIC] = network.document()
        elif network is not None:
            if isinstance(scenario, Mapping) and "network" in scenario:
                raise networks.refuse("is given together with [network]; give one of the two")
            given, section = networks.sheets_of(network)
        if isinstance(scenario, str):
            files[_IN_MEMORY] = _encodable(scenario + _written(section))
        else:
            said = _given.plain(scenario, _IN_MEMORY)
            if section:
                said = said | {"network": {**said.get("network", {}), **section}}
            given[_IN_MEMORY] = said
        self._read(_IN_MEMORY, files, given)

    @classmethod
    def open(cls, path: PathText) -> Scenario:
        r"""Opens the scenario of a file.

        Raises
        ------
        SimulationError
            If the file is wrong.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from lightloom import Scenario
        >>> network = 'kind = "leaf-spine"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n'
        >>> network += 'rate = "100 Gb/s"\nlength = "10 m"\n'
        >>> flow = '[[flow]]\nfrom = 0\nto = 3\nsize = "1 kB"\n'
        >>> text = f'version = 1\nuntil = "1 ms"\n[network]\n{network}{flow}'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "run.toml"
        ...     size = file.write_text(text)
        ...     scenario = Scenario.open(file)
        >>> scenario.hosts
        4
        """
        scenario = cls.__new__(cls)
        scenario._read(_inputs.path("path", path), {}, {})
        return scenario

    def _read(self, path: str, files: dict[str, str], given: dict[str, Any]) -> None:
        report, kept = look_at_scenario(path, files, given)
        self._path, self._files = path, {str(name): text for name, text in kept.items()}
        self._given = given
        self._report = parse(report)

    @property
    def report(self) -> dict[str, Any]:
        """Facts of the scenario: seed, until_ps, network, flows, bytes, warnings."""
        return self._report

    @property
    def hosts(self) -> int:
        """Hosts of the network."""
        return int(self._report["network"]["hosts"])

    @property
    def switches(self) -> int:
        """Switches of the network."""
        return int(self._report["network"]["switches"])

    @property
    def flows(self) -> int:
        """Flows of the traffic."""
        return int(self._report["flows"])

    @property
    def until_s(self) -> float:
        """The end of the run, in seconds."""
        return float(self._report["until_ps"] / 1e12)

    @property
    def warnings(self) -> list[str]:
        """Warnings about unusual values."""
        return list(self._report["warnings"])

    def run(
        self,
        threads: int = 1,
        seed: int | None = None,
        seeds: int | None = None,
        light: _choices.Light | None = None,
        out: PathText | None = None,
        trace: PathText | None = None,
        timeline: PathText | None = None,
        pcap: Mapping[PathText, str] | None = None,
        check: bool = False,
        alone: bool = False,
        memory: str | None = None,
        progress: Progress = None,
    ) -> Result:
        """Runs the scenario.

        Parameters
        ----------
        threads : int, optional
            Number of threads; at most one per core is used. Results do not depend on it. With
            ``seeds``, the number of runs at a time.
        seed : int, optional
            A seed that replaces the scenario's seed.
        seeds : int, optional
            Number of runs, with consecutive seeds from the scenario's seed: the same traffic, with
            other losses, marks and paths.
        light : {"off", "typical", "worst", "draw"}, optional
            The values of optical parts that decide what the branches of splitters lose. They
            replace the scenario's ``light``.
        out : path, optional
            A folder for results. They are written in one step at the end.
        trace : path, optional
            A file with one line per arrival.
        timeline : path, optional
            A file with the times of all messages: events for Perfetto in a ``.json`` file, a
            space-time diagram in an ``.svg`` file.
        pcap : mapping of path to text, optional
            pcapng files, each with a link whose packets it gets with all their bytes:
            ``{"up.pcapng": "host 0>leaf 0"}``. ``A>B`` is what node A sends to node B, ``A<>B``
            what goes both ways.
        check : bool, optional
            Whether to hold every acknowledgement of reliable groups, at every switch, against what
            its receivers had by then. It takes memory with packets times receivers.
        alone : bool, optional
            Whether to run each job of collective operations again without all other messages.
            ``jobs`` of the result then has both times.
        memory : str, optional
            Most memory that the run may take, such as ``"8 GB"``; by default what the machine has
            left. It is estimated before the run begins, and more is refused.
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of), in picoseconds.

        Raises
        ------
        SimulationError
            If a value is out of range, or if the twin does not account for every packet, or if
            ``check`` finds an acknowledgement that covers what a receiver lacks.
        Interrupted
            On Ctrl-C. Its ``result`` is the simulation so far; ``result.missing`` says what it
            lacks. Nothing is written to ``out``; ``stopped.result.save(out)`` writes it.

        Examples
        --------
        >>> from lightloom import samples
        >>> samples.scenario().run().finished
        True
        """
        options = self._options(threads, light, check, memory)
        options |= {
            "seed": _inputs.optional_number("seed", seed, 2**64 - 1),
            "seeds": _inputs.optional_number("seeds", seeds, 2**32 - 1),
            "out": _inputs.optional_path("out", out),
            "trace": _inputs.optional_path("trace", trace),
            "timeline": _inputs.optional_path("timeline", timeline),
            "pcap": _inputs.captures("pcap", pcap),
            "alone": _inputs.flag("alone", alone),
        }
        with watching(progress, "Simulating") as update:
            return self._run(options, update)

    @staticmethod
    def _options(threads: int, light: Any, check: bool, memory: str | None) -> dict[str, Any]:
        """What every run may be told, and nothing else that is written or replaced."""
        if light is not None and _inputs.text("light", light) not in _LIGHTS:
            words = ", ".join(_LIGHTS)
            raise SimulationError(f"found {light!r}; expected one of {words}", field="light")
        return {
            "light": light,
            "threads": _inputs.number("threads", threads),
            "seed": None,
            "seeds": None,
            "replica": None,
            "out": None,
            "trace": None,
            "timeline": None,
            "pcap": [],
            "check": _inputs.flag("check", check),
            "alone": False,
            "memory": _inputs.optional_text("memory", memory),
        }

    def _run(self, options: dict[str, Any], update: Callable[[int, int], object] | None) -> Result:
        return answer_of(
            lambda: run_scenario(self._path, self._files, options, update, self._given),
            lambda raw: Result(parse(raw[0]), raw[1]),
            "the whole simulation",
        )

    def replicas(
        self,
        seeds: int,
        traffic: _choices.Traffic = "kept",
        *,
        threads: int = 1,
        seed: int | None = None,
        light: _choices.Light | None = None,
        check: bool = False,
        memory: str | None = None,
        progress: Progress = None,
    ) -> Replicas:
        """Runs the scenario with several seeds, and keeps flows, links and groups of every run.

        ``run(seeds=...)`` keeps the figures of each run alone, and takes less memory.

        Parameters
        ----------
        seeds : int
            Number of runs, with consecutive seeds from the scenario's seed.
        traffic : {"kept", "drawn"}, optional
            The same traffic in all runs, with other losses, marks and paths; or traffic and groups
            drawn anew from each seed.
        threads : int, optional
            Number of runs at a time, each on one thread. Results do not depend on it.
        seed : int, optional
            A seed that replaces the scenario's seed.
        light, check : optional
            As :meth:`run` takes them.
        memory : str, optional
            Most memory that each run may take, such as ``"2 GB"``.
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of), in picoseconds.

        Returns
        -------
        Replicas
            The result of each run, and their tables in one.

        Raises
        ------
        SimulationError
            If a value is out of range, or if a run fails as :meth:`run` does.
        Interrupted
            On Ctrl-C. Its ``result`` has the runs so far.

        Examples
        --------
        >>> from lightloom import samples
        >>> found = samples.scenario().replicas(3)
        >>> len(found), len(found.flows()), found.finished
        (3, 3, True)
        """
        runs = _inputs.number("seeds", seeds, _MOST_REPLICAS)
        if runs == 0:
            raise SimulationError("seeds: found 0; expected 1 or more", field="seeds")
        if _inputs.text("traffic", traffic) not in ("kept", "drawn"):
            message = f"found {traffic!r}; expected kept or drawn"
            raise SimulationError(message, field="traffic")
        at_once = _inputs.number("threads", threads, 512)
        if at_once == 0:
            raise SimulationError("threads: found 0; expected 1 or more", field="threads")
        first = self._report["seed"] if seed is None else _inputs.number("seed", seed, 2**64 - 1)
        of_runs = [(first + number) % 2**64 for number in range(runs)]
        options = self._options(threads=1, light=light, check=check, memory=memory)

        def run(number: int, hear: Callable[[int, int], object]) -> Result:
            own = {"seed": of_runs[number]} if traffic == "drawn" else {"replica": number}
            asked = {**options, "seed": first, **own}
            return self._run(asked, hear)

        with watching(progress, "Simulating") as update:
            return replicas_of(run, of_runs, min(at_once, runs), update)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scenario):
            return NotImplemented
        return (self._path, self._files, self._given) == (other._path, other._files, other._given)

    def __hash__(self) -> int:
        return hash((self._path, self._files.get(self._path), self.flows, self.until_s))

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (type(self), self._path, self._files, self._given))

    def __repr__(self) -> str:
        kind = self._report["network"]["kind"]
        return (
            f"<Scenario {self._path!r}: {kind} of {count(self.hosts, 'host')} and "
            f"{self.switches:,} switches, {count(self.flows, 'flow')}, until {self.until_s:g} s>"
        )


def _over_fabric(
    scenario: str | Mapping[str, Any],
) -> tuple[str | Mapping[str, Any], dict[str, str]]:
    """A scenario over a fabric in memory, and what its network section says of the fabric."""
    section = {"kind": "design", "file": _FABRIC}
    if isinstance(scenario, Mapping):
        said = scenario.get("network", {})
        twice = [key for key in section if isinstance(said, Mapping) and key in said]
        if not isinstance(said, Mapping) or twice:
            what = f"network.{twice[0]}" if twice else "network"
            raise networks.refuse(f"is given together with {what}; give one of the two")
    return scenario, section


def _restore(
    kind: type[Scenario], path: str, files: dict[str, str], given: dict[str, Any]
) -> Scenario:
    scenario = kind.__new__(kind)
    scenario._read(path, dict(files), given)
    return scenario


def _written(section: dict[str, str]) -> str:
    """A section of plain texts to add to the text of a scenario."""
    if not section:
        return ""
    return "\n[network]\n" + "".join(f'{key} = "{value}"\n' for key, value in section.items())


def _encodable(text: str) -> str:
    if not _inputs.is_unicode(text):
        message = f"{_IN_MEMORY}: found text that is not Unicode"
        raise SimulationError(message, file=_IN_MEMORY)
    return text
