"""Numbers of functions and intervals of rods that an accuracy takes, and robots assembled so."""

from math import ceil
from typing import Literal

from chorda.checks import number
from chorda.describe import STRAINS, Robot, Rod
from chorda.errors import InputError
from chorda.mechanics import System
from chorda.mechanics import assemble as assemble_given
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results import Equilibrium
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.equilibrium import equilibrium
from chorda.statics.planar_rods import leaving_strains, without_strains
from chorda.statics.rod_refinement import carried_over, refined
from chorda.statics.trial_loads import Trial, trial_loads

USUAL = 1e-3  # of the longest rod: the accuracy where none is asked for
MARGIN = 0.5  # of the accuracy that is asked for: what is met under the trial loads
FEWEST = {"bend_y": 2, "bend_z": 2}  # functions to begin with; 1 of other strains
FEWEST_INTERVALS = 6
Mode = Literal["elastic", "rigid"]


@interruptible()
@one_thread(scipy=False)
def assemble(robot: Robot, tendons: Mode = "elastic", *, accuracy: float | None = None) -> System:
    """The robot's equations of motion.

    Parameters
    ----------
    robot : Robot
        What `chorda.load` returns, or a `Robot` of your own.
    tendons : {"elastic", "rigid"}
        "elastic" gives each tendon its described law [Testard2023, eqs. 1-2]; "rigid" lets none
        stretch, so that a motor's angle follows from the joints [Testard2023, eq. 3].
    accuracy : float, optional
        [m] of the tips of rods. The numbers of functions of each strain that occurs, and of
        intervals, are chosen so that equilibria under trial loads are as accurate: the start under
        gravity, and tendons each pulled alone until a rod is bent by half a turn. Rods with
        `modes: auto` are chosen for a thousandth of the longest rod where nothing is asked for.
        Equilibria of other loads whose estimated error is larger report that in their status.

    Returns
    -------
    System
        Symbols and expressions in SI units; every other function of Chorda starts from it. Its
        `robot` has the numbers that were chosen.

    Raises
    ------
    InputError
        If the robot cannot be: nothing moves, a joint moves no mass, a cable has no room; or if
        there is nothing to choose.

    See Also
    --------
    load : the description.
    simulate : a motion.
    equilibrium : a configuration at rest.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> assemble(load("neck-3"), tendons="rigid").coordinate_names
    ('x1', 'x2', 'x3')
    >>> few, many = (assemble(load("till"), accuracy=x).nq for x in (1e-2, 1e-6))
    >>> few < many
    True
    """
    if not isinstance(robot, Robot):
        raise InputError(f"robot: expected what chorda.load returns, got {robot!r:.60}")
    if accuracy is not None:
        number("accuracy", accuracy, above=0, unit="m")
    return assemble_given(chosen(robot, tendons, accuracy), tendons)


def _rods(robot: Robot) -> list[Rod]:
    return [joint for joint in robot.joints if isinstance(joint, Rod)]


def chosen(robot: Robot, tendons: Mode = "elastic", accuracy: float | None = None) -> Robot:
    """The robot with the numbers that an accuracy [m] takes, for all its rods; without one for
    those with `modes: auto`, if there are any."""
    rods = _rods(robot)
    if accuracy is None and not any(rod.modes.auto for rod in rods):
        return robot
    if not rods:
        raise InputError(
            f"accuracy: expected a robot with rods, got {robot.name}, which has none; leave it out"
        )
    return _chosen(robot, rods, tendons, accuracy)


@one_thread()
def _chosen(robot: Robot, rods: list[Rod], tendons: Mode, accuracy: float | None) -> Robot:
    """With the numbers that were found by equilibria under trial loads."""
    wanted = accuracy
    if wanted is None:
        given = [x for rod in rods if rod.modes.auto and (x := rod.modes.accuracy) is not None]
        wanted = min(given, default=USUAL * max(rod.length for rod in rods))
    free = {rod.name for rod in rods if accuracy is not None or rod.modes.auto}
    if any(rod.modes.auto for rod in rods):
        whole = assemble_given(_begun(robot, free, wanted), tendons)
        robot = without_strains(robot, leaving_strains(whole))
    begun = _begun(robot, free, wanted)
    choice = _Choice(begun, free, wanted, tendons)
    for trial in trial_loads(assemble_given(begun, tendons)):
        choice.meet(trial)
    choice.spare()
    return choice.robot


