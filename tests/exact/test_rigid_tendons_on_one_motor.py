"""Rigid tendons that one motor winds: each carries what hangs on it."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Motor, Placement, Point, Prismatic, Rigid, Robot, Tendon, Winch
from chorda.errors import InputError

G, RADIUS, INERTIA = 9.81, 0.01, 1e-4
MASSES = {"first": 1.0, "second": 2.0}


def hoist(windings=(1, 1), law=None):
    """Masses on vertical slides, hung on rigid tendons that one motor winds."""
    joints = tuple(
        Prismatic(
            name=name,
            axis=(0, 1, 0),
            placement=Placement(position=(x, 0, 0)),
            body=Body(mass=mass),
        )
        for x, (name, mass) in enumerate(MASSES.items())
    )
    tendons = tuple(
        Tendon(
            name=f"{name}-line",
            path=(Point(point=(x, 1, 0)), Point(frame=name)),
            law=law or Rigid(),
            actuator="motor",
            winding=way,
        )
        for x, (name, way) in enumerate(zip(MASSES, windings, strict=True))
    )
    motor = Motor(name="motor", inertia=INERTIA, drum_radius=RADIUS)
    return Robot(
        name="hoist", joints=joints, tendons=tendons, actuators=(motor,), gravity=(0, -G, 0)
    )


@pytest.mark.parametrize("second", [1, -1])
def test_each_carries_its_weight_at_rest(second):
    system = chorda.assemble(hoist((1, second)), tendons="rigid")
    torque = -RADIUS * G * (MASSES["first"] + second * MASSES["second"])
    found = chorda.equilibrium(system, torques=torque, strict=True)
    assert found.tension == pytest.approx([9.81, 19.62], rel=1e-9)


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "rk4"])
@pytest.mark.parametrize("second", [1, -1])
def test_each_carries_weight_and_inertia_in_motion(scheme, second):
    """Both move by the same length, the second up or down as the first, and even pushed down."""
    system = chorda.assemble(hoist((1, second), Rigid(one_sided=False)), tendons="rigid")
    torque = -0.5
    run = chorda.simulate(
        system, duration=0.1, step=1e-3, inputs={"motor": torque}, scheme=scheme, strict=True
    )
    m1, m2 = MASSES.values()
    pulled = -torque / RADIUS - G * (m1 + second * m2)
    a = pulled / (m1 + m2 + INERTIA / RADIUS**2)  # of the first, upwards
    wanted = [m1 * (G + a), m2 * (G + second * a)]
    assert run.outputs["tension"] == pytest.approx(np.tile(wanted, (len(run.time), 1)), rel=1e-6)


def test_reactions_show_no_difference():
    system = chorda.assemble(hoist(), tendons="rigid")
    run = chorda.simulate(system, duration=0.01, step=1e-3, inputs={"motor": -0.5}, strict=True)
    found = chorda.reactions(run)
    assert np.abs(found.effort.values).max() < 1e-9
    assert found.tension.values == pytest.approx(run.outputs["tension"], rel=1e-12)


@pytest.mark.parametrize("actuator", [None, Winch(name="winch")])
def test_a_rigid_tendon_within_one_body_is_refused_by_name(actuator):
    """Its length never changes, so that nothing determines its tension."""
    robot = hoist()
    name = actuator and actuator.name
    path = (Point(frame="first"), Point(frame="first", point=(0.1, 0, 0)))
    within = Tendon(name="within", path=path, actuator=name)
    actuators = (*robot.actuators, *([actuator] if actuator else []))
    robot = robot.model_copy(
        update={"tendons": (*robot.tendons[:1], within), "actuators": actuators}
    )
    with pytest.raises(InputError, match="within cannot stretch, and no joint moves the points"):
        chorda.assemble(robot)
