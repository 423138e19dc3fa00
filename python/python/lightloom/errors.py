"""The exceptions of the package. Messages are those of the command, with keywords for flags."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol


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


class _Work(Protocol):
    """The work of a stopped call, which may still run in its thread."""

    def ready(self) -> bool:
        """Whether the work has ended."""
        ...

    def wait(self) -> Any:
        """Waits for its end and returns its raw answer, once, or raises its error."""
        ...


class Interrupted(KeyboardInterrupt):
    """A long call was stopped, by Ctrl-C or by its progress callback.

    It is raised at most 200 ms after Ctrl-C. If the work has not ended by then, it ends in its
    thread. A second Ctrl-C meanwhile raises a plain ``KeyboardInterrupt`` at once.

    Attributes
    ----------
    done, of : int
        Progress at the stop, as the progress callback gets it; 0 and 0 before its first call.
    """

    done: int
    of: int

    def __init__(
        self,
        message: str = "interrupted",
        result: object = None,
        *,
        missing: str = "the answer",
        part: _Work | None = None,
        done: int = 0,
        of: int = 0,
    ) -> None:
        super().__init__(message)
        self.done, self.of = done, of
        self._result, self._missing = result, missing
        self._part = part
        self._make: Callable[[Any], object] | None = None
        self._waits = threading.Lock()

    def _make_result_with(self, make: Callable[[Any], object], missing: str) -> None:
        """Set what turns the raw answer into the result, and what is missing without an answer."""
        self._make, self._missing = make, missing

    @property
    def ready(self) -> bool:
        """Whether the work has ended, so that :attr:`result` does not wait."""
        part = self._part
        return part is None or self._make is None or part.ready()

    @property
    def result(self) -> object:
        """The finished part, or ``None``; its ``missing`` says what it lacks.

        Waits until the work has ended in its thread, so no finished work is lost. If the call
        finished before it heard of the stop, this is its whole answer. Ctrl-C ends the wait with a
        plain ``KeyboardInterrupt``, and the next access waits again.
        """
        if self._make is None:
            return self._result
        with self._waits:
            if self._part is not None:
                self._set_result(self._part, self._make)
        return self._result

    def _set_result(self, part: _Work, make: Callable[[Any], object]) -> None:
        try:
            self._result = make(part.wait())
            self._missing = str(getattr(self._result, "missing", ""))
        except Interrupted:
            # The work has ended without an answer.
            pass
        except LightloomError as error:
            self._missing = f"{self._missing}; the call failed: {error}"
        self._part = None

    @property
    def missing(self) -> str:
        """What :attr:`result` lacks; an empty text if it is whole. Waits as :attr:`result` does."""
        _ = self.result
        return self._missing

    def __reduce__(self) -> tuple[Any, ...]:
        return (_stopped, (str(self), self.result, self.missing, self.done, self.of))


def _stopped(message: str, result: object, missing: str, done: int, of: int) -> Interrupted:
    return Interrupted(message, result, missing=missing, done=done, of=of)
