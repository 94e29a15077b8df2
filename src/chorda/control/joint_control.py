"""Controllers on the joints with tension distribution: computed torque, PD, feed-forward.

All three ask for generalized forces on the joints and share them among the tendons. The model
behind them is the robot with rigid tendons [Testard2023, eq. 3]. The tensions t that carry the
structure satisfy Z t = tau exactly; the actuator's input then also brings what its own inertia and
friction take, so that the bound holds for the tendon, not for the motor's pull.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import casadi as ca
import numpy as np

from chorda.checks import check_choice, flag, number, refuse_idle
from chorda.control.controller import ControlLimits, padded
from chorda.control.references import Reference
from chorda.control.tension_distribution import check_order, distribution
from chorda.describe import Robot, TensionActuator
from chorda.describe.friction_checks import smooth, without_bristles
from chorda.describe.joint_actuators import ON_JOINTS
from chorda.errors import InputError
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.motor_limits import input_per_torque, without_limits
from chorda.mechanics.tensioning import gain

REACHED = 1e-6  # of a largest tension: so near to it counts as reached
FREQUENCY, DAMPING_RATIO = 10.0, 1.0  # [rad/s], [-] of feedback, unless others are given


@dataclass(frozen=True)
class JointControl:
    """Controller that follows a reference of the joints with tensions within limits.

    Parameters
    ----------
    reference : Reference
        Wanted positions, velocities and accelerations of the joints over time.
    frequency, damping_ratio : float
        Of the error dynamics e'' + 2 damping_ratio frequency e' + frequency^2 e = 0, with the
        frequency in rad/s; 10 and 1 by default. Feed-forward has none.
    minimum_tension : float
        Of every tendon [N]. The smallest tensions are taken: some of them are at the minimum.
    kind : {"computed-torque", "pd", "feed-forward"}
        The whole model with linear feedback; gravity and springs at the wanted configuration with
        feedback; or the model along the reference without feedback.
    maximum_tension : float, optional
        Of every tendon [N]; without, there is no limit. That one is reached is an event of the
        run; where no tensions within both limits give the wanted forces, the run ends and says so.
    compensates_friction : bool
        Whether tensions make up for what friction along the tendons takes where they slide as the
        reference moves. The minimum is then that of the tension at the actuator.

    See Also
    --------
    MotorPD : of the motors' angles.
    distribute : tensions for one configuration.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("neck-1"))
    >>> control = JointControl(chorda.control.Sine.from_rest((0.1,)))
    >>> chorda.simulate(system, duration=0.1, step=1e-3, control=control).status.code
    'completed'
    """

    reference: Reference
    frequency: float | None = None
    damping_ratio: float | None = None
    minimum_tension: float = 5.0
    kind: Literal["computed-torque", "pd", "feed-forward"] = "computed-torque"
    maximum_tension: float | None = None
    compensates_friction: bool = False

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, ("computed-torque", "pd", "feed-forward"))
        gains = {name: getattr(self, name) for name in ("frequency", "damping_ratio")}
        for name, value in gains.items():
            if value is not None:
                number(name, value, least=0)
        if self.kind == "feed-forward":
            refuse_idle(gains, "with kind='feed-forward'", "take 'computed-torque' or 'pd'")
        number("minimum_tension", self.minimum_tension, unit="newtons")
        if self.maximum_tension is not None:
            number("maximum_tension", self.maximum_tension, unit="newtons")
            check_order(self.minimum_tension, self.maximum_tension)
        flag("compensates_friction", self.compensates_friction)

    def signal(self, system: System, t: Array) -> Array:
        """Wanted positions, velocities and accelerations of the joints.

        Parameters
        ----------
        system : System
            That is controlled.
        t : array of shape (n,)
            Times [s].

        Returns
        -------
        array of shape (n, 3 joints)
            A row for each time.
        """
        rows = np.hstack(self.reference(np.asarray(t, float)))
        n = _joints(system)
        if rows.shape[1] != 3 * n:
            raise InputError(
                f"reference: expected {n} coordinates ({', '.join(system.coordinate_names[:n])}), "
                f"got {rows.shape[1] // 3}"
            )
        return rows

    def law(self, system: System) -> Any:
        """Make (t, q, v, w, p) -> u; only the joints' part of q and v is used.

        Parameters
        ----------
        system : System
            That is controlled.

        Returns
        -------
        casadi.Function
            It is compiled into the step.
        """
        return self._made(system)[0]

    def limits(self, system: System) -> ControlLimits | None:
        """The largest tension of each tendon.

        Parameters
        ----------
        system : System
            That is controlled.

        Returns
        -------
        ControlLimits or None
            None without a `maximum_tension`.
        """
        if self.maximum_tension is None:
            return None
        names = tuple(tendon.name for tendon in system.robot.tendons)
        return ControlLimits(names, "maximum_tension", self._made(system)[1])

    def _made(self, system: System) -> tuple[Any, Any]:
        """The law, and what is left of the largest tensions."""
        bounds = self.minimum_tension, self.maximum_tension
        key = (self.kind, self.frequency, self.damping_ratio, *bounds, self.compensates_friction)
        made: tuple[Any, Any] = system.once(("joint-control", *key), lambda: self._build(system))
        return made

    def _build(self, system: System) -> tuple[Any, Any]:
        _check_actuators(system)
        rigid = system if system.mode == "rigid" else rigid_structure(system.robot)
        if system.quaternions or rigid.nc:
            raise InputError(
                "control: joint control needs a tree of joints with one degree of freedom each, "
                "without closures"
            )
        n, m = _joints(system), len(system.robot.tendons)
        sizes = {"t": 1, "q": system.nq, "v": system.nv, "w": 3 * n, "p": system.p.numel()}
        symbols = [SX.sym(name, size) for name, size in sizes.items()]
        _, q, v, w, p = symbols
        wanted, wanted_rate, wanted_acceleration = w[:n], w[n : 2 * n], w[2 * n :]
        frequency = FREQUENCY if self.frequency is None else self.frequency
        ratio = DAMPING_RATIO if self.damping_ratio is None else self.damping_ratio
        k, d = frequency**2, 2 * ratio * frequency
        feedback = k * (wanted - q[:n]) + d * (wanted_rate - v[:n])
        at = {
            "computed-torque": (q[:n], v[:n], wanted_acceleration + feedback),
            "pd": (wanted, SX.zeros(n), feedback),
            "feed-forward": (wanted, wanted_rate, wanted_acceleration),
        }[self.kind]
        tau, Z, own, pay = structure_demand(rigid, system, p, *at)
        if self.compensates_friction:
            Z = _rubbing_arms(system)(at[0], wanted_rate, p)
        bounds = [np.full(m, self.minimum_tension)]
        if self.maximum_tension is not None:
            bounds.append(np.full(m, self.maximum_tension))
        share = distribution(n, m, len(bounds) > 1)
        if not share.is_a("SXFunction"):
            demand = ca.Function("demand", symbols, [tau, Z, own, pay])
            symbols = [ca.MX.sym(name, size) for name, size in sizes.items()]
            tau, Z, own, pay = demand(*symbols)
        t = share(Z, tau, *bounds)
        left = bounds[-1] * (1 - REACHED) - t  # read where there is a maximum alone
        return (
            ca.Function("law", symbols, [padded(system, pay * (t - own))]),
            ca.Function("left", symbols, [left]),
        )


def _joints(system: System) -> int:
    return sum(c.kind == "joint" for c in system.coordinates)


def _check_actuators(system: System) -> None:
    """Every tendon needs an actuator of its own."""
    tendons, actuators = system.robot.tendons, system.commanded
    if on_joints := [x.name for x in system.robot.actuators if isinstance(x, ON_JOINTS)]:
        raise InputError(
            f"control: joint control commands tendons, got actuators on joints "
            f"({', '.join(on_joints)}); control these by a function (t, q, v) -> inputs"
        )
    both = [
        (a, b)
        for a, b in combinations(tendons, 2)
        if a.actuator is not None and a.actuator == b.actuator and a.winding != b.winding
    ]
    if both:
        a, b = both[0]
        raise InputError(
            f"control: joint control cannot command endless tendons: '{a.name}' and '{b.name}' are "
            f"two sides on one actuator, '{a.actuator}', and only the difference of their tensions "
            "can be commanded; control the motors instead (MotorPD, or inputs)"
        )
    if len(tendons) > len(actuators):
        raise InputError(
            f"control: {system.robot.name} has {len(tendons)} tendons and {len(actuators)} "
            "actuators; joint control needs an actuator for each tendon: add actuators, or control "
            "the motors"
        )
    if [t.actuator for t in tendons] != list(actuators):
        raise InputError(
            "control: joint control needs one actuator for each tendon, listed in the same order"
        )
    for item in system.inputs:
        if item.kind not in ("motor", "tension", "wrench"):
            raise InputError(
                f"control: actuator '{item.name}' is a {item.kind} actuator; expected motors or "
                "tensions"
            )


def rigid_structure(robot: Robot) -> System:
    """The robot on rigid tendons that do not rub, which joint control reckons with; what friction
    grows by the load of bearings depends on tensions that are yet to be found, and is left to the
    feedback."""
    joints = []
    for joint in robot.joints:
        law = getattr(joint, "dry_friction", None)
        if law is not None and law.coefficient is not None:
            unloaded = {"coefficient": None, "pin_radius": None}
            fields = {key: x for key, x in unloaded.items() if key in type(law).model_fields}
            joint = joint.model_copy(update={"dry_friction": law.model_copy(update=fields)})
        joints.append(joint)
    tendons = tuple(smooth(x) for x in robot.tendons)
    return assemble(robot.model_copy(update={"joints": tuple(joints), "tendons": tendons}), "rigid")


def structure_demand(
    rigid: System, system: System, p: Expr, q: Expr, v: Expr, a: Expr
) -> tuple[Expr, Expr, Expr, Expr]:
    """Structure's demand tau = Z t, Z, tensions with the actuators off, and inputs per newton.

    Bristles are not bent, as no sensor sees them; currents are settled.
    """
    p_rigid = p[[system.parameter_names.index(name) for name in rigid.parameter_names]]
    p_rigid = without_limits(rigid, p_rigid)  # what is asked for is cut off by the motor itself
    off = SX.zeros(rigid.nu)
    q = ca.vertcat(q, SX.zeros(rigid.nz))
    if rigid.nz:
        source, decay = rigid.relaxation(q, v, off, p_rigid)
        for k, x in enumerate(rigid.dynamics.states):
            if x.settles:
                q[rigid.nq - rigid.nz + k] = source[k] / decay[k]
    tension = next(o.expression for o in rigid.outputs if o.name == "tension")
    reach = rigid.function(
        "reach", "q v a u p", ca.densify(rigid.tendons.Z), tension, _per_newton(rigid)
    )
    Z, own, pay = reach(q, v, a, off, p_rigid)
    return rigid.residual(q, v, a, off, p_rigid) + Z @ own, Z, own, pay


def _rubbing_arms(system: System) -> Any:
    """(joints' q, joints' v, p) -> moment arms with friction, as cables that do not stretch slide:
    those of the robot with a prescribed tension for each tendon."""
    if not system.tendons.rubs:
        raise InputError(
            f"compensates_friction: {system.robot.name} has no friction along its tendons; give "
            "one (friction: {kind: capstan, coefficient: 0.1}), or leave it out"
        )
    robot = system.robot
    actuators = tuple(TensionActuator(name=t.actuator) for t in robot.tendons if t.actuator)
    tendons = tuple(without_bristles(x) for x in robot.tendons)
    pulled = assemble(robot.model_copy(update={"actuators": actuators, "tendons": tendons}))
    p, known = SX.sym("p", system.p.numel()), system.parameter_names
    values = zip(pulled.parameter_names, pulled.parameter_values.tolist(), strict=True)
    own = ca.vertcat(*[p[known.index(name)] if name in known else SX(x) for name, x in values])
    arms = pulled.function("arms", "q v u p", ca.densify(pulled.tendons.arms))
    q, v = pulled.q[: _joints(system)], pulled.v
    full = ca.vertcat(q, SX.zeros(pulled.nq - q.numel()))  # bristles of joints do not matter
    return ca.Function("arms", [q, v, p], [arms(full, v, SX.ones(pulled.nu), own)])


def _per_newton(rigid: System) -> Expr:
    """Input of each tendon's actuator per newton of tension: -B for motors, 1 for tensions; volts
    where a motor has a winding, whose back-EMF is among the tensions with the actuators off."""
    found = []
    for tendon, x in zip(rigid.robot.tendons, rigid.inputs, strict=False):
        each = SX(1)
        if x.kind != "tension":
            torque = -tendon.winding * gain(rigid, x.name, rigid.p)
            each = torque * input_per_torque(rigid, x.name, rigid.p)
        found.append(each)
    return ca.vertcat(*found)
