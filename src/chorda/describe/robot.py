"""The robot: one frozen record, checked as a whole."""

import warnings
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, Field, model_validator

from chorda.describe.closure_checks import check_closures
from chorda.describe.contact_checks import check_contacts
from chorda.describe.contact_records import Contact
from chorda.describe.distributed_loads import DistributedLoad, check_distributed
from chorda.describe.elements import (
    Closure,
    Coupling,
    Damper,
    Load,
    Spring,
    check_couplings,
)
from chorda.describe.feeding import check_fed_sheaths, coordinate_kinds
from chorda.describe.friction_checks import check_friction
from chorda.describe.geometry import Point, Vector
from chorda.describe.joint_actuators import ON_JOINTS, check_joint_actuators
from chorda.describe.joints import Joint
from chorda.describe.names import Label
from chorda.describe.path_checks import check_paths
from chorda.describe.quantity import Number, Record, quantity
from chorda.describe.rods import Rod, Sheath
from chorda.describe.shapes import RodTube, Shape, positions
from chorda.describe.sheath_checks import check_sheaths
from chorda.describe.tendons_and_actuators import Actuator, Pulley, Tendon, TensionActuator
from chorda.describe.wrench_actuators import WrenchActuator
from chorda.errors import MagnitudeWarning
from chorda.notebook_tables import notebook_table
from chorda.plurals import many
from chorda.safe_text import one_line

NO_WINDERS = ON_JOINTS | WrenchActuator  # actuators without tendons

FRAMES = {"x": ("base", "left_diagonal", "right_diagonal", "top")}
ANCHORS = {
    "base": ("left", "right"),
    "top": ("left", "right"),
    "left_diagonal": ("low", "high"),
    "right_diagonal": ("low", "high"),
}


