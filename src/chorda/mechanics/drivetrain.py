"""Third stage: what actuates tendons and joints, and what that makes of the coordinates.

A motor's angle is a coordinate, unless a rigid tendon or a gear ties it to the joints.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca

from chorda.describe import (
    JointEffort,
    JointMotion,
    JointMotor,
    Motor,
    Rigid,
    Robot,
    Winch,
    WrenchActuator,
)
from chorda.describe.feeding import coordinate_kinds
from chorda.mechanics.cables import Cable
from chorda.mechanics.dry_friction import DryLaw, dry_law
from chorda.mechanics.first_order import FirstOrderState, state
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.motor_torques import MotorTorque, motor_torque
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.records import Input
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.stop_forces import StopModel, teeth_of

INPUT_UNITS = {"motor": "N m", "tension": "N", "winch": "m", "rate": "m/s", "joint-motor": "N m"}
ACCELERATION = ".acceleration"  # of a prescribed motion, an input


@dataclass(frozen=True, eq=False)
class Drum:
    """A motor's drum with its tendons, or its gear to a joint."""

    motor: Motor | JointMotor
    wound: Mapping[int, int]  # number of each tendon, and the sign of its winding
    leader: int | None  # the rigid tendon that fixes the angle
    geared: bool  # whether a joint fixes it
    angle: Expr  # of the motor [rad]
    B: Expr  # metres of tendon per radian of motor
    play: "Play | None" = None  # between its gear and its joint

    def pull(self, tension: Expr) -> Expr:
        """Torque of the tendons on the motor [N m]."""
        return sum((winding * self.B * tension[i] for i, winding in self.wound.items()), SX(0))


@dataclass(frozen=True, eq=False)
class Play:
    """Backlash: the gear is ahead of the joint by `ahead` [rad or m]; teeth: on both sides."""

    ahead: Expr
    teeth: StopModel


@dataclass(frozen=True, eq=False)
class MotorModel:
    """A motor in generalized coordinates, its angle theta(q) being a coordinate or not.

    With theta_dot = J v it adds J^T I J to M, J^T I J_dot v to the bias and J^T (torque - friction
    + pull) to the force [Testard2023, eqs. 1 and 3]; pull is the torque of its tendons.
    """

    drum: Drum
    made: MotorTorque
    inertia: Expr  # [kg m^2]
    J: Expr
    J_dot_v: Expr
    rate: Expr  # [rad/s]
    viscous: Expr  # friction [N m]
    dry: Expr  # friction [N m], without bristles
    jumps: bool  # whether dry friction jumps with the rate's sign
    carried: Expr  # friction by bristles [N m]
    states: tuple[FirstOrderState, ...]  # of its bristles and its winding

    @property
    def torque(self) -> Expr:
        """That acts on the rotor, within its limits [N m]."""
        return self.made.acting

    def force(self, tension: Expr) -> Expr:
        """Generalized force, without dry friction but that of bristles."""
        friction = self.viscous + self.carried
        return ca.sparsify(self.J.T @ (self.torque - friction + self.drum.pull(tension)))

    @property
    def dry_force(self) -> Expr:
        return ca.sparsify(-self.J.T @ self.dry)

    def leading_tension(self, a: Expr, tension: Expr) -> Expr:
        """Tension of the leader: what is missing in the motor's own balance."""
        friction = self.viscous + self.dry + self.carried
        missing = self.inertia * (self.J @ a + self.J_dot_v) - self.torque + friction
        drum = self.drum
        assert drum.leader is not None
        return (missing - drum.pull(tension)) / (drum.wound[drum.leader] * drum.B)


