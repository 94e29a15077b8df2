"""How many pictures a second the viewer makes of robots in motion, without the browser's part."""

import time
from collections.abc import Callable

from chorda.bench import hand
from chorda.bench.groups import Group, at_least, ms
from chorda.bench.served_pictures import served
from chorda.catalogue import load
from chorda.mechanics import System, assemble
from chorda.results import Equilibrium, Table
from chorda.view.live.moving_robot import MovingRobot
from chorda.view.live.resting import Resting
from chorda.view.live.surfaces import surfaces
from chorda.view.scene import make_scene

RATE = 30.0  # pictures a second that are asked for
SECONDS = 2.0  # of the motion
HAND = "hand of 20 joints"
ROBOTS: dict[str, Callable[[], System]] = {
    "neck-3": lambda: assemble(load("neck-3")),
    HAND: lambda: assemble(hand.robot()),
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
    """Pictures a second of robots that move in real time, against those that are shown; quick:
    without the hand, which compiles longest."""
    rows, targets, data = [], [], {}
    for name, make in ROBOTS.items():
        if quick and name == HAND:
            targets.append(at_least(f"viewer, {name} in real time", RATE, None, "pictures/s"))
            continue
        rest = Resting(make()).rest
        start = rest if rest.status.ok else rest.system
        seconds = SECONDS / (10 if quick else 1)
        parts, whole = frames(start, seconds), served(start, PULL, seconds)
        rate = None if whole is None else whole.rate
        last: tuple[str, ...] = ("-",) * 4
        if whole is not None and whole.pictures:
            each = whole.processors / whole.pictures
            size = whole.sent / whole.pictures / 1e3
            last = ms(each), f"{size:.3g} kB", f"{whole.real_time:.2f}", f"{whole.rate:.3g}"
        rows.append((name, *(ms(x) for x in parts), *last))
        targets.append(at_least(f"viewer, {name} in real time", RATE, rate, "pictures/s"))
        data[name] = rate
    whole_words = ("all of a picture", "sent", "of real time", "pictures a second")
    header = ("robot", "1/30 s of motion", "places", "surfaces", *whole_words)
    note = (
        "all of a picture: processor time of the running viewer, with its messages and a client "
        "that reads them; pictures a second: that one processor could make, while it makes 30; "
        "the browser draws beside it"
    )
    return Group(
        Table("The viewer, robots in motion", header, tuple(rows), note),
        tuple(targets),
        {"viewer_pictures_per_second": data},
    )
