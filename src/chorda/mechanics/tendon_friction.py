"""Friction along a tendon: how its tension changes from its actuator to its attachment.

Behind guide j the tension is T_j = r_j T_(j-1), the ratio r_j following from the angle by which the
guide turns the cable and from s_j in [-1, 1]: 1 where the cable slides over it towards the
actuator, -1 where it slides away. The cable stretches evenly: it slides over guide j with

    v_j = -dL_j/dt + (L_j / l) dx/dt,

L_j being the length beyond the guide, l the whole one and x the elongation. The law of the tendon
gives the mean of the tensions over the length. Then the cable takes as much power as it stores and
as friction turns into heat, sum of (T_(j-1) - T_j) v_j, which is never negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

import casadi as ca

from chorda.describe import Bearing, Capstan, Tendon
from chorda.mechanics.cables import Cable
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.guides import Guide
from chorda.mechanics.parameters import Parameters

SLIDING = ".sliding"  # of a tendon: the parameter that says how it slid before it came to rest


@dataclass(frozen=True, eq=False)
class Rubbing:
    """The tension along one cable, over that at its actuator."""

    name: str
    labels: tuple[str, ...]  # of guides that rub
    lengths: tuple[Expr, ...]  # before, between and behind them [m]
    speeds: Expr  # of sliding towards the actuator [m/s]
    ways: Expr  # symbols: 1 where it slides towards the actuator, -1 where away from it
    moving: Expr  # their values in motion
    resting: Expr  # and at rest: as it slid before
    ratios: tuple[Expr, ...]  # tension in each part over that at the actuator; of the symbols

    @property
    def segment_labels(self) -> tuple[str, ...]:
        """Of the parts of the cable: that at the actuator, then that behind each guide."""
        return (f"{self.name}.actuator", *self.labels)

    @property
    def mean(self) -> Expr:
        """Mean of the tension along the cable, over that at the actuator."""
        parts = zip(self.ratios, self.lengths, strict=True)
        weighted = sum((r * x for r, x in parts), SX(0))
        return weighted / sum(self.lengths, SX(0))

    def arms(self, q: Expr, N: Expr) -> Expr:
        """Generalized force of a unit tension at the actuator."""
        held = SX.sym("r", len(self.ratios))
        weighted = ca.dot(held, ca.vertcat(*self.lengths))
        arms = -(ca.jacobian(weighted, q) @ N).T
        return ca.substitute(arms, held, ca.vertcat(*self.ratios))

    def lost(self, tension: Expr) -> Expr:
        """Power that friction takes, the tension at the actuator being given [W]."""
        steps = zip(self.ratios, self.ratios[1:], ca.vertsplit(self.speeds), strict=False)
        return tension * sum(((a - b) * v for a, b, v in steps), SX(0))


def rubbing(
    tendon: Tendon, cable: Cable, stretching: Expr, train: Drivetrain, par: Parameters
) -> Rubbing | None:
    """None where nothing rubs. stretching: rate of the elongation [m/s]."""
    if cable.guided is None:
        return None
    laws = [(guide, _law(tendon, guide.element)) for guide in cable.guided.guides]
    kept = [(guide, law) for guide, law in laws if law is not None]
    lengths = _joined(cable.guided.lengths, [law is not None for _, law in laws])
    lengths[0] += cable.length - sum(cable.guided.lengths, SX(0))  # the lead
    beyond = list(accumulate(reversed(lengths[1:])))[::-1]
    speeds = [-train.rate(x) + x / cable.length * stretching for x in beyond]
    name, ways = cable.name, SX.sym("way", len(kept))
    came = par.scalar(f"{name}{SLIDING}", 0.0, "-", signed=True)
    made = _Coefficients(par)
    ratios, moving = [SX(1)], [SX(0, 1)]
    for k, ((guide, law), speed) in enumerate(zip(kept, speeds, strict=True)):
        own = law is not tendon.friction
        mu, pin, least = made.of(f"{name}.path{guide.element}" if own else name, law)
        moving.append(speed / ca.sqrt(speed**2 + least**2))
        ratios.append(_ratio(guide, mu, pin, ways[k]))
    return Rubbing(
        name=name,
        labels=tuple(f"{name}.path{guide.element}" for guide, _ in kept),
        lengths=tuple(lengths),
        speeds=ca.vertcat(SX(0, 1), *speeds),
        ways=ways,
        moving=ca.vertcat(*moving),
        resting=ca.repmat(came, len(kept), 1),
        ratios=tuple(accumulate(ratios, mul)),
    )


def _law(tendon: Tendon, element: int) -> Capstan | Bearing | None:
    own = getattr(tendon.path[element], "friction", None)
    return tendon.friction if own is None else own


def _joined(lengths: Sequence[Expr], rubs: Sequence[bool]) -> list[Expr]:
    """Lengths between the guides that rub."""
    found = [lengths[0]]
    for rub, length in zip(rubs, lengths[1:], strict=True):
        if rub:
            found.append(length)
        else:
            found[-1] = found[-1] + length
    return found


@dataclass
class _Coefficients:
    """Parameters of laws, those of a tendon made once."""

    par: Parameters

    def __post_init__(self) -> None:
        self.made: dict[str, tuple[Expr, Expr | None, Expr]] = {}

    def of(self, name: str, law: Capstan | Bearing) -> tuple[Expr, Expr | None, Expr]:
        """Coefficient, radius of the pin, speed of full friction."""
        if name not in self.made:
            mu = self.par.scalar(f"{name}.friction", law.coefficient, "-")
            pin = None
            if isinstance(law, Bearing):
                pin = self.par.scalar(f"{name}.pin_radius", law.pin_radius, "m", positive=True)
            least = self.par.scalar(f"{name}.friction_speed", law.speed, "m/s", positive=True)
            self.made[name] = mu, pin, least
        return self.made[name]


def _ratio(guide: Guide, mu: Expr, pin: Expr | None, way: Expr) -> Expr:
    """Tension behind the guide over that before it."""
    if pin is None:
        return ca.exp(-mu * guide.turn * way)
    # (1 - r) radius = mu pin |force on the pin| way, the force being sqrt(1 + r^2 - 2 r cos turn)
    c = mu * pin / guide.radius * way
    cosine = ca.cos(guide.turn)
    root = ca.fabs(2 * ca.sin(guide.turn / 2)) * ca.sqrt(1 - c**2 * (1 + cosine) / 2)
    return (1 - c**2 * cosine - c * root) / (1 - c**2)
