"""An equilibrium is found where a motion with friction would settle."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Free,
    KelvinVoigt,
    Placement,
    Point,
    Revolute,
    Robot,
    Tendon,
    Winch,
)
from chorda.errors import InputError

MASS, STIFFNESS, GRAVITY = 2.0, 5e3, 9.81
SLACK_BELT = {"belt3-*.stiffness": 1e-12}  # nothing holds the pulley that it goes around


def hung_plate() -> Robot:
    """A plate on four upright cables that are just not taut."""
    corners = [(x, y) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    law = KelvinVoigt(stiffness=STIFFNESS, damping=50.0, one_sided=True)
    return Robot(
        name="plate",
        gravity=(0, 0, -GRAVITY),
        joints=(Free(name="plate", body=Body(mass=MASS, inertia=(0.03, 0.03, 0.05, 0, 0, 0))),),
        actuators=tuple(Winch(name=f"w{i}") for i in range(4)),
        tendons=tuple(
            Tendon(
                name=f"c{i}",
                path=(Point(point=(x, y, 1.0)), Point(frame="plate", point=(x, y, 0.0))),
                law=law,
                actuator=f"w{i}",
            )
            for i, (x, y) in enumerate(corners)
        ),
    )


def test_a_plate_on_slack_cables_sinks_until_they_carry_it() -> None:
    rest = chorda.equilibrium(chorda.assemble(hung_plate()))
    assert rest.status.ok
    assert rest.stable
    assert rest.position["plate.z"] == pytest.approx(-MASS * GRAVITY / (4 * STIFFNESS), rel=1e-6)
    assert rest.tension == pytest.approx([MASS * GRAVITY / 4] * 4, rel=1e-6)


def test_a_pendulum_near_the_top_is_found_hanging() -> None:
    pendulum = Robot(
        name="pendulum",
        joints=(
            Revolute(
                name="swing", body=Body(mass=1.0, center=(0, -0.5, 0), inertia=(0, 0, 0.1, 0, 0, 0))
            ),
            Revolute(
                name="second",
                parent="swing",
                placement=Placement(position=(0, -1, 0)),
                body=Body(mass=1.0, center=(0, -0.5, 0), inertia=(0, 0, 0.1, 0, 0, 0)),
            ),
        ),
    )
    rest = chorda.equilibrium(chorda.assemble(pendulum), initial={"swing": 3.0, "second": 0.2})
    assert rest.stable
    assert np.cos(rest.q[0]) == pytest.approx(1.0, abs=1e-9)
    assert np.cos(rest.q[0] + rest.q[1]) == pytest.approx(1.0, abs=1e-9)


def test_tensions_for_a_robot_without_tendons_are_refused() -> None:
    arm = Robot(name="arm", joints=(Revolute(name="j", body=Body(mass=1.0, center=(1, 0, 0))),))
    with pytest.raises(InputError, match="this robot has no tendons"):
        chorda.equilibrium(chorda.assemble(arm), tensions=3.0)


def test_limits_leave_out_what_grows_by_itself() -> None:
    arm = Robot(
        name="inverted",
        joints=(Revolute(name="j", body=Body(mass=1.0, center=(0, 1, 0)), friction=0.1),),
    )
    found = chorda.step_limits(chorda.assemble(arm))
    assert "unstable in itself" in found.suggestion
    assert found.limits["implicit-euler-converged"].step == np.inf
    assert found.limits["rk4"].step > 0.1


def test_tensions_of_rigid_tendons_with_a_given_length_are_refused() -> None:
    system = chorda.assemble(hung_plate(), tendons="rigid")
    with pytest.raises(InputError, match="c0, c1, c2, c3 have a given length and do not stretch"):
        chorda.equilibrium(system, tensions=5.0)


def test_inputs_that_hold_given_tensions_pay_out_the_stretched_length() -> None:
    system = chorda.assemble(hung_plate())
    pull = MASS * GRAVITY / 4
    rest = chorda.equilibrium(system, tensions=pull, initial={"plate.z": -0.01})
    again = chorda.equilibrium(system, inputs=rest.u, initial=rest)
    assert again.tension == pytest.approx([pull] * 4, rel=1e-6)
    assert again.q == pytest.approx(rest.q, abs=1e-8)


@pytest.mark.parametrize(
    ("name", "given", "along"),
    [
        ("recursive-1", {"tensions": [30, 20, 20]}, "link1, link2, link3, link4"),
        ("recursive-1", {"torques": 0.0}, "link1"),
        ("recursive-2", {"tensions": 5.0}, "link3"),
        ("belt-arm", {"tensions": 30.0, "parameters": SLACK_BELT}, "stage"),
    ],
)
def test_a_configuration_in_balance_that_nothing_pulls_back_is_found_and_called_neutral(
    name, given, along
) -> None:
    rest = chorda.equilibrium(chorda.assemble(chorda.load(name)), **given)
    assert rest.status.ok
    assert rest.residual < 1e-9
    assert not rest.stable
    assert ", ".join(rest.neutral).startswith(along)
    assert f"NEUTRAL along {along}" in rest.status.message
    assert "neutral" in repr(rest)


def test_a_neutral_configuration_is_found_from_beside_it() -> None:
    """The arm hangs down, and the pulley stays where it was put."""
    system = chorda.assemble(chorda.load("belt-arm"))
    start = {"joint1": 0.4, "stage": 0.3}
    rest = chorda.equilibrium(system, tensions=30.0, initial=start, parameters=SLACK_BELT)
    assert rest.neutral == ("stage",)
    assert rest.q[:3] == pytest.approx([0, 0, 0.3], abs=1e-9)


def test_what_is_left_unbalanced_is_named_with_its_torque() -> None:
    found = chorda.equilibrium(chorda.assemble(chorda.load("recursive-1")), tensions=20.0)
    assert not found.status.ok
    assert found.residual == pytest.approx(0.4)  # 20 N (0.04 - 2 * 0.03) m
    assert "left unbalanced: link1 with -0.4 N m" in found.status.message
    assert "chorda.transmission(system, q).distribute()" in found.status.message
    assert "load stepping" not in found.status.message
