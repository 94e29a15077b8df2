"""Recursive Newton-Euler: every joint's reaction, and accelerations by a second formulation.

Outward go velocities and accelerations, inward forces and moments, in the links' frames. Tendons
act as vectors, along their free spans, contacts with the forces of the System. Pulleys that turn
are revolute joints with bodies, carried by links: branches of the tree, and the tendons between
them segments with tensions of their own. A motor's drum is no body: its tendon pulls at the first
element of its path, on that element's frame, as virtual work has it; the motor's own reaction is on
the world.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.checks import check_names, mapping, numeric
from chorda.describe import Motor, Rigid, Robot, TensionActuator, Winch, WrenchActuator
from chorda.describe.friction_checks import refuse_rubbing
from chorda.describe.joint_actuators import ON_JOINTS
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.results import Equilibrium, Run
from chorda.results.observe import accelerations as of_the_system
from chorda.tendons.applied_forces import Rotor, dry_law, loads, motors, springs, stop_push
from chorda.tendons.contact_pushes import ContactPush, contact_pushes, push_contacts
from chorda.tendons.links import Configuration, Tree, Values, Wrenches, links
from chorda.tendons.segments import gap_tensions, one_for_all
from chorda.tendons.spans import Cable, Laid, cables, tension

if TYPE_CHECKING:
    import xarray

Numbers = Array | Sequence[Any] | float
BRISTLE = ".bristle"  # end of the name of a deflection
CURRENT = ".current"  # and of that of a winding's current
ARRAYS = ("force", "moment", "effort", "pull", "rotation", "origin")  # of Reactions


@dataclass(frozen=True)
class Reactions:
    """What joints and cables carry; arrays start with the samples' dimension where q has one.

    Attributes
    ----------
    force, moment : array of shape (joints, 3)
        What the parent exerts on what the joint carries [N, N m], at the origin and in the axes of
        the frame that the joint carries; the joint's own spring and friction are part of it.
    effort : array of shape (coordinates,)
        The inverse-dynamics residual M a - F [N m, or N] along the axes of the moving joints: what
        nothing described gives, zero where a motion is the robot's own.
    pull : array of shape (elements, 3)
        Force of the cable on each point and pulley, in world axes [N].
    rotation, origin : array of shape (joints, 3, 3) and (joints, 3)
        The joints' frames in the world.
    """

    joints: tuple[str, ...]
    coordinates: tuple[str, ...]
    elements: tuple[str, ...]
    force: Array
    moment: Array
    effort: Array
    pull: Array
    rotation: Array
    origin: Array

    def in_world(self) -> tuple[Array, Array]:
        """Force and moment in world axes; the moment is still about the joint's origin."""
        return (
            np.einsum("...ij,...j->...i", self.rotation, self.force),
            np.einsum("...ij,...j->...i", self.rotation, self.moment),
        )


def newton_euler(
    of: System | Robot,
    q: Numbers,
    v: Numbers,
    a: Numbers,
    tensions: Numbers = 0.0,
    p: Array | None = None,
    inputs: Mapping[str, Numbers] | None = None,
) -> Reactions:
    """Compute joint reactions of a motion by recursive Newton-Euler.

    Parameters
    ----------
    of : System or Robot
        Whose joints are revolute, prismatic or fixed, without closures.
    q, v, a : array of shape (joints,) or (samples, joints)
        Coordinates, velocities and accelerations of the joints, in rad and m; of further columns,
        such as those of motors, only the deflections of bristles are used.
    tensions : array of shape (tendons,) or (samples, tendons)
        [N].
    p : array, optional
        Parameters of a System; by default those of the description.
    inputs : mapping of names to numbers or arrays of shape (samples,), optional
        Forces and moments on frames (push.fx) [N, N m]; those that are not named are zero.

    Returns
    -------
    Reactions

    Examples
    --------
    >>> from chorda.describe import Body, Revolute, Robot
    >>> arm = Revolute(name="arm", body=Body(mass=2.0, center=(0.5, 0, 0)))
    >>> newton_euler(Robot(name="arm", joints=(arm,)), [0.0], [0.0], [0.0]).effort.round(3)
    array([9.81])
    """
    tree, bent = _tree(of, p), _bent(of, q)
    remedy = "take chorda.reactions of a run or an equilibrium"
    refuse_rubbing(tree.robot.name, tree.robot.tendons, remedy)
    motion = [_samples(tree, name, x) for name, x in (("q", q), ("v", v), ("a", a))]
    n = len(motion[0])
    if any(len(x) != n for x in motion):
        raise InputError(f"q, v, a: expected as many samples each, got {[len(x) for x in motion]}")
    count = len(tree.robot.tendons)
    t = numeric("tensions", tensions)
    try:
        t = np.broadcast_to(t, (n, count))
    except ValueError:
        raise InputError(
            f"tensions: expected {count} numbers, one a tendon, or {n} rows of them; got an array "
            f"of shape {t.shape}"
        ) from None
    gaps, pushes = one_for_all(tree.robot, t), _pushes(tree.robot, inputs, n)
    q_, v_, a_ = motion
    Q, V = (np.atleast_2d(numeric(name, x)) for name, x in (("q", q), ("v", v)))
    touching = contact_pushes(of, Q, V, p)
    found = _balance(tree, cables(tree), q_, v_, a_, gaps, pushes, bent, touching)
    if np.ndim(q) > 1:
        return found
    return replace(found, **{name: getattr(found, name)[0] for name in ARRAYS})


