"""Friction along a tendon: how its tension changes from its actuator to its attachment.

Behind guide j the tension is T_j = r_j T_(j-1), the ratio r_j following from the angle by which the
guide turns the cable and from s_j in [-1, 1]: 1 where the cable slides over it towards the
actuator, -1 where it slides away. The cable stretches evenly: it slides over guide j with

    v_j = -dL_j/dt + (L_j / l) dx/dt,

L_j being the length beyond the guide, l the whole one and x the elongation. The law of the tendon
gives the mean of the tensions over the length. Then the cable takes as much power as it stores and
as friction turns into heat, sum of (T_(j-1) - T_j) v_j, which is never negative. A sheath is a row
of short segments and guides.

In motion s_j is v_j / sqrt(v_j^2 + speed^2), or z_j / deflection of bristles that are bent by z_j
and bend at the rate v_j - |v_j| z_j / deflection [Dahl1968]. At rest it is a parameter of the
tendon: how it slid before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca

from chorda.describe import Bearing, Capstan, Tendon, Viscous
from chorda.mechanics.cables import Cable
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.first_order import FirstOrderState, state
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.guides import Guide
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.rubbing_sheaths import RubbingSheath
from chorda.mechanics.sheath_drag import sheath_drag
from chorda.mechanics.tree import Tree

BRISTLE = ".bristle"
SLIDING = ".sliding"  # of a tendon: the parameter that says how it slid before it came to rest


@dataclass(frozen=True, eq=False)
class Rubbing:
    """The tension along one cable, over that at its actuator; expressions of the ways."""

    labels: tuple[str, ...]  # of guides and sheaths that rub
    speeds: tuple[Expr, ...]  # of sliding towards the actuator, at each of them [m/s]
    ways: Expr  # symbols: 1 where it slides towards the actuator, -1 where away from it
    moving: Expr  # their values in motion
    resting: Expr  # and at rest: as it slid before
    states: tuple[FirstOrderState, ...]  # of bristles
    smooth: bool  # whether friction anywhere rises with the speed and holds nothing at rest
    drags: bool  # whether there is viscous friction in a sheath
    ratios: tuple[Expr, ...]  # at the actuator, and behind each guide and sheath that rubs
    mean: Expr  # along the cable
    arms: Expr  # generalized force of a unit tension at the actuator

    def sliding(self, put: Callable[[Expr], Expr]) -> "Rubbing":
        """With values for the ways, which `put` puts in."""
        ratios = tuple(put(x) for x in self.ratios)
        return replace(self, ratios=ratios, mean=put(self.mean), arms=put(self.arms))

    def pulled_or_pushed(self, tension: Expr) -> "Rubbing":
        """Of a cable that may push: in motion friction of one that pushes acts the other way round,
        and takes energy too."""
        return replace(self, moving=ca.if_else(tension < 0, -1, 1) * self.moving)

    def behind(self, path: str, element: int) -> Expr:
        """The ratio behind an element of the path, whose guides are called `path`0, `path`1 ..."""
        return self.ratios[sum(f"{path}{k}" in self.labels for k in range(element + 1))]

    def segment_labels(self, name: str) -> tuple[str, ...]:
        """Of the parts of the cable that `ratios` are those of."""
        return (f"{name}.actuator", *self.labels)


@dataclass(frozen=True, eq=False)
class _Part:
    """What a cable runs over: a guide or a sheath that rubs, and the length behind it."""

    label: str
    law: Capstan | Bearing | Viscous
    over: Guide | RubbingSheath
    own: Expr  # length of the sheath [m]
    behind: Expr  # length up to the next one [m]

    @property
    def guides(self) -> int:
        return 1 if isinstance(self.over, Guide) else self.over.guides


def rubbing(
    tendon: Tendon,
    cable: Cable,
    stretching: Expr,
    tree: Tree,
    train: Drivetrain,
    par: Parameters,
) -> Rubbing | None:
    """None where nothing rubs. stretching: rate of the elongation [m/s]."""
    if cable.guided is None:
        return None
    first, parts = _parts(tendon, cable, tree)
    came = SX(0)
    if any(not isinstance(x.law, Viscous) for x in parts):
        came = par.scalar(f"{cable.name}{SLIDING}", 0.0, "-", signed=True)
    laws = _Coefficients(tendon, par)
    ways = SX.sym("way", sum(x.guides for x in parts))
    speeds = _speeds(parts, stretching / cable.length, train)
    plain, weighted, arms, ratio, done = first, SX(0), SX(*train.v.shape), SX(1), 0
    ratios, moving, seen = [ratio], list[Expr](), list[Expr]()
    states = list[FirstOrderState]()
    straight = [(ratio, plain)]
    for part, speed in zip(parts, speeds, strict=True):
        if isinstance(part.law, Viscous):
            done += part.guides
            moving.append(SX.zeros(part.guides))  # the tension does not change
            seen.append(speed[0])
            arms += ratio * sheath_drag(part.law, part.over, laws.drag(part), speed, tree, train)
            ratios.append(ratio)
            straight.append((ratio, part.own + part.behind))
            continue
        mu, pin, least, deflection = laws.of(part)
        own = ways[done : done + part.guides]
        done += part.guides
        if deflection is None:
            moving.append(speed / ca.sqrt(speed**2 + least**2))
        else:
            added = _bristles(part, speed, deflection, came)
            moving.append(ca.vertcat(*[x.z for x in added]) / deflection)
            states += added
        seen.append(speed[0])
        if isinstance(part.over, Guide):
            ratio = ratio * _ratio(part.over, mu, pin, own)
        else:
            along, inside, behind = part.over.pulled(mu, own)
            arms += _spread(part.over, -ratio * along, train)
            weighted += ratio * inside
            ratio = ratio * behind
        ratios.append(ratio)
        straight.append((ratio, part.behind))
    weighted += sum((r * x for r, x in straight), SX(0))
    return Rubbing(
        labels=tuple(x.label for x in parts),
        speeds=tuple(seen),
        ways=ways,
        moving=ca.vertcat(*moving),
        resting=ca.repmat(came, ways.numel(), 1),
        states=tuple(states),
        smooth=any(not (isinstance(x.law, Viscous) or x.law.deflection) for x in parts),
        drags=any(isinstance(x.law, Viscous) for x in parts),
        ratios=tuple(ratios),
        mean=weighted / cable.length,
        arms=ca.sparsify(arms + _arms(straight, train)),
    )


def _parts(tendon: Tendon, cable: Cable, tree: Tree) -> tuple[Expr, list[_Part]]:
    """The length before anything rubs, and what rubs, from the actuator on."""
    assert cable.guided is not None
    lengths, parts = cable.guided.lengths, list[_Part]()
    sheaths = [_sheath(tendon, k, tree) for k in range(len(tendon.sheaths))]
    free = [cable.length - sum((*lengths, *(x for _, _, x in sheaths)), SX(0))]  # the lead
    found: list[tuple[str, Any, Any, Expr, Expr]] = [
        (f"{tendon.name}.path{x.element}", _law(tendon, tendon.path[x.element]), x, SX(0), length)
        for x, length in zip(cable.guided.guides, lengths[1:], strict=True)
    ]
    for (name, model, length), described in zip(sheaths, tendon.sheaths, strict=True):
        found.append((name, _law(tendon, described), model, length, SX(0)))
    if lengths:
        free[0] += lengths[0]
    for label, law, over, own, behind in found:
        if law is not None and over is not None:
            parts.append(_Part(label, law, over, own, behind))
        elif parts:
            last = parts[-1]
            parts[-1] = _Part(last.label, last.law, last.over, last.own, last.behind + own + behind)
        else:
            free[0] += own + behind
    return free[0], parts


def _sheath(tendon: Tendon, k: int, tree: Tree) -> tuple[str, RubbingSheath | None, Expr]:
    """Its name, its functions and its length; no functions of a rod that proxies stand for."""
    name = f"{tendon.name}.sheath{k}"
    joint = next(j for j in tree.joints if name in j.sheaths)
    model = None
    if joint.rubbing is not None and _law(tendon, tendon.sheaths[k]) is not None:
        model = joint.rubbing(name)
    return name, model, joint.sheaths[name]


def _law(tendon: Tendon, part: Any) -> Capstan | Bearing | Viscous | None:
    own = getattr(part, "friction", None)
    return tendon.friction if own is None else own


def _speeds(parts: list[_Part], even: Expr, train: Drivetrain) -> list[Expr]:
    """Of each part, at each of its guides; even: rate of the cable's strain [1/s]."""
    speeds, beyond = list[Expr](), SX(0)
    for part in reversed(parts):
        beyond = beyond + part.behind
        rate = train.rate(beyond)
        if isinstance(part.over, Guide):
            speeds.append(-rate + beyond * even)
        else:
            v = train.v[_rows(part.over, train)]
            speeds.append(part.over.speeds(v, beyond, rate, even))
        beyond = beyond + part.own
    return speeds[::-1]


