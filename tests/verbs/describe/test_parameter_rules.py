"""Changed parameters obey the rules of the description, in every verb."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Box, Capsule, Cylinder, Revolute, Robot, Rod, Sphere, Tube
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


def shaped():
    shapes = [
        Box(name="box", frame="a", center=(0.3, 0, 0), size=(0.2, 0.2, 0.1), rounding=0.05),
        Capsule(name="pin", start=(0, 1, 0), end=(0, 1.5, 0), radius=0.05),
        Cylinder(name="post", start="origin", end=(0, -0.5, 0), radius=0.05),
        Sphere(name="ball", center=(3, 3, 3), radius=0.1),
    ]
    arm = body().robot
    fields = {x: getattr(arm, x) for x in arm.model_fields_set}
    return chorda.assemble(Robot(**fields | {"shapes": shapes}))


WRONG = [
    (shaped, {"box.rounding": 0.06}, r"'box.rounding' must be at most half of 'box.size.z' .*0.06"),
    (shaped, {"box.size.y": 0.05}, r"at most half of 'box.size.y' .*smaller rounding.*0.05, 0.05"),
    (shaped, {"box.size.*": 0.05}, r"at most half of 'box.size.x'"),
    (shaped, {"pin.start.y": 1.5}, r"'pin.end' must be another point than 'pin.start'.*got 0, 1.5"),
    (shaped, {"pin.end.y": 1.0}, r"'pin.end' must be .*move one of them"),
    (shaped, {"post.end.y": 0.0}, r"'post.end' must be another point than 'post.start'"),
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


def test_a_box_may_shrink_together_with_its_rounding_and_a_line_may_move():
    both = {"box.size.*": 0.05, "box.rounding": 0.02, "pin.start.y": 1.5, "pin.end.y": 2.0}
    assert shaped().parameters(both)[[0]].size


def test_a_line_to_an_anchor_has_a_length_wherever_its_other_end_is():
    robot = chorda.load("neck-1")
    bar = Capsule(name="bar", frame="x1.top", start="left", end=(0.0, 0.1, 0.0), radius=0.01)
    fields = {x: getattr(robot, x) for x in robot.model_fields_set}
    system = chorda.assemble(Robot(**fields | {"shapes": [bar]}))
    assert system.parameters({"bar.end.y": 0.0})[[0]].size
