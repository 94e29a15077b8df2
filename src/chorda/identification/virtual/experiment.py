"""A virtual experiment: a robot in closed loop, seen through sensors, with known parameters."""

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from chorda.checks import number, refuse_idle, whole_number
from chorda.control import Controller, Fourier, JointControl, Reference
from chorda.dynamics import simulate
from chorda.errors import InputError
from chorda.identification.logs.log import Log
from chorda.identification.virtual.sensors import Sensors, check_samples, measured
from chorda.mechanics import System
from chorda.mechanics.motor_limits import input_per_torque
from chorda.mechanics.tensioning import gain
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.equal_steps import equal_steps
from chorda.results import Run
from chorda.results.provenance import versions
from chorda.statics import equilibrium
from chorda.statics.initial import Initial, check

MAX_STEP = 5e-4  # [s] at the most
TENSIONS = (20.0, 10.0, 5.0)  # [N] kept in every tendon: slack makes any model useless
FREQUENCY = 3.0  # [rad/s] of the feedback, well below the motors' resonance on elastic tendons
AMPLITUDES = {"rad": 0.5, "m": 0.02}
RANGE_PART = 0.4  # of the way to the end of its range that a joint uses at the most


@interruptible()
def experiment(
    system: System,
    reference: Reference | None = None,
    control: Controller | None = None,
    *,
    duration: float = 60.0,
    sensors: Sensors | None = None,
    seed: int = 0,
    tension: float | None = None,
    step: float | None = None,
    parameters: Mapping[str, float] | None = None,
    scheme: str = "rosenbrock",
    initial: Initial = None,
    progress: bool | None = None,
) -> Log:
    """Move a robot and log what its sensors would measure.

    Parameters
    ----------
    system : System
        The robot.
    reference : Reference, optional
        Wanted motion of the joints; by default a Fourier series with random phases from `seed`.
    control : Controller, optional
        By default computed torque with slow feedback along the reference, which knows the true
        parameters and state. A control that is given has a motion of its own.
    duration : float
        Of the motion [s].
    sensors : Sensors, optional
        Rates and errors of encoders, camera and current sensors.
    seed : int
        Of the motion and of the sensors' errors.
    tension : float, optional
        Kept in every tendon [N]; by default as much of 20 N as the robot stands.
    step : float, optional
        Of the integration and of the controller [s]; by default at most 0.5 ms and a whole part
        of the encoders' period; one that does not divide the duration is shortened until it does.
    parameters : mapping, optional
        True values of parameters by name, the described ones otherwise.
    scheme : str
        Of the integration.
    initial : mapping, array or Equilibrium, optional
        The state at the start, as of `simulate`; by default on the reference.
    progress : bool, optional
        Show a progress bar; by default on a terminal.

    Returns
    -------
    Log
        The measured signals; `truth` holds the parameters.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    identify : parameters from its log.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> log = experiment(assemble(load("neck-3")), duration=1.0)
    >>> len(log.channels["motor-left"].time), log.channels["x1"].sensor
    (501, 'camera')
    """
    check(system)
    sensors, seed = sensors or Sensors(), whole_number("seed", seed, 0)
    check_samples(system, sensors, number("duration", duration, above=0, unit="seconds"))
    step = _step(sensors) if step is None else step
    start: Any = {"parameters": parameters, "initial": initial, "tension": tension, "seed": seed}
    settings: Any = {"duration": duration, "step": step, "scheme": scheme}
    run = closed_loop(system, reference, control, progress=progress, **start, **settings)
    settings["step"] = run.provenance["step"]  # shortened where it does not divide the duration
    about = {
        "robot": system.robot.name,
        "tendons": system.mode,
        **run.provenance["experiment"],
        **settings,
        "seed": int(seed),
        "sensors": asdict(sensors),
        "versions": dict(versions()),
    }
    if remark := equal_steps(duration, step).message:
        about["remark"] = remark
    truth = dict(zip(system.parameter_names, run.parameters.tolist(), strict=True))
    return Log(measured(run, sensors, int(seed)), "virtual experiment", truth, about)


