"""Random tendons, through eyelets and around pulleys, and the actuators that wind them."""

from typing import Any

from chorda.describe import (
    DryFriction,
    KelvinVoigt,
    Material,
    Motor,
    Point,
    Pulley,
    Rigid,
    Stiffening,
    Tendon,
    TensionActuator,
    Winch,
)
from tests.fuzz.drawn.parts import Random, maybe, numbers, point


def law(rng: Random, rigid: float = 0.25) -> Any:
    if rng.random() < rigid:
        return Rigid()
    one_sided = bool(rng.random() < 0.4)
    shared: dict[str, Any] = {
        "pretension": maybe(rng, 1, 30, 0.7),
        "one_sided": one_sided,
        "smoothing": float(rng.uniform(0.1, 2)) if one_sided and rng.random() < 0.4 else None,
    }
    kind = rng.integers(3)
    stiffness, damping = float(10 ** rng.uniform(2, 4)), float(rng.uniform(0, 10))
    if kind == 0:
        return KelvinVoigt(stiffness=stiffness, damping=damping, **shared)
    if kind == 1:
        more = float(10 ** rng.uniform(2, 5))
        return Stiffening(stiffness=stiffness, stiffening=more, damping=damping, **shared)
    section = 1e-6
    return Material(
        young_modulus=stiffness * 0.5 / section,
        damping_modulus=damping * 0.5 / section,
        section=section,
        over=str(rng.choice(["total", "total", "unwound", "free"])),
        length=maybe(rng, 0.3, 2, 0.3),
        **shared,
    )


def actuator(rng: Random, name: str) -> Any:
    dice = rng.random()
    if dice < 0.25:
        return TensionActuator(name=name)
    if dice < 0.4:
        return Winch(name=name)
    dry = None
    if rng.random() < 0.3:
        kind = str(rng.choice(["arctan", "tanh"]))
        dry = DryFriction(
            kind=kind, torque=float(rng.uniform(0, 0.05)), slope=float(rng.uniform(1, 20))
        )
    return Motor(
        name=name,
        inertia=float(10 ** rng.uniform(-5, -3)),
        drum_radius=float(rng.uniform(0.01, 0.04)),
        gear_ratio=float(rng.choice([1.0, 1.0, 3.0, 10.0])),
        friction=maybe(rng, 1e-4, 1e-2),
        dry_friction=dry,
    )


def eyelets(rng: Random, frames: list[str]) -> list[Any]:
    """A path of points, neighbours in different frames."""
    path: list[Any] = []
    for _ in range(rng.integers(2, 5)):
        path.append(point(rng, frames, other=path[-1].frame if path else ""))
    return path


def around(rng: Random, frames: list[str]) -> list[Any]:
    """A path of points and pulleys in the plane z = 0 of frames that follow each other."""
    first = int(rng.integers(0, max(1, len(frames) - 2)))
    path: list[Any] = []
    used = frames[first : first + int(rng.integers(2, 5))]
    last = len(used) - 1
    for k, frame in enumerate(used):
        at = numbers([*rng.uniform(-0.25, 0.25, 2), 0.0])
        if rng.random() < (0.35 if k in (0, last) else 0.75):
            where: Any = "origin" if rng.random() < 0.3 else at
            path.append(
                Pulley(
                    frame=frame,
                    point=where,
                    radius=float(rng.uniform(0.008, 0.05)),
                    side=str(rng.choice(["left", "right"])),
                    normal=(0.0, 0.0, float(rng.choice([-1, 1]))),
                    leave=bool(rng.random() < 0.5),
                    wound=maybe(rng, 0.0, 9.0, 0.3),
                )
            )
        else:
            path.append(Point(frame=frame, point=at))
    return path


def tendons(rng: Random, frames: list[str], flat: bool, most: int = 3) -> dict[str, Any]:
    """Some tendons with their actuators, several on one motor at times."""
    actuators: list[Any] = []
    made = []
    for k in range(rng.integers(1, most + 1)):
        path = around(rng, frames) if flat and rng.random() < 0.8 else eyelets(rng, frames)
        if flat:
            path = [_flat(x) for x in path]
        name, winding = None, int(rng.choice([1, -1]))
        if rng.random() < 0.8:
            if actuators and rng.random() < 0.3:
                chosen = actuators[-1]
                if isinstance(chosen, TensionActuator):
                    winding = made[-1].winding
            else:
                chosen = actuator(rng, f"actuator{k}")
                actuators.append(chosen)
            name = chosen.name
        made.append(
            Tendon(
                name=f"tendon{k}",
                path=path,
                lead=float(rng.uniform(0, 0.3)) if rng.random() < 0.3 else 0.0,
                law=law(rng),
                actuator=name,
                winding=winding,
            )
        )
    return {"actuators": actuators, "tendons": made}


def _flat(element: Any) -> Any:
    if isinstance(element.point, str):
        return element
    return element.model_copy(update={"point": numbers([*element.point[:2], 0.0])})
