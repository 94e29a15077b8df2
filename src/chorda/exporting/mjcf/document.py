"""The MJCF document of a robot."""

import xml.etree.ElementTree as ET

import numpy as np

from chorda.describe import Closure, Load, Robot, Rod, WrenchActuator
from chorda.describe.friction_checks import refuse_rubbing
from chorda.errors import InputError
from chorda.exporting.destination import MARK
from chorda.exporting.discrete_model import DiscreteModel
from chorda.exporting.mjcf.bodies import add_bodies
from chorda.exporting.mjcf.contact_pairs import add_contacts, contact_notes
from chorda.exporting.mjcf.coordinates import add_coupling, add_joint_actuators, add_stops
from chorda.exporting.mjcf.key_frame import configuration
from chorda.exporting.mjcf.mujoco_model import IMPEDANCE, MujocoModel, add, text
from chorda.exporting.mjcf.tendon_elements import add_tendons
from chorda.mechanics import Array
from chorda.safe_text import in_xml_comment

HINGE_ARM = 0.1  # m between the two points that hold a hinge's axis
NOTES = """
  A rotor is a mass on a slide, in metres of cable that it pays out; its control is a torque in N m.
  Loops are closed by MuJoCo's constraints, which give a little. A one-sided tendon's damping acts
  when it is slack too. Ranges of joints without a stop are soft limits of MuJoCo's own.
  A stop begins with all of its stiffness and damping in the middle of Chorda's smoothing.
  Dry friction is MuJoCo's friction loss, at full strength at any speed; Chorda's rises with the
  speed by dry_slope, or with the deflection of bristles, where there is one. A winch's control is
  the length that it pays out; its rate (.rate in Chorda) is ignored: a tendon's damping does not
  answer to it.
  A cable jumps off its cylinder where an end of it gets opposite the site beside the cylinder.
"""


def document(exported: DiscreteModel) -> str:
    """The robot as MJCF text; what MuJoCo cannot express is refused by name."""
    system, robot, step = exported.system, exported.system.robot, exported.step
    _refuse_rods(robot)
    remedy = "MuJoCo has no friction by the turn of a cable: leave it out"
    refuse_rubbing(robot.name, robot.tendons, remedy)
    model = MujocoModel(system, exported.p, step)
    root = model.root
    add(root, "compiler", angle="radian", autolimits="true", inertiafromgeom="auto")
    gravity = [
        model.parameter(f"gravity.{k}", x) for k, x in zip("xyz", robot.gravity, strict=True)
    ]
    settings = {"integrator": "implicit", "gravity": gravity, "tolerance": 1e-12}
    option = add(root, "option", timestep=step, **settings)
    root.append(model.world)
    add_bodies(model)
    add_tendons(model)
    add_stops(model)
    add_joint_actuators(model)
    add_contacts(model, root, option)
    for coupling in robot.couplings:
        add_coupling(model, coupling)
    for closure in robot.closures:
        _add_closure(model, closure)
    for load in robot.loads:
        _add_load(model, load)
    for actuator in robot.actuators:
        if isinstance(actuator, WrenchActuator):
            _add_wrench(model, actuator)
    for constraint in model.equality:  # as stiff as is stable: two time steps, critically damped
        constraint.set("solref", text((2 * step, 1)))
        constraint.set("solimp", text(IMPEDANCE))
    root.extend([x for x in (model.tendons, model.equality, model.actuators) if len(x)])
    values = configuration(system, exported.q, exported.p)
    names = [str(joint.get("name")) for joint in model.world.iter("joint")]
    qpos = np.concatenate([np.zeros(0), *(values[name] for name in names)])
    add(add(root, "keyframe"), "key", name="start", qpos=qpos)
    ET.indent(root)
    name = in_xml_comment(robot.name)
    notes = NOTES + contact_notes(model) if robot.contacts else NOTES
    about = f"<!-- {MARK} from {name}, {system.mode} tendons.{notes}-->\n"
    return about + ET.tostring(root, encoding="unicode") + "\n"


def _refuse_rods(robot: Robot) -> None:
    for joint in robot.joints:
        if isinstance(joint, Rod):
            raise InputError(
                f"joints.{joint.name}: MuJoCo has no rods that bend by modes; export to c or "
                "casadi, or describe it as a chain of joints with stiffness"
            )


def _add_closure(model: MujocoModel, closure: Closure) -> None:
    """The joint that closes a loop: connected points, or frames welded together."""
    name = closure.name
    if closure.kind == "universal":
        raise InputError(
            f"closures.{name}: MuJoCo has no universal constraint; put the cross between the two "
            "as a revolute joint with a small body, and close it by kind: revolute"
        )
    ends = {
        key: model.located(point, f"{name}.{key}")
        for key, point in (("start", closure.start), ("end", closure.end))
    }

    def constrain(kind: str, suffix: str, offset: Array) -> None:
        one, two = (
            model.site(f"{name}.{key}{suffix}", node, at + offset)
            for key, (node, at) in ends.items()
        )
        add(model.equality, kind, name=f"{name}{suffix}", site1=one, site2=two)

    constrain("weld" if closure.kind == "fixed" else "connect", "", np.zeros(3))
    if closure.kind == "revolute":
        constrain("connect", ".axis", HINGE_ARM * np.array(closure.axis))


def _add_load(model: MujocoModel, load: Load) -> None:
    """A constant wrench: an actuator whose control does nothing."""
    name = load.name
    wrench = [
        model.parameter(f"{name}.{what}.{k}", x)
        for what, values in (("force", load.force), ("moment", load.moment))
        for k, x in zip("xyz", values, strict=True)
    ]
    constant = {"gainprm": 0, "biastype": "affine", "biasprm": (1, 0, 0)}
    add(model.actuators, "general", name=name, gear=wrench, **_sites(model, load), **constant)


def _add_wrench(model: MujocoModel, actuator: WrenchActuator) -> None:
    """Forces and moments whose controls are the inputs."""
    sites = _sites(model, actuator)
    for name, _, direction, is_moment in actuator.inputs():
        none = (0.0, 0.0, 0.0)
        gear = (*none, *direction) if is_moment else (*direction, *none)
        add(model.actuators, "general", name=name, gear=gear, **sites)


def _sites(model: MujocoModel, item: Load | WrenchActuator) -> dict[str, object]:
    """Where a wrench acts, and what its axes belong to."""
    name = item.name
    axes = None if item.follows else model.site(f"{name}.axes", 0, (0, 0, 0))
    return {"site": model.site_at(item.at, f"{name}.at"), "refsite": axes}
