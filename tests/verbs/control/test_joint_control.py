"""Controllers on the joints: error dynamics, tension bounds, other robots than necks."""

import numpy as np
import pytest

import chorda
from chorda.control import JointControl, MotorPD, PointToPoint, Sine
from chorda.describe import Body, KelvinVoigt, Motor, Placement, Point, Revolute, Robot, Tendon
from chorda.errors import InputError

ERROR, FREQUENCY = 0.1, 8.0


def finger(tendons_per_joint: int) -> Robot:
    """Two revolute joints in series, pulled from both sides: 3 or 4 tendons."""
    bone = Body(mass=0.05, center=(0.0, 0.03, 0.0), inertia=(1e-5, 1e-6, 1e-5, 0, 0, 0))
    joints = (
        Revolute(name="j1", body=bone, friction=1e-4),
        Revolute(
            name="j2",
            parent="j1",
            placement=Placement(position=(0, 0.06, 0)),
            body=bone,
            friction=1e-4,
        ),
    )
    side = 0.01
    low = {"r": Point(point=(side, -0.02, 0)), "l": Point(point=(-side, -0.02, 0))}
    mid = {k: Point(frame="j1", point=(s * side, 0.02, 0)) for k, s in (("r", 1), ("l", -1))}
    top = {k: Point(frame="j2", point=(s * side, 0.02, 0)) for k, s in (("r", 1), ("l", -1))}
    paths = {
        "flexor1": (low["r"], mid["r"]),
        "flexor2": (mid["r"], top["r"]),
        "extensor": (low["l"], mid["l"], top["l"]),
    }
    if tendons_per_joint == 2:
        paths["extensor1"] = (low["l"], mid["l"])
    law = KelvinVoigt(stiffness=2e4, damping=20.0)
    return Robot(
        name="finger",
        joints=joints,
        actuators=tuple(
            Motor(name=f"m-{k}", inertia=1e-6, drum_radius=0.01, gear_ratio=10.0) for k in paths
        ),
        tendons=tuple(Tendon(name=k, path=p, law=law, actuator=f"m-{k}") for k, p in paths.items()),
    )


def test_computed_torque_gives_the_error_dynamics_that_was_asked_for() -> None:
    system = chorda.assemble(chorda.load("neck-3"), "rigid")
    control = JointControl(PointToPoint([0] * 3, [0] * 3, 1.0), frequency=FREQUENCY)
    run = chorda.simulate(
        system, duration=0.8, step=1e-4, scheme="heun", control=control, initial={"x1": ERROR}
    )
    # critically damped: e = e0 (1 + w t) exp(-w t), whatever the neck's own dynamics
    t = run.time
    expected = ERROR * (1 + FREQUENCY * t) * np.exp(-FREQUENCY * t)
    assert run.position[:, 0] == pytest.approx(expected, abs=2e-4 * ERROR / 0.1)
    assert np.abs(run.position[:, 1:]).max() < 1e-4


@pytest.mark.parametrize(
    "robot", ["neck-3", "neck-4", finger(1), finger(2)], ids=lambda r: getattr(r, "name", r)
)
def test_no_tension_falls_below_the_minimum_and_the_reference_is_followed(robot: object) -> None:
    described = chorda.load(robot) if isinstance(robot, str) else robot
    system = chorda.assemble(described, "rigid")
    n = system.nq
    control = JointControl(Sine.from_rest([0.3] * n, 4.0), frequency=20.0, minimum_tension=3.0)
    run = chorda.simulate(system, duration=1.0, step=1e-3, scheme="rk4", control=control)
    assert run.status.ok
    assert run.outputs["tension"][:-1].min() > 3.0 - 1e-6
    assert np.abs(run.position - control.reference(run.time)[0]).max() < 2e-3


