"""A bird neck reaches around a post: motors pull to the right until two bars lean on it."""

import numpy as np

import chorda

system = chorda.assemble(chorda.load("neck-obstacle"))
first = np.full(4, -0.020)  # [N m] of the motors: three right ones, the left one
last = np.array([-0.038, -0.038, -0.044, -0.010])
run = chorda.simulate(
    system,
    duration=6.0,
    step=1e-3,
    inputs=lambda t: first + min(t / 3.0, 1.0) * (last - first),
    initial={"tension": 25.0},
    strict=True,
)
for event in run.events:
    print(event)
for touch, force, gap in zip(
    system.touches, run.data["normal_force"].values[-1], run.data["gap"].values[-1], strict=True
):
    print(f"{touch.first}: {force:.2f} N on the post, gap {gap * 1e3:+.3f} mm")
turned = np.degrees(run.position[-1, :3].sum())
speed = np.abs(run.velocity[-1, :3]).max()
print(f"head turned by {turned:.1f} deg, lowest tension {run.outputs['tension'].min():.1f} N")
print(f"fastest joint at the end {speed:.4f} rad/s")
