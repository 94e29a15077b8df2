"""How much the manipulator's inertia is beside the motors', as the joints feel both."""

import numpy as np
from scipy.linalg import eigh

from chorda.catalogue import load
from chorda.mechanics import Array, assemble


def inertia_ratio(robot: str, inertia: float) -> float:
    """Largest ratio of the structure's kinetic energy to the motors' over all motions of the
    straight robot: the largest eigenvalue of M_s x = r J^T I J x [Testard2023, eq. 3].
    """
    system = assemble(load(robot), "rigid")
    mass = system.function("mass", "q v u p", system.dynamics.M)

    def at(value: float) -> Array:
        p = system.parameters({"motor-*.inertia": value})
        zeros = np.zeros(system.nv), np.zeros(system.nu)
        return np.asarray(mass(system.rest, *zeros, p).full())

    motors = at(2 * inertia) - at(inertia)  # the mass matrix is linear in their inertia
    return float(eigh(at(inertia) - motors, motors, eigvals_only=True)[-1])
