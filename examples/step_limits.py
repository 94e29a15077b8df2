"""How large a step each scheme bears, and what limits it."""

import chorda

system = chorda.assemble(chorda.load("neck-3"))
rest = chorda.equilibrium(system, tensions=20.0)
limits = chorda.step_limits(system, initial=rest)
for scheme, step, mode in limits.table():
    print(f"{scheme:26s} {step * 1e3:8.3g} ms   {mode}")
print(limits.suggestion)

run = chorda.simulate(
    system, duration=1.0, step=3e-3, scheme="explicit-euler", inputs=rest.u, initial={"x1": 0.1}
)
print(run.status)
