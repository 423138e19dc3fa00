"""Choices for several pods, against all combinations of what explore lists."""

from __future__ import annotations

import itertools
import pickle

import pytest

from lightloom import DesignError, Fabric, InfeasibleError, explore
from lightloom.optimize import Pod, choose

PODS = [Pod("a", 12, 18), Pod("b", 18)]
SOME = {"splitters": [2, 3], "housings": ["sender", "receiver"]}
KEYS = ("family", "p", "housing", "cabling", "transceiver")


@pytest.fixture(scope="module")
def candidates(tmp_path_factory):
    """The candidates of both pods, listed and grown by hand: (key, design, later, moved)."""
    place = tmp_path_factory.mktemp("grown")
    found, moved = [], {}
    for number, pod in enumerate(PODS):
        sizes = [pod.tors] + ([pod.tors_later] if pod.tors_later else [])
        listed = []
        for tors in sizes:
            rows = {}
            for design in explore(tors).report["designs"]:
                if design["p"] in (2, 3) and design["housing"] in ("sender", "receiver"):
                    rows.setdefault(tuple(design[key] for key in KEYS), design)
            listed.append(rows)
        own = []
        for key, design in listed[0].items():
            if any(key not in rows for rows in listed):
                continue
            cords = 0
            if pod.tors_later:
                if key[:4] not in moved:
                    settings = dict(zip(KEYS[:4], key[:4], strict=True))
                    fabric = Fabric(**settings, tors=pod.tors)
                    try:
                        plan = fabric.plan(place / f"{number}-{len(moved)}")
                        grown = plan.grow(pod.tors_later).report
                        cords = grown["moved_transmit_cords"] + grown["moved_receive_cords"]
                        moved[key[:4]] = cords
                    except (DesignError, InfeasibleError):
                        moved[key[:4]] = None
                cords = moved[key[:4]]
            if cords is not None:
                own.append((key, design, listed[-1][key], cords))
        found.append(own)
    return found


def price(design):
    return float(design["cost"].split()[0])


def best(candidates, keeps=lambda picks: True):
    """The least cost of later sizes, and the fewest moved cords at that cost."""
    picks = [each for each in itertools.product(*candidates) if keeps(each)]
    if not picks:
        return None
    return min(
        (round(sum(price(later) for _, _, later, _ in each), 2), sum(each[at][3] for at in (0, 1)))
        for each in picks
    )


@pytest.mark.parametrize("same", [[], ["transceiver"], ["p", "housing"]])
def test_the_choice_is_the_best_of_all_combinations(candidates, same):
    found = choose(PODS, **SOME, same=same)
    at = [KEYS.index(key) for key in same]

    def keeps(picks):
        return all(len({each[0][number] for each in picks}) == 1 for number in at)

    assert (round(found.cost_later, 2), found.moved_cords) == best(candidates, keeps)
    assert found.proved and found.report["candidates"] == [len(each) for each in candidates]
    assert pickle.loads(pickle.dumps(found)) == found
    for fabric, choice in zip(found.fabrics().values(), found.choices, strict=True):
        assert (fabric.family, fabric.p) == (choice.family, choice.p)
    assert list(found.table()["pod"]) == ["a", "b"]


def test_limits_hold_and_cost_what_they_must(candidates):
    first = choose(PODS, **SOME)
    margin = 1.0
    found = choose(PODS, **SOME, least_margin_db=margin, most_transceivers=1)

    def keeps(picks):
        margins = [each["worst_margin_db"] for _, now, later, _ in picks for each in (now, later)]
        one = len({each[0][4] for each in picks}) == 1
        return one and all(value is not None and value >= margin for value in margins)

    assert (round(found.cost_later, 2), found.moved_cords) == best(candidates, keeps)
    assert found.cost_later >= first.cost_later
    assert all(choice.margin_db >= margin for choice in found.choices)
    fewest = choose(PODS, **SOME, minimise=["moved", "cost"])
    assert fewest.moved_cords <= first.moved_cords
    assert fewest.moved_cords == min(cords for *_, cords in candidates[0])
    short = choose(PODS, **SOME, minimise=["hops"])
    assert max(choice.first["max_hops"] for choice in short.choices) <= max(
        choice.first["max_hops"] for choice in first.choices
    )


def test_a_smallest_set_of_limits_that_conflict_is_named():
    cheapest = choose(PODS, **SOME).cost
    with pytest.raises(InfeasibleError) as refused:
        choose(PODS, **SOME, most_cost=cheapest - 1, most_moved=10_000, same=["p"])
    assert str(refused.value).splitlines()[1:] == [f"- most_cost = {cheapest - 1}"]
    assert choose(PODS, **SOME, most_cost=cheapest).cost == pytest.approx(cheapest)


def test_a_pod_without_a_design_is_named():
    with pytest.raises(InfeasibleError, match="pod 'a' has no design for 13 ToRs; allow more"):
        choose([Pod("a", 13)], families=["shufflecast"])


@pytest.mark.parametrize(
    ("pods", "asked", "field"),
    [
        ([], {}, "pods"),
        ("ab", {}, "pods"),
        ([3], {}, "pods[0]"),
        ([Pod("a", 12), Pod("a", 12)], {}, "pods[1].name"),
        ([Pod("a", 12, 12)], {}, "pods[0].tors_later"),
        ([Pod("a", -1)], {}, "pods[0].tors"),
        (PODS, {"same": ["colour"]}, "same"),
        (PODS, {"minimise": ["joy"]}, "minimise"),
        (PODS, {"most_cost": "much"}, "most_cost"),
        (PODS, {"time_s": -1}, "time_s"),
        (PODS, {"splitters": [2.5]}, "splitters"),
        (PODS, {"housing": "sender"}, "housing"),
        (PODS, {"transceiver": "10gbase-er"}, "transceiver"),
        (PODS, {"cabling": "trunked"}, "cabling"),
    ],
)
def test_wrong_options_name_themselves(pods, asked, field):
    with pytest.raises(DesignError) as refused:
        choose(pods, **asked)
    assert refused.value.field == field