class Robot(Record):
    """A tree of joints, closed where needed, pulled by tendons that are wound by actuators.

    See Also
    --------
    chorda.load : from a file.
    chorda.assemble : its equations.

    Examples
    --------
    >>> from chorda.describe import Body, Prismatic, Robot
    >>> Robot(name="mass", joints=[Prismatic(name="y", axis=(0, 1, 0),
    ...     body=Body(mass=1.0))]).gravity
    (0, -9.81, 0)
    """

    chorda: Literal[1] = Field(1, description="version of this format")
    name: Label = Field(description="short name of the robot", min_length=1)
    title: str = Field("", description="one line for people")
    gravity: Vector = quantity(
        "m/s^2", "acceleration of gravity", default=(0, -9.81, 0), usual=(0, 30)
    )
    joints: tuple[Joint, ...] = Field(description="in order: a joint stands on earlier ones")
    springs: tuple[Spring, ...] = ()
    dampers: tuple[Damper, ...] = ()
    closures: tuple[Closure, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    tendons: tuple[Tendon, ...] = ()
    loads: tuple[Load, ...] = ()
    distributed_loads: tuple[DistributedLoad, ...] = ()
    shapes: tuple[Shape, ...] = Field(
        (), description="what may touch, and meshes: on bodies, on the world, and along rods"
    )
    contacts: tuple[Contact, ...] = Field(
        (), description="which of the shapes touch each other; no others do"
    )
    start: dict[str, Number] = Field(
        default_factory=dict,
        description="coordinates of the configuration that solvers begin with, where it is not the "
        "reference configuration: loops that are open there, legs that bulge",
        json_schema_extra={"unit": "of each coordinate"},
    )
    sources: dict[str, str] = Field(
        default_factory=dict,
        description="where numbers come from: a path with * (joints.*.bar_length) to its source",
    )

    @model_validator(mode="after")
    def _is_a_robot(self) -> "Robot":
        _check_names(self)
        _check_tree(self)
        _check_tendons(self)
        check_paths(self.tendons, self.joints)
        check_sheaths(self.tendons, self.joints)
        check_friction(self.tendons, self.actuators)
        check_closures(self.closures, self.joints)
        rods = {x.name: x for x in self.joints if isinstance(x, Rod)}
        check_fed_sheaths(self.tendons, rods)
        kinds = coordinate_kinds(self.joints)
        check_couplings(self.couplings, kinds)
        check_distributed(self.distributed_loads, {x.name: x for x in self.joints})
        check_joint_actuators(self.actuators, kinds)
        check_contacts(self.contacts, self.shapes, self.joints)
        for path, value, about in numbers(self):
            low, high = about.get("usual", (0, float("inf")))
            if value != 0 and not low <= abs(value) <= high:
                unit = about["unit"]
                warnings.warn(
                    f"{self.name}: {path} = {value:g} {unit} is outside the usual "
                    f"{low:g} to {high:g} {unit}; is the unit right?",
                    MagnitudeWarning,
                    stacklevel=4,
                )
        return self

    def __repr__(self) -> str:
        counts = [
            many(len(self.joints), "joint"),
            many(len(self.tendons), "tendon"),
            many(len(self.actuators), "actuator"),
        ]
        return f"<Robot {one_line(self.name)}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        rows = [(x.name, x.kind, x.parent) for x in self.joints]
        tendons = [(x.name, "tendon", x.actuator or "") for x in self.tendons]
        header = ("name", "kind", "stands on, or is pulled by")
        return notebook_table(f"{self.name}: {self.title}", header, [*rows, *tendons])

    def frames(self) -> tuple[str, ...]:
        """List the frames that points, joints and closures may refer to.

        Returns
        -------
        tuple of str
            Their names, the world first.
        """
        return ("world", *(name for joint in self.joints for name in frames_of(joint)))

    def sheaths_in(self, rod: str) -> list[tuple[str, Sheath]]:
        """List the parts of tendons that run inside a rod.

        Parameters
        ----------
        rod : str
            Its name.

        Returns
        -------
        list of (str, Sheath)
            Their names, TENDON.sheath0 and so on, and their records.
        """
        return [
            (f"{tendon.name}.sheath{k}", sheath)
            for tendon in self.tendons
            for k, sheath in enumerate(tendon.sheaths)
            if sheath.rod == rod
        ]

    def loads_along(self, rod: str) -> list[DistributedLoad]:
        """List the distributed loads on a rod.

        Parameters
        ----------
        rod : str
            Its name.

        Returns
        -------
        list of DistributedLoad
            In the order of the description.
        """
        return [load for load in self.distributed_loads if load.rod == rod]

    def tubes_of(self, rod: str) -> list[RodTube]:
        """List the surfaces of a rod that may touch something.

        Parameters
        ----------
        rod : str
            Its name.

        Returns
        -------
        list of RodTube
            In the order of the description.
        """
        return [x for x in self.shapes if isinstance(x, RodTube) and x.rod == rod]

    def named(self, name: str) -> Any:
        """Find a joint, spring, tendon, actuator, shape ... by its name.

        Parameters
        ----------
        name : str
            As in the description.

        Returns
        -------
        Record
            What has the name.

        Raises
        ------
        KeyError
            Nothing has it.
        """
        items = (item for section in SECTIONS for item in getattr(self, section))
        return {item.name: item for item in items}[name]


def frames_of(joint: Joint) -> list[str]:
    """Names of the frames that a joint carries."""
    if isinstance(joint, Rod):
        return [f"{joint.name}.{x}" for x in ("base", "tip", *(x.name for x in joint.marks))]
    names = [f"{joint.name}.{f}" for f in FRAMES.get(joint.kind, ())] or [joint.name]
    return [*names, f"{joint.name}.tip"] if getattr(joint, "link", None) is not None else names


SECTIONS = (
    *("joints", "springs", "dampers", "closures", "couplings"),
    *("actuators", "tendons", "loads", "distributed_loads", "shapes", "contacts"),
)


def _check_names(robot: Robot) -> None:
    seen = {"world": "the world", "tension": "a starting value of `simulate`"}
    for section in SECTIONS:
        for i, item in enumerate(getattr(robot, section)):
            if item.name in seen:
                raise ValueError(
                    f"{section}.{i}.name: '{item.name}' is already the name of {seen[item.name]}; "
                    "names are unique across the whole robot"
                )
            seen[item.name] = f"{section}.{i}"


def _check_tree(robot: Robot) -> None:
    known = ["world"]
    for i, joint in enumerate(robot.joints):
        if joint.parent not in known:
            raise ValueError(
                f"joints.{i}.parent: '{joint.parent}' is no frame of an earlier joint; "
                f"expected one of {', '.join(known)}"
            )
        known += frames_of(joint)
    frames = [(f"{path}.frame", point.frame) for path, point in points(robot)]
    frames += [(f"tendons.{i}.carrier", x.carrier or "world") for i, x in enumerate(robot.tendons)]
    rigid = [(i, x) for i, x in enumerate(robot.shapes) if not isinstance(x, RodTube)]
    frames += [(f"shapes.{i}.frame", x.frame) for i, x in rigid]
    for path, frame in frames:
        if frame not in known:
            raise ValueError(
                f"{path}: '{frame}' is no frame of this robot; expected one of {', '.join(known)}"
            )
    anchored = [(f"{path}.point", x.frame, x.point) for path, x in points(robot)]
    anchored += [(f"shapes.{i}.{k}", x.frame, at) for i, x in rigid for k, at in positions(x)]
    for path, on, point in anchored:
        if isinstance(point, str):
            _, dot, frame = on.partition(".")
            anchors = ("origin", *(ANCHORS.get(frame, ()) if dot else ()))
            if point not in anchors:
                raise ValueError(
                    f"{path}: '{point}' is no anchor of {on}; "
                    f"expected coordinates or one of {', '.join(anchors)}"
                )


def _check_tendons(robot: Robot) -> None:
    actuators = {d.name: d for d in robot.actuators if not isinstance(d, NO_WINDERS)}
    pulled = {t.actuator for t in robot.tendons}
    for i, tendon in enumerate(robot.tendons):
        if tendon.actuator is not None and tendon.actuator not in actuators:
            raise ValueError(
                f"tendons.{i}.actuator: '{tendon.actuator}' is no actuator of this robot; "
                f"expected one of {', '.join(actuators) or '(there are no actuators)'}"
            )
        mate = next((t for t in robot.tendons[:i] if t.actuator == tendon.actuator), tendon)
        alike = isinstance(actuators.get(tendon.actuator or ""), TensionActuator)
        if alike and mate.winding != tendon.winding:
            raise ValueError(
                f"tendons.{i}.actuator: '{tendon.actuator}' prescribes one tension, that of "
                f"'{mate.name}' and '{tendon.name}' alike: two sides of an endless tendon make no "
                "torque that way; expected a motor or a winch, or one actuator each"
            )
    for i, actuator in enumerate(robot.actuators):
        if actuator.name not in pulled and not isinstance(actuator, NO_WINDERS):
            raise ValueError(
                f"actuators.{i}: '{actuator.name}' winds no tendon; name it in a tendon's field "
                f"'actuator'"
            )


def points(robot: Robot) -> Iterator[tuple[str, Point | Pulley]]:
    """Every point and pulley of the robot with its path in the description."""
    for section in ("springs", "dampers", "closures"):
        for i, item in enumerate(getattr(robot, section)):
            yield f"{section}.{i}.start", item.start
            yield f"{section}.{i}.end", item.end
    for i, tendon in enumerate(robot.tendons):
        for k, point in enumerate(tendon.path):
            yield f"tendons.{i}.path.{k}", point
    for i, load in enumerate(robot.loads):
        yield f"loads.{i}.at", load.at
    for i, actuator in enumerate(robot.actuators):
        if isinstance(actuator, WrenchActuator):
            yield f"actuators.{i}.at", actuator.at


def numbers(record: BaseModel, path: str = "") -> Iterator[tuple[str, float, dict[str, Any]]]:
    """Walk through the numbers of a record.

    Parameters
    ----------
    record : Robot or another record
        What to walk through.
    path : str
        Where the record is in a larger one, which begins the paths.

    Yields
    ------
    (str, float, dict)
        Path in the record, value in SI units, and what the schema says of it: unit, usual range.

    See Also
    --------
    schema : units and meanings of all fields.

    Examples
    --------
    >>> from chorda.describe import Sphere
    >>> [(where, value, about["unit"]) for where, value, about in
    ...     numbers(Sphere(name="ball", radius=0.02))]
    [('radius', 0.02, 'm')]
    """
    for key, field in type(record).model_fields.items():
        value = getattr(record, key)
        here = f"{path}.{key}" if path else key
        about = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        items = {here: value}
        if isinstance(value, tuple | dict):
            each = value.items() if isinstance(value, dict) else enumerate(value)
            items = {f"{here}.{name}": item for name, item in each}
        for at, item in items.items():
            if isinstance(item, BaseModel):
                yield from numbers(item, at)
            elif isinstance(item, float | int) and not isinstance(item, bool) and about:
                yield at, float(item), dict(about)
