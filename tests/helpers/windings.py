"""A smooth motion of motors on elastic tendons, and how far what it identifies is off."""

import numpy as np
from scipy.interpolate import make_interp_spline

from chorda.control import Fourier, MotorPD
from chorda.identification import Sensors, experiment
from chorda.mechanics.tensioning import wound


class Winding:
    """Motor angles that hold a tension along a motion of the joints; smooth to the sixth order.

    Torques that are distributed over tendons have corners where the least tension changes from
    one to another; a motor that winds along a spline makes none.
    """

    def __init__(self, system, joints, tension, end):
        n = sum(c.kind == "joint" for c in system.coordinates)
        t, p = np.linspace(0, end, int(end * 100) + 1), system.parameter_values
        pull = np.full(len(system.robot.tendons), float(tension))
        angles = []
        for row in joints(t)[0]:
            q = system.rest
            q[:n] = row
            angles.append(wound(system, q, pull, p)[n:])
        self.spline = make_interp_spline(t, np.array(angles), k=7)

    def __call__(self, t):
        return tuple(self.spline(t, nu=k) for k in range(3))


def wound_log(system, size, tension, duration, pay, rate=1000.0, step=5e-5):
    """What ideal sensors see of a robot whose motors wind along a Fourier motion of the joints.

    pay [m]: drum radius over gear ratio.
    """
    n = sum(c.kind == "joint" for c in system.coordinates)
    joints = Fourier.random(n, size, 0.1, harmonics=5, seed=1)
    control = MotorPD(
        Winding(system, joints, tension, duration),
        stiffness=0.05,
        damping=0.002,
        offset=-tension * pay,
    )
    return experiment(
        system,
        control=control,
        duration=duration,
        sensors=Sensors.ideal(rate),
        step=step,
        initial={"tension": tension},
        progress=False,
    )
