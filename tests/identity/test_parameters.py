"""Parameters are symbols: changing one is the same as describing another robot."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chorda
from chorda.describe import Robot
from tests.helpers.evaluate import energies, forces, random_state
from tests.helpers.robots import everything

ROBOT = everything()
SYSTEM = chorda.assemble(ROBOT)
AXES = {"x": 0, "y": 1, "z": 2, "xx": 0, "yy": 1, "zz": 2, "xy": 3, "xz": 4, "yz": 5}
WHERE = {  # first part of a parameter's name -> where the number is in the description
    "mass": ("body", "mass"),
    "center": ("body", "center"),
    "inertia": ("body", "inertia"),
    "position": ("placement", "position"),
    "start": ("start", "point"),
    "end": ("end", "point"),
    "at": ("at", "point"),
    "dry_torque": ("dry_friction", "torque"),
    "dry_slope": ("dry_friction", "slope"),
}


def change(data, name, factor):
    """Multiply the number behind a parameter's name in the description's plain data."""
    head, *rest = name.split(".")
    if head == "gravity":
        place, keys = data, [head, *rest]
    else:
        sections = ("joints", "springs", "dampers", "actuators", "tendons", "loads")
        place = next(x for section in sections for x in data[section] if x["name"] == head)
        first, tail = rest[0], rest[1:]
        if first.startswith("path"):
            keys = ["path", int(first[4:]), "point", *tail]
        elif "law" in place and first in ("stiffness", "damping", "pretension"):
            keys = ["law", first]
        elif first == "inertia" and place.get("kind") == "motor":
            keys = [first]
        else:
            keys = [*WHERE.get(first, (first,)), *tail]
    *path, last = [AXES.get(k, k) for k in keys]
    for key in path:
        place = place[key]
    if isinstance(place, tuple):
        raise TypeError("expected lists, which can be changed")
    place[last] *= factor


def rebuilt(factors):
    data = ROBOT.model_dump(mode="json")
    for name, factor in zip(SYSTEM.parameter_names, factors, strict=True):
        change(data, name, factor)
    return chorda.assemble(Robot.model_validate(data))


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1))
def test_changed_parameters_equal_a_changed_description(seed):
    rng = np.random.default_rng(seed)
    factors = rng.uniform(0.9, 1.1, len(SYSTEM.parameter_names))
    changes = dict(zip(SYSTEM.parameter_names, SYSTEM.parameter_values * factors, strict=True))
    other = rebuilt(factors)
    assert other.parameter_names == SYSTEM.parameter_names
    q, v, u, _ = random_state(SYSTEM, rng)
    for changed, built in zip(
        forces(SYSTEM, q, v, u, changes), forces(other, q, v, u), strict=True
    ):
        assert np.allclose(changed, built, rtol=1e-11, atol=1e-12 * np.abs(built).max())
    assert energies(SYSTEM, q, v, u, changes) == pytest.approx(energies(other, q, v, u), rel=1e-11)


def test_every_parameter_acts():
    """Not one is only named: each changes the inertia or the force somewhere."""
    rng = np.random.default_rng(0)
    states = [random_state(SYSTEM, rng)[:3] for _ in range(3)]
    before = [forces(SYSTEM, *state) for state in states]
    idle = []
    for name, value in zip(SYSTEM.parameter_names, SYSTEM.parameter_values, strict=True):
        after = [forces(SYSTEM, *state, {name: 1.1 * value}) for state in states]
        if all(
            np.array_equal(a, b)
            for x, y in zip(before, after, strict=True)
            for a, b in zip(x, y, strict=True)
        ):
            idle.append(name)
    assert idle == ["elastic.lead"]  # a constant part of the length; only the output has it


@pytest.mark.parametrize(
    ("changes", "build"),
    [
        ({"*.stiffness": 300.0}, lambda d: [x.update(stiffness=300.0) for x in d["springs"]]),
        ({"gravity.y": -1.62}, lambda d: d.update(gravity=[0, -1.62, 0])),
    ],
)
def test_motion_with_changed_parameters_is_that_of_the_changed_robot(changes, build):
    robot = chorda.neck(2).model_copy(update={"tendons": (), "actuators": ()})
    data = robot.model_dump(mode="json")
    build(data)
    how = {"duration": 0.1, "step": 1e-3, "scheme": "rk4", "initial": {"x1": 0.3}}
    one = chorda.simulate(chorda.assemble(robot), parameters=changes, **how)
    two = chorda.simulate(chorda.assemble(Robot.model_validate(data)), **how)
    assert np.array_equal(one.position, two.position)
