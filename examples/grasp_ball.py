"""A hand of three fingers closes on a ball; then the pedestal goes, and friction holds the ball."""

import numpy as np

import chorda

system = chorda.assemble(chorda.load("hand-ball"))
DRUM, WEIGHT = 0.006, 0.1 * 9.81  # [m, N]


def inputs(t):
    """Torques that pull at the tendons; height of the pedestal and its acceleration."""
    pull = -DRUM * min(t / 0.3, 1.0) * np.array([5.0, 5.4, 4.8])
    x = np.clip((t - 0.8) / 0.4, 0, 1)
    height, change = -0.04 * (3 * x**2 - 2 * x**3), -0.04 * (6 - 12 * x) / 0.4**2
    return [*pull, height, change if 0 < x < 1 else 0.0]


run = chorda.simulate(system, duration=3.0, step=1e-3, inputs=inputs, strict=True)
alone = run.time > 1.3
y = run.position[alone][:, list(system.coordinate_names).index("ball.y")]
normal = run.data["normal_force"].values[alone]
shape = (*normal.shape, 3)
friction = run.data["friction_force"].values[alone].reshape(shape)
sliding = run.data["sliding_velocity"].values[alone].reshape(shape)
slip = np.linalg.norm(sliding, axis=2)[normal > 0].max()
push = normal[..., None] * run.data["contact_normal"].values[alone].reshape(shape) + friction
for touch, N, f in zip(
    system.touches, normal[-1], np.linalg.norm(friction[-1], axis=1), strict=True
):
    if N > 0:
        print(f"{touch.first}: {N:.3f} N, friction {f:.3f} N")
print(f"the fingers lift the ball by {y[-1] * 1e3:.3f} mm")
print(
    f"in {run.time[-1] - 1.3:.1f} s without the pedestal it sinks by {(y[0] - y[-1]) * 1e9:.3f} nm"
)
print(f"largest slip {slip * 1e3:.1e} mm/s")
print(f"vertical force of the fingers over the weight {push[-1, :, 1].sum() / WEIGHT:.6f}")
