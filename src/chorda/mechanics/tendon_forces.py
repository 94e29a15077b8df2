"""Fourth stage: what the cables pull with, and what they store.

Tensions stay symbols (`pulls`) in the forces; here are the values that laws and inputs give them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca

from chorda.describe import Motor, Rigid, Tendon, TensionActuator, Winch
from chorda.describe.friction_checks import rubs as rubs_anywhere
from chorda.errors import InputError
from chorda.mechanics.cables import Cable
from chorda.mechanics.clearance import Clearance
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.first_order import FirstOrderState
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rubbing_cables import Rubbing, rubbing
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_laws import Stretch, stretched
from chorda.mechanics.wrapping import Winding

ZERO = SX(1, 1)  # by structure


@dataclass(frozen=True, eq=False)
class Spring:
    """An elastic tendon: its law over the symbols (x, x_dot), and the values they have."""

    law: Stretch
    symbols: Expr
    values: Expr
    paid: Expr  # length that its actuator has paid out [m]
    mean: Expr  # of the tension along it, over that at the actuator

    def slope(self, k: int) -> Expr:
        """Of the tension by the elongation (0) [N/m] or by its rate (1) [N s/m]."""
        slope = ca.jacobian(self.law.tension, self.symbols[k]) / self.mean
        return ca.substitute(slope, self.symbols, self.values)


@dataclass(frozen=True, eq=False)
class Pull:
    """One tendon; the tension of a rigid one is up to a constraint or the motor that it leads."""

    tension: Expr  # at its actuator [N]
    unrectified: Expr | None = None  # of one that cannot push: the tension if it could [N]
    elongation: Expr = ZERO  # [m]
    under: Expr = ZERO  # static elongation under the symbol of its tension [m]
    energy: Expr = ZERO  # [J]
    spring: Spring | None = None
    tie: Expr | None = None  # of a rigid one: what a constraint holds at zero [m]
    rubbing: Rubbing | None = None  # of one with friction: the tension along it

    def sliding(self, put: Callable[[Expr], Expr]) -> "Pull":
        """With values for the ways in which the cable slides, which `put` puts in."""
        assert self.rubbing is not None
        spring = self.spring and replace(self.spring, mean=put(self.spring.mean))
        rubs = self.rubbing.sliding(put)
        return replace(
            self, tension=put(self.tension), under=put(self.under), spring=spring, rubbing=rubs
        )


@dataclass(frozen=True, eq=False)
class Tendons:
    """How tendons pull, in the order of `robot.tendons`."""

    cables: tuple[Cable, ...]
    each: tuple[Pull, ...]
    Z: Expr  # generalized force of unit tensions on all velocities, -dl/dq^T
    arms: Expr  # the same with friction, the tensions being those at the actuators
    pulls: Expr  # tensions as symbols [N]
    at_rest: "Tendons | None" = None  # where friction makes a difference

    @property
    def resting(self) -> "Tendons":
        """With friction as it is left where the robot came to rest."""
        return self if self.at_rest is None else self.at_rest

    @property
    def rubs(self) -> bool:
        """Whether any of them has friction."""
        return any(x.rubbing is not None for x in self.each)

    @property
    def states(self) -> tuple[FirstOrderState, ...]:
        """Of bristles along cables that rub."""
        return tuple(s for x in self.each if x.rubbing is not None for s in x.rubbing.states)

    def sliding(self, ways: Callable[[Rubbing], Expr]) -> "Tendons":
        """With values for the ways in which cables slide."""
        known = [x.rubbing for x in self.each if x.rubbing is not None]
        symbols, values = [x.ways for x in known], [ways(x) for x in known]

        def put(x: Any) -> Any:
            return ca.substitute([x], symbols, values)[0]

        each = tuple(x if x.rubbing is None else x.sliding(put) for x in self.each)
        return replace(self, each=each, arms=put(self.arms))

    def _column(self, name: str) -> Expr:
        return ca.vertcat(SX(0, 1), *[getattr(x, name) for x in self.each])

    def _by_name(self, name: str) -> dict[str, Expr]:
        """Of tendons that have it."""
        found = {c.name: getattr(x, name) for c, x in zip(self.cables, self.each, strict=True)}
        return {tendon: x for tendon, x in found.items() if x is not None}

    @cached_property
    def tension(self) -> Expr:
        """[N]; 0 for rigid tendons, whose tension the motion determines."""
        return ca.densify(self._column("tension"))

    @cached_property
    def elongation(self) -> Expr:
        """[m]; 0 where nothing stretches."""
        return self._column("elongation")

    @cached_property
    def stretch(self) -> Expr:
        """Static elongation of each tendon under `pulls` [m]."""
        return self._column("under")

    @property
    def elastic(self) -> tuple[bool, ...]:
        """Whether the tension follows from the elongation."""
        return tuple(x.spring is not None for x in self.each)

    @cached_property
    def one_sided(self) -> tuple[str, ...]:
        """Names of tendons that cannot push."""
        return tuple(self._by_name("unrectified"))

    @cached_property
    def unrectified(self) -> Expr:
        """Tensions of one-sided tendons if they could push: negative where slack [N]."""
        return ca.vertcat(SX(0, 1), *self._by_name("unrectified").values())

    @property
    def ties(self) -> dict[str, Expr]:
        """What constraints hold at zero, by rigid tendon [m]."""
        return self._by_name("tie")

    @property
    def energy(self) -> Expr:
        """[J]"""
        return sum((x.energy for x in self.each), SX(0))

    @cached_property
    def clearances(self) -> tuple[Clearance, ...]:
        """One for each pair that a cable may run between, pairs of mere points apart."""
        spans = [(cable.name, *x) for cable in self.cables for x in cable.spans.items()]
        return tuple(Clearance(name, i, j, x.gap) for name, (i, j), x in spans)

    @property
    def gaps(self) -> Expr:
        """What is left of each clearance [m]."""
        return ca.vertcat(SX(0, 1), *[x.gap for x in self.clearances])

    @property
    def winding_angles(self) -> Expr:
        """[rad]"""
        return ca.vertcat(SX(0, 1), *[x.angle for x in self.windings])

    @property
    def windings(self) -> tuple[Winding, ...]:
        """Of cables about pulleys, known within half a turn only."""
        return tuple(x for cable in self.cables for x in cable.windings)


def tendon_forces(skeleton: Skeleton, cables: tuple[Cable, ...], train: Drivetrain) -> Tendons:
    """Tensions that are known without the accelerations, moment arms and stored energy."""
    pairs = zip(skeleton.robot.tendons, cables, strict=True)
    length = ca.vertcat(SX(0, 1), *[cable.length for cable in cables])
    Z = -(ca.jacobian(length, train.q) @ train.N).T
    pulls = SX.sym("pull", len(cables))
    each = tuple(_pull(i, *pair, pulls[i], skeleton, train) for i, pair in enumerate(pairs))
    arms = SX(Z)
    for i, pull in enumerate(each):
        if pull.rubbing is not None:
            arms[:, i] = pull.rubbing.arms
    made = Tendons(cables, each, Z, arms, pulls)
    if not made.rubs:
        return made
    rest = made.sliding(lambda x: x.resting)
    return rest if skeleton.at_rest else replace(made.sliding(lambda x: x.moving), at_rest=rest)


def _pull(
    i: int, tendon: Tendon, cable: Cable, pull: Expr, skeleton: Skeleton, train: Drivetrain
) -> Pull:
    actuators = {x.name: x for x in skeleton.robot.actuators}
    actuator = None if tendon.actuator is None else actuators[tendon.actuator]
    paid = paid_rate = SX(0)
    leads = False
    match actuator:
        case TensionActuator():
            tension = train.input(actuator.name)
            rubs = rubbing(tendon, cable, SX(0), skeleton.tree, train, skeleton.par)
            if tendon.law.one_sided:  # not fmax: its slope at zero is a half, and it hides a NaN
                return Pull(ca.if_else(tension < 0, 0, tension), tension, rubbing=rubs)
            return Pull(tension, rubbing=rubs and rubs.pulled_or_pushed(tension))
        case Winch():
            paid = tendon.winding * train.input(actuator.name)
            paid_rate = tendon.winding * train.input(f"{actuator.name}.rate")
        case Motor():
            drum = train.motor(actuator.name).drum
            paid, leads = tendon.winding * drum.B * drum.angle, drum.leader == i
    x = cable.length - cable.reference - paid
    if not train.elastic[i]:
        if rubs_anywhere(tendon):
            raise InputError(
                f"{skeleton.robot.name}: tendon '{tendon.name}' has friction, which needs an "
                "elastic tendon or a prescribed tension; expected tendons='elastic', got 'rigid': "
                "assemble it elastic, or leave the friction out"
            )
        return Pull(ZERO, tie=None if leads else x)
    rate = train.rate(x) - paid_rate
    rubs = rubbing(tendon, cable, rate, skeleton.tree, train, skeleton.par)
    return _elastic(tendon, cable, pull, paid, ca.vertcat(x, rate), rubs, skeleton.par)


def _elastic(
    tendon: Tendon,
    cable: Cable,
    pull: Expr,
    paid: Expr,
    values: Expr,
    rubs: Rubbing | None,
    par: Parameters,
) -> Pull:
    """The law gives the mean of the tension along the cable."""
    assert not isinstance(tendon.law, Rigid)
    symbols = SX.sym("x", 2)
    mean = SX(1) if rubs is None else rubs.mean
    law = stretched(
        cable, tendon.law, symbols[0], symbols[1], pull if rubs is None else pull * mean, par
    )
    made = law.at(symbols, values)
    if rubs is not None and not tendon.law.one_sided:
        rubs = rubs.pulled_or_pushed(made.unrectified)
    return Pull(
        tension=made.tension if rubs is None else made.tension / mean,
        unrectified=made.unrectified if tendon.law.one_sided else None,
        elongation=values[0],
        under=made.under,
        energy=made.energy,
        spring=Spring(law, symbols, values, paid, mean),
        rubbing=rubs,
    )
