"""Assignments as matrices: searched and proved against all orders, and files of QAPLIB."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightloom import DesignError
from lightloom.optimize import qap


def instances(most=6):
    def matrices(size):
        matrix = st.lists(st.integers(-5, 40), min_size=size * size, max_size=size * size)
        square = matrix.map(lambda values: np.array(values).reshape(size, size))
        return st.builds(qap.Instance, square, square)

    return st.integers(1, most).flatmap(matrices)


def least(instance):
    orders = itertools.permutations(range(instance.size))
    a, b = instance.flows, instance.distances
    return min(int((a * b[np.ix_(order, order)]).sum()) for order in map(list, orders))


@settings(deadline=None, max_examples=60)
@given(instances())
def test_search_and_proof_reach_the_least_of_all_orders(instance):
    best = least(instance)
    found, proof = qap.solve(instance, chains=2, rounds=1), qap.prove(instance)
    assert found.cost == instance.cost(found.locations) == best
    assert proof.cost == instance.cost(proof.locations) == best
    assert proof.proved and not proof.missing and not found.missing


def test_same_rounds_and_seed_give_the_same_assignment():
    draws = np.random.default_rng(3)
    instance = qap.Instance(draws.integers(0, 99, (20, 20)), draws.integers(0, 99, (20, 20)))
    one = qap.solve(instance, chains=2, rounds=2, seed=7)
    assert one == qap.solve(instance, chains=2, rounds=2, seed=7)
    assert pickle.loads(pickle.dumps(one)) == one
    assert (np.diff(one.curve) <= 0).all() and one.curve[-1] == one.cost


@settings(deadline=None, max_examples=30)
@given(instances(), st.sampled_from(["\n", " ", " \n\n  "]))
def test_files_are_read_as_they_were_written(tmp_path_factory, instance, gap):
    file = tmp_path_factory.mktemp("qaplib") / "a.dat"
    parts = [instance.size, *instance.flows.ravel(), *instance.distances.ravel()]
    file.write_text(gap.join(map(str, parts)))
    again = qap.read(file)
    assert (again.flows == instance.flows).all()
    assert (again.distances == instance.distances).all()
    order = list(range(instance.size))[::-1]
    file.write_text(f"{instance.size} -12\n" + " ".join(str(at + 1) for at in order))
    known = qap.read_solution(file)
    assert known.cost == -12 and known.permutation.tolist() == order


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "found nothing; expected the size"),
        ("0", 1, "found 0; expected the size"),
        ("2\n1 2 3 4\n1 2 3", 3, "found 7 numbers after the size 2; two matrices have 8"),
        ("2\n1 2\n3 x\n1 2 3 4", 3, "found 'x'; expected a whole number"),
        ("2\n1 2\n3 1.5\n1 2 3 4", 3, "found '1.5'; expected a whole number"),
        (f"1\n{1 << 62}\n1", 2, "which is too large"),
    ],
)
def test_wrong_files_are_refused_with_their_line(tmp_path, text, line, says):
    file = tmp_path / "wrong.dat"
    file.write_text(text)
    with pytest.raises(DesignError, match=says) as refused:
        qap.read(file)
    assert refused.value.line == line and refused.value.file == str(file)


@pytest.mark.parametrize("text", ["", "2 5 1", "2 5 1 1", "2 5 0 1", "3 5 1 2"])
def test_wrong_solutions_are_refused(tmp_path, text):
    file = tmp_path / "wrong.sln"
    file.write_text(text)
    with pytest.raises(DesignError, match=r"wrong\.sln:1: "):
        qap.read_solution(file)


@pytest.mark.parametrize(
    ("flows", "distances", "field"),
    [
        ([[1, 2]], [[1]], "flows"),
        ([[1]], [[1, 2], [3, 4]], "distances"),
        ([[0.5]], [[1]], "flows"),
        ([["a"]], [[1]], "flows"),
        ([], [], "flows"),
        ([[1, 2], [3]], [[1]], "flows"),
        ([[np.nan]], [[1]], "flows"),
    ],
)
def test_what_is_no_instance_is_refused(flows, distances, field):
    with pytest.raises(DesignError) as refused:
        qap.Instance(flows, distances)
    assert refused.value.field == field


def test_costs_beyond_62_bits_are_refused():
    large = qap.Instance([[1 << 40]], [[1 << 40]])
    assert large.cost([0]) == 1 << 80
    with pytest.raises(DesignError, match="costs below 2\\^62"):
        qap.solve(large, chains=1, rounds=1)


def test_wrong_options_name_themselves():
    instance = qap.Instance([[0, 1], [1, 0]], [[0, 4], [4, 0]])
    for asked in ({}, {"time": "x"}, {"time": "1 s", "rounds": 2}, {"chains": 2}):
        with pytest.raises(DesignError):
            qap.solve(instance, **asked)
    with pytest.raises(DesignError, match="facility 1 still has flows"):
        qap.prove(instance, facilities=1)
    with pytest.raises(DesignError, match="each location from 0 to 1 once"):
        instance.cost([0, 0])
    with pytest.raises(DesignError, match="an Instance"):
        qap.solve([[1]], chains=1, rounds=1)


def test_more_facilities_than_a_search_takes_are_refused():
    large = qap.Instance(np.zeros((1_025, 1_025), int), np.zeros((1_025, 1_025), int))
    with pytest.raises(DesignError, match="of 1 to 1024 facilities"):
        qap.solve(large, chains=1, rounds=1)
