"""Robots of the catalogue that touch: each does what its title promises, and forces balance."""

import numpy as np
import pytest

import chorda

WEIGHT = 0.1 * 9.81  # of the ball [N]


def ramp(first, last, duration):
    """Inputs that change at a constant rate, then stay."""
    first, last = np.array(first), np.array(last)
    return lambda t: first + min(t / duration, 1.0) * (last - first)


def forces(run, name="normal_force"):
    """By point of contact at the end of a run: (points,) or (points, 3)."""
    return np.atleast_1d(run.data[name].values[-1])


def vectors(run, name, k=-1):
    return run.data[name].values[k].reshape(-1, 3)


def test_the_neck_leans_on_the_post_with_its_upper_bars():
    system = chorda.assemble(chorda.load("neck-obstacle"))
    pull = ramp([-0.02] * 4, [-0.038, -0.038, -0.044, -0.010], 3.0)
    run = chorda.simulate(
        system, duration=6.0, step=1e-3, inputs=pull, initial={"tension": 25.0}, strict=True
    )
    touching = [str(x).split()[0] for x in run.events if x.kind == "touches"]
    assert touching == ["leans.bar2-post", "leans.bar3-post"]
    assert forces(run)[0] == 0
    assert min(forces(run)[1:]) > 4
    assert run.outputs["tension"].min() > 10
    assert run.position[-1, 2] < -1.0  # the head has turned by more than a radian


def closed_finger(**more):
    system = chorda.assemble(chorda.load("finger-grasp"))
    pull = ramp([-0.024] * 4, -0.006 * np.array([20, 6, 4, 2]), 0.5)
    return chorda.simulate(
        system, duration=2.0, step=1e-3, inputs=pull, initial={"tension": 4.0}, strict=True, **more
    )


def test_the_finger_closes_on_the_bar_with_every_phalanx():
    run = closed_finger()
    assert min(forces(run)) > 0.2
    assert run.outputs["tension"].min() > 1
    assert np.abs(run.velocity[-1, :3]).max() < 1e-6
    rubbing = np.linalg.norm(vectors(run, "friction_force"), axis=1)
    assert (rubbing <= 0.8 * forces(run)).all()


def test_the_torques_of_tendons_and_weight_balance_the_forces_of_the_grasp():
    """At the knuckle, in plain vectors: nothing of the assembler's is used but positions."""
    run = closed_finger()
    points = vectors(run, "contact_point")
    normal, rubbing = vectors(run, "contact_normal"), vectors(run, "friction_force")
    assert all(x.first.startswith("phalanx") for x in run.system.touches)
    on_finger = -(forces(run)[:, None] * normal + rubbing)  # those of a run act on the second
    moment = np.cross(points, on_finger)[:, 2].sum()
    angles = np.cumsum(run.position[-1, :3])
    along = np.array([np.sin(angles), -np.cos(angles)]).T
    lengths, masses = np.array([0.045, 0.03, 0.025]), np.array([0.03, 0.02, 0.015])
    starts = np.vstack([[0, 0], np.cumsum(lengths[:, None] * along, axis=0)[:-1]])
    centres = starts + lengths[:, None] / 2 * along
    weight = -(masses * 9.81 * centres[:, 0]).sum()
    tension = run.outputs["tension"][-1]
    tendons = 0.004 * (tension[:3].sum() - 3 * tension[3])
    assert moment + weight + tendons == pytest.approx(0, abs=1e-7)


def lowered(t):
    """Uneven tensions that close the hand, and a pedestal that goes down by 40 mm."""
    x = np.clip((t - 0.8) / 0.4, 0, 1)
    height, change = -0.04 * (3 * x**2 - 2 * x**3), -0.04 * (6 - 12 * x) / 0.4**2
    pull = -0.006 * min(t / 0.3, 1.0) * np.array([5.0, 5.4, 4.8])
    return [*pull, height, change if 0 < x < 1 else 0.0]


def ball(run):
    """Where it is over time, from where it starts [m]."""
    names = list(run.system.coordinate_names)
    return run.position[:, [names.index(f"ball.{x}") for x in "xyz"]]


@pytest.mark.parametrize("step", [1e-3, 5e-4])
def test_the_hand_holds_the_ball_when_the_pedestal_is_gone(step):
    system = chorda.assemble(chorda.load("hand-ball"))
    run = chorda.simulate(system, duration=3.0, step=step, inputs=lowered, strict=True)
    after = run.time > 1.3
    place = ball(run)[after]
    assert np.abs(place - place[0]).max() < 1e-7
    touching = run.data["normal_force"].values[after] > 0
    sliding = run.data["sliding_velocity"].values[after].reshape(*touching.shape, 3)
    assert np.linalg.norm(sliding, axis=2)[touching].max() < 1e-7
    held = touching.all(axis=0)
    assert held.sum() == 3
    assert not held[-1]  # the pedestal
    rubbing = vectors(run, "friction_force")
    push = forces(run)[:, None] * vectors(run, "contact_normal") + rubbing
    assert push.sum(axis=0) == pytest.approx([0, WEIGHT, 0], abs=1e-5)
    assert rubbing.sum(axis=0)[1] > 0.5 * WEIGHT


def test_a_grasp_that_holds_is_stable_and_a_motion_beside_it_stays():
    system = chorda.assemble(chorda.load("hand-ball"))
    run = chorda.simulate(system, duration=3.0, step=1e-3, inputs=lowered, strict=True)
    rest = chorda.equilibrium(system, inputs=lowered(3.0), initial=run.position[-1], strict=True)
    verdicts = chorda.stability(rest)
    assert rest.stability == "stable"
    assert verdicts["locked"].stable
    assert verdicts["constant efforts"].stable
    nudged = rest.q.copy()
    names = list(system.coordinate_names)
    nudged[[names.index(f"ball.{x}") for x in "xyz"]] += 1e-7
    beside = chorda.simulate(
        system, initial=nudged, inputs=lowered(3.0), duration=3.0, step=1e-3, strict=True
    )
    assert np.abs(ball(beside) - ball(run)[-1]).max() < 1e-6


def test_the_ball_goes_down_with_the_pedestal_when_the_skin_is_slippery():
    system = chorda.assemble(chorda.load("hand-ball"))
    slippery = {"grasp.friction.coefficient": 0.3}
    run = chorda.simulate(
        system, duration=2.0, step=1e-3, inputs=lowered, parameters=slippery, strict=True
    )
    assert ball(run)[-1, 1] == pytest.approx(-0.04, abs=1e-3)
