"""Every kind of parameter has the sign rule of its field in the description."""

from contextlib import nullcontext

import numpy as np
import pytest

import chorda
from chorda.cli.parameter_sources import _parameter
from chorda.describe import numbers
from chorda.errors import InputError
from tests.helpers.robots import everything, hung_slider
from tests.helpers.rod_robots import arm

VALIDATED = ("drag", "inertia")  # by a validator: of at least 0, each or as principal moments
RISING = "fed.range."  # by a validator: above 0
NO_PARAMETER = {  # structure, or a place along a rod that scales with its length
    *("axis", "cross_axis", "normal", "angle", "range", "at", "breaks", "start", "end", "turns"),
    *("alpha", "theta", "twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z"),
    *("intervals", "order"),
}


def described(robot):
    """By parameter: what the schema says of its number."""
    found = {}
    for path, _, about in numbers(robot):
        found.setdefault(_parameter(robot, path), (path, about))
    return found


def laws():
    """A slider on each law of tendons."""
    from chorda.describe import KelvinVoigt, Material, Stiffening

    more = {"one_sided": True, "smoothing": 0.1, "pretension": 1.0}
    for law in (
        KelvinVoigt(stiffness=1e3, damping=1.0, **more),
        Stiffening(stiffness=1e3, stiffening=1e4, damping=1.0, **more),
        Material(young_modulus=1e9, damping_modulus=1e3, section=1e-6, length=1.0, **more),
    ):
        yield hung_slider(None, law)


ROBOTS = {
    "everything": everything,
    "arm of rods": arm,
    **{f"law {k}": (lambda k=k: list(laws())[k]) for k in range(3)},
    **{name: (lambda name=name: chorda.load(name)) for name in chorda.names()},
}


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.filterwarnings("ignore::chorda.errors.MagnitudeWarning")
def test_zero_and_negative_values_are_refused_as_in_the_description(name):
    robot = ROBOTS[name]()
    system = chorda.assemble(robot)
    table, known, seen = system.parameter_table, described(robot), 0
    for row, parameter in enumerate(table.names):
        asked = parameter.replace(".total_length", ".length")
        if asked not in known:
            continue
        path, about = known[asked]
        above, least = "exclusiveMinimum" in about or RISING in path, "minimum" in about
        field = next((x for x in path.split(".") if x in VALIDATED), None)
        if field == "inertia" and "actuators" not in path:
            continue  # principal moments, see parameter_rules.py
        assert table.positive[row] == above, parameter
        assert table.signed[row] == (not above and not least and field is None), parameter
        for value, refused in ((0.0, above), (-1.0, not table.signed[row])):
            expected = pytest.raises(InputError, match="must") if refused else nullcontext()
            with expected:
                table.rows_of(parameter, np.array(value))
        seen += 1
    assert seen > 2


def test_every_number_of_a_description_is_seen():
    """A field that is added to a record is a parameter with a rule, or named as none."""
    seen = set()
    for make in (everything, arm, *(lambda law=law: law for law in laws())):
        robot = make()
        names = chorda.assemble(robot).parameter_names
        for path, value, _ in numbers(robot):
            fields = [x for x in path.split(".") if not x.isdigit()]
            name = _parameter(robot, path)
            if name in names or name.replace(".length", ".total_length") in names or value == 0:
                seen.add(fields[-1])
            else:
                assert fields[-1] in NO_PARAMETER or fields[0] == "start", (path, name)
    assert {"stiffness", "mass", "radius", "drag", "smoothing", "slope", "young_modulus"} <= seen


def test_a_tendon_without_stiffness_is_refused_and_a_joint_without_is_not():
    system = chorda.assemble(chorda.load("neck-1"))
    with pytest.raises(InputError, match=r"'left.stiffness' must be greater than 0, got 0"):
        chorda.simulate(system, duration=0.01, step=1e-3, parameters={"left.stiffness": 0.0})
    assert system.parameters({"spring1-left.stiffness": 0.0}) is not None


def test_a_body_that_was_printed_with_few_digits_may_keep_its_moments():
    from chorda.describe import Body, Revolute, Robot

    inertia = (1e-3, 1e-3, 2.01e-3, 0, 0, 0)  # half a percent too large, as papers print them
    joint = Revolute(name="a", body=Body(mass=1.0, center=(0.1, 0, 0), inertia=inertia))
    system = chorda.assemble(Robot(name="arm", joints=(joint,)))
    assert system.parameters({"a.mass": 2.0}) is not None
