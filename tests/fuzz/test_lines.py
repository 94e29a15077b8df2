"""Wrong command lines end in clear errors, or are taken; nothing raw, nothing stuck."""

import pytest
import typer

from chorda.cli import app
from tests.fuzz.lines import ADDED, lines, run, works


def refused_badly(outcomes):
    return [x for x in outcomes if x.word in ("raw", "slow")]


def test_every_option_of_every_command_is_in_a_line():
    """Options that several commands share are in the lines of one of them."""
    given = {token for line in lines() for token in line if token.startswith("-")}
    given |= {flag for flags in ADDED.values() for flag in flags}
    for name, command in typer.main.get_command(app).commands.items():
        assert any(line[0] == name for line in lines())
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.name != "help":
                assert any(flag in given for flag in parameter.opts), (name, parameter.opts)


def test_some_wrong_lines():
    outcomes = run(count=60, seed=1)
    assert len({x.call for x in outcomes}) > 8
    assert not refused_badly(outcomes)


@pytest.mark.slow
def test_the_lines_that_wrong_ones_start_from_work():
    assert works() == []


@pytest.mark.slow
def test_five_thousand_wrong_lines():
    assert not refused_badly(run(count=5000, seed=2))
