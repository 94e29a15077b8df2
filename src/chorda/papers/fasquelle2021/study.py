"""The virtual experiments behind the tables: motions of the neck, and what its sensors see."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
    Sensors,
    compare,
    identify,
)
from chorda.identification.virtual.experiment import closed_loop
from chorda.identification.virtual.sensors import measured
from chorda.mechanics import System, assemble
from chorda.papers.fasquelle2021 import published
from chorda.papers.fasquelle2021.averages import Averaged, averaged
from chorda.papers.fasquelle2021.published_estimator import PublishedEstimator
from chorda.results import Run

AMPLITUDE = (0.5, 0.5, 0.5)  # [rad] of the motion
BASE, HARMONICS = 0.2, 5  # [Hz] of its slowest part, and how many there are
DURATION = 60.0  # [s]
SENSORS = Sensors(current_ripple=8e-3)  # [N m] at the motors: 10 N at the cables
MODULI = ("*.young_modulus", "*.damping_modulus")
DRY, VISCOUS = ("motor-*.dry_torque",), ("motor-*.friction",)
FRICTIONS = {"dry and viscous": (*DRY, *VISCOUS), "dry only": DRY}
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


def seen(run: Run, seed: int) -> Log:
    """What the sensors make of a motion."""
    truth = dict(zip(run.system.parameter_names, run.parameters.tolist(), strict=True))
    about = {"robot": run.system.robot.name, "seed": seed, "sensors": asdict(SENSORS)}
    return Log(measured(run, SENSORS, seed), "virtual experiment", truth, about)


@dataclass(frozen=True)
class Study:
    """experiments: how many the coverage is over; repeats: with how many errors of the sensors the
    paper's estimator is run; seed: of the motion and of the errors in the first of them."""

    experiments: int = 200
    repeats: int = 40
    seed: int = 1

    @cached_property
    def robot(self) -> Robot:
        return load("fasquelle-3-pulleys")

    @cached_property
    def system(self) -> System:
        return assemble(self.robot)

    @property
    def motion(self) -> Fourier:
        return Fourier.random(3, AMPLITUDE, BASE, harmonics=HARMONICS, seed=self.seed)

    def moved(self, system: System, parameters: Mapping[str, float] | None = None) -> Run:
        """The motion, before any sensor sees it."""
        return closed_loop(
            system, self.motion, duration=DURATION, parameters=parameters, progress=False
        )

    @cached_property
    def friction_run(self) -> Run:
        """Table 1: true dry and viscous friction as identified together."""
        truth = {
            f"motor-{tendon}.{name}": value * published.PAY
            for name, column in published.TABLE_1.items()
            for tendon, (value, _) in zip(published.TENDONS, column, strict=True)
        }
        return self.moved(self.system, truth)

    @cached_property
    def run(self) -> Run:
        """Table 2: the truth is the catalogue's neck, model 1."""
        return self.moved(self.system)

    @cached_property
    def stiffening_run(self) -> Run:
        """What if the cables stiffened, as the paper suspects: the same neck with such cables."""
        laws = {
            name: Stiffening(
                stiffness=k, stiffening=s, damping=published.DAMPING[name], one_sided=False
            )
            for name, (k, s) in STIFFENS.items()
        }
        return self.moved(assemble(with_laws(self.robot, laws)))

    @cached_property
    def log(self) -> Log:
        return seen(self.run, self.seed)

    @cached_property
    def friction_log(self) -> Log:
        return seen(self.friction_run, self.seed)

    @cached_property
    def stiffening_log(self) -> Log:
        return seen(self.stiffening_run, self.seed)

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
            return Candidate(assemble(robot), (*DRY, *own), tied)

        return {
            "model 1": model(None, "stiffness", "damping"),
            "model 2": model(Material(length=published.WHOLE_LENGTH, **moduli), tied=MODULI),
            "model 3": model(Material(over="unwound", **moduli), tied=MODULI),
            "stiffening": model(stiffening, "stiffening", "stiffness", "damping"),
        }

    def estimator(self, name: str, **options: Any) -> PublishedEstimator:
        """The paper's estimator of frictions alone, or of a model; the camera's delay is known."""
        options = {"delay": SENSORS.camera_latency, **options}
        if name in FRICTIONS:
            return PublishedEstimator(self.system, FRICTIONS[name], with_laws=False, **options)
        model = self.models[name]
        assert isinstance(model.robot, System)
        assert model.parameters is not None
        return PublishedEstimator(model.robot, model.parameters, model.tied, **options)

    @cached_property
    def as_published(self) -> dict[str, Averaged]:
        """The paper's estimator on the data of Tables 1 and 2."""
        return {
            **self._repeated(self.friction_run, *FRICTIONS),
            **self._repeated(self.run, *published.TABLE_2),
        }

    @cached_property
    def as_published_stiffening(self) -> dict[str, Averaged]:
        """The paper's estimator on cables that stiffen."""
        return self._repeated(self.stiffening_run, *published.TABLE_2)

    def _repeated(self, run: Run, *names: str) -> dict[str, Averaged]:
        logs = [seen(run, self.seed + k) for k in range(self.repeats)]
        return {name: averaged(self.estimator(name), logs) for name in names}

    @cached_property
    def frictions(self) -> dict[str, Identification]:
        """By Chorda's own estimator, on the first log."""
        return {
            name: identify(self.friction_log, self.system, unknowns, tensions="eliminated")
            for name, unknowns in FRICTIONS.items()
        }

    @cached_property
    def identified(self) -> dict[str, Identification]:
        """Frictions, and friction with the three models of the paper, by Chorda's own estimator."""
        laws = {name: self.models[name] for name in published.TABLE_2}
        return self.frictions | {
            name: identify(self.log, model.robot, model.parameters, tied=model.tied)
            for name, model in laws.items()
        }

    @cached_property
    def linear_truth(self) -> Comparison:
        return compare(self.log, self.models)

    @cached_property
    def stiffening_truth(self) -> Comparison:
        return compare(self.stiffening_log, self.models)
