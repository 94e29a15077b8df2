"""Rods that are fed: what the feeder holds, and how a hanging rod runs out, in closed form."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Robot
from tests.helpers.fed_robots import RANGE, rod, single

EI, EA, MASS = 2e11 * math.pi / 4 * 1e-12, 2e11 * math.pi * 1e-6, 7850 * math.pi * 1e-6
G = 9.81


def held(robot, length=0.5):
    return chorda.equilibrium(chorda.assemble(robot), hold={"leg.length": length}, strict=True)


def test_a_bent_rod_pushes_out_of_its_feeder_with_the_energy_of_a_metre():
    """A moment M at the tip: what holds the length is -M^2 / (2 EI), however long it is."""
    moment = 0.4
    robot = single(loads=[{"name": "m", "at": {"frame": "leg.tip"}, "moment": [0, 0, moment]}])
    for length in (0.3, 0.5, 1.2):
        rest = held(robot, length)
        assert rest.position["leg.bend_z0"] == pytest.approx(moment / EI, rel=1e-9)
        assert rest.efforts["leg.length"] == pytest.approx(-(moment**2) / (2 * EI), rel=1e-8)


def test_a_rod_that_is_pushed_back_holds_the_push_less_the_energy_of_its_compression():
    push = 300.0
    robot = single(
        modes={"bend_z": 0, "stretch": 1},
        loads=[{"name": "f", "at": {"frame": "leg.tip"}, "force": [-push, 0, 0]}],
    )
    assert held(robot).efforts["leg.length"] == pytest.approx(push - push**2 / (2 * EA), rel=1e-10)


def test_a_hanging_rod_pulls_with_the_weight_that_is_out():
    robot = single(gravity=(G, 0, 0))
    assert held(robot, 0.8).efforts["leg.length"] == pytest.approx(-MASS * G * 0.8, rel=1e-9)


def test_a_rod_with_its_own_bend_needs_no_force_to_pass_its_base():
    robot = single(rest={"bend_z": 2.0})
    assert held(robot).efforts["leg.length"] == pytest.approx(0, abs=1e-9)


def test_a_hanging_rod_runs_out_as_its_energy_has_it():
    """Straight down with nothing at its feeder: m L v^2 = m g (L^2 - L0^2)."""
    system = chorda.assemble(single(gravity=(G, 0, 0)))
    run = chorda.simulate(
        system, duration=0.25, step=1e-4, scheme="generalized-alpha", rho_inf=1.0, strict=True
    )
    L, v = run.position[:, -1], run.velocity[:, -1]
    assert L[-1] > 0.75
    np.testing.assert_allclose(v**2, G * (L - 0.25 / L), atol=1e-4)


def test_a_feeder_that_is_thrown_carries_the_whole_rod():
    """What is not out waits at the base: momentum along the slide is that of the longest rod."""
    slide = {"name": "slide", "kind": "prismatic", "axis": [0, 1, 0], "body": {"mass": 0.1}}
    robot = Robot.model_validate(
        {"name": "thrown", "gravity": [0, 0, 0], "joints": [slide, rod(parent="slide")]}
    )
    system = chorda.assemble(robot)
    assert system.M_at(system.rest)[0, 0] == pytest.approx(0.1 + MASS * RANGE[1], rel=1e-12)
