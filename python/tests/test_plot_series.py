"""Figures of several series: failures, sweeps, searches and schedules."""

from __future__ import annotations

import pytest

import lightloom

pytest.importorskip("matplotlib").use("Agg")


def looks(ax):
    return [
        (line.get_linestyle(), line.get_marker(), line.get_color(), line.get_label())
        for line in ax.lines
    ]


def test_sixteen_lines_differ_and_forty_stay_readable():
    fabric = lightloom.Fabric(p=4, k=2)
    failures = fabric.single_failures()
    few = lightloom.plot.impact([fabric.impact(failed) for failed in failures[:16]])
    assert len({look[:3] for look in looks(few)}) == 16
    legend = few.get_legend()
    few.figure.canvas.draw()
    # It covers nothing: it begins where the axes end.
    assert legend.get_window_extent().x0 >= few.get_window_extent().x1
    many = lightloom.plot.impact([fabric.impact(failed) for failed in failures[:40]])
    assert len(many.lines) == 40 and many.get_legend() is None
    assert "40 failure sets" in many.get_title()
    assert all(line.get_linewidth() < 1 for line in many.lines)


def test_points_of_sweeps():
    rows = [{"x": x, "y": x * s, "s": s} for s in range(16) for x in range(3)]
    rows += [{"x": 1, "y": None, "s": 0}, {"refused": "why"}]
    ax = lightloom.plot.points(rows, "x", "y", by="s")
    assert len(ax.lines) == 16 and len({look[:3] for look in looks(ax)}) == 16
    assert [len(line.get_xdata()) for line in ax.lines] == [3] * 16
    for wrong in ({"x": "no"}, {"y": "no"}, {"by": "no"}):
        with pytest.raises(lightloom.DesignError) as refused:
            lightloom.plot.points(rows, **({"x": "x", "y": "y"} | wrong))
        assert refused.value.field in wrong


def test_searches_and_schedules():
    fabric = lightloom.Fabric(p=2, tors=24)
    found = [fabric.place(chains=1, rounds=3, seed=seed) for seed in range(2)]
    ax = lightloom.plot.search(found)
    assert ax.get_ylabel() == "cost (USD)"
    assert [list(line.get_ydata()) for line in ax.lines] == [
        list(each.curve / 1e6) for each in found
    ]
    gap = lightloom.plot.search(found[0], bound=float(found[0].curve[-1]))
    assert gap.lines[0].get_ydata()[-1] == 0 and gap.get_ylabel() == "above the bound (%)"
    for wrong in (3, [], ["a"]):
        with pytest.raises(lightloom.DesignError):
            lightloom.plot.search(wrong)
    with pytest.raises(lightloom.DesignError):
        lightloom.plot.search(found, bound=0)
    starts = [
        lightloom.optimize.Start("a", 3, 0.0, 1e-3, ()),
        lightloom.optimize.Start("b", 1, 1e-3, 3e-3, ()),
    ]
    ax = lightloom.plot.schedule(starts)
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [(0.0, 1.0), (1.0, 2.0)]
    assert ax.get_xlabel() == "time (ms)"
    with pytest.raises(lightloom.DesignError):
        lightloom.plot.schedule([])
