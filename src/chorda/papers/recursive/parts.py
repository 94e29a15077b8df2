"""Parts of a described robot by kind, so that their fields can be read."""

from collections.abc import Iterable

from chorda.describe import Body, KelvinVoigt, Pulley, Revolute, Robot, Tendon


def joints(robot: Robot) -> dict[str, Revolute]:
    """The revolute joints by name."""
    return {joint.name: joint for joint in robot.joints if isinstance(joint, Revolute)}


def body(joint: Revolute) -> Body:
    assert joint.body is not None, joint.name
    return joint.body


def length(joint: Revolute) -> float:
    """Of the joint's link [m]."""
    assert joint.link is not None, joint.name
    return joint.link.a


def pulleys(tendon: Tendon) -> tuple[Pulley, ...]:
    assert all(isinstance(x, Pulley) for x in tendon.path), tendon.name
    return tuple(x for x in tendon.path if isinstance(x, Pulley))


def law(tendon: Tendon) -> tuple[float, float, float]:
    """Stiffness [N/m], damping [N s/m] and pretension [N]."""
    assert isinstance(tendon.law, KelvinVoigt), tendon.name
    return tendon.law.stiffness, tendon.law.damping or 0.0, tendon.law.pretension or 0.0


def by_name(tendons: Iterable[Tendon]) -> dict[str, Tendon]:
    return {tendon.name: tendon for tendon in tendons}
