"""A saved run opens as exactly the same run."""

import numpy as np
import pytest

import chorda
from chorda.results import Code, Status

ARRAYS = ("time", "position", "velocity", "input", "parameters")


@pytest.fixture
def opened(any_run, tmp_path):
    return chorda.open(any_run.save(tmp_path / "run.nc"))


def test_arrays_are_equal_to_the_last_bit(any_run, opened):
    for name in ARRAYS:
        before, after = getattr(any_run, name), getattr(opened, name)
        assert after.dtype == np.float64
        assert np.array_equal(before, after), name


def test_status_provenance_and_counts_are_kept(any_run, opened):
    assert opened.status == any_run.status
    assert opened.provenance == any_run.provenance
    assert opened.counts == any_run.counts


def test_the_system_is_assembled_again(any_run, opened):
    assert opened.system.robot == any_run.system.robot
    assert opened.system.mode == any_run.system.mode
    assert opened.system.coordinate_names == any_run.system.coordinate_names


def test_outputs_and_energies_follow_from_what_was_saved(any_run, opened):
    for name, values in any_run.outputs.items():
        assert np.array_equal(values, opened.outputs[name])
    for before, after in zip(any_run.energy, opened.energy, strict=True):
        assert np.array_equal(before, after)


def test_an_opened_run_can_be_saved_and_continued(any_run, opened, tmp_path):
    again = chorda.open(opened.save(tmp_path / "again.nc"))
    assert np.array_equal(again.position, any_run.position)
    more = chorda.simulate(opened.system, duration=0.01, step=1e-3, initial=opened)
    assert np.array_equal(more.position[0], any_run.position[-1])


@pytest.mark.parametrize("tendons", ["elastic", "rigid"])
def test_every_kind_of_record_survives(tendons, tmp_path):
    from tests.helpers import robots

    system = chorda.assemble(robots.x_joint_of_bars(), tendons=tendons)
    run = chorda.simulate(system, duration=2e-3, step=1e-3)
    opened = chorda.open(run.save(tmp_path / "run.nc"))
    assert opened.system.robot == system.robot
    assert np.array_equal(opened.position, run.position)
    assert np.array_equal(opened.outputs["reaction"], run.outputs["reaction"])


def test_a_run_that_failed_is_saved_as_such(run, tmp_path):
    from dataclasses import replace

    failed = replace(run, status=Status(Code.DIVERGED, "x1 left ° its bounds"))
    assert chorda.open(failed.save(tmp_path / "run.nc")).status == failed.status


def test_settings_of_numpy_types_are_saved(tmp_path):
    system = chorda.assemble(chorda.neck(1))
    run = chorda.simulate(
        system,
        duration=np.float32(0.01),
        step=np.float64(1e-3),
        parameters={"x1.bar_mass": np.float32(0.04), "*.friction": np.int64(0)},
    )
    opened = chorda.open(run.save(tmp_path / "run.nc"))
    assert np.array_equal(opened.parameters, run.parameters)


def test_reprs_are_short(run):
    assert repr(run) == "<Run of neck-2, elastic tendons: 51 times to 0.05 s, completed>"
    assert len(repr(run.system)) < 120
    assert len(repr(chorda.equilibrium(run.system, tensions=5.0))) < 120
