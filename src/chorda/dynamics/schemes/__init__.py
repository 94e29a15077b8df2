"""Integration schemes, generic over any System: small files, and Runge-Kutta tableaux."""

from chorda.checks import shown
from chorda.dynamics.schemes import (
    bdf2,
    generalized_alpha,
    implicit_euler,
    implicit_euler_converged,
    rosenbrock,
    runge_kutta,
    symplectic_euler,
)
from chorda.dynamics.schemes.stepper import Model, Scheme, Stepper, acceleration
from chorda.errors import InputError

SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        runge_kutta.EULER,
        symplectic_euler.SCHEME,
        runge_kutta.HEUN,
        runge_kutta.RK4,
        runge_kutta.RK45,
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
    check_scheme(name)
    if name == REFERENCE:
        raise InputError(f"scheme: '{name}' is a program of its own; expected another one")
    return SCHEMES[name]


def check_scheme(name: object) -> None:
    """Refuse what is no scheme's name."""
    if not isinstance(name, str) or name not in (*SCHEMES, REFERENCE):
        text = shown(name) if isinstance(name, str) else f"'{shown(name)}'"
        raise InputError(
            f"scheme: {text} is not known; expected one of {', '.join([*SCHEMES, REFERENCE])}"
        )


__all__ = [
    "REFERENCE",
    "SCHEMES",
    "Scheme",
    "Stepper",
    "acceleration",
    "check_scheme",
    "find",
    "usual",
]
