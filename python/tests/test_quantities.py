"""Quantities as numbers, by keywords that name the unit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lightloom import DesignError, DesignTypeError, Fabric
from lightloom._inputs import QUANTITIES, SETTINGS


def test_every_quantity_but_money_has_a_keyword_for_numbers():
    named = {quantity.setting for quantity in QUANTITIES.values()}
    # An amount of money needs its currency.
    with_units = {
        name for name, said in SETTINGS.items() if said.expected.endswith(", with its unit")
    }
    assert named == with_units - {"energy_price"}


def outcome(**said):
    """The fabric of some settings, or how they are refused."""
    try:
        return Fabric(p=4, k=2, **said)
    except DesignError as error:
        return (str(error), error.field)


@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_numbers_are_the_texts_with_their_unit(name):
    said, unit = QUANTITIES[name]
    number = {"m": 3, "b/s": 25_000_000_000, "dB": 2, "B": 4_000_000_000}[unit]
    listed = [f"{number} {unit}"] if said == "cross_aisles" else f"{number} {unit}"
    # Margins and penalties are those of optics.
    lit = {"transceiver": "10gbase-er"} if unit == "dB" else {}
    by_text = outcome(**lit, **{said: listed})
    for value in (number, np.int64(number), float(number), np.float64(number)):
        assert outcome(**lit, **{name: value}) == by_text
    for value in (f"{number}", f"{number} {unit}", True, 1j, {"a": 1}, Path("1")):
        with pytest.raises(DesignTypeError) as caught:
            Fabric(p=4, k=2, **{name: value})
        assert caught.value.field == name
        assert str(caught.value).endswith(f"; expected a number, in {unit}")
    for value in (float("nan"), float("inf")):
        with pytest.raises(DesignError, match="expected a finite number"):
            Fabric(p=4, k=2, **{name: value})
    with pytest.raises(DesignError, match=f"is given together with {said}") as caught:
        Fabric(p=4, k=2, **{name: number, said: listed})
    assert caught.value.field == name


def test_small_and_large_numbers_lose_nothing():
    assert Fabric(p=4, k=2, slack_m=1e-6) == Fabric(p=4, k=2, slack="0.000001 m")
    lit = {"transceiver": "100gbase-dr"}
    assert outcome(rate_bps=1e11, **lit) == outcome(rate="100000000000 b/s", **lit)
    aisles = Fabric(p=4, k=2, cross_aisles_m=[3, 6.5])
    assert aisles == Fabric(p=4, k=2, cross_aisles=["3 m", "6.5 m"])
