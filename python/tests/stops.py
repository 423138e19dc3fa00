"""Ctrl-C without a clock: pressed before a call listens, or by its own progress callback."""

from __future__ import annotations

import _thread
import ctypes
import signal
import sys
from contextlib import contextmanager
from functools import partial

from lightloom import Interrupted


def together(*calls):
    """Makes calls of C one after another, with no bytecode between them. Gives the last answer.

    The interpreter runs handlers of signals between bytecodes. So what an earlier call leaves
    pending is still pending when the next one begins.
    """
    return list(map(partial.__call__, calls))[-1]


def pressed(function):
    """The function, with Ctrl-C pressed just before it begins."""

    def call(*arguments, **named):
        return together(partial(_thread.interrupt_main), partial(function, *arguments, **named))

    return call


def press(done, of):
    """A progress callback that presses Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


@contextmanager
def pressed_twice():
    """Ctrl-C is pressed again as soon as the first one is heard."""
    heard = []
    raising = partial(ctypes.pythonapi.PyErr_SetNone, ctypes.py_object(KeyboardInterrupt))

    def hear(number, frame):
        heard.append(number)
        if len(heard) == 1:
            together(partial(_thread.interrupt_main), raising)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


def stopped(call, *arguments, **named):
    """How a call was stopped. A plain KeyboardInterrupt would end the tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer = call(*arguments, **named)
    except KeyboardInterrupt as found:
        assert type(found) is Interrupted, f"{found!r} from {call}"
        return found
    finally:
        signal.signal(signal.SIGINT, before)
    raise AssertionError(f"was not stopped: {answer!r}")


class Pressed:
    """What the extension opened. Ctrl-C is pressed before one of its calls."""

    def __init__(self, project, name):
        self._project, self._name = project, name

    def __getattr__(self, name):
        found = getattr(self._project, name)
        return pressed(found) if name == self._name else found


def press_before(monkeypatch, function):
    """Presses Ctrl-C before each call that the package makes of a function of the extension."""
    places = [
        (module, name)
        for path, module in sorted(sys.modules.items())
        if path.startswith("lightloom") and path != "lightloom._lightloom"
        for name, found in vars(module).items()
        if found is function
    ]
    assert places, function
    for module, name in places:
        monkeypatch.setattr(module, name, pressed(function))
