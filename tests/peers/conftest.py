"""The binary under test, and the fabrics one after another."""

from pathlib import Path

import pytest

import designs
from peer import Peer


def pytest_addoption(parser):
    parser.addoption("--lightloom", metavar="PATH", help="the lightloom binary to test")


def pytest_configure(config):
    config.addinivalue_line("markers", "designs(wanted): run the test on these designs only")


def pytest_collection_modifyitems(config, items):
    def is_meant(item):
        marker = item.get_closest_marker("designs")
        return marker is None or marker.args[0](item.callspec.params["peer"])

    config.hook.pytest_deselected(items=[item for item in items if not is_meant(item)])
    items[:] = [item for item in items if is_meant(item)]


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
    """One fabric with its facts; pytest runs all tests of one fabric before the next."""
    return Peer(lightloom, request.param, folder)
