"""Random robots of every kind of record, within usual magnitudes."""

import numpy as np
from hypothesis import strategies as st

from chorda.describe import (
    Body,
    Closure,
    Damper,
    DenavitHartenberg,
    DryFriction,
    Fixed,
    Free,
    KelvinVoigt,
    Load,
    Motor,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Rigid,
    Robot,
    Spring,
    Tendon,
    TensionActuator,
    Winch,
    XJoint,
)
from chorda.describe.closure_checks import check_closures
from chorda.describe.robot import ANCHORS, frames_of

RESERVED = {"world", "tension"}
JOINED = ("spherical", "universal", "revolute", "fixed")
WORDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,6}", fullmatch=True).filter(
    lambda name: name not in RESERVED
)

# one line in any script
VISIBLE = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1)


def size(low, high):
    """Numbers of usual magnitude without a sign."""
    return st.floats(low, high)


def signed(high):
    return st.floats(-high, high)


def vector(high):
    return st.tuples(*[signed(high)] * 3)


def maybe(strategy):
    return st.none() | strategy


@st.composite
def directions(draw):
    n = np.array(draw(vector(1.0)))
    length = np.linalg.norm(n)
    return (0.0, 0.0, 1.0) if length < 1e-3 else tuple((n / length).tolist())


@st.composite
def ranges(draw, high):
    low, up = sorted(draw(st.lists(signed(high), min_size=2, max_size=2, unique=True)))
    return (low, up)


@st.composite
def inertias(draw):
    A = np.array(draw(st.lists(signed(1.0), min_size=9, max_size=9))).reshape(3, 3)
    S = A @ A.T + 1e-3 * np.eye(3)  # second moments of mass
    J = np.trace(S) * np.eye(3) - S
    return tuple(J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist())


bodies = st.builds(Body, mass=size(1e-6, 1e3), center=vector(20), inertia=inertias())
placements = st.builds(Placement, position=vector(20), axis=directions(), angle=signed(6.28))
links = st.builds(
    DenavitHartenberg, a=signed(20), alpha=signed(6.28), d=signed(20), theta=signed(6.28)
)
laws = st.builds(Rigid) | st.builds(
    KelvinVoigt,
    stiffness=size(1, 1e8),
    damping=size(0, 1e6),
    pretension=maybe(signed(1e4)),
    one_sided=st.booleans(),
)
laws |= st.builds(
    KelvinVoigt, stiffness=size(1, 1e8), one_sided=st.just(True), smoothing=size(1e-6, 1e3)
)
frictions = st.builds(
    DryFriction,
    kind=st.sampled_from(["arctan", "sign"]),
    torque=size(0, 1e3),
    slope=size(1e-3, 1e6),
)


@st.composite
def joints(draw, name, frames):
    kind = draw(st.sampled_from([Revolute, Prismatic, Fixed, Free, XJoint]))
    fields = {"name": name, "parent": draw(st.sampled_from(frames))}
    if draw(st.booleans()):
        fields["placement"] = draw(placements)
    if kind is XJoint:
        L = draw(size(2e-3, 10))
        fields |= {
            "diagonal_length": L,
            "bar_length": draw(size(1e-3, 0.99 * L)),
            "diagonal_mass": draw(size(1e-6, 1e3)),
            "bar_mass": draw(size(1e-6, 1e3)),
            "friction": draw(maybe(size(0, 1e3))),
        }
        if draw(st.booleans()):
            fields["range"] = draw(ranges(3.14))
        return kind(**fields)
    fields["body"] = draw(maybe(bodies))
    if kind in (Revolute, Prismatic):
        fields |= {
            "axis": draw(directions()),
            "friction": draw(maybe(size(0, 1e3))),
            "stiffness": draw(maybe(size(0, 1e5))),
            "rest": draw(signed(6.28)),
            "range": draw(maybe(ranges(6.28))),
        }
        if draw(st.booleans()):
            fields |= {"axis": (0, 0, 1), "link": draw(links)}
    return kind(**fields)


@st.composite
def points(draw, frames):
    frame = draw(st.sampled_from(frames))
    anchors = ("origin", *ANCHORS.get(frame.partition(".")[2], ()))
    return Point(frame=frame, point=draw(vector(20) | st.sampled_from(anchors)))


def actuators(name):
    motors = st.builds(
        Motor,
        name=st.just(name),
        inertia=size(1e-9, 10),
        drum_radius=size(1e-4, 1),
        gear_ratio=size(0.1, 1e4),
        dry_friction=maybe(frictions),
        friction=maybe(size(0, 10)),
    )
    return motors | st.sampled_from([TensionActuator(name=name), Winch(name=name)])


def says_something(closures, chain):
    """Whether the closures are none that a robot refuses."""
    try:
        check_closures(closures, chain)
    except ValueError:
        return False
    return True


@st.composite
def robots(draw):
    names = iter(draw(st.lists(WORDS, min_size=18, max_size=18, unique=True)))
    few = st.integers(0, 2)
    frames, chain = ["world"], []
    for _ in range(draw(st.integers(1, 4))):
        joint = draw(joints(next(names), frames))
        chain.append(joint)
        frames += frames_of(joint)
    point = points(frames)

    def ends():
        return {"name": next(names), "start": draw(point), "end": draw(point)}

    springs = [
        Spring(
            **ends(),
            stiffness=draw(size(0, 1e7)),
            free_length=draw(size(0, 20)),
            damping=draw(maybe(size(0, 1e5))),
        )
        for _ in range(draw(few))
    ]
    dampers = [Damper(**ends(), damping=draw(size(0, 1e5))) for _ in range(draw(few))]
    closures = [
        Closure(
            **ends(),
            kind=kind,
            axis=draw(directions()),
            cross_axis=draw(directions()) if kind == "universal" else None,
        )
        for kind in draw(st.lists(st.sampled_from(JOINED), max_size=2))
    ]
    closures = [x for x in closures if says_something([x], chain)]
    closures = closures if says_something(closures, chain) else closures[:1]
    wound = [draw(actuators(next(names))) for _ in range(draw(few))]
    tendons = [
        Tendon(
            name=next(names),
            path=draw(st.lists(point, min_size=2, max_size=4)),
            lead=draw(size(0, 20)),
            law=draw(laws),
            actuator=wound[i].name if i < len(wound) else None,
            winding=draw(st.sampled_from([1, -1])),
            carrier=draw(maybe(st.sampled_from(frames))),
        )
        for i in range(max(len(wound), draw(few)))
    ]
    loads = [
        Load(
            name=next(names),
            at=draw(point),
            force=draw(vector(1e4)),
            moment=draw(vector(1e4)),
            follows=draw(st.booleans()),
        )
        for _ in range(draw(few))
    ]
    return Robot(
        name=draw(VISIBLE),
        title=draw(st.text()),
        gravity=draw(vector(30)),
        joints=chain,
        springs=springs,
        dampers=dampers,
        closures=closures,
        actuators=wound,
        tendons=tendons,
        loads=loads,
        sources=draw(st.dictionaries(st.text(), st.text(), max_size=3)),
    )
