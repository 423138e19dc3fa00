"""Shows text from outside on a terminal and in a log, with all that a terminal obeys as escapes.

A switch, a file and an argument can hold anything. A message that quotes them must not move the
cursor, change the direction of writing, or end a line of the log.
"""

from __future__ import annotations

import argparse
import logging
from typing import NoReturn


def shown(text: str, keeps: str = "") -> str:
    r"""The text with letters that are not printed as escapes, such as ``\x1b``, but for `keeps`."""
    if text.isprintable():
        return text

    def escape(letter: str) -> str:
        is_plain = letter.isprintable() or letter in keeps
        return letter if is_plain else letter.encode("unicode_escape").decode("ascii")

    return "".join(map(escape, text))


class LogFormatter(logging.Formatter):
    """A record is one line, followed by the lines of its traceback."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        return shown(super().formatMessage(record))

    def formatException(self, ei: object) -> str:
        """The lines of a traceback."""
        return shown(super().formatException(ei), "\n")  # type: ignore[arg-type]


class Parser(argparse.ArgumentParser):
    """Quotes wrong arguments without what a terminal obeys."""

    def error(self, message: str) -> NoReturn:
        """End with the message and exit code 2."""
        super().error(shown(message, "\n"))
