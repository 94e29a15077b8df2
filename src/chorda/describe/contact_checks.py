"""Contacts that cannot be, as far as the description shows."""

from collections.abc import Mapping, Sequence

from chorda.describe.contact_records import Contact
from chorda.describe.joints import Fixed, Joint, XJoint
from chorda.describe.rods import Rod
from chorda.describe.shapes import MeshFile, RodTube, Shape
from chorda.errors import InputError

ROUND = ("sphere", "capsule")  # touch shapes of every kind; a rod is many of them
Pair = tuple[Shape, Shape]


def check_contacts(
    contacts: Sequence[Contact], shapes: Sequence[Shape], joints: Sequence[Joint]
) -> None:
    """Shapes exist, can touch, can move against each other, and each pair has one contact."""
    rods = {x.name: x for x in joints if isinstance(x, Rod)}
    for i, shape in enumerate(shapes):
        if isinstance(shape, RodTube):
            _check_tube(f"shapes.{i}", shape, rods)
    owners = dict[frozenset[str], str]()
    for i, contact in enumerate(contacts):
        where = f"contacts.{i}"
        for field in ("first", "second"):
            for k, name in enumerate(getattr(contact, field)):
                _check_name(f"{where}.{field}.{k}", name, shapes, joints)
        for a, b in pairs(contact, shapes, joints):
            _check_pair(where, a, b, joints)
            owner = owners.setdefault(frozenset((a.name, b.name)), contact.name)
            if owner != contact.name:
                raise ValueError(
                    f"{where}: '{a.name}' and '{b.name}' touch in contact '{contact.name}' and in "
                    f"contact '{owner}', whose forces would add up; a pair is in one contact: take "
                    "it out of one of them (where a joint stands for all shapes on it and beyond "
                    "it, name the shapes that are left)"
                )


def refuse_contacts(contacts: Sequence[Contact], where: str, remedy: str) -> None:
    """For verbs that do not know contacts: leaving them out would be a quiet wrong answer."""
    if contacts:
        raise InputError(f"contacts.{contacts[0].name}: {where} knows no contacts; {remedy}")


def pairs(contact: Contact, shapes: Sequence[Shape], joints: Sequence[Joint]) -> list[Pair]:
    """All pairs of shapes that a contact declares, each once."""
    first, second = (
        [x for name in names for x in meant(name, shapes, joints)]
        for names in (contact.first, contact.second)
    )
    found: dict[frozenset[str], Pair] = {}
    for a in first:
        for b in second:
            found.setdefault(frozenset((a.name, b.name)), (a, b))
    return list(found.values())


def meant(name: str, shapes: Sequence[Shape], joints: Sequence[Joint]) -> list[Shape]:
    """The shape of that name, or all shapes on the joint of that name and beyond it."""
    own = [x for x in shapes if x.name == name]
    if own:
        return own
    carried = {name}
    for joint in joints:
        if joint.parent.partition(".")[0] in carried:
            carried.add(joint.name)
    touching = [x for x in shapes if not isinstance(x, MeshFile)]
    return [x for x in touching if x.frame.partition(".")[0] in carried]


def _check_name(where: str, name: str, shapes: Sequence[Shape], joints: Sequence[Joint]) -> None:
    if name not in {x.name for x in (*shapes, *joints)}:
        raise ValueError(
            f"{where}: '{name}' is no shape and no joint of this robot; expected one of "
            f"{', '.join(x.name for x in shapes) or '(there are no shapes)'}"
        )
    found = meant(name, shapes, joints)
    if not found:
        raise ValueError(
            f"{where}: joint '{name}' carries no shapes that touch, nor does any joint beyond it "
            "(a mesh is drawn alone); add shapes on its frames"
        )
    if isinstance(found[0], MeshFile):
        touching = [x.name for x in shapes if not isinstance(x, MeshFile)]
        raise ValueError(
            f"{where}: '{name}' is a mesh, which is drawn and touches nothing; expected one of "
            f"{', '.join(touching) or '(no other shapes)'}: describe what touches by capsules or "
            "spheres"
        )


def refusal(kind_a: str, kind_b: str) -> str | None:
    """Why two kinds of shapes do not touch and what to do, or None if they do."""
    kinds = {kind_a, kind_b}
    if kinds == {"plane"} or kinds == {"bore"} or kinds == {"plane", "bore"}:
        return f"a {kind_a} and a {kind_b} cannot touch: describe one of them by boxes or capsules"
    flat = kinds - {*ROUND, "rod"}
    if kinds & {*ROUND, "rod"} or ("plane" in flat and "bore" not in flat):
        return None
    return (
        f"contact between a {kind_a} and a {kind_b} is not modelled, as their distance has no "
        "closed form: describe one of them by capsules or spheres"
    )


def _check_pair(where: str, a: Shape, b: Shape, joints: Sequence[Joint]) -> None:
    if a.name == b.name:
        raise ValueError(
            f"{where}: '{a.name}' is in both first and second; a shape does not touch itself: "
            "take it out of one of them"
        )
    if a.kind == b.kind == "rod" and a.frame == b.frame:
        raise ValueError(
            f"{where}: '{a.name}' and '{b.name}' are surfaces of one rod; contact of a rod with "
            "itself is not modelled"
        )
    if sentence := refusal(a.kind, b.kind):
        raise ValueError(f"{where}: '{a.name}' and '{b.name}': {sentence}")
    bodies = [fixed_to(x.frame, joints) for x in (a, b)]
    if "rod" not in (a.kind, b.kind) and bodies[0] == bodies[1]:
        raise ValueError(
            f"{where}: '{a.name}' (on {a.frame}) and '{b.name}' (on {b.frame}) cannot move against "
            f"each other: both are fixed to {bodies[0]}; take one of them out"
        )


def fixed_to(frame: str, joints: Sequence[Joint]) -> str:
    """The frame that a frame is fixed to: fixed joints and bases of joints do not move."""
    by_name: Mapping[str, Joint] = {x.name: x for x in joints}
    name, _, own = frame.partition(".")
    if name not in by_name:
        return frame
    joint = by_name[name]
    if isinstance(joint, Fixed) or (own == "base" and isinstance(joint, XJoint | Rod)):
        return fixed_to(joint.parent, joints)
    return frame if isinstance(joint, XJoint | Rod) else name


def _check_tube(where: str, shape: RodTube, rods: Mapping[str, Rod]) -> None:
    if shape.rod not in rods:
        raise ValueError(
            f"{where}.rod: '{shape.rod}' is no rod of this robot; expected one of "
            f"{', '.join(rods) or '(there are none)'}"
        )
    length = rods[shape.rod].length
    end = length if shape.end is None else shape.end
    if not shape.start < end <= length:
        raise ValueError(
            f"{where}.end: expected more than start ({shape.start:g} m) and at most the rod's "
            f"length ({length:g} m), got {end:g} m"
        )
