"""Signed distances between pairs of shapes, where they touch and along which normal."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import casadi as ca

from chorda.describe.contact_checks import refusal
from chorda.errors import InputError
from chorda.mechanics.contacts.bore_distances import from_wall
from chorda.mechanics.contacts.placed_shapes import (
    PlacedBore,
    PlacedBox,
    PlacedCapsule,
    PlacedCylinder,
    PlacedPlane,
    PlacedSphere,
    Shape,
)
from chorda.mechanics.contacts.point_distances import (
    NUDGE,
    TINY,
    Clearance,
    from_box,
    from_cylinder,
    from_point,
    from_segment,
    in_box,
    in_cylinder,
)
from chorda.mechanics.contacts.segment_distances import (
    nearest_box,
    nearest_cylinder,
    nearest_segment,
)
from chorda.mechanics.frames import SX, Expr, cross

KINDS: dict[type[Shape], str] = {
    PlacedSphere: "sphere",
    PlacedCapsule: "capsule",
    PlacedPlane: "plane",
    PlacedBox: "box",
    PlacedCylinder: "cylinder",
    PlacedBore: "bore",
}


@dataclass(frozen=True, eq=False)
class Touch:
    """One point where two shapes touch, or would if they were closer."""

    label: str  # empty where the pair has one point
    gap: Expr  # signed distance, negative where the shapes overlap [m]
    normal: Expr  # (3), unit vector from the first shape to the second
    centre: Expr  # (3), a point on the line along the normal, whose derivatives are short [m]
    beyond: Expr  # how far it is along the normal from where they touch [m]

    @property
    def point(self) -> Expr:
        """(3), midway between the two closest points of the surfaces [m]."""
        return self.centre - self.beyond * self.normal


def touches(first: Shape, second: Shape) -> tuple[Touch, ...]:
    """All points where two shapes touch; the least gap of them is the distance of the shapes.

    Gaps and normals are those of the geometry while the sphere's centre, or the capsule's segment,
    is outside of the other shape (of its inner box, for a box), and keep pushing outwards inside,
    unless a segment skewers a solid through opposite faces. A segment's depth inside is that of
    the middle of its part inside, so its end alone counts half as deep as it is. The normal
    vanishes where two centres coincide or two segments cross. Of segments that overlap along a line
    the point is that of a crown (`segment_distances`): their gap is too large by at most half its
    height.

    A capsule touches a plane, or the wall of a bore, with the spheres at its ends, a box with those
    at its corners. A
    cylinder touches a plane with three points of each rim: the deepest, and the two that make a
    regular triangle with it. The deepest ones give the distance and let a lying cylinder roll;
    the triangles support a standing one, and no turn about its axis is preferred.

    Raises
    ------
    InputError
        For a pair that `contact_checks.refusal` names.
    """
    kinds = KINDS[type(first)], KINDS[type(second)]
    sentence = refusal(*kinds)
    if sentence:
        raise InputError(sentence)
    if kinds in PAIRS:
        return PAIRS[kinds](first, second)
    found = PAIRS[kinds[::-1]](second, first)
    return tuple(replace(x, normal=-x.normal, beyond=-x.beyond) for x in found)


def _ball(clearance: Clearance, centre: Expr, radius: Expr, swollen: Expr) -> tuple[Touch, ...]:
    """The touch of a ball with a solid that is swollen around what the clearance is from."""
    gap = clearance.distance - swollen - radius
    return (Touch("", gap, clearance.normal, centre, radius + gap / 2),)


def _sphere_sphere(a: PlacedSphere, b: PlacedSphere) -> tuple[Touch, ...]:
    return _ball(from_point(ca.sparsify(b.centre - a.centre)), b.centre, b.radius, a.radius)


def _capsule_sphere(a: PlacedCapsule, b: PlacedSphere) -> tuple[Touch, ...]:
    return _ball(from_segment(a, b.centre), b.centre, b.radius, a.radius)


def _box_sphere(a: PlacedBox, b: PlacedSphere) -> tuple[Touch, ...]:
    return _ball(from_box(a, in_box(a, b.centre)), b.centre, b.radius, a.rounding)


def _cylinder_sphere(a: PlacedCylinder, b: PlacedSphere) -> tuple[Touch, ...]:
    offset = in_cylinder(a, ca.sparsify(b.centre - a.centre))
    return _ball(from_cylinder(a, *offset), b.centre, b.radius, SX(0))


def _capsule_capsule(a: PlacedCapsule, b: PlacedCapsule) -> tuple[Touch, ...]:
    centre = b.start + nearest_segment(a, b) * b.along
    return _ball(from_segment(a, centre), centre, b.radius, a.radius)


def _box_capsule(a: PlacedBox, b: PlacedCapsule) -> tuple[Touch, ...]:
    along = ca.sparsify(b.end - b.start)
    q, e = in_box(a, b.start), ca.sparsify(a.R.T @ along)
    t = nearest_box(a, q, e, a.rounding + b.radius)
    return _ball(from_box(a, q + t * e), b.start + t * along, b.radius, a.rounding)


def _cylinder_capsule(a: PlacedCylinder, b: PlacedCapsule) -> tuple[Touch, ...]:
    vector = ca.sparsify(b.end - b.start)
    z, across = in_cylinder(a, ca.sparsify(b.start - a.centre))
    e, across_e = in_cylinder(a, vector)
    t = nearest_cylinder(a, z, across, e, across_e, b.radius)
    clearance = from_cylinder(a, z + t * e, ca.sparsify(across + t * across_e))
    return _ball(clearance, b.start + t * vector, b.radius, SX(0))


def _on_plane(plane: PlacedPlane, height: Expr, radius: Expr, centre: Expr, label: str) -> Touch:
    """The touch of a ball whose centre has a height above the plane."""
    gap = height - radius
    return Touch(label, gap, plane.normal, centre, radius + gap / 2)


def _height(plane: PlacedPlane, point: Expr) -> Expr:
    return ca.dot(plane.normal, ca.sparsify(point - plane.point))


def _plane_sphere(a: PlacedPlane, b: PlacedSphere) -> tuple[Touch, ...]:
    return (_on_plane(a, _height(a, b.centre), b.radius, b.centre, ""),)


def _plane_capsule(a: PlacedPlane, b: PlacedCapsule) -> tuple[Touch, ...]:
    ends = {"start": b.start, "end": b.end}
    return tuple(_on_plane(a, _height(a, p), b.radius, p, name) for name, p in ends.items())


def _plane_box(a: PlacedPlane, b: PlacedBox) -> tuple[Touch, ...]:
    edges = [ca.sparsify(b.half[i] * b.R[:, i]) for i in range(3)]
    rises = [ca.dot(a.normal, edge) for edge in edges]
    height = _height(a, b.centre)
    found = []
    for n, signs in enumerate(itertools.product((-1, 1), repeat=3), start=1):
        rise = sum((s * x for s, x in zip(signs, rises, strict=True)), height)
        corner = sum((s * x for s, x in zip(signs, edges, strict=True)), b.centre)
        found.append(_on_plane(a, rise, b.rounding, corner, f"corner{n}"))
    return tuple(found)


def _plane_cylinder(a: PlacedPlane, b: PlacedCylinder) -> tuple[Touch, ...]:
    tilt = ca.sparsify(ca.dot(a.normal, b.axis))
    down = ca.sparsify(tilt * b.axis - a.normal)  # across the axis
    if tilt.nnz():
        down = ca.sparsify(down + TINY * _across(b.axis, a.normal))
    sine = ca.sqrt(ca.sumsqr(down) + NUDGE**2)
    deepest = b.radius / sine * down
    beside = 3**0.5 / 2 * ca.sparsify(cross(b.axis, deepest))
    fall = b.radius * sine
    height = _height(a, b.centre)
    found = []
    for name, way in (("start", -1), ("end", 1)):
        middle = b.centre + way * b.half_length * b.axis
        rise = height + way * b.half_length * tilt
        back, up = middle - deepest / 2, rise + fall / 2
        found.append(_on_plane(a, rise - fall, SX(0), middle + deepest, name))
        found.append(_on_plane(a, up, SX(0), back + beside, f"{name}_left"))
        found.append(_on_plane(a, up, SX(0), back - beside, f"{name}_right"))
    return tuple(found)


def _across(axis: Expr, normal: Expr) -> Expr:
    """A vector across an axis that stands on a plane, within the plane of a planar robot.

    A cylinder that stands upright has no deepest point; with this one chosen its three points
    stay on the rim and resist tilting. It vanishes only if the axis is a main axis that the
    symbols of the normal do not reveal.
    """
    sizes = [abs(float(x)) if x.is_constant() else 0.5 for x in ca.vertsplit(SX(normal))]
    i = 2 - sizes[::-1].index(max(sizes))
    moving = [k for k in range(3) if k != i and axis[k].nnz()]
    j = moving[0] if moving else (i + 1) % 3
    found = SX(3, 1)
    found[i], found[j] = -axis[j], axis[i]
    return ca.sparsify(found)


def _bore_sphere(a: PlacedBore, b: PlacedSphere) -> tuple[Touch, ...]:
    return _ball(from_wall(a, b.centre), b.centre, b.radius, SX(0))


def _bore_capsule(a: PlacedBore, b: PlacedCapsule) -> tuple[Touch, ...]:
    found = []
    for label, centre in (("start", b.start), ("end", b.end)):
        (touch,) = _bore_sphere(a, PlacedSphere(centre, b.radius))
        found.append(replace(touch, label=label))
    return tuple(found)


PAIRS: dict[tuple[str, str], Callable[..., tuple[Touch, ...]]] = {
    ("sphere", "sphere"): _sphere_sphere,
    ("capsule", "sphere"): _capsule_sphere,
    ("plane", "sphere"): _plane_sphere,
    ("box", "sphere"): _box_sphere,
    ("cylinder", "sphere"): _cylinder_sphere,
    ("capsule", "capsule"): _capsule_capsule,
    ("plane", "capsule"): _plane_capsule,
    ("box", "capsule"): _box_capsule,
    ("cylinder", "capsule"): _cylinder_capsule,
    ("plane", "box"): _plane_box,
    ("plane", "cylinder"): _plane_cylinder,
    ("bore", "sphere"): _bore_sphere,
    ("bore", "capsule"): _bore_capsule,
}
