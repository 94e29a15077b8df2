"""All files of a C export, from templates in which words between @ are replaced."""

import re
from importlib.resources import files

import numpy as np

from chorda.compile.job import MAX_ITERATIONS
from chorda.exporting.c import code
from chorda.exporting.c.declarations import enumerations, row, tables
from chorda.exporting.destination import MARK
from chorda.exporting.discrete_model import DiscreteModel, reference_steps
from chorda.exporting.identifiers import prefix
from chorda.mechanics import Array
from chorda.safe_text import in_c_comment, in_markdown

# Compilers differ in how they round sums of products. Measured, with -ffast-math too: steps to
# 8e-13; tensions, 1e5 N/m times a difference of lengths, to 4e-12
STEP_ERROR, OUTPUT_ERROR = 1e-12, 1e-10
ROUNDING = 1e-14  # of coordinates; over the step, that of velocities, which are their differences
# Schemes that choose their steps do so by a small difference of large numbers. Measured where
# shapes touch: a start that differs by 1e-16 ends with 5e-12 [rad/s], in fixed steps with 2e-13
CHOSEN_STEPS = 100.0
TEMPLATES = ("robot.h", "robot.c", "example.c", "test.c", "Makefile", "README.md")


def contents(model: DiscreteModel) -> dict[str, str]:
    """Text by file name."""
    name = prefix(model.system.robot.name)
    words = _words(model, name)
    out = {}
    for template in TEMPLATES:
        text = files("chorda.exporting.c").joinpath(template).read_text(encoding="utf-8")
        # all at once: what is put in is not looked through for words
        text = re.sub(r"@(\w+)@", lambda match: str(words[match[1]]), text)
        out[template.replace("robot", name)] = text
    return out


def _words(model: DiscreteModel, name: str) -> dict[str, object]:
    system, robot, scheme = model.system, model.system.robot, model.scheme
    made, steps = code.write(model), reference_steps(model)
    low, high = model.bounds
    title = f": {robot.title}" if robot.title else ""
    nq, nv, nu, nx = system.nq, system.nv, system.nu, model.settings.nx
    npar, ny = len(model.p), len(model.numbers["y"])
    loose = CHOSEN_STEPS if model.scheme.adaptive else 1.0
    return {
        "mark": MARK,
        "name": name,
        "NAME": name.upper(),
        "commented_robot": in_c_comment(robot.name),
        "robot": in_markdown(robot.name),
        "title": in_markdown(robot.title),
        "about": in_c_comment(f"{robot.name}, {system.mode} tendons, {scheme.title}{title}."),
        "scheme": scheme.title,
        "step": f"{model.step:g}",
        "exact_step": repr(model.step),
        "nq": nq,
        "nv": nv,
        "nx": nx,
        "nu": nu,
        "np": npar,
        "ny": ny,
        "memory": nx - nq - nv,
        "positions": max(nq, 1),  # C has no arrays of length 0
        "velocities": max(nv, 1),
        "states_size": nq + nv + 1,
        "inputs_size": nu + 1,
        "parameters_size": npar + 1,
        "outputs_size": ny + 1,
        "enumerations": enumerations(model, name.upper()),
        "tables": tables(model, name),
        **vars(made),
        "bytes": 8 * (8 + made.kept + made.forces + made.work + made.integers),
        "level": "-O1" if made.long else "-O2",
        "low": row(low),
        "high": row(high),
        "tolerance": repr(model.tolerance),
        "iterations": MAX_ITERATIONS,
        "steps": len(steps.states) - 1,
        "states": _rows(steps.states),
        "inputs": _rows(_padded(steps.inputs)),
        "outputs": _rows(_padded(steps.outputs)),
        "step_error": repr(loose * STEP_ERROR),
        "velocity_error": repr(loose * max(STEP_ERROR, ROUNDING / model.step)),
        "output_error": repr(OUTPUT_ERROR),
    }


def _rows(values: Array) -> str:
    return ",\n".join(f"  {{{row(x)}}}" for x in values)


def _padded(values: Array) -> Array:
    """With a column of zeros, so that there is at least one."""
    return np.hstack([values, np.zeros((len(values), 1))])
