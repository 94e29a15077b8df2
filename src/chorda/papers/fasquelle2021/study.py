"""The virtual experiments behind the tables: logs of the neck, and models fitted to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from chorda.catalogue.fasquelle import DAMPING, fasquelle_neck
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
from chorda.papers.fasquelle2021.published import (
    DRY_WITH_VISCOUS,
    PAY,
    SECTION,
    TENDONS,
    VISCOUS,
    WHOLE_LENGTH,
)

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
    """One seed: its motion and its sensors' errors."""

    seed: int = 1
    duration: float = 60.0

    @cached_property
    def robot(self) -> Robot:
        return fasquelle_neck(pulleys=True)

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
            system,
            self.motion,
            duration=self.duration,
            seed=self.seed,
            parameters=parameters,
            progress=False,
        )

    @cached_property
    def models(self) -> dict[str, Candidate]:
        """The three models of the paper, and one that stiffens."""

        def law(**given: object) -> Robot:
            material = Material(young_modulus=4e9, damping_modulus=1e8, section=SECTION, **given)
            return with_laws(self.robot, dict.fromkeys(TENDONS, material))

        stiffening = Stiffening(stiffness=5e3, stiffening=1e6, damping=100.0)
        frictions = ("motor-*.dry_torque",)
        each = ("stiffness", "damping")
        own = [f"{tendon}.{x}" for x in each for tendon in TENDONS]
        bent = [f"{tendon}.{x}" for x in ("stiffening", *each) for tendon in TENDONS]
        return {
            "model 1": Candidate(self.robot, (*frictions, *own)),
            "model 2": Candidate(law(length=WHOLE_LENGTH), frictions, MODULI),
            "model 3": Candidate(law(over="unwound"), frictions, MODULI),
            "stiffening": Candidate(
                with_laws(self.robot, dict.fromkeys(TENDONS, stiffening)), (*frictions, *bent)
            ),
        }

    @cached_property
    def friction_log(self) -> Log:
        """Table 1: true dry and viscous friction as identified together."""
        truth = {
            f"motor-{t}.{name}": value * PAY
            for name, column in (("dry_torque", DRY_WITH_VISCOUS), ("friction", VISCOUS))
            for t, (value, _) in zip(TENDONS, column, strict=True)
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
            name: Stiffening(stiffness=k, stiffening=s, damping=DAMPING[name])
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
