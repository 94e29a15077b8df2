"""Oracles of motions: schemes agree and converge, energy balances, derivatives are derivatives."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import chorda
from tests.fuzz.case import Case, Pair, Refused
from tests.fuzz.plain.differences import slopes

IMPLICIT = {"bdf2": 0.3, "generalized-alpha": 0.3, "newmark": 0.3, "rosenbrock": 0.1}
STEPS = 10
RATE = 0.05  # of a step over the time of the fastest mode


def has_corner(case: Case) -> bool:
    """Whether forces have a corner: a tendon goes slack, leaves a pulley, or begins to stiffen."""
    if any(getattr(t.law, "stiffening", 0.0) for t in case.robot.tendons):
        return True
    laws = any(
        getattr(t.law, "one_sided", False) and not getattr(t.law, "smoothing", True)
        for t in case.robot.tendons
    )
    return laws or any(getattr(x, "leave", False) for t in case.robot.tendons for x in t.path)


def lossless(case: Case) -> bool:
    """Whether nothing but constant inputs brings or takes energy."""
    robot = case.robot
    parts = (*robot.springs, *robot.dampers, *robot.joints, *(t.law for t in robot.tendons))
    words = (
        "friction",
        "damping",
        "damping_modulus",
        "bend_damping",
        "twist_damping",
        "stretch_damping",
    )
    if any(getattr(x, w, None) for x in parts for w in words):
        return False
    if any(getattr(t.law, "over", "total") != "total" for t in robot.tendons):
        return False
    motors = [x for x in robot.actuators if x.kind == "motor"]
    losses = any(x.friction or x.dry_friction for x in motors)
    return not (losses or robot.loads or any(x.kind == "winch" for x in robot.actuators))


def step_of(case: Case) -> float:
    """A short step for the fastest mode."""
    if case.robot.name == "soft":
        return min(1e-3, RATE / case.fastest)
    linear = case.made.get("linear") or chorda.linearize(case.system, *case.qv, case.u)
    case.made["linear"] = linear
    fastest = float(np.max(np.abs(linear.eigenvalues), initial=1.0))
    return min(1e-3, RATE / fastest)


def moved(case: Case, scheme: str, step: float, steps: int, tolerance: float | None = None) -> Any:
    initial = np.concatenate(case.qv)
    inputs = case.u if case.system.nu else None
    run = chorda.simulate(
        case.system,
        duration=steps * step,
        step=step,
        scheme=scheme,
        initial=initial,
        inputs=inputs,
        tolerance=tolerance,
        progress=False,
    )
    if not run.status.ok:
        raise Refused(f"{scheme}: {run.status.code}")
    return run


def motions(case: Case) -> Iterator[Pair]:
    """rk4 and another scheme agree, the closer the smaller the step."""
    often = {"soft": 0.12, "loop": 1.0}  # making a step's functions costs most
    if case.rng.random() > often.get(case.robot.name, 0.4):
        return
    h = step_of(case)
    exact = moved(case, "rk4", h, STEPS)
    case.made["run"] = exact
    scheme = str(case.rng.choice(list(IMPLICIT), p=list(IMPLICIT.values())))
    far = np.abs(exact.position - exact.position[0]).max()
    scale = float(max(far, np.abs(exact.velocity).max() * h))
    fine = moved(case, "rk4", h / 2, 2 * STEPS).position[::2]

    def apart(k: int) -> float:
        run = moved(case, scheme, h / k, STEPS * k)
        return float(np.abs(run.position[::k] - fine).max())

    off = [apart(1), apart(2)]
    # an error of second order, at the latest from half the step on; exact where rk4 is
    floor = 1e-4 * scale + 1e-9
    if not has_corner(case):
        if off[1] > floor + 0.45 * off[0]:
            off = [off[0], off[1], apart(4)]
        left = max(off[-1] - floor - 0.45 * off[-2], 0.0)
        yield f"rk4 and {scheme} in shorter steps", left, 0.0, 1e-9
    yield f"rk4 and {scheme}", max(off[0] - 0.2 * scale - floor, 0.0), 0.0, 1e-9
    if case.robot.name != "soft" and case.rng.random() < 0.1:
        reference = moved(case, "cvodes", h, STEPS, 1e-12)
        gap = np.abs(reference.position[-1] - exact.position[-1]).max()
        most = 0.2 * scale if has_corner(case) else floor
        yield "rk4 and cvodes", max(float(gap) - most, 0.0), 0.0, 1e-9


def balance(case: Case) -> Iterator[Pair]:
    """The oracle's energy at both ends of a motion, less the work of the inputs."""
    run = case.made.get("run")
    if run is None or not lossless(case):
        return
    energies, work, size = [], [], 0.0
    for k in (0, -1):
        q, v = run.position[k], run.velocity[k]
        joints, _, theta, _ = case.full(q, v)
        s = case.state(q, v)
        V = case.plain.potential(joints, theta, case.inputs)
        energies.append(s.kinetic + V)
        size = max(size, s.kinetic, abs(V))
        pulls = {x.name: x.kind for x in case.robot.actuators}
        given = sum(case.inputs[m.name] * t for m, t in zip(case.plain.motors, theta, strict=True))
        for t, tension, length in zip(case.robot.tendons, s.tensions, s.lengths, strict=True):
            if t.actuator and pulls[t.actuator] == "tension":
                given -= tension * length
        work.append(given)
    bound = 1e-4 if has_corner(case) else 1e-6
    gap = energies[1] - energies[0] - (work[1] - work[0])
    yield "energy", gap * 1e-6 / bound, 0.0, size + float(np.max(np.abs(work)))


