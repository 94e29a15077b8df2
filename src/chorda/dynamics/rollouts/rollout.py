"""rollout: the motions of many robots of one kind."""

import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.checks import check_choice, check_names, name_list, refuse_idle
from chorda.compile import Batch, Exit
from chorda.dynamics.actuation import Control, actuate
from chorda.dynamics.arguments import check_rows, time_grid, tolerance_of
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.rollouts import gpu, members
from chorda.dynamics.rollouts.cores import Cores
from chorda.dynamics.schemes import REFERENCE, Scheme, check_scheme, find, usual
from chorda.dynamics.sensitivities import AnyLoop, SensitiveLoop, differentiable, one_by_one
from chorda.dynamics.time_loop import bounds
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.memory import refuse_beyond
from chorda.numerics.progress import Progress
from chorda.results.provenance import provenance
from chorda.results.rollout import Rollout
from chorda.statics import winding_limits as winding
from chorda.statics.initial import check
from chorda.statics.rigid_tendons import one_sided_rigid, pushing_members

MAX_LOOKED_AT = 30_000_000  # numbers of states
MAX_GB = 8.0  # of states that are kept
DEVICES, PRECISIONS = ("cpu", "gpu"), ("double", "single")
PIECES = 8  # for each thread: uneven members even out, and the bar moves


