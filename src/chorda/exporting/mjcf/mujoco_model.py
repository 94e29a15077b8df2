"""A MuJoCo model that grows, and the robot in numbers at its reference configuration."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

import casadi as ca
import numpy as np
from scipy.spatial.transform import Rotation

from chorda.describe import Point, Pulley
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.frames import Expr, Pose
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import locate, plant
from chorda.safe_text import in_xml

Element = ET.Element
IMPEDANCE = (0.9999, 0.9999, 0.001)  # at its upper bound, whatever the violation
SHOWN = {"mass": "0", "contype": "0", "conaffinity": "0"}  # geoms that are only to be looked at


class MujocoModel:
    """The elements of an MJCF document, and the tree of frames at rest that fills them."""

    def __init__(self, system: System, p: Array, step: float) -> None:
        self.system, self.robot, self.p, self.step = system, system.robot, p, step
        self._values = dict(zip(system.parameter_names, p.tolist(), strict=True))
        self._par = Parameters()
        self.tree = plant(system.robot, self._par)
        self.root = ET.Element("mujoco", model=in_xml(system.robot.name))
        self.world, self.tendons, self.equality, self.actuators = (
            ET.Element(tag) for tag in ("worldbody", "tendon", "equality", "actuator")
        )
        self.bodies: dict[int, Element] = {0: self.world}

    def parameter(self, name: str, default: float = 0.0) -> float:
        """Value of a parameter; the default where the description leaves it out."""
        return self._values.get(name, default)

    def number(self, expression: Expr) -> Array:
        """An expression at the reference configuration."""
        q = [joint.q for joint in self.tree.joints if joint.q.numel()]
        rest = [c.rest for joint in self.tree.joints for c in joint.coordinates]
        known = [
            self._values.get(n, x) for n, x in zip(self._par.names, self._par.values, strict=True)
        ]
        symbols = ca.vertcat(ca.SX(0, 1), *q, *self._par.symbols)
        value = ca.substitute(ca.SX(expression), symbols, ca.DM([*rest, *known]))
        return np.asarray(ca.evalf(ca.densify(value)).full(), float)

    def pose(self, pose: Pose) -> tuple[Array, Array]:
        """(R, p) in numbers."""
        return self.number(pose.R), self.number(pose.p).ravel()

    def located(self, point: Point | Pulley, name: str) -> tuple[int, Array]:
        """A described point as (frame, coordinates)."""
        node, at = locate(self.tree, point, name, self._par)  # type: ignore[arg-type]
        return node, self.number(at).ravel()

    def site(self, name: str, node: int, at: Iterable[float]) -> str:
        """A named point in a frame."""
        return str(add(self.bodies[node], "site", name=name, pos=at, size=0.002).get("name"))

    def site_at(self, point: Point, name: str) -> str:
        """A described point as a site."""
        return self.site(name, *self.located(point, name))


def output_at(system: System, name: str, q: Array, p: Array) -> dict[str, float]:
    """Values of an output that depends on the configuration alone, by label."""
    output = next((o for o in system.outputs if o.name == name), None)
    if output is None:
        return {}
    function = system.once(("mjcf", name), lambda: system.function(name, "q p", output.expression))
    return dict(zip(output.labels, function(q, p).full().ravel().tolist(), strict=True))


def dry_level(model: MujocoModel, item: Any) -> float:
    """Dry friction of a joint or motor [N m or N], 0 where there is none."""
    law = item.dry_friction
    if law is None:
        return 0.0
    if law.breakaway is not None:
        raise InputError(
            f"{item.name}.dry_friction.breakaway: MuJoCo's friction loss is the same at any speed; "
            "leave breakaway and stribeck_rate out, or export to c or casadi"
        )
    if law.coefficient is not None:
        raise InputError(
            f"{item.name}.dry_friction.coefficient: MuJoCo's friction loss does not grow with the "
            "load; leave coefficient out and give the friction itself, or export to c or casadi"
        )
    if law.damping is not None:
        raise InputError(
            f"{item.name}.dry_friction.damping: MuJoCo's friction loss has no bristles that are "
            "damped; leave damping out, or export to c or casadi"
        )
    return model.parameter(f"{item.name}.dry_{law.LEVEL}")


def friction_loss(model: MujocoModel, joint: Any) -> dict[str, Any]:
    """Attributes of a joint that rubs."""
    if not (level := dry_level(model, joint)):
        return {}
    return {"frictionloss": level, **hard_friction(model)}


def hard_friction(model: MujocoModel) -> dict[str, tuple[float, ...]]:
    """Attributes of friction that has its full strength from as low a speed as is stable."""
    return {"solreffriction": (2 * model.step, 1), "solimpfriction": IMPEDANCE}


def add(parent: Element, tag: str, **attributes: Any) -> Element:
    """An element; numbers and lists of them become text, None is left out."""
    words = {
        key: value if isinstance(value, str) else text(np.atleast_1d(value))
        for key, value in attributes.items()
        if value is not None
    }
    return ET.SubElement(parent, tag, words)


def text(values: Iterable[float]) -> str:
    return " ".join(repr(float(x) + 0.0) for x in values)


def quaternion(R: Array) -> Array:
    """(w, x, y, z) of a rotation."""
    return np.asarray(Rotation.from_matrix(R).as_quat(scalar_first=True), float)


def capsule(parent: Element, start: Array, end: Array, radius: float) -> None:
    """A bar to look at, without mass and contacts."""
    if np.linalg.norm(end - start) > 2 * radius:
        add(parent, "geom", type="capsule", **SHOWN, fromto=[*start, *end], size=radius)
