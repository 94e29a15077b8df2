"""Shapes as geoms, and declared contacts as MuJoCo's pairs."""

import numpy as np
from scipy.optimize import brentq

from chorda.describe import Bore, Box, Contact, Cylinder, Plane, Point, RodTube, Sphere
from chorda.describe import Capsule as CapsuleShape
from chorda.describe.contact_checks import pairs
from chorda.describe.shapes import Shape
from chorda.errors import InputError
from chorda.exporting.mjcf.inverse_weights import inverse_weights
from chorda.exporting.mjcf.mujoco_model import SHOWN, Element, MujocoModel, add, quaternion, text
from chorda.mechanics import Array
from chorda.mechanics.frames import rotation

SOFT = 1e-4  # impedance with which a constraint is a spring and a damper, up to this part
HARD = 1e6  # by which friction is harder than that
SPEED = 0.1  # [m/s] of impacts, where a contact gives none
NOTES = """
  A contact is a spring and a damper. The damper is constant, where Chorda's grows with the depth:
  impacts end with the same speed where they begin with the one that it is matched at, for bodies
  that move as MuJoCo's scale of constraints has it. Other impacts end with other speeds.
  Friction is MuJoCo's: what it holds creeps. A smoothed contact begins with all of its stiffness in
  the middle of the smoothing. Two shapes may touch in more points here, each with the stiffness.
"""


def contact_notes(model: MujocoModel) -> str:
    """What a reader of the file should know, with the speeds at which dampers are matched."""
    lines = [NOTES.removeprefix("\n")]
    for contact in model.robot.contacts:
        if c := _dissipation(model, contact):
            speed = contact.impact_speed or SPEED
            lines.append(
                f"  {contact.name}: matched at {speed:g} m/s, where an impact ends with "
                f"{_restitution(c, speed):.2g} of its speed"
                f"{'' if contact.impact_speed else ' (it has no impact_speed)'}.\n"
            )
    return "".join(lines)


def _dissipation(model: MujocoModel, contact: Contact) -> float:
    name = f"{contact.name}.dissipation"
    return model.parameter(name, contact.resolved_dissipation or 0.0)


def add_contacts(model: MujocoModel, root: Element, option: Element) -> None:
    """Geoms of all shapes that touch something, and a pair for each two that do."""
    robot = model.robot
    if not robot.contacts:
        add(option, "flag", contact="disable")
        return
    option.set("cone", "elliptic")
    option.set("impratio", text([HARD]))
    declared = [(x, pairs(x, robot.shapes, robot.joints)) for x in robot.contacts]
    touching = {shape.name for _, each in declared for pair in each for shape in pair}
    by_body = inverse_weights(model.world)
    weights = {
        x.name: by_body.get(str(_body(model, x).get("name")), 0.0)
        for x in robot.shapes
        if x.name in touching
    }
    for shape in robot.shapes:
        if shape.name in touching:
            _add_geom(model, shape, weights[shape.name] > 0)
    listed = add(root, "contact")
    for contact, each in declared:
        for pair in each:
            _add_pair(model, listed, contact, pair, sum(weights[x.name] for x in pair))


def _body(model: MujocoModel, shape: Shape) -> Element:
    if isinstance(shape, Bore | RodTube):
        raise InputError(
            f"shapes.{shape.name}: MuJoCo has no {'bores' if shape.kind == 'bore' else 'rods'}; "
            "leave its contacts out, or export to c or casadi"
        )
    return model.bodies[model.tree.index[shape.frame]]


