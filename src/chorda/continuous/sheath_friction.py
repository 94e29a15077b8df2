"""Friction of tendons in their sheaths: two laws."""

from dataclasses import dataclass

from chorda.checks import number


@dataclass(frozen=True)
class Simple:
    """A force on the rod against the tendon's sliding; the tension stays the same along the path.

    Per length of rod it is `beta` [s/m] times tension, curvature of the tendon's path and speed of
    sliding: towards the tip where the tendon slides towards the actuator. That is the sign of the
    force in the public program, which takes energy out of the swinging robot (its moment has the
    other sign; here both are of one force at the tendon). By the law of action and reaction alone
    it would be the other way round, with a tension that changes along the path: see Sliding.

    Parameters
    ----------
    beta : coefficient [s/m].
    """

    beta: float = 4.0

    def __post_init__(self) -> None:
        number("friction.beta", self.beta, above=0)


@dataclass(frozen=True)
class Sliding:
    """Coulomb's law along the path: the tension falls from the actuator's side while it is pulled.

    tau' = -nu sat(v) |f_n|, sat(v) = v / sqrt(v^2 + speed^2), with the speed v of sliding towards
    the actuator [m/s] and the tendon's normal force f_n per length of rod. v counts from where the
    tendon is attached; the public program counts from the motor and so leaves out the winch's own
    rate. Where strains jump, the kink in the path makes no friction.

    Parameters
    ----------
    nu : coefficient of friction [-].
    speed : of sliding from which friction has about its full size [m/s].
    printed : whether tau' is multiplied by the unstretched length of tendon per length of rod, as
        in the public program; Euler's law of the capstan then holds only where that is 1.
    """

    nu: float = 0.1
    speed: float = 1e-3
    printed: bool = False

    def __post_init__(self) -> None:
        number("friction.nu", self.nu, above=0)
        number("friction.speed", self.speed, above=0)


Friction = Simple | Sliding | None
