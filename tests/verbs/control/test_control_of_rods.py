"""Rods under control: motors on their tendons, and laws that see their strains."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.control import MotorPD, PointToPoint
from chorda.describe import KelvinVoigt, Motor, Sheath, Tendon
from tests.helpers.rod_robots import robot, rod


@pytest.fixture(scope="module")
def system():
    law = KelvinVoigt(stiffness=1e4, damping=1.0)
    tendon = Tendon(name="t", sheaths=(Sheath(rod="rod", y=0.01),), law=law, actuator="motor")
    motor = Motor(name="motor", inertia=1e-4, drum_radius=0.01, friction=1e-4)
    soft = rod({"bend_z": 3, "stretch": 1}, bend_damping=5e-4, stretch_damping=10.0)
    return chorda.assemble(robot(soft, actuators=(motor,), tendons=(tendon,)))


def test_a_motor_winds_the_tendon_of_a_rod_to_a_wanted_angle(system):
    rest = chorda.equilibrium(system, tensions=1.0, strict=True)
    angle = rest.q[-1]
    law = MotorPD(PointToPoint([angle], [angle - 0.5], 0.3), stiffness=1.0, damping=0.02)
    run = chorda.simulate(system, duration=1.5, step=2e-3, initial=rest, control=law, strict=True)
    assert run.position[-1, -1] == pytest.approx(angle - 0.5, abs=0.05)
    wound = chorda.equilibrium(system, angles=[run.position[-1, -1]], initial=rest, strict=True)
    assert run.position[-1] == pytest.approx(wound.q, abs=1e-3 * np.abs(wound.q).max())


def test_a_law_may_see_the_strains_of_a_rod(system):
    rest = chorda.equilibrium(system, tensions=1.0, strict=True)
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv)
    calm = ca.Function("calm", [t, q, v], [rest.u - 1e-4 * v[0]])
    pushed = rest.q.copy()
    pushed[0] *= 1.2
    run = chorda.simulate(
        system, duration=0.2, step=1e-3, initial=(pushed, np.zeros(system.nv)), control=calm
    )
    assert run.status.ok
    expected = rest.u - 1e-4 * run.velocity[:-1, :1]  # held over each step
    assert run.input[:-1] == pytest.approx(expected, abs=1e-15)
    assert np.ptp(run.input) > 1e-5


def test_step_limits_name_the_stretching_of_a_rod_as_the_fastest_mode(system):
    rest = chorda.equilibrium(system, tensions=1.0, strict=True)
    found = chorda.step_limits(system, initial=rest)
    assert 0 < found.limits["rk4"].step < 1e-3
    assert found.limits["bdf2"].step == np.inf
    assert max(found.limits["rk4"].mode.shares, key=lambda x: x[1])[0] == "rod.stretch0"
