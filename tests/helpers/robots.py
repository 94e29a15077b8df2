"""Robots that several tests use."""

import numpy as np

from chorda.describe import (
    Body,
    Closure,
    Damper,
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


def unit(*components):
    n = np.array(components, float)
    return tuple((n / np.linalg.norm(n)).tolist())


def slider(**parts):
    """A mass of 2 kg on a vertical slide, under gravity."""
    joint = {"name": "s", "axis": (0, 1, 0), "body": Body(mass=2.0)} | parts.pop("joint", {})
    return Robot(name="slider", joints=(Prismatic(**joint),), **parts)


def hung_slider(actuator, law, **parts):
    """The slider on a tendon of 1 m that comes from above."""
    tendon = Tendon(
        name="cable",
        path=(Point(point=(0, 1, 0)), Point(frame="s")),
        law=law,
        actuator=actuator.name if actuator else None,
    )
    return slider(actuators=(actuator,) if actuator else (), tendons=(tendon,), **parts)


def parallelogram(length=0.2, width=0.3, mass=0.1, coupler=0.1):
    """Two equal cranks that hang from the world, and a coupler that stays level: uniform bars."""

    def bar(mass, end):
        J = mass * (end[0] ** 2 + end[1] ** 2) / 12
        return Body(mass=mass, center=(end[0] / 2, end[1] / 2, 0), inertia=(J, J, J, 0, 0, 0))

    hang, across = (0, -length, 0), (width, 0, 0)
    crank = bar(mass, hang)
    return Robot(
        name="parallelogram",
        joints=(
            Revolute(name="crank", body=crank),
            Revolute(
                name="coupler",
                parent="crank",
                placement=Placement(position=hang),
                body=bar(coupler, across),
            ),
            Revolute(name="rocker", placement=Placement(position=across), body=crank),
        ),
        closures=(
            Closure(
                name="pin",
                kind="revolute",
                start=Point(frame="coupler", point=across),
                end=Point(frame="rocker", point=hang),
            ),
        ),
    )


def everything():
    """Every kind of joint, element, tendon law and actuator in one branched tree, all oblique."""
    return Robot(
        name="everything",
        gravity=(1.0, -9.0, 2.0),
        joints=(
            Free(
                name="hull",
                placement=Placement(position=(0.1, 0.2, -0.1), axis=unit(1, 2, 3), angle=0.7),
                body=Body(
                    mass=3.0,
                    center=(0.05, -0.02, 0.03),
                    inertia=(0.05, 0.07, 0.09, 0.004, -0.003, 0.002),
                ),
            ),
            Revolute(
                name="arm",
                parent="hull",
                placement=Placement(position=(0.2, 0.1, 0.05), axis=unit(0, 1, 1), angle=-0.4),
                axis=unit(1, -1, 2),
                body=Body(
                    mass=1.2,
                    center=(0.1, 0.03, -0.04),
                    inertia=(0.01, 0.012, 0.008, 0.001, 0.0005, -0.0007),
                ),
                friction=0.2,
                stiffness=3.0,
                rest=0.15,
            ),
            XJoint(
                name="x",
                parent="arm",
                placement=Placement(position=(0.15, 0.02, 0.01), axis=unit(1, 0, 2), angle=0.9),
                diagonal_length=0.1,
                bar_length=0.06,
                diagonal_mass=0.3,
                bar_mass=0.2,
                friction=0.03,
            ),
            Prismatic(
                name="slide",
                parent="x.top",
                placement=Placement(position=(0.01, 0.05, 0.02), axis=unit(2, 1, 0), angle=0.5),
                axis=unit(1, 1, 1),
                body=Body(mass=0.5, center=(0.02, 0.01, 0.03), inertia=(2e-3, 3e-3, 4e-3, 0, 0, 0)),
                friction=1.5,
                stiffness=40.0,
                rest=0.02,
            ),
            Fixed(
                name="tool",
                parent="slide",
                placement=Placement(position=(0.03, 0.06, -0.02), axis=unit(0, 0, 1), angle=1.1),
                body=Body(mass=0.4, center=(0.01, 0.02, 0.03), inertia=(1e-3, 2e-3, 2e-3, 0, 0, 0)),
            ),
            Revolute(
                name="wing",
                parent="hull",
                placement=Placement(position=(-0.2, 0.1, 0.1), axis=unit(1, 1, 0), angle=0.3),
                axis=unit(0, 1, -1),
                body=Body(mass=0.8, center=(-0.1, 0.02, 0.05), inertia=(4e-3, 6e-3, 5e-3, 0, 0, 0)),
            ),
        ),
        springs=(
            Spring(
                name="spring",
                start=Point(point=(0.5, 0.6, 0.4)),
                end=Point(frame="tool", point=(0.01, 0.02, 0.05)),
                stiffness=60.0,
                free_length=0.3,
                damping=2.0,
            ),
        ),
        dampers=(
            Damper(
                name="damper",
                start=Point(frame="arm", point=(0.05, 0.1, 0.02)),
                end=Point(frame="wing", point=(-0.1, 0.05, 0.03)),
                damping=4.0,
            ),
        ),
        loads=(
            Load(
                name="push",
                at=Point(frame="tool", point=(0.02, 0.01, 0.03)),
                force=(1.0, -2.0, 1.5),
                moment=(0.1, 0.2, -0.3),
            ),
            Load(
                name="jet",
                at=Point(frame="wing", point=(-0.1, 0.03, 0.02)),
                force=(2.0, 1.0, -1.0),
                moment=(-0.2, 0.1, 0.15),
                follows=True,
            ),
        ),
        actuators=(
            Motor(
                name="elastic-motor",
                inertia=2e-3,
                drum_radius=0.03,
                gear_ratio=2.0,
                dry_friction=DryFriction(torque=0.1, slope=3.0),
                friction=0.02,
            ),
            Motor(
                name="rigid-motor",
                inertia=1e-3,
                drum_radius=0.02,
                dry_friction=DryFriction(torque=0.05, slope=2.0),
                friction=0.01,
            ),
            TensionActuator(name="force"),
            Winch(name="winch"),
        ),
        tendons=(
            Tendon(
                name="elastic",
                path=(
                    Point(frame="hull", point=(0.1, 0.2, 0.1)),
                    Point(frame="x.base", point="right"),
                    Point(frame="x.top", point="right"),
                ),
                lead=0.2,
                law=KelvinVoigt(stiffness=500.0, damping=3.0, pretension=4.0, one_sided=False),
                actuator="elastic-motor",
            ),
            Tendon(
                name="unstretched",
                path=(Point(point=(0.1, 0.9, 0.3)), Point(frame="wing", point=(-0.1, 0.1, 0.2))),
                law=Rigid(one_sided=False),
                actuator="rigid-motor",
                winding=-1,
            ),
            Tendon(
                name="pulled",
                path=(Point(frame="hull", point=(0.1, 0.1, 0.3)), Point(frame="tool")),
                law=Rigid(one_sided=False),
                actuator="force",
            ),
            Tendon(
                name="wound",
                path=(Point(point=(-0.3, 0.5, 0.6)), Point(frame="arm", point=(0.1, 0.1, 0.1))),
                law=KelvinVoigt(stiffness=300.0, damping=2.0, one_sided=False),
                actuator="winch",
                winding=-1,
            ),
            Tendon(
                name="tied",
                path=(Point(frame="wing", point=(0.1, 0.1, 0.1)), Point(frame="x.top")),
                law=KelvinVoigt(stiffness=200.0, damping=1.0, one_sided=False),
            ),
        ),
    )


L, B, M_D, M_B, K, FREE = 0.1, 0.05, 0.064, 0.032, 600.0, 0.046  # the X-joint of the necks


def x_joint(damping=None):
    """One X-joint with a damped spring on either side."""
    return Robot(
        name="x-joint",
        joints=(
            XJoint(name="x", diagonal_length=L, bar_length=B, diagonal_mass=M_D, bar_mass=M_B),
        ),
        springs=_springs("x.base", {"left": "left", "right": "right"}, "x.top", damping),
    )


def x_joint_of_bars(damping=None):
    """The same from three revolute joints, closed at the top bar's left end."""
    upright = float(np.arccos(B / L))

    def bar(length, mass, side):
        J = mass * length**2 / 12
        return Body(mass=mass, center=(side * length / 2, 0, 0), inertia=(0, J, J, 0, 0, 0))

    joints = (
        Revolute(
            name="left",
            placement=Placement(position=(-B / 2, 0, 0), angle=upright),
            body=bar(L, M_D, 1),
        ),
        Revolute(
            name="right",
            placement=Placement(position=(B / 2, 0, 0), angle=float(np.pi - upright)),
            body=bar(L, M_D, 1),
        ),
        Revolute(
            name="top",
            parent="left",
            placement=Placement(position=(L, 0, 0), angle=-upright),
            body=bar(B, M_B, -1),
        ),
    )
    loop = Closure(
        name="loop",
        kind="spherical",
        start=Point(frame="right", point=(L, 0, 0)),
        end=Point(frame="top", point=(-B, 0, 0)),
    )
    ends = {"left": (-B, 0, 0), "right": "origin"}
    return Robot(
        name="x-joint-of-bars",
        joints=joints,
        springs=_springs("world", ends, "top", damping),
        closures=(loop,),
    )


def _springs(below, ends, above, damping):
    feet = {"left": (-B / 2, 0, 0), "right": (B / 2, 0, 0)}
    return tuple(
        Spring(
            name=f"spring-{side}",
            start=Point(frame=below, point=feet[side]),
            end=Point(frame=above, point=end),
            stiffness=K,
            free_length=FREE,
            damping=damping,
        )
        for side, end in ends.items()
    )


def bars_from_alpha(alpha, rate):
    """(q, v) of x_joint_of_bars with the top bar at alpha [rad], turning at rate."""
    upright, h = np.arccos(B / L), alpha / 2
    d = np.sqrt(L**2 - (B * np.cos(h)) ** 2)
    delta = np.arccos(B * np.cos(h) / L)
    phi, psi = h + delta, h + np.pi - delta
    e = B * np.sin(h) / (2 * d)
    q = np.array([phi - upright, psi - (np.pi - upright), alpha - (phi - upright)])
    return q, rate * np.array([0.5 + e, 0.5 - e, 0.5 - e])