def _bristles(part: _Part, speeds: Expr, deflection: Expr, came: Expr) -> list[FirstOrderState]:
    """At each guide of a part; came: how the cable slid before it came to rest."""
    assert not isinstance(part.law, Viscous)
    n, scale = part.guides, part.law.deflection or 1.0
    names = (
        [f"{part.label}{BRISTLE}"] if n == 1 else [f"{part.label}{BRISTLE}{k}" for k in range(n)]
    )
    return [
        state(name, "m", SX.sym(name), speed, ca.fabs(speed) / deflection, scale, came * deflection)
        for name, speed in zip(names, ca.vertsplit(speeds), strict=True)
    ]


def _arms(straight: list[tuple[Expr, Expr]], train: Drivetrain) -> Expr:
    """Of the segments between guides, each with its ratio."""
    held = SX.sym("r", len(straight))
    weighted = ca.dot(held, ca.vertcat(*[x for _, x in straight]))
    arms = -(ca.jacobian(weighted, train.q) @ train.N).T
    return ca.substitute(arms, held, ca.vertcat(*[r for r, _ in straight]))


def _rows(sheath: RubbingSheath, train: Drivetrain) -> list[int]:
    """Velocities of the sheath's rod, each of which is the rate of a coordinate."""
    by = ca.jacobian(sheath.q, train.q) @ train.N
    return list(by.sparsity().get_triplet()[1])


