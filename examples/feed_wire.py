"""A wire is fed into a bent tube: what the feeder pushes at rest, and in motion with friction."""

import numpy as np

import chorda

system = chorda.assemble(chorda.load("wire-tube"))
SPEED, FIRST = 0.04, 0.04  # [m/s, m]
LENGTHS = np.array([0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22])

rest, at_rest = None, []
for length in LENGTHS:  # a rest is without friction, which is zero where nothing moves
    rest = chorda.equilibrium(system, inputs={"feed": length}, initial=rest, strict=True)
    at_rest.append(rest.reactions["feed.motion"])
run = chorda.simulate(
    system,
    duration=(LENGTHS[-1] - FIRST) / SPEED,
    step=2e-3,
    inputs=lambda t: [FIRST + SPEED * t, 0.0],
    initial={"wire.length.rate": SPEED},
    strict=True,
)
push, normal = run.data["effort"].values[:, 0], run.data["normal_force"].values.sum(axis=1)
for length, alone in zip(LENGTHS, at_rest, strict=True):
    k = int(np.argmin(np.abs(run.position[:, -1] - length)))
    print(
        f"{length * 1e3:4.0f} mm are out: push {alone:6.3f} N at rest, {push[k]:6.3f} N in motion, "
        f"walls press with {normal[k]:.2f} N"
    )
stiffness = 6e10 * np.pi / 4 * 0.0005**4
print(f"a metre of wire bent as the tube holds {stiffness / 2 / 0.08**2:.3f} J")
