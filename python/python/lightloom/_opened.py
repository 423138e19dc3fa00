"""An opened design: how it is opened, and its properties."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _choices, _inputs
from lightloom._lightloom import Project
from lightloom._report import count
from lightloom._settings import OtherSettings, PathText, Settings

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Opened:
    """An opened design: sizes, names, edges, text, equality and pickles of its fabric."""

    _project: Project

    def __init__(
        self,
        family: _choices.Family | None = None,
        *,
        p: int | None = None,
        k: int | None = None,
        tors: int | None = None,
        edges: PathText | npt.ArrayLike | None = None,
        router: _choices.Router | None = None,
        inventory: PathText | Any | None = None,
        **settings: Unpack[OtherSettings],
    ) -> None:
        given = {
            "family": family,
            "p": p,
            "k": k,
            "tors": tors,
            "edges": edges,
            "router": router,
            "inventory": inventory,
            **settings,
        }
        values, files = _inputs.settings(given)
        self._project = Project(values, None, files)

    @classmethod
    def open(cls, design: PathText, **settings: Unpack[Settings]) -> Self:
        r"""Opens the fabric of a design file. Settings override those of the file.

        Parameters
        ----------
        design : path
            The design file (TOML).
        **settings
            Settings as in the class; they override those of the file.

        Raises
        ------
        DesignError
            If the file or a setting is wrong.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from lightloom import Fabric
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "design.toml"
        ...     size = file.write_text("version = 1\n[fabric]\np = 2\ntors = 12\n")
        ...     fabric = Fabric.open(file)
        >>> fabric.tors
        12
        """
        values, files = _inputs.settings(settings)
        return cls._of(Project(values, _inputs.path("design", design), files))

    @classmethod
    def _of(cls, project: Project) -> Self:
        """The fabric of a design that the extension has opened."""
        fabric = cls.__new__(cls)
        fabric._project = project
        return fabric

    @property
    def family(self) -> str:
        """The family: shufflecast, kautz or custom."""
        return self._project.family

    @property
    def p(self) -> int:
        """Outputs of a splitter."""
        return self._project.p

    @property
    def k(self) -> int | None:
        """Columns of a Shufflecast; ``None`` for other families."""
        return self._project.k

    @property
    def tors(self) -> int:
        """Number of ToRs."""
        return self._project.tors

    @property
    def cassettes(self) -> int:
        """Number of cassettes: groups of up to p splitters that feed the same receivers."""
        return self._project.cassettes

    @property
    def router(self) -> str:
        """The router: algorithm1 or arborescence."""
        return self._project.router

    @property
    def extra_hops(self) -> int:
        """Additional hops that the router allows per ToR: 0 or 1."""
        return self._project.extra_hops

    @property
    def housing(self) -> str:
        """The place of the splitters: sender, receiver or zone."""
        return self._project.housing

    @cached_property
    def tor_names(self) -> tuple[str, ...]:
        """The rack name of each ToR, which is also the ToR's name."""
        return tuple(self._project.tor_names())

    @cached_property
    def edges(self) -> npt.NDArray[np.uint32]:
        """Read-only array of shape (tors, 3), uint32, one row per ToR.

        Columns: the ToR, the cassette that feeds it, and the cassette that it transmits into.
        """
        edges = self._project.edges()
        edges.flags.writeable = False
        return edges

    def tor(self, tor: _inputs.ToR) -> int:
        """The number of the ToR with this number or rack name.

        Raises
        ------
        DesignError
            If there is no such ToR.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.tor(fabric.tor_names[3])
        3
        """
        return self._tor(tor, "tor")

    def _tor(self, tor: _inputs.ToR, field: str) -> int:
        return self._project.tor(_inputs.tor_text(field, tor), field)

    def _tors(self, tors: Iterable[_inputs.ToR], field: str) -> list[int]:
        if isinstance(tors, str):
            return self._project.tors_listed(_inputs.text(field, tors), field)
        if not isinstance(tors, Iterable):
            raise _inputs.wrong_type(field, tors, "ToRs")
        return [self._tor(tor, field) for tor in tors]

    def document(self) -> str:
        """The design as one text (JSON), with the texts of all files that it was read from.

        Raises
        ------
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> Fabric.from_document(fabric.document()) == fabric
        True
        """
        return self._project.document()

    @classmethod
    def from_document(cls, document: str) -> Self:
        """The fabric of a :meth:`document` or a ``plan.json``.

        Raises
        ------
        DesignError
            If the text is no document of a design.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> Fabric.from_document(fabric.document()).tors
        8
        """
        return cls._of(Project.restore(_inputs.text("document", document)))

    def __len__(self) -> int:
        """The number of ToRs."""
        return self.tors

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Opened):
            return NotImplemented
        return self._project.same_as(other._project)

    def __hash__(self) -> int:
        return hash((self.family, self.p, self.k, self.tors, self.router))

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (type(self), self.document()))

    def __repr__(self) -> str:
        size = f"p={self.p}" if self.k is None else f"p={self.p} k={self.k}"
        router = self.router + (", one more hop" if self.extra_hops else "")
        return (
            f"<{type(self).__name__} {self.family} {size}: {count(self.tors, 'ToR')}, "
            f"{count(self.cassettes, 'cassette')}, {router}>"
        )


def _restore(kind: type[Opened], document: str) -> Opened:
    return kind.from_document(document)
