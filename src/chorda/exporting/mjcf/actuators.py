"""Actuators and laws of tendons: rotors on slides, tensions, springs and dampers along tendons."""

from dataclasses import dataclass
from typing import Any

from chorda.describe import JointMotor, Material, Motor, Rigid, Tendon, TensionActuator, Winch
from chorda.errors import InputError
from chorda.exporting.mjcf.lengths import reference_lengths, slide_length
from chorda.exporting.mjcf.mujoco_model import Element, MujocoModel, add, dry_level

MAX_TENSION = 1e6  # N, more than any tendon holds
MIN_LENGTH = -1e3  # m, no tendon of a linear combination gets there


@dataclass(frozen=True)
class Cable:
    """A tendon's element, and the length that MuJoCo gives it at the reference configuration."""

    tendon: Tendon
    element: Element
    rest: float  # [m]


def add_motor(model: MujocoModel, motor: Motor) -> float:
    """A rotor as a mass on a slide, in metres of cable; returns the cable from it to its eyelet
    [m]."""
    name, length = motor.name, slide_length(model)
    B = model.parameter(f"{name}.drum_radius") / model.parameter(f"{name}.gear_ratio")
    made = add(model.world, "body", name=name, gravcomp=1)
    damping = model.parameter(f"{name}.friction") / B**2 or None
    dry = dry_level(model, motor) / B or None
    slide = {"type": "slide", "axis": (0, 0, 1), "damping": damping, "frictionloss": dry}
    add(made, "joint", name=name, **slide)
    mass = model.parameter(f"{name}.inertia") / B**2
    add(made, "inertial", mass=mass, pos=(0, 0, 0), diaginertia=(1, 1, 1))
    add(made, "site", name=f"{name}.slide")
    add(model.world, "site", name=f"{name}.eye", pos=(0, 0, length))
    add(model.world, "site", name=f"{name}.far_eye", pos=(0, 0, -length))
    add_torque(model, motor, 1 / B, joint=name)
    return length


def add_torque(model: MujocoModel, motor: Motor | JointMotor, gear: float, **where: str) -> None:
    """The torque of a rotor: within its limits, and that of a winding from its voltage. MuJoCo cuts
    a force off before the gear multiplies it, and the control before that."""
    name = motor.name
    if motor.max_speed is not None:
        raise InputError(
            f"actuators.{name}.max_speed: MuJoCo's actuators have no torque that falls with the "
            "speed between limits; leave it out, give a winding instead, or export to c or casadi"
        )
    if getattr(motor, "backlash", None) is not None:
        raise InputError(
            f"actuators.{name}.backlash: MuJoCo's gears have no play; leave it out, or export to "
            "c or casadi"
        )
    most = rotor_limit(model, motor)
    limits: dict[str, Any] = {}
    if most is not None:
        limits |= {"forcerange": (-most, most), "forcelimited": "true"}
    if motor.winding is None:
        if most is not None:
            limits |= {"ctrlrange": (-most, most), "ctrllimited": "true"}
        add(model.actuators, "motor", name=name, gear=gear, **where, **limits)
        return
    if motor.winding.inductance is not None:
        raise InputError(
            f"actuators.{name}.winding.inductance: MuJoCo's actuators have no current that lags "
            "behind voltage and speed; leave it out, or export to c or casadi"
        )
    R, k = (model.parameter(f"{name}.winding.{x}") for x in ("resistance", "torque_constant"))
    back = model.parameter(f"{name}.winding.back_emf_constant", k)
    if motor.winding.max_voltage is not None:
        volts = model.parameter(f"{name}.winding.max_voltage")
        limits |= {"ctrlrange": (-volts, volts), "ctrllimited": "true"}
    winding = {"gainprm": k / R, "biastype": "affine", "biasprm": (0, 0, -k * back / R)}
    add(model.actuators, "general", name=name, gear=gear, **where, **winding, **limits)


def rotor_limit(model: MujocoModel, motor: Motor | JointMotor) -> float | None:
    """The largest torque that current and torque limits let the rotor have [N m]."""
    name, limits = motor.name, []
    if motor.max_torque is not None:
        limits.append(model.parameter(f"{name}.max_torque"))
    if motor.max_current is not None:
        of = name if motor.winding is None else f"{name}.winding"
        k = model.parameter(f"{of}.torque_constant")
        limits.append(k * model.parameter(f"{name}.max_current"))
    return min(limits, default=None)


def actuate(model: MujocoModel, cable: Cable) -> None:
    """The law of a tendon and what pulls it, unless that is a motor, which has its own slide."""
    tendon, element, name = cable.tendon, cable.element, cable.tendon.name
    actuator = next((d for d in model.robot.actuators if d.name == tendon.actuator), None)
    alone = sum(t.actuator == tendon.actuator for t in model.robot.tendons) == 1
    command = str(tendon.actuator) if alone else f"{tendon.actuator}.{name}"
    if isinstance(actuator, TensionActuator):
        pulls = {"ctrlrange": (0, MAX_TENSION), "ctrllimited": "true"}
        limits = pulls if tendon.law.one_sided else {}
        add(model.actuators, "motor", name=command, tendon=name, gear=-1, **limits)
        return
    if isinstance(tendon.law, Rigid) or model.system.mode == "rigid":
        if isinstance(actuator, Winch):
            raise InputError(
                f"tendons.{name}: MuJoCo cannot prescribe the length of a rigid tendon "
                f"({actuator.name}); give it a stiffness (kelvin-voigt), or a motor"
            )
        add(model.equality, "tendon", name=name, tendon1=name, polycoef=(0, 1, 0, 0, 0))
        return
    k, d, t0 = _law(model, tendon)
    slack = cable.rest - t0 / k
    one_sided = tendon.law.one_sided
    if isinstance(actuator, Winch):
        limits = {"forcerange": (-MAX_TENSION, 0), "forcelimited": "true"} if one_sided else {}
        spring = {"biastype": "affine", "biasprm": (k * slack, -k, -d)}
        gain = k * tendon.winding
        add(model.actuators, "general", name=command, tendon=name, gainprm=gain, **spring, **limits)
        return
    element.set("stiffness", repr(k))
    element.set("damping", repr(d))
    low = (MIN_LENGTH if element.tag == "fixed" else 0.0) if one_sided else slack
    element.set("springlength", f"{low!r} {slack!r}")


def _law(model: MujocoModel, tendon: Tendon) -> tuple[float, float, float]:
    """Stiffness, damping and pretension of an elastic tendon."""
    name, law = tendon.name, tendon.law

    def value(key: str, default: float = 0.0) -> float:
        return model.parameter(f"{name}.{key}", default)

    if getattr(law, "smoothing", None) is not None:
        raise InputError(
            f"tendons.{name}.law.smoothing: MuJoCo's tendons go slack at a corner; leave it out"
        )
    if value("stiffening"):
        raise InputError(
            f"tendons.{name}.law: MuJoCo's tendons have one stiffness; take kind: kelvin-voigt"
        )
    if not isinstance(law, Material):
        return value("stiffness"), value("damping"), value("pretension")
    if law.over != "total":
        raise InputError(
            f"tendons.{name}.law.over: MuJoCo's tendons have one stiffness, over: {law.over} has "
            "another in each configuration; take over: total"
        )
    section = value("section") / value("total_length", reference_lengths(model)[name])
    return value("young_modulus") * section, value("damping_modulus") * section, value("pretension")
