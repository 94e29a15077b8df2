"""CasADi's own files: dynamics, outputs and one step as functions, with a list of names."""

import tempfile
from pathlib import Path
from typing import Any

import casadi as ca

from chorda.dynamics.kernels import starter, stepper
from chorda.dynamics.schemes import Stepper
from chorda.exporting.destination import LIST, MARK, Content, checksum
from chorda.exporting.discrete_model import DiscreteModel
from chorda.safe_text import in_json

CORRECTIONS = 10  # of Newton's method in a step; the tangents of rods are approximate

EQUATIONS = (
    "M a = F + J^T lam, where F holds all forces but lam, dry friction too; dry is that part of F. "
    "lam keeps psi = 0: while u is held, d2 psi/dt2 = J a + bias, where bias is the part that "
    "velocities make. a = dv/dt, dq/dt = N v; q_dot is dq/dt with the rates of coordinates that no "
    "velocity moves, such as the deflection of bristles. residual: r = M a - F. SI units."
)


def contents(model: DiscreteModel) -> dict[str, Content]:
    """What is in each file; the list of names comes last."""
    made = functions(model)
    saved = {f"{name}.casadi": _saved(f) for name, f in made.items()}
    sums = {name: checksum(data) for name, data in saved.items()}
    return {**saved, LIST: in_json(names(model, made, sums)) + "\n"}


def functions(model: DiscreteModel) -> dict[str, Any]:
    """The functions, with names of their inputs and results.

    start: the state x before the first step; step: x after h.
    """
    s = model.system
    seen = {"q": s.q, "v": s.v, "u": s.u, "p": s.p}
    rates = {"q": s.q, "v": s.v, "a": s.a, "u": s.u, "p": s.p}
    d, c = s.dynamics, s.constraints
    results = {"M": d.M, "F": d.F, "dry": d.dry, "J": c.J, "bias": c.bias, "psi": c.psi, "N": d.N}
    results |= {"q_dot": d.q_dot} if s.nz else {}
    y = ca.vertcat(ca.SX(0, 1), *[o.expression for o in s.outputs])
    first = {**seen, "h": ca.SX.sym("h")}
    make = starter(s, model.scheme)
    made = {
        "dynamics": _function("dynamics", seen, results),
        "residual": _function("residual", rates, {"r": d.residual}),
        "outputs": _function("outputs", {**seen, "a": s.a, "lam": s.lam}, {"y": y}),
        "start": _function("start", first, {"x": make(*first.values())}),
    }
    if not model.scheme.adaptive:
        made["step"] = _step(stepper(s, model.scheme))
    return made


def names(model: DiscreteModel, made: dict[str, Any], files: dict[str, str]) -> dict[str, Any]:
    """What each number is: name, unit, value; and the files with their sums."""
    s = model.system

    def rows(symbol: str, *fields: str) -> list[dict[str, Any]]:
        return [{field: getattr(x, field) for field in fields} for x in model.numbers[symbol]]

    return {
        "about": f"{MARK}: {s.robot.name}, {s.mode} tendons, {model.scheme.title}",
        "files": files,
        "equations": EQUATIONS,
        "functions": {
            key: {"inputs": f.name_in(), "results": f.name_out()} for key, f in made.items()
        },
        "step": model.step,
        "scheme": model.scheme.name,
        "state": ["q", "v", "memory of the scheme"],
        "state_size": model.settings.nx,
        **{symbol: rows(symbol, "name", "unit", "value") for symbol in "qvup"},
        "y": rows("y", "name", "unit"),
        "lam": list(s.constraints.names),
    }


def _function(name: str, inputs: dict[str, Any], results: dict[str, Any]) -> Any:
    values = ca.cse([ca.densify(x) for x in results.values()])
    return ca.Function(name, list(inputs.values()), values, list(inputs), list(results))


def _saved(function: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "function.casadi"
        function.save(str(path))
        return path.read_bytes()


def _step(made: Stepper) -> Any:
    """(x, h, u0, u1, p) -> x after h and, of schemes that iterate, the last correction's size."""
    arguments, given = made.step.arguments, ["x", "h", "u0", "u1", "p"]
    if made.z is None:
        return ca.Function("step", arguments, ca.cse([made.after]), given, ["x_next"])
    guess = ca.Function("guess", arguments, [made.guess])
    after = ca.Function("after", [made.z, *arguments], [made.after])
    correct = _correction(made)
    inputs = [ca.MX.sym(name, x.numel()) for name, x in zip(given, arguments, strict=True)]
    z, change = guess(*inputs), ca.MX(0)
    for _ in range(CORRECTIONS):
        z, change = correct(z, *inputs)
    return ca.Function("step", inputs, [after(z, *inputs), change], given, ["x_next", "change"])


def _correction(made: Stepper) -> Any:
    """(z, x, h, u0, u1, p) -> a better z, and by how much it changed, as in `Stepper`."""
    symbols = [made.z, *made.step.arguments]
    if not made.reuses_matrix:
        return ca.Function("correct", symbols, ca.cse([made.better, made.change]))
    parts = [made.matrix, ca.densify(made.residual), ca.densify(made.weight)]
    linear = ca.Function("linear", symbols, parts)
    inputs = [ca.MX.sym("i", x.numel()) for x in symbols]
    A, r, weight = linear(*inputs)
    dz = -ca.solve(A, r)
    return ca.Function("correct", inputs, [inputs[0] + dz, ca.mmax(ca.fabs(dz) * weight)])
