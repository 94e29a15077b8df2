"""Motion of the bodies: velocities, accelerations, and the forces they require (inverse dynamics).

A recursion over the tree, outward for motion and inward for wrenches, in world axes. Coriolis and
centrifugal terms come from the frames' twists and their rates, for every kind of joint alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.rods.soft import BASE, Required, Soft, Wrenches
from chorda.mechanics.tree import Node, Tree


@dataclass(frozen=True)
class Motion:
    """Of one frame, in world axes: angular and linear (origin) velocity and acceleration."""

    w: Expr
    v: Expr
    w_dot: Expr
    v_dot: Expr


def motions(tree: Tree, v: list[Expr], a: list[Expr], gravity: Expr) -> list[Motion]:
    """Motion of every frame; gravity enters as an upward acceleration of the world."""
    zero = SX(3, 1)
    out = [Motion(zero, zero, zero, -gravity)]
    rods: dict[int, Expr] = {}  # motion of the slices, by joint
    for node in tree.nodes[1:]:
        base = out[node.parent]
        R = tree.pose(node.parent).R
        if (soft := _soft(tree, node)) is not None:
            if node.joint not in rods:
                own = v[node.joint], a[node.joint]
                rods[node.joint] = soft.motion(*own, _from_base(R, base))
            slice_ = soft.slice_of(node.name)
            here = soft.moving(rods[node.joint], slice_)
            out.append(base if slice_ == BASE else Motion(*[R @ x for x in here]))
            continue
        r = R @ node.pose.p
        w, w_dot = base.w, base.w_dot
        vel = base.v + cross(w, r)
        acc = base.v_dot + cross(w_dot, r) + cross(w, cross(w, r))
        if node.carried is not None and v[node.joint].numel():
            joint, q_v, q_a = tree.joints[node.joint], v[node.joint], a[node.joint]
            spin, slide = node.carried.angular @ q_v, node.carried.linear @ q_v
            q_dot = joint.kinematics @ q_v
            spin_dot = node.carried.angular @ q_a + _rate(spin, joint.q, q_dot)
            slide_dot = node.carried.linear @ q_a + _rate(slide, joint.q, q_dot)
            spin_w, slide_w = R @ spin, R @ slide
            vel = vel + slide_w
            acc = acc + 2 * cross(w, slide_w) + R @ slide_dot
            w_dot = w_dot + cross(w, spin_w) + R @ spin_dot
            w = w + spin_w
        out.append(Motion(w, vel, w_dot, acc))
    return out


def _soft(tree: Tree, node: Node) -> Soft | None:
    return tree.joints[node.joint].soft if node.carried is not None else None


def _along(soft: Soft, R: Expr, base: Motion, v: Expr, a: Expr, carried: Wrenches) -> Required:
    """A rod on a base that moves, in the base's axes."""
    return soft.required(v, a, _from_base(R, base), carried)


def _from_base(R: Expr, base: Motion) -> list[Expr]:
    """The base's motion in its own axes."""
    return [ca.sparsify(R.T @ x) for x in (base.w, base.v, base.w_dot, base.v_dot)]


def _rate(x: Expr, q: Expr, q_dot: Expr) -> Expr:
    return ca.sparsify(ca.jacobian(x, q) @ q_dot)


def inverse_dynamics(tree: Tree, v: list[Expr], a: list[Expr], gravity: Expr) -> Expr:
    """Generalized forces that the motion requires: M a + Coriolis + gravity."""
    moving = motions(tree, v, a, gravity)
    force = [SX(3, 1) for _ in tree.nodes]
    moment = [SX(3, 1) for _ in tree.nodes]  # about each frame's origin
    required = [SX(joint.v.numel(), 1) for joint in tree.joints]
    carried: dict[int, Wrenches] = {}  # by rod: what stands on its slices
    for i in reversed(range(1, len(tree.nodes))):
        node, motion = tree.nodes[i], moving[i]
        F, N = force[i], moment[i]
        if node.carried is not None and node.carried.body is not None:
            own_F, own_N = _inertial_wrench(tree.pose(i).R, node.carried.body, motion)
            F, N = F + own_F, N + own_N
        R = tree.pose(node.parent).R
        if (soft := _soft(tree, node)) is not None:
            at, slice_ = carried.setdefault(node.joint, {}), soft.slice_of(node.name)
            before = at.get(slice_, (SX(3, 1), SX(3, 1)))  # frames may share a slice
            at[slice_] = (before[0] + R.T @ F, before[1] + R.T @ N)
            if tree.nodes[i - 1].joint != node.joint:  # the last of its frames
                args = moving[node.parent], v[node.joint], a[node.joint], at
                rod = _along(soft, R, *args)
                required[node.joint] = rod.Q
                force[node.parent] = force[node.parent] + R @ rod.F
                moment[node.parent] = moment[node.parent] + R @ rod.N
            continue
        if node.carried is not None and required[node.joint].numel():
            required[node.joint] += (R @ node.carried.angular).T @ N + (
                R @ node.carried.linear
            ).T @ F
        force[node.parent] = force[node.parent] + F
        moment[node.parent] = moment[node.parent] + N + cross(R @ node.pose.p, F)
    return ca.vertcat(*required)


def _inertial_wrench(R: Expr, body: Expr, motion: Motion) -> tuple[Expr, Expr]:
    """Newton and Euler for one body, moment about the frame's origin."""
    c = R @ body.center
    F = body.mass * (motion.v_dot + cross(motion.w_dot, c) + cross(motion.w, cross(motion.w, c)))
    inertia = R @ body.matrix @ R.T
    spin = inertia @ motion.w_dot + cross(motion.w, inertia @ motion.w)
    return F, spin + cross(c, F)


def rods(tree: Tree) -> Iterator[tuple[int, Soft]]:
    """Every rod, with the first of its frames."""
    seen = set()
    for i, node in enumerate(tree.nodes):
        if (soft := _soft(tree, node)) is not None and node.joint not in seen:
            seen.add(node.joint)
            yield i, soft


def kinetic_energy(tree: Tree, v: list[Expr]) -> Expr:
    """Energy from the bodies' twists; M gives the same, by another route."""
    T = SX(0)
    still = [SX(x.numel(), 1) for x in v]
    moving = motions(tree, v, still, SX(3, 1))
    for i, soft in rods(tree):
        base, joint = tree.nodes[i].parent, tree.nodes[i].joint
        T += _along(soft, tree.pose(base).R, moving[base], v[joint], still[joint], {}).kinetic
    for i, node in enumerate(tree.nodes):
        if node.carried is None or node.carried.body is None:
            continue
        body, motion, R = node.carried.body, moving[i], tree.pose(i).R
        speed = motion.v + cross(motion.w, R @ body.center)
        w = R.T @ motion.w
        T += body.mass * ca.sumsqr(speed) / 2 + ca.dot(w, body.matrix @ w) / 2
    return T


def gravity_energy(tree: Tree, gravity: Expr) -> Expr:
    V = SX(0)
    for i, soft in rods(tree):
        base = tree.pose(tree.nodes[i].parent)
        V -= ca.dot(gravity, soft.mass * base.p + base.R @ soft.moment)
    for i, node in enumerate(tree.nodes):
        if node.carried is not None and node.carried.body is not None:
            body = node.carried.body
            V -= body.mass * ca.dot(gravity, tree.pose(i).at(body.center))
    return V
