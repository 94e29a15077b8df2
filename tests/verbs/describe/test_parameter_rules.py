"""Changed parameters obey the rules of the description, in every verb."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Revolute, Robot, Rod, Tube
from chorda.errors import InputError

TUBE = Rod(
    name="rod",
    length=0.3,
    section=Tube(radius=2e-3, inner_radius=1e-3),
    young_modulus=1e9,
    density=1000.0,
)


def tube():
    return chorda.assemble(Robot(name="tube", joints=(TUBE,)))


def body():
    inertia = (1e-3, 2e-3, 2.5e-3, 0, 0, 0)
    joint = Revolute(name="a", body=Body(mass=1.0, center=(0.1, 0, 0), inertia=inertia))
    return chorda.assemble(Robot(name="arm", joints=(joint,)))


WRONG = [
    (tube, {"rod.section.inner_radius": 3e-3}, "inner_radius' must be smaller than"),
    (tube, {"rod.section.radius": 5e-4}, "inner_radius' must be smaller than"),
    (lambda: neck(), {"x1.bar_length": 0.2}, "bar_length' must be smaller than"),
    (lambda: neck(), {"*.diagonal_length": 0.01}, "bar_length' must be smaller than"),
    (body, {"a.inertia.xx": 1.0}, "principal moments of 'a.inertia'"),
    (body, {"a.mass": 0.0}, "must be greater than 0"),
]


def neck():
    return chorda.assemble(chorda.load("neck-1"))


@pytest.mark.parametrize(("system", "changes", "says"), WRONG)
def test_every_verb_refuses_what_the_description_refuses(system, changes, says):
    system = system()
    motion = {"duration": 0.01, "step": 1e-3, "parameters": changes}
    for verb in (
        lambda: chorda.simulate(system, **motion),
        lambda: chorda.equilibrium(system, parameters=changes),
        lambda: chorda.linearize(system, parameters=changes),
        lambda: chorda.step_limits(system, parameters=changes),
        lambda: chorda.rollout(
            system,
            duration=0.01,
            step=1e-3,
            parameters={k: np.array([v, v]) for k, v in changes.items()},
        ),
    ):
        with pytest.raises(InputError, match=says):
            verb()


def test_a_batch_names_the_member():
    radii = np.array([5e-4, 1e-3, 3e-3, 1e-3])
    with pytest.raises(InputError, match=r"got 0.003, 0.002 of member 2"):
        chorda.rollout(
            tube(), duration=0.01, step=1e-3, parameters={"rod.section.inner_radius": radii}
        )


def test_both_may_change_together():
    both = {"rod.section.inner_radius": 3e-3, "rod.section.radius": 4e-3}
    assert tube().parameters(both)[[0]].size