@interruptible()
def closed_loop(
    system: System,
    reference: Reference | None = None,
    control: Controller | None = None,
    *,
    seed: int = 0,
    tension: float | None = None,
    parameters: Mapping[str, float] | None = None,
    initial: Initial = None,
    **options: Any,
) -> Run:
    """The motion behind an experiment, before any sensor sees it; options as of `simulate`."""
    check(system)
    whole_number("seed", seed, 0)
    if control is not None and reference is not None:
        raise InputError("reference: the given control has a motion of its own; give one of both")
    if control is not None:
        refuse_idle({"tension": tension}, "with control, which keeps its own", "leave control out")
    if control is None:
        reference = reference or default_motion(system, int(seed))
        tension = default_tension(system, parameters) if tension is None else tension
        control = JointControl(reference, frequency=FREQUENCY, minimum_tension=tension)
        initial = _start(system, control, parameters) if initial is None else initial
    options = {"step": MAX_STEP, "scheme": "rosenbrock", "strict": True, **options}
    run = simulate(system, control=control, initial=initial, parameters=parameters, **options)
    about = {
        "motion": f"{getattr(control, 'reference', control)!r:.2000}",  # tables are long
        "control": type(control).__name__,
    }
    return replace(run, provenance={**run.provenance, "experiment": about})


def default_motion(system: System, seed: int = 0, amplitude: float | None = None) -> Fourier:
    """Five harmonics of 0.1 Hz about the reference configuration, within the joints' ranges.

    amplitude: of every joint, in its unit; by default half a radian or 20 mm at the most.
    """
    whole_number("seed", seed, 0)
    joints = [c for c in system.coordinates if c.kind == "joint"]
    if not joints:
        raise InputError("system: expected a robot with joints that move, got none")
    if amplitude is not None:
        number("amplitude", amplitude, above=0)
    usual = [
        min(AMPLITUDES.get(c.unit, 0.0), RANGE_PART * min(c.high - c.rest, c.rest - c.low))
        for c in joints
    ]
    size, offset = usual if amplitude is None else amplitude, tuple(c.rest for c in joints)
    return Fourier.random(len(joints), size, 0.1, harmonics=5, seed=seed, offset=offset)


def default_tension(system: System, parameters: Mapping[str, float] | None = None) -> float:
    """The largest of `TENSIONS` under which the robot stays near its reference configuration.

    Tendons that run straight along a joint buckle it when they all pull, and feedback that is
    slower than the buckling comes too late.
    """
    for tension in TENSIONS:
        found = equilibrium(system, tensions=tension, parameters=parameters)
        if found.status.ok and found.stable:
            joints = [i for i, c in enumerate(system.coordinates) if c.kind == "joint"]
            near = [AMPLITUDES.get(system.coordinates[i].unit, np.inf) for i in joints]
            if np.all(np.abs(found.q - system.rest)[joints] < near):
                return tension
    return TENSIONS[-1]


def _step(sensors: Sensors) -> float:
    period = 1 / sensors.encoder_rate
    return period / math.ceil(period / MAX_STEP - 1e-9)


def _start(
    system: System, control: JointControl, parameters: Mapping[str, float] | None
) -> dict[str, Any]:
    """On the reference, with the tensions that the controller asks for there."""
    law, w = control.law(system), control.signal(system, np.zeros(1))[0]
    p = system.parameters(parameters)
    joints = [c.name for c in system.coordinates if c.kind == "joint"]
    n = len(joints)
    q, v = system.rest, np.zeros(system.nv)
    q[:n], v[:n] = w[:n], w[n : 2 * n]
    start: dict[str, Any] = dict(zip(joints, w[:n].tolist(), strict=True))
    start |= {f"{name}.rate": rate for name, rate in zip(joints, w[n : 2 * n], strict=True)}
    if any(c.kind == "motor" for c in system.coordinates):
        u = law(0.0, q, v, w, p).full().ravel()
        if not np.all(np.isfinite(u)):
            raise InputError(
                f"control: no tensions of at least {control.minimum_tension:g} N hold the "
                "configuration at the start; give a lower tension, another motion, or other tendons"
            )
        both = zip(system.inputs, u, strict=False)
        torque = [x / input_per_torque(system, i.name, p) for i, x in both]
        start["tension"] = [
            pull if i.kind == "tension" else -tendon.winding * pull / gain(system, i.name, p)
            for tendon, i, pull in zip(system.robot.tendons, system.inputs, torque, strict=False)
        ]
    return start
