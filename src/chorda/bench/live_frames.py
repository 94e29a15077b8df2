"""How many pictures a second the viewer makes of robots in motion, without the browser's part."""

import time
from collections.abc import Callable

from chorda.bench import hand
from chorda.bench.groups import Group, at_least, ms
from chorda.catalogue import load
from chorda.mechanics import System, assemble
from chorda.results import Equilibrium, Table
from chorda.view.live.moving_robot import MovingRobot
from chorda.view.live.resting import Resting
from chorda.view.live.surfaces import surfaces
from chorda.view.scene import make_scene

RATE = 30.0  # pictures a second that are asked for
SECONDS = 2.0  # of the motion
ROBOTS: dict[str, Callable[[], System]] = {
    "neck-3": lambda: assemble(load("neck-3")),
    "hand of 20 joints": lambda: assemble(hand.robot()),
    "continuum-2x3": lambda: assemble(load("continuum-2x3")),
}
PULL = 1.5  # times the torque or length of the first actuator that holds the robot


def frames(start: Equilibrium | System, seconds: float) -> tuple[float, float, float]:
    """Seconds a picture for the motion, for where everything is, and for all corners.

    Each picture goes on by 1 / RATE, in steps as the viewer takes them.
    """
    model = MovingRobot(start)
    first = next(iter(model.inputs))
    model.inputs[first] = PULL * model.inputs[first]
    model.advance(1 / RATE)
    scene = make_scene(model.configuration())
    parts, count = surfaces(scene), max(1, round(seconds * RATE))
    moving = placing = shaping = 0.0
    for _ in range(count):
        begin = time.perf_counter()
        model.advance(1 / RATE)
        moved = time.perf_counter()
        anchors = scene.anchors(model.configuration(), frames=False)[0]
        placed = time.perf_counter()
        for part in parts:
            part.corners(anchors)
        shaping += time.perf_counter() - placed
        placing, moving = placing + placed - moved, moving + moved - begin
    return moving / count, placing / count, shaping / count


def live_group(quick: bool) -> Group:
    """Pictures a second of robots that move in real time, against those that are shown."""
    rows, targets, data = [], [], {}
    for name, make in ROBOTS.items():
        rest = Resting(make()).rest
        parts = frames(rest if rest.status.ok else rest.system, SECONDS / (10 if quick else 1))
        rate = 1 / sum(parts)
        rows.append((name, *(ms(x) for x in parts), f"{rate:.3g}"))
        targets.append(at_least(f"viewer, {name} in real time", RATE, rate, "pictures/s"))
        data[name] = rate
    header = ("robot", "1/30 s of motion", "places", "surfaces", "pictures a second")
    note = "what the program does for each picture; the browser draws beside it"
    return Group(
        Table("The viewer, robots in motion", header, tuple(rows), note),
        tuple(targets),
        {"viewer_pictures_per_second": data},
    )
