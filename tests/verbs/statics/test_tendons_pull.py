"""Tendons pull and cannot push: at rest, in every law, and in both formulations."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_statics
from chorda.describe import (
    Body,
    KelvinVoigt,
    Motor,
    Point,
    Prismatic,
    Rigid,
    Robot,
    Spring,
    Tendon,
    TensionActuator,
    Winch,
)
from chorda.errors import InputError
from tests.helpers.robots import hung_slider

MASS, G, K = 2.0, 9.81, 400.0
UP = {"gravity": (0, G, 0)}


def between_two_cables():
    """A mass on a vertical slide between a spring and two rigid cables, one from each side."""
    ends = {"upper": (0, 1, 0), "lower": (0, -1, 0)}
    tendons = tuple(
        Tendon(
            name=name,
            path=(Point(point=end), Point(frame="s")),
            actuator=f"{name}-winch",
        )
        for name, end in ends.items()
    )
    spring = Spring(
        name="spring",
        start=Point(point=(1, 0, 0)),
        end=Point(frame="s"),
        stiffness=K,
        free_length=0.5,
    )
    return Robot(
        name="two-cables",
        joints=(Prismatic(name="s", axis=(0, 1, 0), body=Body(mass=MASS)),),
        springs=(spring,),
        tendons=tendons,
        actuators=tuple(Winch(name=f"{name}-winch") for name in ends),
        gravity=(0, -G, 0),
    )


def rod(law):
    robot = chorda.load("till")
    tendons = tuple(t.model_copy(update={"law": law}) for t in robot.tendons)
    return robot.model_copy(update={"tendons": tendons})


@pytest.mark.parametrize("law", [KelvinVoigt(stiffness=K), Rigid()])
def test_a_law_is_one_sided_unless_it_says_that_it_may_push(law):
    assert law.one_sided
    assert not law.model_copy(update={"one_sided": False}).one_sided


@pytest.mark.parametrize("law", [Rigid(), KelvinVoigt(stiffness=1e4)])
@pytest.mark.parametrize("out", [0.02, 0.03])
def test_both_formulations_have_the_same_slack(law, out):
    robot = rod(law)
    continuous = rod_statics(robot, out)
    modes = chorda.equilibrium(chorda.assemble(robot), inputs=out, strict=True)
    assert continuous.tension[0] == 0
    assert modes.tension[0] == 0
    assert "Slack: tendon." in modes.status.message
    assert np.allclose(modes.frame("rod.tip")[0], continuous.position[-1], atol=1e-4)


def test_both_formulations_push_alike_where_the_law_says_so():
    robot = rod(Rigid(one_sided=False))
    continuous = rod_statics(robot, 0.02)
    modes = chorda.equilibrium(chorda.assemble(robot), inputs=0.02, strict=True)
    assert continuous.tension[0] < -2
    assert modes.tension[0] == pytest.approx(continuous.tension[0], rel=1e-4)


def test_a_rigid_tendon_that_would_push_is_let_go():
    """Both cables have half a metre too much, and the spring bears the weight alone."""
    system = chorda.assemble(between_two_cables())
    found = chorda.equilibrium(system, inputs={"upper-winch": 0.5, "lower-winch": 0.5}, strict=True)
    assert found.tension == pytest.approx([0, 0])
    assert "Slack: " in found.status.message
    s = found.q[0]
    length = np.hypot(1, s)
    assert -K * (length - 0.5) * s / length == pytest.approx(MASS * G, rel=1e-8)


def test_only_the_cable_that_pushes_is_let_go():
    system = chorda.assemble(between_two_cables())
    found = chorda.equilibrium(system, inputs={"upper-winch": 0.0, "lower-winch": 0.5}, strict=True)
    assert found.q[0] == pytest.approx(0, abs=1e-9)
    assert found.tension == pytest.approx([MASS * G, 0])
    assert "Slack: lower." in found.status.message


def test_without_an_equilibrium_the_status_says_which_tendon_would_push():
    found = chorda.equilibrium(chorda.assemble(hung_slider(None, Rigid(), **UP)))
    assert not found.status.ok
    assert "'cable' would have to push" in found.status.message
    pushing = chorda.assemble(hung_slider(None, Rigid(one_sided=False), **UP))
    assert chorda.equilibrium(pushing, strict=True).tension == pytest.approx([-MASS * G])


def test_a_motor_cannot_push_through_a_rigid_tendon():
    motor = Motor(name="m", inertia=1e-3, drum_radius=0.05)
    system = chorda.assemble(hung_slider(motor, Rigid(), **UP))
    found = chorda.equilibrium(system, torques=0.05 * MASS * G)
    assert found.status.code == "slack"
    assert "one_sided: false" in found.status.message


@pytest.mark.slow
def test_a_path_ends_where_a_rigid_tendon_would_push_and_goes_on_with_it_slack():
    robot = rod(Rigid())
    system = chorda.assemble(robot)
    start = chorda.equilibrium(system, inputs=0.0, strict=True)
    path = chorda.follow(start, inputs=0.02, points=10)
    assert path.status.code == "slack"
    assert "'tendon' would have to push" in path.status.message
    assert np.all(path.tension > -1e-6)
    loose = chorda.equilibrium(system, inputs=0.02, initial=path.at(-1), strict=True)
    on = chorda.follow(loose, inputs=0.03, points=4)
    assert on.status.ok
    assert np.all(on.tension == 0)
    back = chorda.follow(loose, inputs=0.0, points=10)
    assert "gets taut" in back.status.message


@pytest.mark.parametrize("field", ["inputs", "tensions", "hold"])
def test_a_prescribed_tension_below_zero_is_refused_by_name(field):
    system = chorda.assemble(hung_slider(TensionActuator(name="pull"), Rigid()))
    name = "cable" if field == "tensions" else "pull"
    with pytest.raises(InputError, match=rf"{field}.*'cable'.*got -3 N.*one_sided: false"):
        chorda.equilibrium(system, **{field: {name: -3.0}})


def test_a_tension_below_zero_is_refused_for_a_motor_too():
    motor = Motor(name="m", inertia=1e-3, drum_radius=0.05)
    for law in (Rigid(), KelvinVoigt(stiffness=1e4)):
        system = chorda.assemble(hung_slider(motor, law))
        with pytest.raises(InputError, match=r"'cable'.*got -3 N"):
            chorda.equilibrium(system, tensions=-3.0)


def test_rods_without_modes_refuse_it_with_the_same_sentence():
    with pytest.raises(InputError, match=r"inputs.winch: tendon 'tendon'.*got -1 N"):
        rod_statics(chorda.load("till-tension"), -1.0)
