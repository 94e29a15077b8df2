"""The 3-joint neck follows a motion; control keeps tensions at 5 N or more.

The controller knows rigid tendons; the elastic ones simulated here dip a little below.
"""

import chorda
from chorda.control import JointControl, Sine

system = chorda.assemble(chorda.load("neck-3"))
control = JointControl(Sine.from_rest([0.6, 0.5, 0.4]), minimum_tension=5.0)
run = chorda.simulate(
    system, duration=6.3, step=2e-3, control=control, initial={"tension": 5.0}, strict=True
)
error = run.position[:, :3] - control.reference(run.time)[0]
print(f"largest error {abs(error).max():.4f} rad")
print(f"lowest tension {run.outputs['tension'].min():.2f} N")
