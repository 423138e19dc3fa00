"""Calls that Ctrl-C stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lightloom._report import parse
from lightloom.errors import Interrupted

Raw = TypeVar("Raw")
Answer = TypeVar("Answer")


def asked(
    call: Callable[[], Raw], make: Callable[[Raw], Answer], missing: str = "the answer"
) -> Answer:
    """Asks, and makes the answer.

    If the call is stopped, ``make`` also makes the result of ``Interrupted`` from what the work
    gives, and ``missing`` is what is missing if it gives nothing.
    """
    try:
        raw = call()
    except Interrupted as stopped:
        stopped._gives(make, missing)
        raise
    return make(raw)


def told(call: Callable[[], str], kind: Callable[[dict[str, Any]], Answer], missing: str) -> Answer:
    """As :func:`asked`, for an answer that comes as JSON."""
    return asked(call, lambda raw: kind(parse(raw)), missing)
