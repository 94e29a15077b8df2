"""Rotors behind a play, which start where their gear puts them."""

from collections.abc import Collection

from chorda.describe import JointMotor
from chorda.mechanics.system import Array, System


def meshed(
    system: System, q: Array, v: Array, p: Array, named: Collection[str]
) -> tuple[Array, Array]:
    """(q, v), one or columns of many, with each rotor behind a play in its middle, turning with its
    joint, unless its angle or rate is among those that are named."""
    geared = [
        x for x in system.robot.actuators if isinstance(x, JointMotor) and x.backlash is not None
    ]
    names = list(system.coordinate_names)
    rates = [name for name, _ in system.velocities]
    for x in geared:
        ratio = p[system.parameter_names.index(f"{x.name}.gear_ratio")]
        if x.name not in named:
            q[names.index(x.name)] = ratio * q[names.index(x.joint)]
        if f"{x.name}.rate" not in named:
            v[rates.index(f"{x.name}.rate")] = ratio * v[rates.index(f"{x.joint}.rate")]
    return q, v
