"""The stages of assembling that statics and dynamics share, up to the generalized force F."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from chorda.describe import Robot
from chorda.mechanics.bearing_loads import BearingFriction, bearing_friction
from chorda.mechanics.cables import Cable
from chorda.mechanics.constraints import constrain
from chorda.mechanics.contacts.contact_forces import contact_forces
from chorda.mechanics.drivetrain import Drivetrain, drivetrain
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.inverse_dynamics import inverse_dynamics
from chorda.mechanics.passive_forces import PassiveForces, passive_forces
from chorda.mechanics.records import Constraints
from chorda.mechanics.routing import route
from chorda.mechanics.skeleton import Skeleton, skeleton
from chorda.mechanics.tendon_forces import Tendons, tendon_forces


@dataclass(frozen=True, eq=False)
class Mechanism:
    """The robot's joints, cables, actuators and forces: F = applied - bias - bias_motors."""

    skeleton: Skeleton
    cables: tuple[Cable, ...]
    train: Drivetrain
    passive: PassiveForces
    tendons: Tendons
    constraints: Constraints
    bearings: tuple[BearingFriction, ...]
    bearings_at_rest: tuple[BearingFriction, ...]  # with the tensions that friction leaves there

    def required(self, v: Expr, a: Expr, gravity: Expr) -> Expr:
        """Forces that a motion of the bodies requires; the rows of motors are zero."""
        by_joint = self.skeleton.by_joint
        joints = inverse_dynamics(self.skeleton.tree, by_joint(v), by_joint(a), gravity)
        return ca.vertcat(joints, SX(v.numel() - joints.numel(), 1))

    @cached_property
    def bias(self) -> Expr:
        """What the motion requires without accelerations: Coriolis and gravity."""
        return self.required(self.train.v, SX(*self.train.v.shape), self.skeleton.gravity)

    @cached_property
    def bias_motors(self) -> Expr:
        """The same of motors that rigid tendons tie to the joints."""
        each = (x.J.T @ (x.inertia * x.J_dot_v) for x in self.train.motors)
        return sum(each, SX(*self.train.v.shape))

    @cached_property
    def dry(self) -> Expr:
        """The part of the applied forces that is dry friction, without bristles."""
        return self._dry(self.tendons, ca.sparsify(self.tendons.tension))

    def _bearings(self, tendons: Tendons) -> tuple[BearingFriction, ...]:
        return self.bearings if tendons is self.tendons else self.bearings_at_rest

    def _dry(self, tendons: Tendons, tension: Expr) -> Expr:
        rubbing = [x for x in self._bearings(tendons) if not x.law.bristles]
        dry = self.passive.dry + self._by_load(rubbing, tension)
        return sum((motor.dry_force for motor in self.train.motors), dry)

    def _by_load(self, bearings: Sequence[BearingFriction], tension: Expr) -> Expr:
        """Friction by the loads of bearings, at these tensions."""
        force = sum((x.per_newton * x.load for x in bearings), SX(*self.train.v.shape))
        pulls = self.tendons.pulls
        return ca.substitute(force, pulls, ca.densify(tension)) if pulls.numel() else force

    @cached_property
    def jumping(self) -> Expr:
        """The part of dry friction that jumps where a rate changes sign."""
        jumps = (motor.dry_force for motor in self.train.motors if motor.jumps)
        loaded = [x for x in self.bearings if x.law.jumps]
        return sum(jumps, self.passive.jumping + self._by_load(loaded, self.tendons.tension))

    @cached_property
    def smooth(self) -> Expr:
        """The part of dry friction that has a slope."""
        others = (motor.dry_force for motor in self.train.motors if not motor.jumps)
        loaded = [x for x in self.bearings if not (x.law.jumps or x.law.bristles)]
        return sum(others, self.passive.smooth + self._by_load(loaded, self.tendons.tension))

    @cached_property
    def applied(self) -> Expr:
        """By springs, friction, loads, tendons and actuators."""
        return self._applied(self.tendons, ca.sparsify(self.tendons.tension))

    def _applied(self, tendons: Tendons, tension: Expr) -> Expr:
        return self.passive.force + self._pulled(tendons, tension) + self._dry(tendons, tension)

    def pulled(self, tension: Expr) -> Expr:
        """By tendons with these tensions and by actuators, without dry friction but that of
        bristles under load."""
        return self._pulled(self.tendons, tension)

    def _pulled(self, tendons: Tendons, tension: Expr) -> Expr:
        forces = (motor.force(tension) for motor in self.train.motors)
        actuators = sum(forces, self.train.efforts)
        bent = self._by_load([x for x in self._bearings(tendons) if x.law.bristles], tension)
        return tendons.arms @ tension + actuators + bent

    @property
    def F(self) -> Expr:
        return self.applied - self.bias - self.bias_motors

    @cached_property
    def F_resting(self) -> Expr:
        """F with friction of tendons as it is left at rest."""
        resting = self.tendons.resting
        if resting is self.tendons:
            return self.F
        applied = self._applied(resting, ca.sparsify(resting.tension))
        return applied - self.bias - self.bias_motors

    @property
    def F_pulled(self) -> Expr:
        """The same with the tensions as symbols."""
        tendons = self.tendons.resting
        return self._applied(tendons, tendons.pulls) - self.bias - self.bias_motors


def mechanism(
    robot: Robot, mode: str, proxies: bool = False, closures: tuple[str, ...] | None = None
) -> Mechanism:
    """proxies: rods are exchanged for proxy joints, and nothing moves: F + J^T lam is then a small
    expression over the poses of the rods' frames. closures: equations of them that are independent,
    where that is known."""
    bones = skeleton(robot, proxies)
    cables = route(bones)
    train = drivetrain(bones, cables, mode)
    contacts = contact_forces(bones, train)
    train = train.with_states(contacts.states)
    passive = passive_forces(bones, train, contacts)
    tendons = tendon_forces(bones, cables, train)
    train = train.with_states(tendons.states)
    constraints = constrain(bones, train, tendons, closures)
    bearings = resting = bearing_friction(bones, cables, train, passive, tendons)
    if tendons.at_rest is not None:
        resting = bearing_friction(bones, cables, train, passive, tendons.at_rest)
    return Mechanism(bones, cables, train, passive, tendons, constraints, bearings, resting)
