"""A finger described in Python, written as YAML, and held by its tendons."""

import tempfile
from pathlib import Path

import chorda
from chorda.describe import (
    Body,
    KelvinVoigt,
    Point,
    Revolute,
    Robot,
    Tendon,
    TensionActuator,
    write,
)

bone = Body(mass=0.05, center=(0, 0.03, 0), inertia=(1e-5, 1e-6, 1e-5, 0, 0, 0))
paths = {
    side: (Point(point=(x, -0.02, 0)), Point(frame="joint", point=(x, 0.02, 0)))
    for side, x in (("left", -0.01), ("right", 0.01))
}
finger = Robot(
    name="finger",
    joints=(Revolute(name="joint", body=bone, friction=1e-3, stiffness=0.5),),
    actuators=tuple(TensionActuator(name=f"pull-{side}") for side in paths),
    tendons=tuple(
        Tendon(name=side, path=path, law=KelvinVoigt(stiffness=2e4), actuator=f"pull-{side}")
        for side, path in paths.items()
    ),
)
with tempfile.TemporaryDirectory() as folder:
    again = chorda.load(write(finger, Path(folder) / "finger.yaml"))
assert again == finger

system = chorda.assemble(finger)
for left, right in ((2.0, 2.0), (3.0, 2.0), (2.0, 3.0)):
    rest = chorda.equilibrium(system, tensions={"left": left, "right": right})
    angle = rest.position["joint"]
    print(f"left {left} N, right {right} N: {angle:+.4f} rad, stable: {rest.stable}")
