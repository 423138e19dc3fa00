"""What would go wrong on real switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom._frames import of_rows
from lightloom._lightloom import Project
from lightloom._lightloom import lint as lint_project
from lightloom._report import Report, count
from lightloom._settings import PathText
from lightloom._stops import report_of

if TYPE_CHECKING:
    import pandas as pd

_FINDINGS = {
    "severity": "text",
    "rule": "text",
    "tor": "whole?",
    "port": "whole?",
    "text": "text",
    "remedy": "text",
}


class Lint(Report):
    """What would go wrong on real switches, errors first."""

    @property
    def good(self) -> bool:
        """Whether there is no error. There may be warnings."""
        return self.errors == 0

    @property
    def errors(self) -> int:
        """Number of errors."""
        return int(self.report["errors"])

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return int(self.report["warnings"])

    def of_rule(self, rule: str) -> list[dict[str, Any]]:
        """The findings of a rule, such as ``"hairpin"``.

        Keys: severity, rule, tor, port, text, remedy.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     lint = plan.lint()
        ...     rules = lint.findings()["rule"].tolist()
        >>> sum(len(lint.of_rule(rule)) for rule in set(rules)) == len(rules)
        True
        """
        return [dict(found) for found in self.report["findings"] if found["rule"] == rule]

    def findings(self) -> pd.DataFrame:
        """All findings, one row each.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     findings = plan.lint().findings()
        >>> "rule" in findings
        True
        """
        return of_rows(self.report["findings"], _FINDINGS, "Lint.findings()")

    def __bool__(self) -> bool:
        return self.good

    def __len__(self) -> int:
        return len(self.report["findings"])

    def __repr__(self) -> str:
        return f"<Lint: {count(self.errors, 'error')}, {count(self.warnings, 'warning')}>"


def lint(
    project: Project,
    dialect: str | None,
    encoding: str | None,
    groups: PathText | None,
    files: PathText | None,
) -> Lint:
    """The findings of all rules on the switches of a project."""
    options = (
        _inputs.optional_text("dialect", dialect),
        _inputs.optional_text("encoding", encoding),
        _inputs.optional_path("groups", groups),
        _inputs.optional_path("files", files),
    )
    return report_of(lambda: lint_project(project, *options), Lint, "the findings")
