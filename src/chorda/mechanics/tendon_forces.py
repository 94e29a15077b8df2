"""Fourth stage: what the cables pull with, and what they store.

Tensions stay symbols (`pulls`) in the forces; here are the values that laws and inputs give them.
"""

from dataclasses import dataclass

import casadi as ca

from chorda.describe import Motor, Rigid, Tendon, TensionActuator, Winch
from chorda.mechanics.cables import Cable
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_laws import Stretch, stretched

ZERO = SX(1, 1)  # by structure


@dataclass(frozen=True, eq=False)
class Spring:
    """An elastic tendon: its law over the symbols (x, x_dot), and the values they have."""

    law: Stretch
    symbols: Expr
    values: Expr
    paid: Expr  # length that its actuator has paid out [m]

    def slope(self, k: int) -> Expr:
        """Of the tension by the elongation (0) [N/m] or by its rate (1) [N s/m]."""
        slope = ca.jacobian(self.law.tension, self.symbols[k])
        return ca.substitute(slope, self.symbols, self.values)


@dataclass(frozen=True, eq=False)
class Pull:
    """One tendon; the tension of a rigid one is up to a constraint or the motor that it leads."""

    tension: Expr  # [N]
    unrectified: Expr | None = None  # of one that cannot push: the tension if it could [N]
    elongation: Expr = ZERO  # [m]
    under: Expr = ZERO  # static elongation under the symbol of its tension [m]
    energy: Expr = ZERO  # [J]
    spring: Spring | None = None
    tie: Expr | None = None  # of a rigid one: what a constraint holds at zero [m]


@dataclass(frozen=True, eq=False)
class TendonForces:
    """All tendons, in their order."""

    Z: Expr  # generalized force of unit tensions, -dl/dq^T
    pulls: Expr  # tensions as symbols [N]
    each: tuple[Pull, ...]
    ties: dict[str, Expr]  # by rigid tendon that becomes a constraint

    @property
    def tension(self) -> Expr:
        """[N]; 0 for rigid tendons."""
        return ca.densify(ca.vertcat(SX(0, 1), *[x.tension for x in self.each]))

    @property
    def energy(self) -> Expr:
        """[J]"""
        return sum((x.energy for x in self.each), SX(0))


def tendon_forces(skeleton: Skeleton, cables: tuple[Cable, ...], drive: Drivetrain) -> TendonForces:
    """Tensions that are known without the accelerations, moment arms and stored energy."""
    tendons = skeleton.robot.tendons
    length = ca.vertcat(SX(0, 1), *[cable.length for cable in cables])
    pulls = SX.sym("pull", len(cables))
    each = tuple(
        _pull(i, tendon, cable, pulls[i], skeleton, drive)
        for i, (tendon, cable) in enumerate(zip(tendons, cables, strict=True))
    )
    return TendonForces(
        Z=-(ca.jacobian(length, drive.q) @ drive.N).T,
        pulls=pulls,
        each=each,
        ties={t.name: x.tie for t, x in zip(tendons, each, strict=True) if x.tie is not None},
    )


def _pull(
    i: int, tendon: Tendon, cable: Cable, pull: Expr, skeleton: Skeleton, drive: Drivetrain
) -> Pull:
    actuators = {x.name: x for x in skeleton.robot.actuators}
    actuator = None if tendon.actuator is None else actuators[tendon.actuator]
    paid = paid_rate = SX(0)
    leads = False
    match actuator:
        case TensionActuator():
            tension = drive.input(actuator.name)
            if getattr(tendon.law, "one_sided", False):
                return Pull(ca.fmax(tension, 0), tension)
            return Pull(tension)
        case Winch():
            paid = tendon.winding * drive.input(actuator.name)
            paid_rate = tendon.winding * drive.input(f"{actuator.name}.rate")
        case Motor():
            drum = drive.motor(actuator.name).drum
            paid, leads = tendon.winding * drum.B * drum.angle, drum.leader == i
    x = cable.length - cable.reference - paid
    if not drive.elastic[i]:
        return Pull(ZERO, tie=None if leads else x)
    rate = drive.rate(x) - paid_rate
    return _elastic(tendon, cable, pull, paid, ca.vertcat(x, rate), skeleton.par)


def _elastic(
    tendon: Tendon, cable: Cable, pull: Expr, paid: Expr, values: Expr, par: Parameters
) -> Pull:
    assert not isinstance(tendon.law, Rigid)
    symbols = SX.sym("x", 2)
    law = stretched(cable, tendon.law, symbols[0], symbols[1], pull, par)
    made = law.at(symbols, values)
    return Pull(
        tension=made.tension,
        unrectified=made.unrectified if tendon.law.one_sided else None,
        elongation=values[0],
        under=made.under,
        energy=made.energy,
        spring=Spring(law, symbols, values, paid),
    )
