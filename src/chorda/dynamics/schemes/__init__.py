"""Integration schemes: one small file each, generic over any System."""

from chorda.dynamics.schemes import (
    bdf2,
    explicit_euler,
    generalized_alpha,
    heun,
    implicit_euler,
    implicit_euler_converged,
    rk4,
    rk45,
    rosenbrock,
    symplectic_euler,
)
from chorda.dynamics.schemes.stepper import Model, Scheme, Step, Stepper, acceleration
from chorda.errors import InputError

SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        explicit_euler.SCHEME,
        symplectic_euler.SCHEME,
        heun.SCHEME,
        rk4.SCHEME,
        rk45.SCHEME,
        implicit_euler.SCHEME,
        implicit_euler_converged.SCHEME,
        bdf2.SCHEME,
        generalized_alpha.SCHEME,
        generalized_alpha.NEWMARK,
        rosenbrock.SCHEME,
    )
}
REFERENCE = "cvodes"  # the adaptive stiff reference, see dynamics/cvodes.py


def usual(model: Model) -> str:
    """The scheme for those who name none: exact derivatives of a rod's loops cost too much."""
    return implicit_euler.SCHEME.name if model.tangent is None else bdf2.SCHEME.name


def find(name: str) -> Scheme:
    """The scheme of that name."""
    if name not in SCHEMES:
        raise InputError(
            f"scheme: '{name}' is not known; expected one of {', '.join([*SCHEMES, REFERENCE])}"
        )
    return SCHEMES[name]


__all__ = [
    "REFERENCE",
    "SCHEMES",
    "Model",
    "Scheme",
    "Step",
    "Stepper",
    "acceleration",
    "find",
    "usual",
]
