"""The question which schedule of a collective operation is fastest on a fabric."""

from __future__ import annotations

from collections.abc import Iterable

from lightloom import _choices, _inputs
from lightloom._extras import Progress, watching
from lightloom._lightloom import fastest_schedules
from lightloom._stops import report_of
from lightloom._trees import TreeQuestions
from lightloom.collectives import Advice, asked


class CollectiveQuestions(TreeQuestions):
    """What a fabric is asked about collective operations, and about its trees."""

    def collective(
        self,
        operation: _choices.Operation,
        *,
        size: str | None = None,
        members: int | Iterable[int] | None = None,
        groups: int | Iterable[int] | None = None,
        schedules: str | Iterable[str] | None = None,
        simulate_up_to: str | None = None,
        order: _choices.MemberOrder | None = None,
        slice: str | None = None,
        shards: int | None = None,
        start: str | None = None,
        hosts_per_tor: int | None = None,
        spines: int | None = None,
        link_rate: str | None = None,
        link_length: str | None = None,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Advice:
        """The fastest schedule of a collective operation, by runs of the twin.

        Parameters
        ----------
        operation : {"broadcast", "allgather", "reduce-scatter", "allreduce", "all-to-all", \
"scatter", "gather", "reduce", "refresh"}
            What the members do.
        size : str, optional
            Sizes and ranges of sizes, such as ``"64 kB..1 GB"`` (default: 64 kB to 16 MB). A range
            doubles.
        members, groups : int or iterable of int, optional
            Numbers of members of a group (default: all hosts), and of groups that do the same at
            once (default: 1).
        schedules : str or iterable of str, optional
            Schedules such as ``"binomial"`` or ``"multicast:light"`` (default: all that can run).
        simulate_up_to : str, optional
            Larger sizes are extended from the two largest ones below (default: 16 MB).
        order : {"listed", "racks", "random"}, optional
            The order of the members in schedules.
        slice : str, optional
            Size of slices at most, for schedules that have them (default: 64 kB; 4 MB for cornet).
        shards : int, optional
            Shards of the weights of a refresh (default: 1). The first member has all weights, and
            the others hold a shard each.
        start : str, optional
            When operations begin (default: 10 ms). Groups register before.
        hosts_per_tor, spines : int, optional
            The hosts of each ToR (default: 1), and the spine switches of the packet core (default:
            as many).
        link_rate, link_length : str, optional
            Rate of all links (default: that of the transceiver, or 100 Gb/s), and their length
            (default: ``fibre_length``, 100 m).
        seed : int, optional
            The seed of orders, marks and path choice.
        threads : int, optional
            Runs at a time (default: one for each core).

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C. Its ``result`` has the runs that are done.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> advice = fabric.collective("broadcast", size="64 kB..1 MB", members=6)
        >>> advice.answer[-1]
        'With 6 members, multicast over light is faster than every other schedule at every size.'
        """
        given = asked(
            operation, size=size, members=members, groups=groups, schedules=schedules,
            simulate_up_to=simulate_up_to, order=order, slice=slice, shards=shards,
            start=start, seed=seed, threads=threads,
        ) | {
            "hosts_per_tor": _inputs.optional_number("hosts_per_tor", hosts_per_tor, 2**32 - 1),
            "spines": _inputs.optional_number("spines", spines, 2**32 - 1),
            "link_rate": _inputs.optional_text("link_rate", link_rate),
            "link_length": _inputs.optional_text("link_length", link_length),
        }  # fmt: skip
        with watching(progress, "Simulating") as update:
            return report_of(
                lambda: fastest_schedules(self._project, given, update), Advice, "all runs"
            )
