"""Kills lose nothing that was complete."""

import pytest

from tests.fuzz import kills


def test_a_run_that_is_being_written_is_killed(tmp_path):
    *_, (_, attempt) = kills.cases(tmp_path, 3, 1)
    assert attempt().word == "kept"


@pytest.mark.slow
def test_sweeps_maps_and_runs_are_killed(tmp_path):
    assert {attempt().word for _, attempt in kills.cases(tmp_path, 6, 2)} == {"kept"}
