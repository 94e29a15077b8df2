"""A platform on three flexible legs: its kinematics, its compliance and stability, its motion.

The motors of the planar robot turn the platform, slowly and fast; then a force pushes it aside and
is removed.
"""

import numpy as np

import chorda
from chorda.describe import Load, Point, locked

robot = chorda.load("3-rfr")
system = chorda.assemble(robot)
motors = ["motor1", "motor2", "motor3"]

# Forward problem: all motors turn by the same angle, and so does the platform.
home = chorda.equilibrium(system, hold=dict.fromkeys(motors, 0.0), strict=True)
turned = chorda.follow(home, hold=dict.fromkeys(motors, 0.3), points=10, strict=True)
print(f"the platform turns by {np.degrees(turned.at(-1).position['platform']):.2f} degrees")

# Inverse problem: the pose of the platform is prescribed, the motors follow.
aside = chorda.follow(
    home,
    poses={"platform": {"x": 0.01, "y": 0.005}},
    hold={"platform": 0.05},
    actuated=motors,
    points=10,
    strict=True,
)
print({name: round(aside.at(-1).position[name], 4) for name in motors})
print(chorda.stability(aside.at(-1))["locked"].sentence)
for row in chorda.kinematostatics(home, "platform").table().rows:
    print(*row)

# Dynamics: along the path of the forward problem, slowly and fast.
for duration in (2.0, 0.1):
    run = chorda.simulate(
        system,
        duration=duration,
        step=duration / 500,
        initial=turned.at(0),
        inputs=turned.inputs(duration),
        strict=True,
    )
    effort = np.abs(run.data["effort"].values).max()
    row = system.coordinate_names.index("platform")
    away = np.degrees(run.position[-1, row] - turned.at(-1).position["platform"])
    print(f"in {duration:g} s: motors give {effort:.2f} N m; {away:.3f} degrees off at the end")

# Dynamics: from the equilibrium under a load, motors locked, the load is removed.
push = Load(name="push", at=Point(frame="platform"), force=(2.0, 1.0, 0.0))
held = locked(robot, dict.fromkeys(motors, 0.0)).model_copy(update={"loads": (push,)})
loaded = chorda.assemble(held)
rest = chorda.equilibrium(loaded, strict=True)
run = chorda.simulate(
    loaded,
    duration=0.5,
    step=1e-3,
    scheme="generalized-alpha",
    initial=rest,
    parameters={"push.force.*": 0.0},
    strict=True,
)
swing = run.data["position"].sel(coordinate="platform_x")
print(
    f"pushed by {1e3 * rest.position['platform_x']:.1f} mm, it swings between "
    f"{1e3 * float(swing.min()):.1f} and {1e3 * float(swing.max()):.1f} mm"
)
