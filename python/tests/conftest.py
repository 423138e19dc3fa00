"""The installed package, and the command to compare it with."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from controllers import told_folders
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

# Random cases are the same in every run. `make explore` draws others.
settings.register_profile("same", derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_addoption(parser):
    parser.addoption("--lightloom", metavar="PATH", help="the lightloom binary to compare with")
    parser.addoption(
        "--attacks",
        metavar="N",
        type=int,
        default=1500,
        help="mutated messages that a controller is attacked with; and a tenth of it in requests, "
        "a thousandth in kills (1500; `make attack-controller` takes 100000)",
    )


@pytest.fixture(scope="session")
def lightloom_binary(request):
    said = request.config.getoption("--lightloom") or os.environ.get("LIGHTLOOM")
    binary = Path(said).resolve() if said else ROOT / "target/debug/lightloom"
    if not binary.is_file():
        pytest.exit(f"{binary}: no such file; build it, or name it with --lightloom", returncode=4)
    return binary


@pytest.fixture(scope="session")
def cli(lightloom_binary):
    """Runs a command and returns its JSON, or its message if it is refused."""

    def run(*arguments, refused=False):
        line = [lightloom_binary, *map(str, arguments)]
        done = subprocess.run(
            line if refused else [*line, "--json"], capture_output=True, text=True, timeout=120
        )
        if refused:
            assert done.returncode == 2, f"{line}: exit {done.returncode}: {done.stderr}"
            return done.stderr.removeprefix("lightloom: ").removesuffix("\n")
        assert done.returncode in (0, 1), f"{line}: exit {done.returncode}: {done.stderr}"
        return json.loads(done.stdout)

    return run


def with_keywords(printed):
    """Converts a message of the command to Python: keywords in place of flags."""

    def keyword(found):
        return found[1].replace("-", "_")

    printed = re.sub(r"^--([a-z-]+)(?=:)", keyword, printed)
    # `--failed relay:99: ...`: the flag and its value.
    printed = re.sub(r"^--([a-z-]+) ", lambda found: keyword(found) + ": ", printed)
    return re.sub(r"(?<=[ (`])--([a-z-]+)", lambda found: keyword(found) + "=", printed)


def is_installed():
    """Tests use the installed package, not the source tree."""
    import lightloom

    assert "site-packages" in lightloom.__file__, lightloom.__file__


is_installed()


@pytest.fixture(scope="module")
def folders(lightloom_binary, tmp_path_factory):
    """Configurations of 2,2, as a controller gets them. Files of tests may have others."""
    return told_folders(lightloom_binary, tmp_path_factory.mktemp("folders"))
