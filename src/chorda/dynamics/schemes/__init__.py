"""Integration schemes, generic over any System: small files, and Runge-Kutta tableaux."""

from types import SimpleNamespace
from typing import Literal

from chorda.checks import number, refuse_idle, shown
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
SchemeName = Literal[  # for editors, which complete them
    "explicit-euler",
    "symplectic-euler",
    "heun",
    "rk4",
    "rk45",
    "implicit-euler",
    "implicit-euler-converged",
    "bdf2",
    "generalized-alpha",
    "newmark",
    "rosenbrock",
    "cvodes",
]
REFERENCE = "cvodes"  # the adaptive stiff reference, see dynamics/cvodes.py
# the names as attributes, which complete with Tab: schemes.implicit_euler is "implicit-euler"
NAMES = SimpleNamespace(**{x.replace("-", "_"): x for x in (*SCHEMES, REFERENCE)})


def usual(model: Model) -> str:
    """The scheme for those who name none: exact derivatives of a rod's loops cost too much."""
    return implicit_euler.SCHEME.name if model.tangent is None else bdf2.SCHEME.name


def find(name: str, rho_inf: float | None = None) -> Scheme:
    """The scheme of that name; rho_inf: spectral radius at infinity of generalized-alpha."""
    check_scheme(name, rho_inf)
    if name == REFERENCE:
        raise InputError(f"scheme: '{name}' is a program of its own; expected another one")
    return SCHEMES[name] if rho_inf is None else generalized_alpha.scheme(float(rho_inf))


def check_scheme(name: object, rho_inf: object = None) -> None:
    """Refuse what is no scheme's name, and a spectral radius that it does not have."""
    if not isinstance(name, str) or name not in (*SCHEMES, REFERENCE):
        text = shown(name) if isinstance(name, str) else f"'{shown(name)}'"
        raise InputError(
            f"scheme: {text} is not known; expected one of {', '.join([*SCHEMES, REFERENCE])}"
        )
    if rho_inf is not None:
        number("rho_inf", rho_inf, least=0, most=1)
        if name != generalized_alpha.SCHEME.name:
            remedy = f"take scheme '{generalized_alpha.SCHEME.name}'"
            refuse_idle({"rho_inf": True}, f"with scheme '{name}'", remedy)


__all__ = [
    "NAMES",
    "REFERENCE",
    "SCHEMES",
    "Scheme",
    "SchemeName",
    "Stepper",
    "acceleration",
    "check_scheme",
    "find",
    "usual",
]