@pytest.mark.parametrize("kind", ["pd", "feed-forward"])
def test_pd_and_feed_forward_follow_a_slow_motion(kind: str) -> None:
    system = chorda.assemble(chorda.load("neck-3"), "rigid")
    gain = {"frequency": 15.0} if kind == "pd" else {}
    control = JointControl(Sine.from_rest([0.2] * 3, 0.5), kind=kind, **gain)
    run = chorda.simulate(
        system,
        duration=2.0,
        step=1e-3,
        scheme="heun",
        control=control,
        parameters={"*.dry_torque": 0.0},  # what dry friction holds back, PD does not know
    )
    assert np.abs(run.position - control.reference(run.time)[0]).max() < 5e-3


def test_motor_pd_holds_the_angles() -> None:
    system = chorda.assemble(chorda.load("neck-3"))
    start = chorda.equilibrium(system, tensions=20.0)
    control = MotorPD(PointToPoint(start.q[3:], start.q[3:], 1.0), 0.5, 5e-3, offset=start.u)
    run = chorda.simulate(system, duration=0.5, step=1e-3, control=control, initial=start)
    assert run.position == pytest.approx(np.tile(start.q, (len(run.time), 1)), abs=1e-8)


def test_compiled_and_python_controllers_agree() -> None:
    system = chorda.assemble(chorda.load("neck-2"))
    control = JointControl(Sine.from_rest([0.2, 0.1]))
    law, p = control.law(system), system.parameters()

    def python(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return law(t, q, v, control.signal(system, np.array([t]))[0], p).full().ravel()

    settings = {"duration": 0.1, "step": 1e-3, "initial": {"tension": 5.0}}
    compiled = chorda.simulate(system, control=control, **settings)
    called = chorda.simulate(system, control=python, **settings)
    assert called.position == pytest.approx(compiled.position, abs=1e-12)
    assert called.input == pytest.approx(compiled.input, abs=1e-9)


def test_a_reference_of_the_wrong_size_is_named() -> None:
    system = chorda.assemble(chorda.load("neck-3"))
    with pytest.raises(
        InputError, match=r"reference: expected 3 coordinates \(x1, x2, x3\), got 2"
    ):
        chorda.simulate(system, duration=1, step=0.1, control=JointControl(Sine([0.1, 0.1])))


def test_too_few_tendons_cannot_be_controlled() -> None:
    two = finger(1)
    one_short = two.model_copy(update={"tendons": two.tendons[:1], "actuators": two.actuators[:1]})
    with pytest.raises(InputError, match="1 tendons cannot produce 2 independent forces"):
        JointControl(Sine([0.1, 0.1])).law(chorda.assemble(one_short))


def test_a_force_that_tendons_cannot_give_is_explained() -> None:
    robot = finger(1)
    one_sided = [Point(point=(0.01, -0.02, 0)), Point(frame="j1", point=(0.01, 0.02, 0))]
    extensor = robot.tendons[2].model_copy(update={"path": tuple(one_sided)})
    pulled_one_way = robot.model_copy(update={"tendons": (*robot.tendons[:2], extensor)})
    control = JointControl(Sine([0.3, 0.3], 4.0), frequency=20.0)
    run = chorda.simulate(
        chorda.assemble(pulled_one_way, "rigid"), duration=1.0, step=1e-3, control=control
    )
    assert run.status.code == "infeasible"
    assert "no tensions above the minimum" in run.status.message


def test_more_tendons_than_actuators_are_told():
    robot = chorda.load("finger-2n")
    tied = robot.tendons[-1].model_copy(update={"actuator": None})
    fewer = robot.model_copy(
        update={"tendons": (*robot.tendons[:-1], tied), "actuators": robot.actuators[:-1]}
    )
    system = chorda.assemble(fewer)
    control = JointControl(Sine((0.1, 0.1)))
    with pytest.raises(
        InputError, match="has 4 tendons and 3 actuators; joint control needs an actuator"
    ):
        chorda.simulate(system, duration=0.1, step=1e-3, control=control)


def test_joint_control_of_belts_says_to_control_the_motors():
    system = chorda.assemble(chorda.load("belt-arm"))
    with pytest.raises(InputError, match=r"joint control cannot command endless tendons.*MotorPD"):
        chorda.simulate(system, duration=0.1, step=1e-3, control=JointControl(Sine((0.1, 0.1))))
