"""Actuators and laws of tendons: rotors on slides, tensions, springs and dampers along tendons."""

from dataclasses import dataclass

from chorda.describe import Material, Motor, Rigid, Tendon, TensionActuator, Winch
from chorda.errors import InputError
from chorda.exporting.mjcf.lengths import reference_lengths, run_length
from chorda.exporting.mjcf.scene import Element, Scene, add

PULL = 1e6  # N, more than any tendon holds
SLACK = -1e3  # m, no tendon of a linear combination gets there


@dataclass(frozen=True)
class Cable:
    """A tendon's element, and the length that MuJoCo gives it at the reference configuration."""

    tendon: Tendon
    element: Element
    rest: float  # [m]


def motor_slide(scene: Scene, motor: Motor, actuators: Element) -> float:
    """A rotor as a mass on a slide, in metres of cable; returns the cable from it to its eye
    [m]."""
    B = scene.parameter(f"{motor.name}.drum_radius") / scene.parameter(f"{motor.name}.gear_ratio")
    name, run = motor.name, run_length(scene)
    made = add(scene.world, "body", name=name, gravcomp=1)
    add(
        made,
        "joint",
        name=name,
        type="slide",
        axis=(0, 0, 1),
        damping=scene.parameter(f"{name}.friction") / B**2 or None,
        frictionloss=scene.parameter(f"{name}.dry_torque") / B or None,
    )
    mass = scene.parameter(f"{name}.inertia") / B**2
    add(made, "inertial", mass=mass, pos=(0, 0, 0), diaginertia=(1, 1, 1))
    add(made, "site", name=f"{name}.slide")
    add(scene.world, "site", name=f"{name}.eye", pos=(0, 0, run))
    add(scene.world, "site", name=f"{name}.far_eye", pos=(0, 0, -run))
    add(actuators, "motor", name=name, joint=name, gear=1 / B)
    return run


def actuator_tendon(scene: Scene, cable: Cable, equality: Element, actuators: Element) -> None:
    tendon, element, name = cable.tendon, cable.element, cable.tendon.name
    actuator = next((d for d in scene.robot.actuators if d.name == tendon.actuator), None)
    alone = sum(t.actuator == tendon.actuator for t in scene.robot.tendons) == 1
    command = str(tendon.actuator) if alone else f"{tendon.actuator}.{name}"
    if isinstance(actuator, TensionActuator):
        add(actuators, "motor", name=command, tendon=name, gear=-1)
        return
    if isinstance(tendon.law, Rigid) or scene.system.mode == "rigid":
        if isinstance(actuator, Winch):
            raise InputError(
                f"tendons.{name}: MuJoCo cannot prescribe the length of a rigid tendon "
                f"({actuator.name}); give it a stiffness (kelvin-voigt), or a motor"
            )
        add(equality, "tendon", name=name, tendon1=name, polycoef=(0, 1, 0, 0, 0))
        return
    k, d, t0 = _law(scene, tendon)
    slack = cable.rest - t0 / k
    one_sided = tendon.law.one_sided
    if isinstance(actuator, Winch):
        add(
            actuators,
            "general",
            name=command,
            tendon=name,
            gainprm=k * tendon.winding,
            biastype="affine",
            biasprm=(k * slack, -k, -d),
            forcerange=(-PULL, 0) if one_sided else None,
            forcelimited="true" if one_sided else None,
        )
        return
    element.set("stiffness", repr(k))
    element.set("damping", repr(d))
    low = (SLACK if element.tag == "fixed" else 0.0) if one_sided else slack
    element.set("springlength", f"{low!r} {slack!r}")


def _law(scene: Scene, tendon: Tendon) -> tuple[float, float, float]:
    """Stiffness, damping and pretension of a tendon that stretches."""
    name, law = tendon.name, tendon.law
    t0 = scene.parameter(f"{name}.pretension")
    if getattr(law, "smoothing", None) is not None:
        raise InputError(
            f"tendons.{name}.law.smoothing: MuJoCo's tendons go slack at a corner; leave it out"
        )
    if scene.parameter(f"{name}.stiffening"):
        raise InputError(
            f"tendons.{name}.law: MuJoCo's tendons have one stiffness; take kind: kelvin-voigt"
        )
    if not isinstance(law, Material):
        return scene.parameter(f"{name}.stiffness"), scene.parameter(f"{name}.damping"), t0
    if law.over != "total":
        raise InputError(
            f"tendons.{name}.law.over: MuJoCo's tendons have one stiffness, over: {law.over} has "
            "another in each configuration; take over: total"
        )
    index = [t.name for t in scene.robot.tendons].index(name)
    length = scene.parameter(f"{name}.total_length", float(reference_lengths(scene)[index]))
    section = scene.parameter(f"{name}.section") / length
    young, damping = (scene.parameter(f"{name}.{x}_modulus") for x in ("young", "damping"))
    return young * section, damping * section, t0