def _begun(robot: Robot, free: set[str], wanted: float) -> Robot:
    """With the fewest functions of strains that occur, and as many as the start names."""

    def few(rod: Rod) -> Rod:
        modes, change = rod.modes, dict[str, float]()
        for strain in STRAINS:
            if getattr(modes, strain):
                change[strain] = max(FEWEST.get(strain, 1), *_named(robot, rod, strain))
        change |= {"intervals": FEWEST_INTERVALS, "auto": False, "accuracy": wanted}
        return rod.model_copy(update={"modes": modes.model_copy(update=change)})

    joints = tuple(few(x) if isinstance(x, Rod) and x.name in free else x for x in robot.joints)
    return robot.model_copy(update={"joints": joints})


def _named(robot: Robot, rod: Rod, strain: str) -> list[int]:
    """Functions that the start needs."""
    before = f"{rod.name}.{strain}"
    ends = [name.removeprefix(before) for name in robot.start if name.startswith(before)]
    return [0, *(int(x) + 1 for x in ends if x.isdecimal())]


def _spared(robot: Robot, free: set[str], twist: float) -> Robot:
    """With one function of stretch and shears, and a part of those of twist."""

    def spared(rod: Rod) -> Rod:
        parts = {"twist": twist, "stretch": 0.0, "shear_y": 0.0, "shear_z": 0.0}
        change = {
            strain: max(1, ceil(part * count), *_named(robot, rod, strain))
            for strain, part in parts.items()
            if (count := getattr(rod.modes, strain))
        }
        return rod.model_copy(update={"modes": rod.modes.model_copy(update=change)})

    joints = tuple(spared(x) if isinstance(x, Rod) and x.name in free else x for x in robot.joints)
    return robot.model_copy(update={"joints": joints})


class _Choice:
    """The robot so far, and the loads under which it is as accurate as asked for."""

    def __init__(self, robot: Robot, free: set[str], wanted: float, tendons: Mode) -> None:
        self.robot, self.free, self.tendons = robot, free, tendons
        self.limit, self.met = MARGIN * wanted, list[Trial]()

    def meet(self, trial: Trial) -> None:
        """More functions until this load's equilibrium is accurate; nothing where it has none."""
        found = self._solved(self.robot, trial)
        while found.status.ok and (error := _error(found)).is_large(self.limit):
            finer = refined(self.robot, error, self.limit, self.free)
            if finer is None:
                return
            self.robot = finer
            found = self._solved(finer, trial, found)
        if found.status.ok:
            self.met.append(trial)

    def spare(self) -> None:
        """Fewer functions of strains that take fewer than bends do, where that is enough."""
        for twist in (0.5, 1.0):
            robot = _spared(self.robot, self.free, twist)
            if robot != self.robot and all(self._is_met(robot, trial) for trial in self.met):
                self.robot = robot
                return

    def _is_met(self, robot: Robot, trial: Trial) -> bool:
        found = self._solved(robot, trial)
        return found.status.ok and not _error(found).is_large(self.limit)

    def _solved(self, robot: Robot, trial: Trial, near: Equilibrium | None = None) -> Equilibrium:
        system = assemble_given(trial.robot(robot), self.tendons)
        start = None if near is None else carried_over(near, system)
        return equilibrium(system, initial=start, **trial.given)


def _error(found: Equilibrium) -> SpaceAccuracy:
    if found.accuracy is None:
        raise InputError(
            f"modes: the error of {found.system.robot.name} cannot be estimated under trial loads; "
            "give numbers of functions, and no accuracy"
        )
    return found.accuracy
