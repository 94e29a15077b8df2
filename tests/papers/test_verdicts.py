"""Every verdict of every paper can come out the other way, and is one of four words."""

import math
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from chorda.papers import PAPERS
from chorda.papers.comparison import Row, Verdict, not_determined, own_check, summary
from chorda.papers.tolerance import (
    NO,
    YES,
    above,
    at_least,
    at_most,
    below,
    between,
    equal,
    number,
    printed,
    within,
)

DOCS = Path(__file__).parents[2] / "docs" / "papers.md"
TOLERANCES = [
    within(0.4, relative=0.1),
    within(-3.0, absolute=0.5),
    printed("0.13", relative=0.1),
    printed("-218"),
    below(0.0),
    above(2.0),
    at_most(1.0),
    at_least(1.0),
    between(0.5, 2.0),
    equal(7.0),
    YES,
    NO,
]


def others(row):
    """Values on the other side of a row's tolerance."""
    low, high = row.tolerance.low, row.tolerance.high
    if row.holds:
        ends = [x for x in (low, high) if math.isfinite(x)]
        values = [x + sign * max(1.0, abs(x)) for x in ends for sign in (-1, 1)]
    elif math.isinf(low) or math.isinf(high):
        values = [low + max(1.0, abs(low)), high - max(1.0, abs(high))]
    else:
        values = [(low + high) / 2]
    return [x for x in values if math.isfinite(x) and replace(row, value=x).holds != row.holds]


def assert_it_can_come_out_the_other_way(row):
    assert isinstance(row.value, float | int)
    if row.tolerance is None:
        assert row.verdict is Verdict.NOT_DETERMINED
        assert row.why, f"{row.quantity}: what does the paper leave out?"
        return
    values = others(row)
    assert values, f"{row.quantity}: no value changes the verdict"
    for value in values:
        other = replace(row, value=value)
        assert other.text != row.text, row.quantity
        assert other.shown(value) != row.shown(row.value), f"{row.quantity}: fixed text"
        if not row.own:
            assert {other.verdict, row.verdict} == {Verdict.REPRODUCED, Verdict.DIFFERS}


@pytest.mark.parametrize("key", PAPERS)
def test_a_disturbed_value_changes_the_verdict_of_its_row(reproduced, key):
    rows = reproduced(key).rows
    assert rows
    for row in rows:
        assert_it_can_come_out_the_other_way(row)


@pytest.mark.parametrize("key", PAPERS)
def test_tables_print_verdicts_of_rows_alone(reproduced, key):
    made = reproduced(key)
    compared = {x.title for x in made.comparisons}
    for table in made.tables:
        if table.title not in compared:
            words = [
                w for w in Verdict for row in table.texts for cell in row if cell.startswith(w)
            ]
            assert not words, f"{table.title}: {words[0]} is fixed text"


@pytest.mark.parametrize("key", PAPERS)
def test_rows_are_helped_by_choices_that_are_listed(reproduced, key):
    listed = [x.key for x in import_module(f"chorda.papers.{key}").PAPER.choices]
    assert len(set(listed)) == len(listed)
    for row in reproduced(key).rows:
        assert set(row.helped_by) <= set(listed), row.quantity


@pytest.mark.parametrize("key", PAPERS)
def test_the_documented_summary_is_what_the_quick_command_prints(reproduced, key):
    assert f"    {reproduced(key).summary}\n" in DOCS.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("key", PAPERS)
def test_the_documented_summary_is_what_the_whole_command_prints(tmp_path, key):
    made = PAPERS[key](tmp_path, progress=False)
    assert f"    {made.summary}\n" in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("tolerance", TOLERANCES)
@pytest.mark.parametrize("value", [-300.0, -3.0, 0.0, 0.4, 1.0, 7.0, 300.0])
@pytest.mark.parametrize("own", [False, True])
def test_every_kind_of_tolerance_can_fail(tolerance, value, own):
    row = Row("x", "-", value, tolerance, own)
    for x in others(row):
        assert replace(row, value=x).text != row.text
    assert others(row)


def test_a_tolerance_without_ends_is_found_out():
    with pytest.raises(AssertionError, match="no value changes"):
        assert_it_can_come_out_the_other_way(Row("x", "-", 1.0, between(-math.inf, math.inf)))


def test_fixed_text_is_found_out():
    fixed = replace(number, text=lambda _: "met")
    with pytest.raises(AssertionError, match="fixed text"):
        assert_it_can_come_out_the_other_way(Row("x", "-", 1.0, below(2.0), shown=fixed))


def test_what_is_not_a_number_is_not_reproduced():
    assert Row("x", "-", math.nan, below(2.0)).verdict is Verdict.DIFFERS


def test_summaries_count_each_word():
    rows = [
        Row("a", "-", 1.0, YES),
        Row("b", "-", 1.0, YES, helped_by=("inertia",)),
        Row("c", "-", 0.0, YES),
        not_determined("d", "-", 3.0, "the inertia"),
        own_check("e", 1.0, YES),
        own_check("f", 0.0, YES),
    ]
    assert summary(rows) == (
        "2 rows reproduced (1 of them helped by a choice), 1 differ, 1 not determined; "
        "2 own checks, 1 of them not met"
    )
