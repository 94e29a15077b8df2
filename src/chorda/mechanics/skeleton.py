"""First stage: the tree of joints, its coordinates, and the points that are fixed in its frames."""

from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe import Damper, Robot, Spring
from chorda.errors import InputError
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.joints.proxy import proxy_joint
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import Located, Tree, locate, plant

Ends = dict[str, tuple[Located, Located]]  # by name of a spring, damper or closure


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The joints of a robot in symbols: q_dot = N v."""

    robot: Robot
    par: Parameters
    gravity: Expr  # [m/s^2]
    tree: Tree
    q: Expr
    v: Expr
    N: Expr
    rest: Expr  # the reference configuration
    ends: Ends

    @property
    def coordinates(self) -> list[Coordinate]:
        return [c for joint in self.tree.joints for c in joint.coordinates]

    @property
    def velocities(self) -> list[tuple[str, str]]:
        return [x for joint in self.tree.joints for x in joint.velocities]

    def coordinate(self, name: str) -> Expr:
        """The symbol of a coordinate."""
        return self.q[[x.name for x in self.coordinates].index(name)]

    @property
    def quaternions(self) -> tuple[int, ...]:
        """Where unit quaternions start in q."""
        starts = np.cumsum([0, *[joint.q.numel() for joint in self.tree.joints]]).tolist()
        return tuple(x for x, j in zip(starts, self.tree.joints, strict=False) if j.quaternion)

    @property
    def at_rest(self) -> bool:
        """Whether rods have proxy joints, which serve statics only."""
        return any(joint.proxy_of is not None for joint in self.tree.joints)

    @property
    def moved(self) -> Expr:
        """Coordinates, and how far joints are held: what differs from the reference."""
        return ca.vertcat(self.q, *[joint.held for joint in self.tree.joints])

    def at_reference(self, x: Expr) -> Expr:
        """An expression at the reference configuration, of joints that are held too."""
        held = self.moved.numel() - self.q.numel()
        return ca.substitute(x, self.moved, ca.vertcat(self.rest, SX.zeros(held)))

    def by_joint(self, x: Expr) -> list[Expr]:
        """A column over the velocities, in pieces."""
        ends = np.cumsum([0, *[joint.v.numel() for joint in self.tree.joints]]).tolist()
        return list(ca.vertsplit(x[: ends[-1]], ends))


def springs_and_dampers(robot: Robot) -> tuple[Spring | Damper, ...]:
    return (*robot.springs, *robot.dampers)


def skeleton(robot: Robot, proxies: bool = False) -> Skeleton:
    """The skeleton of a robot; with `proxies`, its rods are exchanged for proxy joints, and its
    velocities are zero."""
    par = Parameters()
    gravity = par.vector("gravity", robot.gravity, "m/s^2")
    tree = plant(robot, par, proxy_joint if proxies else None)
    coordinates = [c for joint in tree.joints for c in joint.coordinates]
    if not coordinates:
        raise InputError(f"{robot.name}: nothing can move; add a joint that is not fixed")
    v = ca.vertcat(*[joint.v for joint in tree.joints])
    return Skeleton(
        robot=robot,
        par=par,
        gravity=gravity,
        tree=tree,
        q=ca.vertcat(*[joint.q for joint in tree.joints]),
        v=SX(*v.shape) if proxies else v,
        N=ca.diagcat(*[joint.kinematics for joint in tree.joints]),
        rest=SX.sym("rest", len(coordinates)) if proxies else SX([c.rest for c in coordinates]),
        ends={
            item.name: (
                locate(tree, item.start, f"{item.name}.start", par),
                locate(tree, item.end, f"{item.name}.end", par),
            )
            for item in (*springs_and_dampers(robot), *robot.closures)
        },
    )