def accelerations(
    system: System, q: Numbers, v: Numbers, u: Numbers, p: Array | None = None
) -> Array:
    """Compute accelerations of joints and motors from the recursion alone.

    The recursion gives the forces for no acceleration, and those for each unit acceleration; the
    tendons' tensions follow from their laws. The result equals that of the System's equations.

    Parameters
    ----------
    system : System
        As for `newton_euler`, with elastic tendons.
    q, v : array of shape (nq,) or (samples, nq)
        Coordinates and velocities, motors included.
    u : array of shape (nu,) or (samples, nu)
        Inputs.
    p : array, optional
        Parameters.

    Returns
    -------
    array of the shape of v
        [rad/s^2, m/s^2].
    """
    robot, values = system.robot, _values(system, p)
    refuse_rubbing(robot.name, robot.tendons, "take simulate")
    if on_joints := [x.name for x in robot.actuators if isinstance(x, ON_JOINTS)]:
        raise InputError(
            f"{robot.name}: accelerations by recursion are those of tendons and loads, got "
            f"actuators on joints ({', '.join(on_joints)}); take simulate, or newton_euler for "
            "their efforts"
        )
    tree, rotors = links(robot, values), motors(robot, values)
    Q, V = (np.atleast_2d(numeric(name, x)) for name, x in (("q", q), ("v", v)))
    U = np.broadcast_to(numeric("u", u), (len(Q), system.nu))
    if len(Q) != len(V) or (Q.shape[1], V.shape[1]) != (system.nq, system.nv):
        raise InputError(
            f"q, v: expected {system.nq} and {system.nv} columns, got {Q.shape} and {V.shape}"
        )
    count = len(tree.moving)
    qj, vj = Q[:, :count], V[:, :count]
    at, ropes = tree.outward(qj, vj, 0 * vj, tree.gravity), cables(tree)
    t = _tensions(system, rotors, [Laid(rope, at, qj) for rope in ropes], Q, V, U)
    out = np.zeros_like(V)
    bent, gaps = _bent(system, Q), one_for_all(robot, t)
    names = [item.name for item in system.inputs]
    pushes = dict(zip(names, U.T, strict=True))
    touching = contact_pushes(system, Q, V, p)
    bias = _balance(tree, ropes, qj, vj, 0 * vj, gaps, pushes, bent, touching).effort
    out[:, :count] = np.linalg.solve(_inertia(tree, qj), -bias[..., None])[..., 0]
    for k, rotor in enumerate(rotors, count):
        acting = rotor.torque(U[:, names.index(rotor.name)], V[:, k])
        if f"{rotor.name}{CURRENT}" in system.coordinate_names:
            current = Q[:, system.coordinate_names.index(f"{rotor.name}{CURRENT}")]
            acting = rotor.parts["torque_constant"] * current
        torque = acting - rotor.friction(V[:, k], bent.get(rotor.name))
        for i, tendon in enumerate(robot.tendons):
            if tendon.actuator == rotor.name:
                torque = torque + tendon.winding * rotor.pay * t[:, i]
        out[:, k] = torque / rotor.inertia
    return out if np.ndim(q) > 1 else out[0]


