"""Where the points of a sweep run."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from lightloom.errors import DesignError

#: Tasks at a time for each worker, so that none waits for the driver.
AHEAD = 2


class Pools:
    """The executor of a sweep. Processes of our own are started again when one dies."""

    def __init__(self, executor: Executor | None, client: Any, has_deadline: bool) -> None:
        self._given = client.get_executor() if client is not None else executor
        self._client = client
        self._own: ProcessPoolExecutor | None = None
        cores = os.cpu_count() or 1
        if client is not None:
            cores = max(sum(client.nthreads().values()), 1)
        elif executor is not None:
            cores = getattr(executor, "_max_workers", cores)
        # With a deadline no task waits behind another: its time would count.
        self._cores, self.width = cores, cores if has_deadline else AHEAD * cores

    def submit(self, task: Callable[[str], str], text: str) -> Future[str]:
        """Hands a task over. Its future has the error if its worker dies."""
        if self._given is not None:
            try:
                return self._given.submit(task, text)
            except RuntimeError as error:
                message = f"executor: takes no tasks: {error}; run again to go on"
                raise DesignError(message, field="executor") from error
        if self._own is None:
            spawn = multiprocessing.get_context("spawn")
            self._own = ProcessPoolExecutor(self._cores, mp_context=spawn)
        try:
            return self._own.submit(task, text)
        except BrokenProcessPool as error:
            lost: Future[str] = Future()
            lost.set_exception(error)
            return lost

    def check(self) -> None:
        """Refuses a client that was closed: what it lost is not the fault of a point."""
        if self._client is not None and self._client.status != "running":
            message = "client: is closed; what is done is stored, and another run goes on"
            raise DesignError(message, field="client")

    def mend(self) -> None:
        """Replaces processes of our own after one has died."""
        if self._own is not None and getattr(self._own, "_broken", False):
            self.kill()

    def kill(self) -> None:
        """Ends processes of our own, with what they do."""
        if self._own is None:
            return
        processes = list((getattr(self._own, "_processes", None) or {}).values())
        self._own.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        self._own = None
