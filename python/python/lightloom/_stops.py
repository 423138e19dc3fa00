"""Calls that Ctrl-C stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lightloom._report import parse
from lightloom.errors import Interrupted

Raw = TypeVar("Raw")
Answer = TypeVar("Answer")


def answer_of(
    call: Callable[[], Raw], make: Callable[[Raw], Answer], missing: str = "the answer"
) -> Answer:
    """The answer that ``make`` makes from the raw answer of a call.

    If the call is stopped, ``Interrupted.result`` is made in the same way from what the work still
    returns. ``missing`` names what is missing if it returns nothing.
    """
    try:
        raw = call()
    except Interrupted as stopped:
        stopped._make_result_with(make, missing)
        raise
    return make(raw)


def report_of(
    call: Callable[[], str], kind: Callable[[dict[str, Any]], Answer], missing: str
) -> Answer:
    """As :func:`answer_of`, for a call that returns a report as JSON."""
    return answer_of(call, lambda raw: kind(parse(raw)), missing)
