"""Rods that several tests use, and what is known of them by hand."""

import math

import numpy as np

import chorda
from chorda.describe import (
    Body,
    Circle,
    Disk,
    KelvinVoigt,
    Load,
    Modes,
    Placement,
    Point,
    Rectangle,
    Revolute,
    Rigid,
    Robot,
    Rod,
    Sheath,
    Tendon,
    TensionActuator,
    Tube,
    Winch,
)
from tests.helpers.evaluate import forces, frames
from tests.helpers.robots import unit

L, R, E, RHO = 0.5, 1e-3, 5e9, 8000.0  # [m], [m], [Pa], [kg/m^3] of `rod()`
G = E / 2.6
A, I = math.pi * R**2, math.pi * R**4 / 4  # noqa: E741
EI = E * I
PLANE = {"twist": 0, "bend_y": 0, "bend_z": 4, "stretch": 0}  # bends in the x-y plane
PRECISE = {"intervals": 24, "order": 6}
NONE = {"twist": 0, "bend_y": 0, "bend_z": 0, "stretch": 0}


def rod(modes=PLANE, **fields):
    """A soft round wire along x; modes: a mapping of the fields of Modes."""
    given = {
        "name": "rod",
        "length": L,
        "section": Circle(radius=R),
        "young_modulus": E,
        "density": RHO,
        "modes": Modes(**{**NONE, **modes}),
    }
    return Rod(**{**given, **fields})


def robot(*joints, **parts):
    """A robot of these joints; without gravity if none is given."""
    return Robot(**{"name": "robot", "gravity": (0, 0, 0), "joints": joints, **parts})


def pushed(force=(0, 0, 0), moment=(0, 0, 0), follows=False, frame="rod.tip"):
    """A load on the tip."""
    return Load(name="push", at=Point(frame=frame), force=force, moment=moment, follows=follows)


def pose(system, q, frame="rod.tip"):
    """Rotation and position of a frame in the world."""
    table = system.once("frames of tests", lambda: frames(system.robot))
    return table(np.asarray(q, float))[frame]


def settled(described, **given):
    """The equilibrium, which must have been found."""
    return chorda.equilibrium(chorda.assemble(described), strict=True, **given)


def balanced(system, q=None, u=None, most=30):
    """A configuration at rest, stable or not, by plain Newton steps from q (default: the rest)."""
    q = system.rest if q is None else q
    u = np.zeros(system.nu) if u is None else u
    before = np.inf
    for _ in range(most):
        K, F = chorda.linearize(system, q, u=u).K, forces(system, q, u=u)[1]
        d = np.linalg.solve(-K, F)
        size = np.abs(d).max()
        q = q + d * 5.0 / max(5.0, size)
        if size < 1e-7 and size >= before / 4:  # as small as rounding allows
            return q
        before = size
    raise AssertionError(f"no balance: the last step was {size:g}")


def balanced_tip(described):
    """Position of the tip at rest."""
    system = chorda.assemble(described)
    return pose(system, balanced(system))[1]


def frequencies(system, q=None):
    """Natural frequencies [rad/s], ascending."""
    from scipy.linalg import eigh

    linear = chorda.linearize(system, q)
    return np.sqrt(eigh(-(linear.K + linear.K.T) / 2, linear.M, eigvals_only=True))


def arm():
    """A hybrid arm, all oblique: a hinge, a curved tapered rod with disks, a body and a tube.

    It has every strain, damping, drag, strains at rest, and a tendon through both rods.
    """
    hinge = Revolute(
        name="hinge",
        placement=Placement(position=(0.1, 0.0, 0.2), axis=unit(1, 2, 0), angle=0.8),
        axis=unit(0, 1, 2),
        body=Body(mass=0.2, center=(0.02, 0.01, 0), inertia=(1e-3, 1e-3, 1e-3, 0, 0, 0)),
        friction=0.01,
        stiffness=0.5,
    )
    lower = Rod(
        name="lower",
        parent="hinge",
        placement=Placement(position=(0.05, 0, 0.01), axis=unit(0, 1, 0), angle=0.3),
        length=0.4,
        section=Rectangle(width=0.012, height=0.008),
        taper=0.7,
        young_modulus=2e7,
        shear_modulus=9e6,
        density=1200,
        bend_damping=2e-3,
        twist_damping=1e-3,
        stretch_damping=3.0,
        shear_damping=2.0,
        drag=(0.01, 0.5, 0.3),
        rest={"bend_y": [0.5, 1.0], "bend_z": -0.8, "twist": 0.4},
        modes=Modes(
            twist=1, bend_y=2, bend_z=1, stretch=1, shear_y=1, shear_z=1, intervals=6, order=6
        ),
        disks=(
            Disk(name="first", at=0.1, radius=0.03, mass=0.02),
            Disk(name="last", at=0.4, radius=0.03, mass=0.03),
        ),
    )
    knob = Revolute(
        name="knob",
        parent="lower.first",
        axis=(1, 0, 0),
        body=Body(mass=0.05, center=(0, 0.02, 0), inertia=(1e-5, 1e-5, 1e-5, 0, 0, 0)),
    )
    upper = Rod(
        name="upper",
        parent="lower.tip",
        length=0.25,
        section=Tube(radius=0.005, inner_radius=0.003),
        young_modulus=3e7,
        density=1100,
        bend_damping=1e-3,
        drag=(0.0, 0.2, 0.2),
        modes=Modes(twist=1, bend_y=1, bend_z=1, stretch=0, intervals=4),
        disks=(Disk(name="root", at=0.0, radius=0.02, mass=0.01),),
    )
    return Robot(
        name="arm",
        gravity=(1.0, -9.0, 2.0),
        joints=(hinge, lower, knob, upper),
        actuators=(TensionActuator(name="force"), Winch(name="winch")),
        tendons=(
            Tendon(
                name="long",
                sheaths=(
                    Sheath(rod="lower", y=0.01, z=[0.02, -0.01], turns=0.5),
                    Sheath(rod="upper", y=-0.01, z=-0.01, end=0.2),
                ),
                law=Rigid(one_sided=False),
                actuator="force",
            ),
            Tendon(
                name="short",
                path=(
                    Point(point=(0.1, 0.1, 0.3)),
                    Point(frame="lower.base", point=(0, 0.01, 0)),
                ),
                sheaths=(Sheath(rod="lower", y=0.01, start=0.0, end=0.3),),
                law=KelvinVoigt(stiffness=400.0, damping=2.0, pretension=1.0, one_sided=False),
                actuator="winch",
            ),
        ),
        loads=(
            pushed((0.3, -0.2, 0.1), frame="upper.tip"),
            Load(
                name="jet",
                at=Point(frame="lower.last", point=(0.01, 0, 0.02)),
                force=(0.1, 0.2, 0.3),
                follows=True,
            ),
        ),
    )
