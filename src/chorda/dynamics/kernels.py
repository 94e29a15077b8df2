"""From a scheme and a system to a kernel, kept for as long as the system lives."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from chorda.compile import Kernel, Settings, build, compiler
from chorda.compile.columns import at_columns
from chorda.compile.library import recipe_of
from chorda.dynamics.schemes import Scheme, Stepper
from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX
from chorda.mechanics.subexpressions import shared
from chorda.numerics.array_library import library

if TYPE_CHECKING:
    from chorda.dynamics.sensitivities import AnyLoop


def functions(stepper: Stepper) -> dict[str, Any]:
    """The functions that driver.c calls."""
    arguments = stepper.step.arguments
    if stepper.z is None:
        results = [stepper.after] if stepper.error is None else [stepper.after, stepper.error]
        return {"after": ca.Function("chorda_after", arguments, shared(arguments, results))}
    of_z, inputs = {"after": [stepper.after]}, [*arguments, stepper.z]
    if stepper.reuses_matrix:
        of_z["residual"] = [ca.densify(stepper.residual), ca.densify(stepper.weight)]
        of_z["matrix"] = [stepper.matrix]
    else:
        of_z["better"] = [stepper.better, stepper.change]
    return {"guess": ca.Function("chorda_guess", arguments, [stepper.guess])} | {
        name: ca.Function(f"chorda_{name}", inputs, shared(inputs, results))
        for name, results in of_z.items()
    }


def control_function(system: System, law: Any, memory: int, nw: int) -> Any:
    """The law as a function (t, x, w, p) -> u of the kernel's state."""
    kind = SX if law.is_a("SXFunction") else ca.MX
    t, w, p = kind.sym("t"), kind.sym("w", nw), kind.sym("p", system.p.numel())
    x = kind.sym("x", system.nq + system.nv + memory)
    q, v = x[: system.nq], x[system.nq : system.nq + system.nv]
    return ca.Function("chorda_control", [t, x, w, p], [law(t, q, v, w, p)])


@dataclass(frozen=True, eq=False)
class SchemeLoop:
    """The loop (see time_loop.py) of a scheme.

    law: (t, q, v, w, p) -> u, of a controller that is fed nw numbers w.
    """

    system: System
    scheme: Scheme
    law: Any = None
    nw: int = 0

    @property
    def settings(self) -> Settings:
        s, scheme = self.system, self.scheme
        return Settings(
            nx=s.nq + s.nv + scheme.memory(s),
            nu=s.nu,
            nw=s.nu if self.law is None else self.nw,
            nz=s.nv + s.nc if scheme.iterates else 0,
            newton=scheme.iterates,
            reuses=scheme.iterates and s.reuses_matrix,
            adaptive=scheme.adaptive,
            control=self.law is not None,
            order=scheme.order,
        )

    def functions(self) -> dict[str, Any]:
        made = functions(stepper(self.system, self.scheme))
        if self.law is not None:
            memory = self.scheme.memory(self.system)
            made["control"] = control_function(self.system, self.law, memory, self.nw)
        return made

    @property
    def identity(self) -> tuple[Any, ...]:
        """What tells its kernel from others of its system."""
        return self.scheme.identity, self.law, self.system.reuses_matrix

    @property
    def kernel(self) -> Kernel:
        return built(self)

    def start(self, h: float, q: Array, v: Array, u: Array, p: Array) -> Array:
        columns = [x[:, None] if x.ndim == 1 else x for x in (q, v, u, p)]
        if not self.scheme.memory(self.system):
            members, xp = max(x.shape[1] for x in columns), library(*columns[:2])
            wide = [xp.broadcast_to(xp.asarray(x), (len(x), members)) for x in columns[:2]]
            both: Array = xp.concatenate(wide)
            return both
        make = starter(self.system, self.scheme)
        return at_columns(self.system, make, *columns, np.array([[h]]))[0]

    def constants(self, p: Array) -> Array:
        return p


def built(loop: "AnyLoop") -> Kernel:
    """The compiled (or interpreted) kernel of a loop, made once."""

    def make() -> Kernel:
        return build(recipe(loop), loop.settings, loop.functions)

    return loop.system.once(("kernel", *loop.identity, compiler.find()), make)


def recipe(loop: "AnyLoop") -> bytes:
    """What the functions of its kernel follow from."""
    words = [x.serialize() if isinstance(x, ca.Function) else repr(x) for x in loop.identity]
    return recipe_of(loop.system, *words, package="chorda.dynamics")


def stepper(system: System, scheme: Scheme) -> Stepper:
    """The scheme made for this system, once."""
    wanted = ("stepper", scheme.identity, system.reuses_matrix)
    return system.once(wanted, lambda: scheme.build(system))


def starter(system: System, scheme: Scheme) -> Any:
    """(q, v, u, p, h) -> the state that a run with steps h starts from."""

    def make() -> Any:
        inputs = [system.q, system.v, system.u, system.p, SX.sym("h")]
        state = ca.vertcat(system.q, system.v, scheme.start(system, *inputs))
        return ca.Function("start", inputs, [state])

    return system.once(("start", scheme.identity), make)
