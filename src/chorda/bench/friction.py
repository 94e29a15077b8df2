"""What friction along tendons adds to the time of a step."""

from chorda.bench.groups import Group, at_most, us
from chorda.bench.steps import SCHEME, Stepping
from chorda.catalogue import load
from chorda.describe import Capstan, Robot
from chorda.mechanics import System, assemble
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

SMOOTH, BRISTLES = Capstan(coefficient=0.1), Capstan(coefficient=0.1, deflection=1e-4)


def rubbing(robot: Robot, friction: Capstan) -> Robot:
    """The robot with friction at all eyelets."""
    tendons = tuple(
        x.model_copy(update={"friction": friction}) if len(x.path) > 2 else x for x in robot.tendons
    )
    return robot.model_copy(update={"tendons": tendons})


def friction_group(neck: System, steps: int, repeats: int) -> Group:
    """neck-3 without friction along its tendons, with it, and with bristles, in turns."""
    robot = load("neck-3")
    robots = {
        "no friction along tendons": neck,
        "friction at all eyelets": assemble(rubbing(robot, SMOOTH)),
        "the same with bristles": assemble(rubbing(robot, BRISTLES)),
    }
    each = {name: Stepping(system, SCHEME, steps) for name, system in robots.items()}
    best = best_in_turns(each, repeats)
    first = next(iter(best.values()))
    rows = tuple(
        (name, us(t), f"{t / first:.3g}", str(each[name].kernel.operations))
        for name, t in best.items()
    )
    ratio = best["friction at all eyelets"] / first
    return Group(
        Table(
            "One step of neck-3 whose tendons rub, implicit-euler",
            ("robot", "time a step", "ratio", "operations"),
            rows,
        ),
        (at_most("friction at all eyelets of neck-3, a step", 1.5, ratio, "times"),),
        {"friction_seconds_per_step": best},
    )
