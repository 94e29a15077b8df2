"""The C source of a model: CasADi's functions and the library's own loop in time."""

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import source
from chorda.dynamics.kernels import functions, starter, stepper
from chorda.dynamics.schemes.stepper import yielding
from chorda.exporting.c.cleaning import clean
from chorda.exporting.discrete_model import DiscreteModel
from chorda.mechanics.frames import SX

DRIVERS = ("newton.c", "driver.c")


@dataclass(frozen=True)
class Code:
    """Source text, and the sizes that its header must know."""

    text: str
    work: int
    integers: int
    kept: int
    forces: int
    long: bool  # so much that optimizing it takes minutes


def write(model: DiscreteModel) -> Code:
    """The functions and the loop, each of them private to the file."""
    system = model.system
    made = functions(stepper(system, model.scheme)) | _more(model)  # as in dynamics/kernels.py
    needs = "forces" in made
    generated = source.generate(made, model.settings.defines(), ())
    root = files("chorda.compile")
    driver = "\n".join(root.joinpath(name).read_text(encoding="utf-8") for name in DRIVERS)
    defines = {key: int(n) for key, n in re.findall(r"^#define (\w+) (\d+)$", generated, re.M)}
    size, sizes = system.nv + system.nc, source.work(generated)
    defines |= {"NQ": system.nq, "NEEDS_FORCES": int(needs), "ND": size}
    lines = "".join(f"#define {key} {value}\n" for key, value in defines.items())
    loop = driver.replace("EXPORT long chorda_run", "static long chorda_run")
    return Code(
        text=f"{clean(generated, [f.name() for f in made.values()])}\n{lines}\n{loop}",
        work=1 + sizes["w"],
        integers=1 + sizes["iw"],
        kept=1 + model.settings.kept,
        forces=size * (size + 1) if needs else 1,
        long=source.operations(made) > source.LONG,
    )


def _more(model: DiscreteModel) -> dict[str, Any]:
    """What the library does around its loop: the start, outputs, and the forces they need."""
    s = model.system
    begin = starter(s, model.scheme)
    symbols = [SX.sym(f"i{k}", begin.size1_in(k)) for k in range(begin.n_in())]
    y = ca.densify(ca.vertcat(SX(0, 1), *[o.expression for o in s.outputs]))
    unknown = ca.vertcat(s.a, s.lam)
    seen = [s.q, s.v, s.u, s.p]
    made = {
        "start": ca.Function("chorda_start", symbols, [ca.densify(begin(*symbols))]),
        "outputs": ca.Function("chorda_outputs", [*seen, unknown], ca.cse([y])),
    }
    if y.numel() and unknown.numel() and np.any(ca.which_depends(y, unknown, 1, True)):
        J = s.constraints.J
        slack = yielding(s.nc, s.compliance)
        A = ca.vertcat(ca.horzcat(s.dynamics.M, -J.T), ca.horzcat(J, slack))
        b = ca.vertcat(s.dynamics.F, -s.constraints.bias)
        results = ca.cse([ca.densify(A), ca.densify(b)])
        made["forces"] = ca.Function("chorda_forces", seen, results)
    return made
