"""Motions and paths of rods know the order of what their functions leave."""

import numpy as np
import pytest

import chorda
from tests.helpers.rod_robots import robot, rod


def falling(count):
    return chorda.assemble(robot(rod({"bend_z": count}), gravity=(0, -9.81, 0)))


def tips(system, **given):
    run = chorda.simulate(system, duration=0.2, step=1e-3, scheme="generalized-alpha", **given)
    return run, run.frame("rod.tip")[0]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_error_of_few_functions_is_of_the_order_of_the_estimate(count):
    run, few = tips(falling(count))
    _, many = tips(falling(8))
    true = np.max(np.linalg.norm(few - many, axis=1))
    assert 0.1 < run.accuracy.space.worst / true < 10
    assert not run.accuracy.space.reliable


def test_one_function_is_told_in_the_status():
    run, _ = tips(falling(1))
    assert "The rods are not resolved: rod.tip is off by roughly" in run.status.message
    assert "more functions" in run.status.message
    run, _ = tips(falling(6))
    assert "resolved" not in run.status.message


def test_robots_without_rods_have_none():
    run = chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.01, step=1e-3)
    assert run.accuracy.space is None


def test_a_path_has_the_estimate_of_its_most_strained_configuration():
    system = falling(2)
    first = chorda.equilibrium(system, hold={"rod.young_modulus": 5e9})
    path = chorda.follow(first, hold={"rod.young_modulus": np.geomspace(5e9, 2e9, 12)})
    last = chorda.equilibrium(system, hold={"rod.young_modulus": 2e9}, initial=path.at(-1))
    assert path.accuracy.worst == pytest.approx(last.accuracy.worst, rel=1e-2)
    assert path.accuracy.worst > 2 * first.accuracy.worst
    assert path.at(-1).accuracy is path.accuracy
    assert path.at(0).accuracy.worst == pytest.approx(first.accuracy.worst, rel=1e-6)


def test_each_configuration_of_a_path_reports_its_own_error():
    first = chorda.equilibrium(falling(2), hold={"rod.young_modulus": 1e11})
    path = chorda.follow(first, hold={"rod.young_modulus": np.geomspace(1e11, 1e9, 12)})
    assert "The rods are not resolved" not in path.at(0).status.message
    assert "The rods are not resolved" in path.at(-1).status.message


def test_a_path_of_rods_with_one_function_is_told():
    first = chorda.equilibrium(falling(1), hold={"rod.young_modulus": 5e9})
    path = chorda.follow(first, hold={"rod.young_modulus": np.geomspace(5e9, 2e9, 12)})
    assert path.status.ok
    assert "The rods are not resolved" in path.status.message
