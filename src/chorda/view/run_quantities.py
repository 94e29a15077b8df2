"""What a motion has to show over time: quantities by the names of `run.data`, as curves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chorda.checks import matching, name_list, unknown
from chorda.describe import Rod
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.results import Run
from chorda.view.curve_groups import MANY_CURVES
from chorda.view.strain_names import strain_of

TIP, FRAME, ENERGY = "tip", "frame", "energy"
ROUNDING_ERROR = 1e-9  # in SI: what moves less stands still
STRAIN_WORDS = ("bend", "twist", "stretch", "shear")  # the first two are angles over length
UNIT_WORDS = {"rad": "angle", "m": "position", "-": "orientation"}
RATE_WORDS = {"rad/s": "angular velocity", "m/s": "velocity"}
OUTPUT_WORDS = {"segment_tension": "tension along it"}
INPUT_WORDS = {
    "motor": "motor torque",
    "joint-motor": "motor torque",
    "tension": "tension, given",
    "winch": "length, given",
    "rate": "rate of the length",
    "motion": "motion, given",
    "wrench": "force on a frame",
}


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of one quantity in one SI unit: values (n, k), a name for each column.

    name: the quantity; what: its words on the axis; slacken, push: columns of one-sided tendons,
    which go slack below zero, and of two-sided ones, which push.
    """

    name: str
    what: str
    unit: str
    labels: tuple[str, ...]
    values: Array
    slacken: tuple[bool, ...] = ()

    def only(self, columns: Sequence[int]) -> "Curves":
        """Some of the curves."""
        pick = list(columns)
        return replace(
            self,
            labels=tuple(self.labels[k] for k in pick),
            values=self.values[:, pick],
            slacken=tuple(self.slacken[k] for k in pick) if self.slacken else (),
        )

    @property
    def alike(self) -> bool:
        """Whether all of several curves are the same."""
        first = np.repeat(self.values[:, :1], len(self.labels), 1)
        return len(self.labels) > 1 and np.array_equal(self.values, first)

    @property
    def slack(self) -> bool:
        """Whether a one-sided tendon goes slack."""
        return bool(np.any(self.values[:, np.array(self.slacken, bool)] <= 0))

    @property
    def pushing(self) -> bool:
        """Whether a two-sided tendon pushes."""
        return bool(self.slacken) and bool(np.any(self.values[:, ~np.array(self.slacken)] < 0))


def quantity_names(system: System) -> tuple[str, ...]:
    """What can be asked for of a motion."""
    rods = any(isinstance(x, Rod) for x in system.robot.joints)
    outputs = [x.name for x in system.outputs]
    inputs = ["input"] if system.inputs else []
    return ("position", "velocity", *inputs, *outputs, ENERGY, *([TIP] if rods else []), FRAME)


def overview(run: Run) -> Iterator[Curves]:
    """Coordinates, tensions, elongations and inputs: what a figure shows unless asked otherwise.

    Of a robot with many bristles these are left out: "position" has them.
    """
    system = run.system
    if any(isinstance(x, Rod) for x in system.robot.joints):
        yield from (x for x in _tips(run) if x.labels)
    states = {c.name for c in system.coordinates if c.kind == "state"}
    yield from (
        x
        for x in _positions(run)
        if len(x.labels) <= MANY_CURVES or not states.issuperset(x.labels)
    )
    if system.robot.tendons:
        yield _output(run, "tension")
        if "segment_tension" in run.outputs:
            yield _output(run, "segment_tension")
        elongation = _output(run, "elongation")
        if np.any(np.abs(elongation.values) > 0):  # NaN is not
            yield elongation
    yield from _inputs(run)


def chosen(run: Run, what: str | Sequence[str]) -> list[Curves]:
    """Quantities by name; 'tension:left*' are those of its curves that match."""
    words = [what] if isinstance(what, str) else list(name_list("what", what))
    found = [x for word in words for x in _chosen(run, word)]
    if not found:
        raise InputError("what: expected names of quantities, got none")
    return found


