"""The base class of all answers."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any


class Report:
    """An answer with the numbers of the command's ``--json``.

    ``answer["key"]`` and :attr:`report` give the output of the command. Properties give the same
    values as Python types.

    :attr:`report` has the key ``format``, the version of all answers; a report that is read from a
    file has none.
    """

    def __init__(self, report: dict[str, Any]) -> None:
        self._report = report

    @property
    def report(self) -> dict[str, Any]:
        """The whole answer, as ``--json`` prints it."""
        return self._report

    @property
    def missing(self) -> str:
        """What a stopped call has not done; an empty text if the answer is whole."""
        return ""

    def __getitem__(self, key: str) -> Any:
        return self.report[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.report)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Report)
        return self.report == other.report

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """The answer as a small table of its numbers, for notebooks."""
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
            f"<td>{html.escape(_shown(value))}</td></tr>"
            for name, value in self.report.items()
            if name != "format" and not isinstance(value, (dict, list))
        )
        title = html.escape(repr(self)[1:-1])
        # Names may have dollar signs, which notebooks would read as formulas.
        div = '<div class="tex2jax_ignore mathjax_ignore">'
        return f"{div}<p><b>{title}</b></p><table><tbody>{rows}</tbody></table></div>"

    def __repr__(self) -> str:
        keys = (key for key in self.report if key != "format")
        return f"<{type(self).__name__}: {', '.join(keys)}>"


def _shown(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def parse(text: str) -> dict[str, Any]:
    """Parses a report of the extension."""
    found: dict[str, Any] = json.loads(text)
    return found


def by_tor(found: dict[str, Any]) -> dict[int, Any]:
    """Converts the keys to integers, because JSON has only texts as keys."""
    return {int(tor): value for tor, value in found.items()}


def count(number: int, what: str) -> str:
    """``1,024 ToRs``, ``1 ToR``, ``4 branches``."""
    ending = "es" if what.endswith("ch") else "s"
    return f"{number:,} {what}{'' if number == 1 else ending}"


def flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The numbers, flags and texts of a report, by dotted names. Lists are left out."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("format", "manifest"):
                yield from flat(f"{name}.{key}" if name else str(key), inner)
    elif value is None or isinstance(value, (bool, int, float, str)):
        yield name, value
