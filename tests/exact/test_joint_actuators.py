"""Actuators on joints against closed forms."""

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, Sine
from chorda.describe import Body, JointEffort, JointMotion, JointMotor, Prismatic, Revolute, Robot
from chorda.errors import InputError
from tests.helpers.actuated_robots import wheel
from tests.helpers.refusals import refused, refused_motion


def test_a_torque_turns_a_wheel_as_its_inertia_lets_it():
    robot = Robot(
        name="w", joints=(wheel(2e-3),), actuators=(JointEffort(name="t", joint="wheel"),)
    )
    system = chorda.assemble(robot)
    run = chorda.simulate(system, duration=1.0, step=1e-3, scheme="rk4", inputs={"t": 0.1})
    np.testing.assert_allclose(run.position[:, 0], 0.1 / 2e-3 * run.time**2 / 2, rtol=1e-9)
    assert [(x.name, x.unit) for x in system.inputs] == [("t", "N m")]


def test_a_motor_adds_its_inertia_and_friction_by_the_gear():
    """The joint feels J + n^2 I and n^2 f: w = (T - dry) / (n f) (1 - exp(-t / lag))."""
    J, inertia, n, f, dry, torque = 2e-3, 1e-5, 30.0, 1e-5, 2e-3, 8e-3
    motor = JointMotor(
        name="m",
        joint="wheel",
        inertia=inertia,
        gear_ratio=n,
        friction=f,
        dry_friction={"kind": "sign", "torque": dry},
    )
    system = chorda.assemble(Robot(name="w", joints=(wheel(J),), actuators=(motor,)))
    run = chorda.simulate(system, duration=1.0, step=1e-3, scheme="rk4", inputs={"m": torque})
    lag = (J + n**2 * inertia) / (n**2 * f)
    exact = (torque - dry) / (n * f) * (1 - np.exp(-run.time / lag))
    np.testing.assert_allclose(run.velocity[1:, 0], exact[1:], atol=1e-3)
    np.testing.assert_allclose(run.velocity[-1, 0], exact[-1], rtol=2e-3)
    angle = run.data["motor_angle"].sel(motor="m").values
    np.testing.assert_allclose(angle, n * run.position[:, 0], rtol=1e-12)


def test_a_force_slides_what_it_pushes():
    slide = Prismatic(name="s", axis=(1, 0, 0), body=Body(mass=2.0))
    robot = Robot(name="w", joints=(slide,), actuators=(JointEffort(name="f", joint="s"),))
    system = chorda.assemble(robot)
    run = chorda.simulate(system, duration=1.0, step=1e-2, scheme="rk4", inputs={"f": 3.0})
    assert run.position[-1, 0] == pytest.approx(0.75, rel=1e-9)
    assert system.inputs[0].unit == "N"


SWING, OMEGA = 0.4, 7.0  # [rad, rad/s]


@pytest.mark.parametrize("scheme", ["rk4", "bdf2", "generalized-alpha", "implicit-euler", "cvodes"])
def test_a_pendulum_that_is_led_takes_the_torque_of_its_weight_and_inertia(scheme):
    """tau = (J + m r^2) a + m g r sin(q), with the acceleration given."""
    J, m, r = 1e-3, 0.5, 0.2
    body = Body(mass=m, center=(0, -r, 0), inertia=(0, 0, J, 0, 0, 0))
    robot = Robot(
        name="p",
        joints=(Revolute(name="arm", body=body),),
        actuators=(JointMotion(name="lead", joint="arm"),),
    )
    system = chorda.assemble(robot)
    assert [x.name for x in system.inputs] == ["lead", "lead.acceleration"]
    assert system.given == ("lead",)

    def path(t):
        return SWING * np.sin(OMEGA * t)

    given = {"lead": path, "lead.acceleration": lambda t: -(OMEGA**2) * path(t)}
    options = {"duration": 1.0, "step": 1e-3, "scheme": scheme}
    run = chorda.simulate(system, inputs=given, strict=True, **options)
    q = path(run.time)
    np.testing.assert_allclose(run.position[:, 0], q, atol=2e-5)
    exact = -(J + m * r**2) * OMEGA**2 * q + m * 9.81 * r * np.sin(q)
    effort = run.data["effort"].sel(actuator="lead").values
    np.testing.assert_allclose(effort, exact, atol=1e-4)
    by_differences = chorda.simulate(system, inputs={"lead": path}, **options)
    found = by_differences.data["effort"].sel(actuator="lead").values
    np.testing.assert_allclose(found, exact, atol=1e-2)


def test_at_rest_a_motion_holds_its_joint_with_the_torque_that_holding_takes():
    m, r, angle = 0.5, 0.2, 0.7
    body = Body(mass=m, center=(0, -r, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    arm = Revolute(name="arm", body=body)
    led = Robot(name="p", joints=(arm,), actuators=(JointMotion(name="lead", joint="arm"),))
    rest = chorda.equilibrium(chorda.assemble(led), inputs={"lead": angle})
    assert rest.status.ok
    assert rest.q[0] == pytest.approx(angle, abs=1e-12)
    assert rest.reactions["lead.motion"] == pytest.approx(m * 9.81 * r * np.sin(angle), rel=1e-10)
    free = chorda.equilibrium(
        chorda.assemble(led.model_copy(update={"actuators": ()})), hold={"arm": angle}
    )
    assert free.efforts["arm"] == pytest.approx(rest.reactions["lead.motion"], rel=1e-10)


def test_at_rest_a_torque_bends_a_spring():
    robot = Robot(
        name="w",
        joints=(wheel(stiffness=2.0),),
        actuators=(JointEffort(name="t", joint="wheel"),),
    )
    rest = chorda.equilibrium(chorda.assemble(robot), inputs={"t": 0.3})
    assert rest.q[0] == pytest.approx(0.15, rel=1e-10)
    assert rest.stability == "stable"


def test_a_joint_that_is_led_is_not_held_too():
    robot = Robot(name="w", joints=(wheel(),), actuators=(JointMotion(name="lead", joint="wheel"),))
    message = refused(InputError, chorda.equilibrium, chorda.assemble(robot), hold={"wheel": 0.3})
    assert message == (
        "hold.wheel: 'lead' prescribes its motion; give inputs={'lead': value} instead"
    )


def test_joint_control_refuses_actuators_on_joints_by_name():
    robot = Robot(name="w", joints=(wheel(),), actuators=(JointEffort(name="t", joint="wheel"),))
    follow = JointControl(Sine.from_rest([0.1]))
    message = refused_motion(chorda.assemble(robot), control=follow)
    assert "joint control commands tendons, got actuators on joints (t)" in message


def test_an_effort_that_is_given_goes_on_through_the_gear_of_its_motor():
    """At rest an effort on the joint; in motion the torque of the rotor that gives it."""
    motor = JointMotor(name="m", joint="wheel", inertia=1e-5, gear_ratio=20.0)
    system = chorda.assemble(Robot(name="w", joints=(wheel(stiffness=2.0),), actuators=(motor,)))
    rest = chorda.equilibrium(system, efforts={"wheel": 0.3}, strict=True)
    run = chorda.simulate(system, duration=0.1, step=1e-3, initial=rest, strict=True)
    assert run.system is system
    assert run.input[0, 0] == pytest.approx(0.3 / 20.0)
    np.testing.assert_allclose(run.position[:, 0], 0.15, atol=1e-9)
