"""Two rods on motors, joined at their tips: the RFRFR robot of Briot2022."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Circle, Closure, Modes, Placement, Point, Revolute, Robot, Rod
from chorda.errors import InputError

# motor angles on the printed path and P, by an independent solution of the continuous problem
PATH = {
    0: ((2.59, 0.55), (0.00039493, 0.83903214)),
    25: ((4.175, 2.11), (-0.68205512, 0.41559150)),
    50: ((5.76, 3.67), (0.00050057, -0.91007367)),
}


def leg(k, x):
    motor = Revolute(name=f"motor{k}", placement=Placement(position=(x, 0, 0)))
    rod = Rod(
        name=f"leg{k}",
        parent=f"motor{k}",
        length=1.0,
        section=Circle(radius=1e-3),
        young_modulus=210e9,
        shear_modulus=82e9,
        density=7800,
        modes=Modes(twist=0, bend_y=0, bend_z=10, stretch=0, intervals=20),
    )
    return motor, rod


@pytest.fixture(scope="module")
def system():
    tips = [Point(frame=f"leg{k}.tip") for k in (1, 2)]
    pin = Closure(name="pin", kind="revolute", start=tips[0], end=tips[1])
    joints = (*leg(1, -0.2), *leg(2, 0.2))
    return chorda.assemble(Robot(name="rfrfr", gravity=(0, 0, 0), joints=joints, closures=(pin,)))


def settled(system, t):
    angles = dict(zip(("motor1", "motor2"), PATH[t][0], strict=True))
    bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    return chorda.equilibrium(system, hold=angles, initial=bulge, strict=True)


def test_a_pin_in_the_plane_of_the_rods_has_two_equations(system):
    assert system.constraints.names == ("pin.x", "pin.y")


@pytest.mark.parametrize("t", [0, 50])
def test_the_pin_is_where_the_continuous_problem_has_it(system, t):
    found = settled(system, t)
    line = next(x for x in system.picture.lines if x.kind == "rod")
    place = system.drawing(found.q, found.parameters).full()[:2, line.points[-1]]
    assert place == pytest.approx(PATH[t][1], abs=1e-8)
    assert found.stable


def test_motors_hold_with_the_moment_that_virtual_work_gives(system):
    """The derivative of the energy by a held angle is the effort that holds it."""
    step = 1e-4
    energy = []
    for sign in (-1, 1):
        angles = {"motor1": PATH[0][0][0] + sign * step, "motor2": PATH[0][0][1]}
        at = chorda.equilibrium(system, hold=angles, initial=settled(system, 0), strict=True)
        still = np.zeros(system.nv)
        energy.append(sum(map(float, system.energies(at.q, still, at.u, at.parameters))))
    slope = (energy[1] - energy[0]) / (2 * step)
    assert settled(system, 0).efforts["motor1"] == pytest.approx(slope, rel=1e-5)


def test_what_is_held_must_be_a_coordinate_with_a_number(system):
    with pytest.raises(InputError, match="hold: 'motor3' is not there; did you mean"):
        chorda.equilibrium(system, hold={"motor3": 0.0})
    with pytest.raises(InputError, match=r"hold.motor1: expected a finite number, got nan"):
        chorda.equilibrium(system, hold={"motor1": float("nan")})


def test_motors_that_put_the_pin_somewhere_are_found(system):
    """The inverse problem, along a way from a configuration of the forward one and back by it."""
    found = settled(system, 0)
    for y in (0.83, 0.8, 0.77):
        place = {"leg1.tip": {"x": 0.05, "y": y}}
        motors = ("motor1", "motor2")
        found = chorda.equilibrium(system, poses=place, actuated=motors, initial=found, strict=True)
        assert found.frame("leg2.tip")[0][:2] == pytest.approx([0.05, y], abs=1e-9)
    angles = {name: found.position[name] for name in motors}
    again = chorda.equilibrium(system, hold=angles, initial=settled(system, 0), strict=True)
    assert again.q == pytest.approx(found.q, abs=1e-7)
    assert again.efforts == pytest.approx(found.efforts, abs=1e-7)
    assert again.eigenvalues == pytest.approx(found.eigenvalues, rel=1e-6)


def test_a_place_out_of_reach_is_told(system):
    place = {"leg1.tip": {"x": 0.0, "y": 2.5}}
    start = settled(system, 0)
    found = chorda.equilibrium(system, poses=place, actuated=("motor1", "motor2"), initial=start)
    assert found.status.code == "stopped"
    assert found.frame("leg1.tip")[0][1] == pytest.approx(math.sqrt(1 - 0.2**2), abs=1e-3)
    assert "The nearest configuration that was solved has leg1.tip.x" in found.status.message


def test_as_much_is_actuated_as_is_held_or_placed(system):
    with pytest.raises(InputError, match=r"actuated: 2 values are held or posed, .* got 1"):
        chorda.equilibrium(system, poses={"leg1.tip": {"x": 0, "y": 0.8}}, actuated=("motor1",))
    with pytest.raises(InputError, match=r"poses.leg1.tip: 'w' is no axis; expected x, y, z or"):
        chorda.equilibrium(system, poses={"leg1.tip": {"w": 0}}, actuated=("motor1",))
    with pytest.raises(InputError, match=r"poses: 'leg3.tip' is not there"):
        chorda.equilibrium(system, poses={"leg3.tip": {"x": 0}}, actuated=("motor1",))
