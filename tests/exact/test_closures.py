"""Loops: mechanisms rebuilt from revolute joints and closures move as their closed forms do."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Closure, Free, Placement, Point, Revolute, Robot
from tests.helpers.evaluate import acceleration
from tests.helpers.robots import bars_from_alpha, parallelogram, x_joint, x_joint_of_bars


@pytest.mark.parametrize(("alpha", "rate"), [(0.0, 2.0), (0.7, -3.0), (-1.4, 5.0), (2.2, 1.0)])
def test_x_joint_of_three_hinges_and_a_closure_accelerates_as_the_x_joint(alpha, rate):
    whole, bars = chorda.assemble(x_joint(0.5)), chorda.assemble(x_joint_of_bars(0.5))
    q, v = bars_from_alpha(alpha, rate)
    assert np.allclose(bars.closing(q, [], bars.parameters())[0].full(), 0, atol=1e-15)
    a = acceleration(bars, q, v)
    assert a[0] + a[2] == pytest.approx(acceleration(whole, [alpha], [rate])[0], rel=1e-10)


@pytest.mark.parametrize("scheme", ["rk4", "rosenbrock"])
def test_x_joint_of_three_hinges_and_a_closure_moves_as_the_x_joint(scheme):
    start, rate, how = 0.8, -2.0, {"duration": 0.5, "step": 1e-4, "strict": True}
    q, v = bars_from_alpha(start, rate)
    bars = chorda.simulate(
        chorda.assemble(x_joint_of_bars(0.5)), scheme=scheme, initial=[*q, *v], **how
    )
    whole = chorda.simulate(
        chorda.assemble(x_joint(0.5)), scheme="rk4", initial=[start, rate], **how
    )
    alpha = bars.position[:, 0] + bars.position[:, 2]
    assert np.ptp(whole.position) > 1.0
    assert np.max(np.abs(alpha - whole.position[:, 0])) < 5e-9


@pytest.mark.parametrize("angle", [0.0, 0.5, -1.3, np.pi / 2])
def test_parallelogram_swings_like_the_pendulum_it_reduces_to(angle):
    """Two rods about their ends and a mass in translation; also where a crank lies level."""
    side, mass, coupler, g = 0.3, 1.0, 2.0, 9.81
    system = chorda.assemble(parallelogram(side, side, mass, coupler))
    a = acceleration(system, [angle, -angle, angle], np.array([1, -1, 1]) * 0.7)
    inertia = 2 * mass * side**2 / 3 + coupler * side**2
    torque = -(mass + coupler) * g * side * np.sin(angle)
    assert a[0] == pytest.approx(torque / inertia, rel=1e-11, abs=1e-11)
    assert a[1] == pytest.approx(-a[0], abs=1e-11)
    assert a[2] == pytest.approx(a[0], abs=1e-11)


@pytest.mark.parametrize(
    "scheme", ["rk4", "implicit-euler", "bdf2", "generalized-alpha", "rosenbrock"]
)
def test_loop_with_more_joints_outside_than_inside_starts_from_a_level_bar(scheme):
    """A level bar's end cannot move along it: no elimination may lean on that zero."""

    def bar():
        return Body(mass=1.0, center=(0.5, 0, 0), inertia=(0, 1 / 12, 1 / 12, 0, 0, 0))

    level = Revolute(
        name="b", placement=Placement(position=(2, 1, 0), angle=float(np.pi)), body=bar()
    )
    chain = [
        Revolute(
            name=f"a{i}",
            parent="world" if i == 0 else f"a{i - 1}",
            placement=Placement(position=(float(i > 0), 0, 0)),
            body=bar(),
        )
        for i in range(5)
    ]
    loop = Closure(
        name="loop",
        kind="spherical",
        start=Point(frame="b", point=(1, 0, 0)),
        end=Point(frame="a1", point=(1, 0, 0)),
    )
    system = chorda.assemble(Robot(name="loop", joints=(level, *chain), closures=(loop,)))
    start = np.array([0, 0, np.pi / 2, 0, 0, 0])
    run = chorda.simulate(
        system, duration=1e-3, step=1e-4, scheme=scheme, initial=start, strict=True
    )
    assert np.allclose(run.velocity[-1] / 1e-3, acceleration(system, start), rtol=0, atol=0.02)


