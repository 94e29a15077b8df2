"""Friction of tendons in their sheaths: two laws, and the choices of the public program.

In the public program of [Till2019] the speed of sliding counts from the motor, and simple friction
has a moment against its force. `counted_from`, `moment` and `printed` give what it computes.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from chorda.checks import check_choice, flag, number

CountedFrom = Literal["attachment", "actuator"]
MomentOfFriction = Literal["consistent", "opposite"]


@dataclass(frozen=True)
class Simple:
    """A force on the rod against the tendon's sliding; the tension stays the same along the path.

    Per length of rod it is `beta` [s/m] times tension, curvature of the tendon's path and speed of
    sliding: towards the tip where the tendon slides towards the actuator. The formula and beta = 4
    are those of the public program of [Till2019]: the chapter that goes with it names the model and
    prints neither. So is the sign of the force, which takes energy out of the swinging robot. By
    the law of action and reaction alone it would be the other way round, with a tension that
    changes along the path: see Sliding. The program is
    `Simple(4.0, moment="opposite", counted_from="actuator")`; its curvature is the rod's, which in
    a plane is the same.

    Parameters
    ----------
    beta : float
        Coefficient [s/m].
    moment : {"consistent", "opposite"}
        'consistent': the force acts at the tendon, its moment about the rod's centre line is
        r x f. 'opposite': -r x f as in the public program, which no force at the tendon has.
    counted_from : {"attachment", "actuator"}
        Where the length is zero whose rate is the speed of sliding; see Sliding.

    See Also
    --------
    Sliding : the other law.
    rod_dynamics : takes it as `friction`.

    Examples
    --------
    >>> Simple(4.0, moment="opposite").beta
    4.0
    """

    beta: float = 4.0
    moment: MomentOfFriction = "consistent"
    counted_from: CountedFrom = "attachment"

    def __post_init__(self) -> None:
        number("friction.beta", self.beta, above=0)
        check_choice("friction.moment", self.moment, get_args(MomentOfFriction))
        check_choice("friction.counted_from", self.counted_from, get_args(CountedFrom))


@dataclass(frozen=True)
class Sliding:
    """Coulomb's law along the path: the tension falls from the actuator's side while it is pulled.

    tau' = -nu sat(v) abs(f_n), sat(v) = v / sqrt(v^2 + speed^2), with the speed v of sliding
    towards the actuator [m/s] and the tendon's normal force f_n per length of rod. Where strains
    jump, the kink in the path makes no friction. The chapter of [Till2019] prints the law, with the
    sign and with a factor (see `printed`); nu = 0.1 and the rounding of the sign are its public
    program's, which is `Sliding(0.1, printed=True, counted_from="actuator")`.

    Parameters
    ----------
    nu : float
        Coefficient of friction [-].
    speed : float
        Of sliding from which friction has about its full size [m/s].
    printed : bool
        Whether tau' is multiplied by the unstretched length of tendon per length of rod, as
        in the chapter and its program; Euler's law of the capstan then holds only where that is 1.
    counted_from : {"attachment", "actuator"}
        v is the rate of the unstretched length from a point of the tendon to the
        section. 'attachment': from where the tendon is attached, so that nothing slides there and
        v is the speed in the sheath. 'actuator': from the winch, as in the public program. That is
        v plus the rate at which the winch pays out: while it winds in, friction has the wrong
        sign. It needs winches.

    See Also
    --------
    Simple : the other law.
    rod_dynamics : takes it as `friction`.

    Examples
    --------
    >>> Sliding(nu=0.2).nu
    0.2
    """

    nu: float = 0.1
    speed: float = 1e-3
    printed: bool = False
    counted_from: CountedFrom = "attachment"

    def __post_init__(self) -> None:
        number("friction.nu", self.nu, above=0)
        number("friction.speed", self.speed, above=0)
        flag("friction.printed", self.printed)
        check_choice("friction.counted_from", self.counted_from, get_args(CountedFrom))


Friction = Simple | Sliding | None


def counts_winch(friction: Friction) -> bool:
    """Whether the winch's rate is part of the speed of sliding."""
    return friction is not None and friction.counted_from == "actuator"
