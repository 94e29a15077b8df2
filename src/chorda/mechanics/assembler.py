"""From a robot's description to its System."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import casadi as ca
import numpy as np

from chorda.describe import Motor, Rigid, Robot, Rod, TensionActuator, Winch
from chorda.errors import InputError
from chorda.mechanics import closures, forces
from chorda.mechanics.carriers import carried, check_endless, survey
from chorda.mechanics.clearance import check_clearances, clearances
from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints import Coordinate, JointModel
from chorda.mechanics.joints.stand_in import stand_in
from chorda.mechanics.laws import stretched
from chorda.mechanics.motion import gravity_energy, inverse_dynamics, kinetic_energy
from chorda.mechanics.motors import Motion, MotorTerms, motor_terms, pay_out
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.paths import path_length
from chorda.mechanics.picture import picture
from chorda.mechanics.records import (
    Constraints,
    Dynamics,
    Frames,
    Input,
    Output,
    ParameterTable,
    Tendons,
    unknown,
)
from chorda.mechanics.system import System
from chorda.mechanics.tree import Tree, plant

INPUT_UNITS = {"motor": "N m", "tension": "N", "winch": "m", "rate": "m/s"}


def assemble(robot: Robot, tendons: Literal["elastic", "rigid"] = "elastic") -> System:
    """The robot's equations of motion.

    tendons: "elastic" gives each tendon its described law [Testard2023, eqs. 1-2]; "rigid" lets
    none stretch, so that a motor's angle follows from the joints [Testard2023, eq. 3].

    >>> from chorda.catalogue import load
    >>> assemble(load("neck-3"), tendons="rigid").coordinate_names
    ('x1', 'x2', 'x3')
    """
    if not isinstance(robot, Robot):
        raise InputError(f"robot: expected what chorda.load returns, got {robot!r:.60}")
    if tendons not in ("elastic", "rigid"):
        raise InputError(f"tendons: expected 'elastic' or 'rigid', got {tendons!r}")
    return _Assembly(robot, tendons).system()


class Outline(NamedTuple):
    """A robot at rest whose rods have stand-ins: F + J^T lam, over q with q_dot = N v."""

    rods: tuple[JointModel | None, ...]  # by joint: the rod that has a stand-in
    q: Expr
    N: Expr
    F: Expr
    psi: Expr
    u: Expr
    p: Expr
    rest: Expr  # symbols of the reference configuration
    parts: tuple[tuple[int, int], ...]  # by joint, and one for the motors: sizes of q and of v
    frames: tuple[Pose, ...]  # in the world


def outline(robot: Robot, tendons: str, frames: Sequence[str] = ()) -> Outline:
    """What acts on a robot at rest, and where frames are, without the loops of its rods."""
    rods: list[JointModel] = []

    def exchange(model: JointModel) -> JointModel:
        rods.append(model)
        return stand_in(model)

    return _Assembly(robot, tendons, exchange).outline(rods, frames)


class _Assembly:
    """The steps of assembling, with the symbols they share."""

    def __init__(
        self, robot: Robot, mode: str, rods: Callable[[JointModel], JointModel] | None = None
    ) -> None:
        self.robot, self.mode = robot, mode
        self.par = Parameters()
        self.gravity = self.par.vector("gravity", robot.gravity, "m/s^2")
        self.tree: Tree = plant(robot, self.par, rods)
        self.joint_q = ca.vertcat(SX(0, 1), *[j.q for j in self.tree.joints])
        self.joint_v = ca.vertcat(SX(0, 1), *[j.v for j in self.tree.joints])
        self.coordinates = [c for j in self.tree.joints for c in j.coordinates]
        self.velocities = [x for j in self.tree.joints for x in j.velocities]
        if not self.coordinates:
            raise InputError(f"{robot.name}: nothing can move; add a joint that is not fixed")
        self.joint_N = ca.diagcat(*[j.kinematics for j in self.tree.joints])
        self.rest = SX([c.rest for c in self.coordinates])
        if rods is not None:
            self.rest = SX.sym("rest", len(self.coordinates))
        self.cables = [
            path_length(t, self.tree, self.par, self.joint_q, self.rest) for t in robot.tendons
        ]
        self.survey = survey(self.joint_q, self.coordinates, self.par)
        if rods is None:
            self._check_paths()
        names: dict[str, str] = {d.name: d.kind for d in robot.actuators}
        names |= {f"{name}.rate": "rate" for name in self._damped_winches()}
        self.inputs = tuple(Input(name, INPUT_UNITS[k], k) for name, k in names.items())
        self.u = SX.sym("u", len(names))
        self.input_of = {name: self.u[i] for i, name in enumerate(names)}

    def _check_paths(self) -> None:
        """Tendons keep clear of what they must, and are carried by what they say."""
        self.cables = [
            carried(self.robot.name, t, cable, self.tree, self.survey)
            for t, cable in zip(self.robot.tendons, self.cables, strict=True)
        ]
        check_clearances(
            self.robot.name,
            self.robot.tendons,
            self.cables,
            self.coordinates,
            self.joint_q,
            ca.vertcat(SX(0, 1), *self.par.symbols),
            self.par.values,
        )

    def outline(self, rods: list[JointModel], frames: Sequence[str]) -> Outline:
        self._place_motors()
        n = len(self.motor_q)
        self.q, self.N = (
            ca.vertcat(self.joint_q, *self.motor_q),
            ca.diagcat(self.joint_N, SX.eye(n)),
        )
        nv = self.joint_v.numel() + n
        self.v = self.a = SX(nv, 1)
        ends = forces.fastenings(self.robot, self.tree, self.par)
        passive, _ = forces.passive(self.robot, self.tree, self.par, ends, self.q, self.v, self.N)
        Z, t, psi, _, _ = self._tendons()
        motors = self._motors(t).values()
        still = [SX(joint.v.numel(), 1) for joint in self.tree.joints]
        weight = inverse_dynamics(self.tree, still, still, self.gravity)
        F = (
            passive
            + Z @ t
            + sum((x.force for x in motors), SX(nv, 1))
            - ca.vertcat(weight, SX(n, 1))
        )
        soft = iter(rods)
        return Outline(
            tuple(next(soft) if isinstance(x, Rod) else None for x in self.robot.joints),
            self.q,
            self.N,
            F,
            psi,
            self.u,
            ca.vertcat(SX(0, 1), *self.par.symbols),
            self.rest,
            (*((x.q.numel(), x.v.numel()) for x in self.tree.joints), (n, n)),
            tuple(self.tree.pose(self.tree.index[x]) for x in frames),
        )

    def system(self) -> System:
        robot, tree, par = self.robot, self.tree, self.par
        self._place_motors()
        q, v = ca.vertcat(self.joint_q, *self.motor_q), ca.vertcat(self.joint_v, *self.motor_v)
        n_motors = len(self.motor_q)
        N = ca.diagcat(self.joint_N, SX.eye(n_motors))
        nv = v.numel()
        a = SX.sym("a", nv)
        self.q, self.v, self.a, self.N = q, v, a, N

        pieces_v = ca.vertsplit(self.joint_v, self._offsets()) if tree.joints else []
        pieces_a = ca.vertsplit(a[: self.joint_v.numel()], self._offsets()) if tree.joints else []
        still = [SX(x.numel(), 1) for x in pieces_v]
        pad = SX(n_motors, 1)
        residual = ca.vertcat(inverse_dynamics(tree, pieces_v, pieces_a, self.gravity), pad)
        at_rest = ca.vertcat(inverse_dynamics(tree, pieces_v, still, self.gravity), pad)
        inertial = ca.vertcat(inverse_dynamics(tree, still, pieces_a, SX(3, 1)), pad)
        M = ca.substitute(ca.jacobian(inertial, a), a, SX.zeros(nv))  # zeros of rods' loops vanish
        T = kinetic_energy(tree, pieces_v)
        V = gravity_energy(tree, self.gravity)

        ends = forces.fastenings(robot, tree, par)
        passive, V_passive = forces.passive(robot, tree, par, ends, q, v, N)
        Z, t, psi, names, V_tendons = self._tendons()
        motors = self._motors(t)
        tangent = None
        if any(isinstance(joint, Rod) for joint in robot.joints):
            friction = sum((motor.resistance for motor in motors.values()), SX(nv, 1))
            tangent = self._approximate_tangent(passive - friction, Z, t)

        def total(term: str, *shape: int) -> Expr:
            return sum((getattr(motor, term) for motor in motors.values()), SX(*shape))

        M_motors, dry, bias_motors = total("M", nv, nv), total("dry", nv, 1), total("bias", nv, 1)
        Q = passive + Z @ t + total("force", nv, 1) + dry
        residual = residual + M_motors @ a + bias_motors - Q
        F = Q - at_rest - bias_motors
        M = M + M_motors
        if not names:
            self._check_inertia(M)
        lam = SX.sym("lam", len(names))
        J = ca.jacobian(psi, q) @ N
        bias = ca.jtimes(J @ v, q, N @ v) if names else SX(0, 1)
        self._check_start()
        return System(
            robot=robot,
            mode=self.mode,
            coordinates=(*self.coordinates, *self.motor_coordinates),
            velocities=(*self.velocities, *self.motor_velocities),
            inputs=self.inputs,
            outputs=self._outputs(t, motors, lam, names),
            q=q,
            v=v,
            a=a,
            lam=lam,
            u=self.u,
            p=ca.vertcat(SX(0, 1), *par.symbols),
            parameter_table=ParameterTable(
                tuple(par.names), tuple(par.units), np.array(par.values), tuple(par.signed)
            ),
            dynamics=Dynamics(
                N=N,
                M=ca.tril2symm(ca.tril(M)),
                F=F,
                dry=dry,
                jumping=total("jumping", nv, 1),
                residual=residual,
                kinetic=T + total("kinetic", 1, 1),
                potential=V + V_passive + V_tendons,
                approximate_tangent=tangent,
            ),
            constraints=Constraints(tuple(names), psi, J, self._psi_u(names), bias),
            tendons=Tendons(
                Z=Z,
                pulls=self.pulls,
                elongation=ca.vertcat(SX(0, 1), *self.elongation),
                stretch=ca.vertcat(SX(0, 1), *self.under),
                one_sided=tuple(self.unrectified),
                unrectified=ca.vertcat(SX(0, 1), *self.unrectified.values()),
                slack_force=ca.substitute(passive - at_rest, v, SX.zeros(nv)),
                clearances=clearances(self.cables),
                windings=tuple(x for cable in self.cables for x in cable.windings),
            ),
            picture=picture(robot, tree, ends, self.pins, self.cables),
            frames=Frames(tree),
            quaternions=self._quaternions(),
        )

    def _psi_u(self, names: list[str]) -> Expr:
        """Closures are linear in the lengths that actuators pay out."""
        out = SX(len(names), self.u.numel())
        inputs = [item.name for item in self.inputs]
        winches = {d.name for d in self.robot.actuators if isinstance(d, Winch)}
        for tendon in self.robot.tendons:
            if tendon.actuator in winches and (name := f"{tendon.name}.length") in names:
                out[names.index(name), inputs.index(tendon.actuator)] = -tendon.winding
        return out

    def _approximate_tangent(self, passive: Expr, Z: Expr, t: Expr) -> tuple[Expr, Expr]:
        """Stiffness and damping for Newton's matrix of robots with rods, whose loops are dear to
        differentiate: exact for springs, dampers and tendons, but for gravity, for what the
        accelerations need, and for how arms of tendons outside rods change."""
        K, D = (-ca.jacobian(passive, x) for x in (self.q, self.v))
        K = K @ self.N
        tension = {
            f"{tendon.name}.sheath{k}": t[i]
            for i, tendon in enumerate(self.robot.tendons)
            for k in range(len(tendon.sheaths))
        }
        bent = [
            SX(joint.v.numel(), joint.v.numel())
            if joint.tightness is None
            else joint.tightness(tension)
            for joint in self.tree.joints
        ]
        motors = SX(len(self.motor_q), len(self.motor_q))
        K = K + ca.diagcat(*bent, motors)
        for i, (paid, tension, (x, rate)) in self.springs.items():
            arm = Z[:, i] + (ca.jacobian(paid, self.q) @ self.N).T
            now = [self.elongation[i], self.rates[i]]
            k, d = (
                ca.substitute(ca.jacobian(tension, s), ca.vertcat(x, rate), ca.vertcat(*now))
                for s in (x, rate)
            )
            K, D = K + arm @ (k * arm.T), D + arm @ (d * arm.T)
        return K, D

    def _check_start(self) -> None:
        names = tuple(c.name for c in (*self.coordinates, *self.motor_coordinates))
        for name in self.robot.start:
            if name not in names:
                raise InputError(unknown(f"{self.robot.name}: start", name, names))

    def _check_inertia(self, M: Expr) -> None:
        """Without closures, which may carry it, every velocity needs an inertia."""
        names = [name for name, _ in (*self.velocities, *self.motor_velocities)]
        rows = set(M.sparsity().get_triplet()[0])
        if idle := [name for i, name in enumerate(names) if i not in rows]:
            raise InputError(
                f"{self.robot.name}: no mass moves with {', '.join(idle)}; give the joint, or one "
                "that stands on it, a body with mass and inertia"
            )

    def _offsets(self) -> list[int]:
        return [0, *np.cumsum([j.v.numel() for j in self.tree.joints]).tolist()]

    def _quaternions(self) -> tuple[int, ...]:
        starts = np.cumsum([0, *[j.q.numel() for j in self.tree.joints]])
        return tuple(
            int(start) for start, j in zip(starts, self.tree.joints, strict=False) if j.quaternion
        )

    def _is_rigid(self, i: int) -> bool:
        return self.mode == "rigid" or isinstance(self.robot.tendons[i].law, Rigid)

    def _damped_winches(self) -> list[str]:
        """Winchs whose rate a tendon's damping answers to."""
        wound = {t.actuator for i, t in enumerate(self.robot.tendons) if not self._is_rigid(i)}
        winches = [d.name for d in self.robot.actuators if isinstance(d, Winch)]
        return [name for name in winches if name in wound]

    def _place_motors(self) -> None:
        """A motor's angle is a coordinate, unless a rigid tendon ties it to the joints."""
        self.motor_q: list[Expr] = []
        self.motor_v: list[Expr] = []
        self.motor_coordinates: list[Coordinate] = []
        self.motor_velocities: list[tuple[str, str]] = []
        self.angle: dict[str, Expr] = {}
        self.pay: dict[str, Expr] = {}
        self.leader: dict[str, int] = {}  # motor -> the rigid tendon that fixes its angle
        for motor in (d for d in self.robot.actuators if isinstance(d, Motor)):
            B = self.pay[motor.name] = pay_out(motor, self.par)
            wound = [i for i, t in enumerate(self.robot.tendons) if t.actuator == motor.name]
            rigid = [i for i in wound if self._is_rigid(i)]
            if rigid:
                i = self.leader[motor.name] = rigid[0]
                cable, winding = self.cables[i], self.robot.tendons[i].winding
                self.angle[motor.name] = winding * (cable.length - cable.reference) / B
            else:
                self.angle[motor.name] = SX.sym(motor.name)
                self.motor_q.append(self.angle[motor.name])
                self.motor_v.append(SX.sym(f"{motor.name}.rate"))
                self.motor_coordinates.append(Coordinate(motor.name, "rad", kind="motor"))
                self.motor_velocities.append((f"{motor.name}.rate", "rad/s"))

    def _rate(self, x: Expr) -> Expr:
        return ca.jacobian(x, self.q) @ self.N @ self.v

    def _tendons(self) -> tuple[Expr, Expr, Expr, list[str], Expr]:
        """Z, tensions that are known without the accelerations, closures, stored energy."""
        length = ca.vertcat(SX(0, 1), *[c.length for c in self.cables])
        Z = -(ca.jacobian(length, self.q) @ self.N).T
        closing: list[tuple[str, Expr]] = []
        self.pins = closures.pins(self.robot, self.tree, self.par)
        for closure in self.robot.closures:
            closing += closures.gap(closure, self.tree, self.pins)
        V = SX(0)
        t: list[Expr] = []
        self.elongation: list[Expr] = []
        self.pulls = SX.sym("pull", len(self.cables))
        self.under: list[Expr] = []
        self.springs: dict[int, tuple[Expr, Expr, tuple[Expr, Expr]]] = {}  # by elastic tendon
        self.rates: dict[int, Expr] = {}
        self.unrectified: dict[str, Expr] = {}  # by one-sided tendon
        for i, (tendon, cable) in enumerate(zip(self.robot.tendons, self.cables, strict=True)):
            actuator = next((d for d in self.robot.actuators if d.name == tendon.actuator), None)
            if isinstance(actuator, TensionActuator):
                wanted = self.input_of[actuator.name]
                if getattr(tendon.law, "one_sided", False):
                    self.unrectified[tendon.name] = wanted
                    wanted = ca.fmax(wanted, 0)
                t.append(wanted)
                self.elongation.append(SX(1, 1))
                self.under.append(SX(1, 1))
                continue
            paid = paid_rate = SX(0)
            if isinstance(actuator, Winch):
                paid = tendon.winding * self.input_of[actuator.name]
                paid_rate = tendon.winding * self.input_of.get(f"{actuator.name}.rate", SX(0))
            elif isinstance(actuator, Motor):
                paid = tendon.winding * self.pay[actuator.name] * self.angle[actuator.name]
            x = cable.length - cable.reference - paid
            if not isinstance(tendon.law, Rigid) and self.mode == "elastic":
                rate = self._rate(x) - paid_rate
                free = SX.sym("x"), SX.sym("x_dot")
                made = stretched(cable, tendon.law, *free, self.pulls[i], self.par)
                self.springs[i] = (paid, made.tension, free)
                self.rates[i] = rate
                made = made.at(ca.vertcat(*free), ca.vertcat(x, rate))
                V += made.energy
                if tendon.law.one_sided:
                    self.unrectified[tendon.name] = made.unrectified
                t.append(made.tension)
                self.elongation.append(x)
                self.under.append(made.under)
                continue
            self.elongation.append(SX(1, 1))
            self.under.append(SX(1, 1))
            t.append(SX(1, 1))  # carried by a closure or by the motor it leads: see _outputs
            if not (isinstance(actuator, Motor) and self.leader[actuator.name] == i):
                closing.append((f"{tendon.name}.length", x))
        rigid = {f"{cable.name}.length": cable.name for cable in self.cables}
        ties = {rigid[name]: x for name, x in closing if name in rigid}
        check_endless(self.robot.name, self.robot.tendons, ties, self.survey)
        psi = ca.vertcat(SX(0, 1), *[x for _, x in closing])
        return Z, ca.vertcat(SX(0, 1), *t), psi, [name for name, _ in closing], V

    def _motors(self, t: Expr) -> dict[str, MotorTerms]:
        """Terms of every motor; t holds the tensions of the elastic tendons."""
        motion = Motion(self.q, self.v, self.a, self.N)
        terms: dict[str, MotorTerms] = {}
        for motor in (d for d in self.robot.actuators if isinstance(d, Motor)):
            B = self.pay[motor.name]
            wound = [
                (i, x.winding) for i, x in enumerate(self.robot.tendons) if x.actuator == motor.name
            ]
            pull = sum((winding * B * t[i] for i, winding in wound), SX(0))
            terms[motor.name] = motor_terms(
                motor, self.angle[motor.name], self.input_of[motor.name], pull, motion, self.par
            )
        return terms

    def _outputs(
        self, t: Expr, motors: dict[str, MotorTerms], lam: Expr, names: list[str]
    ) -> tuple[Output, ...]:
        """Lengths, elongations and tensions by tendon, motor angles, closure errors and forces."""
        labels = tuple(c.name for c in self.cables)
        tensions = ca.vertsplit(t) if labels else []
        for motor, i in self.leader.items():
            # the motor's own balance gives the tension of the rigid tendon that leads it
            demand = motors[motor].demand
            tensions[i] = demand / (self.robot.tendons[i].winding * self.pay[motor])
        for row, name in enumerate(names):
            if name.endswith(".length") and name[:-7] in labels:
                tensions[labels.index(name[:-7])] = -lam[row]
        out: list[Output] = []

        def add(
            name: str, unit: str, dimension: str, which: tuple[str, ...], column: list[Expr]
        ) -> None:
            if which:
                out.append(Output(name, unit, dimension, which, ca.densify(ca.vertcat(*column))))

        add("length", "m", "tendon", labels, [c.length for c in self.cables])
        add("elongation", "m", "tendon", labels, self.elongation)
        add("tension", "N", "tendon", labels, tensions)
        self._add_wraps(add)
        add("motor_angle", "rad", "motor", tuple(self.angle), list(self.angle.values()))
        rates = [self._rate(x) for x in self.angle.values()]
        add("motor_rate", "rad/s", "motor", tuple(self.angle), rates)
        add("reaction", "N or N m", "closure", tuple(names), ca.vertsplit(lam) if names else [])
        return tuple(out)

    def _add_wraps(self, add: Callable[[str, str, str, tuple[str, ...], list[Expr]], None]) -> None:
        """Winding angle, contact and tangent points of every pulley."""
        wraps = [wrap for cable in self.cables for wrap in cable.wraps.values()]
        labels = tuple(wrap.label for wrap in wraps)
        add("wrap_angle", "rad", "pulley", labels, [wrap.angle for wrap in wraps])
        add("contact", "-", "pulley", labels, [wrap.contact for wrap in wraps])
        ends = tuple(f"{x}.{end}.{axis}" for x in labels for end in ("in", "out") for axis in "xyz")
        points = [wrap.arc[end] for wrap in wraps for end in (0, -1)]
        add("tangent_point", "m", "tangent", ends, points)
