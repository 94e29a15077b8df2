"""Wrong arguments of public calls end in clear errors, or are taken; nothing raw, nothing stuck."""

import pytest

from tests.fuzz.arguments import run


def refused_badly(outcomes):
    return [x for x in outcomes if x.word in ("raw", "slow")]


def test_some_wrong_arguments_of_every_verb():
    outcomes = run(count=500, seed=1)
    assert len({x.call for x in outcomes}) > 15
    assert not refused_badly(outcomes)


@pytest.mark.slow
def test_all_wrong_arguments_of_every_verb():
    assert not refused_badly(run())
