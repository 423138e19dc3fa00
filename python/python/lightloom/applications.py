r"""Traces of applications: what each rank sends, receives and computes.

A trace is a file in the text form of GOAL, the files of MLCommons Chakra, or a scenario, whose
messages and computations are one.

>>> import pathlib, tempfile
>>> place = pathlib.Path(tempfile.mkdtemp())
>>> text = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n"
>>> _ = (place / "app.goal").write_text(text)
>>> application_trace(place / "app.goal")["messages"]
1
"""

from __future__ import annotations

import os
from typing import Any

from lightloom import _lightloom
from lightloom._report import parse

__all__ = ["application_trace"]


def application_trace(
    path: str | os.PathLike[str],
    *,
    latency: str | None = None,
    rate: str | None = None,
    process_groups: str | os.PathLike[str] | None = None,
    speed: str | None = None,
    goal: str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    r"""What a trace of an application has: ranks, messages, computations and its longest path.

    Parameters
    ----------
    path : path
        A trace in the text form of GOAL, the file of rank 0 of Chakra (``NAME.0.et``), or a
        scenario.
    latency, rate : str, optional
        Time of each message, such as ``"1 us"``, and rate of its bytes, such as ``"100 Gb/s"``: for
        the longest path over a network, ``over_network``.
    process_groups : path, optional
        A JSON file with the process groups of a trace of Chakra. By default the trace names them.
    speed : str, optional
        Speed of each rank, such as ``"312 Top/s"``, for computations of Chakra that have operations
        and no duration.
    goal : path, optional
        A file that the trace is written to. Its name ends in ``.goal``.

    Returns
    -------
    dict
        The fields of ``lightloom trace --json``.

    Raises
    ------
    SimulationError
        If the file is no trace, a message has no receive, or operations wait for themselves.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> place = pathlib.Path(tempfile.mkdtemp()) / "one.goal"
    >>> _ = place.write_text("num_ranks 1\nrank 0 {\ncalc 1500\n}\n")
    >>> application_trace(place)["computing_ps"]
    1500000
    """
    to = None if goal is None else os.fspath(goal)
    groups = None if process_groups is None else os.fspath(process_groups)
    given = (os.fspath(path), latency, rate, groups, speed, to)
    return parse(_lightloom.application_trace(*given))