def _chosen(run: Run, word: str) -> list[Curves]:
    name, colon, pattern = word.partition(":")
    system = run.system
    if name not in quantity_names(system):
        raise InputError(unknown("what", name, quantity_names(system)))
    if name == FRAME:
        if not colon:
            raise InputError("what: say which frames, such as 'frame:x1' or 'frame:*.tip'")
        known = frame_names(system)
        return _frames(run, [known[k] for k in matching("what.frame", pattern, known)], FRAME)
    if name == TIP:
        found = list(_tips(run))
    elif name == ENERGY:
        values = np.column_stack(run.energy)
        found = [Curves(ENERGY, "energy", "J", ("kinetic", "potential"), values)]
    elif name in ("position", "velocity", "input"):
        makers = {"position": _positions, "velocity": _velocities, "input": _inputs}
        found = list(makers[name](run))
    else:
        found = [_output(run, name)]
    if not colon:
        return [x for x in found if x.labels]
    known = tuple(label for x in found for label in x.labels)
    wanted = {known[k] for k in matching(f"what.{name}", pattern, known)}
    rows = [[k for k, label in enumerate(x.labels) if label in wanted] for x in found]
    return [x.only(k) for x, k in zip(found, rows, strict=True) if k]


def frame_names(system: System) -> tuple[str, ...]:
    """All frames of a robot but the world."""
    return tuple(x for x in system.frames.tree.index if x != "world")


def _positions(run: Run) -> Iterator[Curves]:
    system, strains = run.system, strain_of(run.system)
    kinds = []
    for i, c in enumerate(system.coordinates):
        if c.kind == "state":
            kinds.append((("current" if c.unit == "A" else "bristles' deflection", c.unit), i))
        elif c.name in strains:
            own = [x for x in STRAIN_WORDS if any(s.startswith(x) for s in strains.values())]
            turns = [x for x in own if (x in STRAIN_WORDS[:2]) == (c.unit == "rad/m")]
            kinds.append(((", ".join(turns), c.unit), i))
        elif c.kind != "motor":
            kinds.append(((UNIT_WORDS.get(c.unit, "coordinate"), c.unit), i))
    for what, unit in dict.fromkeys(kind for kind, _ in kinds):
        rows = [i for own, i in kinds if own == (what, unit)]
        names = tuple(system.coordinate_names[i] for i in rows)
        yield Curves("position", what, unit, names, run.position[:, rows])


def _velocities(run: Run) -> Iterator[Curves]:
    units = [unit for _, unit in run.system.velocities]
    for unit in dict.fromkeys(units):
        rows = [k for k, own in enumerate(units) if own == unit]
        names = tuple(run.system.velocities[k][0] for k in rows)
        word = RATE_WORDS.get(unit, "velocity")
        yield Curves("velocity", word, unit, names, run.velocity[:, rows])


def _inputs(run: Run) -> Iterator[Curves]:
    inputs = run.system.inputs
    for kind, unit in dict.fromkeys((i.kind, i.unit) for i in inputs):
        rows = [k for k, i in enumerate(inputs) if (i.kind, i.unit) == (kind, unit)]
        names = tuple(inputs[k].name for k in rows)
        word = "motor voltage" if unit == "V" else INPUT_WORDS.get(kind, "input")
        word = "acceleration, given" if unit.endswith("/s^2") else word
        yield Curves("input", word, unit, names, run.input[:, rows])


def _output(run: Run, name: str) -> Curves:
    found = next(x for x in run.system.outputs if x.name == name)
    word = OUTPUT_WORDS.get(name, name.replace("_", " "))
    slacken = tuple(t.law.one_sided for t in run.system.robot.tendons) if name == "tension" else ()
    return Curves(name, word, found.unit, tuple(found.labels), run.outputs[name], slacken)


def _tips(run: Run) -> Iterator[Curves]:
    rods = [x.name for x in run.system.robot.joints if isinstance(x, Rod)]
    yield from _frames(run, [f"{rod}.tip" for rod in rods], TIP)


def _frames(run: Run, names: Sequence[str], name: str) -> list[Curves]:
    """Where frames are, along the axes in which they move."""
    _, p = frame_poses(run.system, list(names), run.position, run.parameters)
    labels = [f"{frame} {axis}" for frame in names for axis in "xyz"]
    values = p.reshape(len(p), -1)
    moves = [k for k in range(len(labels)) if len(p) and np.ptp(values[:, k]) > ROUNDING_ERROR]
    what = "position of the tip" if name == TIP else "position of the frame"
    return [Curves(name, what, "m", tuple(labels), values).only(moves)]