def _add_geom(model: MujocoModel, shape: Shape, moves: bool) -> None:
    name, body = shape.name, _body(model, shape)
    if body.get("name") and body.find("inertial") is None:  # or its centre would be the geom's
        add(body, "inertial", mass=0, pos=(0, 0, 0), diaginertia=(0, 0, 0))
    look = {"name": name, **SHOWN}

    def at(field: str) -> Array:
        point = Point(frame=shape.frame, point=getattr(shape, field))
        return model.located(point, f"{name}.{field}")[1]

    if isinstance(shape, Plane):
        if moves:
            raise InputError(
                f"shapes.{name}: MuJoCo's planes do not move, and this one is on '{shape.frame}'; "
                "take kind: box, or export to c or casadi"
            )
        look |= {"zaxis": text(shape.normal), "size": "1 1 0.1"}
        add(body, "geom", type="plane", pos=at("point"), **look)
        return
    if isinstance(shape, Box):
        sizes = [
            model.parameter(f"{name}.size.{k}", x) for k, x in zip("xyz", shape.size, strict=True)
        ]
        half = np.array(sizes) / 2 - _rounding(model, shape)
        turned = model.number(rotation(shape.axis, shape.angle)) if shape.angle else np.eye(3)
        add(body, "geom", type="box", pos=at("center"), quat=quaternion(turned), size=half, **look)
        return
    assert isinstance(shape, Sphere | CapsuleShape | Cylinder)  # no others touch here
    size = model.parameter(f"{name}.radius", shape.radius)
    if isinstance(shape, Sphere):
        add(body, "geom", type="sphere", pos=at("center"), size=size, **look)
        return
    add(body, "geom", type=shape.kind, fromto=[*at("start"), *at("end")], size=size, **look)


def _rounding(model: MujocoModel, shape: Shape) -> float:
    """MuJoCo's boxes have sharp edges; a margin around a smaller one makes them round."""
    if not isinstance(shape, Box):
        return 0.0
    return model.parameter(f"{shape.name}.rounding", shape.rounding)


def _add_pair(
    model: MujocoModel,
    parent: Element,
    contact: Contact,
    shapes: tuple[Shape, Shape],
    mobility: float,
) -> None:
    name, step = contact.name, model.step
    if contact.exponent != 1:
        raise InputError(
            f"contacts.{name}.exponent: MuJoCo's contacts are linear in the depth, got "
            f"{contact.exponent:g}; take exponent 1 with the stiffness at the depth that you "
            "expect, or export to c or casadi"
        )
    k = model.parameter(f"{name}.stiffness", contact.resolved_stiffness)
    rate = np.sqrt(k * mobility)  # of a vibration [rad/s]
    if rate * step > 1:
        raise InputError(
            f"contacts.{name}.stiffness: with {k:g} N/m '{shapes[0].name}' and '{shapes[1].name}' "
            f"vibrate at {rate:.3g} rad/s, and MuJoCo's contacts are stable up to one over the "
            f"step ({step:g} s); export with a step of {1 / rate:.2g} s or less"
        )
    ratio = _damping_ratio(
        _restitution(_dissipation(model, contact), contact.impact_speed or SPEED)
    )
    law = (1 - SOFT) * np.array([rate**2, 2 * ratio * rate])
    friction = contact.resolved_friction
    rubs = (
        None
        if friction is None
        else model.parameter(f"{name}.friction.coefficient", friction.coefficient)
    )
    margin = sum(_rounding(model, x) for x in shapes)
    margin -= model.parameter(f"{name}.smoothing", contact.smoothing or 0.0) / 2
    add(
        parent,
        "pair",
        geom1=shapes[0].name,
        geom2=shapes[1].name,
        condim="1" if rubs is None else "3",
        friction=None if rubs is None else (rubs, rubs, 0, 0, 0),
        solref=-np.maximum(law, 1e-12),  # MuJoCo takes negative ones for stiffness and damping
        solreffriction=None if rubs is None else (-1e-12, -SOFT / step),
        solimp=(SOFT, SOFT, 1e-3),
        margin=margin or None,
    )


def _restitution(c: float, speed: float) -> float:
    """Speed after an impact over that before, with a dissipation c: the relation of Hunt and
    Crossley, c (v0 + v1) = log((1 + c v0) / (1 - c v1))."""
    x = c * speed
    if x < 1e-9:
        return 1.0

    def excess(e: float) -> float:
        return float(x * (1 + e) - np.log1p(x) + np.log1p(-x * e))

    return float(brentq(excess, 1e-12, min(1.0, (1 - 1e-12) / x)))


def _damping_ratio(restitution: float) -> float:
    """Of a spring and a damper that never pull, with which an impact ends so."""

    def excess(ratio: float) -> float:
        along = np.sqrt(1 - ratio**2)
        turn = np.pi - np.arctan2(2 * ratio * along, along**2 - ratio**2)
        return float(np.exp(-ratio / along * turn) - restitution)

    most = 1 - 1e-9
    return most if excess(most) > 0 else float(brentq(excess, 0.0, most))
