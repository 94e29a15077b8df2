"""All files of a C export."""

from importlib.resources import files

import numpy as np

from chorda.exporting import naming
from chorda.exporting.c import code, header
from chorda.exporting.motion import Motion, reference
from chorda.exporting.places import MARK
from chorda.mechanics import Array

# Compilers differ in how they round sums of products. Measured, with -ffast-math too: steps to
# 8e-13; tensions, 1e5 N/m times a difference of lengths, to 4e-12
TOLERANCE, OUTPUTS = 1e-12, 1e-10


def contents(motion: Motion) -> dict[str, str]:
    """Text by file name."""
    robot = motion.system.robot
    name = naming.prefix(robot.name)
    made = code.write(motion)
    checked = reference(motion)
    low, high = motion.bounds
    about = (
        f"{robot.name}, {motion.system.mode} tendons, {motion.scheme.title}"
        f"{f': {robot.title}' if robot.title else ''}."
    )
    words = {
        "mark": MARK,
        "name": name,
        "NAME": name.upper(),
        "robot": robot.name,
        "title": robot.title,
        "scheme": motion.scheme.title,
        "step": f"{motion.step:g}",
        "low": header.row(low),
        "high": header.row(high),
        "most": str(motion.most),
        "level": "-O1" if made.long else "-O2",
        "bytes": str(8 * (8 + made.kept + made.forces + made.work + made.integers)),
        "steps": str(len(checked.states) - 1),
        "states": _rows(checked.states),
        "inputs": _rows(_padded(checked.inputs)),
        "outputs": _rows(_padded(checked.outputs)),
    }
    step = {**words, "tolerance": repr(motion.tolerance)}
    test = {**words, "tolerance": repr(TOLERANCE), "looser": repr(OUTPUTS)}
    parts = [
        f"/* {MARK}.\n   {about} The layout is in {name}.h. */\n",
        f'#include <math.h>\n#include <string.h>\n\n#include "{name}.h"\n',
        made.text,
        _filled("step.c", step),
        _filled("outputs.c", step),
        header.tables(motion),
    ]
    return {
        f"{name}.h": header.write(motion, made, about),
        f"{name}.c": "\n".join(parts),
        "example.c": _filled("example.c", words),
        "test.c": _filled("test.c", test),
        "Makefile": _filled("Makefile", words),
        "README.md": _filled("README.md", words),
    }


def _filled(template: str, words: dict[str, str]) -> str:
    text = files("chorda.exporting.c").joinpath(template).read_text(encoding="utf-8")
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text


def _rows(values: Array) -> str:
    return ",\n".join(f"  {{{header.row(x)}}}" for x in values)


def _padded(values: Array) -> Array:
    """With a column of zeros: C has no arrays of length 0."""
    return np.hstack([values, np.zeros((len(values), 1))])