@dataclass(frozen=True, eq=False)
class Drivetrain:
    """Symbols of the whole system: joints first, then the motors whose angles are coordinates, and
    in q states of first order."""

    coordinates: tuple[Coordinate, ...]
    velocities: tuple[tuple[str, str], ...]
    q: Expr
    v: Expr
    a: Expr
    N: Expr
    inputs: tuple[Input, ...]
    u: Expr
    motors: tuple[MotorModel, ...]
    elastic: tuple[bool, ...]  # by tendon, whether it stretches
    efforts: Expr  # that are given along coordinates of joints
    motions: dict[str, Expr]  # coordinates less what they are prescribed to be, by actuator
    states: tuple[FirstOrderState, ...]  # the last coordinates

    def with_states(self, states: Sequence[FirstOrderState]) -> "Drivetrain":
        """With further states of first order."""
        return replace(
            self,
            coordinates=(*self.coordinates, *(x.coordinate for x in states)),
            q=ca.vertcat(self.q, *[x.z for x in states]),
            N=ca.vertcat(self.N, SX(len(states), self.v.numel())),
            states=(*self.states, *states),
        )

    def rate(self, x: Expr) -> Expr:
        """Time derivative of an expression of q."""
        return ca.jacobian(x, self.q) @ self.N @ self.v

    def input(self, name: str) -> Expr:
        """The symbol of an input; 0 where there is none of that name."""
        names = [x.name for x in self.inputs]
        return self.u[names.index(name)] if name in names else SX(0)

    def motor(self, name: str) -> MotorModel:
        return next(x for x in self.motors if x.drum.motor.name == name)


def drivetrain(skeleton: Skeleton, cables: tuple[Cable, ...], mode: str) -> Drivetrain:
    """Coordinates and inputs of the whole system, and its motors."""
    robot, par = skeleton.robot, skeleton.par
    elastic = tuple(mode == "elastic" and not isinstance(t.law, Rigid) for t in robot.tendons)
    inputs = _inputs(robot, elastic)
    u = SX.sym("u", len(inputs))
    motors = [x for x in robot.actuators if isinstance(x, Motor | JointMotor)]
    drums = [
        _drum(x, skeleton, cables, elastic) if isinstance(x, Motor) else _geared(x, skeleton)
        for x in motors
    ]
    free = [drum for drum in drums if drum.leader is None and not drum.geared]
    names = [drum.motor.name for drum in free]
    rates = [SX(1, 1) if skeleton.at_rest else SX.sym(f"{name}.rate") for name in names]
    moved = ca.vertcat(skeleton.q, *[drum.angle for drum in free])
    v = ca.vertcat(skeleton.v, *rates)
    N = ca.diagcat(skeleton.N, SX.eye(len(free)))
    numbers = {x.name: i for i, x in enumerate(inputs)}
    turned = tuple(_motor(x, u[numbers[x.motor.name]], moved, v, N, par) for x in drums)
    states = (*_joint_states(skeleton), *(x for motor in turned for x in motor.states))
    efforts = SX(v.numel(), 1)
    for x in robot.actuators:
        if isinstance(x, JointEffort):
            rows = [name for name, _ in skeleton.velocities]
            efforts[rows.index(f"{x.joint}.rate")] = u[numbers[x.name]]
    return Drivetrain(
        coordinates=(
            *skeleton.coordinates,
            *(Coordinate(x, "rad", kind="motor") for x in names),
            *(x.coordinate for x in states),
        ),
        velocities=(*skeleton.velocities, *((f"{x}.rate", "rad/s") for x in names)),
        q=ca.vertcat(moved, *[x.z for x in states]),
        v=v,
        a=SX(*v.shape) if skeleton.at_rest else SX.sym("a", v.numel()),
        N=ca.vertcat(N, SX(len(states), v.numel())),
        inputs=inputs,
        u=u,
        motors=turned,
        elastic=elastic,
        efforts=efforts,
        motions={
            x.name: skeleton.coordinate(x.joint) - u[numbers[x.name]]
            for x in robot.actuators
            if isinstance(x, JointMotion)
        },
        states=states,
    )


def _joint_states(skeleton: Skeleton) -> list[FirstOrderState]:
    """Of bristles in joints."""
    found = []
    for joint, own in zip(skeleton.tree.joints, skeleton.by_joint(skeleton.v), strict=True):
        for x in joint.bristles:
            assert joint.dry is not None
            rate = joint.pivots[x.pivots[0], :] @ own
            law = joint.dry
            found.append(state(x.name, law.unit, x.z, rate, law.decay(rate), law.scale))
    return found


