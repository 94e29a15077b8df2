"""Instruments: regressors along a simulated motion, free of the noise in the measured one.

The model, with the parameters found so far, is driven by the measured inputs; what it does is
correlated with the true motion and not with the measurement noise [Janot2014].
"""

from collections.abc import Mapping

import numpy as np

from chorda.identify.preparing import Prepared, Samples
from chorda.mechanics import Array, System
from chorda.solve import simulate

SCHEME = "rosenbrock"


def simulated(
    prepared: Prepared, system: System, p: Array, offsets: Mapping[str, float]
) -> Samples | None:
    """Samples of the motion that the model makes of the measured inputs; None if it diverges."""
    q, u = prepared.columns(offsets)
    h = 1 / prepared.fast
    samples = prepared.differentiated(q, u)
    start = np.concatenate([q[0], samples.v[0]])
    try:
        run = simulate(
            system,
            duration=h * (len(q) - 1),
            step=h,
            scheme=SCHEME,
            inputs=u,
            initial=start,
            parameters=physical(system, p),
            progress=False,
        )
    except ValueError:  # the measured start is outside the ranges
        return None
    if not run.status.ok or len(run.time) != len(q):
        return None
    return prepared.differentiated(run.position, u)


def physical(system: System, p: Array) -> dict[str, float]:
    """Parameters by name, those that must not be negative kept from it."""
    return {
        name: float(value if signed else max(value, 1e-12))
        for name, value, signed in zip(
            system.parameter_names, p, system.parameter_signed, strict=True
        )
    }
