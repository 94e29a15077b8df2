"""design: a motion along which parameters can be told apart.

The joints follow Fourier series, the level of the tensions others: stretching of antagonists is
seen only where they pull against each other more and less. Amplitudes are as large as the limits
allow, so that every candidate respects them; what is optimised are shapes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chorda.checks import check_names, matching, number, whole_number
from chorda.control import Fourier, Table
from chorda.data_table import DataTable, write_csv
from chorda.errors import InputError
from chorda.files import write_whole
from chorda.identification.designing.candidates import Candidates, Course, Limit, Limits
from chorda.identification.designing.excitation import Excitation
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.progress import Progress
from chorda.results import Code, Status
from chorda.statics.initial import check

RATE = 200.0  # [Hz] of saved tables


@dataclass(frozen=True, eq=False)
class Design:
    """An exciting motion.

    Attributes
    ----------
    system : System
        The robot.
    parameters : tuple of str
        What is excited.
    reference : Fourier
        Of the joints; it swells from rest, then repeats every `duration` seconds.
    duration : float
        Of a period [s].
    condition, condition_random : float
        Condition number of the regressor along it, rows scaled to equal size, columns by the
        parameters' values; and the median of random motions within the same limits.
    limits : tuple of Limit
        What was allowed and what is reached on a fine grid, the beginning included.
    time, position, tension : array (n,), (n, nq), (n, tendons)
        The planned motion of the whole system, motors included.
    status : Status
        Whether the search was completed.

    See Also
    --------
    design : computes it.
    """

    system: System
    parameters: tuple[str, ...]
    reference: Fourier
    duration: float
    condition: float
    condition_random: float
    limits: tuple[Limit, ...]
    time: Array
    position: Array
    tension: Array
    status: Status

    @property
    def motors(self) -> Table:
        """Motor angles of the plan, for `MotorPD`: these make the tensions vary as planned."""
        columns = [i for i, c in enumerate(self.system.coordinates) if c.kind == "motor"]
        return Table(tuple(self.time), tuple(map(tuple, self.position[:, columns])))

    def save(self, path: str | Path) -> Path:
        """Write time and joints as a table that `chorda.control.from_file` reads.

        Parameters
        ----------
        path : str or Path
            Of the file, .csv.

        Returns
        -------
        Path
            Of the file.
        """
        time = np.arange(0, self.time[-1] + 0.5 / RATE, 1 / RATE)
        joints = [c for c in self.system.coordinates if c.kind == "joint"]
        columns = zip([c.name for c in joints], self.reference(time)[0].T, strict=True)
        units = {"time": "s", **{c.name: c.unit for c in joints}}
        table = DataTable({"time": time, **dict(columns)}, units)
        return write_whole(path, lambda part: write_csv(table, part))

    def __repr__(self) -> str:
        return (
            f"<Design for {self.system.robot.name}: condition {self.condition:.3g}, "
            f"random motions {self.condition_random:.3g}; {self.status}>"
        )


@interruptible()
def design(
    system: System,
    parameters: Sequence[str],
    *,
    duration: float = 10.0,
    harmonics: int = 5,
    base: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    values: Mapping[str, float] | None = None,
    seed: int = 0,
    tries: int = 30,
    iterations: int = 30,
    progress: bool | None = None,
) -> Design:
    """Design a periodic motion along which parameters can be told apart.

    Parameters
    ----------
    system : System
        A tree of joints with one degree of freedom, with an actuator for each tendon.
    parameters : sequence of str
        Names, '*' matching many.
    duration : float
        Of a period [s].
    harmonics : int
        Of its frequency.
    base : mapping, optional
        Joints by name about which to move, the reference configuration otherwise.
    limits : Limits, optional
        What the motion must respect.
    values : mapping, optional
        Expected values of parameters, the described ones otherwise.
    seed : int
        The same seed gives the same motion.
    tries, iterations : int
        Random motions, and steps in which the best of them is improved.
    progress : bool, optional
        Show a progress bar; by default on a terminal. Ctrl-C keeps the best so far.

    Returns
    -------
    Design
        The motion, and how much better than random ones it excites.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
        Also where no motion keeps the limits.

    See Also
    --------
    experiment : follows the motion.

    Examples
    --------
    >>> import chorda
    >>> from chorda.identification import design
    >>> system = chorda.assemble(chorda.load("neck-1"))
    >>> found = design(system, ["left.stiffness", "*.dry_torque"], tries=5, iterations=2)
    >>> all(limit.holds for limit in found.limits)
    True
    """
    check(system)
    whole_number("harmonics", harmonics)
    whole_number("tries", tries)
    whole_number("iterations", iterations, 0)
    number("duration", duration, above=0, unit="seconds")
    rows = matching("parameters", parameters, system.parameter_names)
    excitation = Excitation(system, system.parameters(values), rows)
    candidates = Candidates(
        excitation, limits or Limits(), _base(system, base, excitation.joints), duration, harmonics
    )
    best, median, status = _search(candidates, seed, tries, iterations, progress)
    course = candidates.whole(best)
    if course.excess > 1e-9:
        raise InputError(_too_tight(candidates, course))
    return Design(
        system=system,
        parameters=tuple(system.parameter_names[i] for i in rows),
        reference=course.reference,
        duration=duration,
        condition=float(np.exp(candidates.log_condition(candidates.settled(course)))),
        condition_random=median,
        limits=candidates.reached(course),
        time=course.time,
        position=course.position,
        tension=course.tension,
        status=status,
    )


def _search(
    candidates: Candidates, seed: int, tries: int, iterations: int, progress: bool | None
) -> tuple[Array, float, Status]:
    """Random shapes first, then descent from the best of them.

    Returns the best shape, the median condition number of the random ones, and the status.
    """
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    total, done = tries + iterations * (candidates.size + 1), 0
    best: list[tuple[float, Array]] = []
    random: list[float] = []
    title = f"{candidates.excitation.system.robot.name}, designing"
    with Progress(total, progress, title) as bar, interrupts() as seen:

        def cost(z: Array) -> float:
            nonlocal done
            if seen:
                raise KeyboardInterrupt
            done += 1
            bar.update(min(done, total))
            value, allowed = candidates.cost(z)
            if allowed and (not best or value < best[0][0]):
                best[:] = [(value, z.copy())]
            return value

        status = Status(Code.COMPLETED, "Searched all that was asked for.")
        try:
            for _ in range(tries):
                z = candidates.random(rng)
                value = cost(z)
                random += [value] if candidates.period(z).excess <= 0 else []
            if not best:
                raise InputError(_too_tight(candidates, candidates.period(z)))
            _check_effects(candidates, best[0][1])
            if iterations:
                minimize(
                    cost,
                    best[0][1],
                    method="L-BFGS-B",
                    options={"maxiter": iterations, "maxfun": total, "eps": 1e-4},
                )
        except KeyboardInterrupt:
            if not best:
                raise
            status = Status(Code.INTERRUPTED, "Interrupted; the best motion so far is kept.")
    value, z = best[0]
    median = float(np.median(random)) if random else value
    return z, float(np.exp(median)), status


def _check_effects(candidates: Candidates, z: Array) -> None:
    W, rows = candidates.regressor(candidates.period(z)), candidates.excitation.rows
    effect = np.linalg.norm(W.reshape(-1, len(rows)), axis=0)
    idle = [i for i, e in zip(rows, effect, strict=True) if e <= 1e-12 * np.max(effect)]
    if idle:
        names = [candidates.excitation.system.parameter_names[i] for i in idle]
        raise InputError(
            f"parameters: {', '.join(names)} has no effect on the equations of motion, whatever "
            "the motion; leave it out"
        )


def _too_tight(candidates: Candidates, course: Course) -> str:
    low, high = candidates.limits.tension
    return (
        f"limits: no motion was found that keeps all tensions between {low:g} and {high:g} N; the "
        f"last one tried misses them by {course.excess:.3g} N. Try to widen `tension`, or to lower "
        "`fraction`, `rate` or `acceleration`"
    )


def _base(system: System, base: Mapping[str, float] | None, joints: int) -> Array:
    names, x = system.coordinate_names[:joints], system.rest[:joints].copy()
    check_names("base", base or {}, names)
    for name, value in (base or {}).items():
        x[names.index(name)] = value
    return x
