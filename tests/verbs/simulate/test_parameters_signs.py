"""Parameters that are changed for a run are checked like those of a description."""

import pytest

import chorda
from chorda.errors import InputError


@pytest.mark.parametrize(
    "name", ["x1.bar_mass", "motor-*.inertia", "left.stiffness", "x1.friction"]
)
def test_a_negative_value_is_refused_where_none_makes_sense(name: str) -> None:
    system = chorda.assemble(chorda.load("neck-1"))
    with pytest.raises(InputError, match="must not be negative, got -1"):
        system.parameters({name: -1.0})


def test_gravity_may_point_either_way() -> None:
    system = chorda.assemble(chorda.load("neck-1"))
    assert system.parameters({"gravity.y": 9.81})[0] == 9.81
    assert system.parameters({"gravity.y": -1.6})[0] == -1.6


def test_rigid_tendons_cannot_be_wound_to_a_tension() -> None:
    system = chorda.assemble(chorda.load("neck-1"), "rigid")
    with pytest.raises(InputError, match="tension: no motor of this system can be wound"):
        chorda.simulate(system, duration=0.1, step=1e-2, initial={"tension": 5.0})
