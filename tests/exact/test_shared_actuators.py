"""Only what actuators can command counts: tendons that share an actuator, and tendons that none
pulls."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Motor,
    Placement,
    Point,
    Pulley,
    Revolute,
    Robot,
    Tendon,
    TensionActuator,
    Winch,
    belt,
)
from chorda.errors import DescriptionError

R, L = 0.01, 0.1
ROD = Body(mass=0.2, center=(0, -L / 2, 0), inertia=(0, 0, 2e-4, 0, 0, 0))
MOTOR = Motor(name="m", inertia=1e-4, drum_radius=R)
WINCH = Winch(name="m")
FORCE = TensionActuator(name="m")


def pair(*actuators, on=("m", "m"), winding=(1, 1), stiffness=(1e4, 1e4), pretension=None):
    """One joint between a flexor and an extensor of equal arms."""
    return Robot(
        name="pair",
        joints=(Revolute(name="j", body=ROD),),
        actuators=actuators,
        tendons=tuple(
            Tendon(
                name=name,
                path=(
                    Point(point=(sign * R, L, 0)),
                    Pulley(frame="j", radius=R, side=side, wound=np.pi / 2),
                ),
                law=KelvinVoigt(stiffness=k, pretension=pretension, one_sided=True),
                actuator=actuator,
                winding=way,
            )
            for name, sign, side, k, actuator, way in zip(
                ("flex", "ext"), (1, -1), ("right", "left"), stiffness, on, winding, strict=True
            )
        ),
    )


def found(*actuators, **how):
    return chorda.transmission(chorda.assemble(pair(*actuators, **how)))


@pytest.mark.parametrize("actuator", [MOTOR, WINCH, FORCE])
def test_a_pair_wound_alike_on_one_actuator_only_contracts_together(actuator):
    made = found(actuator)
    assert made.commands.changes[:, 0] == pytest.approx([1, 1])
    assert (made.rank, made.commanded) == (1, 0)
    assert not made.wrench_closure
    assert made.arrangement == "on shared actuators"
    assert (
        "tendons pull it in the positive direction, but no actuator commands that" in made.summary
    )
    assert made.balanced == pytest.approx({"flex": 1, "ext": 1})
    for torque in (0.1, -0.1):
        assert made.distribute({"j": torque}).status.code == "infeasible"


def test_a_pair_wound_alike_shares_the_torque_of_its_motor_by_stiffness():
    """B (t1 + t2) = torque; unequal stiffnesses leave a torque, and pretension can be let off."""
    made = found(MOTOR, stiffness=(2e4, 1e4))
    assert made.commands.changes[:, 0] == pytest.approx([1, 0.5])
    assert made.commanded == 1
    assert "Every torque can be held with tendons that pull, given enough pretension" in (
        made.summary
    )
    t = made.distribute({"j": -0.1}).tension
    assert R * (t["flex"] - t["ext"]) == pytest.approx(-0.1)


@pytest.mark.parametrize("actuator", [MOTOR, WINCH])
def test_a_pair_wound_oppositely_on_one_actuator_is_endless_and_wrench_closure(actuator):
    made = found(actuator, winding=(1, -1))
    assert made.commands.changes[:, 0] == pytest.approx([1, -1])
    assert made.endless == ("flex", "ext")
    assert made.arrangement == "N, endless"
    assert made.wrench_closure
    assert "given enough pretension" in made.summary
    for torque in (0.1, -0.1):
        held = made.distribute({"j": torque}, low=1.0)
        assert held.tension["flex"] - held.tension["ext"] == pytest.approx(torque / R)
        assert "the sums are those of the pretension" in held.status.message


def test_commands_are_the_changes_that_the_equations_give_when_a_motor_turns():
    """Statics of the assembled system, the joints held, the free pulleys in balance."""
    system = chorda.assemble(chorda.load("belt-arm"))
    made = chorda.transmission(system)
    p, names = system.parameters(), system.coordinate_names
    stage = names.index("stage")
    for column, motor in enumerate(("motor1", "motor2")):
        q = system.rest
        q[names.index(motor)] = -1e-4
        for _ in range(3):  # turn the stage until nothing acts on it
            force, step = [], 1e-7
            for x in (q[stage], q[stage] + step):
                q[stage] = x
                force.append(_force(system, q, p)[stage])
            q[stage] -= step + force[0] * step / (force[1] - force[0])
        change = _tension(system, q, p) - _tension(system, system.rest, p)
        change /= np.max(np.abs(change))
        assert made.commands.changes[:, column] == pytest.approx(change, abs=1e-4)


def _force(system, q, p):
    return system.equations(q, np.zeros(system.nv), np.zeros(system.nu), p)[1].full().ravel()


def _tension(system, q, p):
    row = [o.name for o in system.outputs].index("tension")
    still = [np.zeros(k) for k in (system.nv, system.nv, system.nc, system.nu)]
    return system.observe(q, *still, p)[row].full().ravel()


def test_a_tied_tendon_is_named_and_keeps_its_tension():
    made = found(MOTOR, on=("m", None), pretension=3.0)
    assert made.passive == ("ext",)
    assert not made.wrench_closure
    assert "no actuator commands ext" in made.summary
    assert "No actuator commands ext." in made.table().note
    assert made.distribute({"j": 0.1}).tension == pytest.approx({"flex": 3 + 0.1 / R, "ext": 3})
    assert made.distribute({"j": -0.02}).tension == pytest.approx({"flex": 1, "ext": 3})
    refused = made.distribute({"j": -0.05}).status.message
    assert "-0.05 N m are needed, and the tendons give at most -0.03 N m" in refused


def test_without_actuators_nothing_is_commanded():
    made = found(on=(None, None), pretension=3.0)
    assert made.passive == ("flex", "ext")
    assert not made.wrench_closure
    assert "no actuator commands flex, ext" in made.summary
    assert made.distribute({"j": 0.0}).status.ok
    assert not made.distribute({"j": 0.1}).status.ok


def test_an_endless_tendon_on_a_prescribed_tension_is_refused():
    sides = belt(
        "b",
        Pulley(point=(0, 0.2, 0), radius=R, side="left"),
        Pulley(frame="j", radius=R, side="left"),
        KelvinVoigt(stiffness=1e4, pretension=5.0),
        carrier="world",
        actuator="m",
    )
    joint = Revolute(name="j", placement=Placement(), body=ROD)
    assert Robot(name="r", joints=(joint,), actuators=(MOTOR,), tendons=sides)
    with pytest.raises((DescriptionError, ValueError), match="prescribes one tension, that of"):
        Robot(name="r", joints=(joint,), actuators=(FORCE,), tendons=sides)
