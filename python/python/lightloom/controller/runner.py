"""Rollouts, phase by phase: install, confirm, wait, go on. Backwards for a rollback.

How far a rollout is changes with the state file's commit, and not before. If the file cannot be
written, for example because the disk is full, the rollout stays where it is and tries again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lightloom.controller import rollout
from lightloom.controller.control import Control
from lightloom.controller.entries import Tables
from lightloom.controller.errors import (
    Conflict,
    ControllerError,
    NotFound,
    StateFailed,
    SwitchFailed,
)
from lightloom.controller.members import check_name
from lightloom.controller.store import Progress

LOG = logging.getLogger("lightloom.controller")

#: Seconds until a phase is tried again after a switch has failed.
_RETRY = 1.0
_PICOSECONDS = 10**12


@contextlib.contextmanager
def _refused() -> Iterator[None]:
    """Adds to a failure of the state file that the request changed nothing."""
    try:
        yield
    except StateFailed as error:
        raise StateFailed(f"nothing was changed: {error}") from None


class Runner:
    """The rollout that is under way, and those before it."""

    def __init__(self, control: Control, root: Path | None) -> None:
        self._control, self._root = control, root
        self._all = control.store.rollouts()
        self._task: asyncio.Task[None] | None = None
        #: Wakes the task: a probe has arrived, or the rollout turns back.
        self._wake = asyncio.Event()
        self._problem: str | None = None
        self._is_probed = False
        #: When the wait after the present phase ends, by the loop's clock. None: it has not begun.
        self._drained_at: float | None = None
        active = self._active()
        if active and active.stage == "installing":
            control.pending = control.store.changes(active)

    def _active(self) -> Progress | None:
        return next((one for one in self._all if one.state == "running"), None)

    def resume(self) -> None:
        """Goes on with a rollout that was interrupted."""
        active = self._active()
        if active is not None:
            LOG.info("rollout %s goes on with phase %d", active.name, active.phase + 1)
            self._task = asyncio.ensure_future(self._run(active))

    async def stop(self) -> None:
        """Stops where it is. The next start goes on."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def get(self, number: str) -> Progress:
        """A rollout by its number."""
        found = [one for one in self._all if str(one.id) == number]
        if not found:
            raise NotFound(f"there is no rollout {number[:20]!r}")
        return found[0]

    def all(self) -> list[dict[str, object]]:
        """All rollouts, the latest last."""
        return [self.describe(one) for one in self._all]

    async def start(self, name: str, back: bool = False) -> dict[str, object]:
        """Starts the rollout of a folder, or its rollback.

        Nothing happens if the switches are at its end already.
        """
        control = self._control
        if self._root is None:
            raise Conflict("rollouts are off: start the controller with --rollouts DIR")
        path = self._root / check_name(name)
        if name.startswith(".") or not path.is_dir():
            raise NotFound(f"there is no folder {name!r} of a rollout")
        file = rollout.ROLLBACK if back else rollout.ROLLOUT
        found = rollout.read(path, file, len(control.base))
        async with control.lock:
            active = self._active()
            if active is not None:
                if active.digest == found.digest and active.forward:
                    return self.describe(active)
                raise Conflict(f"rollout {active.id} ({active.name}) is under way")
            if found.is_done(control.base):
                return {"name": found.name, "state": "done", "nothing": True}
            found.check_start(control.base)
            changes = rollout.changes(found, control.base)
            if not changes:
                raise ControllerError(f"{file}: phases: has none")
            missing = control.fleet.not_ready(sorted(set().union(*changes)))
            if missing:
                raise SwitchFailed(
                    f"nothing was changed: not ready: ToR {', '.join(map(str, missing))}"
                )
            with _refused():
                progress = control.store.begin(found, changes)
            self._all.append(progress)
            self._install_next(changes[0])
            self._problem = None
        self._task = asyncio.ensure_future(self._run(progress))
        return self.describe(progress)

    async def confirm(self, number: str) -> dict[str, object]:
        """Notes that the probe of a phase has reached all ToRs, so that the next phase begins."""
        progress = self.get(number)
        if progress.state != "running" or progress.stage != "probing":
            raise Conflict("the rollout does not wait for a probe")
        self._is_probed = True
        self._wake.set()
        return self.describe(progress)

    async def roll_back(self, number: str) -> dict[str, object]:
        """Turns a running rollout back, phase by phase."""
        control = self._control
        async with control.lock:
            progress = self.get(number)
            if progress.state == "rolled back" or not progress.forward:
                return self.describe(progress)
            if progress.state != "running":
                raise Conflict('the rollout is done: start its folder with "back": true')
            with _refused():
                self._begin(progress, progress.phase, forward=False)
            self._wake.set()
            if self._task is None or self._task.done():
                self._task = asyncio.ensure_future(self._run(progress))
        return self.describe(progress)

    def _begin(self, progress: Progress, phase: int, forward: bool) -> None:
        """Makes the tables after a phase those that the switches must have."""
        store = self._control.store
        following = replace(progress, phase=phase, forward=forward, stage="installing")
        changes = store.changes(following)
        store.advance(following, {tor: c.after for tor, c in changes.items()})
        progress.become(following)
        self._install_next(changes)

    def _enter(self, progress: Progress, *, stage: str, state: str = "running") -> None:
        """Moves a rollout to a stage: in the state file first, then in memory."""
        following = replace(progress, stage=stage, state=state)
        self._control.store.advance(following)
        progress.become(following)

    def _install_next(self, changes: dict[int, rollout.Change]) -> None:
        """Has the switches get these changes next."""
        for tor, change in changes.items():
            self._control.base[tor] = change.after
        self._control.pending = changes
        self._is_probed, self._drained_at = False, None

    async def _run(self, progress: Progress) -> None:
        while progress.state == "running":
            try:
                await self._step(progress)
            except (SwitchFailed, StateFailed) as error:
                if str(error) != self._problem:
                    LOG.warning("rollout %s waits: %s", progress.name, error)
                self._problem = str(error)
                await self._sleep(_RETRY)
            except Exception as error:
                self._problem = f"stopped: {error}"
                LOG.exception("rollout %s stopped", progress.name)
                return

    async def _step(self, progress: Progress) -> None:
        """Installs a phase, or waits after it, or begins the next one."""
        control = self._control
        if progress.stage == "installing":
            async with control.lock:
                await self._install(progress)
        elif progress.stage == "draining":
            await self._wait_for_drain(progress)
        elif self._is_probed:
            async with control.lock:
                if progress.stage == "probing":
                    await self._next(progress)
        else:
            await self._sleep(3600)

    async def _wait_for_drain(self, progress: Progress) -> None:
        now = asyncio.get_running_loop().time()
        if self._drained_at is None:
            self._drained_at = now + self._drain(progress)
        if now < self._drained_at:
            # A rollback ends the wait, and begins another phase.
            await self._sleep(self._drained_at - now)
            return
        async with self._control.lock:
            if progress.stage == "draining" and self._drained_at is not None:
                await self._after(progress)

    async def _install(self, progress: Progress) -> None:
        if progress.stage != "installing":
            return
        await self._bring(list(self._control.pending))
        self._enter(progress, stage="draining")
        self._control.pending = {}
        self._problem = None

    async def _bring(self, tors: list[int]) -> None:
        """Installs the tables that switches must have, and reads all their tables back."""
        control = self._control
        switches = control.fleet.switches
        missing = control.fleet.not_ready(tors)
        if missing:
            raise SwitchFailed(f"not ready: ToR {', '.join(map(str, missing))}")
        wanted: dict[int, Tables] = {tor: control.wanted(tor)[0] for tor in tors}
        results = await asyncio.gather(
            *(switches[tor].bring(wanted[tor]) for tor in tors), return_exceptions=True
        )
        failed = [str(result) for result in results if isinstance(result, BaseException)]
        failed += [f"not ready: ToR {tor}" for tor in control.fleet.not_ready(tors)]
        if failed:
            raise SwitchFailed("; ".join(failed))

    def _drain(self, progress: Progress) -> float:
        """Seconds to wait. Backwards the longest of all: what is removed there was added before."""
        if progress.forward:
            return progress.phases[progress.phase].drain_ps / _PICOSECONDS
        return max(phase.drain_ps for phase in progress.phases) / _PICOSECONDS

    async def _after(self, progress: Progress) -> None:
        if progress.forward and progress.phases[progress.phase].probe is not None:
            self._enter(progress, stage="probing")
            self._problem = None
        else:
            await self._next(progress)

    async def _next(self, progress: Progress) -> None:
        following = progress.phase + (1 if progress.forward else -1)
        if 0 <= following < len(progress.phases):
            self._begin(progress, following, progress.forward)
        else:
            # A switch of an earlier phase may have been lost since. The end is said only of
            # tables that were read.
            await self._bring(self._control.store.tors(progress))
            state = "done" if progress.forward else "rolled back"
            self._enter(progress, stage=progress.stage, state=state)
            LOG.info("rollout %s: %s", progress.name, progress.state)
        self._problem = None

    async def _sleep(self, seconds: float) -> None:
        self._wake.clear()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    def describe(self, progress: Progress) -> dict[str, object]:
        """A rollout as the API shows it."""
        running = progress.state == "running"
        phase = progress.phases[progress.phase]
        return {
            "id": progress.id,
            "name": progress.name,
            "state": progress.state,
            "direction": "forward" if progress.forward else "back",
            "phases": [one.name for one in progress.phases],
            "phase": progress.phase + 1 if running else None,
            "phase_name": phase.name if running else None,
            "stage": progress.stage if running else None,
            "probe_from": phase.probe if running and progress.stage == "probing" else None,
            "problem": self._problem if running else None,
        }
