"""Oracles of the same robot in other ways: changed parameters, locked joints, batches, C code."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import chorda
from chorda.describe import Prismatic, Revolute
from tests.fuzz.case import TINY, Case, Pair, Refused
from tests.fuzz.oracles.motion import step_of
from tests.fuzz.plain.robot import PlainRobot

FLAGS = "-std=c99 -O0 -Wall -Wextra -Werror -pedantic"  # speed is not asked for


def _changed(case: Case) -> tuple[Any, dict[str, float]]:
    """A description with other numbers, and the same changes as parameters."""
    rng, robot, changes = case.rng, case.robot, {}

    def other(record: Any, fields: dict[str, str], name: str) -> Any:
        update = {}
        for field, parameter in fields.items():
            value = getattr(record, field, None)
            full = f"{name}.{parameter}"
            if value is not None and full in case.system.parameter_names and rng.random() < 0.6:
                update[field] = changes[full] = float(value * rng.uniform(0.7, 1.4))
        return record.model_copy(update=update)

    def same(*names: str) -> dict[str, str]:
        return dict(zip(names, names, strict=True))

    joints = []
    for x in robot.joints:
        fields = same("friction", "stiffness", "rest", "bar_mass", "diagonal_mass", "density")
        x = other(x, fields | same("young_modulus", "shear_modulus", "bend_damping"), x.name)
        if getattr(x, "body", None) is not None:
            x = x.model_copy(update={"body": other(x.body, {"mass": "mass"}, x.name)})
        joints.append(x)
    springs = [other(x, same("stiffness", "free_length", "damping"), x.name) for x in robot.springs]
    tendons = []
    for t in robot.tendons:
        law = other(
            t.law, same("stiffness", "damping", "pretension", "stiffening", "smoothing"), t.name
        )
        tendons.append(other(t, same("lead"), t.name).model_copy(update={"law": law}))
    motor = same("inertia", "drum_radius", "gear_ratio", "friction")
    actuators = [other(x, motor, x.name) for x in robot.actuators]
    parts = {"joints": joints, "springs": springs, "tendons": tendons, "actuators": actuators}
    return robot.model_copy(update={k: tuple(v) for k, v in parts.items()}), changes


def parameters(case: Case) -> Iterator[Pair]:
    """Changed parameters do what a changed description does, by the plain mechanics."""
    if case.rng.random() > 0.4:
        return
    robot, changes = _changed(case)
    if not changes:
        return
    q, v = case.qv
    M, F, *_ = case.system.equations(q, v, case.u, case.system.parameters(changes))
    twin = Case(robot, case.mode, case.rng, made=case.made)
    twin.__dict__.update(system=case.system, inputs=case.inputs, plain=PlainRobot(robot, case.mode))
    twin.differ_over(case.plain.step)
    s = twin.state(q, v)
    T, bend = twin.lift(s)
    exact = T.T @ s.M @ T
    force = T.T @ (s.F - s.M @ bend)
    yield "M with changed parameters", M.full(), exact, float(np.abs(exact).max())
    size = max(s.scale, float(np.abs(force).max()), TINY)
    yield "F with changed parameters", F.full().ravel(), force, size


def locked(case: Case) -> Iterator[Pair]:
    """A joint that is locked leaves the others' equations, and rests where it is held."""
    system = case.system
    names = [
        x.name
        for x in case.robot.joints
        if isinstance(x, Revolute | Prismatic)
        and x.link is None
        and x.name in system.coordinate_names
    ]
    if not names or case.robot.closures or case.plain.tied or system.nv < 2:
        return
    if case.rng.random() > 0.3:
        return
    name = str(case.rng.choice(names))
    at = system.coordinate_names.index(name)
    row = [x for x, _ in system.velocities].index(f"{name}.rate")
    q, v = case.qv[0], case.qv[1].copy()
    v[row] = 0.0
    held = chorda.assemble(chorda.describe.locked(case.robot, {name: float(q[at])}), case.mode)
    M, F, *_ = (x.full() for x in system.equations(q, v, case.u, system.parameters()))
    others = [k for k in range(system.nv) if k != row]
    q1, v1 = np.delete(q, at), v[others]
    m, f, *_ = (x.full() for x in held.equations(q1, v1, case.u, held.parameters()))
    yield "M of the locked robot", m, M[np.ix_(others, others)], float(np.abs(M).max())
    size = max(case.here.scale, float(np.abs(F).max()), TINY)
    yield "F of the locked robot", f.ravel(), F.ravel()[others], size
    if case.rng.random() < 0.3:
        inputs = {x: u for x, u in case.inputs.items() if not x.endswith(".rate")}
        rest = chorda.equilibrium(
            system, hold={name: float(q[at])}, inputs=inputs or None, initial=q
        )
        if not rest.status.ok:
            raise Refused(f"hold: {rest.status.code}")
        alone = chorda.equilibrium(held, inputs=inputs or None, initial=np.delete(rest.q, at))
        if not alone.status.ok:
            raise Refused(f"locked: {alone.status.code}")
        left = held.equations(np.delete(rest.q, at), np.zeros(held.nv), rest.u, held.parameters())[
            1
        ].full()
        yield "forces left where it is held", left, np.zeros_like(left), max(size, 1.0)


def batches(case: Case) -> Iterator[Pair]:
    """Members of a rollout move as each of them does alone."""
    system = case.system
    if case.rng.random() > 0.15 or system.nc:
        return
    h, x = step_of(case), np.concatenate(case.qv)
    names = [n for n in system.parameter_names if n.endswith(("mass", "stiffness", "density"))]
    if not names:
        return
    name = str(case.rng.choice(names))
    p = system.parameters()[system.parameter_names.index(name)]
    values = p * np.array([1.0, 1.3, 0.8])
    scheme = str(case.rng.choice(["implicit-euler", "bdf2", "rk4"]))
    how: dict[str, Any] = {"duration": 8 * h, "step": h, "scheme": scheme, "progress": False}
    inputs = {"inputs": np.repeat(case.u[None], 3, 0)} if system.nu else {}
    many = chorda.rollout(
        system, initial=np.tile(x, (3, 1)), parameters={name: values}, jobs=1, **inputs, **how
    )
    for k, value in enumerate(values):
        inputs = {"inputs": case.u} if system.nu else {}
        run = chorda.simulate(system, initial=x, parameters={name: value}, **inputs, **how)
        if run.status.ok != (not many.code[k]):
            yield "status of a member", many.code[k], 0, 1e-9
        elif run.status.ok:
            size = float(np.abs(run.position).max())
            yield "a member's end", many.position[k, -1], run.position[-1], 1e-4 * size


def exported(case: Case) -> Iterator[Pair]:
    """The C code's own test, and that it fails where a number is changed."""
    if case.rng.random() > 0.01 or not (shutil.which("make") and shutil.which("cc")):
        return
    scheme = str(case.rng.choice(["implicit-euler", "bdf2", "rk4"]))
    with TemporaryDirectory() as name:
        folder = Path(name) / "c"
        chorda.export(
            case.system,
            folder,
            to="c",
            scheme=scheme,
            step=step_of(case),
            initial=np.concatenate(case.qv),
        )
        ran = subprocess.run(
            ["make", "test", f"CFLAGS={FLAGS}"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
        )
    wrong = ran.stdout.count("WRONG") + ran.stderr.count("error:")
    yield (
        f"the C code's test: {ran.stdout[-200:]}{ran.stderr[-200:]}",
        wrong + abs(ran.returncode),
        0,
        1e-9,
    )
