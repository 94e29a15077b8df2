"""transmission: what the tendons of a robot can hold at a configuration."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.checks import check_names, mapping
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results.pressing import contact_values
from chorda.statics import winding_limits as winding
from chorda.statics.initial import Initial, check, configuration
from chorda.tendons.commanded_tensions import commanded_tensions
from chorda.tendons.feasibility import Wiring
from chorda.tendons.tendon_lines import free_pulleys, lines_over
from chorda.tendons.tendon_structure import Transmission
from chorda.tendons.wanted_forces import pressed


@interruptible()
@one_thread()
def transmission(
    system: System,
    q: Initial = None,
    *,
    free: Sequence[str] | None = None,
    normal_forces: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Transmission:
    """Find out what torques the tendons can hold at a configuration.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    q : optional
        The configuration, as `initial` of `chorda.simulate`; by default the one at rest.
    free : sequence of str, optional
        Joints that only pass tensions on (pulleys between segments of a tendon) and are eliminated
        by their balance; by default see `free_pulleys`.
    normal_forces : mapping, optional
        With which contacts shall press, by the names of where they touch [N]: the configuration is
        moved to where they do, and `distribute` then finds the tensions that keep them.
    parameters : mapping, optional
        Changed values by name. Friction along tendons counts with their parameter `sliding`: 1
        where they are being pulled, -1 where released; 0, the default, leaves it out.

    Returns
    -------
    Transmission
        Moment arms, rank, null space, whether there is wrench closure, and `distribute`.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    infeasible : the same over many configurations.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> found = transmission(assemble(load("neck-3")))
    >>> found.arrangement, found.wrench_closure
    ('N+1', True)
    """
    check(system)
    if not system.robot.tendons:
        raise InputError(f"{system.robot.name}: has no tendons, so there is no transmission")
    if isinstance(free, str):
        raise InputError(f"free: expected a list of joints, got {free!r}; write [{free!r}]")
    p = system.parameters(parameters)
    at = configuration(system, q, p, "q")
    if normal_forces:
        at = pressed(system, at, p, mapping("normal_forces", normal_forces, "{'grasp': 5.0}"))
    winding.refuse(system, q, at, p, "q")
    return at_configuration(
        system, at, p, free_pulleys(system.robot) if free is None else tuple(free)
    )


def at_configuration(system: System, q: Array, p: Array, free: tuple[str, ...]) -> Transmission:
    """The transmission with the pulleys `free` eliminated."""
    robot = system.robot
    motors = sum(c.kind == "motor" for c in system.coordinates)
    rows = list(range(system.nv - motors))
    names = [system.velocities[i][0].removesuffix(".rate") for i in rows]
    check_names("free", free, names)
    idle = [i for i in rows if names[i] in free]
    kept = [i for i in rows if names[i] not in free]
    if not kept:
        raise InputError(f"free: leaves no joint; name fewer of {', '.join(names)}")
    no_input = np.zeros((1, system.nu))
    Z, force, J = (x.full() for x in _geometry(system)(q, no_input[0], p))
    cables = {f"{t.name}.length" for t in robot.tendons}
    loops = J[[i for i, name in enumerate(system.constraints.names) if name not in cables]].T
    joints = tuple(names[i] for i in kept)
    given = commanded_tensions(system, q, p, Z[idle])
    coupling = given.coupling(Z[kept], Z[idle])
    wiring = Wiring(joints, Z[kept], Z[idle], loops[[*kept, *idle]], coupling)
    actuated = [t.actuator is not None for t in robot.tendons]
    lines, ties = lines_over(Z[idle], actuated)
    tendons = tuple(t.name for t in robot.tendons)
    return Transmission(
        system=system,
        q=q,
        joints=joints,
        units=tuple("N" if system.velocities[i][1] == "m/s" else "N m" for i in kept),
        pulleys=tuple(names[i] for i in idle),
        tendons=tendons,
        lines=tuple(tendons[i] for i in lines),
        B=(Z[kept] @ ties).T,
        ties=ties,
        load=-force.ravel()[kept],
        wiring=wiring,
        commands=given,
        normal_forces={
            name: float(x[0])
            for name, x in contact_values(
                system, "normal_force", q[None], no_input, p[None]
            ).items()
        },
    )


def _geometry(system: System) -> Any:
    return system.once(
        "transmission",
        lambda: system.function(
            "geometry",
            "q u p",
            system.tendons.resting.arms,
            system.dynamics.slack_force,
            system.constraints.J,
        ),
    )
