"""Friction and stiffness of a neck, identified from a log, and a motion that they predict.

The log comes from a virtual experiment, so that the true numbers are known: its motors are measured
500 times a second, its joints by a camera 30 times, with noise and on a clock of its own.
"""

import tempfile
from pathlib import Path

import chorda
from chorda.control import JointControl, Sine

robot = chorda.load("fasquelle-3-pulleys")
system = chorda.assemble(robot)
log = chorda.experiment(system, duration=20.0)

found = chorda.identify(log, robot)
for x in found.estimates:
    print(f"{x.name:24s} {x.value:10.3g} {x.unit:9s} true {x.truth:8.3g}   {x.verdict}")
delay, deviation = found.offsets["camera"], found.offset_deviations["camera"]
print(f"the camera's clock is late by {1e3 * delay:.1f} ms, within {1e3 * deviation:.1f} ms")

with tempfile.TemporaryDirectory() as folder:  # give a path of your own to keep the page
    page = found.report(Path(folder) / "identification.html")
    print(f"{page.name}: {page.stat().st_size / 1e3:.0f} kB of tables and figures")

# A motion that was not in the log, simulated with the identified and with the true parameters.
motion = JointControl(Sine.from_rest([0.5, -0.4, 0.3]), minimum_tension=10.0)
runs = [
    chorda.simulate(
        system,
        duration=3.0,
        step=1e-3,
        control=motion,
        initial={"tension": 10.0},
        parameters=parameters,
        strict=True,
    )
    for parameters in (found.parameters, None)
]
error = abs(runs[0].outputs["tension"] - runs[1].outputs["tension"]).max()
print(f"tensions up to {runs[1].outputs['tension'].max():.1f} N, predicted within {error:.2f} N")