def _spread(sheath: RubbingSheath, along: Expr, train: Drivetrain) -> Expr:
    out = SX(*train.v.shape)
    out[_rows(sheath, train)] = along
    return out


class _Coefficients:
    """Parameters of laws, those of the tendon made once."""

    def __init__(self, tendon: Tendon, par: Parameters) -> None:
        self.tendon, self.par = tendon, par
        self.made: dict[str, tuple[Expr, Expr | None, Expr, Expr | None]] = {}
        self.drags: dict[str, Expr] = {}

    def drag(self, part: _Part) -> Expr:
        """Coefficient of viscous friction."""
        assert isinstance(part.law, Viscous)
        name = self.tendon.name if part.law is self.tendon.friction else part.label
        if name not in self.drags:
            value = part.law.coefficient
            self.drags[name] = self.par.scalar(f"{name}.drag_coefficient", value, "s/m")
        return self.drags[name]

    def of(self, part: _Part) -> tuple[Expr, Expr | None, Expr, Expr | None]:
        """Coefficient, radius of the pin, speed of full friction, deflection of bristles."""
        law, name = part.law, part.label
        assert not isinstance(law, Viscous)
        if law is self.tendon.friction:
            name = self.tendon.name
        if name not in self.made:
            mu = self.par.scalar(f"{name}.friction_coefficient", law.coefficient, "-")
            pin = None
            if isinstance(law, Bearing):
                pin = self.par.scalar(f"{name}.pin_radius", law.pin_radius, "m", positive=True)
            least, deflection = SX(0), None
            if law.deflection is None:
                least = self.par.scalar(f"{name}.friction_speed", law.speed, "m/s", positive=True)
            else:
                deflection = self.par.scalar(
                    f"{name}.friction_deflection", law.deflection, "m", positive=True
                )
            self.made[name] = mu, pin, least, deflection
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