def _tensions(
    system: System, rotors: list[Rotor], laid: list[Laid], Q: Array, V: Array, U: Array
) -> Array:
    """Of tendons whose law gives them, or their actuator (samples, tendons)."""
    robot, inputs = system.robot, [item.name for item in system.inputs]
    actuators = {d.name: d for d in robot.actuators}
    motor = {rotor.name: (k, rotor) for k, rotor in enumerate(rotors, system.nv - len(rotors))}
    t = np.zeros((len(Q), len(laid)))
    for i, (x, cable) in enumerate(zip(robot.tendons, laid, strict=True)):
        actuator, paid, rate = actuators.get(x.actuator or ""), 0 * Q[:, 0], 0 * Q[:, 0]
        if isinstance(actuator, TensionActuator):
            sent = U[:, inputs.index(actuator.name)]
            t[:, i] = np.maximum(sent, 0) if x.law.one_sided else sent
            continue
        if system.mode == "rigid" or isinstance(x.law, Rigid):
            raise InputError(
                f"{robot.name}: tendon '{x.name}' is rigid, so its tension depends on the "
                "accelerations; give it an elastic law, or use newton_euler with known tensions"
            )
        if isinstance(actuator, Motor):
            k, rotor = motor[actuator.name]
            paid, rate = rotor.pay * Q[:, k], rotor.pay * V[:, k]
        elif isinstance(actuator, Winch):
            paid, rate = (U[:, inputs.index(f"{actuator.name}{end}")] for end in ("", ".rate"))
        t[:, i] = tension(cable, x.law, x.winding * paid, x.winding * rate)
    return t


@interruptible()
def reactions(run: Run | Equilibrium) -> "xarray.Dataset":
    """Compute joint reactions and segment tensions over a run.

    Parameters
    ----------
    run : Run or Equilibrium
        Of an Equilibrium there is one sample, at time 0.

    Returns
    -------
    xarray.Dataset
        force [N] and moment [N m] (time, joint, axis): what the parent exerts on what the joint
        carries, at the origin and in the axes of the carried frame; world_force and world_moment:
        the same in world axes. effort (time, coordinate): the inverse-dynamics residual along the
        joints' axes, a measure of error. tension (time, segment) [N] of each cable between
        neighbours in its path. pull (time, element, axis) [N]: force of the cable on each point and
        pulley, in world axes.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    simulate : the motion that they belong to.

    Examples
    --------
    >>> import chorda
    >>> from chorda.describe import Body, Revolute, Robot
    >>> arm = Revolute(name="arm", body=Body(mass=2.0, center=(0, -0.5, 0)))
    >>> system = chorda.assemble(Robot(name="arm", joints=(arm,)))
    >>> held = reactions(chorda.simulate(system, duration=0.01, step=0.01))
    >>> held.force.sel(joint="arm", axis="y").values.round(2)
    array([19.62, 19.62])
    """
    import xarray

    time, *motion, t, u = _motion(run)
    system = run.system
    tree = _tree(system, run.parameters)
    q, v, a = (x[:, : len(tree.moving)] for x in motion)
    gaps = gap_tensions(run, t)
    pushes = {item.name: u[:, k] for k, item in enumerate(system.inputs)}
    touching = contact_pushes(system, motion[0], motion[1], run.parameters)
    bent = _bent(system, motion[0])
    found = _balance(tree, cables(tree), q, v, a, gaps, pushes, bent, touching)
    force, moment = found.in_world()
    along = np.concatenate([t[:, :0], *gaps], 1)
    names = [(x.name, k) for x in system.robot.tendons for k in range(len(x.path) - 1)]
    segments = [f"{name}.{k}-{k + 1}" for name, k in names]
    units = ["N" if link.slides else "N m" for link in tree.moving]
    body, cable = ("joint", "axis"), ("element", "axis")
    between = "tension between two neighbours in a tendon's path"
    missing = "force along the joint's axis that nothing described gives"
    table: dict[str, tuple[tuple[str, ...], Array, str, str]] = {
        "force": (body, found.force, "N", "force of the parent, in link axes"),
        "moment": (body, found.moment, "N m", "moment of the parent, in link axes"),
        "world_force": (body, force, "N", "force of the parent, in world axes"),
        "world_moment": (body, moment, "N m", "moment of the parent, in world axes"),
        "pull": (cable, found.pull, "N", "force of the cable on the element, in world axes"),
        "tension": (("segment",), along, "N", between),
        "effort": (("coordinate",), found.effort, " ".join(dict.fromkeys(units)), missing),
    }
    variables = {
        name: (("time", *along), values, {"units": unit, "long_name": meaning})
        for name, (along, values, unit, meaning) in table.items()
    }
    return xarray.Dataset(
        variables,
        coords={
            "time": ("time", time, {"units": "s"}),
            "joint": list(found.joints),
            "axis": list("xyz"),
            "coordinate": list(found.coordinates),
            "coordinate_unit": ("coordinate", units),
            "element": list(found.elements),
            "segment": segments,
        },
        attrs={
            "title": f"reactions of {system.robot.name}, {system.mode} tendons",
            "status": str(run.status.code),
            "message": run.status.message,
        },
    )


