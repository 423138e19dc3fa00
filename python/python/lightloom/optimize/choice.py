"""Choices of fabrics for several pods at once, now and after they have grown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lightloom import _choices, _inputs
from lightloom._extras import Progress, watching
from lightloom._frames import of_rows
from lightloom._report import Report, count
from lightloom._settings import OtherSettings
from lightloom.errors import DesignError
from lightloom.fabric import Fabric
from lightloom.optimize import _solver
from lightloom.optimize._candidates import PARTS, candidates_of, settings_of
from lightloom.optimize._choosing import (
    Choice,
    Pod,
    cents,
    each_at_most,
    few_transceivers,
    have_same,
    margin,
    solve,
    sum_at_most,
)
from lightloom.optimize._solver import Rule

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

__all__ = ["Choice", "Chosen", "Pod", "choose"]

# Settings that are chosen, and the keywords that say among which.
_CHOSEN = {
    "family": "families",
    "p": "splitters",
    "k": "pods",
    "tors": "pods",
    "housing": "housings",
    "cabling": "cablings",
    "transceiver": "transceivers",
}
_GOALS = ("cost", "moved", "hops", "fibre")
_COLUMNS = {
    "pod": "text",
    "tors": "whole",
    "tors_later": "whole?",
    "family": "text",
    "p": "whole",
    "housing": "text",
    "cabling": "text",
    "transceiver": "text",
    "cost": "real",
    "cost_later": "real",
    "moved_cords": "whole",
    "margin_db": "real",
    "ports_per_tor": "whole",
    "max_hops": "whole",
    "fibre_m": "real",
}


class Chosen(Report):
    """The chosen fabrics, and what they come to together."""

    def __init__(
        self,
        pods: tuple[Pod, ...],
        choices: tuple[Choice, ...],
        report: dict[str, Any],
        given: dict[str, Any],
    ) -> None:
        super().__init__(report)
        self._pods, self._given = pods, given
        self.choices: tuple[Choice, ...] = choices
        """The choice of each pod, in the order of the pods."""

    @property
    def cost(self) -> float:
        """The cost of all pods at first."""
        return float(self.report["cost"])

    @property
    def cost_later(self) -> float:
        """The cost of all pods at their later sizes."""
        return float(self.report["cost_later"])

    @property
    def moved_cords(self) -> int:
        """The cords that move when all pods grow."""
        return int(self.report["moved_cords"])

    @property
    def proved(self) -> bool:
        """Whether no choice within the limits is better, goal after goal."""
        return bool(self.report["proved"])

    @property
    def missing(self) -> str:
        """What a solver without enough time lacks; an empty text if the choice is proved."""
        return "" if self.proved else "the proof that no choice is better"

    def fabrics(self) -> dict[str, Fabric]:
        """The fabric of each pod at first, by its name.

        Raises
        ------
        DesignError
            If a fabric cannot be opened.

        Examples
        --------
        >>> from lightloom.optimize import Pod, choose
        >>> choose([Pod("a", 12)], splitters=[2]).fabrics()["a"].tors
        12
        """
        return {
            pod.name: self._fabric(pod, choice)
            for pod, choice in zip(self._pods, self.choices, strict=True)
        }

    def _fabric(self, pod: Pod, choice: Choice) -> Fabric:
        given = {**self._given, **settings_of(choice)}
        return Fabric(**given, tors=pod.tors, transceiver=choice.transceiver)

    def table(self) -> pd.DataFrame:
        """A row for each pod; costs in the currency of the catalogue.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom.optimize import Pod, choose
        >>> len(choose([Pod("a", 12)], splitters=[2]).table())
        1
        """
        rows = [
            {
                "pod": pod.name,
                "tors": pod.tors,
                "tors_later": pod.tors_later,
                **{key: getattr(choice, key) for key in PARTS},
                "cost": choice.cost,
                "cost_later": choice.cost_later,
                "moved_cords": choice.moved_cords,
                "margin_db": choice.margin_db,
                **{key: choice.first[key] for key in ("ports_per_tor", "max_hops", "fibre_m")},
            }
            for pod, choice in zip(self._pods, self.choices, strict=True)
        ]
        return of_rows(rows, _COLUMNS, "Chosen.table()")

    def __reduce__(self) -> tuple[object, ...]:
        return (Chosen, (self._pods, self.choices, self.report, self._given))

    def __repr__(self) -> str:
        word = "proved" if self.proved else "not proved"
        return (
            f"<Chosen for {count(len(self.choices), 'pod')}: {self.cost:,.2f} "
            f"{self.report['currency']}, {count(self.moved_cords, 'cord')} moved, {word}>"
        )


def choose(
    pods: Iterable[Pod],
    *,
    families: Iterable[_choices.Family] = ("shufflecast", "kautz"),
    splitters: Iterable[int] = (2, 4, 8),
    transceivers: Iterable[str] = (),
    housings: Iterable[_choices.Housing] = ("sender", "receiver", "zone"),
    cablings: Iterable[_choices.Cabling] = ("point-to-point", "trunked"),
    same: Iterable[str] = (),
    most_transceivers: int | None = None,
    ports_per_tor: int | None = None,
    least_margin_db: float | None = None,
    most_cost: float | None = None,
    most_cost_later: float | None = None,
    most_moved: int | None = None,
    minimise: Sequence[str] = ("cost", "moved"),
    time_s: float = 30.0,
    workers: int | None = None,
    progress: Progress = None,
    **settings: Unpack[OtherSettings],
) -> Chosen:
    """Chooses family, splitter, optics and housing for several pods at once.

    The candidates of a pod are the designs that :func:`lightloom.explore` finds for its size. With
    a later size they are those that are a design of that size too, and whose plan grows to it.

    Parameters
    ----------
    pods : iterable of Pod
        The pods.
    families, splitters, housings, cablings : iterable, optional
        The families, outputs of splitters, housings and cablings that may be chosen.
    transceivers : iterable of str, optional
        The transceivers that may be chosen; by default all of the catalogue.
    same : iterable of {"family", "p", "housing", "cabling", "transceiver"}, optional
        What all pods must have in common.
    most_transceivers : int, optional
        The most kinds of transceivers over all pods.
    ports_per_tor : int, optional
        The most switch ports that a ToR may give.
    least_margin_db : float, optional
        The least margin of any branch, in dB, at both sizes.
    most_cost, most_cost_later : float, optional
        The most money for all pods at first, and for their later sizes.
    most_moved : int, optional
        The most cords that move when the pods grow.
    minimise : sequence of {"cost", "moved", "hops", "fibre"}, optional
        What is least, the first one first: the cost of later sizes, moved cords, the hops of the
        worst pod, metres of fibre.
    time_s : float, optional
        Most seconds for the solver, for each goal.
    workers : int, optional
        Threads of the solver; by default one per core.
    progress : bool or callable, optional
        ``True`` shows a tqdm bar; a callable is called with (done, of), in pods.
    **settings
        Other settings of all pods as of :class:`lightloom.Fabric`, such as ``catalogue``.

    Returns
    -------
    Chosen
        The choices.

    Raises
    ------
    InfeasibleError
        If no choice keeps all limits. The message names a smallest set of limits that conflict.
    DesignError
        If an option is wrong.
    ImportError
        If OR-Tools is missing: ``pip install lightloom[optimize]``.
    Interrupted
        On Ctrl-C. Its ``result`` has the best choice so far.

    Examples
    --------
    >>> found = choose([Pod("a", 12), Pod("b", 18)], splitters=[2], same=["transceiver"])
    >>> found.proved, len({choice.transceiver for choice in found.choices})
    (True, 1)
    """
    asked = _solver.effort(time_s, workers, 0)
    listed = _checked(pods)
    goals = _words("minimise", minimise, _GOALS)
    shared = _words("same", same, PARTS)
    wanted: dict[str, list[Any]] = {
        "family": _inputs.texts("families", families),
        "p": [_inputs.number("splitters", each) for each in splitters],
        "housing": _inputs.texts("housings", housings),
        "cabling": _inputs.texts("cablings", cablings),
        "transceiver": _inputs.texts("transceivers", transceivers),
    }
    given: dict[str, Any] = dict(settings)
    for name, plural in _CHOSEN.items():
        if given.get(name) is not None:
            message = f"{name}: is chosen; say {plural} in its place"
            raise DesignError(message, field=name)
    candidates = []
    with watching(progress, "Choosing") as update:
        for at, pod in enumerate(listed):
            candidates.append(candidates_of(pod, wanted, given))
            if update is not None:
                update(at + 1, len(listed))
    rules = [Rule(f"same: {key}", partial(have_same, key)) for key in shared]
    limits: list[tuple[str, float | None, Callable[..., None]]] = [
        ("most_transceivers", most_transceivers, few_transceivers),
        ("ports_per_tor", ports_per_tor, partial(each_at_most, lambda c: c.most("ports_per_tor"))),
        ("least_margin_db", least_margin_db, margin),
        ("most_cost", most_cost, partial(sum_at_most, lambda c: cents(c.cost), 100)),
        (
            "most_cost_later",
            most_cost_later,
            partial(sum_at_most, lambda c: cents(c.cost_later), 100),
        ),
        ("most_moved", most_moved, partial(sum_at_most, lambda c: c.moved_cords, 1)),
    ]
    for name, limit, add in limits:
        if limit is not None:
            bound = _real(name, limit)
            rules.append(Rule(f"{name} = {limit}", partial(add, limit=bound)))

    def answer(picked: tuple[Choice, ...], proved: bool) -> Chosen:
        return _chosen((listed, picked, given), candidates, goals, proved)

    return answer(*solve(candidates, rules, goals, asked, answer))


def _checked(pods: Iterable[Pod]) -> tuple[Pod, ...]:
    if isinstance(pods, (str, Mapping)) or not isinstance(pods, Iterable):
        raise _inputs.wrong_type("pods", pods, "a list of Pod")
    listed = tuple(pods)
    names: set[str] = set()
    for at, pod in enumerate(listed):
        if not isinstance(pod, Pod):
            raise _inputs.wrong_type(f"pods[{at}]", pod, "a Pod")
        if _inputs.text(f"pods[{at}].name", pod.name) in names:
            message = f"pods[{at}].name: found {pod.name!r} twice"
            raise DesignError(message, field=f"pods[{at}].name")
        names.add(pod.name)
        now = _inputs.number(f"pods[{at}].tors", pod.tors)
        later = _inputs.optional_number(f"pods[{at}].tors_later", pod.tors_later)
        if later is not None and later <= now:
            message = f"pods[{at}].tors_later: found {later}; expected more than {now}"
            raise DesignError(message, field=f"pods[{at}].tors_later")
    if not listed:
        raise DesignError("pods: there are none", field="pods")
    return listed


def _words(field: str, words: object, known: Sequence[str]) -> list[str]:
    found = _inputs.texts(field, words)
    for word in found:
        if word not in known:
            message = f"{field}: found {word!r}; expected {', '.join(known)}"
            raise DesignError(message, field=field)
    return found


def _real(field: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _inputs.wrong_type(field, value, "a number")
    return float(value)


def _chosen(
    of: tuple[tuple[Pod, ...], tuple[Choice, ...], dict[str, Any]],
    candidates: Sequence[Sequence[Choice]],
    goals: Sequence[str],
    proved: bool,
) -> Chosen:
    pods, picked, given = of
    report = {
        "pods": [choice._asdict() for choice in picked],
        "currency": picked[0].first["cost"].split()[-1],
        "cost": sum(cents(choice.cost) for choice in picked) / 100,
        "cost_later": sum(cents(choice.cost_later) for choice in picked) / 100,
        "moved_cords": sum(choice.moved_cords for choice in picked),
        "candidates": [len(each) for each in candidates],
        "goals": list(goals),
        "proved": proved,
    }
    return Chosen(pods, picked, report, given)
