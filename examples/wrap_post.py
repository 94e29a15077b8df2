"""A continuum arm wraps around a post: a winch pulls one cable in and pays the other one out."""

import numpy as np

import chorda

system = chorda.assemble(chorda.load("arm-post"))
PULL, POST = 0.022, np.array([-0.032, 0.08])  # [m]
run = chorda.simulate(
    system,
    duration=3.5,
    step=1e-3,
    inputs=lambda t: PULL * min(t / 2.5, 1.0) * np.array([-1.0, 1.0]),
    strict=True,
)
normal = run.data["normal_force"].values[-1]
points = run.data["contact_point"].values[-1].reshape(-1, 3)[normal > 0, :2] - POST
angles = np.degrees(np.unwrap(np.arctan2(points[:, 1], points[:, 0])))
for angle, force in zip(angles, normal[normal > 0], strict=True):
    print(f"at {angle:6.1f} deg of the post it presses with {force:.2f} N")
print(f"wrapped by {angles[-1] - angles[0]:.0f} deg")
left, right = run.outputs["tension"][-1]
print(f"tensions {left:.1f} N and {right:.1f} N")

rest = chorda.equilibrium(
    system,
    inputs={"winch-left": -PULL, "winch-right": PULL},
    initial=dict(zip(system.coordinate_names, run.position[-1], strict=True)),
    strict=True,
)
print(f"tip {np.round(rest.frame('arm.tip')[0] * 1e3, 1)} mm at rest")
