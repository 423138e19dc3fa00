"""Bounds: below every assignment, and below what a search finds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightloom import DesignError, Fabric
from lightloom.optimize import placement_bound, projection_bound


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1), st.booleans())
def test_the_bound_is_below_every_assignment(size, seed, sparse):
    draws = np.random.default_rng(seed)
    flows = draws.integers(0, 9, (size, size)).astype(float)
    flows *= draws.random((size, size)) < (0.4 if sparse else 1.0)
    places = draws.random((size, 2)) * 100
    far = np.hypot(*np.moveaxis(places[:, None] - places[None], -1, 0))
    bound = projection_bound(flows, far)
    best = min(
        float((flows * far[np.ix_(order, order)]).sum())
        for order in map(list, itertools.permutations(range(size)))
    )
    assert bound <= best + 1e-6 * max(best, 1.0)


def test_the_bound_is_sharp_where_all_assignments_are_alike():
    size = 7
    alike = np.ones((size, size)) - np.eye(size)
    assert projection_bound(alike, 3.0 * alike) == pytest.approx(3.0 * size * (size - 1))


@pytest.mark.parametrize("family", [{"p": 2, "k": 3}, {"family": "kautz", "p": 3, "tors": 60}])
def test_the_bound_is_below_what_a_search_finds(family):
    fabric = Fabric(**family)
    bound = placement_bound(fabric)
    placed = placement_bound(fabric.place(chains=1, rounds=4).fabric)
    assert placed.routed_m == pytest.approx(bound.routed_m)
    assert 0 < bound.routed_m <= placed.now_m < bound.now_m
    assert bound.share < placed.share <= 1


@pytest.mark.parametrize("housing", ["receiver", "zone"])
def test_other_housings_are_refused(housing):
    with pytest.raises(DesignError, match="splitters at the senders") as refused:
        placement_bound(Fabric(p=2, tors=12, housing=housing))
    assert refused.value.field == "housing"


@pytest.mark.parametrize(
    ("flows", "far", "field"),
    [
        (np.ones((2, 3)), np.ones((2, 3)), "flows"),
        (np.ones((2, 2)), np.ones((3, 3)), "flows"),
        (np.ones((2, 2)), np.array([[0.0, 1.0], [2.0, 0.0]]), "distances"),
    ],
)
def test_matrices_that_are_none_are_refused(flows, far, field):
    with pytest.raises(DesignError) as refused:
        projection_bound(flows, far)
    assert refused.value.field == field
