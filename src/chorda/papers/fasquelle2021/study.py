"""The virtual experiments behind the tables: logs of the neck, and models fitted to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from chorda.catalogue import load
from chorda.control import Fourier
from chorda.describe import Material, Robot, Stiffening
from chorda.describe.laws import Law
from chorda.identification import (
    Candidate,
    Comparison,
    Identification,
    Log,
    compare,
    experiment,
    identify,
)
from chorda.mechanics import System, assemble
from chorda.papers.fasquelle2021 import published

AMPLITUDE, BASE = (0.5, 0.5, 0.5), 0.05  # of the motion [rad], [Hz]; assumed: not printed
MODULI = ("*.young_modulus", "*.damping_modulus")
STIFFENS = {  # the same tension at 5 mm as the published stiffness, half of it by stiffening
    "right1": (5227.0, 1.045e6),
    "right2": (4628.0, 9.26e5),
    "right3": (4160.0, 8.32e5),
    "left": (2668.0, 5.34e5),
}


def with_laws(robot: Robot, laws: Mapping[str, Law]) -> Robot:
    """The robot with other laws of its tendons."""
    tendons = tuple(t.model_copy(update={"law": laws[t.name]}) for t in robot.tendons)
    return robot.model_copy(update={"tendons": tendons, "sources": {}})


@dataclass(frozen=True)
class Study:
    """seed: of the motion and the sensors' errors; experiments: how many the coverage is over."""

    experiments: int = 200
    seed: int = 1
    duration: float = 60.0

    @cached_property
    def robot(self) -> Robot:
        return load("fasquelle-3-pulleys")

    @cached_property
    def system(self) -> System:
        return assemble(self.robot)

    @property
    def motion(self) -> Fourier:
        """Slow, as the paper's: it explains badly identified dampings by low elongation rates."""
        return Fourier.random(3, AMPLITUDE, BASE, harmonics=5, seed=self.seed)

    def measured(self, system: System, parameters: Mapping[str, float] | None = None) -> Log:
        """A log of this motion."""
        return experiment(
            system, self.motion, duration=self.duration, seed=self.seed, parameters=parameters,
            progress=False,
        )  # fmt: skip

    @cached_property
    def models(self) -> dict[str, Candidate]:
        """The three models of the paper, and one that stiffens."""
        stiffening = Stiffening(stiffness=5e3, stiffening=1e6, damping=100.0, one_sided=False)
        moduli: dict[str, Any] = {"young_modulus": 4e9, "damping_modulus": 1e8, "one_sided": False}
        moduli["section"] = published.SECTION

        def model(law: Law | None, *quantities: str, tied: tuple[str, ...] = ()) -> Candidate:
            laws = law and dict.fromkeys(published.TENDONS, law)
            robot = with_laws(self.robot, laws) if laws else self.robot
            own = (f"{tendon}.{x}" for x in quantities for tendon in published.TENDONS)
            return Candidate(robot, ("motor-*.dry_torque", *own), tied)

        return {
            "model 1": model(None, "stiffness", "damping"),
            "model 2": model(Material(length=published.WHOLE_LENGTH, **moduli), tied=MODULI),
            "model 3": model(Material(over="unwound", **moduli), tied=MODULI),
            "stiffening": model(stiffening, "stiffening", "stiffness", "damping"),
        }

    @cached_property
    def friction_log(self) -> Log:
        """Table 1: true dry and viscous friction as identified together."""
        truth = {
            f"motor-{tendon}.{name}": value * published.PAY
            for name, column in published.TABLE_1.items()
            for tendon, (value, _) in zip(published.TENDONS, column, strict=True)
        }
        return self.measured(self.system, truth)

    @cached_property
    def log(self) -> Log:
        """Table 2: the truth is the catalogue's neck, model 1."""
        return self.measured(self.system)

    @cached_property
    def stiffening_log(self) -> Log:
        """What if the cables stiffened, as the paper suspects: the same neck with such cables."""
        laws = {
            name: Stiffening(
                stiffness=k, stiffening=s, damping=published.DAMPING[name], one_sided=False
            )
            for name, (k, s) in STIFFENS.items()
        }
        return self.measured(assemble(with_laws(self.robot, laws)))

    @cached_property
    def frictions(self) -> dict[str, Identification]:
        """Dry and viscous friction, and dry friction alone, without tensions [eq. 51]."""
        choices = {
            "dry and viscous": ("motor-*.dry_torque", "motor-*.friction"),
            "dry only": ("motor-*.dry_torque",),
        }
        return {
            name: identify(self.friction_log, self.system, names, tensions="eliminated")
            for name, names in choices.items()
        }

    @cached_property
    def laws(self) -> dict[str, Identification]:
        """Friction and elasticity, model by model, on the whole log."""
        return {
            name: identify(self.log, model.robot, model.parameters, tied=model.tied)
            for name, model in self.models.items()
            if name != "stiffening"
        }

    @cached_property
    def linear_truth(self) -> Comparison:
        return compare(self.log, self.models)

    @cached_property
    def stiffening_truth(self) -> Comparison:
        return compare(self.stiffening_log, self.models)
