"""Random robots: Chorda's numbers against independent ones, oracle by oracle."""

import os
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np

from chorda.errors import ChordaError, MagnitudeWarning
from tests.fuzz.case import Case, disagreements
from tests.fuzz.drawn import draw
from tests.fuzz.oracles import ORACLES
from tests.fuzz.plain.cables import Unclear
from tests.fuzz.plain.differences import STEP
from tests.fuzz.record import Outcome

DEFAULT_COUNT = 400
STEPS = (STEP, STEP / 6)


def cases(
    folder: Path, count: int | None = None, seed: int = 0
) -> Iterator[tuple[int, Callable[[], list[Outcome]]]]:
    """Robots by number; each is the same whatever the count is."""
    for i in range(DEFAULT_COUNT if count is None else count):
        yield i, partial(examined, seed, i)


def drawn_case(seed: int, number: int, family: str | None = None) -> Case:
    """The robot of a number, at its state."""
    rng = np.random.default_rng([seed, number])
    robot = draw(rng, family)
    mode = "rigid" if robot.tendons and rng.random() < 0.25 else "elastic"
    return Case(robot, mode, rng)


def examined(
    seed: int,
    number: int,
    falsify: str = "",
    family: str | None = None,
    only: Iterable[str] = tuple(ORACLES),
) -> list[Outcome]:
    """What oracles find; falsify: give this one values with another sign."""
    found: list[Outcome] = []
    interpreted = patch.dict(os.environ, CHORDA_COMPILER="none")  # few steps need no compiler
    with warnings.catch_warnings(), interpreted:
        warnings.simplefilter("ignore", MagnitudeWarning)
        try:
            case = drawn_case(seed, number, family)
            case.falsify = falsify
            _ = case.system, case.inputs, case.qv
        except (ChordaError, ValueError) as error:
            clear = isinstance(error, ChordaError) or "validation error" in str(error)
            return [Outcome("descriptions", "refused" if clear else "raw", str(error)[:300])]
        except Exception:
            return [Outcome("descriptions", "raw", traceback.format_exc()[-600:])]
        found.append(Outcome("descriptions", case.robot.name))
        for k, (name, oracle) in enumerate(ORACLES.items()):
            if name not in only:
                continue
            try:
                for step in STEPS:  # nearly touching points ask for shorter differences
                    case.rng = np.random.default_rng([seed, number, k])
                    case.differ_over(step)
                    word, what = disagreements(case, name, oracle)
                    if word != "differs":
                        break
                found.append(Outcome(name, word, "; ".join(what)[:400]))
            except Unclear:
                found.append(Outcome(name, "unclear", "a cable between two cases"))
            except ChordaError as error:
                found.append(Outcome(name, "refused", str(error)[:300]))
            except Exception:
                found.append(Outcome(name, "raw", traceback.format_exc()[-600:]))
        if case.robot.closures:
            c = case.system.constraints
            many = len(c.all_names) > c.rank
            found.append(Outcome("loops", "redundant" if many else "independent"))
    return found
