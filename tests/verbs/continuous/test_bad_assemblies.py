"""What the continuous model of an assembly does not have is refused by name."""

from dataclasses import replace

import pytest

from chorda.catalogue import load
from chorda.continuous import conjugate_points, joint_stiffness, shooting
from chorda.describe import Fixed, Robot, Rod
from chorda.errors import InputError
from chorda.results import Code, Status
from tests.helpers.assembly_robots import STEEL, TWO, cantilever, two_angles


def rods(**second):
    first = Rod(name="first", length=1.0, **STEEL)
    return Robot(name="rods", joints=[first, *second.values()])


def test_a_rod_on_a_rod():
    link = Fixed(name="link", parent="first.tip")
    rod = Rod(name="second", parent="link", length=1.0, **STEEL)
    with pytest.raises(InputError, match=r"second\.parent: 'link' hangs on a rod; expected the wo"):
        shooting(rods(link=link, rod=rod))


def test_tendons_tapers_and_robots_without_rods():
    with pytest.raises(InputError, match=r"tendons\..*: the continuous model of an assembly has n"):
        shooting(load("neck-3"))
    thin = Rod(name="second", length=1.0, taper=0.5, **STEEL)
    with pytest.raises(InputError, match=r"second\.taper: expected none .* got 0\.5"):
        shooting(rods(thin=thin))
    with pytest.raises(InputError, match="joints: 'stand' has no rod"):
        shooting(Robot(name="stand", joints=[Fixed(name="foot")]))


def test_what_is_held_placed_and_actuated():
    with pytest.raises(InputError, match="hold: 'motor3' is not there; did you mean"):
        shooting(TWO, hold={"motor3": 0.0})
    with pytest.raises(InputError, match=r"hold\.motor1: expected a finite number, got nan"):
        shooting(TWO, hold={"motor1": float("nan")})
    with pytest.raises(InputError, match=r"actuated: 2 values are held or posed, .* got 1"):
        shooting(TWO, poses={"leg1.tip": {"x": 0, "y": 0.8}}, actuated=("motor1",))
    with pytest.raises(InputError, match=r"poses\.leg1\.tip: 'w' is no axis"):
        shooting(TWO, poses={"leg1.tip": {"w": 0}}, actuated=("motor1",))
    with pytest.raises(InputError, match=r"poses\.leg1\.tip\.rotation: expected a rotation matrix"):
        shooting(TWO, poses={"leg1.tip": {"rotation": [1, 0]}}, actuated=("motor1",))
    with pytest.raises(InputError, match=r"poses: 'leg3\.tip' is not there"):
        shooting(TWO, poses={"leg3.tip": {"x": 0}}, actuated=("motor1",))


def test_where_to_start_and_what_to_ask():
    with pytest.raises(InputError, match=r"initial: 'leg1\.bend' is not there; did you mean"):
        shooting(TWO, hold=two_angles(0), initial={"leg1.bend": 1.0})
    other = shooting(cantilever(force=(0, 0.1, 0)))
    with pytest.raises(InputError, match=r"initial: is a result of 'cantilever', which has other"):
        shooting(TWO, hold=two_angles(0), initial=other)
    with pytest.raises(InputError, match="frame: 'rod' is not there"):
        other.frame("rod")
    with pytest.raises(InputError, match="joints: 'motor3' is not there"):
        joint_stiffness(other, ["motor3"])
    lost = replace(other, status=Status(Code.NOT_CONVERGED, "No equilibrium was found."))
    with pytest.raises(InputError, match="solution: expected an equilibrium, got one that is not"):
        conjugate_points(lost)
