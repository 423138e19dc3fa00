"""What can go wrong."""

from __future__ import annotations


class ControllerError(Exception):
    """A refusal. ``status`` is the HTTP status of the answer."""

    status = 400


class BadFile(ControllerError):
    """A file of a folder is not as lightloom writes it."""


class NotFound(ControllerError):
    """Something by this name does not exist."""

    status = 404


class Conflict(ControllerError):
    """The request does not fit the present state."""

    status = 409


class StateFailed(ControllerError):
    """The state file cannot be read or written, for example because the disk is full."""

    status = 503


class SwitchFailed(ControllerError):
    """A switch refused a change, did not confirm it, or is not there."""

    status = 503
