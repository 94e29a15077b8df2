"""The MJCF document of a robot."""

import xml.etree.ElementTree as ET

import numpy as np

from chorda.describe import Closure, Load, Rod
from chorda.errors import InputError
from chorda.exporting.mjcf import bodies
from chorda.exporting.mjcf import tendons as strung
from chorda.exporting.mjcf.key_frame import configuration
from chorda.exporting.mjcf.scene import Element, Scene, add, text
from chorda.exporting.motion import Motion
from chorda.exporting.places import MARK

ARM = 0.1  # m between the two points that hold a hinge's axis
HARD = "0.9999 0.9999 0.001"  # impedance at its upper bound, whatever the violation
NOTES = """
  A rotor is a mass on a slide, in metres of cable that it pays out; its control is a torque in N m.
  Loops are shut by MuJoCo's constraints, which give a little. A one-sided tendon's damping acts
  when it is slack too. Ranges of joints are soft stops.
  Dry friction is MuJoCo's friction loss, at full strength at any speed; Chorda's rises with the
  speed by dry_slope, where a motor has one. A winch's control is the length that it
  pays out; its rate (.rate in Chorda) is ignored: a tendon's damping does not answer to it.
  A cable jumps off its cylinder where an end of it gets opposite the site beside the cylinder.
"""


def document(motion: Motion) -> str:
    """The robot as MJCF text; what MuJoCo cannot express is refused by name."""
    scene = Scene(_checked(motion).system, motion.p)
    root, robot = scene.root, scene.robot
    add(root, "compiler", angle="radian", autolimits="true", inertiafromgeom="auto")
    gravity = [
        scene.parameter(f"gravity.{k}", x) for k, x in zip("xyz", robot.gravity, strict=True)
    ]
    option = add(
        root,
        "option",
        timestep=motion.step,
        integrator="implicit",
        gravity=gravity,
        tolerance=1e-12,
    )
    add(option, "flag", contact="disable")
    root.append(scene.world)
    tendons, equality, actuators = (ET.Element(x) for x in ("tendon", "equality", "actuator"))
    bodies.grow(scene, tendons, equality)
    strung.string(scene, tendons, equality, actuators)
    for closure in robot.closures:
        _close(scene, closure, equality)
    for load in robot.loads:
        _load(scene, load, actuators)
    for constraint in equality:  # as stiff as is stable: two time steps, critically damped
        constraint.set("solref", text((2 * motion.step, 1)))
        constraint.set("solimp", HARD)
    root.extend([x for x in (tendons, equality, actuators) if len(x)])
    _start(scene, motion)
    ET.indent(root)
    name = robot.name.replace("--", "- -")  # two dashes end a comment
    about = f"<!-- {MARK} from {name}, {scene.system.mode} tendons.{NOTES}-->\n"
    return about + ET.tostring(root, encoding="unicode") + "\n"


def _checked(motion: Motion) -> Motion:
    for joint in motion.system.robot.joints:
        if isinstance(joint, Rod):
            raise InputError(
                f"joints.{joint.name}: MuJoCo has no rods that bend by modes; export to c or "
                "casadi, or describe it as a chain of joints with stiffness"
            )
    return motion


def _close(scene: Scene, closure: Closure, equality: Element) -> None:
    """A loop's joint: connected points, or frames welded together."""
    name = closure.name
    if closure.kind == "universal":
        raise InputError(
            f"closures.{name}: MuJoCo has no universal constraint; put the cross between the two "
            "as a revolute joint with a small body, and close it by kind: revolute"
        )
    ends = [
        scene.place(point, f"{name}.{key}")
        for key, point in (("start", closure.start), ("end", closure.end))
    ]
    one, two = (
        scene.site(f"{name}.{key}", *end) for key, end in zip(("start", "end"), ends, strict=True)
    )
    if closure.kind == "fixed":
        add(equality, "weld", name=name, site1=one, site2=two)
        return
    add(equality, "connect", name=name, site1=one, site2=two)
    if closure.kind == "revolute":
        along = ARM * np.array(closure.axis)
        one, two = (
            scene.site(f"{name}.{key}.axis", node, at + along)
            for key, (node, at) in zip(("start", "end"), ends, strict=True)
        )
        add(equality, "connect", name=f"{name}.axis", site1=one, site2=two)


def _load(scene: Scene, load: Load, actuators: Element) -> None:
    """A constant wrench: an actuator whose control does nothing."""
    name = load.name
    site = scene.site(f"{name}.at", *scene.place(load.at, f"{name}.at"))
    wrench = [
        scene.parameter(f"{name}.{what}.{k}", x)
        for what, values in (("force", load.force), ("moment", load.moment))
        for k, x in zip("xyz", values, strict=True)
    ]
    reference = None if load.follows else scene.site(f"{name}.axes", 0, (0, 0, 0))
    add(
        actuators,
        "general",
        name=name,
        site=site,
        refsite=reference,
        gear=wrench,
        gainprm=0,
        biastype="affine",
        biasprm=(1, 0, 0),
    )


def _start(scene: Scene, motion: Motion) -> None:
    """The configuration that the motion starts from, as a key frame."""
    values = configuration(motion.system, motion.q, motion.p)
    names = [str(joint.get("name")) for joint in scene.world.iter("joint")]
    qpos = np.concatenate([values[name] for name in names]) if names else np.zeros(0)
    add(add(scene.root, "keyframe"), "key", name="start", qpos=qpos)
