"""Whether one rod at rest is stable: the conjugate points of the same rod as an assembly."""

import numpy as np

from chorda.continuous.assembly_equilibrium import shooting
from chorda.continuous.continuous_results import Judgement, RodEquilibrium
from chorda.describe import STRAINS, Robot, Rod
from chorda.errors import ChordaError
from chorda.results.spectra import Word

SAME_TIP = 1e-3  # of the length: tips of two solutions that are one


def rod_stability(robot: Robot, found: RodEquilibrium) -> Judgement:
    """In a word, and in a sentence, which says why where it is not known."""
    if robot.tendons:
        return _unknown("conjugate points are counted without tendons; chorda.equilibrium judges")
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # steps that go astray are refused
            other = shooting(_with_all_strains(robot), initial=_constant_strains(robot, found))
    except ChordaError as error:
        return _unknown(str(error))
    (rod,) = (x for x in robot.joints if isinstance(x, Rod))
    away = np.linalg.norm(other.frame(f"{rod.name}.tip")[0] - found.tip)
    if not other.status.ok or away > SAME_TIP * rod.length:
        return _unknown("shooting, whose fields are counted, did not find this equilibrium")
    return other.judgement()


def _unknown(why: str) -> Judgement:
    return Judgement(Word.UNKNOWN, f"Whether it is stable is not known: {why}.")


def _with_all_strains(robot: Robot) -> Robot:
    """The same, every strain of its rod occurring."""

    def whole(joint: Rod) -> Rod:
        counts = {strain: max(1, getattr(joint.modes, strain)) for strain in STRAINS}
        return joint.model_copy(update={"modes": joint.modes.model_copy(update=counts)})

    joints = tuple(whole(x) if isinstance(x, Rod) else x for x in robot.joints)
    return robot.model_copy(update={"joints": joints})


def _constant_strains(robot: Robot, found: RodEquilibrium) -> dict[str, float]:
    """Means along the rod, where a solver starts that finds the same."""
    (rod,) = (x for x in robot.joints if isinstance(x, Rod))
    mean = np.trapezoid(found.strain, found.s, axis=0) / (found.s[-1] - found.s[0])
    named = zip(STRAINS, mean.tolist(), strict=True)
    return {f"{rod.name}.{strain}": x for strain, x in named}
