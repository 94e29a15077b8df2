"""The header: where each number is, its name, unit and value, and the functions."""

from collections.abc import Iterable, Sequence

from chorda.exporting import naming
from chorda.exporting.c.code import Code, output_names
from chorda.exporting.motion import Motion
from chorda.exporting.places import MARK

Named = Sequence[tuple[str, str]]  # name and what a person wants to know of it


def write(motion: Motion, code: Code, about: str) -> str:
    """Text of the header file."""
    system = motion.system
    low = naming.prefix(system.robot.name)
    up = low.upper()
    nq, nv = system.nq, system.nv
    memory = motion.settings.nx - nq - nv
    outputs = output_names(system)
    values = zip(system.parameter_names, system.parameter_table.units, motion.p, strict=True)
    sizes = {"NQ": nq, "NV": nv, "NX": motion.settings.nx, "NU": system.nu}
    sizes |= {"NP": len(motion.p), "NY": len(outputs)}
    defines = "".join(f"#define {up}_{key} {value}\n" for key, value in sizes.items())
    lists = [
        _enum(f"{up}_Q", "x[...]: coordinates", [(c.name, c.unit) for c in system.coordinates]),
        _enum(f"{up}_V", "x[...]: velocities", system.velocities, first=nq),
        _enum(f"{up}_U", "u[...]: inputs", [(i.name, i.unit) for i in system.inputs]),
        _enum(f"{up}_P", "p[...]: parameters", [(n, f"{u}, {x:.10g}") for n, u, x in values]),
        _enum(f"{up}_Y", "y[...]: outputs", outputs),
    ]
    return f"""\
/* {MARK}.
   {_safe(about)}

   x is the state: coordinates, velocities, and {memory} numbers that the scheme remembers.
   u are inputs, p parameters, y outputs; SI units. */

#ifndef CHORDA_{up}_H
#define CHORDA_{up}_H

#ifdef __cplusplus
extern "C" {{
#endif

{defines}\
#define {up}_STEP {motion.step!r} /* s */

{"".join(lists)}\
/* Everything that a step needs beside its arguments: one for each thread and each motion. info:
   0 status, 1 Newton iterations or internal steps, 2 rejected steps, 3 size of the internal step,
   4 largest change that Newton's method left, 5 matrices made. */
typedef struct {{
  double info[8], kept[{code.kept}], forces[{code.forces}], w[{code.work}];
  long long iw[{code.integers}];
}} {low}_work;

extern const double {low}_default_position[{max(nq, 1)}];
extern const double {low}_default_velocity[{max(nv, 1)}];
extern const double {low}_default_inputs[{system.nu + 1}];
extern const double {low}_default_parameters[{len(motion.p) + 1}];
extern const char *const {low}_state_names[{nq + nv + 1}];
extern const char *const {low}_input_names[{system.nu + 1}];
extern const char *const {low}_parameter_names[{len(motion.p) + 1}];
extern const char *const {low}_output_names[{len(outputs) + 1}];

/* Forgets earlier steps; {low}_start does it too. */
void {low}_reset({low}_work *work);

/* x before the first step of length h, from coordinates and velocities. */
void {low}_start({low}_work *work, const double *q, const double *v, const double *u,
    const double *p, double h, double *x);

/* x after h seconds under inputs that are held. x_next may be x. Returns 0, or why x_next is of no
   use: see {low}_status. */
int {low}_step({low}_work *work, const double *x, const double *u, const double *p, double h,
    double *x_next);

/* The same under inputs that run linearly from the step's start to its end. */
int {low}_step_between({low}_work *work, const double *x, const double *u_start,
    const double *u_end, const double *p, double h, double *x_next);

/* Tensions, lengths and so on at a state; 1 if accelerations cannot be found. */
int {low}_outputs({low}_work *work, const double *x, const double *u, const double *p, double *y);

/* What a step's return value says. */
const char *{low}_status(int status);

#ifdef __cplusplus
}}
#endif

#endif
"""


def tables(motion: Motion) -> str:
    """Default values and names, for the source file."""
    system = motion.system
    low = naming.prefix(system.robot.name)
    numbers = {
        "position": (motion.q, max(system.nq, 1)),
        "velocity": (motion.v, max(system.nv, 1)),
        "inputs": (motion.u, system.nu + 1),
        "parameters": (motion.p, len(motion.p) + 1),
    }
    names = {
        "state": [*system.coordinate_names, *(name for name, _ in system.velocities)],
        "input": [i.name for i in system.inputs],
        "parameter": list(system.parameter_names),
        "output": [name for name, _ in output_names(system)],
    }
    out = [
        f"const double {low}_default_{key}[{n}] = {{{row(values) or '0'}}};\n"
        for key, (values, n) in numbers.items()
    ]
    out += [
        f"const char *const {low}_{key}_names[{len(words) + 1}] = {{{_words([*words, ''])}}};\n"
        for key, words in names.items()
    ]
    return "".join(out) + STATUS.replace("@name@", low)


STATUS = """
const char *@name@_status(int status) {
  switch (status) {
    case 0: return "done";
    case 1: return "the state left its bounds or is not finite";
    case 2: return "Newton's method did not converge";
    case 3: return "the internal step became too small";
    default: return "unknown";
  }
}
"""


def row(values: Iterable[float]) -> str:
    """Numbers that C reads back to the last digit, ten a line at the most."""
    words = [_number(float(x)) for x in values]
    lines = [", ".join(words[k : k + 8]) for k in range(0, len(words), 8)]
    return ",\n  ".join(lines)


def _number(x: float) -> str:
    if x != x:
        return "NAN"
    if x in (float("inf"), -float("inf")):
        return "INFINITY" if x > 0 else "-INFINITY"
    return repr(x)


def _words(names: Iterable[str]) -> str:
    return ",\n  ".join(f'"{name}"' for name in names)


def _enum(start: str, what: str, names: Named, first: int = 0) -> str:
    if not names:
        return ""
    words = naming.constants(start, [name for name, _ in names])
    comma = [","] * (len(names) - 1) + [""]
    lines = [
        f"  {word} = {first + k}{comma[k]} /* {_safe(name)} [{_safe(unit)}] */\n"
        for k, (word, (name, unit)) in enumerate(zip(words, names, strict=True))
    ]
    return f"/* {what} */\nenum {{\n{''.join(lines)}}};\n\n"


def _safe(text: str) -> str:
    """Fit for a comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")
