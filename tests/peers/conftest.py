"""The binary under test, and one fabric after another."""

from pathlib import Path

import pytest

import designs
from peer import Peer


def pytest_addoption(parser):
    parser.addoption("--lightloom", metavar="PATH", help="the lightloom binary to test")


@pytest.fixture(scope="session")
def lightloom(request):
    path = request.config.getoption("--lightloom")
    if path is None:
        pytest.exit("name the binary: pytest tests/peers --lightloom PATH", returncode=4)
    binary = Path(path).resolve()
    if not binary.is_file():
        pytest.exit(f"--lightloom {path}: no such file; build it first", returncode=4)
    return binary


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("edges")


@pytest.fixture(scope="session", params=designs.ALL, ids=str)
def peer(request, lightloom, folder):
    """One fabric and everything that is known of it; pytest runs all tests of one before the next."""
    return Peer(lightloom, request.param, folder)
