"""From a scheme and a system to a kernel, kept for as long as the system lives."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import casadi as ca

from chorda.compile import Kernel, Settings, build, compiler
from chorda.compile.cache import key
from chorda.dynamics.schemes import Scheme, Stepper
from chorda.mechanics import System
from chorda.mechanics.frames import SX


def functions(stepper: Stepper) -> dict[str, Any]:
    """The functions that driver.c calls."""
    arguments = stepper.step.arguments
    if stepper.z is None:
        results = [stepper.after] if stepper.error is None else [stepper.after, stepper.error]
        return {"after": ca.Function("chorda_after", arguments, ca.cse(results))}
    of_z = {"after": [stepper.after]}
    if stepper.reuses_matrix:
        of_z["residual"] = [ca.densify(stepper.residual), ca.densify(stepper.weight)]
        of_z["matrix"] = [stepper.matrix]
    else:
        of_z["better"] = [stepper.better, stepper.change]
    return {"guess": ca.Function("chorda_guess", arguments, [stepper.guess])} | {
        name: ca.Function(f"chorda_{name}", [*arguments, stepper.z], ca.cse(results))
        for name, results in of_z.items()
    }


def control_function(system: System, law: Any, memory: int, nw: int) -> Any:
    """The law as a function (t, x, w, p) -> u of the kernel's state."""
    kind = SX if law.is_a("SXFunction") else ca.MX
    t, w, p = kind.sym("t"), kind.sym("w", nw), kind.sym("p", system.p.numel())
    x = kind.sym("x", system.nq + system.nv + memory)
    q, v = x[: system.nq], x[system.nq : system.nq + system.nv]
    return ca.Function("chorda_control", [t, x, w, p], [law(t, q, v, w, p)])


def kernel(system: System, scheme: Scheme, law: Any = None, nw: int = 0) -> Kernel:
    """The compiled (or interpreted) time loop."""
    wanted = ("kernel", scheme.name, law, system.reuses_matrix, compiler.find())
    return system.once(wanted, lambda: _build(system, scheme, law, nw))


def _build(system: System, scheme: Scheme, law: Any, nw: int) -> Kernel:
    settings, make = ingredients(system, scheme, law, nw)
    recipe = key(fingerprint(system), scheme.name, sources(), law.serialize() if law else "")
    return build(recipe.encode(), settings, make)


def ingredients(
    system: System, scheme: Scheme, law: Any, nw: int
) -> tuple[Settings, Callable[[], dict[str, Any]]]:
    """What a kernel is made of: its kind and sizes, and its functions when they are asked for."""
    memory = scheme.memory(system)
    settings = Settings(
        nx=system.nq + system.nv + memory,
        nu=system.nu,
        nw=nw if law is not None else system.nu,
        nz=system.nv + system.nc if scheme.iterates else 0,
        newton=scheme.iterates,
        reuses=scheme.iterates and system.reuses_matrix,
        adaptive=scheme.adaptive,
        control=law is not None,
        order=scheme.order,
    )

    def make() -> dict[str, Any]:
        made = functions(stepper(system, scheme))
        if law is not None:
            made["control"] = control_function(system, law, memory, nw)
        return made

    return settings, make


def stepper(system: System, scheme: Scheme) -> Stepper:
    """The scheme made for this system, once."""
    wanted = ("stepper", scheme.name, system.reuses_matrix)
    return system.once(wanted, lambda: scheme.build(system))


def starter(system: System, scheme: Scheme) -> Any:
    """(q, v, u, p, h) -> the state that a run with steps h starts from."""

    def make() -> Any:
        inputs = [system.q, system.v, system.u, system.p, SX.sym("h")]
        state = ca.vertcat(system.q, system.v, scheme.start(system, *inputs))
        return ca.Function("start", inputs, [state])

    return system.once(("start", scheme.name), make)


def fingerprint(system: System) -> str:
    """Identifies the equations, whatever the parameters' values."""
    d = system.dynamics
    whole = ca.Function(
        "system",
        [system.q, system.v, system.a, system.u, system.p],
        [d.M, d.F, d.dry, d.jumping, d.residual, system.constraints.psi, d.N],
    )
    return key(whole.serialize())


def sources(*more: str) -> str:
    """Changes when a scheme's code, the symbolic algebra or this file changes, or what is in more
    packages."""
    packages = ("chorda.dynamics.schemes", "chorda.mechanics", *more)
    folders = [files(name) for name in packages]
    texts = [
        f.read_bytes()
        for folder in folders
        for f in sorted(folder.iterdir(), key=lambda f: f.name)
        if f.name.endswith(".py")
    ]
    return key(*texts, files("chorda.dynamics").joinpath("kernels.py").read_bytes())