def _inputs(robot: Robot, elastic: tuple[bool, ...]) -> tuple[Input, ...]:
    """One for each actuator; then forces on frames, which may be left out, rates of winches that a
    tendon's damping answers to, and accelerations of prescribed motions."""
    damped = {t.actuator for t, stretches in zip(robot.tendons, elastic, strict=True) if stretches}
    winches = [x.name for x in robot.actuators if isinstance(x, Winch) and x.name in damped]
    kinds = coordinate_kinds(robot.joints)
    slides = {name for name, kind in kinds.items() if kind in ("prismatic", "fed length")}
    found = []
    for x in robot.actuators:
        if isinstance(x, WrenchActuator):
            continue
        unit = INPUT_UNITS.get(x.kind, "")
        if isinstance(x, Motor | JointMotor) and x.winding is not None:
            unit = "V"
        elif isinstance(x, JointEffort):
            unit = "N" if x.joint in slides else "N m"
        elif isinstance(x, JointMotion):
            unit = "m" if x.joint in slides else "rad"
        found.append(Input(x.name, unit, x.kind))
    moved = [x for x in found if x.kind == "motion"]
    found += [
        Input(name, unit, x.kind)
        for x in robot.actuators
        if isinstance(x, WrenchActuator)
        for name, unit, _, _ in x.inputs()
    ]
    found += [Input(f"{x}.rate", INPUT_UNITS["rate"], "rate") for x in winches]
    return (*found, *(Input(f"{x.name}{ACCELERATION}", f"{x.unit}/s^2", "rate") for x in moved))


def _drum(
    motor: Motor, skeleton: Skeleton, cables: Sequence[Cable], elastic: Sequence[bool]
) -> Drum:
    """B = drum radius / gear ratio [Testard2023, eq. 1]."""
    robot, par = skeleton.robot, skeleton.par
    radius = par.scalar(f"{motor.name}.drum_radius", motor.drum_radius, "m", positive=True)
    B = radius / par.scalar(f"{motor.name}.gear_ratio", motor.gear_ratio, "-", positive=True)
    wound = {i: t.winding for i, t in enumerate(robot.tendons) if t.actuator == motor.name}
    leader = next((i for i in wound if not elastic[i]), None)
    if leader is None:
        return Drum(motor, wound, None, False, SX.sym(motor.name), B)
    cable = cables[leader]
    angle = wound[leader] * (cable.length - cable.reference) / B
    return Drum(motor, wound, leader, False, angle, B)


def _geared(motor: JointMotor, skeleton: Skeleton) -> Drum:
    """A rotor that turns with a joint, or with play between both."""
    ratio = skeleton.par.scalar(f"{motor.name}.gear_ratio", motor.gear_ratio, "-", positive=True)
    q = skeleton.coordinate(motor.joint)
    if motor.backlash is None:
        return Drum(motor, {}, None, True, ratio * q, SX(0))
    angle = SX.sym(motor.name)
    teeth = teeth_of(motor, _slides(skeleton.robot, motor.joint), skeleton.par)
    return Drum(motor, {}, None, False, angle, SX(0), Play(angle / ratio - q, teeth))


def _slides(robot: Robot, joint: str) -> bool:
    """Whether a joint's coordinate is a length."""
    return any(x.name == joint and x.kind == "prismatic" for x in robot.joints)


def _motor(drum: Drum, asked: Expr, q: Expr, v: Expr, N: Expr, par: Parameters) -> MotorModel:
    motor = drum.motor
    J = ca.jacobian(drum.angle, q) @ N
    rate = J @ v
    inertia = par.scalar(f"{motor.name}.inertia", motor.inertia, "kg m^2", positive=True)
    viscous = dry = carried = SX(0)
    if motor.friction is not None:
        viscous = par.scalar(f"{motor.name}.friction", motor.friction, "N m s/rad") * rate
    law: DryLaw | None = None
    states: tuple[FirstOrderState, ...] = ()
    if motor.dry_friction is not None:  # as in [Testard2023, sec. 2]
        law = dry_law(motor.name, motor.dry_friction, par)
    if law is not None and law.bristles:
        z = SX.sym(f"{motor.name}.bristle")
        carried = law.carried(rate, z)
        states = (state(z.name(), law.unit, z, rate, law.decay(rate), law.scale),)
    elif law is not None:
        dry = law.torque(rate)
    made = motor_torque(motor, asked, rate, par)
    if made.state is not None:
        states = (*states, made.state)
    return MotorModel(
        drum=drum,
        made=made,
        inertia=inertia,
        J=J,
        J_dot_v=ca.sparsify(ca.jtimes(rate, q, N @ v)),
        rate=rate,
        viscous=viscous,
        dry=dry,
        jumps=law is not None and law.jumps,
        carried=carried,
        states=states,
    )
