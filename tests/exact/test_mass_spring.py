"""A mass on a spring with damping, built in three ways, against its closed form."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Damper, KelvinVoigt, Point, Revolute, Robot, Spring, Tendon
from tests.helpers.evaluate import forces
from tests.helpers.robots import slider

MASS, G = 2.0, 9.81
ABOVE, MOVING = Point(point=(0, 1, 0)), Point(frame="s")


def built_in_joint(k, c):
    return slider(joint={"stiffness": k, "friction": c, "rest": 0.1})


def with_elements(k, c):
    return slider(
        springs=(Spring(name="spring", start=ABOVE, end=MOVING, stiffness=k, free_length=0.9),),
        dampers=(Damper(name="damper", start=MOVING, end=ABOVE, damping=c),),
    )


def with_damped_spring(k, c):
    spring = Spring(name="spring", start=MOVING, end=ABOVE, stiffness=k, free_length=0.9, damping=c)
    return slider(springs=(spring,))


def with_tied_tendon(k, c):
    pull = 0.1 * k  # as if it were 0.1 m too short
    law = KelvinVoigt(stiffness=k, damping=c, pretension=pull, one_sided=False)
    return slider(tendons=(Tendon(name="cable", path=(ABOVE, MOVING), law=law),))


@pytest.mark.parametrize(
    "build", [built_in_joint, with_elements, with_damped_spring, with_tied_tendon]
)
@pytest.mark.parametrize("damping", [0.0, 8.0, 80.0])  # undamped, underdamped, overdamped
def test_free_motion_is_the_damped_exponential(build, damping):
    k, x0, v0 = 300.0, -0.3, 1.2
    system = chorda.assemble(build(k, damping))
    run = chorda.simulate(
        system, duration=2, step=5e-4, scheme="rk4", initial={"s": x0, "s.rate": v0}
    )
    middle = 0.1 - MASS * G / k
    half, root = damping / (2 * MASS), np.sqrt(complex((damping / (2 * MASS)) ** 2 - k / MASS))
    r1, r2 = -half + root, -half - root
    y0 = x0 - middle
    c1 = (v0 - r2 * y0) / (r1 - r2)
    exact = middle + (c1 * np.exp(r1 * run.time) + (y0 - c1) * np.exp(r2 * run.time)).real
    assert np.max(np.abs(run.position[:, 0] - exact)) < 1e-9


def test_damper_alone_slows_exponentially():
    robot = slider(
        dampers=(Damper(name="d", start=ABOVE, end=MOVING, damping=5.0),), gravity=(0, 0, 0)
    )
    run = chorda.simulate(
        chorda.assemble(robot), duration=0.4, step=1e-3, scheme="rk4", initial={"s.rate": 2.0}
    )
    assert np.allclose(run.velocity[:, 0], 2 * np.exp(-5 / MASS * run.time), rtol=1e-10)


def test_damper_across_a_lever_acts_with_the_square_of_its_arm():

    c, r, reach = 3.0, 0.4, np.array([1.0, 0.5, 0])
    robot = Robot(
        name="lever",
        gravity=(0, 0, 0),
        joints=(Revolute(name="h", body=Body(mass=1, center=(r, 0, 0))),),
        dampers=(
            Damper(
                name="d",
                start=Point(point=tuple(reach)),
                end=Point(frame="h", point=(r, 0, 0)),
                damping=c,
            ),
        ),
    )
    system = chorda.assemble(robot)
    for angle, rate in ((0.0, 2.0), (1.1, -3.0)):
        tip = r * np.array([np.cos(angle), np.sin(angle), 0])
        across = r * np.array([-np.sin(angle), np.cos(angle), 0])
        arm = (tip - reach) @ across / np.linalg.norm(tip - reach)
        _, F = forces(system, [angle], [rate])
        assert F[0] == pytest.approx(-c * arm**2 * rate, rel=1e-12)
