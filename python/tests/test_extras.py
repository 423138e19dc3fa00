"""Without an optional package there is a clear message, and everything else works."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import EXAMPLES

HIDDEN = """
import sys
for name in ("pandas", "networkx", "matplotlib", "tqdm", "pyarrow", "ortools", "distributed"):
    sys.modules[name] = None
import lightloom
fabric = lightloom.Fabric(p=4, k=2)
"""


def run(script):
    line = [sys.executable, "-c", HIDDEN + script]
    return subprocess.run(line, capture_output=True, text=True, timeout=60)


def test_what_needs_only_numpy(tmp_path):
    done = run(f"""
fabric.tree(0), fabric.relay_sets(), fabric.budget().margin_db, fabric.recover("relay:8")
fabric.plan({str(tmp_path / "plan")!r}).verify()
result = lightloom.Scenario.open({str(EXAMPLES / "incast.toml")!r}).run()
result.fct_s, result.goodput_bps, lightloom.explore(32)
small = lightloom.Fabric(p=2, tors=6)
lightloom.optimize.prove_placement(small, method="branch-and-bound")
lightloom.optimize.qap.prove(lightloom.optimize.qap.Instance([[0, 1], [1, 0]], [[0, 4], [4, 0]]))
fabric._repr_html_ if hasattr(fabric, "_repr_html_") else None
print("done")
""")
    assert done.stdout == "done\n", done.stderr


@pytest.mark.parametrize(
    ("call", "package", "extra"),
    [
        ("fabric.budget().branches()", "pandas", "pandas"),
        ("fabric.risk().groups()", "pandas", "pandas"),
        ("lightloom.explore(32).designs()", "pandas", "pandas"),
        ("fabric.to_networkx()", "networkx", "networkx"),
        ("fabric.cassette_graph()", "networkx", "networkx"),
        ("lightloom.from_networkx(None)", "networkx", "networkx"),
        ("lightloom.Scenario({}, network=3)", "networkx", "networkx"),
        ("fabric.info(progress=True)", "tqdm", "progress"),
        (
            "lightloom.optimize.prove_placement(lightloom.Fabric(p=2, tors=6))",
            "ortools",
            "optimize",
        ),
        (
            "lightloom.optimize.choose([lightloom.optimize.Pod('a', 12)], splitters=[2])",
            "ortools",
            "optimize",
        ),
        (
            "lightloom.optimize.schedule(fabric, [lightloom.optimize.Job('a', 9)], rate_bps=1e9)",
            "ortools",
            "optimize",
        ),
    ],
)
def test_what_is_missing_is_said(call, package, extra):
    done = run(call)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: {package} is needed for "), done.stderr
    assert last.endswith(f": pip install lightloom[{extra}]")


def test_arrow_is_an_extra():
    done = run(f"""
result = lightloom.Scenario.open({str(EXAMPLES / "incast.toml")!r}).run()
result.arrow()
""")
    assert "pyarrow is needed for Result.arrow(): pip install lightloom[arrow]" in done.stderr
