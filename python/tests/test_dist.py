"""The distributed files: the wheel and the source distribution."""

from __future__ import annotations

import os
import posixpath
import re
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from conftest import ROOT

LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]
TEXTS = {name: (ROOT / name).read_bytes() for name in LICENCES}


def built(pattern):
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "wheels"
    found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)
    assert found, f"{folder}: no {pattern}; scripts/test-python builds it"
    return found[-1]


@pytest.fixture(scope="module")
def wheel():
    with zipfile.ZipFile(built("lightloom-*.whl")) as archive:
        yield {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def sdist():
    """Files by their path below the folder of the archive."""
    with tarfile.open(built("lightloom-*.tar.gz")) as archive:
        yield {
            member.name.partition("/")[2]: archive.extractfile(member).read()
            for member in archive.getmembers()
            if member.isfile()
        }


def test_copies_are_those_of_the_root():
    for name, text in TEXTS.items():
        assert (ROOT / "python" / name).read_bytes() == text


def test_the_wheel_has_its_licences(wheel):
    (metadata,) = (name for name in wheel if name.endswith(".dist-info/METADATA"))
    head = Parser().parsestr(wheel[metadata].decode())
    assert head["License-Expression"] == "Apache-2.0 OR MIT"
    assert sorted(head.get_all("License-File")) == LICENCES
    # The place that PEP 639 prescribes.
    folder = metadata.removesuffix("METADATA") + "licenses/"
    assert {name: wheel[folder + name] for name in LICENCES} == TEXTS


def test_the_sdist_has_its_licences(sdist):
    head = Parser().parsestr(sdist["PKG-INFO"].decode())
    assert head["License-Expression"] == "Apache-2.0 OR MIT"
    assert sorted(head.get_all("License-File")) == LICENCES
    assert {name: sdist[name] for name in LICENCES} == TEXTS


def test_the_sdist_has_all_that_it_is_built_from(sdist):
    sources = {name: text.decode() for name, text in sdist.items() if name.endswith(".rs")}
    included = 0
    for name, text in sources.items():
        folder = posixpath.dirname(name)
        for path in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', text):
            included += 1
            assert posixpath.normpath(posixpath.join(folder, path)) in sdist, f"{name}: {path}"
        # A macro that includes the given file.
        for path in re.findall(r'shipped!\("([^"]+)"\)', text):
            included += 1
            assert posixpath.join(folder, path) in sdist, f"{name}: {path}"
    catalogues = sorted(path.name for path in (ROOT / "catalogue").glob("*.toml"))
    assert included >= len(catalogues) - 1
    assert all(f"catalogue/{name}" in sdist for name in catalogues)
    manifests = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("crates/*/Cargo.toml")]
    unneeded = {f"crates/{name}/Cargo.toml" for name in ("cli", "gui", "raster", "window")}
    assert set(manifests) - unneeded <= set(sdist)