@interruptible()
def rollout(
    system: System,
    *,
    duration: float,
    step: float,
    scheme: str | None = None,
    rho_inf: float | None = None,
    initial: Any = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Any = None,
    control: Control = None,
    every: int | None = None,
    gradients: Sequence[str] = (),
    device: str = "cpu",
    precision: str = "double",
    jobs: int | None = None,
    tolerance: float | None = None,
    progress: bool | None = None,
) -> Rollout:
    """Integrate the motions of many robots that differ in start, parameters or inputs.

    Numbers are shared; arrays have the member as their first axis, see
    `chorda.dynamics.rollouts.members`.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    duration, step : float
        Length of the motions and step of the scheme [s]; a step that does not divide the duration
        is shortened until it does, which `remark` says.
    scheme, rho_inf : optional
        As of `chorda.simulate`, without cvodes.
    initial : optional
        A mapping by name of numbers or arrays (members,), or rows (members, nq or nq + nv).
    parameters : mapping, optional
        By name, numbers or arrays (members,).
    inputs : optional
        A mapping by name of numbers, arrays (members,) or series (members, times); or rows
        (members, nu) or (members, times, nu).
    control : Controller or CasADi function, optional
        Instead of inputs.
    every : int, optional
        Keep each n-th step; by default the last one alone. The last step is kept if `every`
        divides their number.
    gradients : sequence of str
        Parameters (the start held fixed), or "start", by which the states are differentiated
        exactly.
    device : {"cpu", "gpu"}
        On the cores of this machine, or on its GPU.
    precision : {"double", "single"}
        On a GPU; single is for schemes without Newton's method.
    jobs : int, optional
        Threads; by default as many as there are cores.
    tolerance, progress : optional
        As of `chorda.simulate`.

    Returns
    -------
    Rollout
        States (members, times, ...). A member that fails stops, and its `code` is not 0; the others
        are unharmed. After Ctrl-C, members that were not run to their end have the code for it.

    Examples
    --------
    >>> import numpy as np
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> system = assemble(load("neck-1"))
    >>> found = rollout(system, duration=0.1, step=1e-3, initial={"x1": np.linspace(0, 0.2, 5)})
    >>> found.position.shape, found.code.tolist()
    ((5, 1, 3), [0, 0, 0, 0, 0])
    """
    check(system)
    name = usual(system) if scheme is None else scheme
    check_scheme(name, rho_inf)
    if name == REFERENCE:
        raise InputError(f"scheme: '{name}' chooses its own steps in Python; expected another one")
    check_choice("device", device, DEVICES)
    check_choice("precision", precision, PRECISIONS)
    if precision == "single" and device == "cpu":
        raise InputError("precision: single is for device='gpu'; leave it out")
    if device == "gpu":
        refuse_idle({"jobs": jobs}, "with device='gpu': it is for cores", "take device='cpu'")
    grid = time_grid(duration, step, 1 if every is None else every)
    steps, h, time = grid.steps, grid.step, grid.time
    every = steps if every is None else every
    if every > steps:
        raise InputError(f"every: expected at most the {steps} steps there are, got {every}")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise InputError(f"parameters: expected a mapping by name, got {parameters!r:.60}")
    n = members.count(initial=initial, parameters=parameters, inputs=inputs)
    _check_size(n, steps // every, system.nq + system.nv)

    law, signal = _fed(system, inputs, control, time, n)
    check_rows(grid, inputs, len(signal))
    names = (gradients,) if isinstance(gradients, str) else name_list("gradients", gradients)
    loop = _loop(system, find(name, rho_inf), law, signal.shape[1], names, initial)
    p = members.parameters(system, parameters, n)
    u = np.zeros((system.nu, 1)) if control is not None else signal[0]
    with Progress(n, progress, f"{n} x {system.robot.name}, starts") as bar:
        q, v = members.starts(system, initial, p, u, n, lambda done: bar.update(done))
    for m in np.flatnonzero(winding.crossed(system, system.rest[:, None], q, p)):
        winding.refuse(system, None, q[:, m], p[:, m % p.shape[1]], which=f"of member {m}: ")
    if law is not None:
        u = law(0.0, q, v, np.repeat(signal[0], n, 1), np.broadcast_to(p, (len(p), n))).full()
    whole = [np.broadcast_to(x, (len(x), n)) for x in (q, v, u, p)]
    x = np.ascontiguousarray(loop.start(h, *whole))
    constants = np.ascontiguousarray(loop.constants(p))
    ends, tolerance = bounds(system, len(x)), tolerance_of(tolerance, name)
    between = _looks(system, every, steps * x.size)
    batch = Batch(h, steps, every // between, x, signal, constants, *ends, tolerance)

    with Progress(n, progress, f"{n} x {system.robot.name}") as bar:
        if device == "gpu":
            seconds = gpu.run(loop, precision, batch)
        else:
            seconds = _on_cores(loop, batch, jobs, bar)
    _end_past_the_edge(system, batch, whole[0], p)
    _end_where_tendons_push(system, batch, law, signal, p)
    kept = signal[every::every] if len(signal) > 1 else signal
    return Rollout(
        **_states(loop, batch, between),
        time=time[every::every],
        parameters=p.T,
        inputs=(kept if law is None else np.full((1, system.nu, 1), np.nan)).transpose(2, 0, 1),
        device=device,
        seconds=seconds,
        provenance=provenance(system, scheme=name, step=batch.h),
        remark=grid.message,
    )


def _fed(
    system: System, inputs: Any, control: Control, time: Array, count: int
) -> tuple[Any, Array]:
    """The law of a controller, and the signal (times, nw, members)."""
    if control is None:
        return None, members.signals(system, inputs, time, count)
    actuation = actuate(system, inputs, control, time)
    if actuation.python is not None:
        raise InputError(
            "control: a Python function cannot run inside the loop; expected a Controller or a "
            "CasADi function of (t, q, v)"
        )
    return actuation.law, np.ascontiguousarray(actuation.signal[:, :, None])


def _loop(
    system: System, scheme: Scheme, law: Any, nw: int, gradients: tuple[str, ...], initial: Any
) -> AnyLoop:
    """The loop of the scheme, or that of its derivatives."""
    if not gradients:
        return SchemeLoop(system, scheme, law, nw)
    if law is not None:
        raise InputError("gradients: not with control; give inputs")
    check_names("gradients", gradients, (*system.parameter_names, "start"))
    chosen = tuple(name for name in gradients if name != "start")
    wound = isinstance(initial, Mapping) and "tension" in initial
    if chosen and (wound or system.nc):
        raise InputError(
            "gradients: by parameters the start is held fixed, but 'tension' and closures move it "
            "with them; give initial as rows of numbers that are wound and closed already"
        )
    directions = one_by_one(system, chosen, "start" in gradients)
    differentiable(scheme.name)
    return SensitiveLoop(system, scheme, directions)


def _on_cores(loop: AnyLoop, batch: Batch, jobs: int | None, bar: Progress) -> float:
    """Seconds that it took; members that Ctrl-C kept from running have the code for it."""
    threads = Cores(loop.kernel, batch.members, jobs, beside=True)
    begin = clock.perf_counter()
    with interrupts() as seen:
        for done in threads.run(batch, PIECES, lambda: bool(seen)):
            bar.update(done)
            if seen:
                break
    threads.close()
    batch.code[(batch.code == Exit.DONE) & (batch.done == 0)] = Exit.INTERRUPTED
    return clock.perf_counter() - begin


def _end_past_the_edge(system: System, batch: Batch, start: Array, p: Array) -> None:
    """Members whose cables turned too far between two kept times end before, with the code."""
    ran = np.flatnonzero(batch.done) if system.tendons.windings else np.zeros(0, int)
    before, p = start[:, ran], p[:, ran] if p.shape[1] > 1 else p
    for k, row in enumerate(batch.X):
        after = row[: system.nq, ran]
        for m in ran[winding.crossed(system, before, after, p)]:
            if batch.code[m] != Exit.WINDING_LIMIT:
                batch.X[k:, :, m], batch.code[m] = np.nan, Exit.WINDING_LIMIT
                batch.done[m] = k * batch.every
        before = np.where(np.isfinite(after), after, before)


def _end_where_tendons_push(
    system: System, batch: Batch, law: Any, signal: Array, p: Array
) -> None:
    """Members in which a rigid tendon pushes at a time that is looked at end before, with the
    code."""
    if not one_sided_rigid(system):
        return
    whole = np.broadcast_to(p, (len(p), batch.X.shape[2]))
    for k, row in enumerate(batch.X):
        going = np.flatnonzero(np.isfinite(row).all(axis=0))
        x, done = row[:, going], (k + 1) * batch.every
        w = signal[min(done, len(signal) - 1)]
        w = np.broadcast_to(w, (len(w), len(whole.T)))[:, going]
        u, own = w, whole[:, going]
        if law is not None:
            u = law(done * batch.h, x[: system.nq], x[system.nq :][: system.nv], w, own).full()
        ended = going[pushing_members(system, x, u, own)]
        batch.X[k:, :, ended], batch.code[ended] = np.nan, Exit.PUSHING
        batch.done[ended] = k * batch.every


def _looks(system: System, every: int, numbers: int) -> int:
    """Looks between two kept times at cables that may turn too far, as many as memory allows."""
    if not system.tendons.windings:
        return 1
    fit = (k for k in range(1, every + 1) if every % k == 0 and numbers // k <= MAX_LOOKED_AT)
    return every // next(fit, every)


def _states(loop: AnyLoop, batch: Batch, between: int) -> dict[str, Any]:
    """What a batch came to, the member first, and its derivatives where they were asked for."""
    system, X = loop.system, batch.X[between - 1 :: between].transpose(2, 0, 1)
    found = {
        "system": system,
        "position": X[:, :, : system.nq],
        "velocity": X[:, :, system.nq : system.nq + system.nv],
        "done": batch.done,
        "code": batch.code,
    }
    if isinstance(loop, SensitiveLoop):
        found |= {"by": loop.derivatives(X), "unknowns": loop.directions.names(system)}
    return found


def _check_size(members: int, kept: int, states: int) -> None:
    """What is kept must fit in memory."""
    size = 8e-9 * members * kept * states
    if size > MAX_GB:
        raise InputError(
            f"every: {members} members of {states} numbers at {kept} times are {size:.3g} GB, more "
            f"than {MAX_GB:g} GB; keep fewer times, or run fewer members at once"
        )
    what = f"{members} members of {states} numbers at {kept} times"
    refuse_beyond("every", what, 1e9 * size, "keep fewer times, or run fewer members at once")