def revolute_twice():
    """The same body on a revolute joint, and free but held by a revolute closure."""
    body = Body(mass=1.0, center=(0.3, 0.1, 0.2), inertia=(0.01, 0.02, 0.03, 0.002, 0, 0.001))
    axis = (1 / 3, -2 / 3, 2 / 3)
    hold = Closure(name="hold", kind="revolute", axis=axis, start=Point(), end=Point(frame="f"))
    hinged = Robot(name="h", joints=(Revolute(name="h", axis=axis, body=body),))
    held = Robot(name="f", joints=(Free(name="f", body=body),), closures=(hold,))
    return chorda.assemble(hinged), chorda.assemble(held), np.array(axis)


@pytest.mark.parametrize("angle", [0.0, 1.0, 3.0, np.pi, 5.0])
def test_free_body_on_a_revolute_closure_accelerates_as_on_a_revolute_joint(angle):
    """Also upside down, where a closure that measures the angle's sine would be singular."""
    hinged, held, n = revolute_twice()
    q = [np.cos(angle / 2), *(np.sin(angle / 2) * n), 0, 0, 0]
    J = held.closing(q, [], held.parameters())[1].full()
    assert np.linalg.svd(J, compute_uv=False)[-1] > 0.5
    a = acceleration(held, q, [*(4.0 * n), 0, 0, 0])
    assert np.allclose(a[:3], n * acceleration(hinged, [angle], [4.0]), atol=1e-10)
    assert np.allclose(a[3:], 0, atol=1e-10)


def test_free_body_on_a_revolute_closure_goes_round_as_on_a_revolute_joint():
    hinged, held, n = revolute_twice()
    how = {"duration": 1.0, "step": 2e-4, "scheme": "rk4", "strict": True}
    one = chorda.simulate(hinged, initial=[0.0, 15.0], **how)
    two = chorda.simulate(held, initial=[1.0, *np.zeros(6), *(15.0 * n), 0, 0, 0], **how)
    assert one.position[-1, 0] > 4 * np.pi
    assert np.allclose(two.velocity[:, :3], one.velocity * n, rtol=0, atol=1e-8)
    half = one.position[:, 0] / 2
    assert np.allclose(two.position[:, 0], np.cos(half), rtol=0, atol=1e-8)


def test_free_body_on_a_fixed_closure_stays_and_its_reaction_is_its_weight():
    body = Body(mass=1.5, center=(0.2, 0, 0), inertia=(0.01, 0.02, 0.03, 0, 0, 0))
    hold = Closure(name="hold", kind="fixed", start=Point(), end=Point(frame="f"))
    robot = Robot(name="f", joints=(Free(name="f", body=body),), closures=(hold,))
    system = chorda.assemble(robot)
    run = chorda.simulate(system, duration=0.1, step=1e-3, scheme="generalized-alpha")
    assert np.allclose(run.position, system.rest, atol=1e-12)
    reaction = run.outputs["reaction"][-1]
    # psi = start - end, so that the force on the body is minus the multiplier
    assert np.allclose(-reaction[:3], [0, 1.5 * 9.81, 0], atol=1e-9)
    assert np.abs(reaction[3:]).max() == pytest.approx(1.5 * 9.81 * 0.2, rel=1e-9)


def test_reaction_of_the_loop_is_the_force_that_holds_the_cut_bars_together():
    """Cut the X-joint of bars and put the multiplier's force there as loads: nothing changes."""
    from chorda.describe import Load

    robot = x_joint_of_bars()
    system = chorda.assemble(robot)
    q, v = bars_from_alpha(0.6, 1.0)
    run = chorda.simulate(system, duration=1e-6, step=1e-6, scheme="rk4", initial=[*q, *v])
    force = np.append(run.outputs["reaction"][0], 0.0)
    loop = robot.closures[0]
    cut = robot.model_copy(
        update={
            "closures": (),
            "loads": (
                Load(name="on-start", at=loop.start, force=tuple(force)),
                Load(name="on-end", at=loop.end, force=tuple(-force)),
            ),
        }
    )
    assert np.allclose(
        acceleration(chorda.assemble(cut), q, v), acceleration(system, q, v), rtol=1e-9
    )
