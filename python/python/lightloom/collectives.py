"""Which schedule of a collective operation is fastest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom._frames import of_rows
from lightloom._report import Report, count

if TYPE_CHECKING:
    import pandas as pd

_CASES = {
    "members": "whole",
    "groups": "whole",
    "name": "text",
    "schedule": "text",
    "over": "text",
    "bytes": "whole",
    "is_extended": "flag",
    "messages": "whole?",
    "first_ps": "whole?",
    "median_ps": "whole?",
    "last_ps": "whole?",
    "algorithm_bps": "real",
    "bus_bps": "real",
    "link_bps": "real",
    "host_bps": "real",
    "joules_per_tb": "real",
    "cost_per_tb": "text",
    "beside_ps": "whole?",
    "why": "text",
}
_FASTEST = {
    "members": "whole",
    "groups": "whole",
    "bytes": "whole",
    "name": "text",
    "last_ps": "whole",
    "is_extended": "flag",
    "next": "text",
    "times_as_long": "real",
}
_BREAK_EVEN = {
    "axis": "text",
    "light": "text",
    "other": "text",
    "bytes": "whole?",
    "members": "whole?",
    "groups": "whole?",
    "from": "whole?",
    "from_is_extended": "flag",
    "faster": "list",
    "not_faster": "list",
}


class Advice(Report):
    """The fastest schedules of a collective operation, by runs of the twin."""

    @property
    def answer(self) -> list[str]:
        """The answer in sentences: what is fastest, and from when on light is faster."""
        return list(self.report["answer"])

    @property
    def missing(self) -> str:
        """The runs that a stopped call has not done; an empty text if all are done."""
        missing = int(self.report["missing"])
        return f"{missing} of {self.report['runs']} runs" if missing else ""

    def __len__(self) -> int:
        """The number of cases."""
        return len(self.report["cases"])

    def table(self) -> pd.DataFrame:
        """Every case: a schedule with one size, for a number of members and of groups at once.

        Times are in picoseconds, rates in bits per second. ``is_extended`` marks times that are
        extended from smaller sizes; ``why`` says why a case has no time.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> advice = Fabric(p=2, k=2).collective("allgather", size="8 kB", schedules="ring,bruck")
        >>> advice.table()["name"].tolist()
        ['ring', 'bruck']
        """
        return of_rows(self.report["cases"], _CASES, "Advice.table()")

    def fastest(self) -> pd.DataFrame:
        """The fastest schedule of each size, number of members and number of groups.

        ``times_as_long`` is the time of the second fastest, ``next``, over that of the fastest.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> advice = Fabric(p=2, k=2).collective("broadcast", size="1 MB")
        >>> advice.fastest()["name"].tolist()
        ['multicast over light']
        """
        return of_rows(self.report["fastest"], _FASTEST, "Advice.fastest()")

    def fastest_beside(self) -> pd.DataFrame:
        """As :meth:`fastest`, beside the messages of a scenario; empty if there are none.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> len(Fabric(p=2, k=2).collective("broadcast", size="8 kB").fastest_beside())
        0
        """
        return of_rows(self.report["fastest_beside"], _FASTEST, "Advice.fastest_beside()")

    def break_even(self) -> pd.DataFrame:
        """From when on schedules over light are faster than each other one.

        ``axis`` says what grows: the size in bytes, the members of a group, or the groups at once.
        ``from`` is the least value from which light is faster at all that were asked about.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> advice = Fabric(p=2, k=2).collective("broadcast", size="8 kB..1 MB")
        >>> bool((advice.break_even()["from"] == 8000).all())
        True
        """
        return of_rows(self.report["break_even"], _BREAK_EVEN, "Advice.break_even()")

    def __repr__(self) -> str:
        return f"<Advice {self.report['operation']}: {count(len(self), 'case')}>"


def asked(
    operation: str,
    *,
    size: str | None,
    members: int | Iterable[int] | None,
    groups: int | Iterable[int] | None,
    schedules: str | Iterable[str] | None,
    simulate_up_to: str | None,
    order: str | None,
    slice: str | None,
    shards: int | None,
    start: str | None,
    seed: int | None,
    threads: int | None,
) -> dict[str, Any]:
    """What a question says, as the extension takes it. The network is that of a scenario."""
    return {
        "operation": _inputs.text("operation", operation),
        "size": _inputs.optional_text("size", size),
        "members": _inputs.numbers("members", members),
        "groups": _inputs.numbers("groups", groups),
        "schedules": _inputs.listed("schedules", schedules),
        "simulate_up_to": _inputs.optional_text("simulate_up_to", simulate_up_to),
        "order": _inputs.optional_text("order", order),
        "slice": _inputs.optional_text("slice", slice),
        "shards": _inputs.optional_number("shards", shards, 2**32 - 1),
        "start": _inputs.optional_text("start", start),
        "seed": _inputs.optional_number("seed", seed, 2**64 - 1),
        "threads": _inputs.optional_number("threads", threads),
        "hosts_per_tor": None,
        "spines": None,
        "link_rate": None,
        "link_length": None,
    }