def linear(case: Case) -> Iterator[Pair]:
    """Derivatives of forces, by differences of Chorda's own."""
    system, (q, v), u = case.system, case.qv, case.u
    if has_corner(case) or (case.robot.name == "soft" and case.rng.random() > 0.25):
        return
    found = case.made.get("linear") or chorda.linearize(system, q, v, u)
    case.made["linear"] = found
    p, k = system.parameters(), case.plain.kinematics

    def force(q: Any, v: Any, u: Any) -> Any:
        return system.equations(q, v, u, p)[1].full().ravel()

    def at(move: Any) -> Any:
        out = np.array(q)
        out[: k.nq] = k.moved(q[: k.nq], move[: k.nv], 1.0)
        out[k.nq :] += move[k.nv :]
        return out

    # a rounded corner may be short
    step = 1e-5 if any(getattr(t.law, "smoothing", None) for t in case.robot.tendons) else 1e-3
    K = [
        slopes(lambda t, e=e: force(at(t * e), v, u), step) / s
        for e, s in zip(np.diag(system.scales), system.scales, strict=True)
    ]
    D = [slopes(lambda t, e=e: force(q, v + t * e, u), step) for e in np.eye(system.nv)]
    B = [slopes(lambda t, e=e: force(q, v, u + t * e), step) for e in np.eye(system.nu)]
    size = float(np.abs(force(q, v, u)).max())
    for name, ours, theirs in (("K", found.K, K), ("D", found.D, D), ("B", found.B, B)):
        if len(theirs):
            columns = np.array(theirs).T
            yield name, ours, columns, float(np.abs(columns).max()) + size


def gradients(case: Case) -> Iterator[Pair]:
    """Derivatives of a motion by its start and by a parameter, by differences of motions."""
    system = case.system
    if case.robot.name == "soft" or system.nc or system.quaternions or has_corner(case):
        return
    if case.rng.random() > 0.12:
        return
    h, (q, v) = step_of(case), case.qv
    name = str(
        case.rng.choice(
            [x for x in system.parameter_names if x.endswith(("mass", "stiffness"))] or [""]
        )
    )
    if not name:
        return
    scheme = str(case.rng.choice(["rk4", "bdf2", "implicit-euler", "generalized-alpha"]))
    given = {"duration": 6 * h, "step": h, "scheme": scheme, "progress": False, "jobs": 1}
    if scheme in ("bdf2", "generalized-alpha"):
        given["tolerance"] = 1e-13
    if system.nu:
        given["inputs"] = case.u[None]
    x = np.concatenate([q, v])
    made = chorda.rollout(system, initial=x[None], gradients=(name, "start"), **given)
    if len(made.failed):
        raise Refused(f"rollout: {made.code}")
    p = system.parameters()[system.parameter_names.index(name)]
    sizes = np.array([1e-4 * p, *[1e-4] * len(x)])
    starts, values = [], []
    for i, size in enumerate(sizes):
        for sign in (-2, -1, 1, 2):
            start = x.copy()
            if i:
                start[i - 1] += sign * size
            starts.append(start)
            values.append(p + (sign * size if not i else 0.0))
    if system.nu:
        given["inputs"] = np.repeat(case.u[None], len(starts), 0)
    many = chorda.rollout(
        system, initial=np.array(starts), parameters={name: np.array(values)}, **given
    )
    ends = np.hstack([many.position[:, -1], many.velocity[:, -1]]).reshape(len(sizes), 4, -1)
    slope = (ends[:, 0] - 8 * ends[:, 1] + 8 * ends[:, 2] - ends[:, 3]) / (12 * sizes[:, None])
    ours = made.by[0, -1].T
    for i, row in enumerate(slope):
        size = float(np.abs(row).max() + np.abs(ends).max() * 1e-7 / sizes[i])
        yield f"by {made.unknowns[i]}, {scheme}", ours[i], row, 10 * size
