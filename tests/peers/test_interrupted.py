"""Commands that write leave the old or the new, wherever they are cut off, and nothing else after a rerun."""

import itertools
import random

import interrupted
import pytest

KILL = ["signal=SIGKILL"]
FAIL = [f"error={error}" for error in interrupted.ERRORS]


@pytest.fixture(scope="module", params=interrupted.writers(), ids=lambda writer: writer.name)
def bench(request, lightloom, tmp_path_factory):
    place = tmp_path_factory.mktemp("interrupted") / "place"
    return interrupted.Bench(lightloom, request.param, place)


def wrong(bench, whats, most):
    cases = list(bench.cases(whats))
    random.Random(1).shuffle(cases)
    bench.reached = 0
    found = [bench.disturbed(*case) for case in itertools.islice(itertools.cycle(cases), most)]
    assert bench.reached >= most * 0.9, f"only {bench.reached} of {most} runs were cut off"
    print(f"{bench.writer.name}: {bench.reached} of {most} runs were cut off")
    return [each for each in found if each]


@pytest.mark.parametrize("whats", [KILL, FAIL], ids=["kills", "failures"])
def test_old_or_new_and_nothing_left(bench, whats):
    assert wrong(bench, whats, 3) == []


@pytest.mark.long("interrupted-all")
@pytest.mark.parametrize(("whats", "most"), [(KILL, 63), (FAIL, 126)], ids=["kills", "failures"])
def test_old_or_new_everywhere(bench, whats, most):
    # Over 16 commands these are more than 1,000 kills and 2,000 failures.
    assert wrong(bench, whats, most) == []
