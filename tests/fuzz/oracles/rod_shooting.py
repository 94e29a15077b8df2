"""A rod at rest under gravity and a load at its tip: shooting along the continuous equations."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

import chorda
from chorda.describe import Circle, Load, Modes, Point, Robot, Rod
from tests.fuzz.case import Case, Pair, Refused
from tests.fuzz.drawn.parts import gravity, numbers, place
from tests.fuzz.plain.kinematics import placed
from tests.fuzz.plain.rods import PlainRod


def rods_at_rest(case: Case) -> Iterator[Pair]:
    """The tip of a rod of many modes, beside that of the boundary-value problem."""
    rng = case.rng
    if case.robot.name != "soft" or rng.random() > 0.35:
        return
    stretch, shear = int(rng.random() < 0.5) * 4, int(rng.random() < 0.3) * 4
    counts = {"twist": 6, "bend_y": 6, "bend_z": 6, "stretch": stretch, "shear_y": shear}
    r, L = float(rng.uniform(0.004, 0.008)), float(rng.uniform(0.2, 0.5))
    E = float(10 ** rng.uniform(7, 8))
    rod = Rod(
        name="rod",
        placement=place(rng),
        length=L,
        section=Circle(radius=r),
        young_modulus=E,
        density=float(rng.uniform(500, 2000)),
        rest={"bend_z": float(rng.uniform(-1, 1))} if rng.random() < 0.4 else {},
        modes=Modes(**counts, shear_z=shear, intervals=24),
    )
    bend = E * np.pi * r**4 / 4
    force = rng.normal(size=3) * 0.6 * bend / L**2
    moment = rng.normal(size=3) * 0.4 * bend / L
    load = Load(
        name="push", at=Point(frame="rod.tip"), force=numbers(force), moment=numbers(moment)
    )
    down = gravity(rng)
    robot = Robot(name="rod", gravity=numbers(0.2 * np.array(down)), joints=[rod], loads=[load])
    rest = chorda.equilibrium(chorda.assemble(robot))
    if not rest.status.ok:
        raise Refused(f"{rest.status.code}")
    p, R = rest.frame("rod.tip")
    base = placed(rod.placement)
    plain = PlainRod(rod, robot)
    begin = plain.frames(base, rest.q)  # only the first guess of the moment comes from Chorda
    strain = plain.matrix(0.0) @ rest.q
    stiffness = plain.stiffness(0.0)
    guess = begin["rod.base"][0] @ (stiffness[:3] * strain[:3])
    tip, turn = _shot(rod, robot, base, force, moment, guess)
    yield "tip", p, tip, L
    yield "turn of the tip", R, turn, 1.0


def _shot(rod: Rod, robot: Robot, base: Any, force: Any, moment: Any, guess: Any) -> Any:
    """Pose of the tip; the moment at the base is sought."""
    plain = PlainRod(rod, robot)
    stiffness, rest = plain.stiffness(0.0), plain.at_rest(0.5)
    occurs = np.array(plain.counts) > 0
    weight = rod.density * plain.area()[0] * np.array(robot.gravity)

    def slope(s: float, y: Any) -> Any:
        R, m = y[3:12].reshape(3, 3), y[12:]
        n = force + weight * (rod.length - s)  # what the far part pulls with
        wrench = np.concatenate([R.T @ m, R.T @ n])
        xi = rest + np.where(occurs, wrench / stiffness, 0.0)
        k, e = xi[:3], xi[3:] + np.array([1.0, 0.0, 0.0])
        K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
        p1 = R @ e
        return np.concatenate([p1, (R @ K).ravel(), -np.cross(p1, n)])

    def shoot(m0: Any) -> Any:
        y = np.concatenate([base[1], base[0].ravel(), m0])
        return solve_ivp(slope, (0, rod.length), y, method="DOP853", rtol=1e-10, atol=1e-12).y[
            :, -1
        ]

    size = float(np.abs(guess).max() + np.abs(moment).max() + 1e-6)
    found = root(lambda x: (shoot(x * size)[12:] - moment) / size, guess / size, tol=1e-11)
    if np.abs(found.fun).max() > 1e-7:
        raise Refused("shooting did not converge")
    end = shoot(found.x * size)
    return end[:3], end[3:12].reshape(3, 3)
