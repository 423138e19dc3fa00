"""The binary under test, the fabrics one after another, and one Open vSwitch for all tests that want it."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

import designs
import ovs
from peer import Peer

# Files there cost no time on a disk.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# Tests that take too long for every run, by option.
LONG = {
    "ovs-all": "all failures of a 4,2-Shufflecast in all encodings, and all switches of a 4,4",
    "ovs-whole": "a 4,4-Shufflecast as 1,024 bridges",
    "interrupted-all": "1,000 kills and 2,000 failing system calls over all commands that write",
    "ovs-namespaces": "real sockets and a NORM transfer in network namespaces; needs privileges",
}


def pytest_addoption(parser):
    parser.addoption("--lightloom", metavar="PATH", help="the lightloom binary to test")
    for name, what in LONG.items():
        parser.addoption(f"--{name}", action="store_true", help=f"also run: {what}")


def pytest_configure(config):
    config.addinivalue_line("markers", "long(option): run the test with an option only")
    config.addinivalue_line("markers", "designs(wanted): run the test on these designs only")


def pytest_collection_modifyitems(config, items):
    def is_meant(item):
        marker = item.get_closest_marker("designs")
        long = item.get_closest_marker("long")
        if long is not None and not config.getoption(f"--{long.args[0]}"):
            return False
        return marker is None or marker.args[0](item.callspec.params["peer"])

    config.hook.pytest_deselected(items=[item for item in items if not is_meant(item)])
    items[:] = [item for item in items if is_meant(item)]


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    if any(ovs.MISSING in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(f"NOT TESTED: {ovs.MISSING}", yellow=True, bold=True)


@pytest.fixture(scope="session")
def daemons():
    """Starts Open vSwitch, or gives the one that runs."""
    running = []

    def start():
        if running and running[-1].has_ended():
            running.pop().stop()
        if not running:
            # Paths of sockets must be short.
            running.append(ovs.Daemon(tempfile.mkdtemp(prefix="lightloom-ovs-", dir=MEMORY)))
        return running[-1]

    yield start
    for daemon in running:
        daemon.stop()
        shutil.rmtree(daemon.folder)


@pytest.fixture
def switch(daemons):
    """Open vSwitch without privileges and without bridges. A test adds bridges, and they are removed after it."""
    if not ovs.is_installed():
        pytest.skip(ovs.MISSING)
    daemon = daemons()
    yield daemon
    daemon.remove_bridges()


@pytest.fixture
def scratch():
    """A folder for many small files."""
    with tempfile.TemporaryDirectory(prefix="lightloom-", dir=MEMORY) as folder:
        yield Path(folder)


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
