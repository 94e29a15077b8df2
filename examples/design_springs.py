"""Spring stiffnesses of a neck, chosen for a desired compliance.

A push of 1 N at the head turns each joint by some angle. The neck is simulated with and without the
push until it is at rest; exact derivatives of both motions by the stiffnesses feed Gauss-Newton.
"""

import numpy as np

import chorda
from chorda.describe import Load, Point

push = Load(name="push", at=Point(frame="x3.top"), force=(1.0, 0.0, 0.0))
robot = chorda.load("neck-3").model_copy(update={"loads": (push,)})
system = chorda.assemble(robot, tendons="rigid")
springs = [f"spring{k}-{side}.stiffness" for k in (1, 2, 3) for side in ("left", "right")]
joints = [system.coordinate_names.index(f"x{k}") for k in (1, 2, 3)]
torques = -0.02  # [N m] on every motor: the tendons stay taut
damping = {"x*.friction": 0.05}  # [N m s/rad] makes the motion come to rest soon


def compliance(stiffness):
    """Angles by which the push turns the joints, and their derivatives by three stiffnesses."""
    both = np.repeat(stiffness, 2)  # left and right alike
    found = chorda.rollout(
        system,
        duration=4.0,
        step=5e-3,
        scheme="implicit-euler",
        inputs=torques * np.ones(system.nu),
        parameters={**dict(zip(springs, both, strict=True)), **damping, "push.force.x": [0.0, 1.0]},
        gradients=springs,
    )
    by = found.by[:, -1][:, joints].reshape(2, 3, 3, 2).sum(3)
    return found.position[1, -1, joints] - found.position[0, -1, joints], by[1] - by[0]


desired = np.radians([-4.0, -3.0, 0.8])  # less at the base, more above it than the real neck
log_stiffness = np.log(np.full(3, 600.0))  # [N/m] those of the real one
for _ in range(12):
    angles, by = compliance(np.exp(log_stiffness))
    error = angles - desired
    step = np.linalg.lstsq(by * np.exp(log_stiffness), -error, rcond=None)[0]
    log_stiffness += np.clip(step, -1, 1)
    worst, found = np.degrees(np.abs(error).max()), np.exp(log_stiffness)
    print(f"error {worst:9.2e} deg, next stiffness {found.round(2)} N/m")
    if np.abs(error).max() < 1e-7:
        break
