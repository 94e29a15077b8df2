"""Friction of tendons that cannot be: where nothing slides, or no tension is known beforehand."""

from collections.abc import Iterable, Sequence
from typing import Any

from chorda.describe.geometry import Point
from chorda.describe.laws import Rigid
from chorda.describe.tendon_friction import Bearing, Viscous
from chorda.describe.tendons_and_actuators import Eyelet, Pulley, Tendon, TensionActuator
from chorda.errors import InputError

NO_FRICTION = {"friction": None}


def check_friction(tendons: Iterable[Tendon], actuators: Sequence[Any]) -> None:
    pulling = {x.name for x in actuators if isinstance(x, TensionActuator)}
    for i, tendon in enumerate(tendons):
        if not rubs(tendon):
            continue
        where = f"tendons.{i}"
        _check_ends(where, tendon)
        if len(tendon.path) < 3 and not tendon.sheaths:
            raise ValueError(
                f"{where}.friction: tendon '{tendon.name}' runs straight from end to end and rubs "
                "nowhere; expected an eyelet or a pulley between the ends of its path, or a "
                "sheath: give one, or leave friction out"
            )
        if isinstance(tendon.friction, Viscous) and len(tendon.path) > 2:
            raise ValueError(
                f"{where}.friction: kind viscous acts in sheaths of rods, and tendon "
                f"'{tendon.name}' turns at elements of its path too; give the sheaths this "
                "friction, and the tendon another or none"
            )
        if isinstance(tendon.law, Rigid) and tendon.actuator not in pulling:
            raise ValueError(
                f"{where}.friction: tendon '{tendon.name}' does not stretch, so that neither its "
                "tension nor the direction in which it slides is known before the motion; "
                "expected an elastic law (law: {kind: kelvin-voigt, stiffness: ...}) or an "
                "actuator of kind tension: give one, or leave friction out"
            )


def rubs(tendon: Tendon) -> bool:
    """Whether there is friction anywhere along it."""
    parts = (*tendon.path, *tendon.sheaths)
    own = any(getattr(part, "friction", None) is not None for part in parts)
    return own or tendon.friction is not None


def refuse_rubbing(name: str, tendons: Iterable[Tendon], remedy: str) -> None:
    """Where tendons of the robot `name` can have one tension each alone."""
    if rubbing := [x.name for x in tendons if rubs(x)]:
        raise InputError(
            f"{name}: expected tendons with one tension each, got friction along "
            f"{', '.join(rubbing)}; {remedy}"
        )


def without_bristles(tendon: Tendon) -> Tendon:
    """The same tendon with friction that rises with the speed, where it has bristles."""

    def changed(item: Any) -> Any:
        law: Any = getattr(item, "friction", None)
        if getattr(law, "deflection", None) is None:
            return item
        return item.model_copy(update={"friction": law.model_copy(update={"deflection": None})})

    path, sheaths = (tuple(changed(x) for x in y) for y in (tendon.path, tendon.sheaths))
    return changed(tendon.model_copy(update={"path": path, "sheaths": sheaths}))


def smooth(tendon: Tendon) -> Tendon:
    """The same tendon without friction along it."""
    if not rubs(tendon):
        return tendon
    path = tuple(_smooth_element(x) for x in tendon.path)
    sheaths = tuple(
        x if x.friction is None else x.model_copy(update=NO_FRICTION) for x in tendon.sheaths
    )
    return tendon.model_copy(update={"path": path, "sheaths": sheaths, **NO_FRICTION})


def _smooth_element(element: Point | Pulley) -> Point | Pulley:
    if isinstance(element, Eyelet):
        return Point(frame=element.frame, point=element.point)
    if isinstance(element, Pulley) and element.friction is not None:
        return element.model_copy(update=NO_FRICTION)
    return element


def _check_ends(where: str, tendon: Tendon) -> None:
    last = len(tendon.path) - 1
    for k, element in enumerate(tendon.path):
        law = getattr(element, "friction", None)
        if isinstance(law, Bearing) and isinstance(element, Pulley):
            arm = law.coefficient * law.pin_radius
            if arm >= element.radius:
                raise ValueError(
                    f"{where}.path.{k}.friction: expected coefficient * pin_radius below the "
                    f"pulley's radius, {element.radius:g} m, got {arm:g} m; no cable turns a "
                    "pulley that its bearing holds: make either smaller"
                )
        if k in (0, last) and getattr(element, "friction", None) is not None:
            raise ValueError(
                f"{where}.path.{k}.friction: the path of '{tendon.name}' ends here, and the cable "
                "does not slide; expected friction at elements between the ends: leave it out"
            )
