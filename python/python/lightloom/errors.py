"""The exceptions of the package. Messages are those of the command, with keywords for flags."""

from __future__ import annotations

from typing import Any


class LightloomError(Exception):
    """Base class of all errors of lightloom.

    Attributes
    ----------
    file : str or None
        The file with the error.
    line : int or None
        The line of that file, from 1.
    field : str or None
        The keyword argument, or the key or column in the file.
    """

    def __init__(
        self,
        message: str = "",
        *,
        file: str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (type(self), str(self), self.file, self.line, self.field))


def _restore(
    kind: type[LightloomError], message: str, file: str | None, line: int | None, field: str | None
) -> LightloomError:
    return kind(message, file=file, line=line, field=field)


class DesignError(LightloomError, ValueError):
    """A design, an option, a file or a folder is wrong. Nothing was written."""


class DesignTypeError(DesignError, TypeError):
    """A value has the wrong type."""


class InfeasibleError(LightloomError):
    """The result does not hold and was not written."""


class SimulationError(LightloomError):
    """A scenario is wrong, or its run is not reliable."""


class Interrupted(KeyboardInterrupt):
    """A long call was stopped, by Ctrl-C or by its progress callback.

    Attributes
    ----------
    result : object or None
        The finished part; ``None`` if there is none.
    """

    def __init__(self, message: str = "interrupted", result: object = None) -> None:
        super().__init__(message)
        self.result = result