def _motion(of: Run | Equilibrium) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Times, coordinates, velocities, accelerations, tensions and inputs, a row for each sample."""
    if isinstance(of, Equilibrium):
        still = np.zeros((1, of.system.nv))
        return np.zeros(1), of.q[None, :], still, still, of.tension.reshape(1, -1), of.u[None]
    if not isinstance(of, Run):
        raise InputError(
            f"run: expected a Run or an Equilibrium, got {of!r:.80}; chorda.simulate(system, ...) "
            "and chorda.equilibrium(system, ...) give one, chorda.open(path) reads a saved run"
        )
    n = len(of.time)
    P = np.repeat(of.parameters[:, None], n, 1)
    a = of_the_system(of.system, of.position, of.velocity, of.input, P)[0]
    tensions = of.outputs.get("tension", np.zeros((n, 0)))
    return of.time, of.position, of.velocity, a, tensions, of.input


def _pushes(robot: Robot, inputs: Mapping[str, Numbers] | None, n: int) -> dict[str, Array]:
    """Forces on frames by name, a number for each sample."""
    wrenches = [x for x in robot.actuators if isinstance(x, WrenchActuator)]
    given = mapping("inputs", inputs, "{'push.fx': 1.0}")
    check_names("inputs", given, [name for x in wrenches for name, *_ in x.inputs()])
    found = {}
    for name, value in given.items():
        column = numeric(f"inputs.{name}", value)
        if column.shape not in ((), (n,)):
            raise InputError(
                f"inputs.{name}: expected a number, or one for each of {n} samples, got an array "
                f"of shape {column.shape}"
            )
        found[name] = np.broadcast_to(column, n)
    return found


def _values(system: System, p: Array | None) -> Values:
    given = system.parameter_values if p is None else numeric("p", p)
    if given.shape != system.parameter_values.shape:
        raise InputError(
            f"p: expected {len(system.parameter_values)} numbers, got shape {given.shape}; "
            "system.parameters(...) makes them"
        )
    return Values(dict(zip(system.parameter_names, given.tolist(), strict=True)))


def _tree(of: System | Robot, p: Array | None) -> Tree:
    if isinstance(of, System):
        return links(of.robot, _values(of, p))
    if not isinstance(of, Robot):
        raise InputError(f"of: expected a System or a Robot, got {of!r:.60}")
    if p is not None:
        raise InputError("p: parameters belong to a System; give chorda.assemble(robot) instead")
    return links(of, Values())


def _samples(tree: Tree, name: str, given: Numbers) -> Array:
    x, count = np.atleast_2d(numeric(name, given)), len(tree.moving)
    if x.ndim != 2 or x.shape[1] < count:
        raise InputError(
            f"{name}: expected {count} numbers, one for each moving joint, or rows of them; got an "
            f"array of shape {np.shape(given)}"
        )
    return x[:, :count]


def _bent(of: System | Robot, q: Numbers) -> dict[str, Array]:
    """Deflections of bristles by joint or motor, from all coordinates."""
    Q = np.atleast_2d(numeric("q", q))
    if isinstance(of, System) and Q.shape[1] == of.nq:
        names = enumerate(of.coordinate_names)
        return {x.removesuffix(BRISTLE): Q[:, k] for k, x in names if x.endswith(BRISTLE)}
    robot = of.robot if isinstance(of, System) else of
    laws = {x.name: getattr(x, "dry_friction", None) for x in robot.joints}
    if sticking := [name for name, law in laws.items() if law and law.kind == "bristle"]:
        raise InputError(
            f"q: the bristles of {', '.join(sticking)} have deflections; give a System and all "
            "of its coordinates"
        )
    return {}


def _balance(
    tree: Tree,
    ropes: tuple[Cable, ...],
    q: Array,
    v: Array,
    a: Array,
    t: list[Array],
    pushes: Mapping[str, Array],
    bent: Mapping[str, Array],
    touching: Sequence[ContactPush],
) -> Reactions:
    """All forces together; t: of each cable, the tension in each gap of its path."""
    n = len(q)
    at, need, pulls = _needed(tree, ropes, q, v, a, t, pushes, touching)
    effort = tree.along_axes(need)
    for k, link in enumerate(tree.moving):
        effort[:, k] += link.friction * v[:, k] + link.stiffness * (q[:, k] - link.rest)
        law = dry_law(link.name, link.dry_friction, tree.values)
        if law is not None:
            load = _load(tree, ropes, q, t, pushes, k) if law.arm else 0.0
            effort[:, k] += law.torque(v[:, k], bent.get(link.name), load)
        if link.stop is not None:
            effort[:, k] -= stop_push(link.stop, q[:, k], v[:, k])

    joints = list(tree.joints)
    return Reactions(
        joints=tuple(tree.links[k - 1].name for k in joints),
        coordinates=tuple(link.name for link in tree.moving),
        elements=tuple(
            f"{x.tendon.name}.path{k}" for x in ropes for k in range(len(x.tendon.path))
        ),
        force=need.F[joints].swapaxes(0, 1),
        moment=need.N[joints].swapaxes(0, 1),
        effort=effort,
        pull=np.concatenate([np.zeros((n, 0, 3)), *pulls], 1),
        rotation=np.stack([frame.R for frame in at], 1)[:, joints],
        origin=np.stack([frame.p for frame in at], 1)[:, joints],
    )


def _needed(
    tree: Tree,
    ropes: tuple[Cable, ...],
    q: Array,
    v: Array,
    a: Array,
    t: list[Array],
    pushes: Mapping[str, Array],
    touching: Sequence[ContactPush] = (),
) -> tuple[Configuration, Wrenches, list[Array]]:
    """Frames in motion, what each needs from its parent, and the pull on each cable's elements."""
    at = tree.outward(q, v, a, tree.gravity)
    outside = tree.still(len(q))
    springs(tree, at, outside)
    loads(tree, at, pushes, outside)
    push_contacts(tree, at, touching, outside)
    pulls = [Laid(rope, at, q).pull(t[i], outside) for i, rope in enumerate(ropes)]
    return at, tree.inward(at, outside), pulls


def _load(
    tree: Tree,
    ropes: tuple[Cable, ...],
    q: Array,
    t: list[Array],
    pushes: Mapping[str, Array],
    k: int,
) -> Array:
    """What the bearing of a moving joint carries at rest, of a slide the normal part [N]."""
    link = tree.moving[k]
    still = np.zeros_like(q)
    force = _needed(tree, ropes, q, still, still, t, pushes)[1].F[tree.index[link.name]]
    if link.slides:
        force = force - np.outer(force @ link.axis, link.axis)
    return np.asarray(np.linalg.norm(force, axis=1))


def _inertia(tree: Tree, q: Array) -> Array:
    """M by unit accelerations, without anything else."""
    still, count = np.zeros_like(q), q.shape[1]
    M = np.zeros((len(q), count, count))
    for k in range(count):
        at = tree.outward(q, still, still + np.eye(count)[k], np.zeros(3))
        M[:, :, k] = tree.along_axes(tree.inward(at, tree.still(len(q))))
    return M
