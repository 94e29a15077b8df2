"""Limits are told apart, each by itself: stress along the rods, ranges of joints, efforts."""

import numpy as np
import pytest

import chorda


def test_stress_is_that_of_the_outer_fibre_where_the_rod_bends_most(small):
    along = np.linspace(-1, 1, 2001)
    for index in np.argwhere(small.reached)[::11]:
        position = small.at(*index).position
        most = 0.0
        for leg in ("leg1", "leg2"):
            c = [position[f"{leg}.bend_z{k}"] for k in range(5)]
            bend = np.abs(np.polynomial.legendre.legval(along, c)).max()
            most = max(most, 210e9 * 1e-3 * bend)
            # between 41 places a polynomial of degree 4 hides less than a hundredth
            assert small.quantity(f"{leg}.stress")[tuple(index)] == pytest.approx(
                210e9 * 1e-3 * bend, rel=1e-2
            )
        assert small.quantity("stress")[tuple(index)] == pytest.approx(most, rel=1e-2)


def test_each_limit_is_told_apart(small):
    seen = set()
    for index in map(tuple, np.argwhere(small.reached)[::5]):
        at = small.at(*index)
        broken = {name for name, mask in small.violations.items() if mask[index]}
        expected = set()
        if not 0.5 <= at.position["motor1"] <= 3.5:
            expected.add("motor1")
        if abs(at.efforts["motor2"]) > 0.4:
            expected.add("motor2.effort")
        assert broken - {"stress"} == expected
        assert small.allowed[index] == (not broken)
        seen |= broken
    assert seen == {"stress", "motor1", "motor2.effort"}
    assert small.counts["usable"] == int(np.sum(small.allowed & small.stable()))
    assert 0 < small.counts["usable"] < small.counts["reached"]


def test_a_bent_strip_has_its_strain_at_half_its_width():
    """3-rfr: arcs of 4 / m at rest carry no stress; one more rad/m strains by half of 0.8 mm."""
    system = chorda.assemble(chorda.load("3-rfr"))
    from chorda.statics.workspace.peaks import gauges

    q = system.rest.copy()
    q[system.coordinate_names.index("leg2.bend_z0")] = 1.0
    found = {g.name: g.peak(q[None])[0] for g in gauges(system, system.parameter_values)}
    assert found == pytest.approx({"leg1": 0.0, "leg2": 0.4e-3, "leg3": 0.0})


def test_ranges_that_a_robot_describes_count(start):
    robot = start.system.robot
    motor = robot.joints[0].model_copy(update={"range": (2.0, 2.7)})
    narrow = robot.model_copy(update={"joints": (motor, *robot.joints[1:])})
    system = chorda.assemble(narrow)
    first = chorda.equilibrium(
        system, hold={"motor1": 2.59, "motor2": 0.55}, initial=start.position, strict=True
    )
    found = chorda.workspace(first, {"motor1": [2.5, 2.6, 2.8]}, jobs=1)
    assert found.violations["motor1"].tolist() == [False, False, True]
