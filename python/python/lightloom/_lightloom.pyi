"""The compiled module of the package. Private: only the package uses these types."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Part",
    "Project",
    "__version__",
    "arrow_columns",
    "as_built_form",
    "configs",
    "configs_diff",
    "draw",
    "explore_designs",
    "grow",
    "keys",
    "lint",
    "look_at_scenario",
    "read_run",
    "report",
    "run_scenario",
    "shrink",
    "study_unused_ports",
    "take_as_built",
    "trace_light",
    "verify",
    "verify_configs",
    "write_design",
    "write_run",
    "write_tables",
]

__version__: str

_Said = Sequence[tuple[str, int | str | Sequence[str]]]
_Path = str | os.PathLike[str]
_Files = Mapping[str, str]
_Progress = Callable[[int, int], object] | None
_U32 = npt.NDArray[np.uint32]
_U64 = npt.NDArray[np.uint64]
_F64 = npt.NDArray[np.float64]

@final
class Part:
    def ready(self) -> bool: ...
    def wait(self) -> Any: ...

@final
class Project:
    def __new__(cls, said: _Said, design: _Path | None, files: _Files) -> Project: ...
    @staticmethod
    def restore(document: str) -> Project: ...
    @staticmethod
    def open_plan(folder: _Path, memory: str | None) -> tuple[Project, str]: ...
    @staticmethod
    def open_written(folder: _Path, memory: str | None) -> Project: ...
    def recovered(self, failed: str, method: str | None, objective: str | None) -> Project: ...
    def document(self) -> str: ...
    def same_as(self, other: Project) -> bool: ...
    @property
    def memory(self) -> str | None: ...
    @property
    def family(self) -> str: ...
    @property
    def p(self) -> int: ...
    @property
    def k(self) -> int | None: ...
    @property
    def tors(self) -> int: ...
    @property
    def cassettes(self) -> int: ...
    @property
    def router(self) -> str: ...
    @property
    def extra_hops(self) -> int: ...
    @property
    def housing(self) -> str: ...
    def tor_names(self) -> list[str]: ...
    def tor(self, text: str, field: str) -> int: ...
    def tors_listed(self, text: str, field: str) -> list[int]: ...
    def edges(self) -> _U32: ...
    def tree(self, source: int) -> tuple[_U32, _U32]: ...
    def relay_sets(self, progress: _Progress = None) -> tuple[_U64, _U32]: ...
    def places(self) -> tuple[_F64, _F64, _U32, list[str]]: ...
    def branches(self) -> tuple[_U32, _U32, _U32, _U32, _F64, _F64]: ...
    def floor(self) -> str: ...
    def tray_stretches(
        self, wanted: Sequence[tuple[int, int | None]] | None
    ) -> tuple[_F64, _F64, _F64, _F64, _U32]: ...
    def dark(self, failed: str) -> str: ...
    def lost(self, failed: str, source: int) -> list[int]: ...
    def rules(self, tor: int) -> str: ...
    def info(self, progress: _Progress = None) -> str: ...
    def parallel(self, sources: Sequence[int] | None, progress: _Progress = None) -> str: ...
    def impact(self, failed: str) -> str: ...
    def recover(
        self, failed: str, method: str | None, objective: str | None, throughput: bool
    ) -> str: ...
    def risk(self, progress: _Progress = None) -> str: ...
    def repairs(self, out: _Path, objective: str | None, progress: _Progress = None) -> str: ...
    def budget(self, case: str | None, threads: int | None, progress: _Progress = None) -> str: ...
    def spec(self) -> str: ...
    def compare(self, core_ports: int | None) -> str: ...
    def netbox(
        self,
        out: _Path | None,
        site: str | None,
        location: str | None,
        with_racks: bool,
        with_switches: bool,
    ) -> str: ...
    def plan(
        self,
        out: _Path,
        failed: str | None,
        method: str | None,
        objective: str | None,
        progress: _Progress = None,
    ) -> str: ...

def trace_light(
    project: Project,
    fibre: str,
    case: str | None,
    threads: int | None,
    progress: _Progress = None,
) -> str: ...
def configs(
    source: Project | tuple[_Path, str | None],
    dialect: str,
    encoding: str | None,
    groups: _Path | None,
    out: _Path | None,
) -> str: ...
def configs_diff(
    old: Project | tuple[_Path, str | None],
    new: Project | tuple[_Path, str | None],
    dialect: str,
    encoding: str | None,
    groups: _Path | None,
    out: _Path | None,
    old_groups: _Path | None,
) -> str: ...
def verify_configs(configs: _Path, read_back: _Path, partial: bool) -> str: ...
def keys() -> list[tuple[str, str, str, str]]: ...
def verify(folder: _Path, memory: str | None, progress: _Progress = None) -> str: ...
def report(
    folder: _Path,
    design: Project | None,
    date: str | None,
    memory: str | None,
    progress: _Progress = None,
) -> tuple[str, bool]: ...
def draw(folder: _Path, memory: str | None) -> str: ...
def lint(
    project: Project, dialect: str | None, encoding: str | None, groups: _Path | None
) -> str: ...
def grow(
    folder: _Path,
    tors: int | None,
    phases: Sequence[int],
    pin: str,
    most_moves: int | None,
    inventory: _Path | None,
    out: _Path | None,
    memory: str | None,
    progress: _Progress = None,
) -> str: ...
def shrink(
    folder: _Path,
    tors: int | None,
    racks: str | None,
    out: _Path | None,
    memory: str | None,
    progress: _Progress = None,
) -> str: ...
def take_as_built(
    folder: _Path,
    returned: _Path,
    out: _Path | None,
    memory: str | None,
    progress: _Progress = None,
) -> str: ...
def as_built_form(folder: _Path, memory: str | None) -> bytes: ...
def write_design(said: _Said, out: _Path, progress: _Progress = None) -> str: ...
def explore_designs(
    said: _Said,
    design: _Path | None,
    files: _Files,
    limits: Mapping[str, int | str | None],
    progress: _Progress = None,
) -> str: ...
def study_unused_ports(
    said: _Said,
    design: _Path | None,
    files: _Files,
    racks: Mapping[str, Sequence[str] | Sequence[int]],
) -> str: ...
def look_at_scenario(path: _Path, files: _Files) -> tuple[str, dict[os.PathLike[str], str]]: ...
def run_scenario(
    path: _Path,
    files: _Files,
    options: Mapping[str, Any],
    progress: _Progress = None,
) -> tuple[str, dict[str, bytes]]: ...
def read_run(folder: _Path) -> tuple[str, dict[str, bytes]]: ...
def write_run(folder: _Path, files: Mapping[str, bytes]) -> None: ...
def write_tables(folder: _Path, files: Mapping[str, bytes]) -> None: ...
def arrow_columns(name: str, content: bytes) -> dict[str, Any]: ...
